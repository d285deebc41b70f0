// Joins a game to one that is known under another spelling by who plays it: no team plays two games at once, so a game of a
// known team that begins when another of its games does is that game, whatever its opponent is called.
import { MINUTE_MS } from '../../base/model/time.js';
import type { Catalogue } from './catalogue.js';
import { PERSON_SPORTS } from './person-name.js';
import { marksOf } from './squads.js';
import type { ResolvedTeam } from './types.js';

/** Starts agree within this. */
const AGREE_MS = 30 * MINUTE_MS;

export interface RosterGame {
  readonly home: string;
  readonly away: string;
  readonly startMs: number;
}

/** A spelling, and the name that it is another of. */
export interface JoinedName {
  readonly league: string;
  readonly name: string;
  readonly meant: string;
}

export interface RosterMatch<Game> {
  readonly game: Game;
  /** The game has the teams the other way round. */
  readonly swapped: boolean;
  readonly joined: JoinedName;
}

/**
 * The one game that may be the same; undefined if there is none, or if there are two. Two teams that are both known are never
 * one, nor are a club's first team and its women, youth or reserves.
 * @param gamesOf games of the league by a team's token, those of other days too
 */
export function rosterMatch<Game extends RosterGame>(
  catalogue: Catalogue,
  league: string,
  { home, away, startMs }: RosterGame,
  gamesOf: (token: string) => Iterable<Game>,
): RosterMatch<Game> | undefined {
  if (PERSON_SPORTS.has(catalogue.league(league)?.sport ?? '')) return undefined;
  const sides = [catalogue.resolveTeam(league, home), catalogue.resolveTeam(league, away)] as const;
  let found: RosterMatch<Game> | undefined;
  for (const [side, shared] of sides.entries()) {
    if (!shared.known) continue;
    const named = { name: side === 0 ? away : home, team: sides[1 - side]! };
    for (const game of gamesOf(shared.token)) {
      if (Math.abs(game.startMs - startMs) > AGREE_MS) continue;
      if (catalogue.localDate(league, game.startMs) !== catalogue.localDate(league, startMs)) continue;
      const atHome = catalogue.resolveTeam(league, game.home).token === shared.token;
      const rival = atHome ? game.away : game.home;
      if (!mayBeOne(named, { name: rival, team: catalogue.resolveTeam(league, rival) })) continue;
      if (found !== undefined && found.game !== game) return undefined;
      const [name, meant] = named.team.known ? [rival, named.team.name] : [named.name, rival];
      found = { game, swapped: atHome !== (side === 0), joined: { league, name, meant } };
    }
  }
  return found;
}

interface Named {
  readonly name: string;
  readonly team: ResolvedTeam;
}

function mayBeOne(one: Named, other: Named): boolean {
  if ((one.team.known && other.team.known) || one.team.token === other.team.token) return false;
  return marksOf(one.name) === marksOf(other.name);
}
