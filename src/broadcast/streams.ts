// Where every stream is opened, whatever carries it: whether the caller may stream and see the channels, its filters
// and thresholds, its slot, its group, and where it starts. SSE and WebSocket only say the outcome in their own words.
import { checkAccess, checkOpenings, type StreamingTrial, seesChannel, trialOf } from '../accounts/access.js';
import { bookOwnerOf, callerOf, isSameCaller, type KeyRecord } from '../accounts/key-record.js';
import { KEY_ENDED, type StreamSlot, type StreamSlots } from '../accounts/stream-slots.js';
import { ApiError } from '../base/model/errors.js';
import { CHANNEL_NAMES, type ChannelName, type ChannelWord, SEVERAL_CHANNELS } from '../base/model/stream-channels.js';
import type { Engine } from '../engine/engine.js';
import { DEFAULT_STATE } from '../rules/catalogue/deep-link.js';
import { streamingEndMs } from '../rules/catalogue/tiers.js';
import type { Tier } from '../rules/catalogue/types.js';
import { includes } from '../schema/parameters.js';
import type { SubscribeFilters } from '../schema/stream.js';
import { filterOfLists } from '../tables/filter/stream-filter.js';
import type { Broadcaster, GroupClaim, Start } from './broadcaster.js';
import type { FrameEncoder, Sink } from './frame-encoder.js';
import type { Subscriber } from './subscriber.js';
import { restricted, type StreamRequest, type Subscription, thresholdsOf } from './subscription.js';

export interface StreamsOptions {
  engine: Pick<Engine, 'catalogue' | 'table' | 'clock'>;
  broadcaster: Broadcaster;
  slots: StreamSlots;
  /** Whether clients that accept it get compressed streams. */
  compress: boolean;
  /** A text that is unique among all processes' streams. */
  nextId(): string;
}

/** Streams that are opened within this time with the same filters share what those come to. */
const SHARED_MS = 1_000;

/** What filters come to for a tier. */
interface Shared {
  tier: Tier;
  madeMs: number;
  subscription: Subscription;
}

/** Of a connection that has not said yet what it wants. */
const NOTHING: StreamRequest = { channels: [], filters: {} };

export class Streams {
  readonly #options: StreamsOptions;
  readonly #shared = new WeakMap<SubscribeFilters, Shared>();

  constructor(options: StreamsOptions) {
    this.#options = options;
  }

  /** Whether a client that accepts it is to be given a compressed stream. */
  get compress(): boolean {
    return this.#options.compress;
  }

  /**
   * A stream with its slot, to be attached to a socket and begun, or closed. Throws ApiError: what the caller may not
   * see, names that are unknown, too many streams.
   */
  open(key: KeyRecord, encoder: FrameEncoder, request = NOTHING): Stream {
    const { engine, broadcaster, slots } = this.#options;
    checkAccess(key, { streaming: true }, engine.clock.now());
    const subscription = this.#subscription(key, request);
    const slot = slots.acquire(key);
    try {
      return new Stream(this.#options, key, slot, {
        encoder,
        claim: broadcaster.claimGroup(encoder, subscription),
        subscription,
        read: (next) => this.#subscription(key, next),
      });
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  #subscription(key: KeyRecord, { channels: words, filters: asked }: StreamRequest): Subscription {
    const { engine, broadcaster } = this.#options;
    const nowMs = engine.clock.now();
    const channels = channelsOf(key, words, nowMs);
    const filters = words.length === 0 ? NOTHING.filters : restricted(engine.catalogue, asked, key.viewer);
    if (includes(filters.include, 'opening')) checkOpenings(broadcaster.hasOpenings, key.tier);
    const caller = callerOf(key);
    const known = this.#shared.get(filters);
    const isShared =
      known !== undefined &&
      known.tier === key.tier &&
      (!namesBooks(filters) || isSameCaller(known.subscription.caller, caller));
    if (isShared && nowMs - known.madeMs < SHARED_MS) {
      const { subscription } = known;
      const same = subscription.channels === channels && isSameCaller(subscription.caller, caller);
      return same ? subscription : { ...subscription, channels, caller };
    }
    const subscription = {
      channels,
      filter: filterOfLists(engine, key.tier, filters, bookOwnerOf(key)),
      thresholds: thresholdsOf(filters),
      state: (filters.state ?? DEFAULT_STATE).toLowerCase(),
      openings: includes(filters.include, 'opening'),
      depth: includes(filters.include, 'depth'),
      maxHz: filters.max_hz,
      caller,
    };
    this.#shared.set(filters, { tier: key.tier, madeMs: nowMs, subscription });
    return subscription;
  }
}

/** What these names mean depends on who asks. */
function namesBooks({ devig_book, sportsbooks }: StreamRequest['filters']): boolean {
  return devig_book !== undefined || sportsbooks !== undefined;
}

/** What a stream is opened with. */
interface Opening {
  encoder: FrameEncoder;
  claim: GroupClaim;
  subscription: Subscription;
  /** Another request of the same caller, as a subscription; throws ApiError. */
  read(request: StreamRequest): Subscription;
}

export class Stream {
  readonly id: string;
  readonly #options: StreamsOptions;
  readonly #key: KeyRecord;
  readonly #slot: StreamSlot;
  readonly #opening: Opening;
  #subscription: Subscription;
  /** Undefined until it has a socket. */
  #subscriber: Subscriber | undefined;
  #sink: Sink | undefined;

  constructor(options: StreamsOptions, key: KeyRecord, slot: StreamSlot, opening: Opening) {
    this.#options = options;
    this.#key = key;
    this.#slot = slot;
    this.#opening = opening;
    this.#subscription = opening.subscription;
    this.id = options.nextId();
  }

  get subscription(): Subscription {
    return this.#subscription;
  }

  /** Of its key; undefined if it has none. */
  get trial(): StreamingTrial | undefined {
    return trialOf(this.#key, this.#options.engine.clock.now());
  }

  /** Its socket: nothing but heartbeats are sent before begin(). */
  attach(sink: Sink): void {
    this.#slot.onKeyEnd(() => sink.fail('unauthorized', KEY_ENDED));
    this.#sink = sink;
    const { claim } = this.#opening;
    this.#subscriber = this.#options.broadcaster.subscriber(claim, sink, streamingEndMs(this.#key));
    this.#subscriber.idleIn(claim.group);
  }

  /** Null if reopen() can be called at once; else settles when it can. Never rejects. */
  ready(): Promise<void> | null {
    return this.#options.slots.ready(this.#key);
  }

  /** The client asks for another subscription than it was opened with. Throws ApiError `rate_limited`. */
  reopen(): void {
    this.#options.slots.reopen(this.#key);
  }

  /** Replaces what it is subscribed to; begin() again then. Throws ApiError before anything is changed. */
  subscribe(request: StreamRequest): void {
    const { encoder, read } = this.#opening;
    const subscription = read(request);
    this.#options.broadcaster.move(this.#subscriber!, encoder, subscription);
    this.#subscription = subscription;
  }

  /** Nothing but heartbeats, until it subscribes again. */
  unsubscribe(): void {
    this.subscribe(NOTHING);
    this.#subscriber!.idleIn(this.#subscriber!.group);
  }

  /**
   * Sends what it is subscribed to: after a position if that is possible, else from a snapshot. `told` is called with the
   * decision before anything is sent, possibly later.
   * @param after null: the caller does not resume; NaN: from what is no position
   */
  begin(after: number | null, told: (start: Start) => void): void {
    const subscriber = this.#subscriber!;
    const { broadcaster, engine } = this.#options;
    broadcaster.start(subscriber, after, (start) => {
      told(start);
      // What is small leaves with what was told. All else outside uWebSockets' own callback, where a cork is one write.
      if (this.#sink?.room !== undefined) subscriber.pump(engine.clock.now());
      else setImmediate(() => subscriber.pump(engine.clock.now()));
    });
  }

  /** Its socket accepted some of what was waiting; `drained` if all of it. */
  progressed(drained: boolean): void {
    this.#subscriber?.progressed();
    if (drained) this.#subscriber?.requestTurn();
  }

  /** Frees its slot and leaves its group. */
  close(): void {
    this.#slot.release();
    if (this.#subscriber !== undefined) this.#options.broadcaster.leave(this.#subscriber);
  }
}

/** Of one channel each: the same object, so that equal requests are seen to be equal. */
const SINGLE = new Map<ChannelWord, ReadonlySet<ChannelName>>(CHANNEL_NAMES.map((name) => [name, new Set([name])]));

/** Words for several channels mean those that the caller may see. Throws ApiError for what it may not. */
function channelsOf(key: KeyRecord, words: readonly ChannelWord[], nowMs: number): ReadonlySet<ChannelName> {
  const channels = new Set<ChannelName>();
  for (const word of words)
    if (word === 'opportunities' || word === 'all') {
      const open = SEVERAL_CHANNELS[word].filter((channel) => seesChannel(key, channel));
      if (open.length === 0) throw new ApiError('forbidden', `channel ${word}: nothing of it is open to the caller`);
      for (const channel of open) channels.add(channel);
    } else {
      checkAccess(key, { channel: word }, nowMs);
      if (words.length === 1) return SINGLE.get(word)!;
      channels.add(word);
    }
  return channels;
}
