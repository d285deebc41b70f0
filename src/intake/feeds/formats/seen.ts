// What the messages made of files hold: prices, games, results, and names that the catalogue does not know.

import { LIMITS } from '../../../base/model/limits.js';
import type { Catalogue } from '../../../rules/catalogue/catalogue.js';
import { NearestNames } from '../../../rules/catalogue/nearest-names.js';
import type { IngestMessage } from '../../ingest/message.js';

export interface UnknownName {
  name: string;
  /** Of a team. */
  league?: string;
  nearest: readonly string[];
}

export type UnknownNames = Record<'teams' | 'leagues' | 'books' | 'markets', UnknownName[]>;

const GAMES_MAX = LIMITS.countedGames.max;
const NAMES_MAX = LIMITS.unmatchedEntries.max;

export class SeenContents {
  prices = 0;
  results = 0;
  readonly unknown: UnknownNames = { teams: [], leagues: [], books: [], markets: [] };
  readonly #catalogue: Catalogue;
  readonly #nearest: NearestNames;
  readonly #games = new Set<string>();
  /** The last one: most messages are of the game of the one before. */
  #last: GameOf = {};
  #lastBook = '';
  #lastMarket = '';
  /** Names that were looked up. */
  readonly #names = new Set<string>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#nearest = new NearestNames(catalogue);
  }

  get games(): number {
    return this.#games.size;
  }

  see({ book, events = [], results = [] }: IngestMessage): void {
    this.results += results.length;
    for (const result of results as GameOf[]) this.#seeGame(result);
    if (events.length === 0) return;
    if (book !== this.#lastBook) {
      this.#lastBook = book;
      this.#name('books', book, () => !this.#catalogue.isKnownBook(this.#catalogue.bookId(book)));
    }
    for (const event of events) {
      this.#seeGame(event);
      for (const { market_type, selections = [] } of event.markets) {
        this.prices += selections.length;
        if (market_type === this.#lastMarket) continue;
        this.#lastMarket = market_type;
        this.#name('markets', market_type, () => !this.#isKnownMarket(market_type));
      }
    }
  }

  /** A name of another service is what it stands for, as in ingest. */
  #isKnownMarket(stated: string): boolean {
    return this.#catalogue.isKnownMarket(this.#catalogue.types.stated(stated).type);
  }

  #seeGame(game: GameOf): void {
    const { league = '', home_team = '', away_team = '', start_time = '' } = game;
    const last = this.#last;
    if (
      start_time === last.start_time &&
      home_team === last.home_team &&
      away_team === last.away_team &&
      league === last.league
    )
      return;
    this.#last = game;
    const key = `${league}|${home_team}|${away_team}|${start_time.slice(0, 10)}`;
    if (this.#games.has(key) || this.#games.size >= GAMES_MAX) return;
    this.#games.add(key);
    const id = this.#catalogue.leagueOf(league)?.id;
    this.#name('leagues', league, () => id === undefined);
    if (id === undefined || this.#catalogue.teams(id).length === 0) return;
    for (const team of [home_team, away_team])
      this.#name('teams', team, () => !this.#catalogue.resolveTeam(id, team).known, id);
  }

  #name(kind: keyof UnknownNames, name: string, isUnknown: () => boolean, league?: string): void {
    const key = `${kind}|${league ?? ''}|${name}`;
    if (this.#names.has(key) || this.#names.size >= NAMES_MAX) return;
    this.#names.add(key);
    if (!isUnknown()) return;
    const nearest = kind === 'teams' ? this.#nearest.teams(league!, name) : this.#nearest[kind](name);
    this.unknown[kind].push({ name, ...(league === undefined ? {} : { league }), nearest });
  }
}

interface GameOf {
  league?: string;
  home_team?: string;
  away_team?: string;
  start_time?: string;
}
