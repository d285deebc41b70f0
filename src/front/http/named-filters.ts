// The `filters` of a message or a body under the names of their schema.

import { isFilterList } from '../../schema/parameter-names.js';
import { splitList } from '../../tables/filter/universe.js';

type Filters = Readonly<Record<string, unknown>>;

/**
 * Null counts as absent, a comma list in one text is a list, and lists under several names are joined.
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
