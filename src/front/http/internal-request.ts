// A request from one route's handler to another route: the same authorisation, parameters and handler as for a separate
// request, with the answer returned instead of written to a socket.

import { checkRoute } from '../../accounts/access.js';
import type { Answer, RequestContext, Sent } from './context.js';
import type { HttpExchange } from './http-exchange.js';
import { takeApiKey } from './query-text.js';
import type { RouteRun } from './route-run.js';

const JSON_TYPE = 'application/json';

/** Rejects with the ApiError the route would have answered with, or with what its handler threw. */
export async function answerInternal(
  run: RouteRun,
  caller: HttpExchange,
  queryText: string,
  { params = {}, body }: Sent,
): Promise<Answer> {
  checkRoute(caller.requireKey(), run.route, caller.startedMs);
  const { text } = takeApiKey(queryText);
  const read = run.json?.read(Buffer.from(JSON.stringify(body ?? {})));
  const parsed = run.reader.read(text).besides(read?.ignored ?? []);
  const { path, handler } = run.route;
  let answer: Answer | undefined;
  const sendBuffer = (status: number, contentType: string, bytes: Uint8Array): void => {
    const value = contentType === JSON_TYPE ? JSON.parse(Buffer.from(bytes).toString()) : bytes;
    answer ??= { status, contentType, body: value };
  };
  await handler(
    requestWith<never, never>(caller, {
      path,
      params,
      query: parsed.query as never,
      asked: parsed,
      body: read?.value as never,
      contentType: '',
      acceptsGzip: false,
      rate: caller.rate,
      questionKey: (version) => parsed.key(caller.tier, version),
      header: () => '',
      // Callers from within need no headers: the body has everything.
      setHeader: () => undefined,
      sendJson(value, status = 200) {
        answer ??= { status, contentType: JSON_TYPE, body: value };
      },
      sendBuffer,
      sendTagged: ({ contentType }, bytesNow) => sendBuffer(200, contentType, bytesNow()),
      sendEmpty(status) {
        answer ??= { status, contentType: '', body: undefined };
      },
      redirect(location) {
        throw new Error(`a redirect to ${location} cannot be followed from within`);
      },
      stream() {
        throw new Error(`${path} is a stream and cannot be read from within`);
      },
    }),
  );
  if (answer === undefined) throw new Error(`${path} returned without an answer`);
  return answer;
}

/** A caller's request, of which some is otherwise. */
export function requestWith<Query, Body>(
  caller: RequestContext,
  own: Partial<RequestContext<Query, Body>>,
): RequestContext<Query, Body> {
  const request = new Proxy(caller, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof typeof own];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return request as RequestContext<Query, Body>;
}
