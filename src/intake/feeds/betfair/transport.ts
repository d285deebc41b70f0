// Betfair's stream as a transport: TCP, with TLS outside tests, one JSON object per line.

import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { LIMITS } from '../../../base/model/limits.js';
import type { Dial } from '../kit/transport.js';
import { LineSplitter } from './line-splitter.js';

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
