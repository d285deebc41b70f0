// What the documents fill in for who tries a request: an event that has odds now, and a time to ask changes since.
import type { EngineView } from '../engine/engine-view.js';
import type { Examples } from '../schema/openapi.js';

const SPORT = 'basketball';
const FUTURE = 'nba_championship_winner';
/** Where there are no events yet. */
const EVENT = 'nba_lakers_celtics_2026-11-20';

/** The next event to begin, of basketball where there is one: it stays the example until it begins. */
export function docsExamples({ table, clock }: Pick<EngineView, 'table' | 'clock'>): Examples {
  const nowMs = clock.now();
  let event: string | undefined;
  for (const each of table.events.ordered()) {
    if (each.startMs <= nowMs || each.rows.count === 0) continue;
    if (each.sport === SPORT) {
      event = each.id;
      break;
    }
    event ??= each.id;
  }
  // The day's beginning: earlier than whatever changed lately, and the same all day.
  const since = `${new Date(nowMs).toISOString().slice(0, 10)}T00:00:00Z`;
  return { event: event ?? EVENT, future_id: FUTURE, since };
}
