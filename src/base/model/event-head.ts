// The fields that identify an event at the start of every answer about it.
import type { EventFields } from './state.js';
import { formatMs } from './time.js';

/** @param name `{away} @ {home}` */
export function eventHead(event: EventFields, name: string) {
  return {
    event_id: event.id,
    event_name: name,
    sport: event.sport,
    league: event.league,
    home_team: event.home,
    away_team: event.away,
    start_time: formatMs(event.startMs),
    is_live: event.live,
  };
}
