// Which event a part of a message refers to: one by its id, or the game of two teams at a time. Whether that game is
// already stored is decided later, in the shard that owns its league.

import { BoundedMap } from '../../base/memory/bounded-map.js';
import { LIMITS } from '../../base/model/limits.js';
import type { EventRef } from '../../base/model/normal-message.js';
import { parseTimeMs } from '../../base/model/time.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { UNKNOWN_SPORT } from '../../rules/markets/lines.js';
import { isId, isText, type Reader } from './fields.js';

export interface RefContext {
  catalogue: Catalogue;
  /** League, sport and, where known, teams of an event that the engine knows, for messages that refer to events by id. */
  leagueOfEvent(eventId: string): { league: string; sport: string; home?: string; away?: string } | undefined;
}

interface KnownRef {
  catalogue: Catalogue;
  league: unknown;
  away: string;
  startTime: unknown;
  ref: EventRef;
}

/** The last game read of each home team, as written: every book names the same games, poll after poll. */
const knownRefs = new BoundedMap<string, KnownRef>(LIMITS.knownEvents.max);

/** The event that a part of a message refers to; undefined, with a rejection noted, if it names none. */
export function readEventRef(
  map: Record<string, unknown>,
  path: string,
  read: Reader,
  context: RefContext,
): EventRef | undefined {
  const eventId = map['event_id'];
  if (eventId !== undefined && eventId !== null) {
    const known = typeof eventId === 'string' ? context.leagueOfEvent(eventId) : undefined;
    if (known === undefined) return read.reject(`${path}.event_id`, 'unknown event');
    // Copies only these two: `events` may return a whole event of the table.
    const { league, sport } = known;
    return { league, sport, eventId: eventId as string, home: '', away: '', startMs: 0 };
  }
  const known = knownRefs.get(map['home_team'] as string);
  if (known !== undefined && isSameRef(known, map, context.catalogue)) return known.ref;
  const league = readLeague(map['league'], context);
  if (league === undefined) return read.reject(`${path}.league`, 'missing or not a league id');
  const home = map['home_team'];
  const away = map['away_team'];
  if (!isText(home)) return read.reject(`${path}.home_team`, 'missing, empty or not a readable name');
  if (!isText(away)) return read.reject(`${path}.away_team`, 'missing, empty or not a readable name');
  if (sameTeam(context.catalogue, league.league, home, away))
    return read.reject(`${path}.away_team`, 'the same team as home_team');
  const startMs = parseTimeMs(map['start_time']);
  if (startMs === undefined) return read.reject(`${path}.start_time`, 'missing or not an RFC 3339 time');
  const ref: EventRef = { ...league, eventId: null, home: home.trim(), away: away.trim(), startMs };
  knownRefs.set(home, { catalogue: context.catalogue, league: map['league'], away, startTime: map['start_time'], ref });
  return ref;
}

/** The league's id and sport; undefined if the name cannot be a league's. */
export function readLeague(name: unknown, context: RefContext): { league: string; sport: string } | undefined {
  if (typeof name !== 'string') return undefined;
  const known = context.catalogue.leagueOf(name);
  if (known !== undefined) return { league: known.id, sport: known.sport };
  const id = name.trim().toLowerCase();
  // A league outside the catalogue is accepted as it is, under the sport "other".
  return isId(id) ? { league: id, sport: UNKNOWN_SPORT } : undefined;
}

/** The known league that an event's id begins with. */
export function leagueInId(
  eventId: string,
  { catalogue }: Pick<RefContext, 'catalogue'>,
): { league: string; sport: string } | undefined {
  const known = catalogue.league(eventId.slice(0, eventId.indexOf('_')));
  return known && { league: known.id, sport: known.sport };
}

function isSameRef(known: KnownRef, map: Record<string, unknown>, catalogue: Catalogue): boolean {
  return (
    known.startTime === map['start_time'] &&
    known.away === map['away_team'] &&
    known.league === map['league'] &&
    known.catalogue === catalogue
  );
}

function sameTeam(catalogue: Catalogue, league: string, home: string, away: string): boolean {
  return catalogue.resolveTeam(league, home.trim()).token === catalogue.resolveTeam(league, away.trim()).token;
}
