// When each offer is polled next: due times in ticks, and a pace that scales the natural intervals to the wanted rate.
// If polls fall behind they are late, never skipped.
import type { Offer } from './offer.js';

/**
 * The share of the rate that live events may take before their polls are slowed too; by how much late polls may exceed
 * the rate, and how much unused rate is carried over (in ticks); the minimum natural interval.
 */
const RATE = { liveShare: 0.5, catchUp: 1.3, creditTicks: 4, leastPace: 0.01 } as const;

interface Entry {
  /** Tick at which the offer is due; -1 while it is in the backlog. */
  due: number;
  live: boolean;
  /** Quotes per second at the natural pace. */
  load: number;
}

export class PollPlan {
  readonly #tickMs: number;
  readonly #perTick: number;
  readonly #entries = new Map<Offer, Entry>();
  readonly #due = new Map<number, Offer[]>();
  #backlog: Offer[] = [];
  #head = 0;
  #credit = 0;
  #liveLoad = 0;
  #preLoad = 0;

  /** `rate` in quotes per second. */
  constructor(rate: number, tickMs: number) {
    this.#tickMs = tickMs;
    this.#perTick = (rate * tickMs) / 1_000;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Quotes per second if every offer were polled at its natural interval. */
  get load(): number {
    return this.#liveLoad + this.#preLoad;
  }

  /** Schedules the offer's next poll `inMs` after `tick`, by default its natural interval. */
  plan(offer: Offer, tick: number, nowMs: number, inMs?: number): void {
    let entry = this.#entries.get(offer);
    if (entry === undefined) {
      entry = { due: 0, live: offer.event.live, load: 0 };
      this.#entries.set(offer, entry);
    }
    const naturalMs = offer.pollMs(nowMs);
    this.#account(entry, offer.event.live, (offer.quotes * 1_000) / naturalMs);
    const waitMs = inMs ?? naturalMs * this.#pace(entry.live);
    entry.due = tick + Math.max(1, Math.round(waitMs / this.#tickMs));
    const others = this.#due.get(entry.due);
    if (others === undefined) this.#due.set(entry.due, [offer]);
    else others.push(offer);
  }

  /** Moves a poll forward to at most `inMs` from now. */
  hurry(offer: Offer, tick: number, nowMs: number, inMs: number): void {
    const entry = this.#entries.get(offer);
    if (entry === undefined || entry.due === -1 || entry.due <= tick + inMs / this.#tickMs) return;
    this.plan(offer, tick, nowMs, inMs);
  }

  drop(offer: Offer): void {
    const entry = this.#entries.get(offer);
    if (entry === undefined) return;
    this.#account(entry, entry.live, 0);
    this.#entries.delete(offer);
  }

  /** Moves what is due at `tick` to the backlog, and adds the tick's share of the rate. */
  turn(tick: number, boost: number): void {
    const due = this.#due.get(tick);
    this.#due.delete(tick);
    for (const offer of due ?? []) {
      const entry = this.#entries.get(offer);
      // A poll that was moved forward leaves a stale entry behind.
      if (entry?.due !== tick) continue;
      entry.due = -1;
      this.#backlog.push(offer);
    }
    const more = this.#perTick * RATE.catchUp * boost;
    this.#credit = Math.min(this.#credit + more, this.#perTick * RATE.creditTicks * boost);
  }

  /** The next offer to poll, or undefined if none is due or the rate is used up. */
  take(): Offer | undefined {
    if (this.#credit <= 0 || this.#head >= this.#backlog.length) return undefined;
    const offer = this.#backlog[this.#head++]!;
    if (this.#head > 1_024 && this.#head * 2 > this.#backlog.length) {
      this.#backlog = this.#backlog.slice(this.#head);
      this.#head = 0;
    }
    return offer;
  }

  /** Charges the quotes of a poll to the rate. */
  spend(quotes: number): void {
    this.#credit -= quotes;
  }

  #account(entry: Entry, live: boolean, load: number): void {
    if (entry.live) this.#liveLoad -= entry.load;
    else this.#preLoad -= entry.load;
    if (live) this.#liveLoad += load;
    else this.#preLoad += load;
    entry.live = live;
    entry.load = load;
  }

  /** Factor by which natural intervals are multiplied. */
  #pace(live: boolean): number {
    const rate = (this.#perTick * 1_000) / this.#tickMs;
    const even = this.load / rate;
    if (even <= 1) return Math.max(RATE.leastPace, even);
    const livePace = Math.max(1, this.#liveLoad / (RATE.liveShare * rate));
    return live ? livePace : this.#preLoad / Math.max(1, rate - this.#liveLoad / livePace);
  }
}
