// Files of results as ingest messages: NDJSON with one result or one message a line, or CSV with the fields' names as its
// head; and the results in files of the formats. Parts, players, stats and regulation in CSV are JSON texts. Values of a table are separated by
// commas, semicolons or tabs, as its head says; beside the latter two a number may have a decimal comma.

import { jsonOf } from '../../../base/model/json-map.js';
import { LIMITS } from '../../../base/model/limits.js';
import { formatMs } from '../../../base/model/time.js';
import type { IngestMessage } from '../../ingest/message.js';
import { linesOf } from '../files/lines.js';
import { type SourceFile, sourcesOf } from '../files/sources.js';
import { rowsOf, type TableHead } from '../files/table.js';
import { type FileFormat, NOTHING_KNOWN } from '../formats/format.js';
import { beginningOf, formatOf } from '../formats/formats.js';
import { readFiles } from '../formats/read-files.js';
import { ReadReport } from '../formats/read-report.js';
import type { BadLine } from './recording.js';

const NESTED = ['parts', 'players', 'stats', 'regulation'] as const;
const NUMBERS: ReadonlySet<string> = new Set(['home_score', 'away_score', 'innings']);

/** An ingest message with results or settlements, and its line. */
export interface ResultLine {
  message: IngestMessage;
  line: number;
}

/**
 * Rejects if a file cannot be read; calls `bad` with the number of each line that is no result. Of files of the formats
 * (formats/formats.ts) the results in them are read.
 * @param onCutShort called with a compressed file that ends early, which is read as far as it goes
 */
export async function* readResultFile(
  path: string,
  bad: (line: number, reason: string) => void,
  onCutShort?: (name: string) => void,
): AsyncGenerator<ResultLine, void> {
  for await (const source of sourcesOf(path, { onCutShort })) {
    const beginning = beginningOf(source);
    const { table } = beginning;
    const format = formatOf(beginning);
    if (format !== undefined) yield* resultsIn(format, source, bad);
    else if (/^\s*(?:[{[]|$)/.test(beginning.text)) yield* jsonLines(source, bad);
    else if (table === undefined || !table.columns.includes('status')) bad(1, noStatus(beginning.text));
    else yield* tableLines(source, table, bad);
  }
}

/** Why nothing of a file is a result, in one line. */
export function noResults(path: string, first: BadLine | undefined): string {
  return `${path} has no results (${first === undefined ? 'none is in it' : `line ${first.line}: ${first.reason}`})`;
}

/** The times of what is said are those of the file: whoever reads it now is told now. */
async function* resultsIn(format: FileFormat, file: SourceFile, bad: (line: number, reason: string) => void) {
  const report = new ReadReport(({ line = 0 }, reason) => bad(line, reason));
  const only = async function* (): AsyncGenerator<SourceFile, void> {
    yield file;
  };
  let line = 0;
  for await (const { text, isResult } of readFiles(
    only(),
    { leagues: NOTHING_KNOWN, settings: {}, report },
    { format },
  )) {
    line++;
    if (!isResult && !text.includes('"settlements":')) continue;
    const { events: _events, ...message } = JSON.parse(text) as IngestMessage;
    const results = message.results?.map((result) => {
      const { at: _at, ...said } = result as Record<string, unknown>;
      return said;
    });
    const { polled_at: _polledAt, ...said } = message;
    yield { message: (results === undefined ? message : { ...said, results }) as IngestMessage, line };
  }
}

async function* jsonLines({ bytes }: SourceFile, bad: (line: number, reason: string) => void) {
  for await (const { number: line, text } of linesOf(bytes, LIMITS.venueLine.max)) {
    if (text === '') continue;
    const value = text === undefined ? undefined : jsonOf(text);
    const message = messageOf(value);
    if (message !== undefined) yield { message, line };
    else bad(line, value === undefined ? 'not JSON' : 'neither a result nor a message with results or settlements');
  }
}

async function* tableLines({ bytes }: SourceFile, head: TableHead, bad: (line: number, reason: string) => void) {
  for await (const { line, cells } of rowsOf(bytes, head, bad, true)) {
    const record = Object.fromEntries(head.columns.map((name, i) => [name, cells[i] ?? '']));
    const result = resultOf(record, head.separator !== ',');
    const message = typeof result === 'string' ? undefined : messageOf(result);
    if (message === undefined) bad(line, typeof result === 'string' ? result : 'no status');
    else yield { message, line };
  }
}

function noStatus(text: string): string {
  const [head = ''] = text.trimStart().split('\n', 1);
  return `no column status beside league, home_team, away_team, start_time, home_score, away_score, separated by a comma, semicolon or tab: ${head.slice(0, 100)}`;
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
