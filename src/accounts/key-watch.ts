// Ends the streams of keys that ended: revoked or deleted, by whichever process, or past the grace period of their
// rotation.
import { getOrInsert } from '../base/memory/get-or-insert.js';
import type { Clock } from '../base/model/clock.js';
import type { Accounts } from './accounts.js';
import type { KeyRecord } from './key-record.js';
import type { StreamSlots } from './stream-slots.js';

/** Well within the second in which a stream must end. */
const POLL_EVERY_MS = 200;

export class KeyWatch {
  readonly #accounts: Accounts;
  readonly #slots: StreamSlots;
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;
  /** When keys with streams end, as of the generation. */
  readonly #ends = new Map<string, number>();
  #generation = -1;

  constructor(accounts: Accounts, slots: StreamSlots, clock: Clock) {
    this.#accounts = accounts;
    this.#slots = slots;
    this.#clock = clock;
    this.#timer = setInterval(() => this.look(), POLL_EVERY_MS);
    this.#timer.unref();
  }

  look(): void {
    this.#slots.endWhere((key) => this.hasEnded(key));
  }

  /** True if the key, authenticated before, would be refused now. */
  hasEnded(key: KeyRecord): boolean {
    const { generation } = this.#accounts;
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#ends.clear();
    }
    const endMs = getOrInsert(this.#ends, key.id, () => this.#accounts.endOf(key));
    return Math.min(endMs, key.viewer?.expiresAt ?? Number.POSITIVE_INFINITY) <= this.#clock.now();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
