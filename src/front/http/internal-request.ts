// A request from one route's handler to another route: the same authorisation, parameters and handler as for a separate
// request, with the answer returned instead of written to a socket.

import { checkRoute } from '../../accounts/access.js';
import type { KeyRecord } from '../../accounts/key-record.js';
import type { RateState } from '../../accounts/rate-limit.js';
import type { Transient } from '../../base/memory/transient.js';
import type { Tier } from '../../rules/catalogue/types.js';
import type { RequestedParameters } from '../../schema/query-shape.js';
import type { Answer, RequestContext, ResponseStream, Route, Sent, TaggedAnswer } from './context.js';
import type { HttpExchange } from './http-exchange.js';
import type { ReadQuery } from './query-reader.js';
import { takeApiKey } from './query-text.js';
import type { RouteRun } from './route-run.js';

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
  const parsed = run.reader.read(text);
  const context = new InternalRequest(caller, run.route, parsed.besides(read?.ignored ?? []), {
    params,
    body: read?.value as object | undefined,
  });
  await run.route.handler(context);
  if (context.answer === undefined) throw new Error(`${run.route.path} returned without an answer`);
  return context.answer;
}

class InternalRequest implements RequestContext<never, never> {
  answer: Answer | undefined;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: never;
  readonly asked: RequestedParameters;
  readonly body: never;
  readonly contentType = '';
  readonly acceptsGzip = false;
  readonly rate: RateState | undefined;
  readonly #caller: HttpExchange;
  readonly #parsed: ReadQuery;

  constructor(caller: HttpExchange, route: Route, parsed: ReadQuery, { params = {}, body }: Sent) {
    this.#caller = caller;
    this.path = route.path;
    this.params = params;
    this.body = body as never;
    this.#parsed = parsed;
    this.query = parsed.query as never;
    this.asked = parsed;
    this.rate = caller.rate;
  }

  get requestId(): string {
    return this.#caller.requestId;
  }

  get key(): KeyRecord | undefined {
    return this.#caller.key;
  }

  get tier(): Tier {
    return this.#caller.tier;
  }

  get aborted(): boolean {
    return this.#caller.aborted;
  }

  requireKey(): KeyRecord {
    return this.#caller.requireKey();
  }

  ask(route: Route, queryText: string, sent?: Sent): Promise<Answer> {
    return this.#caller.ask(route, queryText, sent);
  }

  spend(rows: number): void {
    this.#caller.spend(rows);
  }

  keepPosition(): void {
    this.#caller.keepPosition();
  }

  questionKey(version: number): string {
    return this.#parsed.key(this.tier, version);
  }

  header(_name: string): string {
    return '';
  }

  /** Internal callers need no headers: the body has everything. */
  setHeader(_name: string, _value: string): void {}

  sendJson(value: unknown, status = 200): void {
    this.answer ??= { status, contentType: 'application/json', body: value };
  }

  sendBuffer(status: number, contentType: string, bytes: Uint8Array): void {
    const body = contentType === 'application/json' ? JSON.parse(Buffer.from(bytes).toString()) : bytes;
    this.answer ??= { status, contentType, body };
  }

  sendTagged({ contentType }: TaggedAnswer, bytesNow: () => Transient): void {
    this.sendBuffer(200, contentType, bytesNow());
  }

  sendEmpty(status: number): void {
    this.answer ??= { status, contentType: '', body: undefined };
  }

  redirect(location: string): void {
    throw new Error(`a redirect to ${location} cannot be followed from within`);
  }

  stream(): ResponseStream {
    throw new Error(`${this.path} is a stream and cannot be read from within`);
  }
}
