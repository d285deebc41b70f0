// A JSON body according to its route's schema: parsed, members mapped to their names, validated.

import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { ApiError, type ErrorCode } from '../../base/model/errors.js';
import { isMap } from '../../base/model/json-map.js';
import { LIMITS } from '../../base/model/limits.js';
import { parseJson, REQUEST_BOUNDS } from '../../base/wire/untrusted.js';
import { isFilterList, isListName, meaningOf } from '../../schema/parameters.js';
import { splitList } from '../../tables/filter/universe.js';
import { schemaComplaint } from './schema-complaint.js';

const IGNORED_MAX = LIMITS.ignoredParameters.max;

type Members = Record<string, unknown>;

interface ObjectSchema {
  properties?: Record<string, ObjectSchema & { type?: string }>;
  additionalProperties?: unknown;
}

export interface ReadBody {
  value: unknown;
  /** Unknown members, at the top level. */
  ignored: readonly string[];
}

export class JsonBody {
  readonly #schema: TSchema;
  /** Compiled by the first body. */
  #validator: Validator | undefined;
  readonly #code: ErrorCode;
  /** Name given → name in the schema. */
  readonly #names: ReadonlyMap<string, string>;
  /** Members that are a comma list in one text. */
  readonly #texts: ReadonlySet<string>;
  /** Whether an unknown member is refused: one that was meant to narrow would narrow nothing. */
  readonly #closed: boolean;
  /** The same as #names for the members of `filters`. */
  readonly #filterNames: ReadonlyMap<string, string> | undefined;

  /** @param code error code of an invalid body */
  constructor(schema: TSchema, code: ErrorCode = 'invalid_request') {
    const { properties = {}, additionalProperties } = schema as ObjectSchema;
    this.#schema = schema;
    this.#code = code;
    this.#names = meaningOf(Object.keys(properties));
    this.#texts = new Set(
      Object.keys(properties).filter((name) => properties[name]!.type === 'string' && isListName(name)),
    );
    this.#closed = additionalProperties === false;
    const filters = properties['filters']?.properties;
    this.#filterNames = filters && meaningOf(Object.keys(filters));
  }

  /** Throws ApiError with the code. */
  read(bytes: Buffer): ReadBody {
    let value: unknown;
    try {
      // No body at all is treated as an empty object, so that the error names what is missing.
      value = bytes.length === 0 ? {} : parseJson(bytes, REQUEST_BOUNDS);
    } catch (error) {
      throw new ApiError(this.#code, `the body ${error instanceof Error ? error.message : 'is not JSON'}`);
    }
    const ignored: string[] = [];
    if (isMap(value)) value = this.#named(value, ignored);
    this.#validator ??= Compile(this.#schema);
    if (!this.#validator.Check(value)) throw new ApiError(this.#code, schemaComplaint(this.#schema, value, 'the body'));
    return { value, ignored };
  }

  /** A list given under several of its names means all its values. */
  #named(given: Readonly<Members>, ignored: string[]): Members {
    const named: Members = {};
    for (const [key, value] of Object.entries(given)) {
      const name = this.#names.get(key);
      if (name === undefined) {
        if (this.#closed) throw new ApiError(this.#code, `unknown ${key.slice(0, 100)}`);
        if (ignored.length < IGNORED_MAX) ignored.push(key);
        continue;
      }
      const own = this.#own(name, value);
      const before = named[name];
      if (before === undefined) named[name] = own;
      else if (Array.isArray(before) && Array.isArray(own)) named[name] = [...before, ...own];
      else if (typeof before === 'string' && typeof own === 'string' && this.#texts.has(name))
        named[name] = `${before},${own}`;
      else throw new ApiError(this.#code, `${name} is given several times`);
    }
    return named;
  }

  #own(name: string, value: unknown): unknown {
    if (name === 'filters' && this.#filterNames !== undefined && isMap(value))
      return namedFilters(value, this.#filterNames);
    return this.#texts.has(name) && isTexts(value) ? value.join(',') : value;
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

type Filters = Readonly<Record<string, unknown>>;

/**
 * The `filters` of a message or a body under the names of their schema: null counts as absent, a comma list in one text is a list, and lists under several names are joined.
 * @param names name given → name in the schema; other names stay as they are
 */
export function namedFilters(filters: Filters, names: ReadonlyMap<string, string>): Record<string, unknown> {
  const named = new Map<string, unknown>();
  for (const [given, value] of Object.entries(withoutNulls(filters))) {
    const name = names.get(given) ?? given;
    const own = typeof value === 'string' && isFilterList(name) ? splitList(value) : value;
    const before = named.get(name);
    named.set(name, Array.isArray(before) && Array.isArray(own) ? [...before, ...own] : own);
  }
  return Object.fromEntries(named);
}

/** Many clients write null for what they leave open, and so does `connected` of SSE. */
export function withoutNulls(map: Filters): Filters {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null));
}
