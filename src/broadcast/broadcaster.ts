// Fans changes out: once per tick each group's changes are encoded and handed to its members. Ticks run outside any
// socket's callback, so that each write is corked on its own.

import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { noOpportunities, type OpportunityViews } from '../answers/opportunities/views.js';
import { diagnosticChannels } from '../base/diagnostics/diagnostic-channels.js';
import { getOrInsert } from '../base/memory/get-or-insert.js';
import type { Clock } from '../base/model/clock.js';
import { KEYED_NAMES } from '../base/model/stream-channels.js';
import { formatMs } from '../base/model/time.js';
import type { StreamPosition, TableDelta } from '../log/delta/delta.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { AskHistory } from '../store/clv/queries.js';
import type { ResultsBoard } from '../tables/results.js';
import type { Applied, OddsTable } from '../tables/table.js';
import { CUT_SIZES, type CutSizes } from './change-frames.js';
import type { FrameEncoder, Sink } from './frame-encoder.js';
import { Group, type GroupSources } from './group.js';
import { BetItems, type BetStore, keyedSources } from './keyed-channels.js';
import { OpeningPrices } from './opening-prices.js';
import { SendBudget } from './send-budget.js';
import { Subscriber } from './subscriber.js';
import { kindsOf, type Subscription, subscriptionKey } from './subscription.js';
import { groupTicks, TickScheduler } from './tick-scheduler.js';

/** How often the broadcaster looks after its streams. */
interface BroadcastTimes {
  heartbeatMs: number;
  /** Data pending and nothing sent for this long: the client is stuck. */
  stuckMs: number;
  sweepMs: number;
}

const BROADCAST_TIMES: BroadcastTimes = { heartbeatMs: 30_000, stuckMs: 10_000, sweepMs: 500 };

/** What a broadcaster works on. */
export interface BroadcasterOptions {
  table: OddsTable;
  results: ResultsBoard;
  /** Has the accounts' bets. */
  control: BetStore;
  catalogue: Catalogue;
  /** Epoch of the table's positions. */
  epoch: string;
  clock: Clock;
  /**
   * The clock is a recording's: measures how long a tick takes, and how long a stream takes nothing (ms); every change
   * is sent by itself. By default the clock measures.
   */
  elapsedMs?: () => number;
  /** Heartbeats are sent by beat() alone, and what batches change by written(): the clock is a recording's. */
  stepped?: boolean;
  /** Whether written() follows. */
  stepping?: () => boolean;
  opportunities?: OpportunityViews;
  /** Present if history is stored: snapshots may show openings. */
  history?: AskHistory | undefined;
  times?: Partial<BroadcastTimes>;
  sizes?: CutSizes;
  /** Whether changes are being committed that will be published soon: a costly tick may wait for them. */
  moreComes?: () => boolean;
  /** Position up to which the table shows everything: past its own if nothing has changed since; its own by default. */
  reached?: () => number;
  /** Whether others may be at a position that the table has not reached yet; never by default. */
  mayCome?: (position: number) => boolean;
  /** Whether a position within the log is one of its batches'; true by default. */
  knows?: (position: number) => boolean;
  /** Source of these streams on diagnostics channels; the broadcaster itself by default. */
  source?: object;
}

/** Most sockets have room within a few turns of the loop. */
const BRIEF_TURNS = 20;
const POLL_MS = 2;
/** In turns: sockets that take nothing are looked at. */
const EXPIRE_EVERY = 100;
/** Two processes that follow one log are milliseconds apart, and occasionally as long as a start. */
const POSITION_WAIT_MS = 2_000;

export interface BroadcastStats {
  ticks: number;
  deliveries: number;
  deliveredBytes: number;
  /** Milliseconds spent in the last tick. */
  lastTickMs: number;
  stuckClosed: number;
}

/** Where a stream starts. `refused` says why it could not resume from the requested position. */
export interface Start {
  at: StreamPosition;
  resumed: boolean;
  refused: 'too_old' | 'unknown_position' | null;
}

/** A group, and the end of a claim on the group's universe. */
export interface GroupClaim {
  readonly group: Group<Subscriber>;
  unclaim(): void;
}

const NOTHING_CLAIMED = (): void => undefined;

interface Waiting {
  after: number;
  /** How long that position may still arrive (Unix ms). */
  waitUntilMs: number;
  onStart(start: Start): void;
}

export class Broadcaster {
  readonly stats: BroadcastStats = { ticks: 0, deliveries: 0, deliveredBytes: 0, lastTickMs: 0, stuckClosed: 0 };
  readonly #sources: GroupSources;
  readonly #bets: BetItems;
  readonly #epoch: string;
  readonly #clock: Clock;
  readonly #times: BroadcastTimes;
  readonly #budget: SendBudget;
  readonly #groups = new Map<string, Group<Subscriber>>();
  /** By stream: ends its claim on a universe. */
  readonly #claims = new Map<Subscriber, () => void>();
  /** Streams whose right to stream ends at some time. */
  readonly #ending = new Set<Subscriber>();
  /** Streams that want to resume from a position of which it is not known yet whether they can. */
  readonly #waiting = new Map<Subscriber, Waiting>();
  /** A batch's, from which a stream was resumed: most of those that return together name the same one. */
  #knownPosition = -1;
  #closed = false;
  readonly #ticks: TickScheduler;
  readonly #groupTicks: ReturnType<typeof groupTicks>;
  readonly #source: object;
  readonly #reached: () => number;
  readonly #mayCome: (position: number) => boolean;
  readonly #knows: (position: number) => boolean;
  readonly #elapsedMs: () => number;
  readonly #stepped: boolean;
  readonly #heartbeat: NodeJS.Timeout | undefined;
  readonly #sweep: NodeJS.Timeout;

  constructor(options: BroadcasterOptions) {
    const { table, results, catalogue, clock, opportunities = noOpportunities, sizes = CUT_SIZES } = options;
    this.#source = options.source ?? this;
    this.#reached = options.reached ?? (() => table.position);
    this.#mayCome = options.mayCome ?? (() => false);
    this.#knows = options.knows ?? (() => true);
    this.#elapsedMs = options.elapsedMs ?? (() => clock.now());
    this.#ticks = new TickScheduler(
      { now: this.#elapsedMs },
      () => this.#tick(),
      options.moreComes ?? (() => false),
      options.elapsedMs !== undefined,
    );
    this.#groupTicks = groupTicks(
      this.stats,
      () => this.#elapsedMs(),
      () => this.#ticks.request(),
    );
    this.#bets = new BetItems({
      store: options.control,
      // When a change is made in a recording's time, everything before it is shown.
      reached: options.elapsedMs === undefined ? this.#reached : () => Number.POSITIVE_INFINITY,
      changed: () => {
        if (options.stepping?.() !== true) this.changed();
      },
    });
    const keyed = keyedSources(table, results, this.#bets);
    const { history } = options;
    const openings = history === undefined ? null : new OpeningPrices(table, history, clock, () => this.changed());
    this.#sources = { table, catalogue, opportunities, keyed, openings, sizes };
    this.#epoch = options.epoch;
    this.#clock = clock;
    this.#budget = new SendBudget(clock, sizes.turnBytes);
    this.#times = { ...BROADCAST_TIMES, ...options.times };
    this.#stepped = options.stepped ?? false;
    if (!this.#stepped) this.#heartbeat = setInterval(() => this.beat(), this.#times.heartbeatMs);
    this.#sweep = setInterval(() => this.sweep(), this.#times.sweepMs);
  }

  /** Whether snapshots can show openings. */
  get hasOpenings(): boolean {
    return this.#sources.openings !== null;
  }

  get groupCount(): number {
    return this.#groups.size;
  }

  get subscriberCount(): number {
    let count = 0;
    for (const group of this.#groups.values()) count += group.members.size;
    return count;
  }

  /** Number of clients whose sockets have unsent data. */
  get fullCount(): number {
    let count = 0;
    for (const group of this.#groups.values()) for (const member of group.catchingUp) if (member.full) count++;
    return count;
  }

  /** A place for one subscriber(). Throws ApiError if its account, or all together, use too many universes. */
  claimGroup(encoder: FrameEncoder, subscription: Subscription): GroupClaim {
    const { caller, filter, thresholds } = subscription;
    const kinds = kindsOf(subscription.channels);
    const unclaim =
      caller === undefined || kinds.length === 0
        ? NOTHING_CLAIMED
        : this.#sources.opportunities.claim({ ...thresholds, universe: filter.universe, kinds }, caller);
    try {
      return { group: this.#group(encoder, subscription), unclaim };
    } catch (error) {
      unclaim();
      throw error;
    }
  }

  /**
   * A stream that has not begun: start() it, then call its `pump`.
   * @param endMs when its right to stream ends (Unix ms): it is closed within half a second of it
   */
  subscriber({ group, unclaim }: GroupClaim, sink: Sink, endMs = Number.POSITIVE_INFINITY): Subscriber {
    const subscriber = new Subscriber(group, sink, this.#budget, this.#elapsedMs, endMs);
    group.join(subscriber);
    this.#claim(subscriber, unclaim);
    if (endMs < Number.POSITIVE_INFINITY) this.#ending.add(subscriber);
    return subscriber;
  }

  /**
   * Starts a subscriber in its group: after a position if that is possible, else with a snapshot. `onStart` is called
   * with the decision before anything is sent. That is at once, unless a position was given and the universe's
   * opportunities or their ends are still being fetched, or the position has been reached by other processes and is about
   * to be reached here. Never for one that has left.
   */
  start(subscriber: Subscriber, after: number | null, onStart: (start: Start) => void): void {
    this.#supersede(subscriber);
    if (subscriber.closed) return;
    const { group } = subscriber;
    const waitUntilMs = this.#clock.now() + POSITION_WAIT_MS;
    if (after !== null && this.#waits(group, after, waitUntilMs)) {
      subscriber.waitIn(group);
      this.#waiting.set(subscriber, { after, waitUntilMs, onStart });
    } else onStart(this.#startNow(subscriber, after));
  }

  #claim(subscriber: Subscriber, unclaim: () => void): void {
    if (unclaim === NOTHING_CLAIMED) this.#claims.delete(subscriber);
    else this.#claims.set(subscriber, unclaim);
  }

  #waits(group: Group<Subscriber>, after: number, waitUntilMs: number): boolean {
    if (after <= group.head || after <= this.#reached()) return !group.ready;
    return this.#clock.now() < waitUntilMs && this.#mayCome(after);
  }

  #startNow(subscriber: Subscriber, after: number | null): Start {
    const { group } = subscriber;
    let refused: Start['refused'] = null;
    if (after !== null) {
      // Nothing has changed between them.
      if (after > group.head && after <= this.#reached() && this.#knows(after))
        return this.#startNow(subscriber, group.head);
      if (!(after <= group.head)) refused = 'unknown_position';
      else if (!group.reaches(after)) refused = 'too_old';
      else if (!this.#isOfLog(group, after)) refused = 'unknown_position';
      else {
        subscriber.resumeFrom(group, after);
        return { at: this.#at(after), resumed: true, refused: null };
      }
    }
    return { at: this.#at(subscriber.snapshotFrom(group, this.#clock.now())), resumed: false, refused };
  }

  /** The log's beginning, and the last position that was cut from it, are no batch's. */
  #isOfLog({ head }: Group<Subscriber>, position: number): boolean {
    const { completeFrom } = this.#sources.table.tombstones;
    if (position === head || position === completeFrom || position === this.#knownPosition) return true;
    if (!this.#knows(position)) return false;
    this.#knownPosition = position;
    return true;
  }

  #at(position: number): StreamPosition {
    return { epoch: this.#epoch, position };
  }

  /** A subscriber that is still waiting is told that its start was replaced: it did not resume. It may leave by that. */
  #supersede(subscriber: Subscriber): void {
    const waiting = this.#waiting.get(subscriber);
    if (waiting === undefined) return;
    this.#waiting.delete(subscriber);
    waiting.onStart({ at: this.#at(subscriber.group.head), resumed: false, refused: null });
  }

  #startWaiting(): void {
    for (const [subscriber, { after, waitUntilMs, onStart }] of this.#waiting) {
      if (this.#waits(subscriber.group, after, waitUntilMs)) continue;
      this.#waiting.delete(subscriber);
      onStart(this.#startNow(subscriber, after));
    }
  }

  /** Moves a subscriber to the group of another subscription; start() it again then. Throws as claimGroup() does. */
  move(subscriber: Subscriber, encoder: FrameEncoder, subscription: Subscription): void {
    const { group, unclaim } = this.claimGroup(encoder, subscription);
    this.#claims.get(subscriber)?.();
    this.#claim(subscriber, unclaim);
    this.#supersede(subscriber);
    const before = subscriber.group;
    // Its socket may have had no room for being told.
    if (subscriber.closed) this.#forget(group, subscriber);
    else if (group !== before) {
      subscriber.idleIn(group);
      group.join(subscriber);
      this.#forget(before, subscriber);
    }
  }

  leave(subscriber: Subscriber): void {
    subscriber.close();
    this.#ending.delete(subscriber);
    this.#waiting.delete(subscriber);
    this.#claims.get(subscriber)?.();
    this.#claims.delete(subscriber);
    this.#forget(subscriber.group, subscriber);
  }

  /** The table has applied a delta. To be called after the delta's other listeners. */
  apply(applied: Applied, delta: TableDelta): void {
    for (const name of KEYED_NAMES) this.#sources.keyed[name].apply(applied, delta);
    if (!this.#stepped) this.#ticks.requestFirst();
  }

  /** There is something to send although no delta came: a view has become ready. */
  changed(): void {
    this.#ticks.request();
  }

  /**
   * Settles when every stream was sent all that changed, or closed as its socket took nothing for `stuckMs`: where a
   * recording is served in steps, a step's answer follows it.
   */
  async written(stuckMs: number): Promise<void> {
    for (let turn = 1; !this.#closed; turn++) {
      this.#tick();
      const behind = [...this.#groups.values()].flatMap(({ catchingUp }) =>
        [...catchingUp].filter((one) => !one.settled),
      );
      if (behind.length === 0) return;
      if (turn < BRIEF_TURNS) await nextTurn();
      else await pause(POLL_MS);
      if (turn % EXPIRE_EVERY === 0) for (const member of behind) this.#expire(member, this.#clock.now(), stuckMs);
    }
  }

  #expire(member: Subscriber, nowMs: number, stuckMs = this.#times.stuckMs): void {
    if (member.expireIfStuck(nowMs, stuckMs)) this.stats.stuckClosed++;
  }

  close(): void {
    this.#closed = true;
    this.#ticks.close();
    this.#groupTicks.close();
    this.#bets.close();
    clearInterval(this.#heartbeat);
    clearInterval(this.#sweep);
    for (const group of this.#groups.values()) {
      for (const subscriber of group.members) subscriber.close();
      group.close();
    }
    this.#groups.clear();
    this.#claims.clear();
    this.#ending.clear();
    this.#waiting.clear();
  }

  #group(encoder: FrameEncoder, subscription: Subscription): Group<Subscriber> {
    const key = `${encoder.name}|${subscriptionKey(subscription)}`;
    const group = getOrInsert(
      this.#groups,
      key,
      () => new Group<Subscriber>(key, this.#sources, subscription, encoder),
    );
    return group;
  }

  #forget(group: Group<Subscriber>, subscriber: Subscriber): void {
    group.leave(subscriber);
    if (group.members.size > 0 || this.#groups.get(group.key) !== group) return;
    this.#groups.delete(group.key);
    group.close();
  }

  #tick(): void {
    const startedMs = this.#clock.now();
    if (this.#waiting.size > 0) this.#startWaiting();
    this.#groupTicks.tick(this.#groups.values(), startedMs);
    this.stats.ticks++;
    this.stats.lastTickMs = this.#clock.now() - startedMs;
    const { streamsTick } = diagnosticChannels;
    if (!streamsTick.hasSubscribers) return;
    const { lastTickMs: ms, deliveries, deliveredBytes } = this.stats;
    streamsTick.publish({ source: this.#source, ms, deliveries, deliveredBytes });
  }

  /** A heartbeat to everyone; called every `heartbeatMs`. */
  beat(): void {
    const nowMs = this.#clock.now();
    const { completeFrom } = this.#sources.table.tombstones;
    for (const name of KEYED_NAMES) this.#sources.keyed[name].forget(completeFrom);
    const timestamp = formatMs(nowMs);
    for (const group of this.#groups.values()) {
      const chunkOf = group.heartbeats(timestamp);
      for (const member of group.members) {
        member.pump(nowMs);
        member.beat(chunkOf);
      }
    }
  }

  /** Closes streams that are stuck or whose trial has ended; called every `sweepMs`. */
  sweep(): void {
    const nowMs = this.#clock.now();
    if (this.#waiting.size > 0) this.#startWaiting();
    for (const group of this.#groups.values()) {
      group.forgetSnapshot(nowMs);
      for (const member of group.catchingUp) this.#expire(member, nowMs);
    }
    for (const member of this.#ending) member.expireIfOver(nowMs);
  }
}
