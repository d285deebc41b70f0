// What a route is and what its handler gets. Routes are declared with route(), handed to createHttpServer (server.ts),
// and see a request only after its key, limits, parameters and body were checked.

import type { HttpResponse } from 'uWebSockets.js';
import type { Static, TObject, TSchema } from 'typebox';
import type { KeyRecord, Scope } from '../../accounts/key-record.js';
import type { RateState } from '../../accounts/rate-limit.js';
import type { Feature } from '../../catalogue/tiers.js';
import type { Tier } from '../../catalogue/types.js';
import type { Transient } from '../../memory/transient.js';
import type { ApiError, ErrorCode } from '../../model/errors.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * - `required`: a key, else 401.
 * - `optional`: a key gives the tier's limit; without one the client's address has 10 requests a minute.
 * - `uncounted`: a key, else 401; the request itself costs nothing, what its handler asks of other routes does.
 * - `probe`: as `optional`, and this machine itself may ask without a key as often as it likes.
 * - `public`: keys are not looked at and nothing is counted.
 */
export type Auth = 'public' | 'probe' | 'optional' | 'uncounted' | 'required';

/** What another route answered; of a success. */
export interface Answer {
  status: number;
  contentType: string;
  /** The JSON body's value where it is JSON, else the bytes. Shared: read only. */
  body: unknown;
}

export interface RequestContext<Query = unknown, Body = unknown> {
  readonly requestId: string;
  /** The path as sent, without the query. */
  readonly path: string;
  /** Path parameters by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The parameters the route's schema names, coerced, checked, defaults filled in. Shared between requests: read only. */
  readonly query: Readonly<Query>;
  /** Parameters the route does not know, for `meta.ignored`. */
  readonly ignored: readonly string[];
  /** The checked JSON body where the route has `body`, the bytes where it has `rawBody`, else undefined. */
  readonly body: Body;
  /** Media type of the body in lower case, without parameters. */
  readonly contentType: string;
  /** Undefined on public routes and for anonymous callers. */
  readonly key: KeyRecord | undefined;
  /** The key's tier; `free` without a key. */
  readonly tier: Tier;
  /** The caller's place in its minute; undefined where nothing is counted. */
  readonly rate: RateState | undefined;
  /** True once the client has gone: sends do nothing then. */
  readonly aborted: boolean;

  /** The key; for handlers of routes with auth `required` or `uncounted`. */
  requireKey(): KeyRecord;
  /**
   * Asks a GET route of this server as the same caller: one request of his, counted, permitted, checked and answered as
   * if it had come by itself. Rejects with the ApiError the route would have answered with.
   */
  ask(route: Route, queryText: string): Promise<Answer>;
  /** Equal for equal `query`, tier and version: a key for answers kept. */
  questionKey(version: number): string;
  /** A request header the route listed in `headers` (lower case); '' where it was not sent. */
  header(name: string): string;
  /** Adds a header to the answer; before it is sent. Throws on control characters. */
  setHeader(name: string, value: string): void;

  // Exactly one of these ends the request. After the client has gone they do nothing.
  sendJson(value: unknown, status?: number): void;
  /** Bytes that are ready, sent in one piece. */
  sendBuffer(status: number, contentType: string, bytes: Uint8Array): void;
  /**
   * The hot path: 200, and JSON that is ready. `head` is the value of Content-Type with further headers behind it, as
   * `application/json\r\nName: value`: nothing of a caller may stand in it unchecked.
   */
  sendReady(head: Uint8Array, bytes: Transient): void;
  sendEmpty(status: number): void;
  redirect(location: string, status?: 302 | 307): void;
  /** Takes the response over for a stream (SSE). Call it before the handler's first await. */
  stream(): ResponseStream;
}

export interface ResponseStream {
  /** Dead once `closed`: never touch it then. */
  readonly response: HttpResponse;
  readonly closed: boolean;
  /** Status 200, the headers every answer has, and these; call it first. */
  writeHead(contentType: string, headers?: Readonly<Record<string, string>>): void;
  /** Ends the answer and runs the close callbacks. */
  end(): void;
  /** Called once, when the client has gone or end() was called; at once if that is already so. */
  onClose(callback: () => void): void;
}

export type Handler<Query, Body> = (context: RequestContext<Query, Body>) => void | Promise<void>;

export interface RouteOptions<Q extends TObject, B extends TSchema> {
  method: Method;
  /** `/api/v1/events/:eventId/odds`. */
  path: string;
  auth: Auth;
  /** A scope the key must have, else 403 `forbidden`. */
  scope?: Scope;
  /** The lowest tier, else 403 `tier_restricted`. */
  minTier?: Tier;
  /** A feature the key must have, else 403 `forbidden` (after minTier). */
  feature?: Feature;
  /** True where a viewer token of the key is not enough, though it is a read. */
  keyOnly?: true;
  /** True where the key must be allowed to stream. */
  streaming?: true;
  /**
   * Parameters: integers, numbers, booleans, strings, unions of literals; an array of these is read from a comma list.
   * A parameter given empty counts as not given.
   */
  query?: Q;
  /** Schema of a JSON body. */
  body?: B;
  /** The code of a complaint about the body; `invalid_request` where not given. */
  bodyErrorCode?: 'bad_request';
  /** Media types of a body the handler reads itself, as bytes. */
  rawBody?: readonly string[];
  /** What a JSON body of `rawBody` looks like, for the documents. */
  rawBodySchema?: TSchema;
  /** Request headers the handler asks for, lower case. */
  headers?: readonly string[];
  /** The body of an error, where clients of this route read another than the one every route has. */
  errorBody?: (error: ApiError) => unknown;
  /** Schema of the JSON body of a success: for the documents and the MCP tools, not checked when answering. */
  response?: TSchema;
  /** Status of a success; 200 where not given. */
  status?: 201 | 204 | 302;
  /** Media types a success may have besides (or, without `response`, in place of) JSON. */
  produces?: readonly string[];
  /** Errors the handler throws that do not follow from the rest of the route, for the documents. */
  errors?: readonly ErrorCode[];
  /** Path parameters, for the documents; strings where not given. */
  params?: TObject;
  /** Headers of a success beyond those every answer has: name → description. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** Left out of the documents. */
  hidden?: true;
  /** One line for the documents. */
  summary?: string;
  /** The documents' sections. */
  tags?: readonly string[];
}

/** A route with its handler; the parameter types are checked where it is made and forgotten here. */
export interface Route extends RouteOptions<TObject, TSchema> {
  handler: Handler<never, never>;
}

type QueryOf<Q> = Q extends TObject ? Static<Q> : Record<string, never>;

/** Declares a route; the schemas give `context.query` and `context.body` their types. */
export function route<Q extends TObject = TObject<Record<never, never>>, B extends TSchema = never>(
  options: RouteOptions<Q, B> & {
    handler: Handler<QueryOf<Q>, [B] extends [never] ? Uint8Array | undefined : Static<B>>;
  },
): Route {
  return options as unknown as Route;
}
