// Runs a request through its route once the caller is known: permission, path and query parameters, body, handler.

import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { gunzip } from 'node:zlib';
import type { TSchema } from 'typebox';
import { checkRoute } from '../../accounts/access.js';
import { type Names, viewerQuery } from '../../accounts/viewer-access.js';
import type { Viewer } from '../../accounts/viewer-tokens.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import type { Route } from './context.js';
import type { HttpExchange } from './http-exchange.js';
import { JsonBody } from './json-body.js';
import { NOTHING_PARSED, QueryReader } from './query-reader.js';
import { decodePart } from './query-text.js';
import type { TurnWork } from './turn-work.js';
import type { UnreadBody } from './unread-body.js';

/** A route prepared at the start. */
export function routeRun(route: Route, bodies: BodyReader, names: Names) {
  const accepted = route.rawBody ?? (route.body === undefined ? [] : [JSON_TYPE]);
  return {
    route,
    reader: new QueryReader(route.query),
    paramNames: route.path.split('/').flatMap((segment) => (segment.startsWith(':') ? segment.slice(1) : [])),
    headers: route.headers ?? [],
    bodies,
    names,
    /** Empty if the route accepts no body; one without a content type is read as JSON. */
    mediaTypes: accepted.includes(JSON_TYPE) ? [...accepted, ''] : accepted,
    /** For routes whose body is JSON with a schema. */
    json: route.body === undefined ? undefined : new JsonBody(route.body as TSchema, route.bodyErrorCode),
  };
}

export type RouteRun = ReturnType<typeof routeRun>;

const JSON_TYPE = 'application/json';

/** Within uWebSockets' handler: the request object is invalid after it. Throws ApiError; later errors go to fail(). */
export function runRoute(
  run: RouteRun,
  exchange: HttpExchange,
  turn: TurnWork,
  request: HttpRequest,
  response: HttpResponse,
): void {
  const { error, key } = exchange.admission;
  if (error !== undefined) throw error;
  if (key !== undefined) checkRoute(key, run.route, exchange.startedMs);
  if (run.paramNames.length > 0) exchange.params = readParams(run.paramNames, request);
  if (exchange.parsed === NOTHING_PARSED) exchange.parsed = run.reader.read(exchange.queryText);
  // A stream is restricted where it is opened.
  if (key?.viewer !== undefined && !run.route.streaming) holdToViewer(run, exchange, key.viewer);
  const { ignored } = exchange.parsed;
  if (ignored.length > 0 || run.json !== undefined) {
    if (prefersStrict(request.getHeader('prefer'))) exchange.parsed = exchange.parsed.strictly();
  }
  exchange.acceptEncoding = request.getHeader('accept-encoding');
  for (const name of run.headers) exchange.keepHeader(name, request.getHeader(name));
  if (run.mediaTypes.length === 0) {
    // Whether a body is still to come is known only within the handler.
    if (exchange.unreadBody === undefined) turn.run(() => callHandler(run, exchange, turn));
    else callHandler(run, exchange, turn);
    return;
  }
  exchange.contentType = mediaType(request.getHeader('content-type'));
  const length = request.getHeader('content-length');
  exchange.watchAbort();
  exchange.readsBody = true;
  const reading = run.bodies.read(
    response,
    {
      account: key?.account ?? '',
      contentType: exchange.contentType,
      contentLength: length === '' ? undefined : Number(length),
      contentEncoding: request.getHeader('content-encoding').toLowerCase(),
      accepted: run.mediaTypes,
      unread: exchange.unreadBody,
    },
    (failure, body) => {
      if (exchange.done) return;
      if (failure === undefined) turn.run(() => handleBody(run, exchange, turn, body));
      else exchange.fail(failure);
    },
  );
  exchange.onDone(() => reading.release());
}

/** RFC 7240: `Prefer: handling=strict`, possibly among other preferences and with parameters. */
function prefersStrict(prefer: string): boolean {
  return prefer.split(',').some((preference) => /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i.test(preference));
}

/** The query as restricted by the token. Throws ApiError. */
function holdToViewer(run: RouteRun, exchange: HttpExchange, viewer: Viewer): void {
  const { params, parsed, queryText } = exchange;
  const added = viewerQuery(run.names, viewer, run.route, {
    knows: (name) => run.reader.knows(name),
    query: parsed.query,
    params,
  });
  if (added !== '') exchange.parsed = run.reader.read(queryText === '' ? added.slice(1) : queryText + added);
}

function handleBody(run: RouteRun, exchange: HttpExchange, turn: TurnWork, body: Buffer): void {
  if (exchange.done) return;
  try {
    if (run.json === undefined) exchange.body = body as never;
    else {
      const { value, ignored } = run.json.read(body);
      exchange.body = value as never;
      if (ignored.length > 0) exchange.parsed = exchange.parsed.besides(ignored);
    }
  } catch (error) {
    exchange.fail(error);
    return;
  }
  callHandler(run, exchange, turn);
}

/** Once it is known whether the caller has a request left. */
function callHandler(run: RouteRun, exchange: HttpExchange, turn: TurnWork): void {
  const { pending } = exchange.admission;
  if (pending === undefined) {
    callAdmitted(run, exchange);
    return;
  }
  exchange.watchAbort();
  void pending.then((admission) => {
    exchange.admission = admission;
    if (admission.error === undefined) turn.run(() => callAdmitted(run, exchange));
    else exchange.fail(admission.error);
  });
}

function callAdmitted(run: RouteRun, exchange: HttpExchange): void {
  if (exchange.done) return;
  try {
    const waits = exchange.waitsForPosition((error) => {
      if (error === undefined) handle(run, exchange);
      else exchange.fail(error);
    });
    if (!waits) handle(run, exchange);
  } catch (error) {
    exchange.fail(error);
  }
}

function handle(run: RouteRun, exchange: HttpExchange): void {
  try {
    const pending = run.route.handler(exchange);
    if (pending === undefined) settle(exchange);
    else
      pending.then(
        () => settle(exchange),
        (error: unknown) => exchange.fail(error),
      );
  } catch (error) {
    exchange.fail(error);
  }
}

function settle(exchange: HttpExchange): void {
  if (exchange.unanswered) exchange.fail(new Error('the handler returned without an answer'));
}

function readParams(names: readonly string[], request: HttpRequest): Record<string, string> {
  const params: Record<string, string> = {};
  for (let i = 0; i < names.length; i++) {
    const value = decodePart(request.getParameter(i) ?? '', false);
    if (value === '') throw new ApiError('not_found', 'there is nothing at this path');
    params[names[i]!] = value;
  }
  return params;
}

function mediaType(header: string): string {
  const end = header.indexOf(';');
  return (end === -1 ? header : header.slice(0, end)).trim().toLowerCase();
}

/** All bodies held together may be this many times the limit of one, and those of an account a quarter of that. */
const BODIES_TOGETHER_MAX = LIMITS.bodiesTogether.max;
const BODIES_OF_ACCOUNT_MAX = LIMITS.bodiesOfAccount.max;
/** Each may grow to the limit while it is unpacked. */
const UNZIPPING_MAX = LIMITS.unzipping.max;
/** Each chunk comes to the main thread by itself: with Node's own 16 KiB a large body takes twice as long there. */
const UNZIPPED_CHUNK_BYTES = 64 * 1024;
const BODY_MS_MAX = LIMITS.bodyTime.max;
/** Of a header in an error's text. */
const QUOTED_LENGTH = 60;

interface BodyRequest {
  /** Whose body it is. */
  account: string;
  contentType: string;
  contentLength: number | undefined;
  contentEncoding: string;
  /** Media types that the route accepts. */
  accepted: readonly string[];
  /** Informed of every chunk, also of those after a refusal. */
  unread: UnreadBody | undefined;
}

type Done = (error: ApiError | undefined, body: Buffer) => void;

/** Reads request bodies: bounded individually, by account and in total, decompressed according to Content-Encoding. */
export class BodyReader {
  readonly #bytesMax: number;
  /** Bytes held, in total and by account. */
  #held = 0;
  readonly #heldBy = new Map<string, number>();
  #unzipping = 0;
  readonly #zipped: { held: HeldBody; account: string }[] = [];

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * Calls back once with the complete body or an ApiError (400, 413, 415, 429, 503). Must be called within the request's
   * handler. The body counts as held until release(), which must be called when its request is answered or its client
   * has disconnected: nothing is called any more then.
   */
  read(response: HttpResponse, request: BodyRequest, done: Done): { release(): void } {
    const refusal = this.#refusal(request);
    if (refusal !== undefined) {
      done(refusal, EMPTY);
      return NOTHING_HELD;
    }
    const held = new HeldBody((bytes) => this.#hold(request.account, bytes), done);
    if (request.unread !== undefined) request.unread.read = true;
    response.onData((chunk, isLast) => {
      request.unread?.received(chunk.byteLength, isLast);
      if (!held.open) return;
      const tooMuch = this.#overflow(request.account, held.size, chunk.byteLength);
      if (tooMuch !== undefined) {
        held.end(tooMuch);
        return;
      }
      held.add(chunk, this.#bytesMax);
      if (!isLast) held.watch();
      else if (request.contentEncoding === 'gzip') this.#unzipInTurn(held, request.account);
      else held.complete(held.bytes);
    });
    return held;
  }

  #refusal({ account, accepted, contentType, contentEncoding, contentLength = 0 }: BodyRequest): ApiError | undefined {
    if (!accepted.includes(contentType)) {
      const sent = contentType === '' ? 'is missing' : `is ${contentType.slice(0, QUOTED_LENGTH)}`;
      const wanted = accepted.filter(Boolean).join(' or ');
      return new ApiError('unsupported_media_type', `the header Content-Type ${sent}: it must be ${wanted}`);
    }
    if (!['', 'identity', 'gzip'].includes(contentEncoding))
      return new ApiError('unsupported_media_type', 'the body may be sent as it is or as gzip');
    return this.#overflow(account, 0, contentLength);
  }

  /** Why a body of this size cannot have this many bytes more. */
  #overflow(account: string, size: number, more: number): ApiError | undefined {
    const bytesMax = this.#bytesMax;
    if (size + more > bytesMax) return this.#tooLarge();
    if (this.#held + more > bytesMax * BODIES_TOGETHER_MAX)
      return new ApiError('unavailable', 'too many large requests at once', { retryAfter: 1 });
    if ((this.#heldBy.get(account) ?? 0) + more > bytesMax * BODIES_OF_ACCOUNT_MAX)
      return new ApiError('rate_limited', 'too many large requests of this account at once', { retryAfter: 1 });
    return undefined;
  }

  #tooLarge(): ApiError {
    return new ApiError('payload_too_large', `the body is larger than ${this.#bytesMax} bytes`);
  }

  /** @param bytes negative if they are released */
  #hold(account: string, bytes: number): void {
    this.#held += bytes;
    const own = (this.#heldBy.get(account) ?? 0) + bytes;
    if (own === 0) this.#heldBy.delete(account);
    else this.#heldBy.set(account, own);
  }

  #unzipInTurn(held: HeldBody, account: string): void {
    if (this.#unzipping >= UNZIPPING_MAX) this.#zipped.push({ held, account });
    else this.#unzip(held, account);
  }

  #unzip(held: HeldBody, account: string): void {
    this.#unzipping++;
    gunzip(held.bytes, { maxOutputLength: this.#bytesMax, chunkSize: UNZIPPED_CHUNK_BYTES }, (error, unzipped) => {
      this.#unzipping--;
      const tooMuch = error === null ? this.#overflow(account, held.size, unzipped.length - held.size) : undefined;
      if (tooMuch !== undefined) held.end(tooMuch);
      else if (error === null) held.complete(unzipped);
      else if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') held.end(this.#tooLarge());
      else held.end(new ApiError('invalid_request', 'the body is not gzip, though its Content-Encoding says so'));
      this.#nextZipped();
    });
  }

  /** Those that were given up meanwhile are passed over. */
  #nextZipped(): void {
    let next = this.#zipped.shift();
    while (next?.held.open === false) next = this.#zipped.shift();
    if (next !== undefined) this.#unzip(next.held, next.account);
  }
}

const EMPTY = Buffer.alloc(0);
const NOTHING_HELD = { release: () => undefined };

/** One body, as far as it has arrived. */
class HeldBody {
  /** False once it was refused or released. */
  open = true;
  size = 0;
  // One growing buffer: a body sent byte by byte must not cost an object for each.
  #buffer = EMPTY;
  readonly #hold: (bytes: number) => void;
  readonly #done: Done;
  #timer: NodeJS.Timeout | undefined;

  constructor(hold: (bytes: number) => void, done: Done) {
    this.#hold = hold;
    this.#done = done;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.size);
  }

  add(chunk: ArrayBuffer, bytesMax: number): void {
    const size = this.size + chunk.byteLength;
    if (size > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(size, Math.min(2 * this.#buffer.length, bytesMax)));
      this.#buffer.copy(grown, 0, 0, this.size);
      this.#buffer = grown;
    }
    this.#buffer.set(new Uint8Array(chunk), this.size);
    this.size = size;
    this.#hold(chunk.byteLength);
  }

  /** It has not ended yet. */
  watch(): void {
    this.#timer ??= setTimeout(() => {
      this.end(new ApiError('invalid_request', `the body has not ended after ${BODY_MS_MAX / 1000} s`));
    }, BODY_MS_MAX);
  }

  complete(body: Buffer): void {
    clearTimeout(this.#timer);
    if (!this.open) return;
    this.#hold(body.length - this.size);
    this.size = body.length;
    this.#buffer = EMPTY;
    this.#done(undefined, body);
  }

  end(error: ApiError): void {
    if (!this.open) return;
    this.release();
    this.#done(error, EMPTY);
  }

  release(): void {
    clearTimeout(this.#timer);
    if (!this.open) return;
    this.open = false;
    this.#hold(-this.size);
    this.#buffer = EMPTY;
  }
}
