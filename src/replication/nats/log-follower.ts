// The reading end of the cluster's log. The servers publish each message as it is stored, by plain publication: it
// costs them nothing and no consumer can hang; a message that did not arrive shows as a gap between sequences and is
// read from the stream.

import type { Msg, Subscription } from '@nats-io/transport-node';
import { monotonicMs } from '../../base/model/clock.js';
import { LIMITS } from '../../base/model/limits.js';
import { Assembler, decodeFrame, type Frame, type LogMark, termOf } from './frame.js';
import { type ClusterNats, LOG_RETRY_MS, listen } from './nats.js';
import { pause } from './retries.js';

export interface LogFollowerOptions {
  nats: ClusterNats;
  /** Sequence of the last known message, and what was read up to there; 0 if nothing was. */
  after: number;
  mark: LogMark;
  /** A complete message, in the log's order; its body is valid only during the call. */
  onMessage(message: Frame, sequence: number): void;
  /** Whether more can be accepted; if not it is called again soon. */
  hasRoom(): boolean;
  /**
   * Messages after the last one delivered are gone from the log, or the servers lost what was delivered: only a snapshot
   * helps. Nothing is delivered any more.
   */
  onTooOld(): void;
  /** The log could not be read for now; it is retried until close(). */
  onTrouble(error: unknown): void;
}

/** The writer sends something four times a second: after this long the stream is checked for missed messages. */
const SILENCE_MS = 1_000;
/** A leader that was just elected may not show its newest messages yet: what it still lacks after this long is lost. */
const LOST_AFTER_MS = 3_000;
/** How often hasRoom() is called again. */
const ROOM_CHECK_MS = 2;

export class LogFollower {
  readonly #options: LogFollowerOptions;
  readonly #assembler: Assembler;
  /** Sequence of the last frame accepted. */
  #at: number;
  #subscription: Subscription | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Messages published while older ones are read; what does not fit is read again. */
  #pending: { sequence: number; bytes: Uint8Array }[] = [];
  #pendingBytes = 0;
  #reading = false;
  #receivedMs = monotonicMs();
  #ended = false;

  constructor(options: LogFollowerOptions) {
    this.#options = options;
    this.#assembler = new Assembler(options.mark);
    this.#at = options.after;
  }

  /** Sequence of the last frame that was accepted, and what was read up to there. */
  get at(): { sequence: number; mark: LogMark } {
    return { sequence: this.#at, mark: this.#assembler.mark };
  }

  /** Settles when everything in the log at this moment was delivered. */
  async start(): Promise<void> {
    const { nats, onTrouble } = this.#options;
    this.#subscription = listen(
      nats.connection,
      `${nats.names.live}.>`,
      (message) => this.#received(message),
      onTrouble,
    );
    this.#timer = setInterval(() => {
      if (monotonicMs() - this.#receivedMs > SILENCE_MS) this.#startReading();
    }, SILENCE_MS / 4);
    this.#startReading();
    while (this.#reading && !this.#ended) await pause(1);
  }

  /** Reads everything the log has now; settles when it was delivered. Rejects if the servers do not answer. */
  async catchUp(): Promise<void> {
    const last = await this.#lastSequence();
    if (await this.#hasLost(last)) this.#tooOld();
    while (this.#at < last && !this.#ended) {
      this.#startReading();
      await pause(1);
    }
  }

  close(): void {
    this.#ended = true;
    clearInterval(this.#timer);
    this.#subscription?.unsubscribe();
    this.#pending = [];
  }

  #received(message: Msg): void {
    if (this.#ended) return;
    const sequence = Number(message.headers?.get('Nats-Sequence'));
    if (sequence <= this.#at) {
      // Read already, unless the servers lost that and number anew: a new writer tells, or else the silence.
      if (termOf(message.data) > this.#assembler.mark.term) this.#tooOld();
      return;
    }
    this.#receivedMs = monotonicMs();
    if (!this.#reading && sequence === this.#at + 1 && this.#options.hasRoom()) {
      this.#take(sequence, message.data);
      return;
    }
    // Without the newest the gap is noticed again when the next arrives.
    if (this.#pendingBytes + message.data.length <= LIMITS.followerWaiting.max) {
      this.#pending.push({ sequence, bytes: message.data });
      this.#pendingBytes += message.data.length;
    }
    this.#startReading();
  }

  #take(sequence: number, bytes: Uint8Array): void {
    let frame: Frame;
    try {
      frame = decodeFrame(bytes);
    } catch (error) {
      // Of a version this program cannot read: nothing after it can be delivered either.
      this.#options.onTrouble(error);
      this.#tooOld();
      return;
    }
    this.#at = sequence;
    const message = this.#assembler.take(frame);
    if (message !== null) this.#options.onMessage(message, sequence);
  }

  #startReading(): void {
    if (this.#reading || this.#ended) return;
    this.#reading = true;
    this.#readOn()
      .catch(async (error: unknown) => {
        if (!this.#ended) this.#options.onTrouble(error);
        await pause(LOG_RETRY_MS);
      })
      .finally(() => {
        this.#receivedMs = monotonicMs();
        this.#reading = false;
        if (this.#pending.length > 0) this.#startReading();
      });
  }

  /** Reads what is missing before the messages that arrived meanwhile, then applies those. */
  async #readOn(): Promise<void> {
    await this.#room();
    this.#takePending();
    const end = (this.#pending[0]?.sequence ?? (await this.#lastSequence()) + 1) - 1;
    if (await this.#hasLost(end)) return this.#tooOld();
    const last = end + 1;
    while (this.#at + 1 < last && !this.#ended) {
      await this.#room();
      const from = this.#at + 1;
      const count = Math.min(LIMITS.followerReads.max, last - from);
      const read = await Promise.all(Array.from({ length: count }, (_, i) => this.#read(from + i)));
      for (const [i, bytes] of read.entries()) {
        if (this.#ended) return;
        if (bytes === null) {
          if (await this.#isGone(from + i)) return this.#tooOld();
          // The replica that answered does not have it yet.
          return pause(LOG_RETRY_MS / 10);
        }
        this.#take(from + i, bytes);
      }
    }
    this.#takePending();
  }

  async #room(): Promise<void> {
    while (!this.#ended && !this.#options.hasRoom()) await pause(ROOM_CHECK_MS);
  }

  #takePending(): void {
    const pending = this.#pending;
    let next = 0;
    for (; next < pending.length; next++) {
      const { sequence, bytes } = pending[next]!;
      if (sequence > this.#at + 1) break;
      this.#pendingBytes -= bytes.length;
      if (sequence === this.#at + 1) this.#take(sequence, bytes);
    }
    pending.splice(0, next);
  }

  async #read(sequence: number): Promise<Uint8Array | null> {
    const { streams, names } = this.#options.nats;
    const query = { seq: sequence };
    // The nearest replica and, if that does not have it, the leader.
    const stored =
      (await streams.direct.getMessage(names.stream, query)) ?? (await streams.streams.getMessage(names.stream, query));
    return stored?.data ?? null;
  }

  async #lastSequence(): Promise<number> {
    const { nats } = this.#options;
    const { state } = await nats.streams.streams.info(nats.names.stream);
    return state.last_seq;
  }

  /** Whether the servers have lost messages that were delivered. */
  async #hasLost(last: number): Promise<boolean> {
    const untilMs = monotonicMs() + LOST_AFTER_MS;
    for (let end = last; end < this.#at; end = await this.#lastSequence()) {
      if (this.#ended) return false;
      if (monotonicMs() >= untilMs) return true;
      await pause(LOG_RETRY_MS);
    }
    return false;
  }

  async #isGone(sequence: number): Promise<boolean> {
    const { nats } = this.#options;
    const { state } = await nats.streams.streams.info(nats.names.stream);
    // Also a stream that was created anew has less than what we had.
    return sequence < state.first_seq || this.#at > state.last_seq;
  }

  #tooOld(): void {
    this.close();
    this.#options.onTooOld();
  }
}
