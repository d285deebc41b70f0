// How many different names the rows and games of a shard have. Every process keeps something for each, so a name beyond
// the bounds is refused before anything is committed; what no row or game has any more makes room.
import { LIMITS } from '../../base/model/limits.js';
import type { RowIdentity } from '../../base/model/row.js';
import { NAMED_BY_TYPE } from '../../rules/catalogue/selection-name.js';

class NameCounts {
  readonly #uses = new Map<string, number>();
  readonly #max: number;
  readonly #what: string;

  constructor(max: number, what: string) {
    this.#max = max;
    this.#what = what;
  }

  /** Why a name is refused; undefined if it may be added. */
  refusal(name: string): string | undefined {
    return this.#uses.size < this.#max || this.#uses.has(name) ? undefined : `more than ${this.#max} ${this.#what}`;
  }

  /** @param by 1 or -1 */
  count(name: string, by: number): void {
    const uses = (this.#uses.get(name) ?? 0) + by;
    if (uses > 0) this.#uses.set(name, uses);
    else this.#uses.delete(name);
  }
}

/** The names of a row that count. */
export type NamedRow = Pick<RowIdentity, 'market' | 'selection' | 'selectionType' | 'player'>;
/** The names of a game that count. */
export interface NamedGame {
  league: string;
  homeToken: string;
  awayToken: string;
}

/** What the catalogue lists. */
export interface Listed {
  marketType(id: string): unknown;
  league(id: string): unknown;
}

export class UsedNames {
  readonly #listed: Listed;
  readonly #types = new NameCounts(LIMITS.unlistedTypes.max, 'types of markets that the catalogue lacks');
  readonly #players = new NameCounts(LIMITS.players.max, 'players with prices');
  readonly #selections = new NameCounts(LIMITS.selections.max, 'selections that are named');
  readonly #teams = new NameCounts(LIMITS.teams.max, 'teams with games');
  readonly #leagues = new NameCounts(LIMITS.unlistedLeagues.max, 'leagues with games that the catalogue lacks');

  constructor(listed: Listed) {
    this.#listed = listed;
  }

  /** Why a row is refused; undefined if its names may be added. */
  rowRefusal(row: NamedRow): string | undefined {
    return (
      (this.#isListed(row) ? undefined : this.#types.refusal(row.market)) ??
      (row.player === null ? undefined : this.#players.refusal(row.player)) ??
      (NAMED_BY_TYPE.has(row.selectionType) ? undefined : this.#selections.refusal(row.selection))
    );
  }

  /** @param by 1 for a row that comes, -1 for one that goes */
  countRow(row: NamedRow, by: number): void {
    if (!this.#isListed(row)) this.#types.count(row.market, by);
    if (row.player !== null) this.#players.count(row.player, by);
    if (!NAMED_BY_TYPE.has(row.selectionType)) this.#selections.count(row.selection, by);
  }

  /** Why a game is refused; undefined if its names may be added. */
  gameRefusal({ league, homeToken, awayToken }: NamedGame): string | undefined {
    return (
      (this.#listed.league(league) === undefined ? this.#leagues.refusal(league) : undefined) ??
      this.#teams.refusal(`${league}|${homeToken}`) ??
      this.#teams.refusal(`${league}|${awayToken}`)
    );
  }

  countGame({ league, homeToken, awayToken }: NamedGame, by: number): void {
    if (this.#listed.league(league) === undefined) this.#leagues.count(league, by);
    this.#teams.count(`${league}|${homeToken}`, by);
    this.#teams.count(`${league}|${awayToken}`, by);
  }

  #isListed({ market }: NamedRow): boolean {
    return this.#listed.marketType(market) !== undefined;
  }
}
