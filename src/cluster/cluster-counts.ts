// Requests and streams of a cluster's nodes, exchanged in plain messages: at once if the unsent count is a noticeable
// part of a limit, else ten times a second. A silent node no longer counts as holding streams.

import type { Subscription } from '@nats-io/transport-node';
import type { CountedKind, SharedCounts } from '../accounts/shared-counts.js';
import { monotonicMs } from '../model/clock.js';
import { LIMITS } from '../model/limits.js';
import { decode, encode } from '../wire/codec.js';
import { type ClusterNats, isEnding, listen } from './nats.js';

const EVERY_MS = 100;
/** Everything is sent again: for nodes that joined later, and as a sign of life. */
const ALL_EVERY_MS = 1_000;
const GONE_MS = 4_000;
/** Fraction of a limit that may be counted before the others are notified at once. */
const UNPUBLISHED_PART = 0.02;
/** Callers remembered of one node. */
const REMEMBERED_MAX = LIMITS.clusterCallers.max;

interface CountsMessage {
  node: string;
  /** Minutes since 1970 that the counts are of. */
  window: number;
  /** Caller (prefixed by its kind) and its count in the window, alternately. */
  counts: (string | number)[];
  /** Account and number of open streams, alternately; null if nothing changed. */
  streams: (string | number)[] | null;
}

interface Other {
  receivedMs: number;
  window: number;
  readonly counts: Map<string, number>;
  streams: Map<string, number>;
}

export class ClusterCounts implements SharedCounts {
  readonly #nats: ClusterNats;
  readonly #node: string;
  readonly #subscription: Subscription;
  readonly #timer: NodeJS.Timeout;
  /** By node, until GONE_MS after its last message; each bounded by REMEMBERED_MAX. */
  readonly #others = new Map<string, Other>();
  /** Sums over the others. */
  readonly #counts = new Map<string, number>();
  readonly #openStreams = new Map<string, number>();
  #window = 0;
  /** Counted here in this window, and the part of it that was not sent yet. */
  readonly #own = new Map<string, number>();
  readonly #unpublished = new Map<string, number>();
  readonly #ownStreams = new Map<string, number>();
  #streamsChanged = false;
  #soon: NodeJS.Immediate | undefined;
  #allPublishedMs = 0;

  constructor(nats: ClusterNats, node: string) {
    this.#nats = nats;
    this.#node = node;
    this.#subscription = listen(
      nats.connection,
      nats.names.counts,
      ({ data }) => this.#received(decode(data) as CountsMessage),
      nats.onUnreadable,
    );
    this.#timer = setInterval(() => this.#publish(), EVERY_MS);
  }

  counted(kind: CountedKind, caller: string, window: number, total: number, limit: number): void {
    this.#begin(window);
    const name = nameOf(kind, caller);
    if (this.#own.size >= REMEMBERED_MAX && !this.#own.has(name)) return;
    this.#own.set(name, total);
    const unpublished = (this.#unpublished.get(name) ?? 0) + 1;
    this.#unpublished.set(name, unpublished);
    if (unpublished >= limit * UNPUBLISHED_PART) this.#publishSoon();
  }

  others(kind: CountedKind, caller: string, window: number): number {
    return window === this.#window ? (this.#counts.get(nameOf(kind, caller)) ?? 0) : 0;
  }

  holds(account: string, streams: number): void {
    if (streams === 0) this.#ownStreams.delete(account);
    else this.#ownStreams.set(account, streams);
    this.#streamsChanged = true;
    this.#publishSoon();
  }

  openAtOthers(account: string): number {
    return this.#openStreams.get(account) ?? 0;
  }

  close(): void {
    clearInterval(this.#timer);
    clearImmediate(this.#soon);
    this.#ownStreams.clear();
    this.#streamsChanged = true;
    this.#publish();
    this.#subscription.unsubscribe();
  }

  #publishSoon(): void {
    this.#soon ??= setImmediate(() => this.#publish());
  }

  #publish(): void {
    clearImmediate(this.#soon);
    this.#soon = undefined;
    this.#forget();
    const nowMs = monotonicMs();
    const all = nowMs - this.#allPublishedMs >= ALL_EVERY_MS;
    if (!all && this.#unpublished.size === 0 && !this.#streamsChanged) return;
    if (isEnding(this.#nats.connection)) return;
    if (all) this.#allPublishedMs = nowMs;
    const counts: (string | number)[] = [];
    for (const name of (all ? this.#own : this.#unpublished).keys()) {
      if (counts.length >= 2 * LIMITS.countsMessage.max) break;
      counts.push(name, this.#own.get(name)!);
      this.#unpublished.delete(name);
    }
    const streams = all || this.#streamsChanged ? [...this.#ownStreams].flat() : null;
    this.#streamsChanged = false;
    const own: CountsMessage = { node: this.#node, window: this.#window, counts, streams };
    this.#nats.connection.publish(this.#nats.names.counts, encode(own));
  }

  #received({ node, window, counts, streams }: CountsMessage): void {
    if (node === this.#node) return;
    const other = this.#others.get(node) ?? { receivedMs: 0, window, counts: new Map(), streams: new Map() };
    this.#others.set(node, other);
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
    if (streams === null) return;
    const open = new Map<string, number>();
    for (let i = 0; i < streams.length; i += 2) open.set(streams[i] as string, streams[i + 1] as number);
    this.#replaceStreams(other, open);
  }

  /** Counts of an earlier window no longer matter. */
  #begin(window: number): void {
    if (window <= this.#window) return;
    this.#window = window;
    this.#own.clear();
    this.#unpublished.clear();
    this.#counts.clear();
    for (const other of this.#others.values()) other.counts.clear();
  }

  #replaceStreams(other: Other, streams: Map<string, number>): void {
    for (const [account, count] of other.streams) add(this.#openStreams, account, -count);
    for (const [account, count] of streams) add(this.#openStreams, account, count);
    other.streams = streams;
  }

  #forget(): void {
    const nowMs = monotonicMs();
    for (const [node, other] of this.#others) {
      if (nowMs - other.receivedMs < GONE_MS) continue;
      this.#replaceStreams(other, new Map());
      this.#others.delete(node);
    }
  }
}

function nameOf(kind: CountedKind, caller: string): string {
  return `${kind === 'requests' ? 'r' : 'o'} ${caller}`;
}

function add(counts: Map<string, number>, name: string, count: number): void {
  const sum = (counts.get(name) ?? 0) + count;
  if (sum === 0) counts.delete(name);
  else counts.set(name, sum);
}
