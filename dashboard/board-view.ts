// The board of the page: rows from the source into the board, the board onto the grid, at most once per frame.
import type { StreamEvent } from '../src/client/client.js';
import type { Column } from './board-block.js';
import { BoardGrid } from './board-grid.js';
import { oncePerFrame } from './dom.js';
import type { ScreenState } from './model/address.js';
import { arrange } from './model/arrange.js';
import { type Block, Board } from './model/board.js';
import { typesOf } from './model/market-choice.js';
import { ageText, priceText, startText, words } from './model/odds-format.js';
import { OddsSource, type SourceState } from './odds-source.js';
import { Openings } from './openings.js';
import { PriceAges } from './price-ages.js';
import type { Session } from './session.js';

export interface BoardViewOptions {
  session: Session;
  open(block: Block, outcomeKey: string | undefined, book: string | undefined): void;
  onState(state: SourceState): void;
  onRefused(error: Error): void;
  /** Score and clock of a game in play, if known. */
  scoreOf(eventId: string): { text: string; more: string } | undefined;
}

const AGES_EVERY_MS = 15_000;
const AGES_EVERY_MS_TIGHT = 60_000;
/** Minimum time between two updates: nobody reads prices faster, and each one costs a layout. */
const REST_MS = 60;
/** Interval at which order and filters by edge or hold follow the prices, and prices become stale. */
const ARRANGE_EVERY_MS = 1_000;

export class BoardView {
  readonly board = new Board();
  readonly grid: BoardGrid;
  readonly source: OddsSource;
  readonly #options: BoardViewOptions;
  readonly #ages: PriceAges;
  readonly #openings: Openings;
  readonly #timers: ReturnType<typeof setInterval>[];
  readonly #draw = oncePerFrame(() => this.#redraw(), REST_MS);
  #state: ScreenState;
  #columns: Column[] = [];
  #pointed = '';
  #arrangedMs = 0;
  #mustArrange = true;
  /** A snapshot replaces the rows when it is complete; until then the previous ones stay visible. */
  #replacing = false;
  changes = 0;
  /** Age of the newest change from ingest to this page, ms. */
  delayMs = Number.NaN;

  constructor(place: ParentNode, state: ScreenState, options: BoardViewOptions) {
    this.#options = options;
    this.#state = state;
    const { session } = options;
    this.board.setBooks(session.books);
    this.board.delayMs = session.account.limits.odds_delay_seconds * 1_000;
    this.grid = new BoardGrid({
      open: options.open,
      describe: (block, outcome, book) => this.#describe(block, outcome, book),
      seen: () => this.#askAgesSoon(),
    });
    place.append(this.grid.root);
    this.#ages = new PriceAges(session, this.board);
    this.#openings = new Openings(session, () => this.#draw());
    this.source = new OddsSource({
      session,
      onEvent: (event) => this.#receive(event),
      onState: (now) => {
        this.grid.root.classList.toggle('lost', now === 'lost');
        // An empty board says why.
        this.#mustArrange = true;
        this.#draw();
        options.onState(now);
      },
      onRefused: options.onRefused,
    });
    const agesEveryMs = session.isTight ? AGES_EVERY_MS_TIGHT : AGES_EVERY_MS;
    this.#timers = [setInterval(() => this.#draw(), ARRANGE_EVERY_MS), setInterval(() => this.#askAges(), agesEveryMs)];
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.source.close();
    this.grid.root.remove();
  }

  /** Applies the state: other rows, other columns, another order. */
  show(state: ScreenState): void {
    this.#state = state;
    const filters = {
      markets: typesOf(state.market),
      ...(state.leagues.length > 0 ? { leagues: state.leagues } : state.sport === '' ? {} : { sports: [state.sport] }),
      ...(state.books.length > 0 ? { sportsbooks: [...state.books].sort() } : {}),
    };
    const pointed = JSON.stringify(filters);
    if (pointed !== this.#pointed) {
      this.#pointed = pointed;
      this.board.clear();
      this.#replacing = false;
      this.source.point(filters);
    }
    this.#mustArrange = true;
    this.#draw();
  }

  #receive(event: StreamEvent): void {
    switch (event.type) {
      case 'started':
        this.#replacing = !event.resumed && this.board.size > 0;
        break;
      case 'snapshot_required':
        this.#replacing = this.board.size > 0;
        break;
      case 'snapshot':
      case 'added':
        if (!this.#replacing) for (const row of event.rows) this.board.put(row);
        break;
      case 'complete':
        if (this.#replacing) this.board.reset(this.source.rows?.values() ?? []);
        this.#replacing = false;
        break;
      case 'updated':
        this.changes += event.deltas.length;
        for (const { id, odds_changed_at } of event.deltas) {
          const row = this.source.rows?.get(id);
          if (row !== undefined && !this.#replacing) this.board.put(row);
          this.delayMs = this.#options.session.clock.now() - Date.parse(odds_changed_at);
        }
        break;
      case 'removed':
        if (!this.#replacing) for (const id of event.ids) this.board.remove(id);
        break;
      default:
        return;
    }
    this.#draw();
  }

  #redraw(): void {
    const { session, scoreOf } = this.#options;
    const nowMs = session.clock.now();
    const look = {
      board: this.board,
      columns: this.#columns,
      format: this.#state.format,
      nowMs,
      openingOf: (rowId: string) => this.#openings.of(rowId),
      whenOf: (block: Block) =>
        block.isLive ? (scoreOf(block.eventId) ?? { text: 'live', more: '' }) : startText(block.startMs, nowMs),
    };
    const { blocks, arranged } = this.board.takeChanges();
    const due = performance.now() - this.#arrangedMs > ARRANGE_EVERY_MS;
    if (this.#mustArrange || (due && (arranged || this.#followsPrices))) {
      this.#mustArrange = false;
      this.#arrangedMs = performance.now();
      const columns = session.columns(this.#state.books, this.board.books);
      if (columns.map(({ id }) => id).join() !== this.#columns.map(({ id }) => id).join()) {
        this.#columns = columns;
        look.columns = columns;
      }
      const items = arrange(this.board, this.#state, nowMs);
      this.grid.note =
        this.source.state === 'refused'
          ? `The server refuses this choice: ${this.source.reason}. "Reset filters" shows everything.`
          : this.board.size === 0
            ? WAITING[this.source.state]
            : 'No game fits this choice';
      this.grid.show(items, look, `${words(this.#state.market)} prices`);
    } else {
      if (arranged) this.#mustArrange = true;
      // Once a second everything visible: arrows end, prices become stale.
      this.grid.refresh(look, due ? undefined : blocks);
      if (due) this.#arrangedMs = performance.now();
    }
  }

  get #followsPrices(): boolean {
    return this.#state.edge > 0 || this.#state.sort === 'hold' || this.#state.sort === 'edge';
  }

  #asked = false;

  #askAgesSoon(): void {
    if (this.#asked || this.#options.session.isTight) return;
    this.#asked = true;
    setTimeout(() => {
      this.#asked = false;
      this.#askAges();
    }, 1_500);
  }

  #askAges(): void {
    if (document.hidden || this.source.state === 'lost' || this.source.state === 'polling') return;
    const visible = this.grid.visible().map(({ eventId }) => eventId);
    this.#openings.want(visible);
    void this.#ages.ask(visible, typesOf(this.#state.market)).then(() => this.#draw());
  }

  #describe(block: Block, outcomeKey: string, book: string): string {
    const { session } = this.#options;
    const nowMs = session.clock.now();
    const outcome = this.board.view(block, nowMs).outcomes.find(({ key }) => key === outcomeKey);
    const cell = outcome?.cells.get(book);
    if (cell === undefined) return '';
    const { row, state, net, excluded } = cell;
    const opening = this.#openings.of(row.id);
    const parts = [
      `${session.nameOf(book)} ${priceText({ decimal: row.odds_decimal, american: row.odds_american }, this.#state.format)}`,
      `${row.odds_decimal.toFixed(3)}, ${(100 / row.odds_decimal).toFixed(1)} %`,
      net < row.odds_decimal ? `${net.toFixed(3)} after commission` : '',
      row.odds_american_previous === null ? '' : `before: ${priceTextOfAmerican(row.odds_american_previous)}`,
      opening === undefined ? '' : `opened at ${opening.line ?? ''} ${priceText(opening, this.#state.format)}`,
      `changed ${ageText(nowMs - Date.parse(row.odds_changed_at))} ago`,
      `seen ${ageText(nowMs - this.board.lastSeenMs(row))} ago`,
      row.max_bet === undefined ? '' : `limit ${row.max_bet}`,
      state === 'suspended' ? 'suspended: no bets' : state === 'stale' ? 'too old to be compared' : '',
      excluded ? 'another line than most: not compared' : '',
    ];
    return parts.filter(Boolean).join('\n');
  }
}

const WAITING: Readonly<Record<Exclude<SourceState, 'refused'>, string>> = {
  connecting: 'Loading prices',
  live: 'No prices for this choice',
  polling: 'No prices for this choice',
  lost: 'No connection to the server',
};

function priceTextOfAmerican(american: number): string {
  return american > 0 ? `+${american}` : String(american);
}
