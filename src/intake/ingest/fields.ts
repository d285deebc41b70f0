// Readers of single fields of a pushed message: each returns a valid value or notes a rejection with the field's path.

import { type GameState, SPORT_FLAGS, SPORT_NUMBERS, SPORT_TEXTS } from '../../base/model/game-state.js';
import { isMap } from '../../base/model/json-map.js';
import { LIMITS } from '../../base/model/limits.js';
import type { Rejection } from '../../base/model/normal-message.js';
import {
  type Price,
  parseAmerican,
  parseDecimal,
  priceFromAmerican,
  priceFromDecimal,
} from '../../base/model/price.js';
import { parseTimeMs } from '../../base/model/time.js';

const TEXT_LENGTH_MAX = LIMITS.text.max;
const URL_LENGTH_MAX = LIMITS.link.max;
const REJECTIONS_MAX = LIMITS.rejections.max;

/** A source's clock may be this far ahead of ours; anything dated later is in the future. */
export const AHEAD_MAX_MS = LIMITS.aheadMs.max;
export const TOO_FAR_AHEAD = `more than ${AHEAD_MAX_MS / 1000} s ahead of the clock`;
const NO_TIME = 'not an RFC 3339 time';
export const NO_AMERICAN = 'not an American price (a number from +100 to +1e8 or from -100 to -1e8)';

const UNREADABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is refused
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd\p{Surrogate}]/u;
/** The same and every surrogate: a quick test for names without any. */
const SUSPECT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufffd]/;

/**
 * Without control characters, lone surrogates and the replacement character, which stands for bytes that are not UTF-8,
 * and without what is invisible or turns the direction of what is beside it (U+202E): a name with any of them would be
 * another team or player, and looks like one that it is not.
 */
function isReadable(text: string): boolean {
  return !SUSPECT.test(text) || !UNREADABLE.test(text);
}

/** A non-empty readable name of at most 200 characters. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= TEXT_LENGTH_MAX && value.trim() !== '' && isReadable(value);
}

/** A message full of errors must not be answered with megabytes: beyond the bound rejections are only counted. */
export function addRejection(rejected: Rejection[], path: string, reason: string): void {
  if (rejected.length < REJECTIONS_MAX) rejected.push({ path, reason });
  else if (rejected.length === REJECTIONS_MAX)
    rejected.push({ path: '', reason: `more than ${REJECTIONS_MAX} rejections; the rest are not listed` });
}

/** Adds those of another part of what is answered together. */
export function addRejections(rejected: Rejection[], more: readonly Rejection[]): void {
  for (const { path, reason } of more) addRejection(rejected, path, reason);
}

export class Reader {
  /** Prefix of every path: empty for a single message, `[3].` for the fourth of many. */
  readonly at: string;
  /** When the message is read (Unix ms). */
  readonly nowMs: number;
  readonly #rejected: Rejection[];
  /** Number of rejected parts so far, listed or not. */
  refusals = 0;
  /** Number of lists, and of entries of lists, of which nothing can be read: nobody knows what they would have named. */
  unread = 0;

  constructor(at: string, rejected: Rejection[], nowMs: number) {
    this.at = at;
    this.nowMs = nowMs;
    this.#rejected = rejected;
  }

  reject(path: string, reason: string): undefined {
    this.refusals++;
    addRejection(this.#rejected, path === '' ? this.at.slice(0, -1) : this.at + path, reason);
    return undefined;
  }

  unreadable(path: string, reason: string): undefined {
    this.unread++;
    return this.reject(path, reason);
  }

  list(value: unknown, path: string): readonly unknown[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    this.unreadable(path, 'not a list');
    return [];
  }

  /** An empty list says that there is nothing; one without any object says nothing. */
  isReadableList(value: unknown): value is readonly unknown[] {
    return Array.isArray(value) && (value.length === 0 || value.some(isMap));
  }

  optionalText(value: unknown, path: string): string | null {
    if (value === undefined || value === null) return null;
    if (isText(value)) return value.trim();
    this.reject(path, 'empty, too long or not a readable text');
    return null;
  }

  optionalId(value: unknown, path: string): string | null {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
    return this.optionalText(value, path);
  }

  optionalBoolean(value: unknown, path: string): boolean | null {
    if (value === undefined || value === null) return null;
    if (typeof value === 'boolean') return value;
    this.reject(path, 'not true or false');
    return null;
  }

  /** True or false, `absent` if the field is; undefined, with a rejection noted, if it is something else. */
  flag(value: unknown, path: string, absent: boolean): boolean | undefined {
    if (value === undefined || value === null) return absent;
    return typeof value === 'boolean' ? value : this.reject(path, 'not true or false');
  }

  optionalNumber(value: unknown, path: string, min: number, max: number): number | null {
    if (value === undefined || value === null) return null;
    if (typeof value === 'number' && value >= min && value <= max) return value === 0 ? 0 : value;
    this.reject(path, `not a number from ${min} to ${max}`);
    return null;
  }

  /** An American price as a number or text; -100 is 100. */
  optionalAmerican(value: unknown, path: string): number | null {
    if (value === undefined || value === null) return null;
    const american = parseAmerican(value);
    if (american !== undefined) return american;
    this.reject(path, NO_AMERICAN);
    return null;
  }

  /** Unix ms. */
  optionalTime(value: unknown, path: string): number | null {
    if (value === undefined || value === null) return null;
    const ms = parseTimeMs(value);
    if (ms !== undefined) return ms;
    this.reject(path, NO_TIME);
    return null;
  }

  /** Unix ms of something past, at most now; undefined, with a rejection noted, if it is too far ahead. */
  optionalPast(value: unknown, path: string): number | null | undefined {
    const ms = this.optionalTime(value, path);
    if (ms === null || ms <= this.nowMs) return ms;
    return ms > this.nowMs + AHEAD_MAX_MS ? this.reject(path, TOO_FAR_AHEAD) : this.nowMs;
  }

  optionalUrl(value: unknown, path: string): string | null {
    if (
      typeof value === 'string' &&
      value.length <= URL_LENGTH_MAX &&
      /^https?:\/\/[^\s"<>]+$/.test(value) &&
      isReadable(value) &&
      URL.canParse(value)
    )
      // Valid in no part of a URL, but Kambi's coupons have it.
      return value.replaceAll('|', '%7C');
    this.reject(path, 'not an http or https URL');
    return null;
  }
}

const SCORES = ['home_score', 'away_score', 'fouls_home', 'fouls_away', ...SPORT_NUMBERS] as const;
const FLAGS = ['is_timeout', ...SPORT_FLAGS] as const;
const TEXTS = [...SPORT_TEXTS, 'period', 'clock', 'score_type', 'possession', 'power_play', 'last_play'] as const;

/** The game_state fields of a map (other fields are ignored), or null if there are none. */
export function readGameState(value: unknown, path: string, read: Reader): GameState | null {
  if (value === undefined || value === null) return null;
  if (!isMap(value)) {
    read.reject(path, 'not an object');
    return null;
  }
  const state: GameState = {};
  for (const field of SCORES) {
    const number = read.optionalNumber(value[field], `${path}.${field}`, 0, 10_000);
    if (number !== null) state[field] = number;
  }
  for (const field of TEXTS) {
    const raw = value[field];
    const text = read.optionalText(typeof raw === 'number' ? String(raw) : raw, `${path}.${field}`);
    if (text !== null) state[field] = text;
  }
  for (const field of FLAGS) {
    const flag = read.optionalBoolean(value[field], `${path}.${field}`);
    if (flag !== null) state[field] = flag;
  }
  return Object.keys(state).length > 0 ? state : null;
}

// The price of a selection, as the book states it: American or decimal.

const ROUNDED_BY = 0.01;
const ROUNDED_SHARE = 0.01;

/** Notes the rejection of a field of the selection (`''`: of all of it). */
export type Refuse = (field: string, reason: string) => undefined;

/**
 * Undefined, with a rejection noted, if there is no valid price. An American price counts before a decimal one, which must be
 * the same price if it is stated as well.
 */
export function readPrice(selection: Record<string, unknown>, refuse: Refuse): Price | undefined {
  const stated = selection['odds_american'];
  if (stated !== undefined && stated !== null) {
    const american = parseAmerican(stated);
    if (american === undefined) return refuse('.odds_american', NO_AMERICAN);
    const price = priceFromAmerican(american);
    const other = selection['odds_decimal'];
    if (price === undefined || other === undefined || other === null) return price;
    return agrees(parseDecimal(other), price.decimal)
      ? price
      : refuse('.odds_decimal', `another price than odds_american: ${american} is ${Number(price.decimal.toFixed(4))}`);
  }
  const decimal = parseDecimal(selection['odds_decimal']);
  if (decimal !== undefined) return priceFromDecimal(decimal);
  return refuse('.odds_decimal', 'no price: needs odds_american, or odds_decimal above 1 and up to 1000001');
}

/** Formats that a source derives from each other are rounded: decimals to cents, American prices to fives. */
export function agrees(stated: number | undefined, decimal: number): boolean {
  return stated !== undefined && Math.abs(stated - decimal) <= ROUNDED_BY + ROUNDED_SHARE * decimal;
}

/** As readPrice(), of a model's selection, which may state its probability instead. */
export function readFairPrice(selection: Record<string, unknown>, refuse: Refuse): Price | undefined {
  const { probability } = selection;
  if (probability === undefined || probability === null) return readPrice(selection, refuse);
  if ((selection['odds_american'] ?? selection['odds_decimal'] ?? null) !== null)
    return refuse('.probability', 'stated beside a price: one of the two');
  if (typeof probability !== 'number' || !(probability > 0 && probability < 1))
    return refuse('.probability', 'not a number above 0 and below 1');
  const price = priceFromDecimal(1 / probability);
  return price ?? refuse('.probability', 'its price is above 1000001');
}

export function statesNoPrice({ odds_american, odds_decimal, probability }: Record<string, unknown>): boolean {
  return (odds_american ?? odds_decimal ?? probability ?? null) === null;
}
