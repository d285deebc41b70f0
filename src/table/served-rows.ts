// The table's rows as JSON, to be copied into answers and frames. Two implementations: ready-made (row-bytes.ts), which
// is fastest, and composed from the columns each time (composed-rows.ts), which takes a third of the memory.
import type { Arena } from '../memory/arena.js';
import { type FeedIds, feedIds, sameFeedIds } from '../model/feed-ids.js';
import type { EncodedRow, PartLengths } from '../model/row.js';
import { NO_DETAILS, type RowDetails, sameDetails } from '../model/row-details.js';

/** The fields of a row that are in no column. */
export interface RowRest {
  link: string | null;
  details: RowDetails;
  ids: FeedIds | null;
}

export interface ServedRows {
  /** Bytes in use. */
  readonly bytes: number;
  /** Length of the whole row's JSON. */
  length(slot: number): number;
  /** Copies the whole row's JSON to `target` and returns its end offset. */
  copyRow(slot: number, target: Buffer, at: number): number;
  /** Bytes that copyDelta() writes at most. */
  deltaLength(slot: number): number;
  /** Copies the body of the row's stream delta (from "odds_american" to "odds_changed_at"). */
  copyDelta(slot: number, target: Buffer, at: number): number;
  /** Head, price and rest one after the other, in the form that add() accepts; valid until the arena is reset. */
  parts(slot: number, arena: Arena): { parts: Buffer; lengths: PartLengths };
  text(slot: number): string;
  /** The fields that are in no column; its link is for the default state. */
  rest(slot: number): RowRest;
  /**
   * A new row, whose columns are set: all its parts in one buffer, head, price and rest one after the other from `at`.
   */
  add(slot: number, row: EncodedRow, seenMs: number): void;
  /** A new row of which nothing is encoded yet. */
  addLater(slot: number, rest: RowRest): void;
  /** Makes `count` rows that were added for later; false when there are none left. */
  makeSome(count: number): boolean;
  /** New price, and new rest if its length is not 0; the columns are set before. */
  update(slot: number, row: EncodedRow): void;
  /** Seen again; the column is set before. */
  touch(slot: number, seenMs: number): void;
  /** To be called while the columns still have the row. */
  remove(slot: number): void;
}

interface RestFields {
  deep_link: string | null;
  public_bet_pct?: number;
  max_bet?: number;
  size?: number;
  volume_24h?: number;
  open_interest?: number;
  exchange_token_id?: string;
  external_event_id?: string;
  market_id?: string;
  selection_id?: string;
}

export function sameRest(a: RowRest, b: RowRest): boolean {
  return a.link === b.link && sameDetails(a.details, b.details) && sameFeedIds(a.ids, b.ids);
}

const NO_LINK: RowRest = { link: null, details: NO_DETAILS, ids: null };
const LINK = '"deep_link":';

/** Reads a row's own rest, or all of it: it begins with the comma that separates it from the previous part. */
export function restIn(text: string): RowRest {
  // Most rows have nothing but a link, and a parser costs more than the rest of what is made of it.
  const at = text.indexOf(LINK) + LINK.length;
  if (text.startsWith('null}', at)) return NO_LINK;
  const end = text.indexOf('"', at + 1);
  if (text.startsWith('"}', end) && end === text.length - 2 && !text.includes('\\', at))
    return { link: text.slice(at + 1, end), details: NO_DETAILS, ids: null };
  const fields = JSON.parse(`{${text.slice(1)}`) as RestFields;
  const { size = null, volume_24h = null, open_interest = null, exchange_token_id = null } = fields;
  const isExchange = size !== null || volume_24h !== null || open_interest !== null || exchange_token_id !== null;
  return {
    link: fields.deep_link,
    details: {
      publicBetPct: fields.public_bet_pct ?? null,
      maxBet: fields.max_bet ?? null,
      exchange: isExchange ? [size, volume_24h, open_interest, exchange_token_id] : null,
    },
    ids: feedIds(fields.external_event_id ?? null, fields.market_id ?? null, fields.selection_id ?? null),
  };
}
