// When football-data.co.uk's prices are of, and when its games begin: it writes times of London.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../base/model/time.js';
import { WallClock } from '../../files/zoned-time.js';
import { dayOf } from '../days.js';

const london = new WallClock('Europe/London');
const USUAL_START_MS = 15 * HOUR_MS;
const COLLECTED_MS = 17 * HOUR_MS;
const TUESDAY = 2;
const FRIDAY = 5;
const TIME = /^(\d{1,2})[:.](\d{2})(?::\d{2})?$/;

export interface Start {
  /** Unix ms. */
  ms: number;
  /** The file states no time. */
  isAssumed: boolean;
}

/** Undefined if the day is none. */
export function startOf(date: string, time: string): Start | undefined {
  const day = dayOf(date);
  if (day === undefined) return undefined;
  const [, hour, minute] = TIME.exec(time) ?? [];
  const isAssumed = hour === undefined || Number(hour) > 23 || Number(minute) > 59;
  const intoDay = isAssumed ? USUAL_START_MS : Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS;
  return { ms: london.instant(day + intoDay), isAssumed };
}

/** First prices are collected on Fridays and Tuesdays at 17:00: the last such time before a start (both Unix ms). */
export function collectedBefore(startMs: number): number {
  const shown = london.shown(startMs);
  for (let day = Math.floor(shown / DAY_MS) * DAY_MS; ; day -= DAY_MS) {
    const weekday = new Date(day).getUTCDay();
    if (weekday !== TUESDAY && weekday !== FRIDAY) continue;
    const collected = london.instant(day + COLLECTED_MS);
    if (collected < startMs) return collected;
  }
}
