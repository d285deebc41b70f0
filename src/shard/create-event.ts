// Creates the event of a game that is mentioned for the first time, with its permanent id.

import { eventId } from '../model/identity.js';
import type { NormalEvent } from '../model/normal-message.js';
import type { EventState } from '../model/state.js';
import { newEventState } from '../model/state.js';
import type { ApplyContext } from './apply-context.js';

export function createEvent(sighting: NormalEvent, { state, catalogue, position }: ApplyContext): EventState {
  const { league } = sighting;
  const home = catalogue.resolveTeam(league, sighting.home);
  const away = catalogue.resolveTeam(league, sighting.away);
  const date = catalogue.localDate(league, sighting.startMs);
  const idOf = (a: string, b: string, game: number): string => eventId(league, a, b, date, game);
  // Whichever team is at home, further games of these teams on this day are numbered in the order of their first
  // appearance.
  let game = 1;
  while (state.events.has(idOf(home.token, away.token, game)) || state.events.has(idOf(away.token, home.token, game)))
    game++;
  const fields = {
    no: state.nextEventNo++,
    id: idOf(home.token, away.token, game),
    league,
    sport: sighting.sport,
    homeToken: home.token,
    awayToken: away.token,
    home: home.name,
    away: away.name,
    startMs: sighting.startMs,
  };
  const event = newEventState(fields, position);
  event.dirty = true;
  state.events.add(event);
  state.dirtyEvents.add(event);
  return event;
}
