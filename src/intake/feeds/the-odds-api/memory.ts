// The last answer of a source and the objects made from it. Most of an answer repeats the previous one: a book or
// market that is equal in every field becomes the same objects again. Receivers may recognise them by identity and must
// never change them.

import { BoundedMap } from '../../../base/memory/bounded-map.js';
import { LIMITS } from '../../../base/model/limits.js';
import { sameFields } from '../../../base/model/same-fields.js';
import type { IngestEvent, IngestMarket } from '../../ingest/message.js';
import type { OddsFormat, RawBookmaker, RawEvent, RawMarket, RawOutcome } from './payload.js';

/** A game has two teams; an event without them can only contain outrights. */
export interface Game {
  entry: Omit<IngestEvent, 'markets'>;
  league: string;
  sport: string;
  home: string;
  away: string;
}

export interface KnownEvent {
  /** The input the game was parsed from. */
  head: Pick<RawEvent, (typeof HEAD)[number]>;
  oddsFormat: OddsFormat;
  game: Game;
  /** By their original keys. */
  books: Map<unknown, KnownBook>;
}

export interface KnownBook {
  raw: RawBookmaker;
  /** Null if it cannot be reused whole: a part was omitted, or another key of the same book added to it. */
  event: IngestEvent | null;
  /** In the answer's order; null if a part of a market was omitted. */
  markets: (KnownMarket | null)[];
}

export interface KnownMarket {
  raw: RawMarket;
  /** The market's or the book's page. */
  link: string | undefined;
  seenAt: string | undefined;
  made: IngestMarket[];
}

const SOURCES_MAX = LIMITS.pollSources.max;

export class PollMemo {
  readonly #sources = new BoundedMap<string, Map<string, KnownEvent>>(SOURCES_MAX);
  #before = new Map<string, KnownEvent>();
  #now = new Map<string, KnownEvent>();
  /** Ids of games in the answer, whether all of them can be read or not. */
  #named = new Set<string>();

  /** Starts an answer of the source: the previous one is remembered, and nothing older. */
  begin(source: string): void {
    this.#before = this.#sources.get(source) ?? new Map();
    this.#now = new Map();
    this.#named = new Set();
    this.#sources.set(source, this.#now);
  }

  /** The previous event, if it is still the same game. */
  event(id: string, raw: RawEvent, oddsFormat: OddsFormat): KnownEvent | undefined {
    this.#named.add(id);
    const known = this.#before.get(id);
    return known !== undefined && known.oddsFormat === oddsFormat && sameFields<RawEvent>(known.head, raw, HEAD)
      ? known
      : undefined;
  }

  /** @param known the result of event() */
  keep(id: string, raw: RawEvent, event: Omit<KnownEvent, 'head'>, known: KnownEvent | undefined): void {
    const { sport_key, commence_time, home_team, away_team } = raw;
    // Not a full copy: unchanged books stay in their previous form.
    const head = known?.head ?? { sport_key, commence_time, home_team, away_team };
    this.#now.set(id, { ...event, head });
  }

  /** Of each game in the previous answer its books there, and those that this answer has; undefined if it lacks the game. */
  *before(): Iterable<{ entry: Game['entry']; books: readonly unknown[]; now: readonly unknown[] | undefined }> {
    for (const [id, { game, books }] of this.#before) {
      const now = this.#now.get(id);
      if (now === undefined && this.#named.has(id)) continue;
      yield { entry: (now?.game ?? game).entry, books: [...books.keys()], now: now && [...now.books.keys()] };
    }
  }

  /** The answer of the source that was begun last counts as none. */
  forget(source: string): void {
    this.#sources.set(source, this.#before);
  }
}

const HEAD = ['sport_key', 'commence_time', 'home_team', 'away_team'] as const;

/** Whether two bookmakers of one game are equal in every field that is read. */
export function sameBookmaker(a: RawBookmaker, b: RawBookmaker): boolean {
  if (a.last_update !== b.last_update || a.link !== b.link) return false;
  if (!Array.isArray(a.markets) || !Array.isArray(b.markets) || a.markets.length !== b.markets.length) return false;
  for (let i = 0; i < a.markets.length; i++) {
    const one: RawMarket | null = a.markets[i];
    const other: RawMarket | null = b.markets[i];
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
    if (one.key !== other.key || one.last_update !== other.last_update || one.link !== other.link) return false;
    if (one.sid !== other.sid) return false;
    if (!sameOutcomes(one.outcomes, other.outcomes)) return false;
  }
  return true;
}

export function sameOutcomes(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    const one: RawOutcome | null = a[i];
    const other: RawOutcome | null = b[i];
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
    if (
      one.price !== other.price ||
      one.point !== other.point ||
      one.name !== other.name ||
      one.description !== other.description ||
      one.link !== other.link ||
      one.sid !== other.sid ||
      one.bet_limit !== other.bet_limit
    )
      return false;
  }
  return true;
}
