// Maps a venue's team names to teams of the catalogue. A name must match exactly one team.
import type { TeamEntry } from '../../../rules/catalogue/file-schema.js';
import type { ResolvedTeam } from '../../../rules/catalogue/types.js';

/** The part of the catalogue used here. */
export interface TeamLookup {
  resolveTeam(league: string, name: string): ResolvedTeam;
  teams(league: string): readonly TeamEntry[];
  /** By default leagues without a list. */
  takesAnyTeam?(league: string): boolean;
}

/** League -> the venue's own name, in lower case -> team id. */
export type TeamAliases = Readonly<Record<string, Readonly<Record<string, string>>>>;

export class VenueTeams {
  readonly #lookup: TeamLookup;
  readonly #aliases: TeamAliases;
  /** Called with the name of a listed game's team that the league's list lacks. */
  unlisted: ((league: string, name: string) => void) | undefined;

  constructor(lookup: TeamLookup, aliases: TeamAliases = {}) {
    this.#lookup = lookup;
    this.#aliases = aliases;
  }

  /**
   * The team of a name; undefined if the league has a list of teams and none of them has this name. In a league without
   * a list, or one that is open, every name is a team of its own, as for every book.
   */
  find(league: string, name: string): ResolvedTeam | undefined {
    const aliases = this.#aliases[league] ?? {};
    const called = name.trim().toLowerCase();
    // Names are arbitrary, also ones that every object has as a property.
    const own = Object.hasOwn(aliases, called) ? aliases[called] : undefined;
    const team = this.#lookup.resolveTeam(league, own ?? name);
    const any = this.#lookup.takesAnyTeam?.(league) ?? this.#lookup.teams(league).length === 0;
    return team.known || any ? team : undefined;
  }

  /** The same for a team of a game that the venue lists: a name that is not found is noted. */
  ofGame(league: string, name: string): ResolvedTeam | undefined {
    const team = this.find(league, name);
    if (team === undefined) this.unlisted?.(league, name);
    return team;
  }
}
