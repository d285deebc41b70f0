// The HTTP server: uWebSockets' App with our routes, and every request's sequence of key, limits, permission,
// parameters and body to its handler. Unknown paths end here too.

import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { randomBytes } from 'node:crypto';
import { RateLimiter } from '../../accounts/rate-limit.js';
import type { SharedCounts } from '../../accounts/shared-counts.js';
import type { Names } from '../../accounts/viewer-access.js';
import { diagnosticChannels, type HttpRequestDone } from '../../base/diagnostics/diagnostic-channels.js';
import type { Clock } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import { type Admission, type AdmissionContext, admit, charge, chargeable, chargeRows, NOBODY } from './admission.js';
import { AnswerHeaders } from './answer-headers.js';
import { AnswerPacker } from './answer-packer.js';
import type { Answer, Route, Sent } from './context.js';
import { type ExchangeHost, HttpExchange } from './http-exchange.js';
import { answerInternal } from './internal-request.js';
import { CLIENT_GONE } from './outgoing-answer.js';
import { assertPortFree, cannotListen, freePort } from './port-free.js';
import { checkPathLength, takeApiKey } from './query-text.js';
import { ReadPosition, type ReadPositions } from './read-position.js';
import { BodyReader, type RouteRun, routeRun, runRoute } from './route-run.js';
import { TurnWork } from './turn-work.js';
import { UnreadBody } from './unread-body.js';
import { App, us_listen_socket_close, us_socket_local_port } from './uws.js';

export interface HttpLog {
  isLevelEnabled(level: 'debug'): boolean;
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface HttpServerOptions extends Omit<AdmissionContext, 'limiter'> {
  routes: readonly Route[];
  clock: Clock;
  log: HttpLog;
  /** Source of these requests on diagnostics channels. */
  source: object;
  /** What the names mean that a caller may be held to. */
  names: Names;
  /** Of routes with a large body. */
  bodyBytesMax: number;
  /** The counts of other processes for the same callers. */
  sharedCounts?: SharedCounts | undefined;
  /** Undefined if positions are not reported. */
  positions?: ReadPositions;
  /** How ids of requests begin; random by default. */
  requestIds?: string;
}

/** What a WebSocket upgrade needs of its request. */
export interface UpgradeAdmission extends Admission {
  requestId: string;
  /** Without `api_key`. */
  queryText: string;
}

const PREFLIGHT = { method: 'OPTIONS', path: '*' } as const;
/** uWebSockets' names of the methods that routes have. */
const APP_METHODS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'del' } as const;
/** As uWebSockets has them: several processes may listen on the port, or this one alone. */
const LISTEN_SHARED = 0;
const LISTEN_ALONE = 1;
const FREE_PORTS = 5;

interface ListeningApp {
  listen(host: string, port: number, how: number, listening: (socket: us_listen_socket | false) => void): void;
}

const UNMATCHED = { method: '*', path: 'unmatched' } as const;

export class HttpServer implements ExchangeHost {
  /** For WebSocket paths, before listen(). */
  readonly app = App();
  draining = false;
  readonly headers: AnswerHeaders;
  readonly packer = new AnswerPacker();
  /** Where WebSockets' messages are worked off as well. */
  readonly turn = new TurnWork();
  readonly readPosition: ReadPosition | undefined;
  /** Includes those of WebSockets, whose owner counts their ends. */
  readonly connections: Connections;

  readonly #options: HttpServerOptions;
  readonly #admission: AdmissionContext;
  readonly #runs = new Map<Route, RouteRun>();
  readonly #streams = new Set<HttpExchange>();
  /** Answers being sent in pieces, by account. */
  readonly #bodiesOf = new Map<string, number>();
  #lastNo = 0;
  #inFlight = 0;
  #onIdle: (() => void) | undefined;
  #listenSocket: us_listen_socket | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.headers = new AnswerHeaders(`${options.requestIds?.slice(0, 10) ?? randomBytes(5).toString('hex')}-`);
    this.connections = new Connections(this.app, this.headers, () => ++this.#lastNo);
    this.readPosition = options.positions === undefined ? undefined : new ReadPosition(options.positions);
    this.#admission = { ...options, limiter: new RateLimiter({ clock: options.clock, shared: options.sharedCounts }) };
    const large = new BodyReader(options.bodyBytesMax);
    const usual = new BodyReader(Math.min(options.bodyBytesMax, LIMITS.requestBody.max));
    for (const route of options.routes)
      this.#register(route, routeRun(route, route.largeBody ? large : usual, options.names));
    this.app.options('/*', (response, request) => {
      const exchange = this.#begin(response, 'options', request.getUrl(), PREFLIGHT);
      if (isRefused(exchange, request)) return;
      this.turn.run(() => exchange.sendPreflight());
      exchange.watchAbort();
      exchange.corked = false;
    });
    this.app.any('/*', (response, request) => {
      const exchange = this.#begin(response, request.getMethod(), request.getUrl(), UNMATCHED);
      if (isRefused(exchange, request)) return;
      expectBody(exchange, request);
      const fail = (): void => exchange.fail(this.#unmatched(exchange.path));
      // Whether a body is still to come is known only within the handler.
      if (exchange.unreadBody === undefined) this.turn.run(fail);
      else fail();
      exchange.watchAbort();
      exchange.corked = false;
    });
  }

  /** Resolves to the port; rejects if the address is in use. `shared`: other processes of ours listen there, too. */
  async listen(host: string, port: number, shared = false): Promise<number> {
    if (port === 0) return this.#listenOnFree(host);
    if (!shared) await assertPortFree(host, port);
    return this.#listenOn(host, port, LISTEN_SHARED);
  }

  /**
   * On a port that was found free: uWebSockets lets addresses be used again only of ports that it is given, and a server
   * that had streams could not begin again on the port that the system chose for it.
   */
  async #listenOnFree(host: string): Promise<number> {
    for (let left = FREE_PORTS; ; left--)
      try {
        return await this.#listenOn(host, await freePort(host, 0), LISTEN_ALONE);
      } catch (error) {
        // Another program was quicker.
        if (left === 0) throw error;
      }
  }

  #listenOn(host: string, port: number, how: number): Promise<number> {
    return new Promise((resolve, reject) => {
      // Its types lack this form.
      const app = this.app as unknown as ListeningApp;
      app.listen(host, port, how, (socket) => {
        if (socket === false) {
          reject(cannotListen(host, port));
          return;
        }
        this.#listenSocket = socket;
        resolve(us_socket_local_port(socket));
      });
    });
  }

  /** Key and limits of an upgrade request, as for a route with auth `required`. */
  admitUpgrade(request: HttpRequest, response: HttpResponse): UpgradeAdmission {
    const requestId = this.headers.requestId(++this.#lastNo);
    try {
      const unclear = ambiguity(request);
      if (unclear !== undefined) throw unclear;
      const { text, apiKey } = takeApiKey(request.getQuery() ?? '');
      return { requestId, queryText: text, ...admit(this.#admission, 'opening', request, response, apiKey) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { requestId, queryText: '', key: undefined, rate: undefined, error };
    }
  }

  /** Requests being answered now, without streams. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Open streams (SSE). */
  streamCount(): number {
    return this.#streams.size;
  }

  /** Stops listening, ends streams, lets answers finish for at most this long, then closes every connection. */
  async close(graceMs: number): Promise<void> {
    if (this.draining) return;
    this.draining = true;
    if (this.#listenSocket !== undefined) us_listen_socket_close(this.#listenSocket);
    this.#listenSocket = undefined;
    for (const stream of [...this.#streams]) stream.closeStream();
    if (this.#inFlight > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, graceMs);
        this.#onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.app.close();
  }

  finished(exchange: HttpExchange, status: number): void {
    if (this.#streams.delete(exchange)) {
      this.#logAccess(exchange, status, 'stream closed');
      return;
    }
    this.#settled(exchange, status);
  }

  streamOpened(exchange: HttpExchange): void {
    this.#streams.add(exchange);
    this.#settled(exchange, 200);
  }

  bodyOpened(exchange: HttpExchange): void {
    const account = exchange.key?.account ?? '';
    const open = this.#bodiesOf.get(account) ?? 0;
    if (open >= LIMITS.bodiesSent.max)
      throw new ApiError('rate_limited', `${open} whole answers are being read already`, { retryAfter: 1 });
    this.#bodiesOf.set(account, open + 1);
    exchange.onDone(() => {
      const left = this.#bodiesOf.get(account)! - 1;
      if (left > 0) this.#bodiesOf.set(account, left);
      else this.#bodiesOf.delete(account);
    });
  }

  async ask(exchange: HttpExchange, route: Route, queryText: string, sent: Sent = {}): Promise<Answer> {
    const run = this.#runs.get(route);
    if (run === undefined || route.rawBody !== undefined || route.streaming)
      throw new Error(`${route.path} cannot be asked from within`);
    const key = exchange.requireKey();
    const waits = chargeable(this.#admission, key);
    if (waits !== null) await waits;
    const { rate, error } = charge(this.#admission, key);
    // So that the answer's headers state what is left.
    exchange.admission = { key, rate, error: undefined };
    if (error !== undefined) throw error;
    return answerInternal(run, exchange, queryText, sent);
  }

  spend(exchange: HttpExchange, rows: number): void {
    const { admission } = exchange;
    if (admission.key === undefined) return;
    const rate = chargeRows(this.#admission, admission.key, rows);
    if (rate !== undefined) exchange.admission = { ...admission, rate };
  }

  failed(exchange: HttpExchange, error: unknown): void {
    this.#options.log.error({ err: error, requestId: exchange.requestId, path: exchange.path }, 'request failed');
  }

  #register(route: Route, run: RouteRun): void {
    const { method, path } = route;
    const label = { method, path };
    this.#runs.set(route, run);
    // If the pattern is the path, reading the path would be a string from C++ for nothing.
    const fixedPath = run.paramNames.length === 0 ? route.path : undefined;
    const positioned = route.auth === 'required' && !route.streaming;
    const rights = route.streaming ? 'opening' : route.auth;
    const serve = (name: string) => (response: HttpResponse, request: HttpRequest) => {
      const exchange = this.#begin(response, name, fixedPath ?? request.getUrl(), label);
      exchange.errorBody = route.errorBody;
      exchange.positioned = positioned;
      exchange.undelayed = route.undelayed === true;
      if (isRefused(exchange, request)) return;
      if (route.method !== 'GET') expectBody(exchange, request);
      try {
        if (fixedPath === undefined) checkPathLength(exchange.path);
        const apiKey = readKeyless(run, exchange, request.getQuery() ?? '');
        exchange.admission = admit(this.#admission, rights, request, response, apiKey);
        runRoute(run, exchange, this.turn, request, response);
      } catch (error) {
        exchange.fail(error);
      }
      // An answer sent later is no longer within uWebSockets' own cork.
      exchange.watchAbort();
      exchange.corked = false;
    };
    this.app[APP_METHODS[method]](path, serve(method.toLowerCase()));
    if (allowsHead(route)) this.app.head(path, serve('head'));
  }

  #begin(response: HttpResponse, method: string, path: string, route: HttpRequestDone['route']): HttpExchange {
    this.#inFlight++;
    const startedMs = this.#options.clock.now();
    return new HttpExchange(this, response, ++this.#lastNo, { method, path, startedMs, route });
  }

  /** Why no route takes a request. */
  #unmatched(path: string): unknown {
    try {
      checkPathLength(path);
    } catch (error) {
      return error;
    }
    const allow = methodsOf(this.#options.routes, path).join(', ');
    if (allow === '') return new ApiError('not_found', 'there is nothing at this path');
    return new ApiError('method_not_allowed', `this path takes ${allow}`, { allow });
  }

  #settled(exchange: HttpExchange, status: number): void {
    this.#publish(exchange.route, status, this.#options.clock.now() - exchange.startedMs);
    this.#logAccess(exchange, status, status === CLIENT_GONE ? 'client gone' : 'request');
    if (--this.#inFlight === 0) this.#onIdle?.();
  }

  #logAccess(exchange: HttpExchange, status: number, message: string): void {
    const { log, clock } = this.#options;
    if (!log.isLevelEnabled('debug')) return;
    const { requestId, method, path, queryText, key, startedMs } = exchange;
    log.debug(
      { requestId, method, path, query: queryText, status, ms: clock.now() - startedMs, keyId: key?.id },
      message,
    );
  }

  #publish(route: HttpRequestDone['route'], status: number, ms: number): void {
    const { httpRequest } = diagnosticChannels;
    if (httpRequest.hasSubscribers) httpRequest.publish({ source: this.#options.source, route, status, ms });
  }
}

/** True, and answered, if the request can be read in two ways. */
function isRefused(exchange: HttpExchange, request: HttpRequest): boolean {
  const error = ambiguity(request);
  if (error !== undefined) exchange.failAndClose(error);
  return error !== undefined;
}

/** What is known of the body of a request, and of the connection's end after its answer, before anything is read of it. */
function expectBody(exchange: HttpExchange, request: HttpRequest): void {
  const connection = request.getHeader('connection');
  // As uWebSockets recognises `close`.
  exchange.closedByClient = connection.length === 5;
  exchange.unreadBody = UnreadBody.of(connection, request);
  exchange.readsBody = exchange.unreadBody !== undefined;
}

/** The key in the query, if any. Cached texts are known to contain none. Throws ApiError. */
function readKeyless(run: RouteRun, exchange: HttpExchange, query: string): string | undefined {
  const remembered = run.reader.remembered(query);
  if (remembered !== undefined) {
    exchange.parsed = remembered;
    exchange.queryText = remembered.text;
    return undefined;
  }
  const { text, apiKey } = takeApiKey(query);
  exchange.queryText = text;
  return apiKey;
}

/**
 * The methods of every route whose pattern the path matches, for the header `Allow` and to tell 405 from 404; none for an
 * unknown path.
 */
function methodsOf(routes: readonly Route[], path: string): string[] {
  const segments = path.split('/');
  const methods = new Set<string>();
  for (const route of routes) {
    if (!matches(route.path.split('/'), segments)) continue;
    methods.add('OPTIONS').add(route.method);
    if (allowsHead(route)) methods.add('HEAD');
  }
  return [...methods].sort();
}

function allowsHead({ method, streaming, noHead }: Route): boolean {
  return method === 'GET' && !streaming && !noHead;
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((segment, i) => (segment.startsWith(':') ? path[i] !== '' : segment === path[i]))
  );
}

// Counts open connections and refuses those beyond the bound with a 503, before their first request: existing ones are
// not affected. uWebSockets reports every socket that opens, and every one that closes unless it became a WebSocket.

class Connections {
  /** None while it is Infinity. */
  max = Number.POSITIVE_INFINITY;
  open = 0;
  refused = 0;
  readonly #headers: AnswerHeaders;
  readonly #nextNo: () => number;

  constructor(app: TemplatedApp, headers: AnswerHeaders, nextNo: () => number) {
    this.#headers = headers;
    this.#nextNo = nextNo;
    app.filter(this.#changed);
  }

  /** One more (1) or one less (-1). */
  readonly #changed = (response: HttpResponse, change: number): void => {
    this.open += change;
    if (change > 0 && this.open > this.max) this.#refuse(response);
  };

  #refuse(response: HttpResponse): void {
    this.refused++;
    const error = new ApiError('unavailable', 'the server has as many connections as it can', { retryAfter: 1 });
    response.cork(() => {
      this.#headers.write(response, error.status, this.#nextNo(), NOBODY);
      response.writeHeader('Content-Type', 'application/json');
      response.writeHeader('Retry-After', '1');
      response.end(JSON.stringify(error.toBody()), true);
    });
  }
}

// Refuses requests whose length or host can be read in two ways. A proxy in front of us that reads them the other way
// would take a part of one caller's body for the next caller's request. What uWebSockets' parser refuses by itself
// (Content-Length beside Transfer-Encoding, HTTP/1.0, a header without a colon) never gets here.

// Counted in the module: a closure for each request would cost more than the counting.
let hosts = 0;
let lengths = 0;
let encodings = 0;
let length = '';
let encoding = '';

/** Names come in lower case. */
function count(name: string, value: string): void {
  switch (name) {
    case 'host':
      hosts++;
      break;
    case 'content-length':
      lengths++;
      length = value;
      break;
    case 'transfer-encoding':
      encodings++;
      encoding = value;
      break;
  }
}

/** Why a request is refused; undefined if it can be read in one way only. */
function ambiguity(request: HttpRequest): ApiError | undefined {
  hosts = 0;
  lengths = 0;
  encodings = 0;
  request.forEach(count);
  if (hosts > 1) return refused('there are several headers Host');
  if (lengths === 0 && encodings === 0) return undefined;
  if (lengths > 1) return refused('there are several headers Content-Length');
  if (lengths + encodings > 1) return refused('the length is stated in several ways');
  if (lengths === 1 && !/^\d+$/.test(length)) return refused('Content-Length is no length');
  // uWebSockets reads every other value as this one.
  if (encodings === 1 && encoding.toLowerCase() !== 'chunked')
    return refused('the only Transfer-Encoding read is chunked');
  return undefined;
}

function refused(message: string): ApiError {
  return new ApiError('invalid_request', message);
}
