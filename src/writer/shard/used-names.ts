// How many different names the rows and games of a shard have. Every process keeps something for each, so a name beyond
// the bounds is refused before anything is committed; what no row or game has any more makes room.
import { LIMITS } from '../../base/model/limits.js';
import type { RowIdentity } from '../../base/model/row.js';

/** Selections that are called like this, or as one of their game's teams. */
const CALLED_BY_TYPE = new Set(['home', 'away', 'draw', 'over', 'under']);

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

  add(name: string): void {
    this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1);
  }

  remove(name: string): void {
    const left = (this.#uses.get(name) ?? 0) - 1;
    if (left > 0) this.#uses.set(name, left);
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
      (CALLED_BY_TYPE.has(row.selectionType) ? undefined : this.#selections.refusal(row.selection))
    );
  }

  addRow(row: NamedRow): void {
    if (!this.#isListed(row)) this.#types.add(row.market);
    if (row.player !== null) this.#players.add(row.player);
    if (!CALLED_BY_TYPE.has(row.selectionType)) this.#selections.add(row.selection);
  }

  removeRow(row: NamedRow): void {
    if (!this.#isListed(row)) this.#types.remove(row.market);
    if (row.player !== null) this.#players.remove(row.player);
    if (!CALLED_BY_TYPE.has(row.selectionType)) this.#selections.remove(row.selection);
  }

  /** Why a game is refused; undefined if its names may be added. */
  gameRefusal({ league, homeToken, awayToken }: NamedGame): string | undefined {
    return (
      (this.#listed.league(league) === undefined ? this.#leagues.refusal(league) : undefined) ??
      this.#teams.refusal(`${league}|${homeToken}`) ??
      this.#teams.refusal(`${league}|${awayToken}`)
    );
  }

  addGame({ league, homeToken, awayToken }: NamedGame): void {
    if (this.#listed.league(league) === undefined) this.#leagues.add(league);
    this.#teams.add(`${league}|${homeToken}`);
    this.#teams.add(`${league}|${awayToken}`);
  }

  removeGame({ league, homeToken, awayToken }: NamedGame): void {
    if (this.#listed.league(league) === undefined) this.#leagues.remove(league);
    this.#teams.remove(`${league}|${homeToken}`);
    this.#teams.remove(`${league}|${awayToken}`);
  }

  #isListed({ market }: NamedRow): boolean {
    return this.#listed.marketType(market) !== undefined;
  }
}
