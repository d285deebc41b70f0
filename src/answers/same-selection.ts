// Whether a request would still select the same rows in the same order, so that its answer can be refreshed row by row.
// Prices do not matter: they are compared row by row.

import type { RowFilter } from '../tables/filter/filter.js';
import type { OddsTable } from '../tables/table.js';

/** A test of whether the filter selects what it does now; null if that depends on prices. */
export function sameSelection(table: OddsTable, filter: RowFilter): (() => boolean) | null {
  if (filter.dependsOnPrices) return null;
  const { events } = filter;
  // Whether a league or sport is known may change with any event that is added or removed.
  if (
    events === null ||
    filter.leagues !== null ||
    filter.sports !== null ||
    filter.searches ||
    filter.unknown.length > 0
  ) {
    const { structure } = table;
    return () => table.structure === structure;
  }
  const { booksVersion } = table;
  const known = events.map((id) => {
    const event = table.events.get(id);
    return { id, event, structure: event?.rows.structure, startMs: event?.startMs, live: event?.live };
  });
  return () =>
    table.booksVersion === booksVersion &&
    known.every(({ id, event, structure, startMs, live }) => {
      const now = table.events.get(id);
      return now === event && now?.rows.structure === structure && now?.startMs === startMs && now?.live === live;
    });
}
