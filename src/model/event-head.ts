// What every answer says first of an event.
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
