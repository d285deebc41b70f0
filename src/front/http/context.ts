// A route and the context of its handler. Routes are declared with route(), passed to the HttpServer (server.ts), and
// see a request only after its key, limits, parameters and body were checked.

import type { HttpResponse } from 'uWebSockets.js';
import type { Static, TObject, TSchema } from 'typebox';
import type { KeyRecord, Scope } from '../../accounts/key-record.js';
import type { RateState } from '../../accounts/rate-limit.js';
import type { Viewable } from '../../accounts/viewer-access.js';
import type { Transient } from '../../base/memory/transient.js';
import type { ApiError } from '../../base/model/errors.js';
import type { Tier } from '../../rules/catalogue/types.js';
import type { DocumentedRoute } from '../../schema/openapi.js';
import type { RequestedParameters } from '../../schema/parameters.js';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/**
 * - `required`: a key, else 401.
 * - `optional`: a key gives the tier's limit; without one the client's address has 10 requests a minute.
 * - `uncounted`: a key, else 401; the request itself is free, its internal requests to other routes are counted.
 * - `probe`: as `optional`, but this machine itself may call without a key and without a limit.
 * - `metered`: keys are ignored; an address has 120 requests a minute, this machine itself any number.
 * - `public`: keys are ignored and nothing is counted.
 */
export type Auth = 'public' | 'metered' | 'probe' | 'optional' | 'uncounted' | 'required';

/** What a request from within has beside its query. */
export interface Sent {
  params?: Readonly<Record<string, string>> | undefined;
  /** Checked as the body of a request is. */
  body?: object | undefined;
}

/** Another route's answer, if successful. */
export interface Answer {
  status: number;
  contentType: string;
  /** The JSON body's value if it is JSON, else the bytes. Shared: read only. */
  body: unknown;
}

/** An answer that a client may have already, and that may be sent again. */
export interface TaggedAnswer {
  /** Different for different contents, whatever the times of sending. */
  readonly etag: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /**
   * Content type, Cache-Control and tag as the value of one header followed by the others, `application/json\r
   * Name: value`: without unchecked data of a caller.
   */
  readonly head: Uint8Array;
  readonly length: number;
  /** Number of bytes at its end that contain the times of sending, if any. */
  readonly tail: number;
  /** It does not change while the server runs. */
  readonly lasting: boolean;
}

export interface RequestContext<Query = unknown, Body = unknown> {
  readonly requestId: string;
  /** The path as sent, without the query. */
  readonly path: string;
  /** Path parameters by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The parameters in the route's schema, coerced, validated, with defaults. Shared between requests: read only. */
  readonly query: Readonly<Query>;
  /** What the query asks for, by the route's schema: filters for cursors, `meta.filters`, `meta.ignored`. */
  readonly asked: RequestedParameters;
  /** The validated JSON body if the route has `body`, the bytes if it has `rawBody`, else undefined. */
  readonly body: Body;
  /** Media type of the body in lower case, without parameters. */
  readonly contentType: string;
  /** Undefined on public routes and for anonymous callers. */
  readonly key: KeyRecord | undefined;
  /** The key's tier; `free` without a key. */
  readonly tier: Tier;
  /** Whether a stream may be answered as gzip. */
  readonly acceptsGzip: boolean;
  /** The caller's remaining requests in the current minute; undefined if nothing is counted. */
  readonly rate: RateState | undefined;
  /** True once the client has disconnected: sends do nothing then. */
  readonly aborted: boolean;

  /** The key; for handlers of routes with auth `required` or `uncounted`. */
  requireKey(): KeyRecord;
  /**
   * Calls a GET route of this server as the same caller: one request of the caller's, counted, authorised, validated
   * and answered as if sent separately. Rejects with the ApiError the route would have answered with.
   */
  ask(route: Route, queryText: string, sent?: Sent): Promise<Answer>;
  /**
   * Counts what the answer costs against the caller's requests: one more for every CHARGED_ROWS rows looked at. Before
   * the answer is sent, so that its headers show it.
   */
  spend(rows: number): void;
  /**
   * To be called before the first pause of an answer that is made in pieces: X-Position is what the table shows now. The
   * later pieces may be newer.
   */
  keepPosition(): void;
  /** Equal for equal `query`, tier and version: a key for cached answers. */
  questionKey(version: number): string;
  /** A request header listed in the route's `headers` (lower case); '' if absent. */
  header(name: string): string;
  /** Adds a header to the answer; before it is sent. Throws on control characters. */
  setHeader(name: string, value: string): void;

  // Exactly one of these ends the request. After the client has disconnected they do nothing.
  sendJson(value: unknown, status?: number): void;
  /** Complete bytes, sent in one piece: compressed if the caller accepts that. */
  sendBuffer(status: number, contentType: string, bytes: Uint8Array): void;
  /**
   * The hot path: 200 and the answer's bytes as they are now, or 304 if the caller has them; for routes that list
   * `if-none-match`.
   */
  sendTagged(answer: TaggedAnswer, bytesNow: () => Transient): void;
  sendEmpty(status: number): void;
  /** With 302. */
  redirect(location: string): void;
  /**
   * Takes over the response for a stream (SSE), or for a body that is sent piece by piece: that is cut, not ended, if
   * the server closes.
   */
  stream(kind?: 'events' | 'body'): ResponseStream;
}

export interface ResponseStream {
  /** Invalid once `closed`: must not be touched then. */
  readonly response: HttpResponse;
  readonly closed: boolean;
  /** True within the request's handler: what is written leaves together once it returns. */
  readonly corked: boolean;
  /**
   * Status 200 and the headers of every answer; to be called first. The answer to HEAD ends with them.
   * @param head content type and other headers as the value of one, as in TaggedAnswer
   */
  writeHead(head: Uint8Array): void;
  /** Ends the answer and runs the close callbacks. */
  end(): void;
  /** Called once, when the client has disconnected or end() was called; at once if that is already so. */
  onClose(callback: () => void): void;
}

export type Handler<Query, Body> = (context: RequestContext<Query, Body>) => void | Promise<void>;

export interface RouteOptions<Q extends TObject, B extends TSchema> extends DocumentedRoute {
  method: Method;
  auth: Auth;
  /** A scope the key must have, else 403 `forbidden`. */
  scope?: Scope;
  /** What viewer tokens see of it; absent if they are refused. Streams check the channels that are opened. */
  viewers?: Viewable;
  /** What it shows is not delayed, whatever the tier. */
  undelayed?: true;
  /**
   * Parameters: integers, numbers, booleans, strings, unions of literals; an array of these is read from a comma list.
   * An empty parameter counts as absent.
   */
  query?: Q;
  /** Schema of a JSON body. */
  body?: B;
  rawBodySchema?: TSchema;
  /** HEAD is refused: the answer is too much work for its headers. */
  noHead?: true;
  /** Its body may be as large as the server is set to accept, rather than what suffices for every other request. */
  largeBody?: true;
  /** The body of an error, if clients of this route expect another than the usual one. */
  errorBody?: (error: ApiError) => unknown;
  response?: TSchema;
  params?: TObject;
}

/** A route with its handler; the parameter types are checked where it is made and erased here. */
export interface Route extends RouteOptions<TObject, TSchema> {
  handler: Handler<never, never>;
}

type QueryOf<Q> = Q extends TObject ? Static<Q> : Record<string, never>;

/** Declares a route; the schemas determine the types of `context.query` and `context.body`. */
export function route<Q extends TObject = TObject<Record<never, never>>, B extends TSchema = never>(
  options: RouteOptions<Q, B> & {
    handler: Handler<QueryOf<Q>, [B] extends [never] ? Uint8Array | undefined : Static<B>>;
  },
): Route {
  return options as unknown as Route;
}
