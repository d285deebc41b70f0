// The client of overround, for browsers and Node: REST calls, and streams that merge into a live table and resume by
// themselves. It needs nothing but the platform's fetch (and WebSocket, or one handed in).
import type { Channel, OddsRow, OpportunityItem } from './events.js';
import { type Answer, addressOf, call, type Params } from './rest.js';
import { sseConnect } from './sse-connect.js';
import { LiveStream, OverroundError, type StreamOptions } from './stream.js';
import { type Subscription, type WebSocketConstructor, WsPort, wsConnect } from './ws-connect.js';

export type { Channel, GameStateItem, OddsDelta, OddsRow, OpportunityItem, StreamEvent } from './events.js';
export { LiveTable } from './live-table.js';
export type { Answer, Params } from './rest.js';
export type { StreamOptions } from './stream.js';
export { LiveStream, OverroundError } from './stream.js';
export type { WebSocketConstructor } from './ws-connect.js';

export interface ClientOptions {
  /** The server: `http://127.0.0.1:8080`. */
  url: string;
  apiKey?: string;
  fetch?: typeof fetch;
  /** Where the platform has none (Node 20): that of the package `ws`, for instance. */
  WebSocket?: WebSocketConstructor;
}

export interface SocketFilters {
  sports?: readonly string[];
  leagues?: readonly string[];
  sportsbooks?: readonly string[];
  markets?: readonly string[];
  eventIds?: readonly string[];
  min_ev?: number;
  min_profit?: number;
  max_hold?: number;
  min_size?: number;
  state?: string;
}

/** A WebSocket stream: it can be pointed at something else while it is open. */
export class SocketStream extends LiveStream {
  readonly #port: WsPort;

  constructor(url: URL, port: WsPort, WebSocketClass: WebSocketConstructor, options?: StreamOptions) {
    super(wsConnect(url, port, WebSocketClass), options);
    this.#port = port;
  }

  /** Replaces the subscription; the table begins anew. */
  subscribe(channels: readonly Channel[], filters: SocketFilters = {}): void {
    const subscription: Subscription = { channels, filters: { ...filters } };
    this.#port.subscription = subscription;
    this.startAnew();
    this.#port.send({ type: 'subscribe', ...subscription });
  }

  ping(id?: string | number): void {
    this.#port.send({ type: 'ping', id });
  }
}

export class OverroundClient {
  readonly #base: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #options: ClientOptions;
  readonly #fetch: typeof fetch;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#base = new URL(options.url);
    this.#headers = options.apiKey === undefined ? {} : { 'x-api-key': options.apiKey };
    // Browsers refuse a fetch that was taken off its window.
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  /** GET of any path below `/api/v1`. Throws OverroundError. */
  get<T>(path: string, params?: Params): Promise<Answer<T>> {
    return call(this.#fetch, addressOf(this.#base, `/api/v1${path}`, params), { headers: this.#headers });
  }

  /** POST of a JSON body to any path below `/api/v1`. Throws OverroundError. */
  post<T>(path: string, body: unknown): Promise<Answer<T>> {
    return call(this.#fetch, addressOf(this.#base, `/api/v1${path}`), {
      method: 'POST',
      headers: { ...this.#headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  odds(params?: Params): Promise<Answer<OddsRow[]>> {
    return this.get('/odds', params);
  }

  /** Every page of `/odds`, one row at a time. */
  async *allOdds(params: Params = {}): AsyncGenerator<OddsRow> {
    let cursor: string | undefined;
    do {
      const page = await this.odds({ limit: 200, ...params, cursor });
      yield* page.data;
      cursor = page.pagination?.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** @param kind `ev`, `arbitrage`, `middles` or `low_hold`. */
  opportunities(
    kind: 'ev' | 'arbitrage' | 'middles' | 'low_hold',
    params?: Params,
  ): Promise<Answer<OpportunityItem[]>> {
    return this.get(`/opportunities/${kind}`, params);
  }

  /** Pushes ingest messages; settles when they are committed. */
  ingest(messages: unknown): Promise<Answer<unknown>> {
    return this.post('/ingest', messages);
  }

  /** A stream over SSE. `params` are those of `GET /stream`. */
  stream(channel: 'odds' | 'opportunities' | 'all', params: Params = {}, options?: StreamOptions): LiveStream {
    const url = addressOf(this.#base, '/api/v1/stream', { ...params, channel });
    return new LiveStream(sseConnect(url, this.#headers, this.#fetch), options);
  }

  /** A stream over WebSocket. */
  socket(channels: readonly Channel[], filters: SocketFilters = {}, options?: StreamOptions): SocketStream {
    const WebSocketClass = this.#options.WebSocket ?? (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket;
    if (WebSocketClass === undefined)
      throw new OverroundError('no_websocket', 'this platform has no WebSocket: hand one in as the option WebSocket');
    const url = addressOf(this.#base, '/ws', { api_key: this.#options.apiKey });
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return new SocketStream(url, new WsPort({ channels, filters: { ...filters } }), WebSocketClass, options);
  }
}
