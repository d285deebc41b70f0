// The prepared tools: each entry of the table with its route's schemas; a call is answered by that route.

import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { Clock } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';
import { meaningOf } from '../../schema/parameters.js';
import type { Answer, Route, Sent } from '../http/context.js';
import { Projection, type Schema } from './projection.js';
import { readable } from './readable.js';
import { mcpSdk } from './sdk.js';
import type { ToolEntry } from './tool-entry.js';
import { HIDDEN, TOOLS, UNLISTED } from './tool-table.js';

/** Calls a route as the caller: RequestContext's own. */
export type Ask = (route: Route, queryText: string, sent?: Sent) => Promise<Answer>;

interface ReadyTool {
  entry: ToolEntry;
  route: AnsweringRoute;
  projection: Projection;
  /** Of a tool that changes something, by action. */
  changes: ReadonlyMap<string, Route>;
}

type Arguments = Readonly<Record<string, unknown>>;

export class Tools {
  readonly #clock: Clock;
  readonly #tools = new Map<string, ReadyTool>();
  #listing: Tool[] | undefined;

  /** Throws if a tool's route, or the schema of its answer, is missing. */
  constructor(clock: Clock, routes: readonly Route[], entries: readonly ToolEntry[] = TOOLS) {
    this.#clock = clock;
    for (const entry of entries) {
      const found = (method: string, path: string): Route => {
        const route = routes.find((candidate) => candidate.method === method && candidate.path === `/api/v1${path}`);
        if (route === undefined) throw new Error(`the tool ${entry.name} has no route: ${method} /api/v1${path}`);
        return route;
      };
      const requests = Object.entries(entry.change?.requests ?? {});
      const changes = new Map(requests.map(([action, { method, path }]) => [action, found(method, path)]));
      const [first] = changes.values();
      const route = first ?? found('GET', entry.path);
      if (!answers(route)) throw new Error(`${route.path} has no schema of its answer`);
      this.#tools.set(entry.name, { entry, route, changes, projection: new Projection(entry.shows) });
    }
  }

  /** As in tools/list, made on first use. Throws if a shown field is in no answer. */
  get listing(): Tool[] {
    this.#listing ??= [...this.#tools.values()].map(listed);
    return this.#listing;
  }

  has(name: unknown): boolean {
    return typeof name === 'string' && this.#tools.has(name);
  }

  /** The route's answer, its errors as results. Rejects with a ProtocolError for an unknown tool. */
  async call(name: string, args: Arguments, ask: Ask): Promise<CallToolResult> {
    const tool = this.#tools.get(name);
    if (tool === undefined) {
      const { ProtocolError, ProtocolErrorCode } = mcpSdk();
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${name}`);
    }
    try {
      const { body = { data: {} } } = await this.#ask(tool, args, ask);
      const chosen = given(args['fields']) || given(args['field']);
      return {
        content: [{ type: 'text', text: readable(body, tool.entry) }],
        structuredContent: tool.projection.body(body as Record<string, unknown>, chosen),
      };
    } catch (error) {
      if (error instanceof ApiError) return failed(error);
      throw error;
    }
  }

  async #ask({ entry, route, changes }: ReadyTool, args: Arguments, ask: Ask): Promise<Answer> {
    const { change } = entry;
    if (change === undefined) return ask(route, queryTextOf(this.#completed(entry, args), HIDDEN));
    const { id = '', action, ...rest } = args;
    const [[first]] = changes as unknown as [[string]];
    const name = changes.size === 1 ? first : String(action);
    const chosen = changes.get(name);
    if (chosen !== undefined) {
      const body = change.requests[name]!.body ?? change.body?.(rest) ?? rest;
      return ask(chosen, '', { params: { id: String(id) }, ...(chosen.body === undefined ? {} : { body }) });
    }
    // What the caller may not do at all is said first: nothing has this id.
    await ask(route, '', { params: { id: '' }, body: {} }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
    });
    throw new ApiError('invalid_request', `action must be one of ${[...changes.keys()].join(', ')}`);
  }

  /** With default values, and ages converted to times. */
  #completed({ defaults = {}, arguments: own = {} }: ToolEntry, args: Arguments): Arguments {
    const missing = Object.entries(defaults).filter(([name]) => !given(args[name]) && !given(args[`${name}s`]));
    const since = own['since'] === undefined ? {} : { since: instantOf(args['since'], this.#clock.now()) };
    return { ...args, ...Object.fromEntries(missing), ...since };
  }
}

function answers(route: Route): route is AnsweringRoute {
  return route.response !== undefined;
}

function given(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function listed({ entry, route, projection }: ReadyTool): Tool {
  const { name, title, description, defaults = {}, change } = entry;
  if (change !== undefined)
    return {
      name,
      title,
      description,
      inputSchema: {
        type: 'object',
        properties: change.arguments,
        required: [...change.required],
      } as Tool['inputSchema'],
      outputSchema: outputSchema(route, projection) as NonNullable<Tool['outputSchema']>,
      annotations: { readOnlyHint: false, destructiveHint: change.destructive === true },
    };
  const input = inputSchema(route, [...HIDDEN, ...UNLISTED, ...(entry.unlisted ?? [])], entry.arguments);
  for (const [argument, value] of Object.entries(defaults)) input.properties[argument]!['default'] = value;
  return {
    name,
    title,
    description,
    inputSchema: input as Tool['inputSchema'],
    outputSchema: outputSchema(route, projection) as NonNullable<Tool['outputSchema']>,
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}

function failed(error: ApiError): CallToolResult {
  const { retryAfter, tier } = error.detail;
  const more = [
    tier === undefined ? '' : ` (tier: ${tier})`,
    retryAfter === undefined ? '' : ` (retry after ${retryAfter} s)`,
  ];
  return {
    isError: true,
    content: [{ type: 'text', text: `${error.code}: ${error.message}${more.join('')}` }],
    structuredContent: error.toBody(),
  };
}

// A tool's arguments as the query text of its route: from there on a call is handled like any other request.

/** Lists become comma lists; null counts as absent. Throws ApiError `invalid_request` for objects. */
function queryTextOf(args: Readonly<Record<string, unknown>>, ignoredNames: readonly string[]): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) {
    if (value === null || value === undefined || ignoredNames.includes(name)) continue;
    pairs.append(name, Array.isArray(value) ? value.map((item) => scalar(name, item)).join(',') : scalar(name, value));
  }
  return pairs.toString();
}

function scalar(name: string, value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      throw new ApiError('invalid_request', `${name} must be text, a number, true or false, or a list of these`);
  }
}

const AGE = /^\s*(\d{1,7})\s*(s|m|h)\s*$/;
const SECONDS = { s: 1, m: 60, h: 3_600 } as const;

/** `60s`, `5m`, `2h` before now as a time; anything else unchanged. */
function instantOf(value: unknown, nowMs: number): unknown {
  const age = typeof value === 'string' ? AGE.exec(value) : null;
  if (age === null) return value;
  return new Date(Math.max(0, nowMs - Number(age[1]) * SECONDS[age[2] as keyof typeof SECONDS] * 1_000)).toISOString();
}

// A tool's schemas, derived from those of its route. Every client reads all of them before its first call, so they
// contain what a model needs for calls and answers, and no more: the documents have the rest.

/** A JSON schema of an object, as in tools/list. */
interface ObjectSchema extends Schema {
  type: 'object';
  properties: Record<string, Schema>;
  required?: string[];
}

/** A route that says what it answers. */
type AnsweringRoute = Route & { readonly response: NonNullable<Route['response']> };

/** Arguments common to all tools: what they mean is in the server's instructions. */
const KNOWN = ['limit', 'offset', 'sport', 'league', 'sportsbook', 'market', 'event', 'team', 'live'];
/** Explained once for all tools, in the server's instructions. */
const LIST = /,? comma-separated(?=[:;,]|$)/;
/** Synonyms of orders, for clients of other services: not worth every model's reading. */
const SECOND_NAMES = ['time', 'event_start_time', 'odds_decimal', 'odds_american', 'odds_probability', 'timestamp'];
/** Bounds and patterns, which an error reports when needed, or which the description contains anyway. */
const UNDESCRIBED = 'x-whole x-list maxLength minLength minimum maximum format pattern examples'.split(' ');

/**
 * The route's parameters without hidden ones and synonyms; those with a default are optional.
 * @param own schemas that replace the route's
 */
function inputSchema(route: Route, hidden: readonly string[], own: Record<string, Schema> = {}): ObjectSchema {
  const { properties = {}, required = [] } = plain<Partial<ObjectSchema>>(route.query ?? {});
  const meaning = meaningOf(Object.keys(properties));
  const shown = Object.entries(properties).filter(([name]) => !hidden.includes(name) && meaning.get(name) === name);
  const needed = required.filter((name) => properties[name]!['default'] === undefined);
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map(([name, schema]) => [name, own[name] ?? described(name, schema)])),
    ...(needed.length > 0 ? { required: needed } : {}),
  };
}

function described(name: string, { description, ...schema }: Schema): Schema {
  const fields = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !UNDESCRIBED.includes(keyword)));
  if (description !== undefined && !KNOWN.includes(name)) fields['description'] = String(description).replace(LIST, '');
  if (schema.items !== undefined) fields['items'] = described('', schema.items);
  const values = schema.enum ?? schema.anyOf?.map((one) => one.const);
  if (values === undefined || values.includes(undefined)) return fields as Schema;
  const { anyOf: _anyOf, enum: _enum, ...rest } = fields;
  return isSort(values) ? sortDescribed(values, rest) : ({ ...rest, enum: values } as Schema);
}

/** Each name with and without the minus that reverses the order. */
function isSort(values: readonly unknown[]): values is string[] {
  return values.some((value) => typeof value === 'string' && value.startsWith('-') && values.includes(value.slice(1)));
}

function sortDescribed(values: readonly string[], rest: Json): Schema {
  const names = values.filter((value) => !value.startsWith('-') && !SECOND_NAMES.includes(value));
  return { ...rest, type: 'string', description: `${names.join(', ')}; ${rest['description'] ?? ''}` };
}

type Json = Record<string, unknown>;

/**
 * The shown part of the route's body, or the error: clients validate the structured content of failed calls, too.
 * Nothing is required, as null is omitted; anything else beside the data (the page, what was ignored) is common to all
 * tools.
 */
function outputSchema(route: AnsweringRoute, projection: Projection): ObjectSchema {
  const { type, properties = {} } = plain<Partial<ObjectSchema>>(route.response);
  if (type !== 'object' || properties['data'] === undefined) throw new Error(`${route.path} does not answer an object`);
  const removed = properties['removed'] === undefined ? {} : { removed: REMOVED };
  return {
    type: 'object',
    properties: { data: projection.schema(properties['data']), ...removed, error: ERROR },
  };
}

const REMOVED: Schema = { type: 'array', items: { type: 'string' } };
/** `{code, message, retryAfter?, tier?}`, in place of everything else. */
const ERROR: Schema = { type: 'object' };

/** A schema without TypeBox's internal fields. */
function plain<T>(schema: object): T {
  return JSON.parse(JSON.stringify(schema)) as T;
}
