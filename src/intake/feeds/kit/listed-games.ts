// Tracks a venue's listing over time. A page that moves while it is read may skip a game: missing once it is closed,
// missing twice it is removed.
import { LIMITS } from '../../../base/model/limits.js';
import type { VenueGame, VenueGames } from './games.js';
import type { GameFacts } from './market-ids.js';

/** More games than any calendar has. */
const GAMES_MAX = LIMITS.venueGames.max;

export interface ListedGamesOptions<Listed> {
  games: VenueGames;
  put(listed: Listed): void;
  /** It was not listed; `gone`: nor the time before, and it is removed after this call. */
  missed(game: VenueGame, gone: boolean): void;
}

export class ListedGames<Listed extends { readonly id: string }> {
  readonly #options: ListedGamesOptions<Listed>;
  /** Games missing from the last list. */
  readonly #missed = new Set<string>();

  constructor(options: ListedGamesOptions<Listed>) {
    this.#options = options;
  }

  /** Applies a list of the games for which `includes` is true; by default all games. */
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
