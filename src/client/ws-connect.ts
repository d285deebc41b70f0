// A stream over WebSocket, in JSON, compressed if the platform can inflate and the server agrees. The constructor is the
// platform's, or one passed in (Node 20 has none).

import { OverroundError } from './error.js';
import { type ChannelWord, fieldsOf, fromWs } from './events.js';
import { type Connect, LiveStream, type StreamOptions } from './stream.js';

export interface WebSocketLike {
  /** What the server chose of the constructor's subprotocols; absent or empty: nothing. */
  readonly protocol?: string;
  binaryType?: string;
  send(text: string): void;
  close(code?: number): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void;
}

export type WebSocketConstructor = new (url: string, protocols?: string[]) => WebSocketLike;

interface Subscription {
  channels: readonly string[];
  filters?: Readonly<Record<string, unknown>>;
}

/** Sends messages on the current connection. */
class WsPort {
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

const COMPRESSED = 'overround.deflate';
const PLAIN = 'overround.json';

/** From the error event to the close event. */
const CLOSE_MS_MAX = 100;

function wsConnect(url: URL, port: WsPort, WebSocketClass: WebSocketConstructor): Connect {
  return (link) =>
    new Promise((resolve, reject) => {
      const address = new URL(url);
      if (link.position !== null) {
        address.searchParams.set('resume', 'true');
        address.searchParams.set('from_seq', String(link.position));
      }
      const socket = new WebSocketClass(address.href, canInflate() ? [COMPRESSED, PLAIN] : [PLAIN]);
      socket.binaryType = 'arraybuffer';
      let inflater: Inflater | undefined;
      let over = false;
      // At once, not at the close event: a peer that is gone never answers, and by then the port may be another's.
      const end = (error?: unknown) => {
        if (over) return;
        over = true;
        port.attach(null);
        link.signal.removeEventListener('abort', stop);
        socket.close();
        inflater?.close();
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
      const receive = (text: string) => {
        if (over) return;
        try {
          link.receive(fromWs(fieldsOf(text)));
        } catch (error) {
          // Later messages would be merged into a table with a gap.
          end(error);
        }
      };
      socket.addEventListener('message', ({ data }) => {
        if (over) return;
        if (socket.protocol !== COMPRESSED) receive(String(data));
        else {
          inflater ??= new Inflater(receive, end);
          inflater.push(new Uint8Array(data as ArrayBuffer));
        }
      });
      // A close event with the reason follows; not always (Node 22) if there never was a connection.
      socket.addEventListener('error', () => {
        setTimeout(() => end(new OverroundError('connection_lost', 'there was no connection')), CLOSE_MS_MAX);
      });
      socket.addEventListener('close', ({ code, reason }) => {
        const why = reason === '' ? '' : `: ${reason.replaceAll('_', ' ')}`;
        const message = `the socket was closed with ${code}${why}`;
        const error = new OverroundError(reason || 'connection_lost', message, { status: code });
        if (inflater === undefined) end(error);
        else void inflater.settled().then(() => end(error));
      });
    });
}

// The lines of a compressed WebSocket: its messages continue one raw deflate stream, which the platform inflates.

interface Pair {
  readable: ReadableStream<Uint8Array>;
  writable: WritableStream<Uint8Array>;
}
type Decompression = new (format: string) => Pair;

const platform = globalThis as { DecompressionStream?: Decompression };

/** Whether the platform can inflate. */
const canInflate = (): boolean => platform.DecompressionStream !== undefined;

class Inflater {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #rest = '';
  #written: Promise<unknown> = Promise.resolve();

  /**
   * @param line called with every whole line
   * @param failed called if the bytes are no deflate stream
   */
  constructor(line: (text: string) => void, failed: (error: unknown) => void) {
    const { readable, writable } = new platform.DecompressionStream!('deflate-raw');
    this.#writer = writable.getWriter();
    this.#read(readable.getReader(), line).catch(failed);
  }

  push(bytes: Uint8Array): void {
    // What is wrong with it is reported where it is read.
    this.#written = this.#writer.write(bytes).catch(() => undefined);
  }

  /** Settles when everything that was pushed has been read. */
  async settled(): Promise<void> {
    await this.#written;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }

  /** Nothing more is read. */
  close(): void {
    this.#writer.abort().catch(() => undefined);
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>, line: (text: string) => void): Promise<void> {
    const text = new TextDecoder();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (this.#rest + text.decode(part.value, { stream: true })).split('\n');
      this.#rest = lines.pop()!;
      for (const each of lines) line(each);
    }
  }
}

/** Ids of what is streamed; all if a list is absent. */
type NameFilters = Partial<Record<'sports' | 'leagues' | 'sportsbooks' | 'markets' | 'eventIds', readonly string[]>>;

/** In percent; the size of a middle in points, the maximum stake in `currency`. */
type Thresholds = Partial<Record<'min_ev' | 'min_profit' | 'max_hold' | 'min_size' | 'min_stake', number>>;

export interface SocketFilters extends NameFilters, Thresholds {
  /** ISO 4217 code of total stakes; USD by default. */
  currency?: string;
  /** Only what no result of a game that is played breaks. */
  guaranteed?: boolean;
  /** Also what rests on a distribution that nobody measured. */
  include_assumed?: boolean;
  state?: string;
  /** True: only the books' main lines; false: only the others. */
  is_main_line?: boolean;
  /** True: only prices of games in play that have not moved since the start; false: all others. */
  is_stale_pregame_price?: boolean;
  /** Ticks a second at most (0.1 to 20); what changes in between is merged. */
  max_hz?: number;
  /** Rows of the snapshot show their openings; rows and their changes show their ladder. */
  include?: 'opening' | 'depth' | 'opening,depth';
}

/** A stream over WebSocket: its subscription can be replaced while it is open. */
export class SocketStream extends LiveStream {
  readonly #port: WsPort;

  constructor(url: URL, subscription: Subscription, WebSocketClass: WebSocketConstructor, options?: StreamOptions) {
    const port = new WsPort(subscription);
    super(wsConnect(url, port, WebSocketClass), options);
    this.#port = port;
  }

  /** Replaces the subscription; the table starts again, empty. */
  subscribe(channels: readonly ChannelWord[], filters: SocketFilters = {}): void {
    const subscription: Subscription = { channels, filters: { ...filters } };
    this.#port.subscription = subscription;
    this.startAnew();
    this.#port.send({ type: 'subscribe', ...subscription });
  }

  ping(id?: string | number): void {
    this.#port.send({ type: 'ping', id });
  }
}
