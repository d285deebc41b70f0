// Who writes: one key of the cluster's state, which its holder renews. The others measure by their own clocks how long
// it has not changed, and take it by its revision, so that only one of two succeeds. A holder that was suspended and
// resumes does not know that it was deposed: the log refuses it, not this.
import type { KV } from '@nats-io/kv';
import { monotonicMs } from '../../base/model/clock.js';
import { decode, encode } from '../../base/wire/codec.js';

export interface LeaseOptions {
  state: KV;
  /** This process. */
  node: string;
  /** Whether it may hold the lease: not while its store is behind, or cannot be written. */
  mayHold(): boolean;
  /** It holds the lease from now on; the term is higher than any before, unless the servers have lost some. */
  onHeld(term: number): void;
  /** It no longer holds it: another does, or the servers could not be reached for longer than it lasts. */
  onLost(): void;
  /** Another node holds it, or none does. */
  onHolder(node: string | null): void;
  onTrouble(error: unknown): void;
  /** The servers have answered nothing for `giveUpMs`; told again after each further such time. */
  onUnanswered(): void;
  times?: LeaseTimes;
}

export interface LeaseTimes {
  /** A holder that is silent for this long may be replaced. */
  leaseMs: number;
  renewMs: number;
  /**
   * A holder that cannot renew for this long stops accepting messages: the log fences it anyway, but its callers must
   * be notified. A node that cannot reach the servers for this long does not know who holds the lease.
   */
  giveUpMs: number;
}

const KEY = 'writer';
const TIMES: LeaseTimes = { leaseMs: 2_000, renewMs: 400, giveUpMs: 5_000 };

interface LeaseRecord {
  node: string | null;
}

export class Lease {
  readonly #options: LeaseOptions;
  readonly #times: LeaseTimes;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  /** The newest revision that was read, its holder, and since when it is unchanged. */
  #revision = 0;
  #lastHolder: string | null = null;
  #sinceMs = 0;
  /** Since when the servers show an older revision than the one known; 0 if they do not. */
  #behindSinceMs = 0;
  #holder: string | null | undefined;
  #ownRevision = 0;
  #renewedMs = 0;
  #answeredMs = monotonicMs();
  /** When onUnanswered() was called last. */
  #silentMs = Number.NEGATIVE_INFINITY;
  /** It gave up only because the servers could not be reached. */
  #unreachable = false;
  #closed = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#times = options.times ?? TIMES;
  }

  get holds(): boolean {
    return this.#ownRevision > 0;
  }

  /** The node that holds it, as far as is known. */
  get holder(): string | null {
    return this.#holder ?? null;
  }

  start(): void {
    this.#look();
    this.#timer = setInterval(() => this.#look(), this.#times.renewMs);
  }

  /** Releases it, so that another need not wait for its expiry. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#looking;
    const revision = this.#ownRevision;
    if (revision === 0) return;
    this.#ownRevision = 0;
    await this.#options.state.update(KEY, pack(null), revision).catch(this.#options.onTrouble);
  }

  /** Gives it up without releasing it: a node that cannot write must not renew. */
  giveUp(): void {
    this.#unreachable = false;
    if (this.#ownRevision === 0) return;
    this.#ownRevision = 0;
    this.#options.onLost();
  }

  #look(): void {
    if (this.#ownRevision > 0 && monotonicMs() - this.#renewedMs > this.#times.giveUpMs) {
      this.giveUp();
      this.#unreachable = true;
    }
    this.#looking ??= (this.#ownRevision > 0 ? this.#renew() : this.#watch())
      .then(() => {
        this.#answeredMs = monotonicMs();
      })
      .catch((error: unknown) => {
        // Silence while the servers could not be reached is not the holder's.
        this.#sinceMs = monotonicMs();
        const isUnanswered = this.#sinceMs - this.#answeredMs > this.#times.giveUpMs;
        if (isUnanswered && this.#ownRevision === 0) this.#report(null);
        this.#options.onTrouble(error);
        if (!isUnanswered || this.#sinceMs - this.#silentMs <= this.#times.giveUpMs) return;
        this.#silentMs = this.#sinceMs;
        this.#options.onUnanswered();
      })
      .finally(() => {
        this.#looking = undefined;
      });
  }

  async #renew(): Promise<void> {
    const { state, node } = this.#options;
    const requestedMs = monotonicMs();
    try {
      const revision = await state.update(KEY, pack(node), this.#ownRevision);
      if (this.#ownRevision === 0) return;
      this.#ownRevision = revision;
      this.#renewedMs = requestedMs;
    } catch (error) {
      // Refused by the revision, or not answered: the stored value decides.
      const entry = await state.get(KEY);
      if (this.#ownRevision === 0) return;
      // Ours, or a replica's that lags behind: it is renewed again.
      if (entry === null || entry.revision <= this.#ownRevision || holderOf(entry.value) === node) {
        this.#ownRevision = Math.max(this.#ownRevision, entry?.revision ?? 0);
        return;
      }
      this.#options.onTrouble(error);
      this.giveUp();
    }
  }

  async #watch(): Promise<void> {
    const { state, node } = this.#options;
    const entry = await state.get(KEY);
    const nowMs = monotonicMs();
    const revision = entry?.revision ?? 0;
    if (revision >= this.#revision) this.#behindSinceMs = 0;
    else if (this.#behindSinceMs === 0) this.#behindSinceMs = nowMs;
    // A leader that was just elected may lag behind: the known value stays. If it still does when a lease has passed, the
    // servers have lost what was known, and would refuse every renewal that refers to it.
    const lost = this.#behindSinceMs > 0 && nowMs - this.#behindSinceMs > this.#times.leaseMs;
    if (revision > this.#revision || this.#sinceMs === 0 || lost) {
      this.#revision = revision;
      this.#lastHolder = entry === null ? null : holderOf(entry.value);
      this.#sinceMs = nowMs;
    }
    // Nobody replaced the holder while the servers could not be reached: it need not wait for its own expiry.
    const own = this.#unreachable && this.#lastHolder === node;
    const free = own || this.#lastHolder === null || nowMs - this.#sinceMs > this.#times.leaseMs;
    this.#report(free ? null : this.#lastHolder);
    if (!free || this.#closed || !this.#options.mayHold()) return;
    const taken =
      this.#revision === 0 ? await state.create(KEY, pack(node)) : await state.update(KEY, pack(node), this.#revision);
    if (!this.#closed && !this.#options.mayHold()) {
      // It became unfit meanwhile, when there was nothing to give up yet.
      await state.update(KEY, pack(null), taken);
      return;
    }
    this.#ownRevision = taken;
    if (this.#closed) return;
    this.#unreachable = false;
    this.#renewedMs = nowMs;
    this.#report(node);
    this.#options.onHeld(taken);
  }

  #report(holder: string | null): void {
    if (holder === this.#holder) return;
    this.#holder = holder;
    this.#options.onHolder(holder);
  }
}

/** The node that holds it, or held it last; null if it was given up, undefined if nobody ever had it. */
export async function readHolder(state: Pick<KV, 'get'>): Promise<string | null | undefined> {
  const entry = await state.get(KEY);
  return entry === null || entry.value.length === 0 ? undefined : holderOf(entry.value);
}

function pack(node: string | null): Uint8Array {
  return encode({ node } satisfies LeaseRecord);
}

function holderOf(value: Uint8Array): string | null {
  return (decode(value) as LeaseRecord).node;
}
