// A venue's names of teams as teams of the catalogue. Only a name that fits one team alone is one.
import type { ResolvedTeam, TeamEntry } from '../../catalogue/types.js';

/** What is needed of the catalogue. */
export interface TeamLookup {
  resolveTeam(league: string, name: string): ResolvedTeam;
  teams(league: string): readonly TeamEntry[];
}

/** League -> the venue's own name, in lower case -> team id. */
export type TeamAliases = Readonly<Record<string, Readonly<Record<string, string>>>>;

export class VenueTeams {
  readonly #lookup: TeamLookup;
  readonly #aliases: TeamAliases;

  constructor(lookup: TeamLookup, aliases: TeamAliases = {}) {
    this.#lookup = lookup;
    this.#aliases = aliases;
  }

  /**
   * The team of a name; undefined where the league has a list of teams and none of them is called so. In a league without
   * a list a name is a team of its own, as it is for every book.
   */
  find(league: string, name: string): ResolvedTeam | undefined {
    const aliases = this.#aliases[league] ?? {};
    const called = name.trim().toLowerCase();
    // Any word may come as a name, also one that every object knows.
    const own = Object.hasOwn(aliases, called) ? aliases[called] : undefined;
    const team = this.#lookup.resolveTeam(league, own ?? name);
    return team.known || this.#lookup.teams(league).length === 0 ? team : undefined;
  }
}

/** What a league's main questions are called in the table. */
export function lineTypes(sport: string): { spread: string; total: string } {
  if (sport === 'hockey') return { spread: 'puck_line', total: 'total_goals' };
  if (sport === 'baseball') return { spread: 'run_line', total: 'total_runs' };
  return { spread: 'point_spread', total: sport === 'soccer' ? 'total_goals' : 'total_points' };
}
