// One event: all its markets, every book's prices of each, and the history of an outcome's prices.
import type { Event as EventItem, OddsRow, StreamEvent } from '../src/client/client.js';
import { netDecimal } from '../src/model/commission.js';
import { byId, drawTabs, element, oncePerFrame } from './dom.js';
import { HistoryChart } from './history-chart.js';
import type { ScreenState } from './model/address.js';
import { timeText, words } from './model/odds-format.js';
import { MAIN, OddsGrid } from './odds-grid.js';
import { OddsSource, type SourceState } from './odds-source.js';
import type { Session } from './session.js';

const NARROW_PX = 700;

export interface EventViewOptions {
  session: Session;
  go(changes: Partial<ScreenState>): void;
  onState(state: SourceState): void;
  onRefused(error: Error): void;
  find(eventId: string): EventItem | undefined;
}

export class EventView {
  readonly #options: EventViewOptions;
  readonly #grid = new OddsGrid(byId('grid'));
  readonly #chart: HistoryChart;
  readonly #draw = oncePerFrame(() => this.#redraw());
  #source: OddsSource | undefined;
  #state: ScreenState | undefined;
  #eventId = '';
  #fetched: EventItem | undefined;

  constructor(options: EventViewOptions) {
    this.#options = options;
    this.#chart = new HistoryChart(byId('chart'), options.session);
    new ResizeObserver(() => this.#draw()).observe(byId('grid'));
  }

  get source(): OddsSource | undefined {
    return this.#source;
  }

  show(state: ScreenState): void {
    this.#state = state;
    if (state.event !== this.#eventId) {
      this.#eventId = state.event;
      this.#fetched = undefined;
      this.#chart.clear();
      this.#source ??= this.#open();
      this.#source.point({ eventIds: [state.event] });
      void this.#fetch();
    }
    this.#draw();
  }

  /** It is no longer visible. */
  hide(): void {
    this.#source?.close();
    this.#source = undefined;
    this.#eventId = '';
    this.#chart.clear();
  }

  /** An event that is not in the list, from a link. */
  async #fetch(): Promise<void> {
    const id = this.#eventId;
    if (this.#options.find(id) !== undefined) return;
    try {
      const { data } = await this.#options.session.client.event(id);
      if (id === this.#eventId) this.#fetched = data as unknown as EventItem;
    } catch {
      // Its id serves as its name then.
    }
    this.#draw();
  }

  #open(): OddsSource {
    const { session, onState, onRefused } = this.#options;
    return new OddsSource({
      session,
      onRefused,
      onState: (state) => {
        byId('grid').classList.toggle('lost', state === 'lost');
        onState(state);
      },
      onEvent: (event) => this.#receive(event),
    });
  }

  #receive(event: StreamEvent): void {
    if (event.type === 'updated') for (const delta of event.deltas) this.#grid.move(delta);
    // Locked rows were updated just before.
    else if (event.type !== 'heartbeat' && event.type !== 'pong' && event.type !== 'locked') this.#draw();
  }

  #redraw(): void {
    const state = this.#state;
    if (state === undefined || this.#source === undefined) return;
    const { session } = this.#options;
    this.#drawHead();
    const rows = [...(this.#source.rows?.values() ?? [])].filter((row) => row.event_id === this.#eventId);
    const markets = OddsGrid.marketsOf(rows);
    // The requested one may still arrive.
    const shown = markets.some(([type]) => type === state.eventMarket) ? state.eventMarket : (markets[0]?.[0] ?? '');
    drawTabs(
      byId('markets'),
      markets.map(([type, count]) => ({
        name: words(type),
        count,
        selected: type === shown,
        choose: () => this.#options.go({ eventMarket: type === MAIN ? '' : type }),
      })),
    );
    const commissions = new Map(session.books.map(({ id, commission }) => [id, commission]));
    this.#grid.draw(rows, shown, {
      books: session.columns(state.books, new Set(rows.map(({ sportsbook }) => sportsbook))),
      format: state.format,
      isNarrow: byId('grid').clientWidth < NARROW_PX,
      net: (row: OddsRow) => netDecimal(row.odds_decimal, commissions.get(row.sportsbook) ?? null),
      choose: (row) => void this.#chart.show(row, state.format),
    });
  }

  #drawHead(): void {
    const event = this.#options.find(this.#eventId) ?? this.#fetched;
    const nowMs = this.#options.session.clock.now();
    const when = event === undefined ? '' : event.is_live ? scoreText(event) : timeText(event.start_time, nowMs);
    byId('event-head').replaceChildren(
      element('span', '', event?.event_name ?? this.#eventId),
      element('small', event?.is_live ? 'live' : '', when),
    );
  }
}

/** `live 3-2 7th`, as far as known. */
export function scoreText({ game_state: state }: EventItem): string {
  return ['live', pointsText(state), state?.period ?? '', state?.clock ?? ''].filter((part) => part !== '').join(' ');
}

export function pointsText(state: EventItem['game_state']): string {
  const known = typeof state?.away_score === 'number' && typeof state.home_score === 'number';
  return known ? `${state.away_score}-${state.home_score}` : '';
}
