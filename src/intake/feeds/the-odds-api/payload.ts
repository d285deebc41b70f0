// An unvalidated answer of The Odds API v4: every field may be missing or of another type.
import type { IngestMessage } from '../../ingest/message.js';

export interface RawEvent {
  id?: unknown;
  sport_key?: unknown;
  sport_title?: unknown;
  /** RFC 3339, or Unix seconds. */
  commence_time?: unknown;
  /** Null for outrights. */
  home_team?: unknown;
  away_team?: unknown;
  bookmakers?: unknown;
}

export interface RawBookmaker {
  key?: unknown;
  last_update?: unknown;
  link?: unknown;
  markets?: unknown;
}

export interface RawMarket {
  key?: unknown;
  last_update?: unknown;
  link?: unknown;
  /** The book's own id of the market. */
  sid?: unknown;
  outcomes?: unknown;
}

export interface RawOutcome {
  name?: unknown;
  price?: unknown;
  point?: unknown;
  /** The player, or for team totals the team. */
  description?: unknown;
  link?: unknown;
  /** The book's own id of the selection. */
  sid?: unknown;
  /** The stake that the book takes at the price; exchanges: that is available. */
  bet_limit?: unknown;
}

export type OddsFormat = 'american' | 'decimal';

/** Maps sport keys to leagues; implemented by the catalogue. */
export interface LeagueLookup {
  leagueOf(key: string): { id: string; sport: string } | undefined;
  /** The book of a bookmaker key, if books are known. */
  book?(key: string): { regions: readonly string[]; isExchange: boolean } | undefined;
}

export interface OddsPoll {
  /** The v4 answer: a list of events. */
  events: unknown;
  /** RFC 3339: when it was requested. */
  polledAt: string;
  /**
   * Whether the answer lists every event of its sport, so that events it does not list are gone. False for `upcoming`,
   * for filtered requests and if two sports requested separately are one league.
   */
  complete: boolean;
  /** Format of the prices; `american` by default. */
  oddsFormat?: OddsFormat;
}

/** A part of the answer that was omitted. */
export interface Skipped {
  /** Path in the answer: `[3].bookmakers[0].markets[1].outcomes[0]`. */
  path: string;
  reason: string;
}

export interface MappedPoll {
  messages: IngestMessage[];
  skipped: Skipped[];
}

/** A raw list; if it is not a list, that is noted in `skipped`, and the result is empty. */
export function listOf(list: unknown, path: string, skipped: Skipped[]): readonly unknown[] {
  if (Array.isArray(list)) return list;
  skipped.push({ path, reason: 'not a list' });
  return [];
}

/** An element of a raw list that is an object; any other is noted in `skipped`. `path` is the list's. */
export function objectAt<T extends object>(
  list: readonly unknown[],
  i: number,
  path: string,
  skipped: Skipped[],
): T | undefined {
  const element = list[i];
  if (typeof element === 'object' && element !== null && !Array.isArray(element)) return element as T;
  skipped.push({ path: `${path}[${i}]`, reason: 'not an object' });
  return undefined;
}

/** A trimmed non-empty text, or undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** An id, which some books have as a number; one that JSON cannot hold exactly is another's. */
export function idOf(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? String(value) : textOf(value);
}
