// Example values in the documents for trying a request: an event that has odds now, and a time for requesting changes.
import type { EngineView } from '../../engine/engine-view.js';
import type { Examples } from '../../schema/openapi.js';

const SPORT = 'basketball';
const FUTURE = 'nba_championship_winner';
/** Used while there are no events yet. */
const EVENT = 'nba_lakers_celtics_2026-11-20';

/** The next event to begin, of basketball if there is one: it stays the example until it begins. */
export function openApiExamples({ table, clock }: Pick<EngineView, 'table' | 'clock'>): Examples {
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
  // The beginning of the day: earlier than recent changes, and the same all day.
  const since = `${new Date(nowMs).toISOString().slice(0, 10)}T00:00:00Z`;
  return { event: event ?? EVENT, future_id: FUTURE, since };
}
