// One request and its answer: the context of a handler.

import type { HttpResponse } from 'uWebSockets.js';
import type { KeyRecord } from '../../accounts/key-record.js';
import type { RateState } from '../../accounts/rate-limit.js';
import type { HttpRequestDone } from '../../base/diagnostics/diagnostic-channels.js';
import { ApiError } from '../../base/model/errors.js';
import { shownFailure } from '../../base/model/storage-error.js';
import type { Tier } from '../../rules/catalogue/types.js';
import type { RequestedParameters } from '../../schema/parameters.js';
import { acceptsGzip } from './answer-packer.js';
import type { Answer, RequestContext, ResponseStream, Route, Sent } from './context.js';
import { type AnswerHost, CLIENT_GONE, OutgoingAnswer } from './outgoing-answer.js';
import { NOTHING_PARSED, type ReadQuery } from './query-reader.js';
import type { ReadPosition } from './read-position.js';

/** What the exchange needs from the server it belongs to. */
export interface ExchangeHost extends AnswerHost {
  readonly readPosition: ReadPosition | undefined;
  /** The answer was sent, or the client has disconnected (status 499); called once. */
  finished(exchange: HttpExchange, status: number): void;
  streamOpened(exchange: HttpExchange): void;
  /** It is to be sent in pieces, as its caller reads. Throws ApiError `rate_limited` if too many of the account's are. */
  bodyOpened(exchange: HttpExchange): void;
  /**
   * Answers an internal request of the exchange's caller through another route. Rejects with the ApiError it would have
   * answered.
   */
  ask(exchange: HttpExchange, route: Route, queryText: string, sent?: Sent): Promise<Answer>;
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

export class HttpExchange extends OutgoingAnswer implements RequestContext<never, never> {
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
  /** The answer shows data of a table. */
  positioned = false;
  errorBody: ((error: ApiError) => unknown) | undefined;
  readonly #host: ExchangeHost;
  #sendsBody = false;
  /** Names and values of request headers alternately. */
  #given: string[] | undefined;
  constructor(host: ExchangeHost, response: HttpResponse, no: number, request: Requested) {
    super(host, response, no);
    this.#host = host;
    this.method = request.method;
    this.path = request.path;
    this.startedMs = request.startedMs;
    this.route = request.route;
  }

  get requestId(): string {
    return this.#host.headers.requestId(this.no);
  }

  get query(): never {
    return this.parsed.query as never;
  }

  get asked(): RequestedParameters {
    return this.parsed;
  }

  get key(): KeyRecord | undefined {
    return this.admission.key;
  }

  get rate(): RateState | undefined {
    return this.admission.rate;
  }

  get acceptsGzip(): boolean {
    return acceptsGzip(this.acceptEncoding);
  }

  get tier(): Tier {
    return this.admission.key?.tier ?? 'free';
  }

  requireKey(): KeyRecord {
    const key = this.admission.key;
    if (key === undefined) throw new Error(`${this.path} is no route with auth 'required'`);
    return key;
  }

  async ask(route: Route, queryText: string, sent?: Sent): Promise<Answer> {
    try {
      return await this.#host.ask(this, route, queryText, sent);
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

  questionKey(version: number): string {
    return this.parsed.key(this.tier, version);
  }

  keepHeader(name: string, value: string): void {
    this.#given ??= [];
    this.#given.push(name, value);
  }

  /** Answers with an error: an ApiError as it is, anything else as a 500 without details. */
  fail(error: unknown): void {
    if (!(error instanceof ApiError)) this.#host.failed(this, error);
    if (this.state === 'streaming') this.abandon();
    if (this.state !== 'open') return;
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
    this.closing = true;
    setImmediate(() => this.fail(error));
  }

  stream(kind: 'events' | 'body' = 'events'): ResponseStream {
    // The client has left meanwhile.
    if (this.aborted) return new StreamedAnswer(this, this.response);
    if (this.state !== 'open') throw new Error('the answer is out already');
    this.#sendsBody = kind === 'body';
    if (this.#sendsBody) this.#host.bodyOpened(this);
    this.watchAbort();
    this.state = 'streaming';
    this.#host.streamOpened(this);
    return new StreamedAnswer(this, this.response);
  }

  /** The server closes. */
  closeStream(): void {
    // Its reader must not take it for whole.
    if (this.#sendsBody) this.abandon();
    else this.endStream();
  }

  /** Ends a stream's body properly, if the socket still accepts its end. */
  endStream(): void {
    if (this.done) return;
    // Not end('', true): after chunks uWebSockets writes the header `Connection: close` into the middle of the body.
    this.inCork(() => this.response.end());
    this.finish(200);
  }

  /** Cuts the connection. */
  abandon(): void {
    if (this.done) return;
    this.response.close();
    this.finish(CLIENT_GONE);
  }

  /** When the answer is sent: nothing of the table has changed since it was made, in the same turn. */
  protected override position(): number | undefined {
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

  writeStreamHead(head: Uint8Array): void {
    if (this.done) return;
    const isHead = this.method === 'head';
    const write = (): void => {
      this.writeHead(200, head);
      // A body would be read as the connection's next answer.
      if (isHead) this.response.endWithoutBody();
    };
    this.inCork(write);
    if (isHead) this.finish(200);
    // Not for as long as the stream lasts.
    this.#given = undefined;
    this.acceptEncoding = '';
  }

  protected override finished(status: number): void {
    this.#host.finished(this, status);
  }
}

/** One object a stream: what thousands of them hold is collected for as long as they are opened. */
class StreamedAnswer implements ResponseStream {
  readonly response: HttpResponse;
  readonly #exchange: HttpExchange;

  constructor(exchange: HttpExchange, response: HttpResponse) {
    this.response = response;
    this.#exchange = exchange;
  }

  get closed(): boolean {
    return this.#exchange.done;
  }

  get corked(): boolean {
    return this.#exchange.corked;
  }

  writeHead(head: Uint8Array): void {
    this.#exchange.writeStreamHead(head);
  }

  end(): void {
    this.#exchange.endStream();
  }

  onClose(callback: () => void): void {
    this.#exchange.onDone(callback);
  }
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});
/** The addition to a challenge if a key was sent. */
const INVALID = ', error="invalid_token"';
