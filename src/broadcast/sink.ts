// The transport's side of a stream: a socket that takes chunks, and sockets of one kind side by side.
import type { Chunk } from './frame-writer.js';

/** Sockets of one transport side by side: numbered from 0 without gaps. */
export interface SocketList {
  /** Called with the index of a socket that was filled by what was not sent to the whole list. */
  onFull: (index: number) => void;
  /** It gets the next index. */
  add(sink: Sink): void;
  swap(one: number, other: number): void;
  /** The last one leaves. */
  pop(): void;
  /** What every socket is sent next; `last` where nothing follows it for now. */
  load(chunk: Chunk, last: boolean): void;
  /** Writes the chunk to one socket; false where it did not take all of it and is full now. */
  send(index: number): boolean;
}

/** Why the server ends a stream. */
export type EndCode = 'backpressure' | 'trial_expired' | 'unauthorized';

/** The transport's side. */
export interface Sink {
  /** True while the socket holds what it could not send on; nothing is written then. */
  readonly full: boolean;
  /** Hands bytes to the socket, which copies them. */
  send(chunk: Chunk): void;
  /** Offers the kernel again what waits; true where it took some. Not within a socket's callback. */
  offer(): boolean;
  /** Sends a last error where the socket still takes it, and closes. */
  fail(code: EndCode, message: string): void;
  /** An empty list for sockets of this kind. */
  list(): SocketList;
}
