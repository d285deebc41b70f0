// One request and its answer: the context of a handler. uWebSockets kills the process for touching a dead response, so
// every write goes through here, and nothing is written once the client has disconnected or the answer is sent.

import type { HttpResponse } from 'uWebSockets.js';
import type { KeyRecord } from '../../accounts/key-record.js';
import type { RateState } from '../../accounts/rate-limit.js';
import type { Tier } from '../../catalogue/types.js';
import type { HttpRequestDone } from '../../diagnostics/channels.js';
import type { Transient } from '../../memory/transient.js';
import { ApiError } from '../../model/errors.js';
import { shownFailure } from '../../store/storage-error.js';
import type { Admission } from './admission.js';
import { type AnswerHeaders, type Header, writePreflightHeaders } from './answer-headers.js';
import type { Answer, RequestContext, ResponseStream, Route } from './context.js';
import { NOTHING_PARSED, type ReadQuery } from './query-reader.js';
import type { ReadPosition } from './read-position.js';
import type { UnreadBody } from './unread-body.js';

/** What the exchange needs from the server it belongs to. */
export interface ExchangeHost {
  /** True while the server is closing: connections are closed after their answer. */
  readonly draining: boolean;
  readonly headers: AnswerHeaders;
  readonly readPosition: ReadPosition | undefined;
  /** The answer was sent, or the client has disconnected (status 499); called once. */
  finished(exchange: HttpExchange, status: number): void;
  streamOpened(exchange: HttpExchange): void;
  /**
   * Answers an internal request of the exchange's caller through another route. Rejects with the ApiError it would have
   * answered.
   */
  ask(exchange: HttpExchange, route: Route, queryText: string): Promise<Answer>;
  /** As in RequestContext. */
  spend(exchange: HttpExchange, rows: number): void;
  /** An error other than an ApiError: to be logged, never shown. */
  failed(exchange: HttpExchange, error: unknown): void;
}

export interface Requested {
  /** Lower case. */
  method: string;
  path: string;
  startedMs: number;
  /** As in the metrics. */
  route: HttpRequestDone['route'];
}

export const CLIENT_GONE = 499;

/** `waiting`: the answer is made and waits for the end of the request's body. */
type State = 'open' | 'waiting' | 'streaming' | 'done';

export class HttpExchange implements RequestContext<never, never> {
  readonly method: string;
  readonly path: string;
  readonly startedMs: number;
  readonly route: HttpRequestDone['route'];
  params: Readonly<Record<string, string>> = NO_PARAMS;
  parsed: ReadQuery = NOTHING_PARSED;
  /** Without `api_key`, once that is known; for the log. */
  queryText = '';
  body = undefined as never;
  contentType = '';
  admission: Admission = { key: undefined, rate: undefined, error: undefined };
  /** The answer shows data of a table. */
  positioned = false;
  /** The answer is not delayed, whatever the tier. */
  undelayed = false;
  errorBody: ((error: ApiError) => unknown) | undefined;
  /** For a client that wants the connection closed. */
  unreadBody: UnreadBody | undefined;
  /** True while uWebSockets' own handler runs, which has corked the socket already. */
  corked = true;

  readonly #host: ExchangeHost;
  readonly #response: HttpResponse;
  /** The request's number. */
  readonly #no: number;
  #state: State = 'open';
  #aborted = false;
  #watched = false;
  /** The connection is closed after the answer. */
  #closing = false;
  #extra: Header[] = NO_HEADERS;
  /** Names and values of request headers alternately. */
  #given: string[] | undefined;
  #closers: (() => void)[] | undefined;
  #keptPosition: number | undefined;

  constructor(host: ExchangeHost, response: HttpResponse, no: number, request: Requested) {
    this.#host = host;
    this.#response = response;
    this.#no = no;
    this.method = request.method;
    this.path = request.path;
    this.startedMs = request.startedMs;
    this.route = request.route;
  }

  get requestId(): string {
    return this.#host.headers.requestId(this.#no);
  }

  get query(): never {
    return this.parsed.query as never;
  }

  get ignored(): readonly string[] {
    return this.parsed.ignored;
  }

  get key(): KeyRecord | undefined {
    return this.admission.key;
  }

  get rate(): RateState | undefined {
    return this.admission.rate;
  }

  get tier(): Tier {
    return this.admission.key?.tier ?? 'free';
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  /** True once nothing can be sent any more. */
  get done(): boolean {
    return this.#state === 'done';
  }

  /** True if a handler that returned still has to send an answer. */
  get unanswered(): boolean {
    return this.#state === 'open';
  }

  requireKey(): KeyRecord {
    const key = this.admission.key;
    if (key === undefined) throw new Error(`${this.path} is no route with auth 'required'`);
    return key;
  }

  async ask(route: Route, queryText: string): Promise<Answer> {
    try {
      return await this.#host.ask(this, route, queryText);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      this.#host.failed(this, error);
      throw shownFailure(error);
    }
  }

  header(name: string): string {
    const given = this.#given;
    if (given !== undefined) for (let i = 0; i < given.length; i += 2) if (given[i] === name) return given[i + 1]!;
    throw new Error(`the route does not list the header ${name}`);
  }

  spend(rows: number): void {
    this.#host.spend(this, rows);
  }

  keepPosition(): void {
    this.#keptPosition ??= this.#position();
  }

  questionKey(version: number): string {
    return this.parsed.key(this.tier, version);
  }

  keepHeader(name: string, value: string): void {
    this.#given ??= [];
    this.#given.push(name, value);
  }

  setHeader(name: string, value: string): void {
    checkHeaderText(name, value);
    if (this.#extra === NO_HEADERS) this.#extra = [];
    this.#extra.push([name, value]);
  }

  sendJson(value: unknown, status = 200): void {
    this.sendBuffer(status, 'application/json', Buffer.from(JSON.stringify(value)));
  }

  sendBuffer(status: number, contentType: string | Uint8Array, bytes: Uint8Array): void {
    if (this.#state !== 'open') return;
    if (this.unreadBody?.isAwaited(this.corked) === true) {
      this.#sendAfterBody(this.unreadBody, status, contentType, bytes);
      return;
    }
    if (this.corked) this.#writeAnswer(status, contentType, bytes);
    else this.#response.cork(() => this.#writeAnswer(status, contentType, bytes));
    this.#finish(status);
  }

  #sendAfterBody(body: UnreadBody, status: number, contentType: string | Uint8Array, bytes: Uint8Array): void {
    // The bytes are the caller's again once this returns.
    const copy = Buffer.from(bytes);
    this.watchAbort();
    this.#state = 'waiting';
    body.whenEnded(this.#response, () => {
      if (this.#state !== 'waiting') return;
      this.#state = 'open';
      this.#response.cork(() => this.#writeAnswer(status, contentType, copy));
      this.#finish(status);
    });
  }

  sendReady(head: Uint8Array, bytes: Transient): void {
    this.sendBuffer(200, head, bytes);
  }

  sendEmpty(status: number): void {
    this.sendBuffer(status, '', NO_BYTES);
  }

  sendPreflight(): void {
    this.#writeHead(204, '');
    writePreflightHeaders(this.#response);
    this.#response.endWithoutBody();
    this.#finish(204);
  }

  redirect(location: string, status: 302 | 307 = 302): void {
    this.setHeader('Location', location);
    this.sendEmpty(status);
  }

  /** Answers with an error: an ApiError as it is, anything else as a 500 without details. */
  fail(error: unknown): void {
    if (!(error instanceof ApiError)) this.#host.failed(this, error);
    if (this.#state === 'streaming') this.abandon();
    if (this.#state !== 'open') return;
    const shown = shownFailure(error);
    const { allow, retryAfter, reason } = shown.detail;
    if (allow !== undefined) this.setHeader('Allow', allow);
    if (retryAfter !== undefined) this.setHeader('Retry-After', String(retryAfter));
    if (shown.status === 401) {
      this.setHeader('WWW-Authenticate', `Bearer realm="overround"${reason === 'invalid_api_key' ? INVALID : ''}`);
    }
    this.sendJson(this.errorBody?.(shown) ?? shown.toBody(), shown.status);
  }

  /**
   * Answers with an error and closes the connection. Only after this turn: with an answer pending uWebSockets closes the
   * connection at the next request in the bytes it has read already, which it would otherwise run in spite of the close.
   */
  failAndClose(error: ApiError): void {
    this.watchAbort();
    this.corked = false;
    this.#closing = true;
    setImmediate(() => this.fail(error));
  }

  stream(): ResponseStream {
    if (this.#state !== 'open') throw new Error('the answer is out already');
    this.watchAbort();
    this.#state = 'streaming';
    this.#host.streamOpened(this);
    const exchange = this;
    return {
      response: this.#response,
      get closed() {
        return exchange.done;
      },
      writeHead: (contentType, headers) => this.#writeStreamHead(contentType, headers),
      end: () => this.endStream(),
      onClose: (callback) => this.onDone(callback),
    };
  }

  /** Must be called before uWebSockets' handler returns without an answer. */
  watchAbort(): void {
    if (this.#watched || this.done) return;
    this.#watched = true;
    this.#response.onAborted(() => {
      this.#aborted = true;
      this.unreadBody?.aborted();
      this.#finish(CLIENT_GONE);
    });
  }

  /** Called once when the exchange is over; at once if it is already. */
  onDone(callback: () => void): void {
    if (this.done) {
      callback();
      return;
    }
    this.#closers ??= [];
    this.#closers.push(callback);
  }

  /** Ends a stream's body properly, if the socket still accepts its end. */
  endStream(): void {
    if (this.done) return;
    // Not end('', true): after chunks uWebSockets writes the header `Connection: close` into the middle of the body.
    if (this.corked) this.#response.end();
    else this.#response.cork(() => this.#response.end());
    this.#finish(200);
  }

  /** Cuts the connection. */
  abandon(): void {
    if (this.done) return;
    this.#response.close();
    this.#finish(CLIENT_GONE);
  }

  #writeAnswer(status: number, contentType: string | Uint8Array, bytes: Uint8Array): void {
    const response = this.#response;
    this.#writeHead(status, contentType);
    if (this.#closing) {
      // endWithoutBody() cannot close: so the answer to HEAD states no length.
      response.end(this.method === 'head' ? NO_BYTES : bytes, true);
    } else if (this.method === 'head') {
      response.writeHeader('Content-Length', String(bytes.length));
      response.endWithoutBody();
    } else if (status === 204 || status === 304) {
      response.endWithoutBody();
    } else {
      // Also if the body was refused: uWebSockets skips the rest of it. Closing would reset the connection while the
      // client is sending, and most clients would then report that instead of the answer.
      response.end(bytes, this.#host.draining);
    }
  }

  #writeHead(status: number, contentType: string | Uint8Array): void {
    const response = this.#response;
    const position = this.#keptPosition ?? this.#position();
    this.#host.headers.write(response, status, this.#no, this.admission, position, this.undelayed);
    if (contentType !== '') response.writeHeader('Content-Type', contentType);
    // A prepared head says it itself. Nothing else may be kept by others: keys, errors, what an account has.
    if (typeof contentType === 'string' && !this.#extra.some(([name]) => name === 'Cache-Control'))
      response.writeHeader('Cache-Control', 'no-store');
    if (this.#extra !== NO_HEADERS) for (const [name, value] of this.#extra) response.writeHeader(name, value);
  }

  /** When the answer is sent: nothing of the table has changed since it was made, in the same turn. */
  #position(): number | undefined {
    const { readPosition } = this.#host;
    if (!this.positioned || this.admission.key === undefined || readPosition === undefined) return undefined;
    const position = readPosition.of(this.tier);
    const { minPosition } = this.parsed;
    // Nothing has changed between them.
    return minPosition > position && readPosition.shows(this.tier, minPosition) ? minPosition : position;
  }

  /**
   * False if the table already shows the position the caller requires; else calls back when it does, unless the client
   * has disconnected. Throws `behind`.
   */
  waitsForPosition(done: (error?: ApiError) => void): boolean {
    const { readPosition } = this.#host;
    const { minPosition } = this.parsed;
    const { key } = this.admission;
    // What can be read without a key (deep links, names and counts) is never delayed.
    const tier = key?.tier ?? 'enterprise';
    if (minPosition === 0 || readPosition === undefined || readPosition.shows(tier, minPosition)) return false;
    this.watchAbort();
    const settled = (error?: ApiError): void => {
      if (!this.done) done(error);
    };
    // After every other listener has applied the change.
    this.onDone(readPosition.wait(tier, key?.account, minPosition, (error) => queueMicrotask(() => settled(error))));
    return true;
  }

  #writeStreamHead(contentType: string, headers: Readonly<Record<string, string>> = {}): void {
    if (this.done) return;
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, value);
    if (this.corked) this.#writeHead(200, contentType);
    else this.#response.cork(() => this.#writeHead(200, contentType));
  }

  #finish(status: number): void {
    if (this.#state === 'done') return;
    this.#state = 'done';
    this.#host.finished(this, status);
    const closers = this.#closers;
    if (closers === undefined) return;
    this.#closers = undefined;
    for (const close of closers) close();
  }
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});
const NO_BYTES = new Uint8Array(0);
const NO_HEADERS: Header[] = [];
/** The addition to a challenge if a key was sent. */
const INVALID = ', error="invalid_token"';

/** A line break in a header's value would let its author add headers. */
function checkHeaderText(name: string, value: string): void {
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) throw new Error(`the header ${name} has a control character`);
  }
}
