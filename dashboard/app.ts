// The desk: one state, one template. Components hold what only they need and are drawn from here, at most once per
// interval; lists that move with every price draw themselves.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { chargeOf } from '../src/base/model/commission.js';
import type { OddsRow, OpportunityChannel, OpportunityItem } from '../src/client/client.js';
import { AccountKey } from './account-key.js';
import { AlertsView } from './alerts-view.js';
import { BetsView } from './bets-view.js';
import { boardSheet } from './board-style.js';
import { BooksBoard, type BooksBoardOptions, oneMarket } from './books-board.js';
import { browserStore } from './browser-store.js';
import { CalculatorsView } from './calculators-view.js';
import type { Context } from './context.js';
import { focusKeeper, oncePerFrame, onStored } from './dom.js';
import { EventPage } from './event-page.js';
import { EventPanel } from './event-panel.js';
import { EventsList } from './events-list.js';
import { Filters } from './filters.js';
import { Finished } from './finished.js';
import { freshLegend } from './fresh-dot.js';
import { FuturesView } from './futures-view.js';
import { GamesBoard } from './games-board.js';
import { Header } from './header.js';
import { LiveBoard } from './live-board.js';

import { queryOf, rememberedOf, type ScreenState, stateOf, type ViewName } from './model/address.js';
import { filterParams, ownBooks } from './model/opportunity-filters.js';
import { hasOwnFair, type Profile, profileOf, storedProfile, termsOf } from './model/profile.js';
import { textsOf } from './model/stored.js';
import { entryOf, entryOfRow } from './model/ticket.js';
import { MovesView } from './moves-view.js';
import type { SourceState } from './odds-source.js';
import { OpportunitySource } from './opportunity-source.js';
import { OpportunityTable } from './opportunity-table.js';
import { PriceCard } from './price-card.js';
import { ProfileDialog } from './profile-dialog.js';
import { PropsView } from './props-view.js';
import type { Session } from './session.js';
import { SplitsView } from './splits-view.js';
import { Ticket } from './ticket.js';

const STATE_KEY = 'overround-screen';
const PROFILE_KEY = 'overround-profile';
const PINS_KEY = 'overround-pins';
const PANES_KEY = 'overround-panes';
/** Minimum time between two drawings of the whole. */
const REST_MS = 500;
/** From this width on there is room for an empty ticket. */
const ROOMY_PX = 1_600;
/** Up to this width the board is alone. */
const SINGLE_PX = 1_180;
const LOUD_MS = 6_000;
/** Nothing there goes onto the ticket. */
const TICKETLESS: ReadonlySet<ViewName> = new Set<ViewName>(['alerts', 'bets', 'calculators', 'splits', 'futures']);
const KEEPS_NOTHING =
  'This browser stores nothing for this page: what you set, and bets that only it has, are gone with the page.';
const WELCOMED_KEY = 'overround-welcomed';

export class App implements Context {
  readonly session: Session;
  readonly account = new AccountKey();
  readonly card: PriceCard;
  readonly refused: (error: Error) => void;
  readonly keepFocus: () => void;
  readonly #root: HTMLElement;
  state = stateOf(location.search, browserStore.getItem(STATE_KEY) ?? '');
  profile = profileOf(browserStore.getItem(PROFILE_KEY));
  readonly changed = oncePerFrame(() => this.draw(), REST_MS);
  readonly #live: LiveBoard;
  readonly #games: GamesBoard;
  readonly #books: BooksBoard;
  readonly #props: PropsView;
  readonly #splits: SplitsView;
  readonly #futures: FuturesView;
  readonly #page: EventPage;
  readonly #events: EventsList;
  readonly #finished: Finished;
  readonly #source: OpportunitySource;
  readonly #table: OpportunityTable;
  readonly #ticket: Ticket;
  readonly #alerts: AlertsView;
  readonly #moves: MovesView;
  readonly #bets: BetsView;
  readonly #calculators: CalculatorsView;
  readonly #filters: Filters;
  readonly #header: Header;
  readonly #profileDialog: ProfileDialog;
  #pins = new Set(textsOf(browserStore.getItem(PINS_KEY)));
  /** Panes that are folded away. */
  #folded = new Set(textsOf(browserStore.getItem(PANES_KEY)));
  #isNew = browserStore.getItem(WELCOMED_KEY) === null;
  #told = '';
  /** Until then it is seen. */
  #loudUntilMs = Number.NEGATIVE_INFINITY;

  constructor(root: HTMLElement, session: Session, refused: (error: Error) => void) {
    this.#root = root;
    this.keepFocus = focusKeeper(root);
    this.session = session;
    this.card = new PriceCard(
      session,
      () => this.state.format,
      (row) => this.alertOnPrice(row),
    );
    this.profile = { ...this.profile, rates: session.rates };
    this.refused = refused;
    document.adoptedStyleSheets = [boardSheet()];
    this.#events = new EventsList(session, () => this.changed());
    const scoreOf = (id: string) => this.#events.scoreOf(id);
    const live = new LiveBoard({
      session,
      visible: () => this.#shownBoard?.visible() ?? [],
      onChange: () => this.#shownBoard?.draw(),
      onState: (state) => this.#connection(state),
      onRefused: refused,
    });
    this.#live = live;
    live.board.setTerms(termsOf(this.profile));
    const pins = {
      has: (id: string) => this.#pins.has(id),
      toggle: (id: string) => this.#togglePin(id),
      all: this.#pins,
    };
    const panel: EventPanel = new EventPanel(this, () => this.#games.refresh());
    this.#finished = new Finished(session, () => this.#games.refresh());
    this.#games = new GamesBoard({ context: this, live, panel, pins, finished: this.#finished, scoreOf });
    const grid: Omit<BooksBoardOptions, 'session' | 'content'> = {
      card: this.card,
      scoreOf,
      open: (block, _book, price) => {
        if (price !== undefined) this.addPrice(price.cell.row, price.fair);
        else this.go({ view: 'event', event: block.eventId, eventMarket: block.market });
      },
      alert: this.alertOnPrice,
      sort: (sort) => this.go({ sort }),
    };
    this.#books = new BooksBoard({ ...grid, session, content: oneMarket(live) });
    this.#props = new PropsView({ context: this, live, view: grid });
    this.#splits = new SplitsView(this);
    this.#futures = new FuturesView(this);
    this.#page = new EventPage(this, this.#events, (id) => this.#source.find(id));
    this.#source = new OpportunitySource({
      session,
      fair: () => this.#fair(),
      books: () => ownBooks(this.state, this.profile),
      params: () => filterParams(this.state, this.profile),
      onChange: (news) => {
        if (news !== undefined) this.#alerts.hear(news.kind, news.items);
        this.changed();
      },
      onRefused: refused,
    });
    this.#alerts = new AlertsView(this);
    this.#table = new OpportunityTable({
      context: this,
      source: this.#source,
      alertOn: ({ kind, item, edge }) => this.#alerts.begin(kind, item, edge),
    });
    this.#ticket = new Ticket(this);
    this.#moves = new MovesView(this);
    this.#bets = new BetsView(this);
    this.#calculators = new CalculatorsView(this);
    this.#filters = new Filters(this);
    this.#header = new Header(
      this,
      this.#live,
      () => this.#connectionState,
      () => this.#events.total,
      () => `${this.#source.notice} ${browserStore.isLacking ? KEEPS_NOTHING : ''}`.trim(),
    );
    this.#profileDialog = new ProfileDialog(this);
  }

  start(): void {
    // What was remembered is part of the address, too: it can be sent to somebody else.
    history.replaceState(null, '', `${location.pathname}?${queryOf(this.state)}`);
    addEventListener('popstate', () => {
      this.state = stateOf(location.search, browserStore.getItem(STATE_KEY) ?? '');
      this.#apply();
    });
    addEventListener('keydown', (event) => this.#onKey(event));
    onStored(PROFILE_KEY, (stored) => this.#takeProfile(profileOf(stored)));
    addEventListener('resize', () => this.#beginOpportunities());
    setInterval(() => this.changed(), 1_000);
    this.#source.evaluateAnew();
    this.#apply();
  }

  // What components may ask for

  get isLost(): boolean {
    return this.#connectionState === 'lost';
  }

  /** Of the board, once there was one; else of the opportunities. */
  get #connectionState(): SourceState {
    if (this.#source.isLost) return 'lost';
    return this.#live.isPointed ? this.#live.source.state : this.#source.state;
  }

  /** A change that opens something can be undone with Back. */
  readonly go = (changes: Partial<ScreenState>): void => {
    const before = this.state;
    this.state = { ...before, ...changes };
    const opens = (['view', 'event'] as const).some((name) => this.state[name] !== before[name]);
    const address = `${location.pathname}?${queryOf(this.state)}`;
    if (opens) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
    browserStore.setItem(STATE_KEY, rememberedOf(this.state));
    this.#apply();
    if (opens) this.#focusView();
  };

  readonly setProfile = (changes: Partial<Profile>): void => {
    this.#takeProfile({ ...this.profile, ...changes });
    browserStore.setItem(PROFILE_KEY, JSON.stringify(storedProfile(this.profile)));
  };

  #takeProfile(profile: Profile): void {
    this.profile = { ...profile, rates: this.session.rates };
    this.#live.board.setTerms(termsOf(this.profile));
    this.#source.evaluateAnew();
    this.#apply();
  }

  readonly tell = (text: string, isLoud = false): void => {
    this.#told = text;
    this.#loudUntilMs = isLoud ? performance.now() + LOUD_MS : Number.NEGATIVE_INFINITY;
    this.changed();
  };

  readonly addPrice = (row: OddsRow, fair: number | null): void => {
    this.#unfold('ticket');
    const ofBook = this.session.books.find(({ id }) => id === row.sportsbook)?.commission ?? null;
    this.#ticket.toggle(entryOfRow(row, fair, chargeOf(row.commission, ofBook)));
    this.#beginOpportunities();
    this.#games.refresh();
  };

  readonly alertOnPrice = (row: OddsRow): void => this.#alerts.prices.begin(row);

  readonly addOpportunity = (kind: OpportunityChannel, item: OpportunityItem): void => {
    this.#unfold('ticket');
    this.#ticket.toggle(entryOf(kind, item));
  };

  readonly isOnTicket = (id: string): boolean => {
    return this.#ticket.has(id);
  };

  readonly standing = (id: string): OpportunityItem | null | undefined => this.#source.standing(id);

  get ticketSize(): number {
    return this.#ticket.count;
  }

  // What follows from the state

  get #shownBoard(): GamesBoard | BooksBoard | undefined {
    if (this.state.view === 'props') return this.#props.board;
    if (this.state.view !== 'board') return undefined;
    return this.state.layout === 'books' ? this.#books : this.#games;
  }

  #fair() {
    const { devig, reference } = this.profile;
    if (!hasOwnFair(this.profile)) return undefined;
    return { devig, ...(reference.length === 0 ? {} : { devig_book: reference }) };
  }

  #connection(state: SourceState): void {
    this.#games.connection(state);
    this.#books.connection(state);
    this.#props.connection(state);
    if (state !== 'connecting') this.#beginRest();
    if (state === 'lost') this.tell('Connection lost: prices are old');
    this.changed();
  }

  #apply(): void {
    const { state } = this;
    document.documentElement.dataset['theme'] = state.theme;
    this.card.leave();
    this.draw();
    // Where there is no room for all of them, they are scrolled.
    document.querySelector('#views [aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    this.#games.show(state.view === 'board' && state.layout === 'games');
    this.#books.show(state.view === 'board' && state.layout === 'books' ? state : undefined);
    this.#props.show(state.view === 'props' ? state : undefined);
    this.#splits.show(state.view === 'splits');
    this.#futures.show(state.view === 'futures');
    this.#page.show(state.view === 'event');
    this.#moves.show(state.view === 'moves');
    this.#bets.show(state.view === 'bets');
    this.#source.narrow();
    if (!this.#live.isPointed) this.#beginRest();
    this.#beginOpportunities();
  }

  #hasBegun = false;

  /** After the board's prices: where a connection is slow, what comes first takes it from everything else. */
  #beginRest(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#beginOpportunities();
    this.#events.begin();
    this.#finished.begin();
  }

  #hasOpportunities = false;

  /** Once something needs them: beside a narrow board none is shown, and a phone's connection pays for each. */
  #beginOpportunities(): void {
    const isSeen = innerWidth > SINGLE_PX || this.state.view !== 'board';
    if (this.#hasOpportunities || !this.#hasBegun) return;
    if (!isSeen && !this.#alerts.hasRules && this.#ticket.count === 0) return;
    this.#hasOpportunities = true;
    this.#source.begin();
  }

  #focusView(): void {
    const inside = document.querySelector<HTMLElement>('main [data-focus], main .games, main .board');
    inside?.focus({ preventScroll: true });
  }

  #togglePin(eventId: string): void {
    if (!this.#pins.delete(eventId)) this.#pins.add(eventId);
    browserStore.setItem(PINS_KEY, JSON.stringify([...this.#pins]));
  }

  /** Where there is little room, an empty ticket takes none, and opportunities none from books; unless opened. */
  #isFolded(pane: string): boolean {
    // It is the page there.
    if (pane === 'middle' && this.state.view !== 'board') return false;
    if (this.#folded.has(pane)) return true;
    if (innerWidth >= ROOMY_PX || this.#folded.has(`not ${pane}`)) return false;
    const { view, layout } = this.state;
    return pane === 'ticket' ? this.#ticket.isEmpty : view === 'board' && layout === 'books';
  }

  #fold(pane: string, folded = !this.#isFolded(pane)): void {
    for (const [name, isSet] of [
      [pane, folded],
      [`not ${pane}`, !folded],
    ] as const)
      if (isSet) this.#folded.add(name);
      else this.#folded.delete(name);
    browserStore.setItem(PANES_KEY, JSON.stringify([...this.#folded]));
    this.draw();
  }

  #unfold(pane: string): void {
    if (this.#folded.has(pane)) this.#fold(pane, false);
  }

  readonly draw = (): void => {
    document.body.classList.toggle('lost', this.isLost);
    render(this.#template(), this.#root);
    this.keepFocus();
  };

  #template(): TemplateResult {
    const { view, layout } = this.state;
    const openBooks = (): void => this.#dialog('books-dialog').showModal();
    const openProfile = (): void => this.#dialog('profile-dialog').showModal();
    const isAlone = TICKETLESS.has(view);
    const isDesk = view === 'board' || view === 'opportunities';
    const pane = (name: string, label: string, content: () => unknown): TemplateResult => {
      const folded = this.#isFolded(name);
      return html`<section class=${`pane ${name}${folded ? ' folded' : ''}`} aria-label=${label}>
        ${name === 'middle' && view !== 'board' ? nothing : html`<button type="button" class="fold" aria-expanded=${!folded} @click=${() => this.#fold(name)} title=${`${folded ? 'show' : 'fold'} ${label.toLowerCase()}`}><span class="unseen">${label}</span>${folded ? html`<span aria-hidden="true" class="upright">${label}${name === 'ticket' && this.#ticket.count > 0 ? ` ${this.#ticket.count}` : ''}</span>` : '›'}</button>`}
        ${folded ? nothing : content()}</section>`;
    };
    return html`<a class="skip" href="#main">Skip to the prices</a>
      ${this.#header.template(openProfile, view === 'alerts' || view === 'calculators' ? nothing : html`<div class="all-filters" tabindex="-1"><div class="bars">${this.#filters.template(openBooks)}</div>${this.#filters.set()}</div>`)}
      <p class=${performance.now() < this.#loudUntilMs ? 'loud' : 'unseen'} aria-live="polite">${this.#told}</p>
      ${this.#isNew && isDesk ? this.#welcome(openProfile) : nothing}
      <main id="main" class=${`view-${view}`} tabindex="-1">
        ${view === 'board' ? html`<section class="pane left" aria-label="Board">${layout === 'books' ? this.#books.grid.root : this.#games.root}${freshLegend()}</section>` : nothing}
        ${isDesk ? pane('middle', 'Opportunities', () => this.#table.template(this.#source.shown)) : nothing}
        ${view === 'event' ? this.#page.template() : nothing}
        ${view === 'props' ? this.#props.template() : nothing}
        ${view === 'splits' ? this.#splits.template() : nothing}
        ${view === 'futures' ? this.#futures.template() : nothing}
        ${view === 'moves' ? this.#moves.template() : nothing}
        ${view === 'alerts' ? this.#alerts.template() : nothing}
        ${view === 'bets' ? this.#bets.template() : nothing}
        ${view === 'calculators' ? this.#calculators.template() : nothing}
        ${isAlone ? nothing : pane('ticket', 'Ticket', () => this.#ticket.template())}
      </main>
      <dialog id="books-dialog" aria-labelledby="books-title">${this.#filters.books()}</dialog>
      <dialog id="profile-dialog" class="wide" aria-labelledby="profile-title">${this.#profileDialog.template()}</dialog>${this.#alerts.prices.dialog()}`;
  }

  /** The first visit: what this is, and three steps to a first bet. */
  #welcome(openProfile: () => void): TemplateResult {
    const done = (): void => {
      this.#isNew = false;
      browserStore.setItem(WELCOMED_KEY, 'yes');
      this.draw();
    };
    return html`<section class="welcome" aria-label="First steps"><p><b>Prices of many books, and where they are wrong.</b> ${this.session.simulated ? 'These odds are simulated: nothing can be lost.' : ''}</p>
      <ol><li><button type="button" class="link" @click=${openProfile}>tick the books you use, and your bankroll</button></li><li>read a row: what is left, at which books, and what speaks against it</li><li>click it: the ticket says what to stake; "paper" tries it without money</li></ol>
      <button type="button" @click=${done}>got it</button></section>`;
  }

  #dialog(id: string): HTMLDialogElement {
    return this.#root.querySelector<HTMLDialogElement>(`#${id}`)!;
  }

  #onKey(event: KeyboardEvent): void {
    const { target } = event;
    const types = target instanceof HTMLElement && target.matches('input, select, textarea');
    const search = this.#root.querySelector<HTMLInputElement>('#search');
    if (event.key === '/' && !types) {
      event.preventDefault();
      search?.focus();
    } else if (event.key === 'Escape' && this.#root.querySelector('dialog[open]') === null) {
      if (target === search && this.state.q !== '') {
        search!.value = '';
        this.go({ q: '' });
      } else if (this.state.view !== 'board') this.go({ view: 'board' });
      this.#focusView();
    }
  }
}
