// A copy of the rows that another odds service lists for many books, by the ids it gives them. A feed updates it as
// messages arrive; the publisher sends what changed. What may be outdated is suspended until it was confirmed.

import { BoundedMap } from '../../../base/memory/bounded-map.js';
import { getOrInsert } from '../../../base/memory/get-or-insert.js';
import { rowKey } from '../../../base/model/identity.js';
import { LIMITS } from '../../../base/model/limits.js';
import { sameFields } from '../../../base/model/same-fields.js';
import { lineNumber } from '../../../rules/markets/lines.js';
import { isThirdSide } from '../../../rules/markets/sides.js';
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
  /** Whether its price is of the game in play, if the service says so of each row and not of the game. */
  readonly live?: boolean;
  /** Another row of its place comes before it. */
  readonly yields?: boolean;
  /** The book's own id of the game. */
  readonly externalGameId?: string | undefined;
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
  /** Count of changes when it was last opened or suspended, or took its place. */
  placed: number;
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
  externalId: string | undefined;
  /** Rows were placed or removed since the rows beside others were last looked for. */
  placed = false;
  /**
   * Rows whose place in the table another one has (two main lines of a side, one selection under two ids): whether they are told
   * as alternate lines, or not at all.
   */
  #beside: ReadonlyMap<Held, boolean> = new Map();
  /** A handicap is stated with one sign for both sides: they are told together, so that both are refused. */
  #hasOneSign = false;

  constructor(book: string, facts: GameFacts) {
    this.book = book;
    this.facts = facts;
  }

  get key(): string {
    return keyOf(this.book, this.facts.id);
  }

  event(): IngestEvent {
    const ref = refOf({ ...this.facts, ...this.#liveness() }, this.externalId);
    if (this.doubtful) return { ...ref, suspended: true, markets: [] };
    if (this.placed) this.#findBeside();
    this.whole ||= this.#hasOneSign;
    return { ...ref, markets: this.#markets(this.whole ? this.rows.values() : this.changed) };
  }

  /** The game is in play at a book if one of its rows there is: others may be of before the start. */
  #liveness(): { isLive?: boolean } {
    let stated = false;
    for (const { row } of this.rows.values()) {
      if (row.live === true) return { isLive: true };
      stated ||= row.live === false;
    }
    return stated ? { isLive: false } : {};
  }

  sent(): void {
    this.changed.clear();
    // What changes while it is doubtful is sent with the rest.
    this.whole = this.doubtful;
  }

  /** Rows to send, by market. */
  #markets(rows: Iterable<Held>): IngestMarket[] {
    const markets = new Map<string, IngestMarket>();
    for (const held of rows) {
      const { market, selection, active } = held.row;
      const asAlternate = this.#beside.get(held);
      if (asAlternate === false) continue;
      getOrInsert(markets, `${marketKey(market)}\n${market.max_bet}`, () => ({
        ...market,
        selections: [],
      })).selections.push({
        ...selection,
        ...(asAlternate === true ? { is_alternate_line: true } : {}),
        ...(active ? {} : { is_active: false }),
      });
    }
    return [...markets.values()];
  }

  /**
   * Of several rows with one place one that does not yield has it, then an open one, of these the last one; main rows of a
   * market are at one number. Where that changes, old rows are left behind.
   */
  #findBeside(): void {
    this.placed = false;
    const mainNumbers = this.#mainNumbers();
    const isMain = ({ row }: Held): boolean => {
      const [number, main] = [mainNumberOf(row), mainNumbers.get(marketKey(row.market))];
      return number === undefined || main === undefined || main === number;
    };
    const taken = new Set<string>();
    const takes = (row: MirroredRow): boolean => {
      const place = placeOf(row);
      const isFree = !taken.has(place);
      taken.add(place);
      return isFree;
    };
    const others = [...this.rows.values()].sort(byRank).filter((held) => !isMain(held) || !takes(held.row));
    const beside = new Map<Held, boolean>();
    for (const held of others) {
      const { row } = held;
      const { line, is_alternate_line: isAlternate = false } = row.selection;
      const asAlternate = { ...row, selection: { ...row.selection, is_alternate_line: true } };
      beside.set(held, !isAlternate && line !== undefined && takes(asAlternate));
    }
    this.whole ||= [...beside.keys(), ...this.#beside.keys()].some(
      (held) => beside.get(held) !== this.#beside.get(held),
    );
    this.#beside = beside;
  }

  /**
   * By market: the number of most open main rows, of several the one that took its place last. A handicap with its draw is
   * written in more than one way, and has none; nor has one whose two sides are stated with one sign.
   */
  #mainNumbers(): ReadonlyMap<string, number> {
    const markets = new Map<string, Map<number, { open: number; placed: number }>>();
    const withDraw = new Set<string>();
    for (const { row, placed } of this.rows.values()) {
      if (isThirdSide(row.selection.selection_type)) withDraw.add(marketKey(row.market));
      const number = mainNumberOf(row);
      if (number === undefined) continue;
      const numbers = getOrInsert(markets, marketKey(row.market), () => new Map());
      const one = getOrInsert(numbers, number, () => ({ open: 0, placed: 0 }));
      if (row.active) one.open++;
      one.placed = Math.max(one.placed, placed);
    }
    const mains = new Map<string, number>();
    this.#hasOneSign = false;
    for (const [market, numbers] of markets) {
      if (withDraw.has(market)) continue;
      const [first, ...others] = [...numbers].sort(([, a], [, b]) => b.open - a.open || b.placed - a.placed);
      const [other, more] = others.filter(([, { open }]) => open > 0);
      if (first![1].open === 1 && more === undefined && other?.[0] === -first![0]) this.#hasOneSign = true;
      else mains.set(market, first![0]);
    }
    return mains;
  }
}

const byRank = (a: Held, b: Held): number =>
  Number(a.row.yields ?? false) - Number(b.row.yields ?? false) ||
  Number(b.row.active) - Number(a.row.active) ||
  b.placed - a.placed;

/** Undefined for a row that is no main side of a line. */
function mainNumberOf({ selection: { selection_type, line, is_alternate_line } }: MirroredRow): number | undefined {
  if (is_alternate_line === true || line === undefined || !PAIRED.has(selection_type)) return undefined;
  return lineNumber(selection_type, Number(line));
}

const PAIRED: ReadonlySet<string> = new Set(['home', 'away', 'over', 'under']);

interface ListedGame {
  facts: GameFacts;
  /** Those of books that have rows. */
  readonly games: Set<MirroredGame>;
}

export class RowMirror implements OutgoingGames<MirroredGame> {
  /** By the service's id of the game. */
  readonly #listed = new Map<string, ListedGame>();
  readonly #games = new Map<string, MirroredGame>();
  readonly #byRow = new Map<string, MirroredGame>();
  /** Those whose book has an id of its own for the game, by book and that. */
  readonly #byExternalId = new Map<string, Set<MirroredGame>>();
  /** Count of changes at the removal of rows, so that an answer that was asked for before brings none back. */
  readonly #gone = new BoundedMap<string, number>(LIMITS.removedRows.max);
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
    return this.#listed.get(gameId)?.facts;
  }

  hasRows(gameId: string): boolean {
    return (this.#listed.get(gameId)?.games.size ?? 0) > 0;
  }

  row(id: string): MirroredRow | undefined {
    return this.#byRow.get(id)?.rows.get(id)?.row;
  }

  /** Adds a game, or updates it for all books. */
  putGame(facts: GameFacts): void {
    const listed = this.#listed.get(facts.id);
    if (listed === undefined) {
      this.#listed.set(facts.id, { facts, games: new Set() });
      return;
    }
    if (sameFields(listed.facts, facts, GAME_FIELDS)) return;
    listed.facts = facts;
    for (const game of listed.games) {
      game.facts = facts;
      this.#touch(game, true);
    }
  }

  removeGame(gameId: string): void {
    for (const game of this.#listed.get(gameId)?.games ?? []) {
      for (const id of game.rows.keys()) this.#forget(id);
      this.#drop(game);
    }
    this.#listed.delete(gameId);
  }

  /**
   * Adds or replaces a row; false if its game is unknown or there are too many. A message that is older than the known
   * row is passed over.
   * @param before of an answer to a request, which is right whatever its times: a row that changed since this count of
   * changes is left alone
   */
  put(row: MirroredRow, before = Number.POSITIVE_INFINITY): boolean {
    const game = this.#byRow.get(row.id);
    const held = game?.rows.get(row.id);
    if (game === undefined || held === undefined) return (this.#gone.get(row.id) ?? 0) > before || this.#add(row);
    const isAnswer = before !== Number.POSITIVE_INFINITY;
    const isOld = isAnswer ? held.touched > before : row.changedAt < held.row.changedAt;
    if (isAnswer || !isOld) {
      held.confirmed = this.#confirmation;
      held.missed = 0;
    }
    if (isOld) return true;
    this.#named(game, row);
    if (game.book !== row.book || game.facts.id !== row.gameId) {
      this.remove(row.id);
      return this.#add(row);
    }
    held.touched = ++this.#touches;
    const known = held.row;
    const same = isSame(known, row);
    if (!same || row.changedAt >= known.changedAt) held.row = row;
    if (!same) this.#change(game, held, !sameMarket(known, row), known.active !== row.active);
    return true;
  }

  /** Suspends a row, which keeps its price; `before` as in put(). */
  lock(id: string, before = Number.POSITIVE_INFINITY): void {
    const game = this.#byRow.get(id);
    const held = game?.rows.get(id);
    if (game === undefined || held === undefined || !held.row.active || held.touched > before) return;
    held.row = { ...held.row, active: false };
    held.touched = ++this.#touches;
    this.#change(game, held, false, true);
  }

  remove(id: string, before = Number.POSITIVE_INFINITY): void {
    const game = this.#byRow.get(id);
    const held = game?.rows.get(id);
    if (game === undefined || held === undefined || held.touched > before) return;
    game.changed.delete(held);
    game.rows.delete(id);
    this.#forget(id);
    game.placed = true;
    if (game.rows.size > 0) this.#touch(game, true);
    else this.#drop(game);
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

  #gameOf(book: string, { facts, games }: ListedGame): MirroredGame {
    const key = keyOf(book, facts.id);
    let game = this.#games.get(key);
    if (game === undefined) {
      game = new MirroredGame(book, facts);
      this.#games.set(key, game);
      games.add(game);
      this.removed.delete(key);
    }
    return game;
  }

  /** False if its game is unknown, or there are too many. */
  #add(row: MirroredRow): boolean {
    const listed = this.#listed.get(row.gameId);
    if (listed === undefined || this.#byRow.size >= ROWS_MAX) return false;
    const game = this.#gameOf(row.book, listed);
    this.#named(game, row);
    const held = { row, confirmed: this.#confirmation, touched: ++this.#touches, missed: 0, placed: 0 };
    game.rows.set(row.id, held);
    this.#byRow.set(row.id, game);
    this.#change(game, held, false, true);
    return true;
  }

  #named(game: MirroredGame, { externalGameId }: MirroredRow): void {
    if (externalGameId === undefined || game.externalId !== undefined) return;
    game.externalId = externalGameId;
    getOrInsert(this.#byExternalId, keyOf(game.book, externalGameId), () => new Set()).add(game);
  }

  #forget(id: string): void {
    this.#byRow.delete(id);
    this.#gone.set(id, ++this.#touches);
  }

  /** The book lists nothing of the game any more. */
  #drop(game: MirroredGame): void {
    this.#games.delete(game.key);
    this.#listed.get(game.facts.id)?.games.delete(game);
    this.changed.delete(game);
    this.removed.set(game.key, game);
    if (game.externalId !== undefined) {
      const key = keyOf(game.book, game.externalId);
      const same = this.#byExternalId.get(key);
      same?.delete(game);
      if (same?.size === 0) this.#byExternalId.delete(key);
      // Of one that goes on under another id of the service everything is said again, after its removal.
      for (const other of same ?? []) this.#touch(other, true);
    }
    this.onChange();
  }

  #change(game: MirroredGame, held: Held, moved: boolean, placed: boolean): void {
    game.changed.add(held);
    if (moved || placed) {
      held.placed = this.#touches;
      game.placed = true;
    }
    this.#touch(game, moved);
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
  if (a.active !== b.active || a.live !== b.live || a.market.max_bet !== b.market.max_bet) return false;
  return sameMarket(a, b) && sameFields(a.selection, b.selection, SELECTION_FIELDS);
}

/**
 * Whether both stand at the same place: a line or a selection that moves, or a main line that becomes an alternate one,
 * leaves an old row behind.
 */
function sameMarket(a: MirroredRow, b: MirroredRow): boolean {
  return sameFields(a.market, b.market, MARKET_FIELDS) && sameFields(a.selection, b.selection, PLACE_FIELDS);
}

function marketKey(market: MirroredRow['market']): string {
  return MARKET_FIELDS.map((field) => market[field]).join('\n');
}

const MARKET_FIELDS = ['market_type', 'player_name', 'stat_category', 'team'] as const;
const PLACE_FIELDS = ['selection', 'selection_type', 'line', 'is_alternate_line'] as const;
const SELECTION_FIELDS = [
  ...(['odds_american', 'odds_decimal', 'indicative', 'size'] as const),
  ...(['deep_link', 'external_id', 'market_id', 'exchange_token_id'] as const),
] as const;

/** The key of its row in the table, as far as the service's names are those of the table. */
function placeOf({ market, selection: { selection, selection_type, line, is_alternate_line = false } }: MirroredRow) {
  const { market_type, player_name: player = null, stat_category: stat = null, team = null } = market;
  const side = { selection, selectionType: selection_type, line: Number(line), alternate: is_alternate_line };
  return rowKey({ market: market_type, player, stat, team, ...side });
}
