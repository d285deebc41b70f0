// When a game starts. Milestones state it, and so does a ticker with an hour ("26AUG222040MINSD": 20:40 Eastern). Else
// it is estimated from when its contracts are expected to end; a ticker's date bounds the estimate. Pure.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/model/time.js';
import { LocalCalendar } from '../../../rules/catalogue/local-date.js';
import { type Fields, objectsOf, textOf, timeOf } from '../kit/field-readers.js';

export interface GameStart {
  startMs: number;
  startEstimated: boolean;
}

/** Year, month, day and, in some leagues, hour and minute. */
const TICKER_TIME = /^[A-Z0-9]+-(\d\d)([A-Z]{3})(\d\d)(?:([01]\d|2[0-3])([0-5]\d))?(?![0-9])/;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const EASTERN_DAYS = new LocalCalendar('America/New_York');

/** Usual time from the start to the end; of the other sports three hours. */
const GAME_MS: Readonly<Record<string, number>> = {
  soccer: 2 * HOUR_MS,
  basketball: 2.5 * HOUR_MS,
  hockey: 2.5 * HOUR_MS,
  baseball: 3 * HOUR_MS,
  football: 3.5 * HOUR_MS,
};
const OTHER_GAME_MS = 3 * HOUR_MS;
/** A game that is said to end this much after its ticker's day was put off: tickers stay as they are. */
const PUT_OFF_MS = 1.5 * DAY_MS;

/** The start in the event itself or in the milestones beside it. */
export function statedStart(event: Fields): number | undefined {
  const ticker = textOf(event['event_ticker']) ?? '';
  return timeOf(event['start_date']) ?? milestoneStart(objectsOf(event['milestones']), [ticker]);
}

/** The start in the milestone that is related to one of a game's events. */
export function milestoneStart(milestones: readonly Fields[], events: readonly string[]): number | undefined {
  for (const milestone of milestones) {
    const related = [milestone['related_event_tickers'], milestone['primary_event_tickers']].flat();
    if (!related.some((ticker) => events.includes(ticker as string))) continue;
    const startMs = timeOf(milestone['start_date']);
    if (startMs !== undefined) return startMs;
  }
  return undefined;
}

/** Of a game without a milestone, from one of its tickers and its contracts; undefined if they say nothing of it. */
export function unstatedStart(ticker: string, sport: string, markets: readonly Fields[]): GameStart | undefined {
  const timesOf = (field: string): number[] => markets.flatMap((market) => timeOf(market[field]) ?? []);
  const occurs = timesOf('occurrence_datetime');
  // The expected expiration of many games is hours after the end.
  const ends = [...occurs, ...timesOf('expected_expiration_time')];
  const estimated = ends.length === 0 ? undefined : Math.min(...ends) - (GAME_MS[sport] ?? OTHER_GAME_MS);
  const stated = tickerTime(ticker);
  const isPutOff = stated !== undefined && Math.min(...occurs) - stated.startMs > PUT_OFF_MS;
  if (stated === undefined || (isPutOff && occurs.length > 0))
    return estimated === undefined ? undefined : { startMs: estimated, startEstimated: true };
  if (stated.hasHour) return { startMs: stated.startMs, startEstimated: false };
  const lastMs = easternMs(stated.date, 23 * HOUR_MS + 59 * MINUTE_MS);
  // Most games of a day are played in its evening.
  const startMs = estimated ?? easternMs(stated.date, 19 * HOUR_MS);
  return { startMs: Math.min(Math.max(startMs, stated.startMs), lastMs), startEstimated: true };
}

/** The time in a ticker; of one without an hour the beginning of its day. */
function tickerTime(ticker: string): { date: number; startMs: number; hasHour: boolean } | undefined {
  const [, year, month = '', day, hour, minute] = TICKER_TIME.exec(ticker) ?? [];
  if (year === undefined || !MONTHS.includes(month)) return undefined;
  const date = Date.UTC(2000 + Number(year), MONTHS.indexOf(month), Number(day));
  if (new Date(date).getUTCDate() !== Number(day)) return undefined;
  const ofDayMs = hour === undefined ? 0 : Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS;
  return { date, startMs: easternMs(date, ofDayMs), hasHour: hour !== undefined };
}

/** The instant at which clocks in New York show this time of that day (both as if of UTC). */
function easternMs(date: number, ofDayMs: number): number {
  const day = new Date(date).toISOString().slice(0, 10);
  // Half past midnight in summer, of the next day; half past eleven in winter.
  const isWinter = EASTERN_DAYS.date(date + 28.5 * HOUR_MS) === day;
  return date + ofDayMs + (isWinter ? 5 : 4) * HOUR_MS;
}
