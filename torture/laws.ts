// The invariants that must hold when the storm is quiet: the table equals the books' last statements, and every reader
// has it.
import { setTimeout as wait } from 'node:timers/promises';
import { parseTimeUs } from '../src/base/model/time.js';
import type { OddsRow } from '../src/client/types.js';
import { loadCatalogue } from '../src/rules/catalogue/load.js';
import type { LoadedRun } from './loaded-run.js';
import type { Reader } from './readers.js';
import type { Run } from './run.js';
import { pairOf } from './truth.js';

/** Maximum loss in a loss of power, if the program gets its cores and the disk is not slow. */
const POWER_MS_MAX = 2_000;
/** A checkpoint is flushed, and so is the file beside it that refers to it; another may have been under way. */
const CHECKPOINT_FLUSHES = 4;

/** A client that met a start of many seconds waits up to 30 before it retries. */
const SETTLE_MS_MAX = 45_000;
const RETRY_MS = 50;

const catalogue = loadCatalogue();
export const BOOK_IDS = catalogue.books.map(({ id }) => id);

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
export async function checkPowerLoss(run: LoadedRun, key: string, lostMs: number, tookMsMax: number): Promise<void> {
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
  run: LoadedRun,
  key: string,
  killedMs: number,
  law = 'what was acknowledged survives a kill',
): Promise<void> {
  if (run.storm.repeatedMs > killedMs) return run.count('kills not judged');
  await checkSince(run, key, killedMs, law);
}

/** Each row must be as it was at some moment since `sinceMs`, or as what is under way would make it. */
async function checkSince(run: LoadedRun, key: string, sinceMs: number, law: string): Promise<void> {
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
