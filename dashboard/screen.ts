// The screen's state and what depends on it: the URL, the visible view, the connection's state, the keyboard.
import type { Event as EventItem, OpportunityChannel, OpportunityItem } from '../src/client/client.js';
import { AlertsView } from './alerts-view.js';
import { boardSheet } from './board-style.js';
import { BoardView } from './board-view.js';
import { byId, element, nowAndThen } from './dom.js';
import { EventView, pointsText } from './event-view.js';
import { queryOf, rememberedOf, type ScreenState, stateOf, VIEWS, type ViewName } from './model/address.js';
import { ageText } from './model/odds-format.js';
import { MovesView } from './moves-view.js';
import type { SourceState } from './odds-source.js';
import { OpportunityDetail } from './opportunity-detail.js';
import { KIND_NAMES, OpportunityList } from './opportunity-list.js';
import { OpportunitySource } from './opportunity-source.js';
import type { Session } from './session.js';
import { Toolbar } from './toolbar.js';

const STORAGE_KEY = 'overround-screen';
const EVENTS_EVERY_MS = 20_000;
const EVENTS_EVERY_MS_TIGHT = 120_000;
const FIGURES_EVERY_MS = 1_000;
const FEED_EVERY_MS = 500;
const EVENTS_PAGE = 200;
const EVENTS_MAX = 2_000;
const VIEW_NAMES: Readonly<Record<ViewName, string>> = {
  board: 'Board',
  event: 'Event',
  opportunities: 'Opportunities',
  moves: 'Moves',
  alerts: 'Alerts',
};

export class Screen {
  readonly #session: Session;
  #state = stateOf(location.search, localStorage.getItem(STORAGE_KEY) ?? '');
  #events = new Map<string, EventItem>();
  readonly #board: BoardView;
  readonly #event: EventView;
  readonly #source: OpportunitySource;
  readonly #list: OpportunityList;
  readonly #detail: OpportunityDetail;
  readonly #alerts: AlertsView;
  readonly #moves: MovesView;
  readonly #toolbar: Toolbar;
  readonly #drawFeed: () => void;

  constructor(session: Session, refused: (error: Error) => void) {
    this.#session = session;
    document.adoptedStyleSheets = [boardSheet()];
    const go = (changes: Partial<ScreenState>): void => this.go(changes);
    this.#toolbar = new Toolbar(byId('toolbar'), byId('tools'), byId('books-dialog') as HTMLDialogElement, {
      session,
      go,
    });
    this.#board = new BoardView(byId('board-view'), this.#state, {
      session,
      open: (block) => go({ view: 'event', event: block.eventId, eventMarket: block.market }),
      onState: (state) => this.#drawState(state),
      onRefused: refused,
      scoreOf: (id) => this.#scoreOf(id),
    });
    this.#event = new EventView({
      session,
      go,
      onState: () => undefined,
      onRefused: refused,
      find: (id) => this.#events.get(id),
    });
    this.#source = new OpportunitySource({
      session,
      onChange: (news) => this.#onOpportunities(news),
      onRefused: refused,
    });
    this.#list = new OpportunityList(byId('kinds'), byId('feed'), {
      session,
      has: (kind) => this.#source.has(kind),
      choose: (kind, id) => go({ view: 'opportunities', kind, open: id }),
      turnTo: (kind) => go({ kind, open: '' }),
    });
    this.#detail = new OpportunityDetail(byId('detail'), { session, go });
    this.#moves = new MovesView(byId('moves-view'), { session, go, format: () => this.#state.format });
    this.#alerts = new AlertsView(byId('alerts-view'), { session, tell: (text) => this.#tell(text) });
    this.#drawFeed = nowAndThen(FEED_EVERY_MS, byId('feed'), () => this.#drawOpportunities());
  }

  start(): void {
    const { simulated, isTight, account } = this.#session;
    byId('simulated').hidden = !simulated;
    this.#drawNotice();
    // What was remembered is part of the address, too: it can be sent to somebody else.
    history.replaceState(null, '', `${location.pathname}?${queryOf(this.#state)}`);
    addEventListener('popstate', () => {
      this.#state = stateOf(location.search, localStorage.getItem(STORAGE_KEY) ?? '');
      this.#apply();
    });
    addEventListener('keydown', (event) => this.#onKey(event));
    const search = byId('search') as HTMLInputElement;
    search.addEventListener('input', () => this.go({ q: search.value.trim() }));
    byId('event-back').addEventListener('click', () => this.go({ view: 'board' }));
    this.#apply();
    if (account.features.ev || account.features.arbitrage) this.#drawFeed();
    void this.#loadEvents();
    setInterval(() => void this.#loadEvents(), isTight ? EVENTS_EVERY_MS_TIGHT : EVENTS_EVERY_MS);
    setInterval(() => this.#drawFigures(), FIGURES_EVERY_MS);
  }

  /** Changes the state; a change that opens something can be undone with Back. */
  go(changes: Partial<ScreenState>): void {
    const before = this.#state;
    this.#state = { ...before, ...changes };
    if (changes.view !== undefined && changes.view !== before.view && changes.open === undefined) this.#state.open = '';
    const opens = (['view', 'event', 'open'] as const).some((name) => this.#state[name] !== before[name]);
    const address = `${location.pathname}?${queryOf(this.#state)}`;
    if (opens) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
    localStorage.setItem(STORAGE_KEY, rememberedOf(this.#state));
    this.#apply();
  }

  #apply(): void {
    const state = this.#state;
    const { view } = state;
    document.documentElement.dataset['theme'] = state.theme;
    document.body.dataset['view'] = view;
    byId('board-view').hidden = view !== 'board';
    byId('event-view').hidden = view !== 'event';
    byId('opportunities-view').hidden = view !== 'opportunities' && view !== 'board';
    byId('detail').hidden = view !== 'opportunities';
    byId('moves-view').hidden = view !== 'moves';
    byId('alerts-view').hidden = view !== 'alerts';
    byId('toolbar').hidden = view !== 'board' && view !== 'opportunities';
    byId('bars').hidden = view === 'alerts';
    const search = byId('search') as HTMLInputElement;
    if (document.activeElement !== search) search.value = state.q;
    this.#drawViews();
    this.#toolbar.draw(state);
    this.#board.show(state);
    if (view === 'event') this.#event.show(state);
    else this.#event.hide();
    this.#moves.show(view === 'moves');
    this.#alerts.show(view === 'alerts');
    this.#drawOpportunities();
  }

  #drawViews(): void {
    const links = VIEWS.filter((view) => view !== 'event');
    const root = byId('views');
    if (root.childElementCount === 0)
      root.append(
        ...links.map((view) => {
          const button = element('button', '', VIEW_NAMES[view]);
          button.type = 'button';
          button.addEventListener('click', () => this.go({ view }));
          return button;
        }),
      );
    const shown = this.#state.view === 'event' ? 'board' : this.#state.view;
    for (const [i, view] of links.entries())
      if (view === shown) root.children[i]!.setAttribute('aria-current', 'page');
      else root.children[i]!.removeAttribute('aria-current');
  }

  #drawOpportunities(): void {
    const state = this.#state;
    if (state.view !== 'board' && state.view !== 'opportunities') return;
    this.#list.draw(this.#source.table, state);
    if (state.view !== 'opportunities') return;
    const item = (this.#source.table.opportunities[state.kind] as Map<string, OpportunityItem>).get(state.open);
    this.#detail.draw(state.kind, item, state);
  }

  #onOpportunities(news: { kind: OpportunityChannel; items: OpportunityItem[] } | undefined): void {
    if (news !== undefined) this.#alerts.hear(news.kind, news.items);
    this.#drawFeed();
  }

  #loads = 0;

  async #loadEvents(): Promise<void> {
    const { client } = this.#session;
    try {
      const events = new Map<string, EventItem>();
      for (let offset = 0; offset < EVENTS_MAX; offset += EVENTS_PAGE) {
        const { data, pagination } = await client.events({ limit: EVENTS_PAGE, offset });
        for (const event of data) events.set(event.event_id, event);
        if (!pagination.has_more) break;
      }
      this.#events = events;
      // They were read when the session was opened.
      if (this.#loads++ > 0) {
        await this.#session.checkHealth();
        await this.#session.refreshNames();
      }
      this.#toolbar.draw(this.#state);
      this.#board.show(this.#state);
    } catch {
      // Scores and names stay as they were; the next turn tries again.
    }
  }

  #scoreOf(id: string): { text: string; more: string } | undefined {
    const state = this.#events.get(id)?.game_state;
    if (state === undefined) return undefined;
    const time = [state.period ?? '', state.clock ?? ''].filter((part) => part !== '').join(' ');
    return { text: pointsText(state) || 'live', more: time };
  }

  #drawState(state: SourceState): void {
    const place = byId('state');
    const { odds_delay_seconds: delay } = this.#session.account.limits;
    place.dataset['state'] = state;
    const late = delay > 0 ? `, ${delay} s late` : '';
    const names: Readonly<Record<SourceState, string>> = {
      connecting: 'connecting',
      live: `live${late}`,
      polling: `polling${late}`,
      lost: 'connection lost',
      refused: 'refused',
    };
    place.textContent = names[state];
    document.body.classList.toggle('lost', state === 'lost');
    if (state === 'lost') this.#tell('Connection lost: prices are old');
    else if (state === 'live' && this.#wasLost) this.#tell('Connection is back');
    this.#wasLost = state === 'lost';
  }

  #wasLost = false;

  #drawFigures(): void {
    const { source } = this.#board;
    if (source.state === 'lost') byId('state').textContent = `connection lost, prices ${ageText(source.silentMs)} old`;
    const { delayMs } = this.#board;
    const figures: [string, string][] = [
      ['games', String(this.#events.size)],
      ['changes/s', String(this.#board.changes)],
      ['change to screen', Number.isNaN(delayMs) ? '-' : `${Math.max(0, Math.round(delayMs))} ms`],
    ];
    this.#board.changes = 0;
    const root = byId('figures');
    if (root.childElementCount === 0)
      root.append(...figures.map(([name]) => element('div', '', element('dt', '', name), element('dd'))));
    for (const [i, [, value]] of figures.entries()) root.children[i]!.lastElementChild!.textContent = value;
  }

  /** What the tier does not include, and what it has instead. */
  #drawNotice(): void {
    const { key, limits, features } = this.#session.account;
    const parts: string[] = [];
    if (limits.odds_delay_seconds > 0) parts.push(`prices are ${limits.odds_delay_seconds} s late`);
    if (limits.max_books !== null) parts.push(`${limits.max_books} books`);
    if (!features.streaming) parts.push('prices are polled, not streamed');
    const lacking = (Object.keys(KIND_NAMES) as OpportunityChannel[]).filter((kind) => !features[kind]);
    if (lacking.length > 0) parts.push(`without ${lacking.map((kind) => KIND_NAMES[kind]).join(', ')}`);
    const notice = byId('notice');
    notice.hidden = limits.odds_delay_seconds === 0 && features.streaming;
    notice.textContent = `Tier ${key.tier}: ${parts.join('; ')}.`;
  }

  /** For screen readers. */
  #tell(text: string): void {
    byId('heard').textContent = text;
  }

  #onKey(event: KeyboardEvent): void {
    const { target } = event;
    const types = target instanceof HTMLElement && target.matches('input, select, textarea');
    if (event.key === '/' && !types) {
      event.preventDefault();
      (byId('search') as HTMLInputElement).focus();
    } else if (event.key === 'Escape') this.#escape(target);
    else if (
      (event.key === 'ArrowDown' || event.key === 'ArrowUp') &&
      target instanceof HTMLElement &&
      target.matches('.card')
    ) {
      event.preventDefault();
      const next = event.key === 'ArrowDown' ? target.nextElementSibling : target.previousElementSibling;
      if (next instanceof HTMLElement) next.focus();
    }
  }

  #escape(target: EventTarget | null): void {
    if ((byId('books-dialog') as HTMLDialogElement).open) return;
    if (target === byId('search') && this.#state.q !== '') {
      (target as HTMLInputElement).value = '';
      this.go({ q: '' });
    } else if (this.#state.open !== '') this.go({ open: '' });
    else if (this.#state.view !== 'board') this.go({ view: 'board' });
    this.#board.grid.root.focus();
  }
}
