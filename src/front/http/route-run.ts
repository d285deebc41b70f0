// Runs a request through its route once the caller is known: permission, path and query parameters, body, handler.

import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import type { TSchema } from 'typebox';
import { checkRoute } from '../../accounts/access.js';
import { type Names, viewerQuery } from '../../accounts/viewer-access.js';
import type { Viewer } from '../../accounts/viewer-tokens.js';
import { ApiError } from '../../base/model/errors.js';
import type { BodyReader } from './body.js';
import type { Route } from './context.js';
import type { HttpExchange } from './http-exchange.js';
import { JsonBody } from './json-body.js';
import { NOTHING_PARSED, QueryReader } from './query-reader.js';
import { decodePart } from './query-text.js';
import type { TurnWork } from './turn-work.js';

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
