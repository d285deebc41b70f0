// A stream's connection over WebSocket, in JSON. The constructor is the platform's, or one passed in (Node 20 has
// none).
import { OverroundError } from './error.js';
import { fieldsOf, fromWs } from './events.js';
import type { Connect } from './stream.js';

export interface WebSocketLike {
  send(text: string): void;
  close(code?: number): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void;
}

export type WebSocketConstructor = new (url: string) => WebSocketLike;

export interface Subscription {
  channels: readonly string[];
  filters?: Readonly<Record<string, unknown>>;
}

/** Sends messages on the current connection. */
export class WsPort {
  #socket: WebSocketLike | null = null;
  subscription: Subscription;

  constructor(subscription: Subscription) {
    this.subscription = subscription;
  }

  attach(socket: WebSocketLike | null): void {
    this.#socket = socket;
  }

  /** Does nothing without a connection: the next one begins with the subscription. */
  send(message: object): void {
    this.#socket?.send(JSON.stringify(message));
  }
}

/** From the error event to the close event. */
const CLOSE_MS_MAX = 100;

export function wsConnect(url: URL, port: WsPort, WebSocketClass: WebSocketConstructor): Connect {
  return (link) =>
    new Promise((resolve, reject) => {
      const address = new URL(url);
      if (link.position !== null) {
        address.searchParams.set('resume', 'true');
        address.searchParams.set('from_seq', String(link.position));
      }
      const socket = new WebSocketClass(address.href);
      let over = false;
      // At once, not at the close event: a peer that is gone never answers, and by then the port may be another's.
      const end = (error?: unknown) => {
        if (over) return;
        over = true;
        port.attach(null);
        link.signal.removeEventListener('abort', stop);
        socket.close();
        if (error === undefined) resolve();
        else reject(error);
      };
      const stop = () => end();
      link.signal.addEventListener('abort', stop);
      socket.addEventListener('open', () => {
        if (over) return;
        port.attach(socket);
        port.send({ type: 'subscribe', ...port.subscription });
      });
      socket.addEventListener('message', ({ data }) => {
        if (over) return;
        try {
          link.receive(fromWs(fieldsOf(String(data))));
        } catch (error) {
          // Later messages would be merged into a table with a gap.
          end(error);
        }
      });
      // A close event with the reason follows; not always (Node 22) if there never was a connection.
      socket.addEventListener('error', () => {
        setTimeout(() => end(new OverroundError('connection_lost', 'there was no connection')), CLOSE_MS_MAX);
      });
      socket.addEventListener('close', ({ code, reason }) => {
        const why = reason === '' ? '' : `: ${reason.replaceAll('_', ' ')}`;
        const message = `the socket was closed with ${code}${why}`;
        end(new OverroundError(reason || 'connection_lost', message, { status: code }));
      });
    });
}
