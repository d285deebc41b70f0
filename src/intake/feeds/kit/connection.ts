// A connection that is re-established with back-off and jitter when it ends, and ended when the venue no longer answers
// heartbeats. Its data is doubtful from the moment it may have been cut, so `down` is called before the first retry.

import { LIMITS } from '../../../base/model/limits.js';
import { type BackoffLimits, backoffMs, wait } from '../wait.js';
import { type VenueAccess, VenuePause } from './rest.js';

export interface ConnectionOptions extends VenueAccess {
  /** The feed's part in /health and the log. */
  name: string;
  dial: Dial;
  /** Interval of heartbeats; 2 s by default. */
  pingEveryMs?: number;
  /** Time without any sign of life after which the connection is dead; 6 s by default. */
  silenceMsMax?: number;
  /** The connection is open: log in, subscribe. */
  opened(): void;
  received(text: string): void;
  /** Everything received over it may be outdated. Also called if the very first attempt fails. */
  down(reason: string): void;
}

const BACKOFF: BackoffLimits = { firstMs: 200, capMs: 3_000 };
/** For errors that a person has to fix (a key, a clock): frequent retries would not help. */
const REFUSED_BACKOFF: BackoffLimits = { firstMs: 5_000, capMs: 60_000 };
/** A connection that was open this long was good: the next back-off starts from the beginning. */
const GOOD_AFTER_MS = 5_000;
/** Time limit for opening the connection. */
const OPEN_WITHIN_MS = 6_000;
/** A timer later than this was not merely queued. */
const LATE_MS = 1_000;
/** Upper bound on the delay that a venue may request. */
const RETRY_AFTER_MS_MAX = LIMITS.venueRetryAfter.max;

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #pause: VenuePause;
  #transport: Transport | undefined;
  #open = false;
  /** When the newest connection opened (Unix ms); undefined if it did not. */
  #openedMs: number | undefined;
  #failures = 0;
  /** No connection was good since one had to be dropped for what came over it. */
  #isDropped = false;
  /** Refused keys in a row. */
  #refusals = 0;
  #lastSignMs = 0;
  /** A late check has put off the end of this silence. */
  #excused = false;
  #end: ((ending: Ending) => void) | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#pause = options.pause ?? new VenuePause();
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Sends one message; if the connection cannot accept it, it is dropped. */
  send(text: string): void {
    if (this.#open && this.#transport?.send(text) === false) this.drop('nothing can be sent any more');
  }

  /** Ends the connection; it is re-established after a back-off. */
  drop(reason: string): void {
    this.#isDropped = true;
    this.#end?.({ reason });
  }

  /** Resets the back-off at once: the protocol works (a login was accepted). Not where what follows it is what fails. */
  proved(): void {
    if (!this.#isDropped) this.#failures = 0;
  }

  /** Maintains the connection until the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { context, name, random } = this.#options;
    while (!signal.aborted) {
      for (let nowMs = context.clock.now(); this.#pause.untilMs > nowMs; nowMs = context.clock.now())
        if (!(await wait(this.#pause.untilMs - nowMs, signal))) return;
      const ending = await this.#once(signal);
      if (signal.aborted) return;
      const openMs = context.clock.now() - (this.#openedMs ?? Number.POSITIVE_INFINITY);
      if (openMs >= GOOD_AFTER_MS && ending.status === undefined) {
        this.#failures = 0;
        this.#isDropped = false;
      }
      this.#failures++;
      const refused = ending.status === 401 || ending.status === 403;
      this.#refusals = refused ? this.#refusals + 1 : 0;
      const requestedMs = Math.min(RETRY_AFTER_MS_MAX, (ending.retryAfterS ?? 0) * 1000);
      if (ending.status === 429) this.#pause.extend(context.clock.now() + requestedMs);
      // A key that is refused once after lost connections is not yet refused often: a late clock is soon right again.
      const ownMs = refused
        ? backoffMs(this.#refusals, REFUSED_BACKOFF, random)
        : backoffMs(this.#failures, BACKOFF, random);
      const waitMs = Math.max(requestedMs, ownMs);
      context.report?.failed(name, ending.reason);
      context.report?.counted?.('reconnects');
      // One log line per outage, and one now and then while it lasts.
      if (this.#failures === 1 || this.#failures % 20 === 0 || refused) {
        const fields = { part: name, reason: ending.reason, failures: this.#failures, retry_ms: Math.round(waitMs) };
        if (refused) context.log.error(fields, 'feed: the venue refuses the key, or the clock is wrong');
        else context.log.warn(fields, 'feed: connection lost; it is made again');
      }
      if (!(await wait(waitMs, signal))) return;
    }
  }

  /** One connection from opening to end. */
  async #once(signal: AbortSignal): Promise<Ending> {
    const { dial, context, name, opened, received, down } = this.#options;
    const over = new AbortController();
    this.#openedMs = undefined;
    const stop = (): void => this.#end?.({ reason: 'stopped' });
    signal.addEventListener('abort', stop, { once: true });
    const ending = await new Promise<Ending>((resolve) => {
      // What comes after it, maybe in the same packet, is of no connection any more.
      const end = (why: Ending): void => {
        if (live()) this.#end = undefined;
        resolve(why);
      };
      const live = (): boolean => this.#end === end;
      this.#end = end;
      const sign = (): void => {
        this.#lastSignMs = context.clock.now();
        this.#excused = false;
      };
      sign();
      this.#transport = dial({
        opened: () => {
          if (!live()) return;
          this.#open = true;
          sign();
          this.#openedMs = this.#lastSignMs;
          context.report?.succeeded(name);
          opened();
          this.#transport?.ping();
        },
        received: (text) => {
          if (!live()) return;
          sign();
          context.report?.counted?.('messages');
          try {
            received(text);
          } catch (error) {
            // Thrown on, out of a socket's event, it would end the process. What the message said is not known.
            this.drop(`a message was not understood: ${(error as Error).message}`);
          }
        },
        alive: () => {
          if (live()) sign();
        },
        ended: end,
      });
      void this.#watch(over.signal);
    });
    over.abort();
    signal.removeEventListener('abort', stop);
    this.#end = undefined;
    this.#open = false;
    this.#transport?.close();
    this.#transport = undefined;
    down(ending.reason);
    return ending;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { pingEveryMs = 2_000, silenceMsMax = 6_000, context } = this.#options;
    let lastMs = context.clock.now();
    while (await wait(pingEveryMs, signal)) {
      const nowMs = context.clock.now();
      // If this check itself is late, the process was stalled: received data may be unread, and no ping was sent. One
      // more check decides; after that a busy process does not keep a dead connection.
      const isLate = nowMs - lastMs > pingEveryMs + LATE_MS;
      lastMs = nowMs;
      const silentMs = nowMs - this.#lastSignMs;
      const isDead = silentMs >= (this.#open ? silenceMsMax : OPEN_WITHIN_MS);
      if (isDead && isLate && !this.#excused) this.#excused = true;
      else if (isDead) {
        this.#end?.({ reason: this.#open ? `no sign of life for ${Math.round(silentMs)} ms` : 'no answer' });
        return;
      }
      if (this.#open) this.#transport?.ping();
    }
  }
}

/** An open connection to a venue, of any kind. After close() it calls nothing any more. */
export interface Transport {
  /** False if it cannot accept more now (its buffer is full): the connection is as good as dead then. */
  send(text: string): boolean;
  /**
   * Requests a sign of life; the answer is reported through `alive`. If the venue sends heartbeats by itself it does
   * nothing.
   */
  ping(): void;
  close(): void;
}

/** Why a connection ended or was never established. */
export interface Ending {
  reason: string;
  /** HTTP status of a refused handshake, if there was one. */
  status?: number;
  /** Seconds to wait, as requested by the venue. */
  retryAfterS?: number;
}

/** Callbacks of a transport. `ended` is called once, last, also if the connection was never established. */
export interface TransportEvents {
  /** Ready for send(). */
  opened(): void;
  /** One whole message. It counts as a sign of life. */
  received(text: string): void;
  /** A sign of life that is not a message: a pong, a heartbeat. */
  alive(): void;
  ended(ending: Ending): void;
}

/** Starts to connect. Must not throw: errors are reported through `ended`. */
export type Dial = (events: TransportEvents) => Transport;
