// The order book of one token: replaced by whole books, moved by changes, and compared with what the venue says is best
// after them, for nothing else shows that a message was lost.
import { LIMITS } from '../../model/limits.js';
import { Levels } from '../kit/levels.js';
import { isPriceMicros, parseMicros } from '../kit/probability-price.js';
import { type Fields, objectsOf, textOf } from '../kit/reading.js';

export interface LevelChange {
  side: 'bid' | 'ask';
  priceMicros: number;
  /** What is there now in all, millionths of a share. */
  countMicros: number;
}

interface Timed extends LevelChange {
  ms: number;
}

/** Each book is compared with the venue's this often. */
export const CHECK_EVERY_MS = 10_000;
/** A first book that has not come by then is fetched. */
const FIRST_BOOK_MS = 1_500;
/** Changes kept while a book is fetched; more than this, and the next fetch begins anew. */
const PENDING_MAX = LIMITS.bookChanges.max;
/** So often an answer older than what is known is asked for again; a venue's clock that is wrong is not worth more. */
const STALE_ANSWERS_MAX = LIMITS.staleBooks.max;

export class TokenBook {
  bids = new Levels('highest');
  asks = new Levels('lowest');
  /** Its connection stands and was asked for it: else nothing would tell that a fetched book is no longer so. */
  carried = false;
  /** It is as the venue has it, as far as anybody knows. */
  good = false;
  /** Since when something may have been missed (Unix ms), undefined where nothing was. */
  doubtfulSinceMs: number | undefined;
  /** When a fetch last showed it to be right, or a whole book came (Unix ms). */
  checkedMs = 0;
  /** The venue's time of the newest message applied. */
  #newestMs = 0;
  #hash: string | undefined;
  /** What came since a fetch began; undefined while none is under way. */
  #pending: Timed[] | undefined;
  #staleAnswers = 0;
  /** The newest there was when the fetch began. */
  #newestAtFetchMs = 0;

  /** Nothing of it is known any more. */
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

  /** It was asked for: its first book comes by itself, or is fetched where it does not. */
  carry(nowMs: number): void {
    this.carried = true;
    this.checkedMs = nowMs - CHECK_EVERY_MS + FIRST_BOOK_MS;
  }

  /** A whole book from the channel: what came before it does not count. False where it cannot be read. */
  replace(message: Fields, nowMs: number): boolean {
    if (!this.#load(message)) return false;
    this.#newestMs = msOf(message);
    this.#hash = textOf(message['hash']);
    this.#pending = undefined;
    this.#settle(nowMs);
    return true;
  }

  /** Changes from the channel, in their order. */
  change(changes: readonly LevelChange[], ms: number, hash: string | undefined): void {
    this.#newestMs = Math.max(this.#newestMs, ms);
    this.#hash = hash;
    if (this.#pending !== undefined) {
      if (this.#pending.length + changes.length > PENDING_MAX) this.#pending = undefined;
      else for (const change of changes) this.#pending.push({ ...change, ms });
    }
    if (this.good) for (const change of changes) this.#apply(change);
  }

  /** Whether the best prices are those that the venue names; undefined is nothing named, null is an empty side. */
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
   * The fetched book. `same`: it is what was here; `replaced`: it was not; `ignored`: it is older than what is known, or
   * the channel brought a whole book meanwhile; `again`: it says nothing and is to be fetched again.
   */
  fetched(message: Fields, nowMs: number): 'same' | 'replaced' | 'ignored' | 'again' {
    const pending = this.#pending;
    this.#pending = undefined;
    if (!this.carried) return 'ignored';
    if (pending === undefined) return this.good ? 'ignored' : 'again';
    const ms = msOf(message);
    if (ms > 0 && ms < this.#newestAtFetchMs && this.#staleAnswers < STALE_ANSWERS_MAX) {
      this.#staleAnswers++;
      return this.good ? 'ignored' : 'again';
    }
    const hash = textOf(message['hash']);
    if (this.good && pending.length === 0 && hash !== undefined && hash === this.#hash) {
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
    // What is older than the book is in it. Totals may be applied twice.
    for (const change of pending) if (ms === 0 || change.ms >= ms) this.#apply(change);
    this.#settle(nowMs);
    return old !== undefined && old === this.#top() ? 'same' : 'replaced';
  }

  #settle(nowMs: number): void {
    this.good = true;
    this.doubtfulSinceMs = undefined;
    this.checkedMs = nowMs;
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

/** The venue's time of a message (Unix ms), 0 where it has none. */
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
