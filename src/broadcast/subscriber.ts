// One client's stream as a small machine: snapshot → caught up → live, and behind whenever its socket is full. A client
// that is behind holds nothing but a position: when the socket drains it gets the net effect of what it missed.
import type { Group } from './group.js';
import type { Snapshot } from './snapshot.js';

/** The transport's side. */
export interface Sink {
  /** Hands bytes to the socket (they are copied); false where it did not take all of them at once. */
  send(bytes: Uint8Array): boolean;
  /** Sends a last error event where the socket still takes it, and closes. */
  fail(code: string, message: string): void;
}

export type Start =
  /** Fresh state: all rows, then changes. */
  | { from: 'snapshot'; snapshot: Snapshot }
  /** The client has everything up to this position. */
  | { from: 'position'; position: number };

export class Subscriber {
  readonly group: Group;
  readonly #sink: Sink;
  #snapshot: Snapshot | null = null;
  #nextChunk = 0;
  #rowsSent = 0;
  #cursor: number;
  #full = false;
  #closed = false;
  #completed: boolean;
  /** When the socket last took something (Unix ms). */
  #takenMs: number;

  constructor(group: Group, sink: Sink, start: Start, nowMs: number) {
    this.group = group;
    this.#sink = sink;
    this.#takenMs = nowMs;
    this.#completed = start.from === 'position';
    if (start.from === 'snapshot') {
      this.#snapshot = start.snapshot;
      this.#cursor = start.snapshot.position;
    } else this.#cursor = start.position;
  }

  /** True where a live tick's bytes may be written as they are. */
  isLive(position: number): boolean {
    return !this.#full && this.#snapshot === null && this.#completed && this.#cursor === position;
  }

  get behind(): boolean {
    return this.#full;
  }

  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
    this.#snapshot = null;
  }

  /** A live tick: the group's bytes (null where nothing matched) lead to `position`. */
  take(bytes: Uint8Array | null, position: number, nowMs: number): void {
    this.#cursor = position;
    if (bytes !== null) this.#send(bytes, nowMs);
  }

  /** Bytes outside the course of changes (heartbeats): passed over while the socket is full. */
  note(bytes: Uint8Array, nowMs: number): void {
    if (!this.#full && this.#completed) this.#send(bytes, nowMs);
  }

  /** The socket has room again (`drained`: all of it), or there is something new to send. */
  pump(nowMs: number, drained: boolean): void {
    if (drained) {
      this.#full = false;
      this.#takenMs = nowMs;
    }
    while (!this.#full && !this.#closed && this.#step(nowMs));
  }

  /** The socket took some of what it holds. */
  progressed(nowMs: number): void {
    this.#takenMs = nowMs;
  }

  /** Closes a client that has taken nothing for `stuckMs` although data is pending. */
  expireIfStuck(nowMs: number, stuckMs: number): boolean {
    if (!this.#full || this.#closed || nowMs - this.#takenMs < stuckMs) return false;
    this.#sink.fail('backpressure', `nothing was read for ${stuckMs / 1000} s while data was waiting`);
    return true;
  }

  /** Sends the next piece; false where there is none. */
  #step(nowMs: number): boolean {
    if (this.#snapshot !== null) {
      const chunk = this.#snapshot.chunk(this.#nextChunk++);
      this.#rowsSent += chunk.rows;
      if (this.#nextChunk >= this.#snapshot.chunks) this.#snapshot = null;
      this.#send(chunk.bytes, nowMs);
      return true;
    }
    if (!this.#completed) {
      this.#completed = true;
      this.#send(this.group.completion(this.#cursor, this.#rowsSent), nowMs);
      return true;
    }
    const head = this.group.head;
    if (this.#cursor >= head) return false;
    const bytes = this.group.changesAfter(this.#cursor);
    this.#cursor = head;
    if (bytes === null) return false;
    this.#send(bytes, nowMs);
    return true;
  }

  #send(bytes: Uint8Array, nowMs: number): void {
    if (this.#sink.send(bytes)) this.#takenMs = nowMs;
    else this.#full = true;
  }
}
