// The settings of the board and the lists: market, league, time, edge, books, order; and the odds format.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { BOARD_SORTS, DEFAULTS, LIVE, type ScreenState, THEMES } from './model/address.js';
import { type MarketChoice, marketChoices } from './model/market-choice.js';
import { abbreviation, ODDS_FORMATS, words } from './model/odds-format.js';
import type { Session } from './session.js';

export interface ToolbarOptions {
  session: Session;
  go(changes: Partial<ScreenState>): void;
}

const UNFILTERED: Partial<ScreenState> = Object.fromEntries(
  (['market', 'leagues', 'sport', 'live', 'hours', 'edge', 'q', 'books'] as const).map((name) => [
    name,
    DEFAULTS[name],
  ]),
);
const isFiltered = (state: ScreenState): boolean =>
  Object.entries(UNFILTERED).some(([name, value]) => String(state[name as keyof ScreenState]) !== String(value));

const HOURS: readonly [hours: number, name: string][] = [
  [0, 'any start'],
  [1, 'within 1 h'],
  [3, 'within 3 h'],
  [12, 'within 12 h'],
  [24, 'within 24 h'],
  [72, 'within 3 days'],
];
const LIVE_NAMES = { all: 'live and prematch', live: 'live', prematch: 'prematch' } as const;
const SORT_NAMES = { time: 'by start', hold: 'by hold', edge: 'by edge', league: 'by league' } as const;
const GROUPS: readonly [group: MarketChoice['group'], name: string][] = [
  ['main', 'Main'],
  ['more', 'More'],
  ['players', 'Players'],
];

export class Toolbar {
  readonly #root: HTMLElement;
  readonly #tools: HTMLElement;
  readonly #dialog: HTMLDialogElement;
  readonly #options: ToolbarOptions;

  constructor(root: HTMLElement, tools: HTMLElement, dialog: HTMLDialogElement, options: ToolbarOptions) {
    this.#root = root;
    this.#tools = tools;
    this.#dialog = dialog;
    this.#options = options;
  }

  draw(state: ScreenState): void {
    render(this.#filters(state), this.#root);
    render(this.#looks(state), this.#tools);
    render(this.#books(state), this.#dialog);
  }

  #filters(state: ScreenState): TemplateResult {
    const { session, go } = this.#options;
    const isBoard = state.view === 'board';
    const choices = marketChoices(session.markets, state.sport);
    const sports = [...new Set(session.leagues.filter(({ active }) => active).map(({ sport }) => sport))].sort();
    const where = state.leagues.length > 0 ? `l:${state.leagues.join()}` : state.sport === '' ? '' : `s:${state.sport}`;
    return html`
      ${
        isBoard
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
      }
      ${choice(
        'League',
        where,
        (value) => go(leagueOf(value)),
        html`${option('', 'all leagues', where)}
        ${state.leagues.length > 1 ? option(where, `${state.leagues.length} leagues`, where) : nothing}
        ${sports.map(
          (sport) => html`<optgroup label=${words(sport)}>${option(`s:${sport}`, `all ${words(sport)}`, where)}
          ${session.leagues.filter((league) => league.active && league.sport === sport).map((league) => option(`l:${league.id}`, `${league.name} (${league.event_count})`, where))}</optgroup>`,
        )}`,
      )}
      ${choice(
        'State of play',
        state.live,
        (live) => go({ live: live as ScreenState['live'] }),
        LIVE.map((live) => option(live, LIVE_NAMES[live], state.live)),
      )}
      ${
        isBoard
          ? choice(
              'Start',
              String(state.hours),
              (hours) => go({ hours: Number(hours) }),
              HOURS.map(([hours, name]) => option(String(hours), name, String(state.hours))),
            )
          : nothing
      }
      <label class="field">edge ≥ <input type="number" inputmode="decimal" min="0" max="1000" step="0.5" aria-label="Least edge, percent" .value=${String(state.edge)}
        @change=${(event: Event) => go({ edge: Math.min(1_000, Math.max(0, Number((event.target as HTMLInputElement).value) || 0)) })}> %</label>
      ${
        isBoard
          ? choice(
              'Order',
              state.sort,
              (sort) => go({ sort: sort as ScreenState['sort'] }),
              BOARD_SORTS.map((sort) => option(sort, SORT_NAMES[sort], state.sort)),
            )
          : nothing
      }
      ${isFiltered(state) ? html`<button type="button" id="reset" @click=${() => go(UNFILTERED)}>reset filters</button>` : nothing}
      <button type="button" id="books-button" @click=${() => this.#dialog.showModal()}>books${state.books.length > 0 ? html` <b>${state.books.length}</b>` : nothing}</button>`;
  }

  #looks(state: ScreenState): TemplateResult {
    const { go } = this.#options;
    return html`${choice(
      'Odds format',
      state.format,
      (format) => go({ format: format as ScreenState['format'] }),
      ODDS_FORMATS.map((format) => option(format, format, state.format)),
    )}
      ${choice(
        'Colours',
        state.theme,
        (theme) => go({ theme: theme as ScreenState['theme'] }),
        THEMES.map((theme) => option(theme, theme === 'auto' ? 'auto theme' : theme, state.theme)),
      )}`;
  }

  #books(state: ScreenState): TemplateResult {
    const { session, go } = this.#options;
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
      <p class="quiet">Columns of the board, in this order. What is not ticked is left out of best prices, consensus and holds, too.</p>
      <ul class="books">${chosen.map(
        (id, at) => html`<li><label><input type="checkbox" checked .checked=${true}
          @change=${() => set(chosen.length > 1 ? chosen.filter((one) => one !== id) : chosen)}> ${session.nameOf(id)} <small>${abbreviation(session.nameOf(id))}</small></label>
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

function option(value: string, name: string, chosen: string): TemplateResult {
  return html`<option value=${value} .selected=${value === chosen}>${name}</option>`;
}

function choice(label: string, value: string, set: (value: string) => void, options: unknown): TemplateResult {
  return html`<select aria-label=${label} title=${label} data-value=${value} @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}>${options}</select>`;
}
