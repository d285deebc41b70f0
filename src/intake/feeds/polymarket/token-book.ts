// The order book of one token: replaced by whole books, updated by changes, and compared with the venue's best prices
// after them, as nothing else reveals a lost message.
import { LIMITS } from '../../../base/model/limits.js';
import { type Fields, objectsOf, textOf } from '../kit/field-readers.js';
import { isPriceMicros, Levels, parseMicros } from '../kit/ladder.js';

export interface LevelChange {
  side: 'bid' | 'ask';
  priceMicros: number;
  /** The new total, millionths of a share. */
  countMicros: number;
}

interface Timed extends LevelChange {
  ms: number;
}

/** Each book is compared with the venue's at this interval, or sooner while its connection sends nothing. */
export const CHECK_EVERY_MS = 10_000;
export const CHECK_QUIET_EVERY_MS = 5_000;
/** A first book that has not arrived by then is fetched. */
const FIRST_BOOK_MS = 1_500;
/** Maximum number of changes buffered during a fetch; beyond it the next fetch starts over. */
const PENDING_MAX = LIMITS.bookChanges.max;
/** Retries for an answer older than the book; a wrong clock at the venue is not worth more. */
const STALE_ANSWERS_MAX = LIMITS.staleBooks.max;

export class TokenBook {
  bids = new Levels('highest');
  asks = new Levels('lowest');
  /** Its connection is open and subscribed to it: otherwise a fetched book could become outdated unnoticed. */
  carried = false;
  /** Whether it equals the venue's, as far as is known. */
  good = false;
  /** Since when messages may have been missed (Unix ms), undefined if none were. */
  doubtfulSinceMs: number | undefined;
  /** When a fetch last confirmed it, or a whole book arrived (Unix ms). */
  checkedMs = 0;
  /** When it was last known to equal the venue's by a message or a fetch (Unix ms). */
  confirmedMs = 0;
  /** The venue's time of the newest message applied. */
  #newestMs = 0;
  /**
   * Of the last whole book; undefined once changes were applied to it. A change names the hash of the venue's book, which
   * differs from this one if an earlier change was lost.
   */
  #hash: string | undefined;
  /** Changes received since a fetch began; undefined while none is under way. */
  #pending: Timed[] | undefined;
  #staleAnswers = 0;
  /** The newest message when the fetch began. */
  #newestAtFetchMs = 0;

  /** Its state is unknown from now on. */
  forget(): void {
    this.carried = false;
    this.good = false;
    this.doubtfulSinceMs = undefined;
    this.#pending = undefined;
    this.#hash = undefined;
    this.#newestMs = 0;
    this.bids.clear();
    this.asks.clear();
  }

  /** It was subscribed to: its first book arrives by itself, or is fetched if it does not. */
  carry(nowMs: number): void {
    this.carried = true;
    this.checkedMs = nowMs - CHECK_EVERY_MS + FIRST_BOOK_MS;
  }

  /** A whole book from the channel, which replaces everything before it. False if it cannot be parsed. */
  replace(message: Fields, nowMs: number): boolean {
    if (!this.#load(message)) return false;
    this.#newestMs = msOf(message);
    this.#hash = textOf(message['hash']);
    this.#pending = undefined;
    this.#settle(nowMs);
    return true;
  }

  /** Changes from the channel, in order. */
  change(changes: readonly LevelChange[], ms: number): void {
    this.#newestMs = Math.max(this.#newestMs, ms);
    this.#hash = undefined;
    if (this.#pending !== undefined) {
      if (this.#pending.length + changes.length > PENDING_MAX) this.#pending = undefined;
      else for (const change of changes) this.#pending.push({ ...change, ms });
    }
    if (this.good) for (const change of changes) this.#apply(change);
  }

  /** Whether the best prices equal those stated by the venue; undefined: not stated, null: an empty side. */
  agrees(bestBid: number | null | undefined, bestAsk: number | null | undefined): boolean {
    return (
      (bestBid === undefined || bestBid === this.bids.best) && (bestAsk === undefined || bestAsk === this.asks.best)
    );
  }

  /** A fetch begins. */
  fetching(): void {
    this.#pending = [];
    this.#newestAtFetchMs = this.#newestMs;
  }

  /**
   * The fetched book. `same`: it equals the present one; `replaced`: it differed; `ignored`: it is older than the
   * present one, or the channel sent a whole book meanwhile; `again`: it is unusable and must be fetched again.
   */
  fetched(message: Fields, nowMs: number): 'same' | 'replaced' | 'ignored' | 'again' {
    const pending = this.#pending;
    this.#pending = undefined;
    if (!this.carried) return 'ignored';
    if (pending === undefined) return this.good ? 'ignored' : 'again';
    const ms = msOf(message);
    const isOld = ms > 0 && ms < this.#newestAtFetchMs;
    // However often it comes: the socket's book is the newer one while its own messages agree with it.
    if (isOld && this.good && nowMs - this.confirmedMs < CHECK_QUIET_EVERY_MS) return 'ignored';
    if (isOld && this.#staleAnswers < STALE_ANSWERS_MAX) {
      this.#staleAnswers++;
      return this.good ? 'ignored' : 'again';
    }
    const hash = textOf(message['hash']);
    if (this.good && hash !== undefined && hash === this.#hash) {
      this.#settle(nowMs);
      return 'same';
    }
    const old = this.good ? this.#top() : undefined;
    const [oldBids, oldAsks] = [this.bids, this.asks];
    if (!this.#load(message)) {
      this.bids = oldBids;
      this.asks = oldAsks;
      return 'again';
    }
    // Changes older than the book are included in it. Totals may be applied twice.
    for (const change of pending) if (ms === 0 || change.ms >= ms) this.#apply(change);
    this.#hash = pending.length === 0 ? hash : undefined;
    this.#settle(nowMs);
    return old !== undefined && old === this.#top() ? 'same' : 'replaced';
  }

  #settle(nowMs: number): void {
    this.good = true;
    this.doubtfulSinceMs = undefined;
    this.checkedMs = nowMs;
    this.confirmedMs = nowMs;
    this.#staleAnswers = 0;
  }

  #top(): string {
    return `${this.bids.best} ${this.bids.bestCount} ${this.asks.best} ${this.asks.bestCount}`;
  }

  #apply({ side, priceMicros, countMicros }: LevelChange): void {
    if (!(side === 'bid' ? this.bids : this.asks).set(priceMicros, countMicros)) this.good = false;
  }

  #load(message: Fields): boolean {
    const bids = levelsOf(message['bids'] ?? message['buys'], 'highest');
    const asks = levelsOf(message['asks'] ?? message['sells'], 'lowest');
    if (bids === undefined || asks === undefined) return false;
    this.bids = bids;
    this.asks = asks;
    return true;
  }
}

/** The venue's time of a message (Unix ms), 0 if it has none. */
export function msOf(message: Fields): number {
  const ms = Number(textOf(message['timestamp']) ?? 0);
  return Number.isFinite(ms) ? ms : 0;
}

function levelsOf(value: unknown, best: 'lowest' | 'highest'): Levels | undefined {
  if (!Array.isArray(value)) return undefined;
  const levels = new Levels(best);
  for (const level of objectsOf(value)) {
    const price = parseMicros(level['price']);
    const count = parseMicros(level['size']);
    if (price === undefined || count === undefined || !isPriceMicros(price) || count < 0) return undefined;
    if (!levels.set(price, count)) return undefined;
  }
  return levels;
}
