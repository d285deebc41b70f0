// The writing end of the cluster's log, for a term: from taking the lease until the engine is deposed or gives it up. It
// writes its beginning into the log, and what its batches change. Each frame states the sequence it expects before it,
// so that the stream itself refuses a deposed writer. Many are under way at once; after a failure the log is read to see
// which of them it has, and the rest are sent again.

import { LIMITS } from '../../base/model/limits.js';
import type { LogEntry } from '../../log/control/control-queue.js';
import type { Journal } from '../../writer/pool/replication.js';
import { cut, decodeFrame, encodeFrame, FRAME_KIND, type FrameKind, HEAD_BYTES, Reading } from './frame.js';
import { type ClusterNats, LOG_RETRY_MS } from './nats.js';
import { isWrongSequence, pause } from './retries.js';

export interface LogPublisherOptions {
  nats: ClusterNats;
  term: number;
  /** Sequence of the stream's last message when this writer begins. */
  last: number;
  /** The log could not be written for now; it is retried until close(). */
  onTrouble(error: unknown): void;
  /** Another writer has begun. Everything waiting has been rejected. */
  onDeposed(): void;
  /** As in Journal. */
  onLost(error: unknown): void;
}

export interface LogMessage {
  kind: FrameKind;
  shard: number;
  position: number;
  body: Uint8Array;
}

/** This writer's term is over: another has begun, or it was closed. It is unknown whether the message is in the log. */
export class Deposed extends Error {
  constructor() {
    super('another writer has begun');
    this.name = 'Deposed';
  }
}

interface Entry {
  frame: Buffer;
  counter: number;
  /** Set only for the last part. */
  done: ((sequence: number) => void) | null;
  failed: ((error: unknown) => void) | null;
  /** The sequence it was sent for, and whether the stream has confirmed it. */
  sequence: number;
  acknowledged: boolean;
}

const ACK_MS = 2_000;

const NOTHING = new Uint8Array(0);

export class LogPublisher implements Journal {
  readonly term: number;
  readonly #options: LogPublisherOptions;
  readonly #bodyMax: number;
  #waiting: Entry[] = [];
  /** Sent and not acknowledged yet. */
  #underWay: Entry[] = [];
  #counter = 0;
  /** Sequence of the last frame that was sent, if all arrive. */
  #sent: number;
  /** Sequence of the last frame that is known to be in the log, in order. */
  #stands: number;
  #counterStands = 0;
  /** Incremented with each recovery: it alone decides about everything sent before. */
  #attempt = 0;
  #recovering = false;
  #ended = false;

  constructor(options: LogPublisherOptions) {
    this.#options = options;
    this.term = options.term;
    this.#bodyMax = options.nats.payloadMax - HEAD_BYTES;
    this.#sent = options.last;
    this.#stands = options.last;
  }

  /** Frames that wait or are under way. */
  get depth(): number {
    return this.#waiting.length + this.#underWay.length;
  }

  /** Settles with the sequence of the message that begins it: everything of earlier terms is before it. */
  begin(): Promise<number> {
    return this.publish({ kind: FRAME_KIND.term, shard: 0, position: 0, body: NOTHING });
  }

  async append({ shard, position, message }: LogEntry): Promise<void> {
    await this.publish({ kind: FRAME_KIND.entry, shard, position, body: message ?? NOTHING });
  }

  lost(error: unknown): void {
    this.#options.onLost(error);
  }

  /**
   * Settles with the sequence under which the whole message is in the log, in the order of calls; rejects with Deposed.
   */
  publish(message: LogMessage): Promise<number> {
    if (this.#ended) return Promise.reject(new Deposed());
    return new Promise((done, failed) => {
      const pieces = cut(message.body, this.#bodyMax);
      for (const [part, piece] of pieces.entries()) {
        const head = { ...message, term: this.term, counter: ++this.#counter, part, parts: pieces.length };
        const last = part === pieces.length - 1;
        this.#waiting.push({
          frame: encodeFrame(head, piece),
          counter: this.#counter,
          done: last ? done : null,
          failed: last ? failed : null,
          sequence: 0,
          acknowledged: false,
        });
      }
      this.#send();
    });
  }

  /** Rejects everything waiting; nothing is sent any more. */
  close(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#attempt++;
    const left = [...this.#underWay, ...this.#waiting];
    this.#underWay = [];
    this.#waiting = [];
    for (const { failed } of left) failed?.(new Deposed());
  }

  #send(): void {
    while (!this.#recovering && this.#underWay.length < LIMITS.unackedFrames.max) {
      const entry = this.#waiting.shift();
      if (entry === undefined) return;
      this.#underWay.push(entry);
      this.#sendOne(entry);
    }
  }

  #sendOne(entry: Entry): void {
    const attempt = this.#attempt;
    const lastSequence = this.#sent++;
    entry.sequence = this.#sent;
    this.#options.nats.log
      .publish(this.#options.nats.names.frames, entry.frame, { expect: { lastSequence }, timeout: ACK_MS, retries: 1 })
      .then(
        ({ seq }) => {
          if (attempt === this.#attempt) this.#acknowledged(entry, seq);
        },
        (error: unknown) => {
          if (attempt === this.#attempt) this.#startRecovery(error);
        },
      );
  }

  #acknowledged(entry: Entry, sequence: number): void {
    if (sequence !== entry.sequence) {
      this.#startRecovery(new Error(`a frame got sequence ${sequence}`));
      return;
    }
    entry.acknowledged = true;
    let head = this.#underWay[0];
    while (head?.acknowledged) {
      this.#underWay.shift();
      this.#stands = head.sequence;
      this.#counterStands = head.counter;
      head.done?.(head.sequence);
      head = this.#underWay[0];
    }
    this.#send();
  }

  #startRecovery(error: unknown): void {
    if (this.#recovering || this.#ended) return;
    this.#recovering = true;
    if (!isWrongSequence(error)) this.#options.onTrouble(error);
    this.#recover().catch(this.#options.onTrouble);
  }

  /** Until it is known which of the sent frames the log has: answers still to come are ignored. */
  async #recover(): Promise<void> {
    let attempt = ++this.#attempt;
    while (attempt === this.#attempt && !this.#ended) {
      try {
        const standing = await this.#readStanding();
        if (attempt !== this.#attempt || this.#ended) return;
        if (standing === null) {
          this.close();
          this.#options.onDeposed();
          return;
        }
        this.#resume(standing);
        return;
      } catch (error) {
        this.#options.onTrouble(error);
        await pause(LOG_RETRY_MS);
        if (attempt === this.#attempt) attempt = ++this.#attempt;
      }
    }
  }

  /**
   * What the log has after the last known frame: its last sequence, and where our frames are; null if we are deposed.
   */
  async #readStanding(): Promise<{ last: number; ours: Map<number, number> } | null> {
    const { term } = this;
    const { nats } = this.#options;
    const { state } = await nats.streams.streams.info(nats.names.stream);
    const ours = new Map<number, number>();
    const underWay = new Map(this.#underWay.map((entry) => [entry.counter, entry.frame]));
    const reading = new Reading({ term, counter: this.#counterStands });
    for (let sequence = this.#stands + 1; sequence <= state.last_seq; sequence++) {
      // The leader's own answer: a replica may lag behind.
      const stored = await nats.streams.streams.getMessage(nats.names.stream, { seq: sequence });
      if (stored === null) throw new Error(`sequence ${sequence} of the log cannot be read`);
      const frame = decodeFrame(stored.data);
      if (frame.term > term) return null;
      if (!reading.counts(frame)) continue;
      // Servers that have lost the lease may have given its term to another writer as well.
      if (underWay.get(frame.counter)?.equals(stored.data) !== true) return null;
      ours.set(frame.counter, sequence);
    }
    return { last: state.last_seq, ours };
  }

  #resume({ last, ours }: { last: number; ours: Map<number, number> }): void {
    const again: Entry[] = [];
    const stand: Entry[] = [];
    for (const entry of this.#underWay) {
      const sequence = ours.get(entry.counter);
      if (sequence === undefined) again.push(entry);
      else stand.push({ ...entry, sequence });
    }
    this.#underWay = again;
    this.#stands = last;
    this.#sent = last;
    this.#recovering = false;
    for (const entry of again) {
      entry.acknowledged = false;
      this.#sendOne(entry);
    }
    for (const { done, sequence, counter } of stand) {
      this.#counterStands = counter;
      done?.(sequence);
    }
    this.#send();
  }
}
