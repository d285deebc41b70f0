// A row's JSON: head (fixed for the row's life), price (also the body of a stream delta, which ends before the probability),
// when it was seen, and the rest:
//   head   {"id":…,"sportsbook":… … "is_alternate_line":false,
//   price  "odds_american":… … "odds_american_previous":… ,"probability":…
//   seen   ,"last_seen_at":"<24 characters>","timestamp":"<…>"
//   rest   ,"event_start_time":… … }                                event and descriptive fields

import { BoundedMap } from '../memory/bounded-map.js';
import { isActive, isIndicative, isPregamePrice, previousPrice } from './activity.js';
import { encodeFeedIds, type FeedIds } from './feed-ids.js';
import { jsonText } from './json-text.js';
import { LIMITS } from './limits.js';
import type { RowIdentity, RowNumbers } from './row.js';
import { encodeDetails, type RowDetails } from './row-details.js';
import type { EventState } from './state.js';
import { formatMs, formatUs } from './time.js';

const SEEN_PREFIX = ',"last_seen_at":"';
const TIMESTAMP_PREFIX = '","timestamp":"';
/** Characters of a time with milliseconds. */
const TIME_LENGTH = 24;
/** Characters of the whole `seen` part, including the closing quote. */
export const SEEN_LENGTH = SEEN_PREFIX.length + TIME_LENGTH + TIMESTAMP_PREFIX.length + TIME_LENGTH + 1;

/** Decimal odds and probabilities have at most six decimals. */
export function round6(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** The event's part of every head: made once per event. */
export function encodeEventHead(event: Pick<EventState, 'id' | 'sport' | 'league' | 'home' | 'away'>): string {
  return `"event_id":${jsonText(event.id)},"sport":${jsonText(event.sport)},"league":${jsonText(event.league)},"home_team":${jsonText(event.home)},"away_team":${jsonText(event.away)}`;
}

/** The beginning of a head; the id follows, and a quotation mark. */
export const HEAD_OPEN = '{"id":"';

/** What every row shows of its book. */
export interface BookHead {
  id: string;
  name: string;
  currency: string;
}

/** The book's part of every head. */
export function encodeBookHead({ id, name, currency }: BookHead): string {
  return `,"sportsbook":"${id}","sportsbook_name":${jsonText(name)},"currency":"${currency}",`;
}

/** The rest of a head, shared by rows of several books. */
export function encodeOutcomeHead(
  row: Omit<RowIdentity, 'id'>,
  event: Pick<EventState, 'home' | 'away'>,
  eventHead: string,
): string {
  let head = `${eventHead},"market_type":"${row.market}","selection":${jsonText(row.selection)},"selection_type":"${row.selectionType}"`;
  if (row.player !== null) head += `,"player_name":${jsonText(row.player)}`;
  if (row.stat !== null) head += `,"stat_category":${jsonText(row.stat)}`;
  if (row.team !== null)
    head += `,"team":"${row.team}","team_name":${jsonText(row.team === 'home' ? event.home : event.away)}`;
  return `${head},"is_alternate_line":${row.alternate},`;
}

interface PriceText {
  american: number;
  odds: string;
  probability: string;
}

/** By decimal odds: formatting a double costs more than the rest of a price, and prices repeat. */
const prices = new BoundedMap<number, PriceText>(LIMITS.priceTexts.max);

/**
 * The texts that depend on the odds alone: the beginning of a price part up to the line, and the probability after it.
 */
export function priceText({ american, decimal }: Pick<RowNumbers, 'american' | 'decimal'>): PriceText {
  const known = prices.get(decimal);
  if (known !== undefined && known.american === american) return known;
  const probability = round6(1 / decimal);
  const made: PriceText = {
    american,
    odds: `"odds_american":${american},"odds_decimal":${round6(decimal)},"odds_probability":${probability},"line":`,
    probability: `,"probability":${probability}`,
  };
  prices.set(decimal, made);
  return made;
}

let changedUs = -1;
let changedText = '';

/** Rows of one batch have one time of change. */
function changedAt(us: number): string {
  if (us !== changedUs) {
    changedUs = us;
    changedText = `,"odds_changed_at":"${formatUs(us)}"`;
  }
  return changedText;
}

/** What the price part shows of a row. */
export type PricedRow = RowNumbers & Pick<RowIdentity, 'alternate'>;

export function encodePrice(row: PricedRow, live: boolean): string {
  const { activity } = row;
  // Of prices before a game there is nothing to say.
  const indicative = isIndicative(activity) ? ',"indicative":true' : '';
  const pregame = live ? `,"is_stale_pregame_price":${isPregamePrice(activity)}` : '';
  return `${priceText(row).odds}${row.line},"is_live":${live}${changedAt(row.changedUs)},"is_active":${isActive(activity)}${indicative},"is_main_line":${!row.alternate}${pregame},"odds_american_previous":${previousPrice(activity)}`;
}

export function encodeSeen(seenMs: number): string {
  const seenAt = formatMs(seenMs);
  return `${SEEN_PREFIX}${seenAt}${TIMESTAMP_PREFIX}${seenAt}"`;
}

/** The event's part of every rest: plain ASCII. */
export function encodeEventRest(event: Pick<EventState, 'startMs' | 'status'>): string {
  return `${REST_OPEN}${formatMs(event.startMs)}${STATUS_PREFIX}${event.status}"`;
}

/** The row's own part. */
export function encodeOwnRest(details: RowDetails, deepLink: string | null, ids: FeedIds | null): string {
  const link = deepLink === null ? 'null' : jsonText(deepLink);
  return `,"deep_link":${link}${encodeDetails(details)}${ids === null ? '' : encodeFeedIds(ids)}}`;
}

const REST_OPEN = ',"event_start_time":"';
const STATUS_PREFIX = '","status":"';
