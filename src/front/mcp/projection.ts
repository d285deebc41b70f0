// The part of its route's answer that a tool shows: named fields and nothing else, and the schema of that, derived from
// the route's. An answer made for programs is ten times as long as a model needs.

import { isMap } from '../../base/model/json-map.js';
import { words } from '../../base/model/words.js';

/** Fields by their dotted paths, in display order; `*` is any name. A path includes everything below it. */
export type Paths = readonly string[];

interface Tree {
  [name: string]: Tree;
}

export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  [keyword: string]: unknown;
}

type Json = Record<string, unknown>;

/** Repetitions of the request, or of what the page already says. */
const META_DROPPED = new Set(
  words(`
  count total pagination filters updated_at books books_available books_returned market_filter position
`),
);
/** Removed ids are not paged, and there may be thousands: a model that missed so many should request the odds again. */
const REMOVED_SHOWN = 50;
const PAGE_SHOWN = ['total', 'has_more', 'next_offset', 'next_cursor'];

export class Projection {
  readonly #tree: Tree = {};

  constructor(paths: Paths) {
    for (const path of paths) {
      let tree = this.#tree;
      for (const name of path.split('.')) tree = tree[name] ??= {};
    }
  }

  /**
   * The body with the shown part of its data; null is omitted, as it says nothing.
   * @param whole true if the caller has chosen the fields
   */
  body({ success: _success, data, pagination, meta, removed, ...rest }: Json, whole: boolean): Json {
    const fields = isMap(meta) ? Object.entries(meta).filter(([name]) => !META_DROPPED.has(name)) : [];
    return {
      data: whole ? data : show(data, this.#tree),
      ...(isMap(pagination) ? { pagination: pageOf(pagination) } : {}),
      ...(Array.isArray(removed) ? { removed: removed.slice(0, REMOVED_SHOWN), removed_count: removed.length } : {}),
      ...rest,
      ...(fields.length > 0 ? { meta: Object.fromEntries(fields) } : {}),
    };
  }

  /** Schema of the shown data. Throws for a path the schema does not have. */
  schema(data: Schema): Schema {
    return shownSchema(data, this.#tree);
  }
}

function show(value: unknown, tree: Tree): unknown {
  if (isLeaf(tree)) return value;
  if (Array.isArray(value)) return value.map((item) => show(item, tree));
  if (!isMap(value)) return value;
  const shown: Json = {};
  for (const [name, below] of Object.entries(tree)) {
    const names = name === '*' ? Object.keys(value) : [name];
    for (const one of names) {
      const found = value[one];
      if (found !== undefined && found !== null) shown[one] = show(found, below);
    }
  }
  return shown;
}

function pageOf(pagination: Json): Json {
  const shown = PAGE_SHOWN.filter((name) => pagination[name] !== undefined && pagination[name] !== null);
  // A cursor is preferable if there is one.
  const names = shown.includes('next_cursor') ? shown.filter((name) => name !== 'next_offset') : shown;
  return Object.fromEntries(names.map((name) => [name, pagination[name]]));
}

function shownSchema(schema: Schema, tree: Tree): Schema {
  const parts = alternatives(schema);
  if (isLeaf(tree)) return { type: typeOf(parts) };
  const items: Schema[] = parts.flatMap(({ type, items: item }) =>
    type === 'array' && item !== undefined ? [item] : [],
  );
  if (items.length > 0) return { type: 'array', items: shownSchema({ anyOf: items }, tree) };
  const properties: Record<string, Schema> = {};
  for (const [name, below] of Object.entries(tree)) {
    const found: Schema[] = parts.flatMap((part) => (name === '*' ? recordOf(part) : ofName(part, name)));
    if (found.length === 0) throw new Error(`there is no ${name} in the schema`);
    const shown = shownSchema({ anyOf: found }, below);
    if (name === '*') return { type: 'object', additionalProperties: shown };
    properties[name] = shown;
  }
  return { type: 'object', properties };
}

/** The schemas of which a value matches one, without null. */
function alternatives(schema: Schema): Schema[] {
  return schema.anyOf === undefined
    ? [schema]
    : schema.anyOf.flatMap((one): Schema[] => alternatives(one)).filter(({ type }) => type !== 'null');
}

function typeOf(parts: readonly Schema[]): string | string[] {
  const types = new Set<string>(
    parts.flatMap((part): string | string[] => part.type ?? typeof (part.const ?? part.enum?.[0])),
  );
  const [first, ...others] = types;
  return others.length === 0 ? first! : [...types];
}

function ofName({ properties }: Schema, name: string): Schema[] {
  const found = properties?.[name];
  return found === undefined ? [] : [found];
}

function recordOf({ patternProperties = {}, additionalProperties }: Schema): Schema[] {
  const open = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  return [...Object.values(patternProperties), ...open];
}

function isLeaf(tree: Tree): boolean {
  for (const _ in tree) return false;
  return true;
}
