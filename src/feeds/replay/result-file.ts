// Files of results as ingest messages: NDJSON with one result or one message a line, or CSV with the fields' names as its
// head; plain or gzip. Parts, players, stats and regulation in CSV are JSON texts.
import { pipeline, type Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { IngestMessage } from '../../ingest/message.js';
import { LIMITS } from '../../model/limits.js';
import { formatMs } from '../../model/time.js';
import { jsonOf } from '../kit/reading.js';
import { openBytes, readLines } from './lines.js';

const NESTED = ['parts', 'players', 'stats', 'regulation'] as const;
const NUMBERS: ReadonlySet<string> = new Set(['home_score', 'away_score', 'innings']);

/** An ingest message with results or settlements, and its line. */
export interface ResultLine {
  message: IngestMessage;
  line: number;
}

/** Rejects if the file cannot be read; calls `bad` with the number of each line that is no result. */
export async function* readResultFile(
  path: string,
  bad: (line: number, reason: string) => void,
): AsyncIterable<ResultLine> {
  if (/\.csv(\.gz)?$/i.test(path)) yield* csvLines((await openBytes(path)).bytes, bad);
  else yield* jsonLines(path, bad);
}

async function* jsonLines(path: string, bad: (line: number, reason: string) => void) {
  for await (const { number: line, text } of readLines(path, { lineBytesMax: LIMITS.venueLine.max })) {
    if (text === '') continue;
    const value = text === undefined ? undefined : jsonOf(text);
    const message = messageOf(value);
    if (message !== undefined) yield { message, line };
    else bad(line, value === undefined ? 'not JSON' : 'neither a result nor a message with results or settlements');
  }
}

async function* csvLines(bytes: Readable, bad: (line: number, reason: string) => void) {
  const parser = pipeline(
    bytes,
    parse({ columns: true, skip_empty_lines: true, trim: true, bom: true, info: true }),
    () => undefined,
  ) as AsyncIterable<{ record: Record<string, string>; info: { lines: number } }>;
  for await (const { record, info } of parser) {
    const line = info.lines;
    try {
      const result: Record<string, unknown> = {};
      for (const [name, text] of Object.entries(record)) {
        if (text === '') continue;
        if ((NESTED as readonly string[]).includes(name)) result[name] = JSON.parse(text);
        else if (NUMBERS.has(name)) result[name] = Number(text);
        else result[name] = text;
      }
      const message = messageOf(result);
      if (message === undefined) bad(line, 'no status');
      else yield { message, line };
    } catch {
      bad(line, 'a part of it is not JSON');
    }
  }
}

/** A message as it is, a result in a message of its own; undefined if it is neither. */
function messageOf(value: unknown): IngestMessage | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const lists = ['results', 'settlements'].filter((name) => name in value);
  if (lists.length > 0)
    return lists.every((name) => Array.isArray((value as Record<string, unknown>)[name]))
      ? (value as IngestMessage)
      : undefined;
  if (!('status' in value)) return undefined;
  const { source, sportsbook, ...result } = value as Record<string, unknown>;
  const head = { ...(source === undefined ? {} : { source }), ...(sportsbook === undefined ? {} : { sportsbook }) };
  return { ...head, results: [result] } as unknown as IngestMessage;
}

/** The message with no time later than `atMs`. */
export function saidBy(message: IngestMessage, atMs: number): IngestMessage {
  const notAfter = (at: unknown): string | undefined => {
    const ms = typeof at === 'string' ? Date.parse(at) : Number.NaN;
    return ms <= atMs ? (at as string) : undefined;
  };
  const { polled_at, results = [], ...rest } = message;
  const polled = notAfter(polled_at) ?? formatMs(atMs);
  const bound = results.map((result) => {
    const { at, ...said } = result as Record<string, unknown>;
    return { ...said, at: notAfter(at) ?? polled };
  });
  return { ...rest, polled_at: polled, results: bound };
}
