// Creates the events: league, teams and start, so that the leagues keep their shares, no team plays twice without rest,
// and some game is always live.

import { getOrInsert } from '../../../base/memory/get-or-insert.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/model/time.js';
import type { BookEntry, LeagueEntry, TeamEntry } from '../../../rules/catalogue/file-schema.js';
import { type Side, SimEvent } from './event.js';
import { type LeagueModel, leagueModel, planBoard, regularS } from './league-model.js';
import { mix, Random, textSeed } from './prng.js';
import { gameProps, inventedName, ROSTER_SIZE, roster } from './props.js';

// The part of the catalogue that the simulated market uses.

export interface SimCatalogue {
  readonly books: readonly BookEntry[];
  readonly leagues: readonly Pick<LeagueEntry, 'id' | 'name' | 'sport' | 'timeZone'>[];
  /** The league's teams; empty if the catalogue does not list them. */
  teams(leagueId: string): readonly Pick<TeamEntry, 'id' | 'name'>[];
}

const AHEAD_MS_MAX = 7 * DAY_MS;
const ATTEMPTS = 60;
/** Minimum rest, even if the leagues are too small for the number of events. */
const REST_LEAST_MS = 19 * HOUR_MS;
const INVENTED_PLAYERS = 240;
const TENNIS_S = 6_000;
const FIGHT_S = 1_080;

/** When an event starts: it is already live or nearly over, within the hour, or some time in the coming week. */
export type When = 'ending' | 'live' | 'soon' | 'later';

export type PlayedLeague = ReturnType<typeof playedLeagues>[number];

export function playedLeagues(catalogue: SimCatalogue) {
  return catalogue.leagues.flatMap(({ id, name, sport, timeZone }) => {
    const teams = catalogue.teams(id);
    const hasTeams = teams.length >= 4;
    const model = leagueModel(id, sport, hasTeams);
    if (model === undefined) return [];
    const seed = textSeed(id);
    const invented = (_: unknown, n: number): Side => ({ id: `${n}`, name: inventedName(seed, n) });
    const sides: readonly Side[] = hasTeams ? teams : Array.from({ length: INVENTED_PLAYERS }, invented);
    return [{ id, name, model, seed, hours: startHours(timeZone), sides, hasTeams }];
  });
}

/** First and last hour (UTC) at which a league's games start; past 24 for the next day. */
function startHours(timeZone: string): readonly [number, number] {
  if (timeZone.startsWith('America/')) return [16, 27];
  if (timeZone.startsWith('Europe/')) return [11, 20];
  return [9, 27];
}

export class Fixtures {
  readonly leagues: readonly PlayedLeague[];
  readonly #seed: number;
  readonly #boardSize: number;
  readonly #random: Random;
  /** Starts of each side's games, by league and side. */
  readonly #games = new Map<string, number[]>();
  #serial = 0;

  constructor(seed: number, catalogue: SimCatalogue, boardSize: number) {
    this.leagues = playedLeagues(catalogue);
    this.#seed = seed;
    this.#boardSize = boardSize;
    this.#random = new Random(seed, 0xf1);
  }

  /** A new event, or null if no two teams are free. */
  open(when: When, nowMs: number): SimEvent | null {
    if (this.leagues.length === 0) return null;
    const choices = this.leagues.map((league) => [league, league.model.weight] as const);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const league = this.#random.weighted(choices);
      const startMs = this.#startMs(league, when, nowMs);
      const restMs = attempt < ATTEMPTS / 2 ? league.model.restHours * HOUR_MS : REST_LEAST_MS;
      const home = this.#freeSide(league, startMs, restMs, nowMs);
      const away = this.#freeSide(league, startMs, restMs, nowMs);
      if (home === null || away === null || home === away) continue;
      const event = this.#make(league, home, away, startMs, nowMs);
      // Discarded: the game is already over.
      if (event.phase === 'ended') continue;
      this.#gamesOf(league, home).push(startMs);
      this.#gamesOf(league, away).push(startMs);
      return event;
    }
    return null;
  }

  #make(league: PlayedLeague, home: number, away: number, startMs: number, nowMs: number): SimEvent {
    const serial = ++this.#serial;
    const seed = mix(this.#seed, serial, 0x5e7e);
    const { model, sides, hasTeams } = league;
    const players = (side: number): string[] => (hasTeams ? roster(league.seed, side) : []);
    const props = gameProps(model.props, players(home), players(away), mix(seed, ROSTER_SIZE));
    const board = planBoard(model, props, this.#boardSize);
    const [homeSide, awaySide] = [sides[home]!, sides[away]!];
    return new SimEvent(
      { serial, seed, league: league.id, model, home: homeSide, away: awaySide, startMs, board, props },
      nowMs,
    );
  }

  #startMs(league: PlayedLeague, when: When, nowMs: number): number {
    const round = 5 * MINUTE_MS;
    if (when === 'live' || when === 'ending') {
      const [from, to] = when === 'live' ? [0.02, 0.9] : [0.94, 0.98];
      const agoMs = this.#random.between(from, to) * durationS(league.model) * 1_000;
      return Math.floor((nowMs - agoMs) / round) * round;
    }
    if (when === 'soon') return Math.ceil((nowMs + this.#random.between(3, 50) * MINUTE_MS) / round) * round;
    let startMs = nowMs;
    for (let attempt = 0; attempt < 10; attempt++) {
      const aheadMs = this.#random.chance(0.45)
        ? this.#random.between(HOUR_MS, DAY_MS)
        : this.#random.between(DAY_MS, AHEAD_MS_MAX - HOUR_MS);
      startMs = Math.ceil((nowMs + aheadMs) / round) * round;
      const hour = (startMs % DAY_MS) / HOUR_MS;
      const [first, last] = league.hours;
      if ((hour >= first && hour <= last) || hour + 24 <= last) break;
    }
    return startMs;
  }

  #freeSide(league: PlayedLeague, startMs: number, restMs: number, nowMs: number): number | null {
    const side = this.#random.below(league.sides.length);
    const games = this.#gamesOf(league, side);
    // Starts further back than the longest rest are no longer needed.
    while (games.length > 0 && games[0]! < nowMs - 2 * league.model.restHours * HOUR_MS - DAY_MS) games.shift();
    return games.every((otherMs) => Math.abs(otherMs - startMs) >= restMs) ? side : null;
  }

  #gamesOf(league: PlayedLeague, side: number): number[] {
    return getOrInsert(this.#games, `${league.id}/${side}`, () => []);
  }
}

function durationS(model: LeagueModel): number {
  if (model.family === 'sets') return TENNIS_S;
  return model.family === 'rounds' ? FIGHT_S : regularS(model.clock);
}
