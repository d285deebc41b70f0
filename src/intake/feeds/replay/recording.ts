// Recordings as polls, read as a stream: our own (NDJSON of ingest messages), those of The Odds API v4, and exports of
// history. Each line identifies its own format, so a file may contain several. The replay feed, the replay command, the
// backtest and a server of a recording read recordings with this.

import { getOrInsert } from '../../../base/memory/get-or-insert.js';
import { isMap, jsonOf } from '../../../base/model/json-map.js';
import { LIMITS } from '../../../base/model/limits.js';
import { ownName } from '../../../rules/catalogue/private-book.js';
import type { IngestMessage } from '../../ingest/message.js';
import { linesOf } from '../files/lines.js';
import { type SourceFile, sourcesOf } from '../files/sources.js';
import { type ExportedLine, exportedMessages, statedPrice } from '../formats/exported-rows.js';
import { type FormatCatalogue, NOTHING_KNOWN } from '../formats/format.js';
import { beginningOf, formatOf, isRecording, unrecognised } from '../formats/formats.js';
import { readFiles } from '../formats/read-files.js';
import { type Place, ReadReport } from '../formats/read-report.js';
import { readInstant } from '../the-odds-api/instant.js';
import { detectOddsFormat, OddsApiMapper, UPCOMING } from '../the-odds-api/mapper.js';
import type { LeagueLookup, Skipped } from '../the-odds-api/payload.js';

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
  /** A compressed file that ends early: it is read as far as it goes. */
  onCutShort?: (name: string) => void;
}

const LINE_BYTES_MAX = LIMITS.venueLine.max;
/** Maximum number of messages of one poll returned at once; more of the same instant follow as a further poll. */
const POLL_MESSAGES_MAX = LIMITS.pollMessages.max;

const NO_LEAGUES: LeagueLookup = { leagueOf: () => undefined };

/**
 * Reads a recording poll by poll, in file order; files of the formats (formats/formats.ts) in the order of their times.
 * Consecutive ingest messages with the same polled_at are one poll. Rejects only if a file cannot be read.
 */
export async function* readRecording(path: string, options: ReadOptions = {}): AsyncGenerator<RecordedPoll, void> {
  const sources = sourcesOf(path, { onRead: options.onRead, onCutShort: options.onCutShort });
  const first = await sources.next();
  if (first.done) return;
  const all = chain(first.value, sources);
  if (formatOf(beginningOf(first.value)) !== undefined) yield* readFormats(all, options);
  else if (isRecording(beginningOf(first.value))) yield* readOwn(all, options);
  else yield* readUnknown(first.value, all, options);
}

/** A recording may begin with a line that is damaged; of a file without any line of one is told what it looks like. */
async function* readUnknown(first: SourceFile, all: AsyncIterable<SourceFile>, options: ReadOptions) {
  let polls = 0;
  for await (const poll of readOwn(all, options)) {
    polls++;
    yield poll;
  }
  if (polls === 0 && first.head.length > 0) throw new Error(unrecognised(first.name, beginningOf(first)));
}

async function* chain(first: SourceFile, rest: AsyncGenerator<SourceFile, void>): AsyncGenerator<SourceFile, void> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}

async function* readFormats(sources: AsyncIterable<SourceFile>, options: ReadOptions) {
  const onFault = ({ line = 0 }: Place, reason: string): void => options.onBadLine?.({ line, reason });
  const report = new ReadReport(onFault);
  const context = { leagues: catalogueIn(options.leagues), settings: {}, report };
  let poll: RecordedPoll | undefined;
  for await (const { atMs, text } of readFiles(sources, context)) {
    const message = JSON.parse(text) as IngestMessage;
    if (poll !== undefined && poll.atMs === atMs && poll.messages.length < POLL_MESSAGES_MAX) {
      poll.messages.push(message);
      continue;
    }
    if (poll !== undefined) yield poll;
    poll = { atMs, messages: [message], line: 1 };
  }
  if (poll !== undefined) yield poll;
}

/** Whoever has leagues alone knows no names. */
function catalogueIn(leagues: (LeagueLookup & Partial<FormatCatalogue>) | undefined): FormatCatalogue {
  if (leagues?.resolveTeam !== undefined) return leagues as FormatCatalogue;
  return leagues === undefined ? NOTHING_KNOWN : { ...NOTHING_KNOWN, ...leagues };
}

async function* readOwn(sources: AsyncIterable<SourceFile>, options: ReadOptions): AsyncGenerator<RecordedPoll, void> {
  const mapper = new OddsApiMapper(options.leagues ?? NO_LEAGUES);
  let gathered: RecordedPoll | undefined;
  const exported = new ExportedChanges();
  for await (const { bytes } of sources)
    for await (const { number, text } of linesOf(bytes, LINE_BYTES_MAX)) {
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
  for (const poll of exported.polls()) yield { ...poll, line: 1 };
}

/** Whether the recording says, in its first message, that its odds are simulated. Rejects if the file cannot be read. */
export async function isSimulatedRecording(path: string): Promise<boolean> {
  for await (const source of sourcesOf(path)) {
    // Files of other programs are of real odds.
    if (formatOf(beginningOf(source)) !== undefined) return false;
    for await (const { messages } of readOwn(only(source), {}))
      for (const { simulated = false } of messages) return simulated;
  }
  return false;
}

async function* only(source: SourceFile): AsyncGenerator<SourceFile, void> {
  yield source;
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
  const value = jsonOf(text);
  if (value === undefined) return 'not JSON';
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
    complete: answer.source !== UPCOMING,
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

// An export of history as a recording: its lines are changes of single prices, event by event, so they are read whole and
// put into the order of their times.

/** Of a row, its last line without the price; of a change, the rest. */
interface Change {
  atMs: number;
  iso: string;
  row: number;
  american: number;
  decimal: number;
  line: number | null;
  isLive: boolean;
  isActive: boolean;
  isIndicative: boolean;
  isModel: boolean;
  isRemoved: boolean;
}

type ExportedRow = Pick<ExportedLine, 'oddsId' | 'eventId' | 'book' | 'event' | 'market'> & {
  selection: Omit<ExportedLine['selection'], 'odds_american' | 'odds_decimal' | 'line' | 'is_active' | 'indicative'>;
};

const CHANGES_MAX = LIMITS.exportedChanges.max;

function isExportLine(value: Readonly<Record<string, unknown>>): boolean {
  return typeof value['odds_id'] === 'string' && typeof value['sportsbook'] === 'string' && 'is_prematch' in value;
}

export class ExportedChanges {
  readonly #rows: ExportedRow[] = [];
  readonly #rowNos = new Map<string, number>();
  readonly #events = new Map<string, ExportedRow['event']>();
  readonly #changes: Change[] = [];

  /** Returns why a line is none, if so. Throws if there are too many. */
  add(value: Readonly<Record<string, unknown>>): string | undefined {
    const instant = readInstant(value['at']);
    if (instant === undefined) return 'at is not a time';
    const { odds_american: american, odds_decimal: decimal, line } = value;
    if (typeof american !== 'number' || typeof decimal !== 'number') return 'the change has no price';
    if (this.#changes.length >= CHANGES_MAX)
      throw new Error(`it has more than ${CHANGES_MAX} changes: export fewer leagues or a shorter time`);
    this.#changes.push({
      atMs: instant.ms,
      iso: instant.iso,
      row: this.#rowNo(value),
      american,
      decimal,
      line: typeof line === 'number' ? line : null,
      isLive: value['is_live'] === true,
      isActive: value['is_active'] !== false,
      isIndicative: value['indicative'] === true,
      isModel: value['kind'] === 'model',
      isRemoved: value['is_removed'] === true,
    });
    return undefined;
  }

  /** In the order of time, what one instant changed at once. */
  *polls(): Iterable<{ atMs: number; messages: IngestMessage[] }> {
    // The engine's sort keeps the file's order within an instant.
    const changes = this.#changes.sort((a, b) => a.atMs - b.atMs);
    for (let from = 0, to: number; from < changes.length; from = to) {
      const { atMs, iso } = changes[from]!;
      const lines: ExportedLine[] = [];
      for (to = from; changes[to]?.atMs === atMs; to++) lines.push(this.#lineOf(changes[to]!));
      yield { atMs, messages: exportedMessages(iso, lines) };
    }
  }

  #lineOf({ row, american, decimal, line, isLive, isActive, isIndicative, isModel, isRemoved }: Change): ExportedLine {
    const { selection, ...identity } = this.#rows[row]!;
    const state = isRemoved
      ? { is_removed: true }
      : {
          ...statedPrice(american, decimal),
          ...(isActive ? {} : { is_active: false }),
          ...(isIndicative ? { indicative: true } : {}),
        };
    return { ...identity, isModel, isLive, selection: { ...selection, ...(line === null ? {} : { line }), ...state } };
  }

  #rowNo(value: Readonly<Record<string, unknown>>): number {
    const oddsId = String(value['odds_id']);
    const known = this.#rowNos.get(oddsId);
    if (known !== undefined) return known;
    const { event_id, league, home_team, away_team, event_start_time: start_time } = value;
    const { market_type, selection, selection_type, is_alternate_line } = value;
    const event = { league, home_team, away_team, start_time } as ExportedRow['event'];
    const key = JSON.stringify(event);
    const about = Object.fromEntries(OF_MARKET.flatMap((name) => (value[name] == null ? [] : [[name, value[name]]])));
    this.#rowNos.set(oddsId, this.#rows.length);
    return (
      this.#rows.push({
        oddsId,
        eventId: typeof event_id === 'string' ? event_id : key,
        book: ownName(String(value['sportsbook'])),
        event: getOrInsert(this.#events, key, () => event),
        market: { market_type, ...about } as unknown as ExportedRow['market'],
        selection: {
          selection,
          selection_type,
          ...(is_alternate_line === true ? { is_alternate_line } : {}),
        } as ExportedRow['selection'],
      }) - 1
    );
  }
}

const OF_MARKET = ['player_name', 'team', 'stat_category', 'commission'];
