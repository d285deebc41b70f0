// Who else offers a side of a middle at its line: the caller's other books with a fresh price that can be bet, best
// first, as of serving.

import { isOffered } from '../../base/model/activity.js';
import { freshMs } from '../../base/model/freshness.js';
import type { Universe } from '../../tables/filter/universe.js';
import type { OddsTable } from '../../tables/table.js';

export interface OtherBook {
  book: string;
  /** American. */
  odds: number;
}

/** @param oddsId of the side's own price */
export function otherBooks(
  table: OddsTable,
  oddsId: string,
  { allows }: Pick<Universe, 'allows'>,
  nowMs: number,
): OtherBook[] {
  const own = table.slotOf(oddsId);
  if (own === undefined) return [];
  const c = table.columns;
  const event = table.eventOf(own);
  const since = nowMs - freshMs(event.live);
  const best = new Map<number, number>();
  for (const [book, slots] of event.byBook) {
    if (book === c.book[own]! || !allows(table.books.name(book))) continue;
    for (const slot of slots) {
      if (c.market[slot] !== c.market[own] || c.line[slot] !== c.line[own]) continue;
      if (c.seenMs[slot]! < since || !isOffered(c.activity[slot]!) || !isSameSelection(table, slot, own)) continue;
      const known = best.get(book);
      if (known === undefined || c.net[slot]! > c.net[known]!) best.set(book, slot);
    }
  }
  return [...best]
    .sort(([, a], [, b]) => c.net[b]! - c.net[a]!)
    .map(([book, slot]) => ({ book: table.books.name(book), odds: c.american[slot]! }));
}

function isSameSelection({ columns: c }: OddsTable, a: number, b: number): boolean {
  return (
    c.selectionType.at(a) === c.selectionType.at(b) &&
    c.player.at(a) === c.player.at(b) &&
    c.stat.at(a) === c.stat.at(b) &&
    c.team.at(a) === c.team.at(b)
  );
}
