// Betfair's stream as a transport: TCP, with TLS outside tests, one JSON object per line.

import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { LIMITS } from '../../../base/model/limits.js';
import type { Dial } from '../kit/transport.js';

export interface StreamTarget {
  host: string;
  port: number;
  tls: boolean;
}

/** An image of 200 markets is a few MB, in segments. */
const LINE_BYTES_MAX = LIMITS.venueLine.max;
/** Maximum number of bytes waiting to be sent: subscriptions are small, so more means that the peer does not read. */
const BUFFERED_BYTES_MAX = LIMITS.venueUnsent.max;

export function dialStream({ host, port, tls }: StreamTarget): Dial {
  return (events) => {
    const splitter = new LineSplitter(LINE_BYTES_MAX);
    let over = false;
    const socket: Socket = tls ? connectTls({ host, port, servername: host }) : connectTcp({ host, port });
    const end = (reason: string): void => {
      if (over) return;
      over = true;
      socket.destroy();
      events.ended({ reason });
    };
    socket.setNoDelay(true);
    socket.on(tls ? 'secureConnect' : 'connect', () => {
      if (!over) events.opened();
    });
    socket.on('data', (chunk) => {
      try {
        for (const line of splitter.push(chunk)) if (!over) events.received(line);
      } catch (error) {
        end((error as Error).message);
      }
    });
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    socket.on('end', () => end('the venue closed the connection'));
    socket.on('close', () => end('the connection was closed'));
    return {
      send: (text) => {
        if (over || !socket.writable || socket.writableLength > BUFFERED_BYTES_MAX) return false;
        socket.write(`${text}\r\n`);
        return true;
      },
      // Heartbeats arrive without a request.
      ping: () => {},
      close: () => {
        over = true;
        socket.destroy();
      },
    };
  };
}

// Splits a TCP stream into lines: packets end anywhere, also inside a character, and contain several lines.

const NEWLINE = 0x0a;

export class LineSplitter {
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  /** `bytesMax`: a longer line is an error, so that no sender can exhaust the memory. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * The lines that end in this chunk, without their terminators; empty ones are omitted. Throws on one that is too
   * long.
   */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      const line = (this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)).toString('utf8').trim();
      this.#parts = [];
      this.#bytes = 0;
      if (line !== '') lines.push(line);
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return lines;
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#bytesMax) throw new Error(`a line is longer than ${this.#bytesMax} bytes`);
    this.#parts.push(part);
  }
}
