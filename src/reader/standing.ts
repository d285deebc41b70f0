// Whether a question's rows are still the same ones in the same order, so that an answer to it can be brought up to date
// row by row. Prices do not count: they are looked at row by row.

import type { RowFilter } from '../filter/filter.js';
import type { OddsTable } from '../table/table.js';

/** A test of what the filter selects in serving order; null where prices decide what it selects. */
export function standing(table: OddsTable, filter: RowFilter): (() => boolean) | null {
  if (filter.dependsOnPrices) return null;
  const { events } = filter;
  // Whether a league or sport is known to anybody can change with any event that comes or goes.
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
