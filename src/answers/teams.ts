// GET /teams: the catalogue's teams and those that only the table's events have, with their leagues.

import { LIMITS } from '../base/model/limits.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { slug } from '../rules/catalogue/team-name.js';
import type { Team, TeamsQuery } from '../schema/reference.js';
import { wordsOf, wordsStartIn } from '../tables/filter/event-search.js';
import { namesOf, requestedLeagues, requestedSports } from '../tables/filter/requested-names.js';
import type { OddsTable } from '../tables/table.js';
import { isCurrent } from './tally.js';

const TEAMS_MAX = LIMITS.listedTeams.max;
const LEAGUES_MAX = LIMITS.leaguesOfTeam.max;

interface Listed {
  team: Team;
  /** Names in the form of wordsOf. */
  words: string;
}

export class TeamReader {
  readonly #catalogue: Catalogue;
  readonly #table: OddsTable;
  /** All teams, as of a structure version of the table. */
  #listed: { structure: number; teams: readonly Listed[] } = { structure: -1, teams: [] };

  constructor(engine: { catalogue: Catalogue; table: OddsTable }) {
    this.#catalogue = engine.catalogue;
    this.#table = engine.table;
  }

  /** Teams of the catalogue, league by league, then teams only the table's events have. */
  teams({ sport, league, q }: TeamsQuery): { items: Team[]; unknown: string[]; omitted: number } {
    const known = namesOf(this.#table);
    const sports = requestedSports(this.#catalogue, known, sport);
    const leagues = requestedLeagues(this.#catalogue, known, league);
    const words = q === undefined ? [] : slug(q).split('-');
    if (this.#listed.structure !== this.#table.structure)
      this.#listed = { structure: this.#table.structure, teams: this.#list() };
    const items: Team[] = [];
    for (const { team, words: names } of this.#listed.teams)
      if (
        (sports.ids === null || sports.ids.has(team.sport)) &&
        (leagues.ids === null || leagues.ids.has(team.league)) &&
        (words.length === 0 || wordsStartIn(words, names))
      )
        items.push(team);
    const unknown = [...sports.unknown, ...leagues.unknown];
    return { items: items.slice(0, TEAMS_MAX), unknown, omitted: Math.max(0, items.length - TEAMS_MAX) };
  }

  #list(): Listed[] {
    const teams = new Map<string, Team>();
    const add = (id: string, name: string, league: string, sport: string, aliases: string[]): Team => {
      const key = `${league}|${id}`;
      let team = teams.get(key);
      if (team === undefined) {
        team = { id, name, league, leagues: [], sport, aliases, event_count: 0, live_count: 0 };
        teams.set(key, team);
      }
      return team;
    };
    for (const { id: league, sport } of this.#catalogue.leagues)
      for (const { id, name, aliases } of this.#catalogue.teams(league)) add(id, name, league, sport, aliases);
    for (const event of this.#table.events.ordered()) {
      const { league, sport, homeToken, home, awayToken, away, live } = event;
      for (const team of [add(homeToken, home, league, sport, []), add(awayToken, away, league, sport, [])])
        if (isCurrent(event)) {
          team.event_count++;
          if (live) team.live_count++;
        }
    }
    const all = [...teams.values()];
    nameLeagues(all);
    return all.map((team) => ({ team, words: wordsOf(team.name, team.id, ...team.aliases) }));
  }
}

/** One name in one sport is one team, whatever the competition: cups and leagues each have their own list. */
function nameLeagues(teams: readonly Team[]): void {
  const byName = new Map<string, string[]>();
  for (const team of teams) {
    const key = `${team.sport}|${slug(team.name)}`;
    const leagues = byName.get(key) ?? [];
    byName.set(key, leagues);
    if (leagues.length < LEAGUES_MAX) leagues.push(team.league);
    team.leagues = leagues;
  }
}
