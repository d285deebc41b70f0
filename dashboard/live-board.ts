// Rows as they are: from their source into a board, with the times at which unchanged prices were seen, for whichever
// view shows them.
import type { StreamEvent } from '../src/client/client.js';
import { type Block, Board } from './model/board.js';
import type { OddsFilters } from './model/polled-odds.js';
import { PriceAges } from './model/price-ages.js';
import { OddsSource, type SourceState } from './odds-source.js';
import type { Session } from './session.js';

export interface LiveBoardOptions {
  session: Session;
  /** What is looked at: its prices are confirmed before they would count as too old. All by default. */
  visible?(): Iterable<Block>;
  /** Rows changed, or were seen again. */
  onChange(): void;
  onState(state: SourceState): void;
  onRefused(error: Error): void;
}

const AGES_EVERY_MS = 15_000;

export class LiveBoard {
  readonly board = new Board();
  readonly source: OddsSource;
  readonly #options: LiveBoardOptions;
  readonly #ages: PriceAges;
  readonly #timer: ReturnType<typeof setInterval>;
  #pointed = '';
  /** A snapshot replaces the rows when it is complete; until then the previous ones stay visible. */
  #replacing = false;
  /** Prices changed since it was last set to 0. */
  changes = 0;
  /** Age of the newest change from ingest to this page, ms. */
  delayMs = Number.NaN;

  constructor(options: LiveBoardOptions) {
    const { session, onState, onRefused } = options;
    this.#options = options;
    this.board.setBooks(session.books);
    this.board.delayMs = session.account.limits.odds_delay_seconds * 1_000;
    this.source = new OddsSource({ session, onEvent: (event) => this.#receive(event), onState, onRefused });
    this.#ages = new PriceAges(session, this.board);
    this.#timer = setInterval(() => this.askAges(), AGES_EVERY_MS);
  }

  /** Which rows; others than before start empty. */
  point(filters: OddsFilters): void {
    const pointed = JSON.stringify(filters);
    if (pointed === this.#pointed) return;
    this.#pointed = pointed;
    this.board.clear();
    this.#replacing = false;
    this.source.point(filters);
  }

  get isPointed(): boolean {
    return this.#pointed !== '';
  }

  close(): void {
    clearInterval(this.#timer);
    this.source.close();
  }

  /** Streams and changes tell nothing of prices that stay as they are. */
  askAges(): void {
    const { visible, onChange } = this.#options;
    if (document.hidden || (this.source.state !== 'live' && this.source.state !== 'polling')) return;
    void this.#ages.ask(visible?.() ?? this.board.blocks.values()).then((learned) => {
      if (learned) onChange();
    });
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
    this.#options.onChange();
  }

  /** What an empty board says. */
  get note(): string {
    const { state, reason } = this.source;
    if (state === 'refused') return `The server refuses this choice: ${reason}. "reset filters" shows everything.`;
    if (this.board.size > 0) return 'No game fits this choice';
    const isBare = this.#options.session.leagues.every(({ active }) => !active);
    return isBare && (state === 'live' || state === 'polling') ? BARE : WAITING[state];
  }
}

/** Of a server that has nothing at all. */
const BARE = 'No prices yet: they come as soon as a feed has games, or a program sends them.';

const WAITING: Readonly<Record<Exclude<SourceState, 'refused'>, string>> = {
  connecting: 'Loading prices',
  live: 'No prices for this choice',
  polling: 'No prices for this choice',
  lost: 'No connection to the server',
};
