// What one committed batch changed: the entry of the change log, and the message that carries it to every reader.
// Applied in the order events → removals → rows → touches, it turns the previous table into the next; with statements and
// polls, which only shards need, a shard's previous state into the next (writer/shard/fold.ts).

import type { Commission } from '../../base/model/commission.js';
import type { DepthText } from '../../base/model/depth.js';
import { feedIds } from '../../base/model/feed-ids.js';
import type { ExchangeDetails, NormalFuture, NormalSplits } from '../../base/model/normal-message.js';
import type { ResultRecord } from '../../base/model/result.js';
import {
  noNumbers,
  type Row,
  RowChange,
  type RowIdentity,
  type RowNumbers,
  type RowRest,
} from '../../base/model/row.js';
import { NO_DETAILS, ownCommission, withoutDepth } from '../../base/model/row-details.js';
import type { BookQuotes, EventFields } from '../../base/model/state.js';
import { decode, encode } from '../../base/wire/codec.js';
import { NO_NEWS, type PackedNews, type UniverseNews } from './opportunity.js';

/** Raise it when the shape of a delta changes: whoever reads another version refuses it. */
export const DELTA_VERSION = 7;

/** Without opportunities. */
export interface TableDelta {
  version: number;
  /** Position in the change log: Unix µs of the commit, strictly increasing. */
  position: number;
  shard: number;
  events: EventDelta[];
  /** Numbers of events that are removed (their rows were removed before). */
  dropped: number[];
  books: BookDelta[];
  /** Depths that changed, of rows that there are after this batch. Absent if none did, and in entries of older releases. */
  depths?: DepthDelta[];
  splits: SplitsDelta[];
  futures: FutureDelta[];
  /** What became of games: whole records. Absent if none changed, and in entries of older releases. */
  results?: ResultRecord[];
  /** Ids of events whose results are stored no longer. */
  expiredResults?: string[];
  /** What books state of events, where that changed. Absent as `depths`. */
  statements?: StatementDelta[];
  /** Rows of the shard after it, where some came or went: whoever folds deltas has as many. */
  rows?: number;
  /** Newest polls of books' whole leagues that changed. Absent as `depths`. */
  polls?: PollDelta[];
}

export interface Delta extends TableDelta {
  /** Opportunities that appeared, changed or ended, by universe: as records. */
  opportunities: PackedNews;
}

/** As its listeners see it. */
export interface OpenDelta extends TableDelta {
  opportunities: UniverseNews[];
}

export interface EventDelta extends EventFields {
  externalIds: Record<string, string>;
}

/** A book's changes in one event. */
export type BookDelta = [
  event: number,
  book: string,
  /** Of the last of its messages of this batch about the event; 0 if there was none. */
  polledUs: number,
  touches: Touch[],
  /** Numbers of the rows removed. */
  removed: number[],
  changed: RowDelta[],
];

/** The depth is null if the book states none any more. */
export type DepthDelta = [row: number, depth: DepthText | null];

/** Rows seen again at `seenMs`; null means every row of this book and event. */
export type Touch = [seenMs: number, rows: number[] | null];

/**
 * A book's statements about an event, its number in the shard's store among them. Those that are not in a delta state
 * liveness and status anew at each poll.
 */
export type StatementDelta = [
  event: number,
  book: string,
  bookNo: number,
  externalId: string | null,
  startMs: number | null,
  live: boolean | null,
  status: BookQuotes['status'],
  statedMs: number,
  swapped: boolean,
  state: BookQuotes['state'],
];

/** Unix µs; null if the poll is forgotten. */
export type PollDelta = [leagueAndBook: string, us: number | null];

export interface SplitsDelta {
  eventId: string;
  league: string;
  sport: string;
  home: string;
  away: string;
  splits: Omit<NormalSplits, 'league' | 'sport' | 'eventId' | 'home' | 'away' | 'startMs' | 'path'>;
}

export interface FutureDelta {
  book: string;
  polledMs: number;
  future: NormalFuture;
  /** There is no room for it any more. */
  forgotten?: true;
}

/**
 * A position means nothing in another epoch. Within a process all positions are of one epoch, so groups, cohorts and
 * subscribers store the number alone; so does a client's request, which continues in the epoch it was sent.
 */
export interface StreamPosition {
  /** The life of a data directory. */
  readonly epoch: string;
  /** Unix µs of the batch, at least one above the batch before. */
  readonly position: number;
}

// Deltas as bytes: in the log, between threads and between processes. A tuple, as the names of a map would be half of an
// entry of one change.

/** What most deltas have; what they seldom have follows if there is any. */
type Fields = [
  version: number,
  position: number,
  shard: number,
  books: BookDelta[],
  news: [records: Uint8Array, universes: PackedNews['universes']] | null,
  seldom?: Partial<Omit<Delta, 'version' | 'position' | 'shard' | 'books' | 'opportunities'>>,
];

/** Of release 0.2.0, and of none: rows are in another form, opportunities are left out. */
const MAPS = [5, 6];

export function encodeDelta({ version, position, shard, books, opportunities, ...others }: Delta): Buffer {
  const { records, universes } = opportunities;
  const fields: Fields = [version, position, shard, books, universes.length === 0 ? null : [records, universes]];
  const seldom = Object.entries(others).filter(([, part]) => typeof part === 'number' || part.length > 0);
  if (seldom.length > 0) fields.push(Object.fromEntries(seldom));
  return encode(fields);
}

/** Throws for bytes of another version; entries of those before are read without opportunities. */
export function decodeDelta(bytes: Uint8Array): Delta {
  const fields = decode(bytes) as Fields | (Delta & { blob: Uint8Array });
  if (!Array.isArray(fields)) return deltaOfMap(fields);
  const [version, position, shard, books, news, seldom] = fields;
  check(version, version === DELTA_VERSION);
  const opportunities = news === null ? NO_NEWS : { records: news[0], universes: news[1] };
  return {
    version,
    position,
    shard,
    events: [],
    dropped: [],
    books,
    splits: [],
    futures: [],
    ...seldom,
    opportunities,
  };
}

function deltaOfMap({ blob, ...delta }: Delta & { blob: Uint8Array }): Delta {
  check(delta.version, MAPS.includes(delta.version));
  const rowOf = rowsOfBlob(blob);
  const books = delta.books.map((book): BookDelta => {
    const [event, name, polledUs, touches, removed, rows] = book;
    return [event, name, polledUs, touches, removed, rows.map((row) => rowOf(row as unknown as BlobRow))];
  });
  return { ...delta, books, opportunities: NO_NEWS };
}

function check(version: number, isKnown: boolean): void {
  if (!isKnown)
    throw new Error(`a delta of the change log is of version ${version}, this program reads ${DELTA_VERSION}`);
}

// A row in a delta: what changed, as a tuple (a tuple of MessagePack costs half as much as a map). The shard writes it
// and every reader of deltas reads it, both with this codec. It has values alone: JSON is composed where it is served.

export type RowDelta = [
  no: number,
  change: number,
  american: number,
  decimal: number,
  line: number | null,
  seenMs: number,
  changedUs: number,
  activity: number,
  /** Null if only the price changed. */
  rest: RestFields | null,
  /** Present only for new rows. */
  added: AddedFields | null,
  /** Present only for rows with a commission of their own, and always for these. */
  commission?: Commission,
];

type FeedIdFields = [event: string | null, market: string | null, selection: string | null];

/** The link alone if there is nothing else, as with most rows. */
type RestFields =
  | [link: string | null]
  | [
      link: string | null,
      maxBet: number | null,
      publicBetPct: number | null,
      exchange: ExchangeDetails | null,
      /** Null or absent if the feed tells none. */
      ids?: FeedIdFields | null,
      /** As the feed stated it: true if that is `link`; absent if it stated none. */
      deepLink?: string | true,
    ];

type AddedFields = [
  id: string,
  market: string,
  selection: string,
  selectionType: string,
  player: string | null,
  stat: string | null,
  team: RowIdentity['team'],
  alternate: boolean,
  createdPosition: number,
  /** Present only where it does not follow from the fields before it: a player's name there is canonical. */
  key?: string,
];

/** What a delta has of a row. */
type DeltaRow = RowIdentity &
  Omit<RowNumbers, 'updatedPosition'> &
  Pick<Row, 'change' | 'details'> &
  Partial<Pick<Row, 'key' | 'deepLink'>>;

/** @param shown beside the price and the details */
export function rowDelta(row: DeltaRow, shown: Omit<RowRest, 'details'>): RowDelta {
  const { no, change, american, decimal, line, seenMs, changedUs, activity, details } = row;
  const rest = change === RowChange.updated ? null : restFields({ ...shown, details }, row.deepLink ?? null);
  const added = change === RowChange.added ? addedFields(row) : null;
  const tuple: RowDelta = [no, change, american, decimal, line, seenMs, changedUs, activity, rest, added];
  const commission = ownCommission(details);
  if (commission !== undefined) tuple.push(commission);
  return tuple;
}

/** The depth is not among them: a delta has it beside its rows. */
function restFields({ link, details, ids }: RowRest, deepLink: string | null): RestFields {
  if (details === NO_DETAILS && ids === null && deepLink === null) return [link];
  const { maxBet, publicBetPct, exchange } = withoutDepth(details);
  if (ids === null && deepLink === null) return [link, maxBet, publicBetPct, exchange];
  const told: FeedIdFields | null = ids === null ? null : [ids.event, ids.market, ids.selection];
  if (deepLink === null) return [link, maxBet, publicBetPct, exchange, told];
  return [link, maxBet, publicBetPct, exchange, told, deepLink === link ? true : deepLink];
}

function addedFields(row: DeltaRow): AddedFields {
  const { id, market, selection, selectionType, player, stat, team, alternate, createdPosition, key } = row;
  const fields: AddedFields = [id, market, selection, selectionType, player, stat, team, alternate, createdPosition];
  if (player !== null && key !== undefined) fields.push(key);
  return fields;
}

/** One row of a delta. createdPosition is 0 unless the row is new. */
export interface ReadRow extends RowNumbers {
  /** A RowChange. */
  change: number;
  /** Only for a new row. */
  identity: RowIdentity | null;
  /** Null if only the price changed. */
  rest: RowRest | null;
}

/** Reads the rows of a delta. */
export class RowDeltaReader {
  readonly #row: ReadRow;

  /** @param position of the delta */
  constructor(position: number) {
    // Named first: a field that is added to what was spread takes V8 microseconds (docs/bench/profile.md).
    this.#row = {
      change: RowChange.none,
      identity: null,
      rest: null,
      commission: undefined,
      ...noNumbers(),
    };
    this.#row.updatedPosition = position;
  }

  /** In an object that is reused for the next row. */
  read(delta: RowDelta): ReadRow {
    const row = this.#row;
    const [no, change, american, decimal, line, seenMs, changedUs, activity, rest, added, commission] = delta;
    row.no = no;
    row.change = change;
    row.american = american;
    row.decimal = decimal;
    row.line = line;
    row.seenMs = seenMs;
    row.changedUs = changedUs;
    row.activity = activity;
    row.commission = commission;
    row.rest = rest === null ? null : restOf(rest);
    row.createdPosition = added === null ? 0 : added[8];
    row.identity = added === null ? null : identityOf(added);
    return row;
  }
}

function restOf([link, maxBet = null, publicBetPct = null, exchange = null, ids]: RestFields): RowRest {
  const plain = maxBet === null && publicBetPct === null && exchange === null;
  const details = plain ? NO_DETAILS : { maxBet, publicBetPct, exchange };
  return { link, details, ids: ids == null ? null : feedIds(...ids) };
}

function identityOf([id, market, selection, selectionType, player, stat, team, alternate]: AddedFields): RowIdentity {
  return { id, market, selection, selectionType, player, stat, team, alternate };
}

/** What only the shard needs of a row with `rest`: the link as the feed stated it; of a new one its key, where it has it. */
export function originIn([, , , , , , , , rest, added]: RowDelta): {
  deepLink: string | null;
  key: string | undefined;
} {
  const [link = null, , , , , stated] = (rest ?? []) as Partial<Extract<RestFields, [unknown, unknown, ...unknown[]]>>;
  return { deepLink: stated === true ? link : (stated ?? null), key: added?.[9] };
}

// Rows in deltas as release 0.2.0 wrote them, which logs, parts of events and the delayed table's store may still have: a
// row's JSON lay in a blob behind the rows, and its link and details nowhere else.

export type BlobRow = [
  no: number,
  change: number,
  american: number,
  decimal: number,
  line: number | null,
  seenMs: number,
  changedUs: number,
  priceLength: number,
  deltaLength: number,
  restLength: number,
  headLength: number,
  added: RowDelta[9],
  activity: number,
  commission?: Commission,
];

interface BlobRest {
  deep_link: string | null;
  public_bet_pct?: number;
  max_bet?: number;
  size?: number;
  volume_24h?: number;
  open_interest?: number;
  exchange_token_id?: string;
}

/** Rows in their order, in today's form. */
export function rowsOfBlob(blob: Uint8Array): (row: BlobRow) => RowDelta {
  let at = 0;
  return ([no, change, american, decimal, line, seenMs, changedUs, price, , length, head, added, activity, own]) => {
    const from = at + head + price;
    at = from + length;
    const row: RowDelta = [no, change, american, decimal, line, seenMs, changedUs, activity, null, added];
    if (length > 0) {
      const { link, details } = restIn(blob.subarray(from, at));
      row[8] = details === NO_DETAILS ? [link] : [link, details.maxBet, details.publicBetPct, details.exchange];
    }
    if (own !== undefined) row.push(own);
    return row;
  };
}

/** The end of a row's JSON, from the comma before `event_start_time`. Throws SyntaxError if it is damaged. */
export function restIn(bytes: Uint8Array): RowRest {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8', 1);
  const fields = JSON.parse(`{${text}`) as BlobRest;
  const { size = null, volume_24h = null, open_interest = null, exchange_token_id = null } = fields;
  const { deep_link: link, max_bet: maxBet = null, public_bet_pct: publicBetPct = null } = fields;
  const amounts = [size, volume_24h, open_interest, exchange_token_id] as const;
  const exchange = amounts.every((amount) => amount === null) ? null : amounts;
  const plain = maxBet === null && publicBetPct === null && exchange === null;
  return { link, details: plain ? NO_DETAILS : { maxBet, publicBetPct, exchange }, ids: null };
}
