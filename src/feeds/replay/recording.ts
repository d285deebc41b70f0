// Recordings as polls, read as a stream: our own (NDJSON of ingest messages), those of The Odds API v4, and exports of
// history. Each line identifies its own format, so a file may contain several. The replay feed, the replay command, the
// backtest and a server of a recording read recordings with this.

import type { IngestMessage } from '../../ingest/message.js';
import { LIMITS } from '../../model/limits.js';
import { readInstant } from '../the-odds-api/instant.js';
import { detectOddsFormat, OddsApiMapper } from '../the-odds-api/mapper.js';
import type { LeagueLookup, Skipped } from '../the-odds-api/payload.js';
import { ExportedChanges, isExportLine } from './export-file.js';
import { readLines } from './lines.js';

export interface RecordedPoll {
  /** Unix milliseconds (with a fraction where the recording has microseconds) of the messages' polled_at. */
  atMs: number;
  messages: IngestMessage[];
  /** Line of the file, from 1; for ingest messages the first of the poll. */
  line: number;
}

export interface BadLine {
  line: number;
  reason: string;
}

export interface ReadOptions {
  /** Maps sport keys to leagues; without it ids are derived from the keys. */
  leagues?: LeagueLookup;
  /** A line that is neither a poll nor a message; reading continues. */
  onBadLine?: (bad: BadLine) => void;
  /** Parts of a poll that were omitted. */
  onSkipped?: (line: number, skipped: Skipped[]) => void;
  /** Bytes of the file read so far. */
  onRead?: (bytes: number) => void;
}

const LINE_BYTES_MAX = LIMITS.venueLine.max;
/** Maximum number of messages of one poll returned at once; more of the same instant follow as a further poll. */
const POLL_MESSAGES_MAX = LIMITS.pollMessages.max;

const NO_LEAGUES: LeagueLookup = { leagueOf: () => undefined };

/**
 * Reads a recording (plain or gzip) poll by poll, in file order. Consecutive ingest messages with the same polled_at
 * are one poll. Rejects only if the file itself cannot be read.
 */
export async function* readRecording(path: string, options: ReadOptions = {}): AsyncIterable<RecordedPoll> {
  const mapper = new OddsApiMapper(options.leagues ?? NO_LEAGUES);
  const lineOptions = {
    lineBytesMax: LINE_BYTES_MAX,
    ...(options.onRead === undefined ? {} : { onRead: options.onRead }),
  };
  let gathered: RecordedPoll | undefined;
  const exported = new ExportedChanges();
  for await (const { number, text } of readLines(path, lineOptions)) {
    if (text === '') continue;
    const read =
      text === undefined ? `longer than ${LINE_BYTES_MAX} bytes` : readLine(text, number, mapper, exported, options);
    if (read === null) continue;
    if (typeof read === 'string') {
      options.onBadLine?.({ line: number, reason: read });
      continue;
    }
    const { poll, single } = read;
    if (gathered !== undefined) {
      if (single && poll.atMs === gathered.atMs && gathered.messages.length < POLL_MESSAGES_MAX) {
        gathered.messages.push(...poll.messages);
        continue;
      }
      yield gathered;
      gathered = undefined;
    }
    if (single) gathered = poll;
    else yield poll;
  }
  if (gathered !== undefined) yield gathered;
  for (const { atMs, message } of exported.messages()) yield { atMs, messages: [message], line: 1 };
}

/** Whether the recording says, in its first message, that its odds are simulated. Rejects if the file cannot be read. */
export async function isSimulatedRecording(path: string): Promise<boolean> {
  for await (const { messages } of readRecording(path)) for (const { simulated = false } of messages) return simulated;
  return false;
}

/** The error for a file without a single poll: the number of bad lines, and one of them. */
export function noRecording(path: string, badLines: number, first: BadLine | undefined): string {
  if (first === undefined) return `${path} is no recording: it has no lines`;
  const what = 'is an ingest message or a poll of The Odds API';
  return `${path} is no recording: none of its ${badLines} lines ${what} (line ${first.line}: ${first.reason})`;
}

/** `single`: one message of a poll; others may follow. Null: a change that was put with those of the export. */
type ReadLine = { poll: RecordedPoll; single: boolean } | string | null;

function readLine(
  text: string,
  line: number,
  mapper: OddsApiMapper,
  exported: ExportedChanges,
  options: ReadOptions,
): ReadLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'not JSON';
  }
  if (!isMap(value)) return 'not an object';
  // What only states results may have no book.
  const isMessage = typeof value['book'] === 'string' || 'results' in value || 'settlements' in value;
  if (isMessage && 'polled_at' in value) return readMessage(value, line);
  if (isExportLine(value)) return exported.add(value) ?? null;
  const answer = oddsApiAnswer(value);
  if (answer === undefined) return 'neither an ingest message, nor a poll of The Odds API, nor a line of an export';
  if (!Array.isArray(answer.events)) return 'the poll has no list of events';
  const instant = readInstant(answer.at);
  if (instant === undefined) return 'the poll has no readable time';
  const { messages, skipped } = mapper.map({
    events: answer.events,
    polledAt: instant.iso,
    complete: answer.source !== 'upcoming',
    source: answer.source,
    oddsFormat: detectOddsFormat(answer.events),
  });
  if (skipped.length > 0) options.onSkipped?.(line, skipped);
  return { poll: { atMs: instant.ms, messages, line }, single: false };
}

function readMessage(value: Record<string, unknown>, line: number): ReadLine {
  const instant = readInstant(value['polled_at']);
  if (instant === undefined) return 'polled_at is not a time';
  // Its contents are checked by the engine, quote by quote.
  const message = { ...value, polled_at: instant.iso } as unknown as IngestMessage;
  return { poll: { atMs: instant.ms, messages: [message], line }, single: true };
}

interface OddsApiAnswer {
  at: unknown;
  source: string;
  events: unknown;
}

/** `{commit, payload: {last_updated, sport, odds}}`, `{last_updated, sport, odds}`, or the API's historical `{timestamp, data}`. */
function oddsApiAnswer(value: Record<string, unknown>): OddsApiAnswer | undefined {
  const poll = isMap(value['payload']) ? value['payload'] : value;
  const source = typeof poll['sport'] === 'string' ? poll['sport'] : '';
  if ('odds' in poll) return { at: poll['last_updated'], source, events: poll['odds'] };
  if ('timestamp' in poll && 'data' in poll) return { at: poll['timestamp'], source, events: poll['data'] };
  return undefined;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
