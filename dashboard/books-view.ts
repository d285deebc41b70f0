// The board with one market and a column a book: the model onto the grid, at most once per frame.
import type { OddsRow } from '../src/client/client.js';
import type { Column } from './board-block.js';
import { BoardGrid } from './board-grid.js';
import { oncePerFrame } from './dom.js';
import type { LiveBoard } from './live-board.js';
import type { BoardSort, ScreenState } from './model/address.js';
import { arrange } from './model/arrange.js';
import type { Block } from './model/board.js';
import { typesOf } from './model/market-choice.js';
import { ageText, priceText, startText, words } from './model/odds-format.js';
import type { SourceState } from './odds-source.js';
import { Openings } from './openings.js';
import type { OddsFilters } from './polled-odds.js';
import type { Session } from './session.js';

export interface BooksViewOptions {
  session: Session;
  live: LiveBoard;
  open(block: Block, outcomeKey: string | undefined, book: string | undefined): void;
  /** The form of an alert on this price. */
  alert?(row: OddsRow): void;
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

export class BooksView {
  readonly grid: BoardGrid;
  readonly #options: BooksViewOptions;
  readonly #openings: Openings;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly draw = oncePerFrame(() => this.#redraw(), REST_MS);
  #state: ScreenState | undefined;
  #columns: Column[] = [];
  #arrangedMs = 0;
  #mustArrange = true;

  constructor(options: BooksViewOptions) {
    const { session } = options;
    this.#options = options;
    this.grid = new BoardGrid({
      open: options.open,
      describe: (block, outcome, book) => this.#describe(block, outcome, book),
      seen: () => this.#askSoon(),
      ...(options.sort === undefined
        ? {}
        : { sort: (sort) => options.sort!(sort === this.#state?.sort ? 'time' : sort) }),
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
    this.#options.live.point(filtersOf(state, typesOf(state.market)));
    this.#mustArrange = true;
    this.draw();
  }

  connection(state: SourceState): void {
    this.grid.root.classList.toggle('lost', state === 'lost');
    // An empty board says why.
    this.#mustArrange = true;
    this.draw();
  }

  #redraw(): void {
    const state = this.#state;
    if (state === undefined) return;
    const { session, live, scoreOf } = this.#options;
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
    };
    const { blocks, arranged } = board.takeChanges();
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
      this.grid.show(arrange(board, state, nowMs), look, `${words(state.market)} prices`);
    } else {
      if (arranged) this.#mustArrange = true;
      // Once a second everything visible: arrows end, prices become stale.
      this.grid.refresh(look, due ? undefined : blocks);
      if (due) this.#arrangedMs = performance.now();
    }
  }

  #asked = false;

  /** Opening prices, and when prices were seen, of what came into sight. */
  #askSoon(): void {
    const { live, session } = this.#options;
    if (this.#asked || session.isTight) return;
    this.#asked = true;
    setTimeout(() => {
      this.#asked = false;
      if (this.#state === undefined) return;
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
    const { live, session, alert } = this.#options;
    const outcome = live.board.view(block, session.clock.now()).outcomes.find(({ key }) => key === outcomeKey);
    const cell = book === undefined ? outcome?.best : outcome?.cells.get(book);
    if (cell != null) alert?.(cell.row);
  }

  #describe(block: Block, outcomeKey: string, book: string): string {
    const { session, live } = this.#options;
    const format = this.#state?.format ?? 'american';
    const nowMs = session.clock.now();
    const outcome = live.board.view(block, nowMs).outcomes.find(({ key }) => key === outcomeKey);
    const cell = outcome?.cells.get(book);
    if (cell === undefined) return '';
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
      excluded ? 'another line than most: not compared' : '',
    ];
    return parts.filter(Boolean).join('\n');
  }
}
