// A copy of the rows that another odds service lists for many books, by the ids it gives them. A feed updates it as
// messages arrive; the publisher sends what changed. What may be outdated is suspended until it was confirmed.

import { getOrInsert } from '../../../base/memory/get-or-insert.js';
import { LIMITS } from '../../../base/model/limits.js';
import { sameFields } from '../../../base/model/same-fields.js';
import type { IngestEvent, IngestMarket, IngestSelection } from '../../ingest/message.js';
import { type GameFacts, refOf } from './market-ids.js';
import type { OutgoingGame, OutgoingGames } from './publisher.js';

const ROWS_MAX = LIMITS.mirroredRows.max;

export interface MirroredRow {
  /** The service's id of the row. */
  readonly id: string;
  readonly book: string;
  readonly gameId: string;
  /** The market without its selections. */
  readonly market: Omit<IngestMarket, 'selections' | 'is_active'>;
  readonly selection: Omit<IngestSelection, 'is_active'>;
  /** False: suspended, with its last price. */
  readonly active: boolean;
  /** The service's time of its last change, in any unit: an older one is out of order. */
  readonly changedAt: number;
}

interface Held {
  row: MirroredRow;
  /** Number of the confirmation that it was last part of. */
  confirmed: number;
  /** Count of changes at its last one, so that an answer that was asked for before leaves it alone. */
  touched: number;
  /** Lists in a row that it was missing from. */
  missed: number;
}

/** The rows of one book and game. */
export class MirroredGame implements OutgoingGame {
  readonly book: string;
  facts: GameFacts;
  readonly rows = new Map<string, Held>();
  /** Rows to send; all of them if `whole`. */
  readonly changed = new Set<Held>();
  whole = true;
  doubtful = false;

  constructor(book: string, facts: GameFacts) {
    this.book = book;
    this.facts = facts;
  }

  get key(): string {
    return keyOf(this.book, this.facts.id);
  }

  event(): IngestEvent {
    if (this.doubtful) return { ...refOf(this.facts), suspended: true, markets: [] };
    return { ...refOf(this.facts), markets: this.#markets(this.whole ? this.rows.values() : this.changed) };
  }

  sent(): void {
    this.changed.clear();
    // What changes while it is doubtful is sent with the rest.
    this.whole = this.doubtful;
  }

  /** Rows to send, by market. */
  #markets(rows: Iterable<Held>): IngestMarket[] {
    const markets = new Map<string, IngestMarket>();
    for (const { row } of rows) {
      const { market_type, player_name = '', stat_category = '', team = '' } = row.market;
      const key = `${market_type}|${player_name}|${stat_category}|${team}`;
      const market = getOrInsert(markets, key, () => ({ ...row.market, selections: [] }));
      market.selections.push(row.active ? row.selection : { ...row.selection, is_active: false });
    }
    return [...markets.values()];
  }
}

export class RowMirror implements OutgoingGames<MirroredGame> {
  readonly #facts = new Map<string, GameFacts>();
  readonly #games = new Map<string, MirroredGame>();
  readonly #byRow = new Map<string, MirroredGame>();
  readonly changed = new Set<MirroredGame>();
  readonly removed = new Map<string, MirroredGame>();
  #confirmation = 0;
  #touches = 0;
  onChange: () => void = () => {};

  /** Count of changes so far: taken before a request, it tells which rows changed meanwhile. */
  get touches(): number {
    return this.#touches;
  }

  get(key: string): MirroredGame | undefined {
    return this.#games.get(key);
  }

  /** All books' games. */
  values(): IterableIterator<MirroredGame> {
    return this.#games.values();
  }

  suspend(): void {
    this.doubt();
  }

  facts(gameId: string): GameFacts | undefined {
    return this.#facts.get(gameId);
  }

  row(id: string): MirroredRow | undefined {
    return this.#byRow.get(id)?.rows.get(id)?.row;
  }

  /** Adds a game, or updates it for all books. */
  putGame(facts: GameFacts): void {
    const known = this.#facts.get(facts.id);
    if (known !== undefined && sameFields(known, facts, GAME_FIELDS)) return;
    this.#facts.set(facts.id, facts);
    if (known === undefined) return;
    for (const game of this.#games.values()) {
      if (game.facts.id !== facts.id) continue;
      game.facts = facts;
      this.#touch(game, true);
    }
  }

  removeGame(gameId: string): void {
    this.#facts.delete(gameId);
    for (const game of [...this.#games.values()]) {
      if (game.facts.id !== gameId) continue;
      for (const id of game.rows.keys()) this.#byRow.delete(id);
      this.#games.delete(game.key);
      this.changed.delete(game);
      this.removed.set(game.key, game);
      this.onChange();
    }
  }

  /**
   * Adds or replaces a row; false if its game is unknown or there are too many. A message that is older than the known
   * row is passed over.
   * @param before of an answer to a request, which is right whatever its times: a row that changed since this count of
   * changes is left alone
   */
  put(row: MirroredRow, before = Number.POSITIVE_INFINITY): boolean {
    let game = this.#byRow.get(row.id);
    const held = game?.rows.get(row.id);
    if (game === undefined || held === undefined) {
      const facts = this.#facts.get(row.gameId);
      if (facts === undefined || this.#byRow.size >= ROWS_MAX) return false;
      game = this.#gameOf(row.book, facts);
      const added = { row, confirmed: this.#confirmation, touched: ++this.#touches, missed: 0 };
      game.rows.set(row.id, added);
      this.#byRow.set(row.id, game);
      game.changed.add(added);
      this.#touch(game, false);
      return true;
    }
    held.confirmed = this.#confirmation;
    held.missed = 0;
    const isOld = before === Number.POSITIVE_INFINITY ? row.changedAt < held.row.changedAt : held.touched > before;
    if (isOld || isSame(held.row, row)) return true;
    const moved = !sameMarket(held.row, row);
    held.row = row;
    this.#change(game, held, moved);
    return true;
  }

  /** Suspends a row, which keeps its price; `before` as in put(). */
  lock(id: string, before: number): void {
    const game = this.#byRow.get(id);
    const held = game?.rows.get(id);
    if (game === undefined || held === undefined || !held.row.active || held.touched > before) return;
    held.row = { ...held.row, active: false };
    this.#change(game, held, false);
  }

  remove(id: string, before = Number.POSITIVE_INFINITY): void {
    const game = this.#byRow.get(id);
    const held = game?.rows.get(id);
    if (game === undefined || held === undefined || held.touched > before) return;
    game.changed.delete(held);
    game.rows.delete(id);
    this.#byRow.delete(id);
    this.#touch(game, true);
  }

  /** Everything, or what the condition names, may be outdated: it is suspended until it is confirmed. */
  doubt(isOf: (game: MirroredGame) => boolean = () => true): void {
    for (const game of this.#games.values()) {
      if (game.doubtful || !isOf(game)) continue;
      game.doubtful = true;
      this.#touch(game, true);
    }
  }

  /** Begins a list of all rows; those put from now on belong to it. */
  begin(): void {
    this.#confirmation++;
  }

  /**
   * Ends the list for the games that the condition names: their rows that were not in it are passed to `missing`, with
   * the number of lists in a row that lacked them, and nothing of them is doubtful any more.
   */
  complete(isOf: (game: MirroredGame) => boolean, missing: (row: MirroredRow, times: number) => void): void {
    for (const game of this.#games.values()) {
      if (!isOf(game)) continue;
      for (const held of [...game.rows.values()])
        if (held.confirmed < this.#confirmation) missing(held.row, ++held.missed);
      if (!game.doubtful) continue;
      game.doubtful = false;
      this.#touch(game, true);
    }
  }

  #gameOf(book: string, facts: GameFacts): MirroredGame {
    const key = keyOf(book, facts.id);
    let game = this.#games.get(key);
    if (game === undefined) {
      game = new MirroredGame(book, facts);
      this.#games.set(key, game);
      this.removed.delete(key);
    }
    return game;
  }

  #change(game: MirroredGame, held: Held, whole: boolean): void {
    held.touched = ++this.#touches;
    game.changed.add(held);
    this.#touch(game, whole);
  }

  #touch(game: MirroredGame, whole: boolean): void {
    game.whole ||= whole;
    this.changed.add(game);
    this.onChange();
  }
}

const GAME_FIELDS = ['league', 'home', 'away', 'startMs', 'isLive', 'status'] as const;

function keyOf(book: string, gameId: string): string {
  return `${book}|${gameId}`;
}

function isSame(a: MirroredRow, b: MirroredRow): boolean {
  return a.active === b.active && sameMarket(a, b) && sameFields(a.selection, b.selection, SELECTION_FIELDS);
}

/**
 * Whether both stand at the same place: a line or a selection that moves, or a main line that becomes an alternate one,
 * leaves an old row behind.
 */
function sameMarket(a: MirroredRow, b: MirroredRow): boolean {
  return sameFields(a.market, b.market, MARKET_FIELDS) && sameFields(a.selection, b.selection, PLACE_FIELDS);
}

const MARKET_FIELDS = ['market_type', 'player_name', 'stat_category', 'team', 'max_bet'] as const;
const PLACE_FIELDS = ['selection', 'selection_type', 'line', 'is_alternate_line'] as const;
const SELECTION_FIELDS = ['odds_american', 'odds_decimal', 'deep_link', 'size'] as const;
