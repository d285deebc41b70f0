// What a recording holds, in the order of its clock: its polls, and between them what became of the games.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { LIMITS } from '../../base/model/limits.js';
import { HOUR_MS } from '../../base/model/time.js';
import { filesOf } from '../../intake/feeds/files/sources.js';
import { type BadLine, noRecording, readRecording } from '../../intake/feeds/replay/recording.js';
import { noResults, readResultFile, saidBy } from '../../intake/feeds/replay/result-file.js';
import type { LeagueLookup } from '../../intake/feeds/the-odds-api/payload.js';
import type { IngestMessage } from '../../intake/ingest/message.js';

/** Messages of one instant. */
export interface Instant {
  /** Unix ms; never before the previous one's. */
  atMs: number;
  messages: readonly IngestMessage[];
  /** True for what the file of results says. */
  results: boolean;
}

export interface RecordingFiles {
  file: string;
  /** What became of the games, as for `overround results`. */
  results?: string | undefined;
  leagues: LeagueLookup;
  onBadLine?(file: string, bad: BadLine): void;
  /** A compressed file that ends early: it is read as far as it goes. */
  onCutShort?(name: string): void;
  /** Bytes of the recording. */
  onRead?(bytes: number): void;
}

/** `saidMs`: the latest time that the message states; `atMs`: when it is played. */
interface TimedResult {
  atMs: number;
  saidMs: number;
  message: IngestMessage;
}

const RESULTS_MAX = LIMITS.replayResults.max;
/** After a game's start: by then it is over, and it has not left the table yet. */
const TOLD_AFTER_MS = 24 * HOUR_MS;

/** When it begins (Unix ms). Rejects if the file cannot be read or is no recording. */
export async function startOf({ file, leagues }: RecordingFiles): Promise<number> {
  let bad = 0;
  let first: BadLine | undefined;
  const onBadLine = (line: BadLine): void => {
    bad++;
    first ??= line;
  };
  for await (const { atMs } of readRecording(file, { leagues, onBadLine })) return atMs;
  throw new Error(noRecording(file, bad, first));
}

/**
 * Identifies a recording with its results and where it is served from: 16 hex digits, the same for the same bytes.
 * Rejects if a file cannot be read.
 */
export async function epochOf({ file, results }: RecordingFiles, ...more: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of [file, ...(results === undefined ? [] : [results])]) {
    for await (const name of filesOf(path))
      for await (const bytes of createReadStream(name)) hash.update(bytes as Buffer);
    hash.update('\n');
  }
  return hash.update(JSON.stringify(more)).digest('hex').slice(0, 16);
}

/** Rejects if a file cannot be read, has too many results, or lines and none of them a result. */
export async function readInstants(files: RecordingFiles): Promise<AsyncGenerator<Instant, void>> {
  return instantsOf(files, files.results === undefined ? [] : await timedResults(files.results, files));
}

async function* instantsOf(files: RecordingFiles, results: readonly TimedResult[]): AsyncGenerator<Instant, void> {
  const { file, leagues, onBadLine, onRead } = files;
  let next = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  const recording = readRecording(file, {
    leagues,
    onBadLine: (bad) => onBadLine?.(file, bad),
    onCutShort: (name) => files.onCutShort?.(name),
    ...(onRead === undefined ? {} : { onRead: (bytes: number) => onRead(bytes) }),
  });
  for await (const { atMs, messages } of recording) {
    for (let due = results[next]; due !== undefined && due.atMs < atMs; due = results[++next]) {
      // A statement of before the recording is made at its beginning.
      const dueMs = Math.max(due.atMs, lastMs === Number.NEGATIVE_INFINITY ? atMs : lastMs);
      yield { atMs: dueMs, messages: [saidBy(due.message, dueMs)], results: true };
      lastMs = dueMs;
    }
    lastMs = Math.max(lastMs, atMs);
    yield { atMs: lastMs, messages, results: false };
  }
  // Games end after the recording: what is said of them later is said at its end.
  for (const { message } of lastMs === Number.NEGATIVE_INFINITY ? [] : results.slice(next))
    yield { atMs: lastMs, messages: [saidBy(message, lastMs)], results: true };
}

/**
 * In the order in which they are stated; those of unknown time last. A file made at a season's end says when it was
 * made: its games have left the table by then.
 */
async function timedResults(path: string, files: RecordingFiles): Promise<TimedResult[]> {
  const timed: TimedResult[] = [];
  let first: BadLine | undefined;
  const lines = readResultFile(
    path,
    (line, reason) => {
      first ??= { line, reason };
      files.onBadLine?.(path, { line, reason });
    },
    (name) => files.onCutShort?.(name),
  );
  for await (const line of lines)
    for (const message of eachOf(line.message)) {
      if (timed.length >= RESULTS_MAX) throw new Error(`${path} has more than ${RESULTS_MAX} results`);
      const saidMs = timeOf(message);
      timed.push({ atMs: Math.min(saidMs, startOfGame(message) + TOLD_AFTER_MS), saidMs, message });
    }
  if (timed.length === 0 && first !== undefined) throw new Error(noResults(path, first));
  return timed.sort((a, b) => a.atMs - b.atMs || a.saidMs - b.saidMs || 0);
}

/** A message for each game of it. */
function* eachOf({ results, settlements, ...rest }: IngestMessage): Generator<IngestMessage> {
  for (const result of results ?? []) yield { ...rest, results: [result] };
  for (const settlement of settlements ?? []) yield { ...rest, settlements: [settlement] };
}

function startOfGame({ results, settlements }: IngestMessage): number {
  const { start_time } = (results?.[0] ?? settlements?.[0] ?? {}) as { start_time?: unknown };
  const ms = typeof start_time === 'string' ? Date.parse(start_time) : Number.NaN;
  return Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms;
}

/** The latest time that the message states (Unix ms): it was not said before. */
function timeOf({ polled_at, results = [] }: IngestMessage): number {
  const times = [polled_at, ...results.map((result) => (result as { at?: unknown } | null)?.at)].flatMap((at) => {
    const ms = typeof at === 'string' ? Date.parse(at) : Number.NaN;
    return Number.isNaN(ms) ? [] : ms;
  });
  return times.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...times);
}
