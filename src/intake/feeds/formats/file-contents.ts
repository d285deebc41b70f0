// What the messages made of files hold: prices, games, results, parts that the engine will refuse, and names that the
// catalogue does not know.

import { ROW_TWICE, rowKey } from '../../../base/model/identity.js';
import { LIMITS } from '../../../base/model/limits.js';
import type { NormalMarket, NormalQuote, Rejection } from '../../../base/model/normal-message.js';
import { sameFields } from '../../../base/model/same-fields.js';
import type { Catalogue } from '../../../rules/catalogue/catalogue.js';
import { NearestNames } from '../../../rules/catalogue/nearest-names.js';
import { playerKeys } from '../../../rules/catalogue/player-name.js';
import type { IngestEvent, IngestMarket, IngestMessage } from '../../ingest/message.js';
import { normalise } from '../../ingest/normalise.js';
import type { Game } from './format.js';
import type { Place } from './read-report.js';

export interface UnknownName {
  name: string;
  /** Of a team. */
  league?: string;
  nearest: readonly string[];
}

export type UnknownNames = Record<'teams' | 'leagues' | 'books' | 'markets', UnknownName[]>;

const GAMES_MAX = LIMITS.countedGames.max;
const NAMES_MAX = LIMITS.unmatchedEntries.max;

export class FileContents {
  prices = 0;
  results = 0;
  readonly unknown: UnknownNames = { teams: [], leagues: [], books: [], markets: [] };
  readonly #catalogue: Catalogue;
  readonly #onRefused: ((reason: string, place: Place) => void) | undefined;
  readonly #nearest: NearestNames;
  readonly #games = new Set<string>();
  /** The last one: most messages are of the game of the one before. */
  #last: Partial<Game> = {};
  #lastBook = '';
  #lastMarket = '';
  /** Names that were looked up. */
  readonly #names = new Set<string>();

  /** @param onRefused called with every part of a message that the engine will refuse */
  constructor(catalogue: Catalogue, onRefused?: (reason: string, place: Place) => void) {
    this.#catalogue = catalogue;
    this.#onRefused = onRefused;
    this.#nearest = new NearestNames(catalogue);
  }

  get games(): number {
    return this.#games.size;
  }

  see(message: IngestMessage): void {
    this.#count(message);
    const { book, events = [], results = [] } = message;
    for (const result of results as Partial<Game>[]) this.#seeGame(result);
    if (events.length === 0) return;
    if (book !== this.#lastBook) {
      this.#lastBook = book;
      this.#name('books', book, () => !this.#catalogue.isKnownBook(this.#catalogue.bookId(book)));
    }
    for (const event of events) {
      if (isTakenBack(event)) continue;
      this.#seeGame(event);
      for (const { market_type } of event.markets) {
        if (market_type === this.#lastMarket) continue;
        this.#lastMarket = market_type;
        this.#name('markets', market_type, () => !this.#isKnownMarket(market_type));
      }
    }
  }

  /** What ingest accepts at the time of the message, as it will when the recording is played. */
  #count(message: IngestMessage): void {
    const refused: Rejection[] = [];
    const clock = { now: () => Date.parse(message.polled_at) };
    const context = { catalogue: this.#catalogue, clock, account: null, leagueOfEvent: () => undefined };
    const accepted = normalise(message, '', context, refused);
    for (const [i, { markets }] of (accepted?.events ?? []).entries()) {
      const rows = new Set<string>();
      for (const market of markets)
        for (const quote of market.quotes) {
          if (quote[12] === 'removed') continue;
          const row = rowOf(market, quote);
          if (rows.has(row)) refused.push({ path: `events[${i}]`, reason: `${market.type}: ${ROW_TWICE}` });
          else this.prices++;
          rows.add(row);
        }
    }
    this.results += accepted?.results?.length ?? 0;
    for (const { path, reason } of refused)
      this.#onRefused?.(reason, { file: `${message.book ?? 'a result'} at ${message.polled_at}, ${path}` });
  }

  /** A name of another service is what it stands for, as in ingest. */
  #isKnownMarket(stated: string): boolean {
    return this.#catalogue.isKnownMarket(this.#catalogue.types.stated(stated).type);
  }

  #seeGame(game: Partial<Game>): void {
    const { league = '', home_team = '', away_team = '', start_time = '' } = game;
    if (sameFields(game, this.#last, ['start_time', 'home_team', 'away_team', 'league'])) return;
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

/** Of one book and game. */
function rowOf({ type, player, stat, team }: NormalMarket, quote: NormalQuote): string {
  const { 0: selection, 1: selectionType, 2: line, 5: alternate } = quote;
  const name = player === null ? null : playerKeys(player)[0]!;
  return rowKey({ market: type, player: name, stat, team, selection, selectionType, alternate, line });
}

/** Nothing is told of the game but that prices are gone. */
function isTakenBack({ markets }: IngestEvent): boolean {
  const isGone = ({ is_removed }: IngestMarket['selections'][number]) => is_removed === true;
  return markets.length > 0 && markets.every(({ selections }) => selections.length > 0 && selections.every(isGone));
}
