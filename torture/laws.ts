// The invariants that must hold when the storm is quiet: the table equals the books' last statements, every reader has
// it, and the lists of opportunities are what brute force finds in it.
import { setTimeout as wait } from 'node:timers/promises';
import { loadCatalogue } from '../src/catalogue/load.js';
import type { OddsRow } from '../src/client/types.js';
import { startUniverses } from '../src/detect/start-universes.js';
import { parseTimeUs } from '../src/model/time.js';
import { type Charge, layPairsOf, type Question, rungKey, rungsOf } from '../test/world/oracle.js';
import type { Reader } from './readers.js';
import type { Run } from './run.js';
import { listOf } from './streamed.js';
import { pairOf, turned } from './truth.js';

/** Maximum loss in a loss of power, if the program gets its cores and the disk is not slow. */
const POWER_MS_MAX = 2_000;
/** A checkpoint is flushed, and so is the file beside it that refers to it; another may have been under way. */
const CHECKPOINT_FLUSHES = 4;

/** A client that met a start of many seconds waits up to 30 before it retries. */
const SETTLE_MS_MAX = 45_000;
const RETRY_MS = 50;
const AGE_MAX_MS = { live: 60_000, prematch: 300_000 };
const NEAR_PERCENT = 0.15;
const PHANTOM_PERCENT = 10;
const HOLD_MAX_PERCENT = 5;
const FLOAT_NOISE = 1e-6;

const catalogue = loadCatalogue();
export const BOOK_IDS = catalogue.books.map(({ id }) => id);
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

/** The table's position (Unix µs); null if it could not be read. */
export async function positionOf(run: Run, key: string): Promise<number | null> {
  const answer = await run.call(`/api/v1/odds?limit=1&min_position=${run.position}`, key);
  if (answer?.status !== 200) return null;
  return parseTimeUs((answer.body as { meta: { server_time: string } }).meta.server_time) ?? null;
}

/** Every page of /odds, including everything acknowledged; null if one could not be read. */
export async function allRows(run: Run, key: string): Promise<OddsRow[] | null> {
  const rows: OddsRow[] = [];
  const late = run.patience(SETTLE_MS_MAX);
  for (let cursor = ''; ; ) {
    const answer = await run.call(`/api/v1/odds?limit=200&min_position=${run.position}${cursor}`, key);
    // That nobody answers is a finding in calm times.
    if ((answer === null || answer.status === 503) && !late()) {
      await wait(RETRY_MS);
      continue;
    }
    if (answer?.status !== 200) return null;
    const { data, pagination } = answer.body as { data: OddsRow[]; pagination: { next_cursor?: string | null } };
    rows.push(...data);
    if (pagination.next_cursor == null) return rows;
    cursor = `&cursor=${encodeURIComponent(pagination.next_cursor)}`;
  }
}

/** Compares the table with the books' statements, for these books. */
export function checkRows(run: Run, rows: readonly OddsRow[], law: string, books?: ReadonlySet<string>): void {
  const served = new Map<string, string>();
  for (const row of rows) {
    if (books !== undefined && !books.has(row.sportsbook)) continue;
    const placed = run.truth.place(row);
    if (placed === undefined) continue;
    served.set(run.truth.nameOf(row, placed), `${pairOf(row.odds_decimal, row.line)} ${row.is_active}`);
  }
  const shown = run.truth.shown(books);
  const wrong = [...shown].filter(([name, stated]) => served.get(name) !== stated);
  const extra = [...served.keys()].filter((name) => !shown.has(name));
  run.count('rows compared', shown.size);
  if (wrong.length === 0 && extra.length === 0) return;
  const some = wrong.slice(0, 5).map(([name, stated]) => `${name}: said ${stated}, shown ${served.get(name)}`);
  run.find(
    law,
    `${wrong.length} of ${shown.size} rows wrong, ${extra.length} too many: ${some.join('; ')}; ${extra.slice(0, 5).join('; ')}`,
  );
}

/** What a loss of power may take at this moment (ms before it). */
export function powerLossMs({ starvation, deployment }: Run): number {
  const delayMs = Math.max(...deployment.nodes.map(({ system }) => system!.get('syncDelayMs')));
  return starvation.spanMs(POWER_MS_MAX) + CHECKPOINT_FLUSHES * (starvation.flushMs + delayMs);
}

/**
 * What was in the table this long before a loss of power (ms; `lostMs` is `performance.now`) must be there after it. To
 * be called before anything is sent again.
 */
export async function checkPowerLoss(run: Run, key: string, lostMs: number, tookMsMax: number): Promise<void> {
  if (run.flushed) return checkNotLost(run, key, lostMs, 'what was flushed survives a loss of power');
  run.most('ms a loss of power was allowed to take', Math.round(tookMsMax));
  // What an earlier loss of power took, and was not repeated before, cannot be found.
  if (run.storm.repeatedMs > lostMs - tookMsMax) return run.count('losses of power not judged');
  await checkSince(run, key, lostMs - tookMsMax, 'a loss of power takes two seconds at most');
}

/**
 * What was acknowledged before a kill (`killedMs` is `performance.now`) must be there. To be called before anything is
 * sent again.
 */
export async function checkNotLost(
  run: Run,
  key: string,
  killedMs: number,
  law = 'what was acknowledged survives a kill',
): Promise<void> {
  if (run.storm.repeatedMs > killedMs) return run.count('kills not judged');
  await checkSince(run, key, killedMs, law);
}

/** Each row must be as it was at some moment since `sinceMs`, or as what is under way would make it. */
async function checkSince(run: Run, key: string, sinceMs: number, law: string): Promise<void> {
  const states = run.truth.since(sinceMs, run.storm.underWay, run.now());
  const rows = await allRows(run, key);
  if (rows === null) return run.find('answers', `/odds could not be read: ${law}`);
  const wrong: string[] = [];
  const served = new Set<string>();
  for (const row of rows) {
    const placed = run.truth.place(row);
    if (placed === undefined) continue;
    const name = run.truth.nameOf(row, placed);
    const state = `${pairOf(row.odds_decimal, row.line)} ${row.is_active}`;
    served.add(name);
    if (states.get(name)?.has(state) !== true)
      wrong.push(`${name}: shown ${state}, was ${[...(states.get(name) ?? [])].join(', ')}`);
  }
  for (const [name, known] of states)
    if (!served.has(name) && !known.has('')) wrong.push(`${name}: not there, was ${[...known].join(', ')}`);
  run.count(`judged: ${law}`);
  run.count(`rows compared: ${law}`, states.size);
  if (wrong.length > 0) run.find(law, `${wrong.length} of ${states.size} rows wrong: ${wrong.slice(0, 5).join('; ')}`);
}

/** Waits until each reader has what /odds shows. */
export async function checkReaders(run: Run, readers: readonly Reader[], rows: readonly OddsRow[]): Promise<void> {
  const wrong = (reader: Reader): string | null => {
    const table = reader.table();
    if (table === undefined) return `${reader.name} has no whole table`;
    const other = rows.filter((row) => !isSame(table.get(row.id), row));
    if (other.length === 0 && table.size === rows.length) return null;
    return `${reader.name} has ${other.length} of ${rows.length} rows wrong and ${table.size} in all: ${JSON.stringify(other.slice(0, 2))} as ${JSON.stringify(table.get(other[0]?.id ?? ''))}`;
  };
  for (const reader of readers) {
    if (reader.name === 'pages') continue;
    let found = wrong(reader);
    for (const late = run.patience(SETTLE_MS_MAX); found !== null && !late(); ) {
      await wait(50);
      found = wrong(reader);
    }
    run.count(`${reader.name}: tables compared`);
    if (found !== null) run.find('readers have what /odds shows', found);
  }
}

const STATE = ['odds_american', 'odds_decimal', 'line', 'is_active', 'is_live', 'odds_changed_at'] as const;

function isSame(stated: OddsRow | undefined, row: OddsRow): boolean {
  return stated !== undefined && STATE.every((field) => stated[field] === row[field]);
}

interface Listed {
  event_id: string;
  market_type: string;
  line: number | null;
  is_player_prop: boolean;
  profit_percent?: number;
  hold_percentage?: number;
  legs?: { sportsbook: string; selection_type: string; is_lay?: true }[];
  side3?: unknown;
}

/** Compares a tier's arbitrages and low holds with brute force over its books; everything is fresh. */
export async function checkOpportunities(run: Run, tier: string, key: string, rows: readonly OddsRow[]): Promise<void> {
  const universe = universes.find((spec) => spec.key === tier);
  if (universe === undefined) throw new Error(`there is no universe ${tier}`);
  const books = universe.books === null ? null : new Set(universe.books);
  const live = new Set(rows.filter((row) => row.is_live).map(({ event_id }) => event_id));
  const games = new Map<string, { no: number; flipped: boolean }>();
  for (const row of rows) {
    const placed = run.truth.place(row);
    if (placed !== undefined) games.set(row.event_id, { no: placed.game.no, flipped: placed.flipped });
  }
  const truth = { arbitrage: new Map<string, number>(), low_hold: new Map<string, number>() };
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
      truth.arbitrage.set(rungKey(line), 100 * (1 / line.distinct - 1));
      truth['low_hold'].set(rungKey(line), 100 * (line.any - 1));
    }
    for (const [name, profit] of layPairsOf(question)) truth.arbitrage.set(name, profit);
  }
  for (const kind of ['arbitrage', 'low_hold'] as const) {
    const listed = await listOf<Listed>(run, kind, key, kind === 'arbitrage' ? 'min_profit=0' : 'max_hold=5');
    if (listed === null) continue;
    const served = new Map<string, number>();
    const items = new Map<string, Listed>();
    for (const item of listed) {
      const placed = games.get(item.event_id);
      if (placed === undefined) continue;
      const name = nameOf(run, item, placed);
      if (served.has(name))
        run.find(
          'opportunities are what brute force finds',
          `${kind} ${name} is listed twice: ${JSON.stringify(item)}`,
        );
      served.set(name, (kind === 'arbitrage' ? item.profit_percent : item.hold_percentage) ?? Number.NaN);
      items.set(name, item);
    }
    run.count(`${kind} compared`, served.size);
    for (const [name, edge] of truth[kind]) {
      const due =
        kind === 'arbitrage'
          ? edge > NEAR_PERCENT && edge < PHANTOM_PERCENT - FLOAT_NOISE
          : edge > FLOAT_NOISE && edge < HOLD_MAX_PERCENT - FLOAT_NOISE;
      if (due && !served.has(name))
        run.find('opportunities are what brute force finds', `${tier}: ${kind} ${name} of ${edge} % is not listed`);
    }
    for (const [name, edge] of served) {
      const truly = truth[kind].get(name) ?? Number.NaN;
      if (!(Math.abs(truly - edge) < 0.011))
        run.find(
          'opportunities are what brute force finds',
          `${tier}: ${kind} ${name} is listed at ${edge} %, truly ${truly}: ${JSON.stringify(items.get(name))}`,
        );
    }
  }
}

/** Named as in the brute force: from the true home side's view. */
function nameOf(run: Run, item: Listed, { no, flipped }: { no: number; flipped: boolean }): string {
  const spread = ['point_spread', 'run_line', 'puck_line'].includes(item.market_type);
  const named = { game: no, market: item.market_type, player: item.is_player_prop };
  const lay = item.legs?.find((leg) => leg.is_lay === true);
  if (lay !== undefined) {
    const type = flipped ? turned(lay.selection_type) : lay.selection_type;
    const line = item.line !== null && spread && type === 'away' ? 0 - item.line : item.line;
    // Its two legs do not show whether the bet has a third result.
    const ofThree = [...run.truth.visible.of(no)].some(
      ({ book, market, contract }) =>
        book === lay.sportsbook && market === `${item.market_type}_lay` && contract === 'winner3',
    );
    return `${rungKey({ ...named, line, ways: ofThree ? 3 : 2 })} lay ${type}`;
  }
  const ways = item.legs?.length ?? (item.side3 == null ? 2 : 3);
  const line = item.line !== null && flipped && spread ? 0 - item.line : item.line;
  return rungKey({ ...named, ways, line });
}
