// Checks the lists of opportunities when the books are quiet: they are what brute force finds in the table.
import { loadCatalogue } from '../src/catalogue/load.js';
import type { OddsRow } from '../src/client/types.js';
import { startUniverses } from '../src/detect/start-universes.js';
import { type Charge, layPairsOf, type Question, rungKey, rungsOf, sureMiddlesOf } from '../test/world/oracle.js';
import { marketOf } from '../test/world/visible.js';
import { allRows } from './laws.js';
import type { Run } from './run.js';
import { listOf } from './streamed.js';
import { teamIn, turned } from './truth.js';

const AGE_MAX_MS = { live: 60_000, prematch: 300_000 };
const NEAR_PERCENT = 0.15;
const PHANTOM_PERCENT = 10;
const HOLD_MAX_PERCENT = 5;
const FLOAT_NOISE = 1e-6;
/** Largest difference from rounding (percent). */
const ROUNDED = 0.011;
const LAW = 'opportunities are what brute force finds';

const catalogue = loadCatalogue();
const charges = new Map<string, Charge>(
  catalogue.books.flatMap(({ id, commission }) =>
    commission === undefined
      ? []
      : [
          [
            id,
            commission.model === 'winnings' ? commission : { ...commission, centUp: commission.rounding === 'cent_up' },
          ],
        ],
  ),
);
const universes = startUniverses(catalogue);

type Kind = 'arbitrage' | 'low_hold' | 'middles';
/** By name, in percent; 1 for a middle. */
type Found = Readonly<Record<Kind, Map<string, number>>>;
type Placed = ReadonlyMap<string, { no: number; flipped: boolean }>;

interface Listed {
  event_id: string;
  market_type: string;
  home_team: string;
  team_name?: string;
  line: number | null;
  is_player_prop: boolean;
  profit_percent?: number;
  hold_percentage?: number;
  legs?: { sportsbook: string; selection_type: string; is_lay?: true }[];
  side1?: { line: number };
  side2?: { line: number };
  side3?: unknown;
}

/** How each kind is listed; whether one with this edge (percent) must be. */
const KINDS: Readonly<Record<Kind, { query: string; due(edge: number): boolean }>> = {
  arbitrage: { query: 'min_profit=0', due: (edge) => edge > NEAR_PERCENT && edge < PHANTOM_PERCENT - FLOAT_NOISE },
  low_hold: { query: 'max_hold=5', due: (edge) => edge > FLOAT_NOISE && edge < HOLD_MAX_PERCENT - FLOAT_NOISE },
  middles: { query: '', due: (edge) => edge > 0 },
};

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
  const live = new Set(rows.filter((row) => row.is_live).map(({ event_id }) => event_id));
  const games = new Map<string, { no: number; flipped: boolean }>();
  for (const row of rows) {
    const placed = run.truth.place(row);
    if (placed !== undefined) games.set(row.event_id, { no: placed.game.no, flipped: placed.flipped });
  }
  for (const kind of kinds) {
    // Prices get too old while a starved program lists them: what is so before and after must be in the list.
    const before = bruteForce(run, games, live, books)[kind];
    const listed = await listOf<Listed>(run, kind, key, KINDS[kind].query);
    if (listed === null) continue;
    const after = bruteForce(run, games, live, books)[kind];
    const served = new Map<string, Listed>();
    for (const item of listed) {
      const placed = games.get(item.event_id);
      if (placed === undefined) continue;
      const name = nameOf(run, kind, item, placed);
      // A middle is listed once for each pair of books.
      if (served.has(name) && kind !== 'middles')
        run.find(LAW, `${kind} ${name} is listed twice: ${JSON.stringify(item)}`);
      served.set(name, item);
    }
    run.count(`${kind} compared`, served.size);
    run.count(`${kind} found by brute force`, before.size);
    const { due } = KINDS[kind];
    const missing = [...before].filter(([name, edge]) => due(edge) && due(after.get(name) ?? 0) && !served.has(name));
    const now = missing.length > 0 ? await allRows(run, key) : null;
    for (const [name, edge] of missing) {
      const shown = (now ?? []).filter((row) => name.startsWith(`${games.get(row.event_id)?.no} ${row.market_type} `));
      run.find(
        LAW,
        `${tier}: ${kind} ${name} of ${edge} % is not listed; shown are ${shown.map((row) => outlineOf(run, row))}`,
      );
    }
    if (kind === 'middles') continue;
    for (const [name, item] of served) {
      const edge = item.profit_percent ?? item.hold_percentage ?? Number.NaN;
      const edges = [before.get(name) ?? Number.NaN, after.get(name) ?? Number.NaN];
      if (!edges.some((truly) => Math.abs(truly - edge) < ROUNDED))
        run.find(LAW, `${tier}: ${kind} ${name} is listed at ${edge} %, truly ${edges}: ${JSON.stringify(item)}`);
    }
  }
}

function outlineOf(run: Run, row: OddsRow): string {
  const age = Math.round((run.now() - Date.parse(row.last_seen_at)) / 1_000);
  const how = `${row.is_live ? 'live' : 'prematch'} ${row.is_active ? '' : 'suspended '}${age} s`;
  return `${row.sportsbook} ${row.selection_type} ${row.line} ${row.odds_decimal} ${how}`;
}

function bruteForce(run: Run, games: Placed, live: ReadonlySet<string>, books: ReadonlySet<string> | null): Found {
  const found: Found = { arbitrage: new Map(), low_hold: new Map(), middles: new Map() };
  for (const [event, { no }] of games) {
    const question: Question = {
      game: run.truth.games[no]!,
      visible: run.truth.visible,
      nowMs: run.now(),
      ageMaxMs: live.has(event) ? AGE_MAX_MS.live : AGE_MAX_MS.prematch,
      charges,
      books,
    };
    for (const line of rungsOf(question)) {
      found.arbitrage.set(rungKey(line), 100 * (1 / line.distinct - 1));
      found.low_hold.set(rungKey(line), 100 * (line.any - 1));
    }
    for (const [name, { profit }] of layPairsOf(question)) found.arbitrage.set(name, profit);
    for (const name of sureMiddlesOf(question, NEAR_PERCENT / 100)) found.middles.set(name, 1);
  }
  return found;
}

/** Named as in the brute force: from the true home side's view. */
function nameOf(run: Run, kind: Kind, item: Listed, { no, flipped }: { no: number; flipped: boolean }): string {
  const spread = /^(?:point_spread|run_line|puck_line)/.test(item.market_type);
  const market = marketOf({ market: item.market_type, team: teamIn(item, flipped) });
  const named = { game: no, market, player: item.is_player_prop };
  const lay = item.legs?.find((leg) => leg.is_lay === true);
  if (lay !== undefined) {
    const type = flipped ? turned(lay.selection_type) : lay.selection_type;
    const line = item.line !== null && spread && type === 'away' ? 0 - item.line : item.line;
    // Its two legs do not show whether the bet has a third result.
    const ofThree = [...run.truth.visible.of(no)].some(
      ({ book, market: price, contract }) =>
        book === lay.sportsbook && price === `${item.market_type}_lay` && contract === 'winner3',
    );
    return `${rungKey({ ...named, line, ways: ofThree ? 3 : 2 })} lay ${type}`;
  }
  if (item.side1 !== undefined && item.side2 !== undefined && kind === 'middles') {
    const lines = [item.side1.line, item.side2.line];
    const [first, second] = flipped && spread ? lines.reverse() : lines;
    return `${rungKey({ ...named, ways: 2, line: first! })} ${second! + 0}`;
  }
  const ways = item.legs?.length ?? (item.side3 == null ? 2 : 3);
  const line = item.line !== null && flipped && spread ? 0 - item.line : item.line;
  return rungKey({ ...named, ways, line });
}
