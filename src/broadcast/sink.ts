// The transport's side of a stream: a socket that accepts chunks, and lists of sockets of one kind.
import type { Chunk } from './frame-writer.js';

/** Sockets of one transport side by side: numbered from 0 without gaps. */
export interface SocketList {
  /** Called with the index of a socket that was filled by something not sent to the whole list. */
  onFull: (index: number) => void;
  /** Called when a socket was sent something of its own, which compressed streams continue differently after. */
  onOwn: () => void;
  /** It gets the next index. */
  add(sink: Sink): void;
  swap(one: number, other: number): void;
  /** The last one leaves. */
  pop(): void;
  /** The next chunk for every socket; `last` if nothing follows for now. */
  load(chunk: Chunk, last: boolean): void;
  /** Writes the chunk to one socket; false if it did not accept all of it and is full now. */
  send(index: number): boolean;
}

/** Why the server ends a stream. */
export type EndCode = 'backpressure' | 'trial_expired' | 'unauthorized';

/** The transport's side. */
export interface Sink {
  /** True while the socket has unsent data; nothing is written then. */
  readonly full: boolean;
  /** Within the socket's own callback: bytes that still leave in one write with what it was sent there. */
  readonly room?: number | undefined;
  /**
   * Hands bytes to the socket, which copies them.
   * @param last nothing follows for now; otherwise a client may be handed the end of them only with what follows, or
   *   with offer()
   */
  send(chunk: Chunk, last: boolean): void;
  /** Offers the pending data to the kernel again; true if it accepted some. Not within a socket's callback. */
  offer(): boolean;
  /** Sends a last error if the socket still accepts it, and closes. */
  fail(code: EndCode, message: string): void;
  /** An empty list for sockets of this kind. */
  list(): SocketList;
}
