// Files of results as ingest messages: NDJSON with one result or one message a line, or CSV with the fields' names as its
// head; plain or gzip. Parts, players, stats and regulation in CSV are JSON texts. Values of a table are separated by
// commas, semicolons or tabs, as its head says; beside the latter two a number may have a decimal comma.
import { pipeline } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
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
  if (/\.csv(\.gz)?$/i.test(path)) yield* csvLines(path, bad);
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

async function* csvLines(path: string, bad: (line: number, reason: string) => void) {
  const head = await headOf(path);
  if (head === undefined) return;
  const separator = separatorOf(head.text);
  const why = unreadable(head.text, separator);
  if (why !== undefined) {
    bad(head.number, why);
    return;
  }
  const options = { columns: true, delimiter: separator, skip_empty_lines: true, trim: true, bom: true, info: true };
  const skipped = ({ lines, message }: CsvError): undefined => void bad(Number(lines ?? 0), message);
  const parser = pipeline(
    (await openBytes(path)).bytes,
    parse({ ...options, skip_records_with_error: true, on_skip: (error) => error && skipped(error) }),
    () => undefined,
  ) as AsyncIterable<{ record: Record<string, string>; info: { lines: number } }>;
  for await (const { record, info } of parser) {
    const result = resultOf(record, separator !== ',');
    const message = typeof result === 'string' ? undefined : messageOf(result);
    if (message === undefined) bad(info.lines, typeof result === 'string' ? result : 'no status');
    else yield { message, line: info.lines };
  }
}

const SEPARATORS = [',', ';', '\t'] as const;

/** The first line that is not empty. */
async function headOf(path: string): Promise<{ text: string; number: number } | undefined> {
  for await (const { number, text = '' } of readLines(path, { lineBytesMax: LIMITS.venueLine.max }))
    if (text !== '') return { text, number };
  return undefined;
}

/** Names of fields contain none of them. */
function separatorOf(head: string): string {
  const countOf = (separator: string): number => head.split(separator).length;
  return SEPARATORS.reduce((most, each) => (countOf(each) > countOf(most) ? each : most));
}

/** Why no line of a table with this head can be read; undefined if some may be. */
function unreadable(head: string, separator: string): string | undefined {
  if (/[\0\ufffd]/.test(head)) return 'not UTF-8: save the table as CSV in UTF-8';
  const names = head.split(separator).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  if (names.includes('status')) return undefined;
  return `the head of the table has no column status, separated by a comma, semicolon or tab: ${head.slice(0, 100)}`;
}

/** The fields of a line, or what cannot be read of it. */
function resultOf(record: Record<string, string>, hasDecimalCommas: boolean): Record<string, unknown> | string {
  const result: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(record)) {
    if (text === '') continue;
    if ((NESTED as readonly string[]).includes(name)) {
      result[name] = jsonOf(text);
      if (result[name] === undefined) return `${name} is not JSON`;
    } else if (NUMBERS.has(name)) {
      const number = Number(hasDecimalCommas ? text.replace(',', '.') : text);
      if (!Number.isFinite(number)) return `${name} is not a number`;
      result[name] = number;
    } else result[name] = text;
  }
  return result;
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
