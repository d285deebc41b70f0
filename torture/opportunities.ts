// Checks the lists of opportunities when the books are quiet: they are what brute force finds in the table.

import type { OddsRow } from '../src/client/types.js';
import { startUniverses } from '../src/detection/detection-limits.js';
import { loadCatalogue } from '../src/rules/catalogue/load.js';
import { type ListedItem, nameOfListed } from '../test/world/names.js';
import { chargesOf, type Found, foundIn } from '../test/world/oracle.js';
import { ageMaxMs } from '../test/world/progress.js';
import { backed } from '../test/world/visible.js';
import { allRows } from './laws.js';
import type { Run } from './run.js';
import { listOf } from './streamed.js';

/** Largest difference from rounding (percent). */
const ROUNDED = 0.011;
const LAW = 'opportunities are what brute force finds';

const catalogue = loadCatalogue();
const charges = chargesOf(catalogue.books);
const universes = startUniverses(catalogue);

/** In the order of kinds: what is checked, and how it is listed. */
const LISTS = {
  arbitrage: { path: 'arbitrage', query: 'min_profit=0' },
  low_hold: { path: 'low_hold', query: 'max_hold=5' },
  // Sure ones of players, too, whose expected value is assumed.
  middle: { path: 'middles', query: 'include_assumed=true' },
} as const;

type Kind = keyof typeof LISTS;
type Placed = ReadonlyMap<string, { game: number; flipped: boolean }>;

interface Listed extends ListedItem {
  event_id: string;
  profit_percent?: number;
  hold_percentage?: number;
}

/** Compares a tier's lists of these kinds with brute force over its books. */
export async function checkOpportunities(
  run: Run,
  tier: string,
  key: string,
  rows: readonly OddsRow[],
  kinds: readonly Kind[],
): Promise<void> {
  const universe = universes.find((spec) => spec.key === tier);
  if (universe === undefined) throw new Error(`there is no universe ${tier}`);
  const books = universe.books === null ? null : new Set(universe.books);
  const ages = new Map(rows.map(({ event_id, is_live: live, status }) => [event_id, ageMaxMs({ status, live })]));
  const games = new Map<string, { game: number; flipped: boolean }>();
  for (const row of rows) {
    const placed = run.truth.place(row);
    if (placed !== undefined) games.set(row.event_id, { game: placed.game.no, flipped: placed.flipped });
  }
  for (const kind of kinds) {
    // Prices get too old while a starved program lists them: what is so before and after must be in the list.
    const before = bruteForce(run, games, ages, books);
    const listed = await listOf<Listed>(run, LISTS[kind].path, key, LISTS[kind].query);
    if (listed === null) continue;
    const after = bruteForce(run, games, ages, books);
    const served = new Map<string, Listed>();
    for (const item of listed) {
      const placed = games.get(item.event_id);
      if (placed === undefined) continue;
      const name = nameOfListed(kind, item, placed, run.truth.visible);
      // A middle is listed once for each pair of books.
      if (served.has(name) && kind !== 'middle') run.find(LAW, `${name} is listed twice: ${JSON.stringify(item)}`);
      served.set(name, item);
    }
    run.count(`${kind} compared`, served.size);
    const due = [...before].filter(([name, found]) => name.startsWith(`${kind} `) && found.due);
    run.count(`${kind} found by brute force`, due.length);
    const missing = due.filter(([name]) => after.get(name)?.due === true && !served.has(name));
    const now = missing.length > 0 ? await allRows(run, key) : null;
    for (const [name, { edge }] of missing) {
      const isOf = (row: OddsRow) =>
        name.startsWith(`${kind} ${games.get(row.event_id)?.game} ${backed(row.market_type)}`);
      const shown = (now ?? []).filter(isOf).map((row) => outlineOf(run, row));
      run.find(LAW, `${tier}: ${name} of ${edge} % is not listed; shown are ${shown}`);
    }
    if (kind === 'middle') continue;
    for (const [name, item] of served) {
      const edge = item.profit_percent ?? item.hold_percentage ?? Number.NaN;
      const edges = [before, after].map((found) => found.get(name)?.edge ?? Number.NaN);
      if (!edges.some((truly) => Math.abs(truly - edge) < ROUNDED))
        run.find(LAW, `${tier}: ${name} is listed at ${edge} %, truly ${edges}: ${JSON.stringify(item)}`);
    }
  }
}

function outlineOf(run: Run, row: OddsRow): string {
  const age = Math.round((run.now() - Date.parse(row.last_seen_at)) / 1_000);
  const size = (row as { size?: number }).size;
  const how = `${row.is_live ? 'live' : 'prematch'} ${row.is_active ? '' : 'suspended '}${age} s${size === undefined ? '' : ` for ${size}`}`;
  return `${row.sportsbook} ${row.market_type} ${row.selection_type} ${row.line} ${row.odds_decimal} ${how}`;
}

function bruteForce(run: Run, games: Placed, ages: ReadonlyMap<string, number>, books: ReadonlySet<string> | null) {
  const found = new Map<string, Found>();
  for (const [event, { game }] of games) {
    const { games: all, visible } = run.truth;
    const question = { game: all[game]!, visible, nowMs: run.now(), ageMaxMs: ages.get(event)!, charges, books };
    for (const [name, one] of foundIn(question)) found.set(name, one);
  }
  return found;
}
