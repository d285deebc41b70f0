// `import --match roster`: messages in the order of their times whose games are joined, by who plays and when, to those that
// earlier messages named otherwise.
import { BoundedMap } from '../../../base/memory/bounded-map.js';
import { getOrInsert } from '../../../base/memory/get-or-insert.js';
import { LIMITS } from '../../../base/model/limits.js';
import type { Catalogue } from '../../../rules/catalogue/catalogue.js';
import { type JoinedName, type RosterGame, rosterMatch } from '../../../rules/catalogue/roster.js';
import type { Game } from './format.js';

export interface JoinedTimes extends JoinedName {
  times: number;
}

interface KnownGame extends RosterGame {
  /** The teams as each book has them. */
  books: Map<string, string>;
}

export class JoinedGames {
  readonly #catalogue: Catalogue;
  /** By league and team. */
  readonly #games = new BoundedMap<string, KnownGame[]>(LIMITS.countedGames.max);
  readonly #joined = new BoundedMap<string, JoinedTimes>(LIMITS.unmatchedEntries.max);

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  get joined(): JoinedTimes[] {
    return [...this.#joined.values()];
  }

  /** The message, with the teams of its games as they were first named. */
  renamed(text: string): string {
    const message = JSON.parse(text) as {
      book?: string;
      events?: Partial<Game>[];
      results?: Partial<Game>[];
    };
    let changed = false;
    for (const game of message.events ?? []) changed = this.#rename(game, message.book) || changed;
    for (const game of message.results ?? []) changed = this.#rename(game, undefined) || changed;
    return changed ? JSON.stringify(message) : text;
  }

  #rename(stated: Partial<Game>, book: string | undefined): boolean {
    const { home_team: home = '', away_team: away = '' } = stated;
    const league = this.#catalogue.leagueOf(stated.league ?? '')?.id;
    const startMs = Date.parse(stated.start_time ?? '');
    if (league === undefined || Number.isNaN(startMs) || home === '' || away === '') return false;
    const tokens = [home, away].map((name) => this.#catalogue.resolveTeam(league, name).token) as [string, string];
    const names = tokens.join('|');
    const gamesOf = (token: string): KnownGame[] => this.#games.get(`${league}|${token}`) ?? [];
    const same = gamesOf(tokens[0]).find(
      (game) => game.startMs === startMs && this.#namesOf(league, game).every((token) => tokens.includes(token)),
    );
    if (same !== undefined) {
      if (book !== undefined) same.books.set(book, names);
      return false;
    }
    const found = rosterMatch(this.#catalogue, league, { home, away, startMs }, gamesOf);
    // A book that has the game under another name, too, means two games.
    if (found !== undefined && (found.game.books.get(book ?? '') ?? names) === names) {
      const { game, swapped, joined } = found;
      if (book !== undefined) game.books.set(book, names);
      const { name } = joined;
      getOrInsert(this.#joined, `${league}|${name}`, () => ({ ...joined, times: 0 })).times++;
      [stated.home_team, stated.away_team] = swapped ? [game.away, game.home] : [game.home, game.away];
      return true;
    }
    const game: KnownGame = { home, away, startMs, books: new Map(book === undefined ? [] : [[book, names]]) };
    for (const token of tokens) getOrInsert(this.#games, `${league}|${token}`, (): KnownGame[] => []).push(game);
    return false;
  }

  #namesOf(league: string, { home, away }: RosterGame): string[] {
    return [home, away].map((name) => this.#catalogue.resolveTeam(league, name).token);
  }
}
