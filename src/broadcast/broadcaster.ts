// Fans changes out: once a tick each group's news is encoded and handed to its members. Ticks run outside any socket's
// callback, so that each write is corked on its own, and grow by themselves when there is more to do than time.
import type { Clock } from '../clock.js';
import { formatMs } from '../ingest/time.js';
import type { OddsTable } from '../table/table.js';
import { type Changes, changesSince } from './changes.js';
import type { Dress } from './frames.js';
import { Group } from './group.js';
import type { StreamFilter } from './stream-filter.js';
import { type Sink, type Start, Subscriber } from './subscriber.js';

export const HEARTBEAT_MS = 30_000;
/** Data pending and nothing taken for this long: the client is stuck. */
export const STUCK_MS = 10_000;
const SWEEP_MS = 1_000;

export interface BroadcastStats {
  ticks: number;
  deliveries: number;
  deliveredBytes: number;
  /** Milliseconds spent in the last tick. */
  lastTickMs: number;
  stuckClosed: number;
}

export class Broadcaster {
  readonly stats: BroadcastStats = { ticks: 0, deliveries: 0, deliveredBytes: 0, lastTickMs: 0, stuckClosed: 0 };
  readonly #table: OddsTable;
  readonly #clock: Clock;
  readonly #groups = new Map<string, Group>();
  #tickedTo: number;
  #scheduled = false;
  #closed = false;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #sweep: NodeJS.Timeout;

  constructor(table: OddsTable, clock: Clock) {
    this.#table = table;
    this.#clock = clock;
    this.#tickedTo = table.position;
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    this.#sweep = setInterval(() => this.#sweepStuck(), SWEEP_MS);
  }

  get groupCount(): number {
    return this.#groups.size;
  }

  get subscriberCount(): number {
    let count = 0;
    for (const group of this.#groups.values()) count += group.members.size;
    return count;
  }

  /** The group of a transport, channel and filter; made when first asked for. */
  group(transport: string, dress: Dress, channel: string, filter: StreamFilter): Group {
    const key = `${transport}|${channel}|${filter.key}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = new Group(key, this.#table, filter, dress, channel !== 'opportunities');
      this.#groups.set(key, group);
    }
    return group;
  }

  /** Joins a client to its group; call `pump` on the answer to start it. */
  join(group: Group, sink: Sink, start: Start): Subscriber {
    const subscriber = new Subscriber(group, sink, start, this.#clock.now());
    group.members.add(subscriber);
    this.#groups.set(group.key, group);
    return subscriber;
  }

  leave(subscriber: Subscriber): void {
    subscriber.close();
    subscriber.group.members.delete(subscriber);
    if (subscriber.group.members.size === 0) this.#groups.delete(subscriber.group.key);
  }

  /** There is a new delta: tick soon. All that arrive before the tick runs are one. */
  changed(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.#closed) this.#tick();
    });
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    clearInterval(this.#sweep);
    for (const group of this.#groups.values()) for (const subscriber of group.members) subscriber.close();
    this.#groups.clear();
  }

  #tick(): void {
    const startedMs = this.#clock.now();
    const after = this.#tickedTo;
    const upTo = this.#table.position;
    if (upTo === after) return;
    this.#tickedTo = upTo;
    // Walked once for all groups.
    let changes: Changes | null = null;
    for (const group of this.#groups.values()) {
      let bytes: Buffer | null | undefined;
      const late: Subscriber[] = [];
      for (const member of group.members) {
        if (!member.isLive(after)) {
          if (!member.behind) late.push(member);
          continue;
        }
        if (bytes === undefined) {
          changes ??= changesSince(this.#table, after);
          bytes = group.encode(changes);
        }
        member.take(bytes, upTo, startedMs);
        if (bytes !== null) {
          this.stats.deliveries++;
          this.stats.deliveredBytes += bytes.length;
        }
      }
      // Those that joined between two ticks stand at a position of their own; the shared bytes are used up by now.
      for (const member of late) member.pump(startedMs, false);
    }
    this.stats.ticks++;
    this.stats.lastTickMs = this.#clock.now() - startedMs;
  }

  #beat(): void {
    const nowMs = this.#clock.now();
    for (const group of this.#groups.values()) {
      for (const member of group.members) if (!member.isLive(this.#table.position)) member.pump(nowMs, false);
      const bytes = group.heartbeat(formatMs(nowMs));
      for (const member of group.members) if (member.isLive(this.#table.position)) member.note(bytes, nowMs);
    }
  }

  #sweepStuck(): void {
    const nowMs = this.#clock.now();
    for (const group of this.#groups.values()) {
      group.forgetSnapshot(nowMs);
      for (const member of group.members) if (member.expireIfStuck(nowMs, STUCK_MS)) this.stats.stuckClosed++;
    }
  }
}
