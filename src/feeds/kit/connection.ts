// A connection that is kept: made again with back-off and jitter when it ends, and ended where the venue gives no sign of
// life. What it carries is doubtful from the first moment it may have been cut, so `down` is told before the first retry.
import { LIMITS } from '../../model/limits.js';
import { type BackoffLimits, backoffMs } from '../backoff.js';
import type { FeedContext } from '../feed.js';
import { wait as timerWait, type Wait } from '../wait.js';
import type { Dial, Ending, Transport } from './transport.js';

export interface ConnectionOptions {
  /** The part of the feed it is, as /health and the log name it. */
  name: string;
  dial: Dial;
  context: FeedContext;
  /** Uniform in [0, 1): jitter. */
  random: () => number;
  /** A sign of life is asked for this often; 2 s unless set. */
  askEveryMs?: number;
  /** Without a sign of life for this long the venue is gone; 6 s unless set. */
  silenceMsMax?: number;
  /** For the connection to open; 6 s unless set. */
  openMsMax?: number;
  backoff?: BackoffLimits;
  wait?: Wait;
  /** Ready to be talked to: log in, subscribe. */
  opened(): void;
  received(text: string): void;
  /** Whatever came over it is no longer known to be so. Also told where the very first attempt fails. */
  down(reason: string): void;
}

const BACKOFF: BackoffLimits = { firstMs: 200, capMs: 3_000 };
/** For what a person has to mend (a key, a clock): asking often would not help. */
const REFUSED_BACKOFF: BackoffLimits = { firstMs: 5_000, capMs: 60_000 };
/** A connection that stood this long was a good one: the next back-off begins anew. */
const GOOD_AFTER_MS = 5_000;
/** A timer later than this did not only wait its turn. */
const LATE_MS = 1_000;
/** A venue that asks to be left alone for longer is asked again after this. */
const RETRY_AFTER_MS_MAX = LIMITS.venueAskedWait.max;

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #wait: Wait;
  #transport: Transport | undefined;
  #open = false;
  #failures = 0;
  #lastSignMs = 0;
  #end: ((ending: Ending) => void) | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#wait = options.wait ?? timerWait;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Sends one message; a connection that cannot take it is dropped. */
  send(text: string): void {
    if (this.#open && this.#transport?.send(text) === false) this.drop('nothing can be sent any more');
  }

  /** Ends the connection as it stands; it is made again after a back-off. */
  drop(reason: string): void {
    this.#end?.({ reason });
  }

  /** Takes the connection for a good one at once: the protocol on it works (a login was accepted). */
  proved(): void {
    this.#failures = 0;
  }

  /** Keeps the connection until the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { context, name, random } = this.#options;
    while (!signal.aborted) {
      const begunMs = context.clock.now();
      const ending = await this.#once(signal);
      if (signal.aborted) return;
      if (context.clock.now() - begunMs >= GOOD_AFTER_MS && ending.status === undefined) this.#failures = 0;
      this.#failures++;
      const refused = ending.status === 401 || ending.status === 403;
      const limits = refused ? REFUSED_BACKOFF : (this.#options.backoff ?? BACKOFF);
      const askedMs = Math.min(RETRY_AFTER_MS_MAX, (ending.retryAfterS ?? 0) * 1000);
      const waitMs = Math.max(askedMs, backoffMs(this.#failures, limits, random));
      context.report?.failed(name, ending.reason);
      context.report?.counted?.('reconnects');
      // One line a fall, and one now and then while it lasts.
      if (this.#failures === 1 || this.#failures % 20 === 0 || refused) {
        const fields = { part: name, reason: ending.reason, failures: this.#failures, retry_ms: Math.round(waitMs) };
        if (refused) context.log.error(fields, 'feed: the venue refuses the key, or the clock is wrong');
        else context.log.warn(fields, 'feed: connection lost; it is made again');
      }
      if (!(await this.#wait(waitMs, signal))) return;
    }
  }

  /** One connection from its making to its end. */
  async #once(signal: AbortSignal): Promise<Ending> {
    const { dial, context, name, opened, received, down } = this.#options;
    const over = new AbortController();
    const stop = (): void => this.#end?.({ reason: 'stopped' });
    signal.addEventListener('abort', stop, { once: true });
    const ending = await new Promise<Ending>((resolve) => {
      this.#end = resolve;
      this.#lastSignMs = context.clock.now();
      const sign = (): void => {
        this.#lastSignMs = context.clock.now();
      };
      const live = (): boolean => this.#end === resolve;
      this.#transport = dial({
        opened: () => {
          if (!live()) return;
          this.#open = true;
          sign();
          context.report?.succeeded(name);
          opened();
        },
        received: (text) => {
          if (!live()) return;
          sign();
          context.report?.counted?.('messages');
          received(text);
        },
        alive: () => {
          if (live()) sign();
        },
        ended: (why) => resolve(why),
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
    const { askEveryMs = 2_000, silenceMsMax = 6_000, openMsMax = 6_000, context } = this.#options;
    let lastMs = context.clock.now();
    while (await this.#wait(askEveryMs, signal)) {
      const nowMs = context.clock.now();
      // Where this check itself comes late, the process stood still, and what was received meanwhile is still to be read.
      const stoodStill = nowMs - lastMs > askEveryMs + LATE_MS;
      lastMs = nowMs;
      if (stoodStill) this.#lastSignMs = Math.max(this.#lastSignMs, nowMs - askEveryMs);
      const silentMs = nowMs - this.#lastSignMs;
      if (silentMs >= (this.#open ? silenceMsMax : openMsMax)) {
        this.drop(this.#open ? `no sign of life for ${Math.round(silentMs)} ms` : 'no answer');
        return;
      }
      if (this.#open) this.#transport?.ask();
    }
  }
}
