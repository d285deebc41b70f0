// The line of filters: what the board and the table show, in what order and how; saved views and the choice of books.
import { html, nothing, type TemplateResult } from 'lit-html';
import { amountField } from './amount-field.js';
import type { Context } from './context.js';
import { bookFreshness, freshLegend } from './fresh-dot.js';
import {
  BOARD_SORTS,
  DEFAULTS,
  LAYOUTS,
  LIVE,
  queryOf,
  type ScreenState,
  stateOf,
  type ViewName,
} from './model/address.js';
import { bookOfSort } from './model/arrange.js';
import { type MarketChoice, marketChoices } from './model/market-choice.js';
import { abbreviation, ODDS_FORMATS, words } from './model/odds-format.js';
import { type SavedView, VIEWS_MAX, viewsOf } from './model/stored.js';

const STORAGE_KEY = 'overround-views';
const UNFILTERED: Partial<ScreenState> = Object.fromEntries(
  (['market', 'leagues', 'sport', 'live', 'hours', 'edge', 'sure', 'q', 'books', 'name'] as const).map((name) => [
    name,
    DEFAULTS[name],
  ]),
);
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
const SHOWN: Partial<Record<ViewName, readonly ('order' | 'play' | 'books')[]>> = {
  board: ['order', 'play', 'books'],
  props: ['order', 'play', 'books'],
  opportunities: ['play', 'books'],
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
  #views = viewsOf(localStorage.getItem(STORAGE_KEY));

  constructor(context: Context) {
    this.#context = context;
  }

  template(openBooks: () => void): TemplateResult {
    const { state, go } = this.#context;
    const isBoard = state.view === 'board';
    const isFiltered = Object.entries(UNFILTERED).some(
      ([name, value]) => String(state[name as keyof ScreenState]) !== String(value),
    );
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
      ${isFiltered ? html`<button type="button" id="reset" @click=${() => go(UNFILTERED)}>reset filters</button>` : nothing}`
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
    return html`${choice(
      'Start',
      String(state.hours),
      (hours) => go({ hours: Number(hours) }),
      HOURS.map(([hours, name]) => option(String(hours), name, String(state.hours))),
    )}
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
      (value) => go(leagueOf(value)),
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
    localStorage.setItem(STORAGE_KEY, JSON.stringify(views));
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
          @change=${() => set(chosen.length > 1 ? chosen.filter((one) => one !== id) : chosen)}> ${session.nameOf(id)} <small>${abbreviation(session.nameOf(id))}</small></label>${this.#dot(id)}
          <button type="button" ?disabled=${at === 0} aria-label=${`${session.nameOf(id)} further left`} @click=${() => move(at, -1)}>↑</button>
          <button type="button" ?disabled=${at === chosen.length - 1} aria-label=${`${session.nameOf(id)} further right`} @click=${() => move(at, 1)}>↓</button></li>`,
      )}
        ${rest.map((id) => html`<li><label><input type="checkbox" .checked=${false} @change=${() => set([...chosen, id])}> ${session.nameOf(id)}</label></li>`)}</ul>
      <div class="row"><button type="button" @click=${() => go({ books: [] })}>all</button><button>done</button></div></form>`;
  }
}

function leagueOf(value: string): Partial<ScreenState> {
  if (value.startsWith('s:')) return { sport: value.slice(2), leagues: [] };
  return { sport: '', leagues: value === '' ? [] : value.slice(2).split(',') };
}

export function option(value: string, name: string, chosen: string): TemplateResult {
  return html`<option value=${value} .selected=${value === chosen}>${name}</option>`;
}

export function choice(label: string, value: string, set: (value: string) => void, options: unknown): TemplateResult {
  return html`<select aria-label=${label} title=${label} data-value=${value} @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}>${options}</select>`;
}
