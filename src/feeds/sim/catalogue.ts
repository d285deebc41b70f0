// What the simulated market needs to know of the catalogue; `Catalogue` has it.
import type { BookEntry, LeagueEntry, TeamEntry } from '../../catalogue/types.js';

export interface SimCatalogue {
  readonly books: readonly BookEntry[];
  readonly leagues: readonly Pick<LeagueEntry, 'id' | 'name' | 'sport' | 'timeZone'>[];
  /** The league's teams; none where there is no list of them. */
  teams(leagueId: string): readonly Pick<TeamEntry, 'id' | 'name'>[];
}
