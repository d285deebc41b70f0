// From query text to a route's parameters: coerced by the schema, checked by TypeBox, and remembered by their text, since
// clients poll with the same query again and again.
import type { TObject, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { ApiError } from '../../errors.js';
import { readPairs } from './query-text.js';
import { schemaComplaint } from './schema-complaint.js';

/** A query's text and what it says. */
export class ReadQuery {
  /** Without `api_key`. */
  readonly text: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** Names the schema does not know. */
  readonly ignored: readonly string[];
  #keyTier = '';
  #keyVersion = 0;
  #key = '';

  constructor(text: string, query: Readonly<Record<string, unknown>>, ignored: readonly string[]) {
    this.text = text;
    this.query = query;
    this.ignored = ignored;
  }

  /** One text of the tier, the version and the query, for caches of answers; the same string for the same ones in a row. */
  key(tier: string, version: number): string {
    if (this.#keyTier !== tier || this.#keyVersion !== version) {
      this.#keyTier = tier;
      this.#keyVersion = version;
      this.#key = `${tier} ${version} ${this.text}`;
    }
    return this.#key;
  }
}

export const NOTHING_ASKED = new ReadQuery('', Object.freeze({}), []);

const SYNONYMS: Readonly<Record<string, string>> = { event_id: 'event', is_live: 'live', type: 'channel' };
const IGNORED_MAX = 20;
/** Texts remembered per route are at most twice this many. */
const GENERATION_MAX = 500;
const REMEMBERED_CHARS_MAX = 1024;

type Coerce = (text: string) => unknown;

interface Parameter {
  name: string;
  coerce: Coerce;
  fallback: unknown;
}

export class QueryReader {
  readonly #parameters: ReadonlyMap<string, Parameter>;
  readonly #validator: Validator | undefined;
  // Two generations in place of a linked list: a hit costs one look-up, and what was not asked for during a whole
  // generation is forgotten with it.
  #young = new Map<string, ReadQuery>();
  #old = new Map<string, ReadQuery>();

  constructor(schema: TObject | undefined) {
    const parameters = new Map<string, Parameter>();
    for (const [name, property] of Object.entries<TSchema>(schema?.properties ?? {})) {
      const fallback = (property as { default?: unknown }).default;
      parameters.set(name, { name, coerce: coercion(property as SchemaShape), fallback });
    }
    for (const [synonym, name] of Object.entries(SYNONYMS)) {
      const parameter = parameters.get(name);
      if (parameter !== undefined && !parameters.has(synonym)) parameters.set(synonym, parameter);
    }
    this.#parameters = parameters;
    this.#validator = schema === undefined ? undefined : Compile(schema);
  }

  /** What is remembered of a text as it was sent; one with an `api_key` in it never is. */
  remembered(text: string): ReadQuery | undefined {
    return this.#young.get(text);
  }

  /** The parameters in a query text without `api_key`. Throws ApiError `invalid_request`, naming the parameter. */
  read(text: string): ReadQuery {
    const known = this.#young.get(text);
    if (known !== undefined) return known;
    const read = this.#old.get(text) ?? this.#parse(text);
    if (text.length <= REMEMBERED_CHARS_MAX) {
      if (this.#young.size >= GENERATION_MAX) {
        this.#old = this.#young;
        this.#young = new Map();
      }
      this.#young.set(text, read);
    }
    return read;
  }

  #parse(text: string): ReadQuery {
    const pairs = readPairs(text);
    const query: Record<string, unknown> = {};
    const ignored: string[] = [];
    for (const [given, value] of pairs) {
      const parameter = this.#parameters.get(given);
      if (parameter === undefined) {
        if (ignored.length < IGNORED_MAX) ignored.push(given);
        continue;
      }
      // The name proper beats its synonym.
      if (given !== parameter.name && pairs.has(parameter.name)) continue;
      const coerced = value === '' ? undefined : parameter.coerce(value);
      if (coerced !== undefined) query[parameter.name] = coerced;
    }
    for (const { name, fallback } of this.#parameters.values()) {
      if (fallback !== undefined && query[name] === undefined) query[name] = fallback;
    }
    if (this.#validator !== undefined && !this.#validator.Check(query)) {
      throw new ApiError('invalid_request', schemaComplaint(this.#validator.Errors(query), 'the query'));
    }
    return new ReadQuery(text, Object.freeze(query), ignored);
  }
}

interface SchemaShape {
  type?: string;
  format?: string;
  items?: SchemaShape;
}

/** What can't be coerced stays text, so that the validator says what is wrong with it. */
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

// A plus sign sent bare arrives as a blank: American odds (+150) and time offsets are read as they were meant.
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
