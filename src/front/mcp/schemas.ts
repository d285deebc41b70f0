// A tool's schemas, derived from those of its route. Every client reads all of them before its first call, so they
// contain what a model needs for calls and answers, and no more: the documents have the rest.

import { meaningOf } from '../../schema/parameter-names.js';
import type { Route } from '../http/context.js';
import type { Projection, Schema } from './projection.js';

/** A JSON schema of an object, as in tools/list. */
export interface ObjectSchema extends Schema {
  type: 'object';
  properties: Record<string, Schema>;
  required?: string[];
}

/** A route that says what it answers. */
export type AnsweringRoute = Route & { readonly response: NonNullable<Route['response']> };

/** Arguments common to all tools: what they mean is in the server's instructions. */
const KNOWN = ['limit', 'offset', 'sport', 'league', 'sportsbook', 'market', 'event', 'team', 'live'];
/** Explained once for all tools, in the server's instructions. */
const LIST = /,? comma-separated(?=[:;,]|$)/;
/** Synonyms of orders, for clients of other services: not worth every model's reading. */
const SECOND_NAMES = ['time', 'event_start_time', 'odds_decimal', 'odds_american', 'odds_probability', 'timestamp'];
/** Bounds and patterns, which an error reports when needed, or which the description contains anyway. */
const UNDESCRIBED = ['x-whole', 'maxLength', 'minLength', 'minimum', 'maximum', 'format', 'pattern', 'examples'];

/**
 * The route's parameters without hidden ones and synonyms; those with a default are optional.
 * @param own schemas that replace the route's
 */
export function inputSchema(route: Route, hidden: readonly string[], own: Record<string, Schema> = {}): ObjectSchema {
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
export function outputSchema(route: AnsweringRoute, projection: Projection): ObjectSchema {
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
