// Maps polls and remembers which books each league had: a book that is missing from a complete answer gets an empty
// message, as nothing else would ever remove its last prices.

import type { IngestMessage } from '../../ingest/message.js';
import { LIMITS } from '../../model/limits.js';
import { mapPoll } from './mapping.js';
import { PollMemo } from './memory.js';
import type { LeagueLookup, MappedPoll, OddsFormat, OddsPoll } from './payload.js';

export interface SourcedPoll extends OddsPoll {
  /** The requested sport: an answer without events still clears its leagues. */
  source: string;
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
    const listed = new Map<string, Set<string>>();
    for (const { scope, league, book } of mapped.messages) {
      if (scope === 'league' && league !== undefined) setOf(listed, league).add(book);
    }
    const covered = setOf(this.#sources, poll.source);
    for (const league of listed.keys()) covered.add(league);
    for (const league of covered) {
      const now = listed.get(league) ?? new Set();
      for (const book of this.#books.get(league) ?? []) {
        if (!now.has(book)) {
          mapped.messages.push({ book, polled_at: poll.polledAt, scope: 'league', league, events: [] });
        }
      }
      this.#books.set(league, now);
    }
    return mapped;
  }

  /** Undoes the delivery of messages: the books they cleared are cleared again by the next poll. */
  undelivered(messages: readonly IngestMessage[]): void {
    for (const { scope, league, book } of messages) {
      if (scope === 'league' && league !== undefined) setOf(this.#books, league).add(book);
    }
  }
}

function setOf(map: Map<string, Set<string>>, key: string): Set<string> {
  const set = map.get(key) ?? new Set<string>();
  map.set(key, set);
  return set;
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
