// From query text to a route's parameters: coerced by the schema, validated by TypeBox, and cached by text from its second
// reading on, since clients poll with the same query again and again.

import type { TObject, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { SeenTexts } from '../../base/memory/seen-texts.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import {
  isListName,
  LIST,
  meaningOf,
  QueryShape,
  type RequestedParameters,
  WHOLE,
  WHOLE_FORMATS,
} from '../../schema/parameters.js';
import { readPairs } from './query-text.js';
import { schemaComplaint } from './schema-complaint.js';

const ALL = 'all';
const NOTHING_IGNORED: readonly string[] = Object.freeze([]);

/** What a query has beside the parameters of its route. */
interface Beside {
  ignored?: readonly string[];
  strict?: boolean;
  minPosition?: number;
  whole?: boolean;
}

/** A query's text and its parameters. */
export class ReadQuery implements RequestedParameters {
  readonly #shape: QueryShape;
  #filters: string | undefined;
  #echo: RequestedParameters['echo'] | undefined;
  #echoText: string | undefined;
  /** Without `api_key`. */
  readonly text: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** Names unknown to the schema. */
  readonly ignored: readonly string[];
  /** True if unknown parameters are refused. */
  readonly strict: boolean;
  /** The table must show at least this position of the change log; 0 for any. */
  readonly minPosition: number;
  readonly whole: boolean;
  #keyTier = '';
  #keyVersion = 0;
  #key = '';

  /** Throws ApiError `invalid_request` if it is strict and has something unknown. */
  constructor(
    shape: QueryShape,
    text: string,
    query: Readonly<Record<string, unknown>>,
    { ignored = NOTHING_IGNORED, strict = false, minPosition = 0, whole = false }: Beside = {},
  ) {
    if (strict && ignored.length > 0)
      throw new ApiError(
        'invalid_request',
        `there is no parameter ${ignored.join(', ')} here, and the request is strict`,
      );
    this.#shape = shape;
    this.text = text;
    this.query = query;
    this.ignored = ignored;
    this.strict = strict;
    this.minPosition = minPosition;
    this.whole = whole;
  }

  /** The same with the unknown members of a body. */
  besides(ignored: readonly string[]): ReadQuery {
    const { strict, minPosition, whole } = this;
    return this.#with({ ignored: [...this.ignored, ...ignored], strict, minPosition, whole });
  }

  /** The same for a caller who wants unknown parameters refused. */
  strictly(): ReadQuery {
    const { ignored, minPosition, whole } = this;
    return this.#with({ ignored, strict: true, minPosition, whole });
  }

  get filters(): string {
    this.#filters ??= this.#shape.filters(this.query);
    return this.#filters;
  }

  get echo(): RequestedParameters['echo'] {
    this.#echo ??= this.#shape.echo(this.query);
    return this.#echo;
  }

  get echoText(): string {
    this.#echoText ??= JSON.stringify(this.echo);
    return this.#echoText;
  }

  #with(beside: Beside): ReadQuery {
    return new ReadQuery(this.#shape, this.text, this.query, beside);
  }

  /**
   * One text of the tier, the version and the query, for caches of answers; the same string for consecutive equal ones.
   */
  key(tier: string, version: number): string {
    if (this.#keyTier !== tier || this.#keyVersion !== version) {
      this.#keyTier = tier;
      this.#keyVersion = version;
      this.#key = `${tier} ${version} ${this.text}`;
    }
    return this.#key;
  }
}

export const NOTHING_PARSED = new ReadQuery(new QueryShape(undefined), '', Object.freeze({}));

/** Every route has it: with `true`, an unknown parameter is refused instead of reported. */
const STRICT = 'strict';
const IGNORED_MAX = LIMITS.ignoredParameters.max;
/** Every route has it, too. */
const MIN_POSITION = 'min_position';
/** At most twice this many texts are cached per route. */
const GENERATION_MAX = LIMITS.cachedQueries.max;
const REMEMBERED_CHARS_MAX = LIMITS.cachedQuery.max;

/** For routes where an unknown filter must not make an answer wider. Throws ApiError `invalid_request`. */
export function refuseUnknown(ignored: readonly string[]): void {
  if (ignored.length > 0)
    throw new ApiError('invalid_request', `unknown parameter ${ignored.join(', ').slice(0, 200)}`);
}

type Coerce = (text: string) => unknown;

interface Parameter {
  name: string;
  /** Given several times it means all its values. */
  list: boolean;
  coerce: Coerce;
  fallback: unknown;
  /** It may be `all`. */
  whole: boolean;
}

export class QueryReader {
  readonly #parameters: ReadonlyMap<string, Parameter>;
  readonly #withFallback: readonly Parameter[];
  readonly #schema: TObject | undefined;
  readonly #shape: QueryShape;
  /** Compiled by the first query: compiling those of all routes would be a good part of a start. */
  #validator: Validator | undefined;
  // Two generations in place of a linked list: a hit costs one look-up, and what was not used during a whole generation
  // is dropped with it.
  #young = new Map<string, ReadQuery>();
  #old = new Map<string, ReadQuery>();
  readonly #seen = new SeenTexts(GENERATION_MAX);

  constructor(schema: TObject | undefined) {
    const properties: Readonly<Record<string, TSchema>> = schema?.properties ?? {};
    const parameters = new Map<string, Parameter>();
    for (const [given, name] of meaningOf(Object.keys(properties))) {
      const property = properties[name] as SchemaShape;
      const required = schema?.required?.includes(name) === true;
      parameters.set(given, parameters.get(name) ?? parameterOf(name, property, required));
    }
    this.#parameters = parameters;
    this.#withFallback = [...new Set(parameters.values())].filter(({ fallback }) => fallback !== undefined);
    this.#schema = schema;
    this.#shape = new QueryShape(schema);
  }

  /** Whether the route has a parameter of this name or a synonym. */
  knows(name: string): boolean {
    return this.#parameters.has(name);
  }

  /** Cached by the text as sent; a text with an `api_key` in it is never cached. */
  remembered(text: string): ReadQuery | undefined {
    return this.#young.get(text);
  }

  /** The parameters in a query text without `api_key`. Throws ApiError `invalid_request`, naming the parameter. */
  read(text: string): ReadQuery {
    const known = this.#young.get(text);
    if (known !== undefined) return known;
    if (text.length > REMEMBERED_CHARS_MAX || !this.#seen.add(text)) return this.#parse(text);
    const read = this.#old.get(text) ?? this.#parse(text);
    if (this.#young.size >= GENERATION_MAX) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(text, read);
    return read;
  }

  #parse(text: string): ReadQuery {
    const query: Record<string, unknown> = {};
    let ignored: Set<string> | undefined;
    const given: Parameter[] = [];
    const values: string[] = [];
    let strict = false;
    let minPosition = 0;
    let whole = false;
    for (const [name, value] of readPairs(text)) {
      const parameter = this.#parameters.get(name);
      if (parameter !== undefined) {
        if (value === '') continue;
        const at = given.indexOf(parameter);
        if (at >= 0) values[at] = together(parameter, values[at]!, value);
        else values[given.push(parameter) - 1] = value;
      } else if (name === STRICT) strict ||= value !== '' && readStrict(value);
      else if (name === MIN_POSITION) minPosition = Math.max(minPosition, readMinPosition(value));
      else {
        ignored ??= new Set();
        if (ignored.size < IGNORED_MAX) ignored.add(name);
      }
    }
    for (let i = 0; i < given.length; i++) {
      const { name, coerce, whole: mayBeAll } = given[i]!;
      if (mayBeAll && values[i] === ALL) {
        whole = true;
        continue;
      }
      const coerced = coerce(values[i]!);
      if (coerced !== undefined) query[name] = coerced;
    }
    for (const { name, fallback } of this.#withFallback) if (query[name] === undefined) query[name] = fallback;
    if (this.#schema !== undefined) {
      this.#validator ??= Compile(this.#schema);
      if (!this.#validator.Check(query))
        throw new ApiError('invalid_request', schemaComplaint(this.#schema, query, 'the query'));
    }
    if (whole && !WHOLE_FORMATS.includes(query['format']))
      throw new ApiError('invalid_request', `limit=all needs format=${WHOLE_FORMATS.join(' or ')}`);
    return new ReadQuery(this.#shape, text, Object.freeze(query), {
      whole,
      ...(ignored === undefined ? {} : { ignored: [...ignored] }),
      strict,
      minPosition,
    });
  }
}

function readStrict(text: string): boolean {
  const value = toBoolean(text);
  if (typeof value !== 'boolean') throw new ApiError('invalid_request', `${STRICT} must be boolean`);
  return value;
}

function readMinPosition(text: string): number {
  if (!/^\d{0,16}$/.test(text) || Number(text) > Number.MAX_SAFE_INTEGER)
    throw new ApiError('invalid_request', `${MIN_POSITION} must be a position, as X-Position tells it`);
  return Number(text);
}

interface SchemaShape {
  type?: string;
  format?: string;
  items?: SchemaShape;
  default?: unknown;
  [WHOLE]?: true;
  [LIST]?: true;
}

/** A required parameter is a single thing unless it is marked: the event to compare, not several events. */
function parameterOf(name: string, property: SchemaShape, required: boolean): Parameter {
  const mayBeList = !required || property[LIST] === true;
  const list = property.type === 'array' || (property.type === 'string' && isListName(name) && mayBeList);
  return { name, list, coerce: coercion(property), fallback: property.default, whole: property[WHOLE] === true };
}

/** Throws `invalid_request` if a parameter with one value was given two. */
function together({ name, list }: Parameter, before: string, value: string): string {
  if (before === value) return value;
  if (!list) throw new ApiError('invalid_request', `${name} is given several times`);
  return `${before},${value}`;
}

/** What cannot be coerced stays text, so that the validator reports what is wrong with it. */
function coercion(schema: SchemaShape): Coerce {
  switch (schema.type) {
    case 'integer':
    case 'number':
      return toNumber;
    case 'boolean':
      return toBoolean;
    case 'array':
      return toList(coercion(schema.items ?? {}));
    default:
      return schema.format === 'date-time' ? toTime : (text) => text;
  }
}

// An unescaped plus sign arrives as a blank: American odds (+150) and time offsets are read as they were meant.
function toNumber(text: string): unknown {
  return /^ ?[+-]?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

function toTime(text: string): string {
  return text.replace(/ (\d\d:\d\d)$/, '+$1');
}

function toBoolean(text: string): unknown {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  return text;
}

function toList(item: Coerce): Coerce {
  return (text) => {
    const items = text.split(',').flatMap((part) => part.trim() || []);
    return items.length === 0 ? undefined : items.map(item);
  };
}
