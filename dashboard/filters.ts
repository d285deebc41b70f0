// The line of filters: what the board and the table show, in what order and how; saved views and the choice of books.
import { html, nothing, type TemplateResult } from 'lit-html';
import { amountField } from './amount-field.js';
import { browserStore } from './browser-store.js';
import type { Context } from './context.js';
import { onStored } from './dom.js';
import { bookFreshness, freshLegend } from './fresh-dot.js';
import { BOARD_SORTS, LAYOUTS, LIVE, queryOf, type ScreenState, stateOf, type ViewName } from './model/address.js';
import { bookOfSort } from './model/arrange.js';
import { type MarketChoice, marketChoices } from './model/market-choice.js';
import { ODDS_FORMATS, priceText, words } from './model/odds-format.js';
import { setFilters, UNFILTERED } from './model/opportunity-filters.js';
import { NO_PRICE, parsePrice } from './model/price-input.js';
import { type SavedView, VIEWS_MAX, viewsOf } from './model/stored.js';

const STORAGE_KEY = 'overround-views';
const HOURS: readonly [hours: number, name: string][] = [
  [0, 'any start'],
  [1, 'within 1 h'],
  [3, 'within 3 h'],
  [12, 'within 12 h'],
  [24, 'within 24 h'],
  [72, 'within 3 days'],
];
const LIVE_NAMES = { all: 'all games', live: 'live', prematch: 'prematch' } as const;
const LAYOUT_NAMES = { games: 'by game', books: 'by book' } as const;
/** Filters of each view, besides leagues. */
const SHOWN: Partial<Record<ViewName, readonly ('order' | 'play' | 'books' | 'more')[]>> = {
  board: ['order', 'play', 'books', 'more'],
  props: ['order', 'play', 'books'],
  opportunities: ['play', 'books', 'more'],
  moves: ['play', 'books'],
  splits: [],
  futures: ['books'],
};
const GROUPS: readonly [group: MarketChoice['group'], name: string][] = [
  ['main', 'Main'],
  ['more', 'More'],
  ['players', 'Players'],
];

export class Filters {
  readonly #context: Context;
  #views = viewsOf(browserStore.getItem(STORAGE_KEY));

  constructor(context: Context) {
    this.#context = context;
    onStored(STORAGE_KEY, (stored) => {
      this.#views = viewsOf(stored);
    });
  }

  template(openBooks: () => void): TemplateResult {
    const { state, go } = this.#context;
    const isBoard = state.view === 'board';
    const has = SHOWN[state.view];
    return html`<div class="filters" role="group" aria-label="Filters" tabindex="-1">
      ${
        has !== undefined
          ? html`${isBoard ? this.#layout() : nothing}${has.includes('order') ? this.#order() : nothing}${this.#league()}
      ${
        has.includes('play')
          ? html`${choice(
              'State of play',
              state.live,
              (live) => go({ live: live as ScreenState['live'] }),
              LIVE.map((live) => option(live, LIVE_NAMES[live], state.live)),
            )}
      <label class="field">edge ≥ ${amountField({ label: 'Least edge, percent', value: state.edge, min: 0, max: 1_000, set: (edge = 0) => go({ edge }) })} %</label>`
          : nothing
      }
      ${has.includes('books') ? html`<button type="button" id="books-button" @click=${openBooks}>books${state.books.length > 0 ? html` <b>${state.books.length}</b>` : nothing}</button>` : nothing}
      ${has.includes('more') ? this.#more() : nothing}`
          : nothing
      }
    </div><div class="filters" role="group" aria-label="How it looks" tabindex="-1">${this.#saved()}
      ${choice(
        'Odds format',
        state.format,
        (format) => go({ format: format as ScreenState['format'] }),
        ODDS_FORMATS.map((format) => option(format, format, state.format)),
      )}</div>`;
  }

  /** What is set, each to be taken away by itself. */
  set(): TemplateResult | typeof nothing {
    const { session, state, profile, go } = this.#context;
    if (SHOWN[state.view] === undefined) return nothing;
    const isFiltered = Object.entries(UNFILTERED).some(
      ([name, value]) => String(state[name as keyof ScreenState]) !== String(value),
    );
    if (!isFiltered) return nothing;
    const leagueOf = (id: string): string => session.leagues.find((league) => league.id === id)?.name ?? id;
    const names = { format: state.format, currency: profile.currency, nameOf: session.nameOf, leagueOf };
    return html`<div class="set-filters" role="group" aria-label="Filters that are set" tabindex="-1">${setFilters(
      state,
      names,
    ).map(
      ({ text, without }) =>
        html`<button type="button" class="chip-set" aria-label=${`take away the filter ${text}`} @click=${() => go(without)}><bdi>${text}</bdi> <span aria-hidden="true">×</span></button>`,
    )}<button type="button" id="reset" @click=${() => go(UNFILTERED)}>reset filters</button></div>`;
  }

  /** Filters of opportunities. */
  #more(): TemplateResult {
    const { session, state, profile, go } = this.#context;
    const choices = marketChoices(session.markets, state.sport, '').filter(({ id }) => !state.types.includes(id));
    const box = (label: string, isSet: boolean, set: (isSet: boolean) => void): TemplateResult =>
      html`<label><input type="checkbox" .checked=${isSet} @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}> ${label}</label>`;
    return html`<details class="more-filters" @focusout=${leave} @keydown=${closeOnEscape}><summary>more filters</summary><div class="popover" role="group" aria-label="Filters of opportunities">
      <div>odds <label>from ${this.#price('priceFrom', 'Odds from')}</label> <label>to ${this.#price('priceTo', 'Odds up to')}</label></div>
      <label title="least of what its books take together">max stake ≥ ${amountField({ name: 'takes', value: state.takes === 0 ? undefined : state.takes, min: 0, max: 1e9, set: (takes = 0) => go({ takes }) })} ${profile.currency}</label>
      <label title="of +EV: how many books price the bet; of the other kinds nobody states it">priced by ≥ ${amountField({ name: 'pricedBy', value: state.pricedBy === 0 ? undefined : state.pricedBy, min: 0, max: 1_000, set: (pricedBy = 0) => go({ pricedBy }) })} books</label>
      <label>markets ${choice('Markets', '', (type) => type !== '' && go({ types: [...state.types, type] }), [
        option('', state.types.length === 0 ? 'all' : 'add one', ''),
        ...GROUPS.map(([group, name]) => {
          const of = choices.filter((one) => one.group === group);
          return of.length === 0
            ? nothing
            : html`<optgroup label=${name}>${of.map(({ id, name: market }) => option(id, market, ''))}</optgroup>`;
        }),
      ])}</label>
      ${state.view === 'opportunities' ? html`<label>start ${this.#start()}</label>` : nothing}
      ${box('players only', state.only === 'props', (isSet) => go({ only: isSet ? 'props' : 'any' }))}
      ${box('guaranteed only', state.sure === 'guaranteed', (isSet) => go({ sure: isSet ? 'guaranteed' : 'any' }))}</div></details>`;
  }

  #price(name: 'priceFrom' | 'priceTo', label: string): TemplateResult {
    const { state, go } = this.#context;
    const value = state[name];
    const change = (event: Event): void => {
      const input = event.target as HTMLInputElement;
      const text = input.value.trim();
      const price = text === '' ? 0 : parsePrice(text, state.format);
      input.setCustomValidity(price === undefined ? NO_PRICE : '');
      if (price === undefined) input.reportValidity();
      else go({ [name]: price });
    };
    return html`<input type="text" class="amount" autocomplete="off" name=${name} aria-label=${label} size="6" .value=${value === 0 ? '' : priceText({ decimal: value }, state.format === 'american' ? 'american' : 'decimal')} @change=${change}>`;
  }

  #start(): TemplateResult {
    const { state, go } = this.#context;
    return choice(
      'Start',
      String(state.hours),
      (hours) => go({ hours: Number(hours) }),
      HOURS.map(([hours, name]) => option(String(hours), name, String(state.hours))),
    );
  }

  #layout(): TemplateResult {
    const { session, state, go } = this.#context;
    const choices = marketChoices(session.markets, state.sport, state.market);
    const byBook = state.layout === 'books';
    return html`${choice(
      'Layout',
      state.layout,
      (layout) => go({ layout: layout as ScreenState['layout'] }),
      LAYOUTS.map((layout) => option(layout, LAYOUT_NAMES[layout], state.layout)),
    )}
      ${
        byBook
          ? choice(
              'Market',
              state.market,
              (market) => go({ market }),
              GROUPS.map(([group, name]) => {
                const of = choices.filter((one) => one.group === group);
                return of.length === 0
                  ? nothing
                  : html`<optgroup label=${name}>${of.map(({ id, name }) => option(id, name, state.market))}</optgroup>`;
              }),
            )
          : nothing
      }`;
  }

  #order(): TemplateResult {
    const { session, state, go } = this.#context;
    const byBook = state.view === 'props' || state.layout === 'books';
    const ofBook = bookOfSort(state.sort);
    return html`${this.#start()}
      ${choice(
        'Order',
        state.sort,
        (sort) => go({ sort: sort as ScreenState['sort'] }),
        BOARD_SORTS.filter((sort) => !byBook || !(sort in { spread: 1, total: 1, moneyline: 1 }))
          .map((sort) => option(sort, sort === 'time' ? 'by start' : `by ${sort}`, state.sort))
          .concat(ofBook === undefined ? [] : option(state.sort, `by ${session.nameOf(ofBook)}`, state.sort)),
      )}`;
  }

  #league(): TemplateResult {
    const { session, state, go } = this.#context;
    const sports = [...new Set(session.leagues.filter(({ active }) => active).map(({ sport }) => sport))].sort();
    const where = state.leagues.length > 0 ? `l:${state.leagues.join()}` : state.sport === '' ? '' : `s:${state.sport}`;
    return choice(
      'League',
      where,
      (value) => go(leagueOf(value, state.leagues)),
      html`${option('', 'all leagues', where)}
        ${state.leagues.length > 1 ? option(where, `${state.leagues.length} leagues`, where) : nothing}
        ${sports.map(
          (sport) => html`<optgroup label=${words(sport)}>${option(`s:${sport}`, `all ${words(sport)}`, where)}
          ${session.leagues.filter((league) => league.active && league.sport === sport).map((league) => option(`l:${league.id}`, `${league.name} (${league.event_count})`, where))}</optgroup>`,
        )}`,
    );
  }

  /** Views by name: what is chosen is in the address, which can be sent to somebody else. */
  #saved(): TemplateResult {
    const { state } = this.#context;
    return html`${
      this.#views.length === 0
        ? nothing
        : choice('Saved views', state.name, (name) => this.#open(name), [
            option('', 'saved views', state.name),
            ...this.#views.map(({ name }) => option(name, name, state.name)),
          ])
    }<form class="field" @submit=${(event: SubmitEvent) => this.#save(event)}><input name="name" aria-label="Name of this view" placeholder="view name" maxlength="40" required>
      <button>save</button></form>
      ${this.#views.some(({ name }) => name === state.name) ? html`<button type="button" @click=${() => this.#forget(state.name)}>forget</button>` : nothing}`;
  }

  #open(name: string): void {
    const found = this.#views.find((view) => view.name === name);
    this.#context.go(found === undefined ? { name: '' } : stateOf(found.query));
  }

  #save(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const name = String(new FormData(form).get('name')).trim();
    if (name === '') return;
    const query = queryOf({ ...this.#context.state, name });
    this.#keep([{ name, query }, ...this.#views.filter((view) => view.name !== name)].slice(0, VIEWS_MAX));
    form.reset();
    this.#context.go({ name });
  }

  #forget(name: string): void {
    this.#keep(this.#views.filter((view) => view.name !== name));
    this.#context.go({ name: '' });
  }

  #keep(views: SavedView[]): void {
    this.#views = views;
    browserStore.setItem(STORAGE_KEY, JSON.stringify(views));
  }

  #dot(book: string): TemplateResult {
    const { className, text } = bookFreshness(this.#context.session, book);
    return html`<small><i class=${className} aria-hidden="true"></i>${text}</small>`;
  }

  /** The form of the books on the board and their order. */
  books(): TemplateResult {
    const { session, state, go } = this.#context;
    const seen = session.columns([]).map(({ id }) => id);
    const chosen = state.books.length > 0 ? state.books : seen;
    const rest = seen.filter((id) => !chosen.includes(id));
    const set = (books: string[]): void => go({ books: books.join() === seen.join() ? [] : books });
    const move = (at: number, by: number): void => {
      const books = [...chosen];
      books.splice(at + by, 0, ...books.splice(at, 1));
      set(books);
    };
    return html`<form method="dialog"><h2 id="books-title">Books</h2>
      <p class="quiet">Columns of the board, in this order. What is not ticked is left out of everything.</p>${freshLegend()}
      <ul class="books">${chosen.map(
        (id, at) => html`<li><label><input type="checkbox" checked .checked=${true}
          @change=${() => set(chosen.length > 1 ? chosen.filter((one) => one !== id) : chosen)}> ${session.nameOf(id)} <small>${session.shortOf(id)}</small></label>${this.#dot(id)}
          <button type="button" ?disabled=${at === 0} aria-label=${`${session.nameOf(id)} further left`} @click=${() => move(at, -1)}>↑</button>
          <button type="button" ?disabled=${at === chosen.length - 1} aria-label=${`${session.nameOf(id)} further right`} @click=${() => move(at, 1)}>↓</button></li>`,
      )}
        ${rest.map((id) => html`<li><label><input type="checkbox" .checked=${false} @change=${() => set([...chosen, id])}> ${session.nameOf(id)}</label></li>`)}</ul>
      <div class="row"><button type="button" @click=${() => go({ books: [] })}>all</button><button>done</button></div></form>`;
  }
}

/** What is opened over the page closes once something else is used. */
function leave({ currentTarget, relatedTarget }: FocusEvent): void {
  const details = currentTarget as HTMLDetailsElement;
  if (relatedTarget instanceof Node && !details.contains(relatedTarget)) details.open = false;
}

function closeOnEscape(event: KeyboardEvent): void {
  const details = event.currentTarget as HTMLDetailsElement;
  if (event.key !== 'Escape' || !details.open) return;
  event.stopPropagation();
  details.open = false;
  details.querySelector('summary')!.focus();
}

/** A league comes to those that are chosen; a sport, or all, replaces them. */
function leagueOf(value: string, chosen: readonly string[]): Partial<ScreenState> {
  if (value.startsWith('s:')) return { sport: value.slice(2), leagues: [] };
  return { sport: '', leagues: value === '' ? [] : [...new Set([...chosen, ...value.slice(2).split(',')])] };
}

export function option(value: string, name: string, chosen: string): TemplateResult {
  return html`<option value=${value} .selected=${value === chosen}>${name}</option>`;
}

export function choice(label: string, value: string, set: (value: string) => void, options: unknown): TemplateResult {
  return html`<select aria-label=${label} title=${label} data-value=${value} @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}>${options}</select>`;
}
