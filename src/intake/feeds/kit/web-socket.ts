// A WebSocket as a transport. The only file that imports the client package.

import { type ClientOptions, type RawData, WebSocket } from 'ws';
import { LIMITS } from '../../../base/model/limits.js';
import type { Dial, Ending, TransportEvents } from './connection.js';

export interface WebSocketTarget {
  url: string;
  /** Made for each connection: signatures are valid for seconds. */
  headers?(): Record<string, string>;
  /** Text that requests a sign of life, if the venue wants its own in addition to the protocol's ping. */
  pingText?: string;
  /**
   * The venue's answer to it. Once it was given, only text is a sign of life: the protocol's own pongs may be those of a
   * proxy before a venue that hangs.
   */
  pongText?: string;
}

/** Maximum number of bytes waiting to be sent: subscriptions are small, so more means that the peer does not read. */
const BUFFERED_BYTES_MAX = LIMITS.venueUnsent.max;

const MESSAGE_BYTES = 16 * 1024 * 1024;
const HANDSHAKE_MS = 5_000;

export function webSocket(target: WebSocketTarget): Dial {
  return (events) => {
    let socket: WebSocket;
    try {
      socket = new WebSocket(target.url, optionsOf(target));
    } catch (error) {
      // A key that cannot sign, or an invalid address.
      queueMicrotask(() => events.ended({ reason: (error as Error).message }));
      return { send: () => false, ping: () => {}, close: () => {} };
    }
    listen(socket, events, target.pongText);
    return {
      send: (text) => {
        if (socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > BUFFERED_BYTES_MAX) return false;
        socket.send(text);
        return true;
      },
      ping: () => {
        if (socket.readyState !== WebSocket.OPEN) return;
        socket.ping();
        if (target.pingText !== undefined) socket.send(target.pingText);
      },
      // Without the closing handshake: a venue that hangs would hold it open.
      close: () => socket.terminate(),
    };
  };
}

function optionsOf(target: WebSocketTarget): ClientOptions {
  return {
    headers: target.headers?.() ?? {},
    // Compression costs more time than the saved bytes are worth, and a small frame may unpack to a large one.
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES,
    handshakeTimeout: HANDSHAKE_MS,
    followRedirects: false,
  };
}

function listen(socket: WebSocket, events: TransportEvents, pongText: string | undefined): void {
  let ended = false;
  let answersInText = false;
  const alive = (): void => {
    if (!answersInText) events.alive();
  };
  const end = (ending: Ending): void => {
    if (ended) return;
    ended = true;
    events.ended(ending);
  };
  socket.on('open', () => events.opened());
  socket.on('message', (data: RawData) => {
    if (ended) return;
    const text = textOf(data);
    answersInText ||= text === pongText;
    events.received(text);
  });
  socket.on('ping', alive);
  socket.on('pong', alive);
  socket.on('unexpected-response', (request, response) => {
    const retryAfterS = Number(response.headers['retry-after']);
    end({
      reason: `HTTP ${response.statusCode} in place of a WebSocket`,
      ...(response.statusCode === undefined ? {} : { status: response.statusCode }),
      ...(retryAfterS > 0 ? { retryAfterS } : {}),
    });
    request.destroy();
  });
  socket.on('error', (error: NodeJS.ErrnoException) => end({ reason: error.code ?? error.message }));
  socket.on('close', (code) => end({ reason: `closed with ${code}` }));
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return data instanceof ArrayBuffer ? Buffer.from(data).toString('utf8') : data.toString('utf8');
}
