// All markets on the board: rows are added and removed as the stream says, each in the block of its market. A block's
// contents are computed on demand, and again only after it changed or a price of it became stale.

import { chargeOf, netDecimal } from '../../src/base/model/commission.js';
import type { OddsRow, Sportsbook } from '../../src/client/client.js';
import { canonicalPlayerName, mayHaveSuffix } from '../../src/rules/catalogue/player-name.js';
import { laidType } from '../../src/rules/markets/derive.js';
import { type BlockContext, type BlockView, outcomeKeyOf, viewOf } from './block.js';
import { namesakesOf, subjectKey, whoOf } from './outcome.js';
import { ThirdSides } from './whole.js';

export interface Block {
  readonly key: string;
  readonly eventId: string;
  readonly sport: string;
  readonly league: string;
  readonly market: string;
  readonly home: string;
  readonly away: string;
  /** Player or team the market is about; '' if it is about the game. */
  readonly who: string;
  /** As the first row names the player. */
  readonly player?: string | undefined;
  /** Some rows name the player with another suffix, or without one. */
  hasSuffixes?: boolean;
  startMs: number;
  isLive: boolean;
  readonly rows: Map<string, OddsRow>;
  view: BlockView | undefined;
  /** Of a block of one line alone: which. */
  readonly atLine?: number | null;
  /** That no book has it as its main one. */
  isAlternate?: boolean;
}

/** How a price last moved. */
export interface Move {
  /** 1 longer, -1 shorter. */
  direction: 1 | -1;
  /** Unix ms by the server's clock. */
  atMs: number;
  /** Counts moves, so that a second move is recognised. */
  count: number;
}

/** Prices older than this are not compared: the server's own limits for /odds/best. */
export const FRESH_MS = 300_000;
export const FRESH_LIVE_MS = 60_000;

export interface BoardTerms extends Pick<BlockContext, 'isMine' | 'isReference' | 'fairOf'> {
  /** The viewer's own commission at a book; else the catalogue's holds. */
  commissionOf?(book: string, known: Book['commission']): Book['commission'];
}

type Book = Pick<Sportsbook, 'id' | 'commission'> & Partial<Pick<Sportsbook, 'is_sharp' | 'owner' | 'kind'>>;

const NONE: readonly string[] = [];

export class Board {
  readonly blocks = new Map<string, Block>();
  /** Ids of the books that had rows since the last clear(). */
  readonly books = new Set<string>();
  readonly #blockOf = new Map<string, Block>();
  readonly #moves = new Map<string, Move>();
  /** Row id → Unix ms of the newest poll known to have shown the price. */
  readonly #seen = new Map<string, number>();
  /** Book → the newest of these. */
  readonly #newest = new Map<string, number>();
  /** By how much the key's prices are late, ms: they are compared with others that are as late. */
  delayMs = 0;
  #books = new Map<string, Book & { rank: number }>();
  /** Which books have shown a draw, or another third side, in which market. */
  readonly #thirds = new ThirdSides();
  /** By game: players whose suffix tells two men apart. */
  readonly #namesakes = new Map<string, readonly string[]>();
  /** Blocks whose contents may have changed since they were taken. */
  #changed = new Set<Block>();
  /** Blocks were added or removed. */
  #arranged = false;

  #terms: BoardTerms = {};

  /** How the viewer computes: see Profile. */
  setTerms(terms: BoardTerms): void {
    this.#terms = terms;
    for (const block of this.blocks.values()) this.#touch(block);
    this.#arranged = true;
  }

  setBooks(books: readonly Book[]): void {
    this.#books = new Map(books.map((book, rank) => [book.id, { ...book, rank }]));
    for (const block of this.blocks.values()) this.#touch(block);
  }

  get size(): number {
    return this.#blockOf.size;
  }

  blockOf(id: string): Block | undefined {
    return this.#blockOf.get(id);
  }

  row(id: string): OddsRow | undefined {
    return this.blockOf(id)?.rows.get(id);
  }

  /** All rows, block by block. */
  rows(): OddsRow[] {
    return [...this.blocks.values()].flatMap(({ rows }) => [...rows.values()]);
  }

  move(id: string): Move | undefined {
    return this.#moves.get(id);
  }

  /** Adds a row, or its new state. */
  put(row: OddsRow): void {
    if (this.#thirds.note(row)) this.#touchOthers(row);
    const key = this.#keyOf(row);
    let block = this.blocks.get(key);
    const before = this.#blockOf.get(row.id);
    if (before !== undefined && before !== block) this.#drop(row.id, before);
    if (block === undefined) {
      block = blockFor(key, row);
      this.blocks.set(key, block);
      this.#arranged = true;
    }
    if (!this.books.has(row.sportsbook)) {
      this.books.add(row.sportsbook);
      this.#arranged = true;
    }
    const known = block.rows.get(row.id);
    if (known !== undefined && known.odds_decimal !== row.odds_decimal) this.#note(row, known);
    // Times are parsed once: rows are read far more often than they change.
    if (known?.event_start_time !== row.event_start_time) {
      const startMs = Date.parse(row.event_start_time);
      if (block.startMs !== startMs) this.#arranged = true;
      block.startMs = startMs;
    }
    if (block.isLive !== row.is_live) this.#arranged = true;
    block.isLive = row.is_live;
    block.rows.set(row.id, row);
    this.#blockOf.set(row.id, block);
    const isApart = this.#isOfNamesake(block, row);
    if (known?.last_seen_at !== row.last_seen_at) this.#see(row, Date.parse(row.last_seen_at));
    if (known?.odds_changed_at !== row.odds_changed_at) this.#see(row, Date.parse(row.odds_changed_at));
    this.#touch(block);
    if (isApart) this.#separate(row);
  }

  #keyOf(row: OddsRow): string {
    const { event_id, market_type } = row;
    return `${event_id}|${market_type}|${subjectKey(row, market_type, this.namesakes(event_id))}`;
  }

  /** Players of a game whose suffix tells two men apart, as some book lists both. */
  namesakes(eventId: string): readonly string[] {
    return this.#namesakes.get(eventId) ?? NONE;
  }

  /** Whether the row's book offers a third result beside it. */
  isThreeWay(row: OddsRow): boolean {
    return this.#thirds.isThreeWay(row);
  }

  /** Who makes a book's prices. */
  ownerOf(book: string): string {
    return this.#books.get(book)?.owner ?? book;
  }

  /** Whether the row's book has a row of another man of the name there. */
  #isOfNamesake(block: Block, { sportsbook, player_name }: OddsRow): boolean {
    if (player_name === undefined || block.player === undefined) return false;
    if (player_name !== block.player && (mayHaveSuffix(player_name) || mayHaveSuffix(block.player)))
      block.hasSuffixes = true;
    if (block.hasSuffixes !== true) return false;
    return namesakesOf([...block.rows.values()].filter((one) => one.sportsbook === sportsbook)).length > 0;
  }

  /** All blocks of the game that have both men are parted. */
  #separate({ event_id, player_name }: OddsRow): void {
    const name = canonicalPlayerName(player_name!);
    this.#namesakes.set(event_id, [...this.namesakes(event_id), name]);
    const isTheirs = (one: Block): boolean =>
      one.eventId === event_id && one.player !== undefined && canonicalPlayerName(one.player) === name;
    for (const block of [...this.blocks.values()].filter(isTheirs))
      for (const row of [...block.rows.values()]) {
        const seenMs = this.lastSeenMs(row);
        this.#drop(row.id, block);
        this.put(row);
        this.seenAt(row.id, seenMs);
      }
  }

  /** A third side of one team's total, or one that is laid, is one of other blocks of the market as well. */
  #touchOthers({ event_id, market_type, player_name, team_name }: OddsRow): void {
    if (player_name === undefined && team_name === undefined && laidType(market_type) === undefined) return;
    for (const block of this.blocks.values()) if (block.eventId === event_id) this.#touch(block);
  }

  #note(row: OddsRow, known: OddsRow): void {
    const count = (this.#moves.get(row.id)?.count ?? 0) + 1;
    const direction = row.odds_decimal > known.odds_decimal ? 1 : -1;
    this.#moves.set(row.id, { direction, atMs: Date.parse(row.odds_changed_at), count });
  }

  remove(id: string): void {
    const block = this.#blockOf.get(id);
    if (block !== undefined) this.#drop(id, block);
  }

  #drop(id: string, block: Block): void {
    block.rows.delete(id);
    this.#blockOf.delete(id);
    this.#moves.delete(id);
    this.#seen.delete(id);
    this.#touch(block);
    if (block.rows.size > 0) return;
    this.blocks.delete(block.key);
    this.#changed.delete(block);
    this.#arranged = true;
  }

  /** Exactly these rows from now on; the known data of those that stay is retained. */
  reset(rows: Iterable<OddsRow>): void {
    const gone = new Set(this.#blockOf.keys());
    for (const row of rows) {
      gone.delete(row.id);
      this.put(row);
    }
    for (const id of gone) this.remove(id);
  }

  clear(): void {
    this.blocks.clear();
    this.books.clear();
    this.#blockOf.clear();
    this.#moves.clear();
    this.#seen.clear();
    this.#newest.clear();
    this.#thirds.clear();
    this.#namesakes.clear();
    this.#changed.clear();
    this.#arranged = true;
  }

  /** The server has seen the price at that time (Unix ms), whether it moved or not. */
  seenAt(id: string, atMs: number): void {
    const block = this.#blockOf.get(id);
    const row = block?.rows.get(id);
    if (row !== undefined && this.#see(row, atMs)) this.#touch(block!);
  }

  /** Whether that is new. */
  #see({ id, sportsbook }: OddsRow, atMs: number): boolean {
    if ((this.#seen.get(id) ?? 0) >= atMs) return false;
    this.#seen.set(id, atMs);
    if (this.newestMs(sportsbook) < atMs) this.#newest.set(sportsbook, atMs);
    return true;
  }

  /** Unix ms of the newest poll of a book that is known; 0 if none is. */
  newestMs(book: string): number {
    return this.#newest.get(book) ?? 0;
  }

  /** Unix ms of the newest poll known to have shown a row's price. */
  lastSeenMs(row: OddsRow): number {
    return this.#seen.get(row.id) ?? 0;
  }

  /** Unix ms at which the row's price is too old to be compared, unless it is seen again. */
  staleAtMs(row: OddsRow): number {
    return this.lastSeenMs(row) + this.delayMs + (row.is_live ? FRESH_LIVE_MS : FRESH_MS);
  }

  #touch(block: Block): void {
    block.view = undefined;
    this.#changed.add(block);
  }

  /** The changes since the last call; `arranged` if blocks were added, removed, started or postponed. */
  takeChanges(): { blocks: ReadonlySet<Block>; arranged: boolean } {
    const taken = { blocks: this.#changed, arranged: this.#arranged };
    this.#changed = new Set();
    this.#arranged = false;
    return taken;
  }

  /** A block's contents at a time (Unix ms by the server's clock). */
  view(block: Block, nowMs: number): BlockView {
    if (block.view !== undefined && nowMs < block.view.freshUntilMs) return block.view;
    block.view = viewOf(block.rows.values(), this.#context(nowMs, block.eventId));
    return block.view;
  }

  /** How many outcomes it has: without the view's prices, which cost much more. */
  lines(block: Block): number {
    if (block.view !== undefined) return block.view.outcomes.length;
    const outcomes = new Set<string>();
    for (const row of block.rows.values()) outcomes.add(outcomeKeyOf(row, this.namesakes(block.eventId)));
    return outcomes.size;
  }

  /**
   * Of rows that are not on the board, too.
   * @param terms in place of the board's own
   */
  viewOf(rows: Iterable<OddsRow>, nowMs: number, terms: Pick<BlockContext, 'fairOf'> = {}): BlockView {
    const all = [...rows];
    // Rows that are not on the board may say more than it has seen.
    for (const row of all) this.#thirds.note(row);
    return viewOf(all, { ...this.#context(nowMs, all[0]?.event_id ?? ''), ...terms });
  }

  #context(nowMs: number, eventId: string): BlockContext {
    const { commissionOf, ...terms } = this.#terms;
    return {
      ...terms,
      nowMs,
      net: (row) => {
        const known = chargeOf(row.commission, this.#books.get(row.sportsbook)?.commission ?? null);
        return netDecimal(row.odds_decimal, commissionOf?.(row.sportsbook, known) ?? known);
      },
      namesakes: this.namesakes(eventId),
      isThreeWay: (price) => this.#thirds.isThreeWay(price),
      ownerOf: (book) => this.ownerOf(book),
      isSharp: (book) => this.#books.get(book)?.is_sharp ?? false,
      isModel: (book) => this.#books.get(book)?.kind === 'model',
      rank: (book) => this.#books.get(book)?.rank ?? this.#books.size,
      staleAtMs: (row) => this.staleAtMs(row),
    };
  }
}

function blockFor(key: string, row: OddsRow): Block {
  return {
    key,
    eventId: row.event_id,
    sport: row.sport,
    league: row.league,
    market: row.market_type,
    home: row.home_team,
    away: row.away_team,
    who: whoOf(row),
    player: row.player_name,
    startMs: 0,
    isLive: row.is_live,
    rows: new Map(),
    view: undefined,
  };
}
