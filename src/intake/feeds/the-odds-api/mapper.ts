// Maps polls and remembers which books each league had: a book that is missing from a complete answer gets an empty
// message, as nothing else would ever remove its last prices. A run's first answers are compared with the last run's.

import { getOrInsert } from '../../../base/memory/get-or-insert.js';
import { LIMITS } from '../../../base/model/limits.js';
import type { IngestMessage } from '../../ingest/message.js';
import { mapPoll } from './mapping.js';
import { PollMemo } from './memory.js';
import type { LeagueLookup, MappedPoll, OddsFormat, OddsPoll } from './payload.js';

export interface SourcedPoll extends OddsPoll {
  /** The requested sport: an answer without events still clears its leagues. */
  source: string;
}

/** Books by league. */
export type ListedBooks = Record<string, string[]>;

/** The books whose complete leagues the messages state, in one order. */
export function booksIn(messages: readonly IngestMessage[]): ListedBooks {
  const listed: ListedBooks = {};
  for (const { scope, league, book } of messages)
    if (scope === 'league' && league !== undefined) listed[league] = [...(listed[league] ?? []), book].sort();
  return listed;
}

export class OddsApiMapper {
  readonly #leagues: LeagueLookup;
  /** League -> the books whose games were listed when it was last complete. */
  readonly #books = new Map<string, Set<string>>();
  /** Source -> the leagues its answers have contained. */
  readonly #sources = new Map<string, Set<string>>();

  readonly #memory = new PollMemo();

  constructor(leagues: LeagueLookup) {
    this.#leagues = leagues;
  }

  /** The poll's messages; for a complete one also an empty message for every book that disappeared from its leagues. */
  map(poll: SourcedPoll): MappedPoll {
    this.#memory.begin(poll.source);
    const mapped = mapPoll(poll, this.#leagues, this.#memory);
    // An invalid list of events says nothing, least of all that everything is gone.
    if (!poll.complete || !Array.isArray(poll.events)) return mapped;
    const listed = booksIn(mapped.messages);
    const covered = setOf(this.#sources, poll.source);
    for (const league of Object.keys(listed)) covered.add(league);
    for (const league of covered) {
      const now = new Set(listed[league]);
      for (const book of this.#books.get(league) ?? []) {
        if (!now.has(book)) {
          mapped.messages.push({ book, polled_at: poll.polledAt, scope: 'league', league, events: [] });
        }
      }
      this.#books.set(league, now);
    }
    return mapped;
  }

  /** The source listed these, in another run or in messages that were not delivered: its next poll clears what it lacks. */
  listed(source: string, books: ListedBooks): void {
    for (const [league, names] of Object.entries(books)) {
      setOf(this.#sources, source).add(league);
      for (const name of names) setOf(this.#books, league).add(name);
    }
  }
}

function setOf(map: Map<string, Set<string>>, key: string): Set<string> {
  return getOrInsert(map, key, () => new Set());
}

/**
 * The format of an answer's prices, for recordings that do not state it: American prices are never between -100 and
 * 100, and decimal ones never negative. A single invalid price does not decide.
 */
export function detectOddsFormat(events: unknown): OddsFormat {
  let small = 0;
  let prices = 0;
  for (const price of pricesIn(events)) {
    // Nearly every American answer has a favourite among its first prices.
    if (price < 0) return 'american';
    prices++;
    if (price < 100) small++;
  }
  return small * 2 > prices ? 'decimal' : 'american';
}

const DEPTH_MAX = LIMITS.priceDepth.max;

function* pricesIn(value: unknown, depth = 0): Iterable<number> {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key !== 'price') yield* pricesIn(inner, depth + 1);
    else if (typeof inner === 'number') yield inner;
    else if (typeof inner === 'string' && inner.trim() !== '' && Number.isFinite(Number(inner))) yield Number(inner);
  }
}
