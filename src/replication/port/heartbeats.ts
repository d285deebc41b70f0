// What processes tell each other several times a second: that they live, how often each caller was counted in this
// minute, and the streams that accounts have open. Sent at once if the untold count is a noticeable part of a limit.
// Nothing of it is stored: a process that is silent is gone, and holds no streams.
import type { CountedKind, SharedCounts } from '../../accounts/shared-counts.js';
import { monotonicMs } from '../../base/model/clock.js';
import { LIMITS } from '../../base/model/limits.js';
import { decode, encode } from '../../base/wire/codec.js';

export type NodeRole = 'engine' | 'front' | 'all';

export interface HeartbeatsOptions {
  /** This process; unique. */
  node: string;
  role: NodeRole;
  /** Sends a heartbeat to all others; what is lost is made up for by a later one. */
  send(heartbeat: Uint8Array): void;
}

interface Heartbeat {
  node: string;
  role: NodeRole;
  /** It is the last one. */
  over: boolean;
  /** Minutes since 1970 that the counts are of. */
  window: number;
  /** Caller (prefixed by its kind) and its count in the window, alternately. */
  counts: (string | number)[];
  /** Account and number of open streams, alternately; null if nothing changed. */
  streams: (string | number)[] | null;
}

interface Other {
  role: NodeRole;
  receivedMs: number;
  window: number;
  readonly counts: Map<string, number>;
  streams: ReadonlyMap<string, number>;
  /** Its counts are still of this window. */
  isGone: boolean;
}

const CHANGES_EVERY_MS = 100;
const LIFE_EVERY_MS = 500;
/** Everything is sent again: for processes that joined later, and in place of what was lost. */
const ALL_EVERY_MS = 1_000;
const GONE_MS = 4_000;
/** Fraction of a limit that may be counted before the others are told at once. */
const UNTOLD_PART = 0.02;
const REMEMBERED_MAX = LIMITS.countedCallers.max;

export class Heartbeats implements SharedCounts {
  readonly #options: HeartbeatsOptions;
  readonly #timer: NodeJS.Timeout;
  #closed = false;
  /** Until GONE_MS after the last heartbeat; the counts of each are bounded by REMEMBERED_MAX. */
  readonly #others = new Map<string, Other>();
  /** Sums over the others. */
  readonly #counts = new Map<string, number>();
  readonly #openStreams = new Map<string, number>();
  #window = 0;
  /** Counted here in this window, and the part of it that was not told yet. */
  readonly #own = new Map<string, number>();
  readonly #untold = new Map<string, number>();
  readonly #ownStreams = new Map<string, number>();
  #streamsChanged = false;
  #soon: NodeJS.Immediate | undefined;
  #sentMs = Number.NEGATIVE_INFINITY;
  #allSentMs = Number.NEGATIVE_INFINITY;

  constructor(options: HeartbeatsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#send(), CHANGES_EVERY_MS);
    this.#soon = setImmediate(() => this.#send());
  }

  get node(): string {
    return this.#options.node;
  }

  /** Processes that serve readers, including this one if it does. */
  get fronts(): number {
    this.#forgetSilent();
    let fronts = this.#options.role === 'engine' ? 0 : 1;
    for (const { role, isGone } of this.#others.values()) if (role !== 'engine' && !isGone) fronts++;
    return fronts;
  }

  counted(kind: CountedKind, caller: string, window: number, total: number, limit: number): void {
    this.#begin(window);
    // Others' clocks are ahead.
    if (window < this.#window) return;
    const name = nameOf(kind, caller);
    if (this.#own.size >= REMEMBERED_MAX && !this.#own.has(name)) return;
    const untold = (this.#untold.get(name) ?? 0) + total - (this.#own.get(name) ?? 0);
    this.#own.set(name, total);
    this.#untold.set(name, untold);
    if (untold >= limit * UNTOLD_PART) this.#sendSoon();
  }

  others(kind: CountedKind, caller: string, window: number): number {
    return window === this.#window ? (this.#counts.get(nameOf(kind, caller)) ?? 0) : 0;
  }

  /** What each process counted for a name in the window, this one included, as far as known. */
  *countsOf(name: string, window: number): Iterable<readonly [node: string, count: number]> {
    if (window !== this.#window) return;
    const own = this.#own.get(name);
    if (own !== undefined) yield [this.#options.node, own];
    for (const [node, { counts }] of this.#others) {
      const count = counts.get(name);
      if (count !== undefined) yield [node, count];
    }
  }

  holds(account: string, streams: number): void {
    if (streams === 0) this.#ownStreams.delete(account);
    else this.#ownStreams.set(account, streams);
    this.#streamsChanged = true;
    this.#sendSoon();
  }

  openAtOthers(account: string): number {
    return this.#openStreams.get(account) ?? 0;
  }

  /** The heartbeat of another process; returns which. Throws if it cannot be read. */
  received(bytes: Uint8Array): string {
    const { node, role, over, window, counts, streams } = decode(bytes) as Heartbeat;
    if (node === this.#options.node) return node;
    if (over) {
      this.gone(node);
      return node;
    }
    const made = { role, receivedMs: 0, window, counts: new Map(), streams: new Map(), isGone: false };
    const other: Other = this.#others.get(node) ?? made;
    this.#others.set(node, other);
    other.isGone = false;
    other.receivedMs = monotonicMs();
    if (window > this.#window) this.#begin(window);
    if (window !== other.window) {
      other.window = window;
      other.counts.clear();
    }
    if (window === this.#window)
      for (let i = 0; i < counts.length; i += 2) {
        const [name, total] = [counts[i] as string, counts[i + 1] as number];
        add(this.#counts, name, total - (other.counts.get(name) ?? 0));
        other.counts.set(name, total);
      }
    if (streams === null) return node;
    const open = new Map<string, number>();
    for (let i = 0; i < streams.length; i += 2) open.set(streams[i] as string, streams[i + 1] as number);
    this.#replaceStreams(other, open);
    return node;
  }

  /** Another process has ended: its streams are free, what it counted in this minute was counted. */
  gone(node: string): void {
    const other = this.#others.get(node);
    if (other === undefined) return;
    this.#replaceStreams(other, new Map());
    other.isGone = true;
  }

  /** What a process that cannot say so itself would say at its end. */
  static lastOf(node: string): Uint8Array {
    return encode({ node, role: 'front', over: true, window: 0, counts: [], streams: [] } satisfies Heartbeat);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    clearImmediate(this.#soon);
    this.#options.send(Heartbeats.lastOf(this.#options.node));
  }

  #sendSoon(): void {
    this.#soon ??= setImmediate(() => this.#send());
  }

  #send(): void {
    clearImmediate(this.#soon);
    this.#soon = undefined;
    this.#forgetSilent();
    const { node, role, send } = this.#options;
    const nowMs = monotonicMs();
    const all = nowMs - this.#allSentMs >= ALL_EVERY_MS;
    const changed = this.#untold.size > 0 || this.#streamsChanged;
    if (!all && !changed && nowMs - this.#sentMs < LIFE_EVERY_MS) return;
    this.#sentMs = nowMs;
    if (all) this.#allSentMs = nowMs;
    const counts: (string | number)[] = [];
    for (const name of (all ? this.#own : this.#untold).keys()) {
      if (counts.length >= 2 * LIMITS.heartbeatCallers.max) break;
      counts.push(name, this.#own.get(name)!);
      this.#untold.delete(name);
    }
    const streams = all || this.#streamsChanged ? [...this.#ownStreams].flat() : null;
    this.#streamsChanged = false;
    send(encode({ node, role, over: false, window: this.#window, counts, streams } satisfies Heartbeat));
  }

  /** Counts of an earlier window no longer matter. */
  #begin(window: number): void {
    if (window <= this.#window) return;
    this.#window = window;
    this.#own.clear();
    this.#untold.clear();
    this.#counts.clear();
    for (const [node, other] of this.#others)
      if (other.isGone) this.#others.delete(node);
      else other.counts.clear();
  }

  #replaceStreams(other: Other, streams: ReadonlyMap<string, number>): void {
    for (const [account, count] of other.streams) add(this.#openStreams, account, -count);
    for (const [account, count] of streams) add(this.#openStreams, account, count);
    other.streams = streams;
  }

  #forgetSilent(): void {
    const nowMs = monotonicMs();
    for (const [node, { receivedMs }] of this.#others) if (nowMs - receivedMs >= GONE_MS) this.gone(node);
  }
}

/** A caller's name among the counts of all kinds. */
export function nameOf(kind: CountedKind, caller: string): string {
  return `${kind[0]} ${caller}`;
}

function add(counts: Map<string, number>, name: string, count: number): void {
  const sum = (counts.get(name) ?? 0) + count;
  if (sum === 0) counts.delete(name);
  else counts.set(name, sum);
}
