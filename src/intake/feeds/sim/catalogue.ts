// The part of the catalogue that the simulated market uses.
import type { BookEntry, LeagueEntry, TeamEntry } from '../../../rules/catalogue/types.js';

export interface SimCatalogue {
  readonly books: readonly BookEntry[];
  readonly leagues: readonly Pick<LeagueEntry, 'id' | 'name' | 'sport' | 'timeZone'>[];
  /** The league's teams; empty if the catalogue does not list them. */
  teams(leagueId: string): readonly Pick<TeamEntry, 'id' | 'name'>[];
}
