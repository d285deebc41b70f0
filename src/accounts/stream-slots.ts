// Open streams: how many an account may have open and open per minute, SSE and WebSocket together and over all its
// keys, and how each is notified when its key ends.

import { getOrInsert } from '../base/memory/get-or-insert.js';
import type { Clock } from '../base/model/clock.js';
import { ApiError } from '../base/model/errors.js';
import { maxStreamsOf, openingsPerMinute } from '../rules/catalogue/tiers.js';
import type { Accounts } from './accounts.js';
import { callerOf, countedAs, type KeyRecord } from './key-record.js';
import { RateLimiter } from './rate-limit.js';
import type { SharedCounts } from './shared-counts.js';

/** The message to a stream whose key ended. */
export const KEY_ENDED = 'the API key or viewer token was revoked or has expired';

export class StreamSlot {
  readonly key: KeyRecord;
  end: (() => void) | undefined;
  readonly #slots: Set<StreamSlot>;
  readonly #freed: (key: KeyRecord) => void;

  constructor(key: KeyRecord, slots: Set<StreamSlot>, freed: (key: KeyRecord) => void) {
    this.key = key;
    this.#slots = slots;
    this.#freed = freed;
    slots.add(this);
  }

  /** `end` is called once if the key ends before the stream does. */
  onKeyEnd(end: () => void): void {
    this.end = end;
  }

  /** Frees the slot; a second call does nothing. */
  release(): void {
    this.end = undefined;
    if (this.#slots.delete(this)) this.#freed(this.key);
  }
}

export class StreamSlots {
  readonly #clock: Clock;
  readonly #openings: RateLimiter;
  readonly #shared: SharedCounts | undefined;
  readonly #slots = new Set<StreamSlot>();
  /** By account, and apart by those of its viewer tokens. */
  readonly #active = new Map<string, number>();

  /** @param shared present if other processes have streams of the same accounts */
  constructor(clock: Clock, shared?: SharedCounts) {
    this.#clock = clock;
    this.#shared = shared;
    this.#openings = new RateLimiter({ clock, shared, kind: 'openings' });
  }

  /**
   * Null if acquire() or reopen() can be called at once; else settles when it can: other processes open streams of the
   * account, too. Never rejects.
   */
  ready(key: KeyRecord): Promise<void> | null {
    return this.#openings.ready(key.account, openingsPerMinute(maxStreamsOf(key, this.#clock.now())));
  }

  /** Throws ApiError: `stream_limit_exceeded`, or `rate_limited` if too many were opened in this minute. */
  acquire(key: KeyRecord): StreamSlot {
    const max = maxStreamsOf(key, this.#clock.now());
    for (const [name, most] of countedAs(callerOf(key), max))
      if (this.active(name) >= most) {
        const whose = name === key.account ? 'this account' : "this account's viewer tokens";
        throw new ApiError('stream_limit_exceeded', `${whose} may hold ${most} streams at once`, { retryAfter: 5 });
      }
    this.#takeOpening(key, max);
    this.#count(key, 1);
    return new StreamSlot(key, this.#slots, (freed) => this.#count(freed, -1));
  }

  /** An open stream asks for something else, which costs what an opening does. Throws ApiError `rate_limited`. */
  reopen(key: KeyRecord): void {
    this.#takeOpening(key, maxStreamsOf(key, this.#clock.now()));
  }

  #takeOpening(key: KeyRecord, maxStreams: number): void {
    const { allowed, limit, retryAfterS } = this.#openings.take(key.account, openingsPerMinute(maxStreams));
    if (allowed) return;
    const message = `more than ${limit} streams opened or subscribed in this minute; try again in ${retryAfterS} s`;
    throw new ApiError('rate_limited', message, { retryAfter: retryAfterS });
  }

  /** Over all processes. */
  active(account: string): number {
    return (this.#active.get(account) ?? 0) + (this.#shared?.openAtOthers(account) ?? 0);
  }

  /** Notifies every stream whose key has ended by now; their owners close them and release their slots. */
  endWhere(hasEnded: (key: KeyRecord) => boolean): void {
    for (const slot of [...this.#slots]) {
      if (slot.end === undefined || !hasEnded(slot.key)) continue;
      const { end } = slot;
      slot.end = undefined;
      end();
    }
  }

  #count(key: KeyRecord, by: 1 | -1): void {
    for (const [name] of countedAs(callerOf(key), 0)) {
      const streams = (this.#active.get(name) ?? 0) + by;
      if (streams === 0) this.#active.delete(name);
      else this.#active.set(name, streams);
      this.#shared?.holds(name, streams);
    }
  }
}

/** Well within the second in which a stream must end. */
const POLL_EVERY_MS = 200;

/**
 * Ends the streams of keys that ended: revoked or deleted, by whichever process, or past the grace period of their
 * rotation.
 */
export function watchKeys(accounts: Accounts, slots: StreamSlots, clock: Clock): KeyWatch {
  /** When keys with streams end, as of the generation. */
  const ends = new Map<string, number>();
  let generation = -1;
  const hasEnded = (key: KeyRecord): boolean => {
    if (accounts.generation !== generation) {
      ({ generation } = accounts);
      ends.clear();
    }
    const endMs = getOrInsert(ends, key.id, () => accounts.endOf(key));
    return Math.min(endMs, key.viewer?.expiresAt ?? Number.POSITIVE_INFINITY) <= clock.now();
  };
  const timer = setInterval(() => slots.endWhere(hasEnded), POLL_EVERY_MS);
  timer.unref();
  return { hasEnded, close: () => clearInterval(timer) };
}

export interface KeyWatch {
  /** True if the key, authenticated before, would be refused now. */
  hasEnded(key: KeyRecord): boolean;
  close(): void;
}
