// What a venue lists, time and again. A page that moves while it is read may skip a game: missed once it closes, missed
// twice it is gone.
import { LIMITS } from '../../model/limits.js';
import type { GameFacts, VenueGame, VenueGames } from './games.js';

/** No calendar has as many. */
const GAMES_MAX = LIMITS.venueGames.max;

export interface ListedGamesOptions<Listed> {
  games: VenueGames;
  put(listed: Listed): void;
  /** It was not listed; `gone`: the time before neither, and it is removed after this call. */
  missed(game: VenueGame, gone: boolean): void;
}

export class ListedGames<Listed extends { readonly id: string }> {
  readonly #options: ListedGamesOptions<Listed>;
  /** Games that the last list did not have. */
  readonly #missed = new Set<string>();

  constructor(options: ListedGamesOptions<Listed>) {
    this.#options = options;
  }

  /** Takes in a list of the games that `includes` is true of; all of them unless set. */
  update(list: readonly Listed[], includes: (facts: GameFacts) => boolean = () => true): void {
    const { games, put } = this.#options;
    const listed = new Set<string>();
    for (const one of list) {
      if (games.size >= GAMES_MAX && games.get(one.id) === undefined) break;
      listed.add(one.id);
      this.#missed.delete(one.id);
      put(one);
    }
    for (const game of [...games.values()]) if (includes(game.facts) && !listed.has(game.facts.id)) this.#miss(game);
  }

  #miss(game: VenueGame): void {
    const { games, missed } = this.#options;
    const { id } = game.facts;
    const gone = this.#missed.delete(id);
    missed(game, gone);
    if (gone) games.remove(id);
    else this.#missed.add(id);
  }
}
