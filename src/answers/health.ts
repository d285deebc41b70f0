// Health checks: the store answers, odds arrive, the store has this program's version.

import type { Clock } from '../base/model/clock.js';
import { compareText } from '../base/model/compare.js';
import type { Engine } from '../engine/engine.js';
import type { FeedInfo } from '../intake/feeds/feed-watch.js';
import { isPrivateBook } from '../rules/catalogue/private-book.js';
import type { Check } from '../schema/reference.js';
import type { DataDirectory } from '../store/data-directory.js';
import { readMeta, STORE_VERSION } from '../store/shard-env.js';
import type { OddsTable } from '../tables/table.js';

/** Best odds and opportunities use no older prices (prematch), so without newer polls there is nothing to serve. */
const SILENT_MS = 5 * 60_000;

export interface HealthChecks {
  /** The worst of the checks. */
  status: Check['status'];
  checks: { lmdb: Check; data: Check; schema: Check };
}

export function checkHealth(
  engine: Pick<Engine, 'clock' | 'directory' | 'table' | 'shards'>,
  running: readonly FeedInfo[],
): HealthChecks {
  const { lmdb, schema } = checkStore(engine.directory, engine.clock);
  const data = checkData(engine, running, engine.clock.now());
  const states = [lmdb.status, data.status, schema.status];
  const status = states.includes('down') ? 'down' : states.includes('degraded') ? 'degraded' : 'ok';
  return { status, checks: { lmdb, data, schema } };
}

/** Reads from every shard's environment. */
function checkStore(directory: DataDirectory, clock: Clock): { lmdb: Check; schema: Check } {
  const startedMs = clock.now();
  try {
    for (const env of directory.envs) env.meta.getBinary('meta');
  } catch (error) {
    return {
      lmdb: { status: 'down', message: `the store cannot be read: ${messageOf(error)}` },
      schema: { status: 'down', message: 'unknown while the store cannot be read' },
    };
  }
  const latency_ms = Math.max(0, Math.round(clock.now() - startedMs));
  const lmdb: Check =
    directory.unsafe === null
      ? { status: 'ok', latency_ms }
      : {
          status: 'degraded',
          latency_ms,
          message: `the disk refuses to take what was written: a loss of power now would lose more than a second (${directory.unsafe})`,
        };
  try {
    for (const env of directory.envs) readMeta(env);
  } catch (error) {
    return { lmdb, schema: { status: 'down', message: messageOf(error) } };
  }
  return { lmdb, schema: { status: 'ok', message: `store version ${STORE_VERSION}` } };
}

/**
 * Degraded if odds are old or missing, or a feed gave up or failed last, or a shard takes nothing: prices grow old while
 * others look fine.
 */
function checkData(
  { table, shards }: Parameters<typeof checkHealth>[0],
  running: readonly FeedInfo[],
  nowMs: number,
): Check {
  const gone = running.filter(({ state }) => state === 'failing' || state === 'failed');
  const causes = gone.map(({ name, state }) => `${name.split(':', 1)[0]} is ${state}`);
  for (const shard of shards?.missingThreads ?? [])
    causes.push(`shard ${shard} could not be started and takes nothing`);
  for (const shard of shards?.hangingThreads ?? []) causes.push(`the thread of shard ${shard} does not answer`);
  const odds = checkOdds(table, nowMs);
  if (causes.length === 0) return odds;
  return { status: 'degraded', message: [...causes, odds.message].join(', ') };
}

function checkOdds(table: OddsTable, nowMs: number): { status: 'ok' | 'degraded'; message: string } {
  if (table.rowCount === 0) return { status: 'degraded', message: 'no odds in the table' };
  let newestMs = 0;
  for (const polledMs of table.bookPolledMs) newestMs = Math.max(newestMs, polledMs ?? 0);
  const ageS = Math.max(0, Math.round((nowMs - newestMs) / 1000));
  const message = `${table.rowCount} odds of ${table.events.size} events, newest poll ${ageS} s ago`;
  return { status: nowMs - newestMs > SILENT_MS ? 'degraded' : 'ok', message };
}

/** Every book that has odds, with its newest poll (Unix ms), by name. */
export function bookPolls(table: OddsTable): { book: string; polledMs: number }[] {
  const polls: { book: string; polledMs: number }[] = [];
  for (const [no, book] of table.books.names.entries()) {
    const polledMs = table.bookPolledMs[no] ?? 0;
    if (polledMs > 0 && !isPrivateBook(book) && (table.bookRows[no] ?? 0) > 0) polls.push({ book, polledMs });
  }
  return polls.sort((a, b) => compareText(a.book, b.book));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
