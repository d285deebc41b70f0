// Removes games that are long over and on which every book has been silent for long. Measured from the last message
// received, not from recorded times, so that a replay of old polls is not removed while it plays.

import { HOUR_MS } from '../../base/model/time.js';
import type { ShardState } from './apply-context.js';

const AFTER_START_MS = 36 * HOUR_MS;
const SILENCE_MS = 24 * HOUR_MS;

export function expireSilent(state: ShardState, nowMs: number): void {
  for (const event of state.events.values()) {
    if (event.startMs > nowMs - AFTER_START_MS || event.createdPosition / 1000 > nowMs - SILENCE_MS) continue;
    let silent = true;
    for (const quotes of event.books.values()) if (quotes.appliedUs / 1000 > nowMs - SILENCE_MS) silent = false;
    if (!silent) continue;
    for (const quotes of event.books.values()) {
      if (quotes.rows.size === 0) continue;
      quotes.removed ??= new Map();
      for (const [key, row] of quotes.rows) {
        quotes.removed.set(key, row);
        state.names.removeRow(row);
      }
      state.rowCount -= quotes.rows.size;
      quotes.rows.clear();
      state.dirtyBooks.add(quotes);
    }
    event.dropping = true;
    state.dirtyEvents.add(event);
  }
}
