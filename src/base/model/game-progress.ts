// How far a game has progressed, by what a book calls its period. Books name periods as they like ("Q3", "3rd Quarter",
// "Bot 7th", "2OT", "HT", "FT"); all names are mapped to one scale on which the states of several books can be
// compared.

import { BoundedMap } from '../memory/bounded-map.js';
import { LIMITS } from './limits.js';
import { words } from './words.js';

/**
 * The part of the game that a period covers: 0 is the start and 1 the end of regular time; overtime lies above 1. If
 * the name says that the period is over, both ends are its end.
 */
export interface PlayedPart {
  from: number;
  to: number;
}

/** Length on the scale of the pause after a period: it comes after the whole period and before the next one. */
const PAUSE = 1e-6;
/** Length of an overtime on the scale, whatever it is in minutes. */
const OVERTIME = 0.1;
const OVERTIMES = 20;
const BEFORE: PlayedPart = { from: -1, to: 0 };
const SHOOTOUT: PlayedPart = { from: 50, to: 51 };
const FINAL: PlayedPart = { from: 100, to: 100 };

/** Regular periods of a sport. */
const PERIODS: Record<string, number> = {
  football: 4,
  basketball: 4,
  baseball: 9,
  hockey: 3,
  soccer: 2,
  tennis: 5,
  mma: 5,
  boxing: 12,
  golf: 4,
  cricket: 4,
  rugby: 2,
  aussie_rules: 4,
  lacrosse: 4,
  handball: 2,
  volleyball: 5,
  table_tennis: 7,
  badminton: 3,
  cs2: 3,
  lol: 5,
  dota2: 3,
  valorant: 3,
};
const PERIODS_UNKNOWN = 4;
/** Men's college basketball is played in halves, other basketball in quarters. */
const LEAGUE_PERIODS: Record<string, number> = { ncaab: 2 };
/** Sports whose extra periods are numbered on from the regular ones, such as a tenth inning. */
const GOES_ON = new Set(
  words(`
  baseball tennis mma boxing golf cricket volleyball table_tennis badminton cs2 lol dota2 valorant
`),
);
/** Sports that count by the minute: regular time in minutes, and the length of a period of extra time. */
const MINUTES: Record<string, number> = { soccer: 90, rugby: 80, handball: 60 };
const EXTRA_MINUTES = 15;

const BEFORE_WORDS = /\b(?:pre|pre ?(?:game|match)|not started|ns|scheduled|upcoming|warm ?up)\b/;
const FINAL_WORDS =
  /\b(?:final|f|ft|full ?time|finished|game over|match over|aet|aot|after (?:extra time|et|overtime|ot|pens?|penalties|shoot ?out|so))\b/;
/** On their own they mean that the game is over, else that the period beside them is. */
const ENDED_ALONE = /^(?:ended|complete|completed|closed|over)$/;
const SHOOTOUT_WORDS = /\b(?:shoot ?out|so|pso|pens?|penalties|penalty kicks|super over)\b/;
const OVERTIME_WORDS = /\b(?:ot|overtime|et|extra|extra ?time|golden goal|sudden death|playoff)\b/;
const HALF_TIME = /\b(?:half ?time|ht)\b/;
const QUARTER_TIME = /\b(?:qt|quarter ?time)\b/;
const PAUSE_WORDS = /\b(?:end|ended|eo|after|break|intermission|int|qt|quarter ?time)\b/;
const MIDDLE_WORDS = /\b(?:middle|mid)\b/;
const BOTTOM_WORDS = /\b(?:bottom|bot|btm|b)\b/;
const FILLING = /\b(?:of|the|in|top|t|middle|mid|bottom|bot|btm|b|end|ended|eo|after|break|intermission|int)\b/g;

/** Names of parts of a game, and how many of them make a game; undefined: as many as the sport has periods. */
const UNITS: readonly [word: RegExp, count: number | undefined][] = [
  [/\b(?:q|qt|qtr|quarter)\b/, 4],
  [/\b(?:h|half)\b/, 2],
  [/\b(?:p|per|pd|period|inning|innings|inn|set|s|map|round|rnd|rd|r)\b/, undefined],
];

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];
const ORDINAL = new RegExp(`\\b(?:${ORDINALS.join('|')})\\b`, 'g');
const TIMES: Record<string, number> = { double: 2, triple: 3, quadruple: 4 };

const NAME_LENGTH_MAX = LIMITS.periodName.max;
const remembered = new BoundedMap<string, PlayedPart | undefined>(LIMITS.periodNames.max);

/**
 * The part of the game that a period of this name covers. `sport` and `league` are catalogue ids. Undefined for names
 * that do not say ("Live", "Suspended", an unspecified break).
 */
export function playedPart(sport: string, league: string, name: string): PlayedPart | undefined {
  if (name.length > NAME_LENGTH_MAX) return undefined;
  const key = `${sport}|${league}|${name}`;
  if (remembered.has(key)) return remembered.get(key);
  const part = partOf(sport, league, name);
  remembered.set(key, part);
  return part;
}

function partOf(sport: string, league: string, name: string): PlayedPart | undefined {
  const text = plain(name);
  if (BEFORE_WORDS.test(text)) return BEFORE;
  if (FINAL_WORDS.test(text) || ENDED_ALONE.test(text)) return FINAL;
  if (SHOOTOUT_WORDS.test(text)) return SHOOTOUT;
  const minute = byMinute(sport, name);
  if (minute !== undefined) return minute;
  if (OVERTIME_WORDS.test(text)) return overtime(text);
  if (HALF_TIME.test(text)) return pauseAfter(0.5);
  if (/\breg(?:ulation)?\b/.test(text)) return PAUSE_WORDS.test(text) ? pauseAfter(1) : undefined;
  return regular(sport, league, text);
}

function regular(sport: string, league: string, text: string): PlayedPart | undefined {
  const own = LEAGUE_PERIODS[league] ?? PERIODS[sport] ?? PERIODS_UNKNOWN;
  const unit = UNITS.find(([word]) => word.test(text));
  const bare = Number(text.replace(FILLING, ' ').trim() || 'none');
  const number = unit === undefined ? bare : QUARTER_TIME.test(text) ? (numberIn(text) ?? 1) : numberIn(text);
  if (number === undefined || !Number.isInteger(number) || number < 1) return undefined;
  // A bare number above soccer's two halves may be a minute, and one in cricket an over.
  if (unit === undefined && (sport === 'cricket' || (sport === 'soccer' && number > own))) return undefined;
  const count = unit?.[1] ?? own;
  if (number > count && !GOES_ON.has(sport)) return extraPeriod(number - count, PAUSE_WORDS.test(text));
  const [from, to] = [(number - 1) / count, number / count];
  if (PAUSE_WORDS.test(text)) return pauseAfter(to);
  if (sport !== 'baseball') return { from, to };
  const middle = (from + to) / 2;
  if (MIDDLE_WORDS.test(text)) return pauseAfter(middle);
  return BOTTOM_WORDS.test(text) ? { from: middle, to } : { from, to: middle };
}

function overtime(text: string): PlayedPart {
  const number = numberIn(text) ?? 1;
  return extraPeriod(number > OVERTIMES ? 1 : number, PAUSE_WORDS.test(text) || HALF_TIME.test(text));
}

function extraPeriod(number: number, over: boolean): PlayedPart {
  const to = 1 + OVERTIME * Math.min(OVERTIMES, number);
  return over ? pauseAfter(to) : { from: to - OVERTIME, to };
}

function pauseAfter(end: number): PlayedPart {
  return { from: end - PAUSE, to: end };
}

/** "67'", "90+3", "67 min": a soccer minute; undefined if it is none. Stoppage time belongs to its half. */
function byMinute(sport: string, name: string): PlayedPart | undefined {
  const whole = MINUTES[sport];
  if (whole === undefined) return undefined;
  const found = /(?:^|\D)(\d{1,3})(?:\s*(\+)\s*\d{0,2})?\s*(['’′]|min)|^\s*(\d{1,3})\s*(\+)\s*\d{1,2}\s*$/i.exec(name);
  const alone = sport === 'soccer' ? /^\s*(\d{1,3})\s*$/.exec(name) : null;
  const minute = Number(found?.[1] ?? found?.[4] ?? alone?.[1] ?? 'none');
  // A minute of five or less might also be a period.
  if (Number.isNaN(minute) || (found === null && minute <= 5)) return undefined;
  const added = found?.[2] ?? found?.[5];
  if (added !== undefined && (minute === whole / 2 || minute === whole)) {
    const end = minute / whole - PAUSE;
    return { from: end - PAUSE, to: end };
  }
  if (minute <= whole) return { from: Math.max(0, minute - 1) / whole, to: minute / whole };
  const later = OVERTIME / EXTRA_MINUTES;
  return { from: 1 + later * (minute - whole - 1), to: 1 + later * (minute - whole) };
}

/** Minutes on the clock of a period that counts down; only for sports in which every known source counts down. */
const CLOCK_MINUTES: Record<string, number> = {
  nfl: 15,
  ncaaf: 15,
  ufl: 15,
  cfl: 15,
  nba: 12,
  wnba: 10,
  ncaab: 20,
  wncaab: 10,
  euroleague: 10,
  nbl: 10,
  nhl: 20,
  ahl: 20,
};

/**
 * Share of regular time (0-1) played, from a state's period and clock; without a usable clock, the share played when
 * the period begins. Undefined before the start, in overtime, after the end, and if the period's name does not say.
 */
export function playedShare(
  sport: string,
  league: string,
  state: { period?: string | null; clock?: string | null },
): number | undefined {
  const part = playedPart(sport, league, state.period ?? '');
  if (part === undefined || part.from < 0 || part.from >= 1) return undefined;
  const seconds = clockSeconds(state.clock ?? '');
  const { from, to } = part;
  if (Number.isNaN(seconds) || to - from <= PAUSE) return from;
  const whole = MINUTES[sport];
  if (whole !== undefined) {
    // A clock that counts up runs on through the game; if it is below half-time in the second half, it was restarted.
    const share = seconds / 60 / whole;
    return Math.min(to, Math.max(from, share < from ? from + share : share));
  }
  const minutes = CLOCK_MINUTES[league];
  const periods = LEAGUE_PERIODS[league] ?? PERIODS[sport];
  // A half with a quarter's clock does not say which quarter.
  if (minutes === undefined || periods === undefined || Math.abs((to - from) * periods - 1) > PAUSE) return from;
  return seconds <= 60 * minutes ? to - (to - from) * (seconds / 60 / minutes) : from;
}

/** "7:05", "0:12.3", "67'", "45+2'", "45.3" (seconds); NaN if it is not a clock. */
function clockSeconds(clock: string): number {
  const minutes = /^\s*(\d{1,3}):(\d\d)(?:\.\d+)?(?:\s*\+.*)?$/.exec(clock);
  if (minutes !== null) return 60 * Number(minutes[1]) + Number(minutes[2]);
  const minute = /^\s*(\d{1,3})(?:\s*\+\s*\d{0,2})?\s*['’′]/.exec(clock);
  if (minute !== null) return 60 * Number(minute[1]);
  const seconds = /^\s*:?(\d{1,2})(?:\.\d)\s*$/.exec(clock) ?? /^\s*:(\d\d)\s*$/.exec(clock);
  return seconds === null ? Number.NaN : Number(seconds[1]);
}

/**
 * Lower case, digits separated from letters, without clocks, ordinal suffixes and punctuation, spelled-out ordinals as
 * digits.
 */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/\d{1,3}:\d\d(?:\.\d+)?/g, ' ')
    .replace(/▼/g, ' bottom ')
    .replace(/(\d)(?:st|nd|rd|th)\b/g, '$1')
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(/(\d)([a-z])/g, '$1 $2')
    .replace(/([a-z])(\d)/g, '$1 $2')
    .replace(ORDINAL, (word) => String(ORDINALS.indexOf(word) + 1))
    .trim();
}

function numberIn(text: string): number | undefined {
  const figure = /\d+/.exec(text)?.[0];
  if (figure !== undefined) return Number(figure);
  const times = /\b(?:double|triple|quadruple)\b/.exec(text)?.[0];
  return times === undefined ? undefined : TIMES[times];
}
