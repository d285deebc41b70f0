// What every call of the client is made with: the server, the key, and how a list, a body or a removal is asked for.
import { OverroundError } from './error.js';
import {
  type Answer,
  addressOf,
  type CallOptions,
  type ListAnswer,
  type Params,
  type RateLimit,
  RestCaller,
} from './rest.js';
import type { WebSocketConstructor } from './ws-connect.js';

export interface ClientOptions {
  /** The server: `http://127.0.0.1:8080`. */
  url: string;
  /** A key, or a token made with one. */
  apiKey?: string | undefined;
  /** Timeout in ms of every call that sets none. Default 30,000. */
  timeoutMs?: number;
  /** Retries of every read that sets none. Default 2. */
  retries?: number;
  fetch?: typeof fetch;
  /** Required if the platform has none (Node 20): that of the package `ws`, for instance. */
  WebSocket?: WebSocketConstructor;
}

const noKey = () => new OverroundError('unauthorized', 'the key has characters that no key has', { status: 401 });

export type List<T> = Promise<ListAnswer<T>>;

export class Calls {
  protected readonly options: ClientOptions;
  protected readonly base: URL;
  protected readonly headers: Readonly<Record<string, string>>;
  protected readonly fetched: typeof fetch;
  protected readonly rest: RestCaller;

  /** Throws TypeError for what is no address. */
  constructor(options: ClientOptions) {
    // As fetch does with a header: a key read from a file may end with a line end.
    const apiKey = options.apiKey?.trim();
    this.options = { ...options, apiKey };
    this.base = new URL(options.url);
    // `localhost:8080` is a URL, too: one of the scheme localhost.
    const { protocol, username, password } = this.base;
    if (!/^https?:$/.test(protocol)) throw new TypeError(`${options.url} is no address of a server (http://host:port)`);
    // It would be refused by fetch at every call.
    if (username + password !== '') throw new TypeError('the address has a user or a password: a server takes a key');
    this.headers = apiKey === undefined ? {} : { 'x-api-key': apiKey };
    // Browsers refuse to call fetch detached from its window.
    const fetched = options.fetch ?? ((input, init) => fetch(input, init));
    // No header may have them: it would be tried for ever, as if the server were gone.
    const isNoKey = /[^\x21-\x7e]/.test(apiKey ?? '');
    this.fetched = isNoKey ? () => Promise.reject(noKey()) : fetched;
    const { timeoutMs = 30_000, retries = 2 } = options;
    this.rest = new RestCaller({ fetch: this.fetched, headers: this.headers, timeoutMs, retries });
  }

  /** As of the newest answer; undefined before the first. */
  get rateLimit(): RateLimit | undefined {
    return this.rest.rateLimit;
  }

  /** GET of any path below `/api/v1`. */
  get<T, A = Answer<T>>(path: string, params?: Params | object, options?: CallOptions): Promise<A> {
    return this.rest.call(this.address(path, params as Params), { method: 'GET' }, true, options);
  }

  /** POST of a JSON body to any path below `/api/v1`; not retried. */
  post<T, A = Answer<T>>(path: string, body: unknown, options?: CallOptions): Promise<A> {
    return this.send('POST', path, body, false, options);
  }

  /** @param again it may be sent again: nothing happens twice */
  protected send<A>(method: string, path: string, body: unknown, again: boolean, options?: CallOptions): Promise<A> {
    const headers = { 'content-type': 'application/json' };
    return this.rest.call(this.address(path), { method, headers, body: JSON.stringify(body) }, again, options);
  }

  /** A CSV table; sent again it does nothing twice. */
  protected sendTable<A>(path: string, table: string, options?: CallOptions): Promise<A> {
    return this.rest.call(
      this.address(path),
      { method: 'POST', headers: { 'content-type': 'text/csv' }, body: table },
      true,
      options,
    );
  }

  protected remove<A = void>(path: string, options?: CallOptions): Promise<A> {
    return this.rest.call(this.address(path), { method: 'DELETE' }, false, options);
  }

  protected address(path: string, params?: Params): URL {
    return addressOf(this.base, `/api/v1${path}`, params);
  }

  protected list<T>(path: string, params?: object, options?: CallOptions): List<T> {
    return this.get<T[], ListAnswer<T>>(path, params, options);
  }
}
