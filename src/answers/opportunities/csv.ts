// Opportunities as lines of CSV: legs and sides in columns of their own.

import type { OpportunityKind } from '../../base/model/opportunity.js';
import { KINDS } from '../../detection/kinds/kinds.js';
import type { ServedOpportunity } from './presenter.js';

/** Names of the columns of a kind. */
export function csvColumns(kind: OpportunityKind): string[] {
  return KINDS[kind].csv.map(columnName);
}

/** An item as a line: lists are joined by semicolons. */
export function csvRow(kind: OpportunityKind, item: ServedOpportunity): Record<string, unknown> {
  return Object.fromEntries(KINDS[kind].csv.map((path) => [columnName(path), flat(valueAt(item, path))]));
}

function columnName(path: string): string {
  return path
    .replace(/^(leg|book|laggard)s\.(\d)/, (_, name, place) => `${name}${Number(place) + 1}`)
    .replaceAll('.', '_');
}

function valueAt(item: ServedOpportunity, path: string): unknown {
  let value: unknown = item;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value;
}

function flat(value: unknown): unknown {
  return Array.isArray(value) ? value.join(';') : value;
}
