// A board with a column a book, of one market or of what else its content says: the model onto the grid, at most once
// per frame.
import type { OddsRow } from '../src/client/client.js';
import type { Column } from './board-block.js';
import { BoardGrid, type BoardGridOptions } from './board-grid.js';
import { oncePerFrame } from './dom.js';
import { bookFreshness } from './fresh-dot.js';
import type { LiveBoard } from './live-board.js';
import type { BoardSort, ScreenState } from './model/address.js';
import { arrange, type BoardItem } from './model/arrange.js';
import type { Cell } from './model/block.js';
import type { Block } from './model/board.js';
import { typesOf } from './model/market-choice.js';
import { ageText, priceText, startText, words } from './model/odds-format.js';
import type { OddsFilters } from './model/polled-odds.js';
import type { SourceState } from './odds-source.js';
import { Openings } from './openings.js';
import type { PriceCard } from './price-card.js';
import type { Session } from './session.js';

/** Of which rows a board is, and in what order. */
export interface BoardContent {
  /** The rows as the state asks for them. */
  live(state: ScreenState): LiveBoard;
  items(live: LiveBoard, state: ScreenState, nowMs: number): BoardItem[];
  label(state: ScreenState): string;
  /** Blocks on the screen whose contents are of these; by default they themselves. */
  changed?(blocks: ReadonlySet<Block>): ReadonlySet<Block>;
  /** Beside a player: by default who plays. */
  detailOf?(block: Block): string;
}

/** One market of each game. */
export function oneMarket(live: LiveBoard): BoardContent {
  return {
    live: (state) => {
      live.point(filtersOf(state, typesOf(state.market)));
      return live;
    },
    items: ({ board }, state, nowMs) => arrange(board, state, nowMs),
    label: ({ market }) => `${words(market)} prices`,
  };
}

/** A price, and the fair probability of its outcome. */
export interface Priced {
  cell: Cell;
  fair: number | null;
}

export interface BooksBoardOptions {
  session: Session;
  content: BoardContent;
  /** A row was chosen, or a price of it. */
  open(block: Block, book: string | undefined, price: Priced | undefined): void;
  /** The form of an alert on this price. */
  alert?(row: OddsRow): void;
  /** What is known of the price that is pointed at; without it there is a tooltip. */
  card?: PriceCard;
  /** Another order was asked for at a head. */
  sort?(sort: BoardSort): void;
  /** Score and clock of a game in play, if known. */
  scoreOf(eventId: string): { text: string; more: string } | undefined;
}

/** After blocks came into sight, until what is missing of them is asked for. */
const SEEN_REST_MS = 1_500;
/** Minimum time between two updates: nobody reads prices faster, and each one costs a layout. */
const REST_MS = 100;
/** Interval at which order and filters by edge or hold follow the prices, and prices become stale. */
const ARRANGE_EVERY_MS = 1_000;

/** What the rows of a state are asked for with. */
export function filtersOf(state: ScreenState, markets: readonly string[]): OddsFilters {
  return {
    markets,
    ...(state.leagues.length > 0 ? { leagues: state.leagues } : state.sport === '' ? {} : { sports: [state.sport] }),
    ...(state.books.length > 0 ? { sportsbooks: [...state.books].sort() } : {}),
  };
}

export class BooksBoard {
  readonly grid: BoardGrid;
  readonly #options: BooksBoardOptions;
  readonly #openings: Openings;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly draw = oncePerFrame(() => this.#redraw(), REST_MS);
  #state: ScreenState | undefined;
  #columns: Column[] = [];
  #live: LiveBoard | undefined;
  #arrangedMs = 0;
  #mustArrange = true;

  constructor(options: BooksBoardOptions) {
    const { session } = options;
    this.#options = options;
    this.grid = new BoardGrid({
      open: (block, outcome, book) => this.#open(block, outcome, book),
      describe: (block, outcome, book) => this.#describe(block, outcome, book),
      seen: () => this.#askSoon(),
      ...(options.sort === undefined
        ? {}
        : { sort: (sort) => options.sort!(sort === this.#state?.sort ? 'time' : sort) }),
      ...(options.card === undefined ? {} : { card: this.#cardOf(options.card) }),
      ...(options.alert === undefined ? {} : { alert: (block, outcome, book) => this.#alert(block, outcome, book) }),
    });
    this.#openings = new Openings(session, () => this.draw());
    this.#timer = setInterval(() => this.draw(), ARRANGE_EVERY_MS);
  }

  close(): void {
    clearInterval(this.#timer);
    this.grid.root.remove();
  }

  /** Applies the state: other rows, other columns, another order. Undefined: it is not visible. */
  show(state: ScreenState | undefined): void {
    this.#state = state;
    if (state === undefined) return;
    this.#live = this.#options.content.live(state);
    this.#mustArrange = true;
    this.draw();
  }

  /** Something other than a price may have changed. */
  refresh(): void {
    this.#mustArrange = true;
    this.draw();
  }

  connection(state: SourceState): void {
    this.grid.root.classList.toggle('lost', state === 'lost');
    // An empty board says why.
    this.refresh();
  }

  #redraw(): void {
    const state = this.#state;
    if (state === undefined) return;
    const { session, content, scoreOf } = this.#options;
    const live = content.live(state);
    if (live !== this.#live) this.#mustArrange = true;
    this.#live = live;
    const { board } = live;
    const nowMs = session.clock.now();
    const look = {
      board,
      columns: this.#columns,
      format: state.format,
      nowMs,
      openingOf: (rowId: string) => this.#openings.of(rowId),
      whenOf: (block: Block) =>
        block.isLive ? (scoreOf(block.eventId) ?? { text: 'live', more: '' }) : startText(block.startMs, nowMs),
      detailOf: (block: Block) => content.detailOf?.(block) ?? `${block.away} @ ${block.home}`,
    };
    const { blocks: touched, arranged } = board.takeChanges();
    const blocks = content.changed?.(touched) ?? touched;
    const due = performance.now() - this.#arrangedMs > ARRANGE_EVERY_MS;
    const follows = state.edge > 0 || (state.sort !== 'time' && state.sort !== 'league');
    if (this.#mustArrange || (due && (arranged || follows))) {
      this.#mustArrange = false;
      this.#arrangedMs = performance.now();
      const columns = session.columns(state.books, board.books);
      if (columns.map(({ id }) => id).join() !== this.#columns.map(({ id }) => id).join()) {
        this.#columns = columns;
        look.columns = columns;
      }
      this.grid.note = live.note;
      this.grid.density = state.density;
      this.grid.sort = state.sort;
      this.grid.show(content.items(live, state, nowMs), look, content.label(state));
    } else {
      if (arranged) this.#mustArrange = true;
      // Once a second everything visible: arrows end, prices become stale.
      this.grid.refresh(look, due ? undefined : blocks);
      if (due) this.#arrangedMs = performance.now();
    }
    if (due) this.grid.freshen((book) => bookFreshness(session, book, board));
  }

  #asked = false;

  /** Opening prices, and when prices were seen, of what came into sight. */
  #askSoon(): void {
    if (this.#asked || this.#options.session.isTight) return;
    this.#asked = true;
    setTimeout(() => {
      this.#asked = false;
      const live = this.#live;
      if (this.#state === undefined || live === undefined) return;
      if (live.source.state === 'connecting') {
        this.#askSoon();
        return;
      }
      this.#openings.want(this.visible().map(({ eventId }) => eventId));
      live.askAges();
    }, SEEN_REST_MS);
  }

  visible(): Block[] {
    return this.grid.visible();
  }

  /** Of the book's price, or of the best one. */
  #alert(block: Block, outcomeKey: string, book: string | undefined): void {
    const cell = this.#cellOf(block, outcomeKey, book)?.cell;
    if (cell !== undefined) this.#options.alert?.(cell.row);
  }

  #cellOf(block: Block, outcomeKey: string, book: string | undefined): Priced | undefined {
    const view = this.#live?.board.view(block, this.#options.session.clock.now());
    const outcome = view?.outcomes.find(({ key }) => key === outcomeKey);
    const cell = book === undefined ? outcome?.best : outcome?.cells.get(book);
    return cell == null ? undefined : { cell, fair: outcome!.fair };
  }

  #open(block: Block, outcomeKey: string | undefined, book: string | undefined): void {
    const { open } = this.#options;
    open(
      block,
      book,
      outcomeKey === undefined || book === undefined ? undefined : this.#cellOf(block, outcomeKey, book),
    );
  }

  #cardOf(card: PriceCard): BoardGridOptions['card'] & {} {
    const show =
      (how: 'rest' | 'hold') =>
      (place: HTMLElement, block: Block, outcome: string, book: string): void => {
        const row = this.#cellOf(block, outcome, book)?.cell.row;
        if (row === undefined) card.leave();
        else card[how](place, row, this.#describe(block, outcome, book).replaceAll('\n', ' · '));
      };
    return { rest: show('rest'), hold: show('hold'), leave: () => card.leave(), isTouched: () => card.isTouched };
  }

  #describe(block: Block, outcomeKey: string, book: string): string {
    const { session } = this.#options;
    const format = this.#state?.format ?? 'american';
    const nowMs = session.clock.now();
    const cell = this.#cellOf(block, outcomeKey, book)?.cell;
    const live = this.#live;
    if (cell === undefined || live === undefined) return '';
    const { row, state, net, excluded } = cell;
    const opening = this.#openings.of(row.id);
    const before = row.odds_american_previous;
    const parts = [
      `${session.nameOf(book)} ${priceText({ decimal: row.odds_decimal, american: row.odds_american }, format)}`,
      `${row.odds_decimal.toFixed(3)}, ${(100 / row.odds_decimal).toFixed(1)} %`,
      net < row.odds_decimal ? `${net.toFixed(3)} after commission` : '',
      before === null ? '' : `before: ${before > 0 ? `+${before}` : before}`,
      opening === undefined ? '' : `opened at ${opening.line ?? ''} ${priceText(opening, format)}`,
      `changed ${ageText(nowMs - Date.parse(row.odds_changed_at))} ago`,
      `seen ${ageText(nowMs - live.board.lastSeenMs(row))} ago`,
      row.max_bet === undefined ? '' : `limit ${row.max_bet}`,
      state === 'suspended' ? 'suspended: no bets' : state === 'stale' ? 'too old to be compared' : '',
      excluded ? 'another line, or no part of a whole market: not compared' : '',
    ];
    return parts.filter(Boolean).join('\n');
  }
}
