// Whether two shards produced the same: a batch's changes to odds, in an order that does not depend on how long either
// has been running.

import { compareText } from '../../../src/base/model/compare.js';
import type { Delta } from '../../../src/log/delta/delta.js';

/**
 * The delta's events, rows, splits and futures, sorted; null if there are none. Opportunities are excluded: they
 * depend on how long a shard has been running.
 */
export function oddsOf(delta: Delta | null): unknown {
  if (delta === null) return null;
  const { events, dropped, books, splits, futures, results = [] } = delta;
  if ([events, dropped, books, splits, futures, results].every((part) => part.length === 0)) return null;
  const sorted = books.map(([event, book, polledUs, touches, removed, rows]) => {
    return {
      event,
      book,
      polledUs,
      touches: touches.map(([seenMs, seen]) => [seenMs, seen === null ? null : rising(seen)]),
      removed: rising(removed),
      rows: [...rows].sort(([a], [b]) => a - b),
    };
  });
  sorted.sort((a, b) => a.event - b.event || compareText(a.book, b.book));
  return {
    events: [...events].sort((a, b) => a.no - b.no),
    dropped: rising(dropped),
    books: sorted,
    splits,
    results: [...results].sort((a, b) => compareText(a.eventId, b.eventId)),
    futures,
  };
}

function rising(numbers: readonly number[]): number[] {
  return [...numbers].sort((a, b) => a - b);
}
