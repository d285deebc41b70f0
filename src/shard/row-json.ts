// A row's JSON, made once, on the worker, in three parts so that what changes often is short and lies together:
//   head   {"id":…,"sportsbook":… … "is_alternate_line":false,     fixed for the row's life
//   price  "odds_american":… … "odds_changed_at":"…"               also the body of a stream delta (OddsDelta),
//          ,"probability":…                                          which ends before this
//   seen   ,"last_seen_at":"<24 characters>"                        patched in place by the table
//   rest   ,"event_start_time":… … }                                event and descriptive fields
import { formatMs, formatUs } from '../ingest/time.js';
import type { EventState, Row } from './state.js';

export const SEEN_PREFIX = ',"last_seen_at":"';
/** Characters of the whole `seen` part, closing quote included. */
export const SEEN_LENGTH = SEEN_PREFIX.length + 25;

/** Decimal odds and probabilities print with at most six decimals. */
export function round6(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

const text = JSON.stringify;

/** The event's share of every head: made once an event. */
export function encodeEventHead(event: Pick<EventState, 'id' | 'sport' | 'league' | 'home' | 'away'>): string {
  return `"event_id":${text(event.id)},"sport":${text(event.sport)},"league":${text(event.league)},"home_team":${text(event.home)},"away_team":${text(event.away)}`;
}

export function encodeHead(row: Row, book: string, event: EventState, eventHead: string): string {
  let head = `{"id":"${row.id}","sportsbook":"${book}",${eventHead},"market_type":"${row.market}","selection":${text(row.selection)},"selection_type":"${row.selectionType}"`;
  if (row.player !== null) head += `,"player_name":${text(row.player)}`;
  if (row.stat !== null) head += `,"stat_category":${text(row.stat)}`;
  if (row.team !== null)
    head += `,"team":"${row.team}","team_name":${text(row.team === 'home' ? event.home : event.away)}`;
  return `${head},"is_alternate_line":${row.alternate},`;
}

export function encodePrice(row: Pick<Row, 'american' | 'decimal' | 'line' | 'changedUs'>, live: boolean): string {
  return `"odds_american":${row.american},"odds_decimal":${round6(row.decimal)},"odds_probability":${round6(1 / row.decimal)},"line":${row.line},"is_live":${live},"odds_changed_at":"${formatUs(row.changedUs)}"`;
}

export function encodeProbability(row: Pick<Row, 'decimal'>): string {
  return `,"probability":${round6(1 / row.decimal)}`;
}

export function encodeSeen(seenMs: number): string {
  return `${SEEN_PREFIX}${formatMs(seenMs)}"`;
}

export function encodeRest(row: Row, event: EventState, deepLink: string | null): string {
  let rest = `,"event_start_time":"${formatMs(event.startMs)}","status":"${event.status}","deep_link":${deepLink === null ? 'null' : text(deepLink)}`;
  if (row.publicBetPct !== null) rest += `,"public_bet_pct":${row.publicBetPct}`;
  if (row.maxBet !== null) rest += `,"max_bet":${row.maxBet}`;
  return `${rest}}`;
}
