// Line moves over many books: steam, drops, moves of main lines, moves against the bets; one line each, with the books
// that have not followed and are worth a bet.
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { type Move, OverroundError } from '../src/client/client.js';
import type { Context } from './context.js';
import { matches } from './model/arrange.js';
import { ageText, lineText, priceText, words } from './model/odds-format.js';
import { ownBooks } from './model/opportunity-filters.js';
import { gameText, outcomeText } from './model/outcome.js';
import { hasAccount } from './model/profile.js';

const EVERY_MS = 5_000;
const LISTED_MAX = 200;
/** Least edge that is more than none, percent. */
const ABOVE_FAIR = 0.001;
const KINDS = ['steam', 'drop', 'line', 'reverse'] as const;
const LAGGARDS_SHOWN = 3;

export class MovesView {
  readonly #context: Context;
  #timer: ReturnType<typeof setInterval> | undefined;
  #moves: readonly Move[] | undefined;
  #note = 'Loading';
  #kind = '';
  /** Only moves with a book that is worth a bet. */
  #worth = true;
  /** By what the moves were asked for last. */
  #askedBy = '';

  constructor(context: Context) {
    this.#context = context;
  }

  /** Requested only while it is visible. */
  show(shown: boolean): void {
    if (shown && this.#timer === undefined) {
      void this.#load();
      this.#timer = setInterval(() => void this.#load(), EVERY_MS);
    } else if (!shown) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  /** The list is of so many: everything that narrows it is asked for. Moves are those of all books, whoever is behind. */
  #asked() {
    const { state, profile } = this.#context;
    const { leagues, sport, live, edge } = state;
    const behind = ownBooks(state, profile);
    return {
      limit: LISTED_MAX,
      ...(this.#kind === '' ? {} : { kind: [this.#kind] }),
      ...(leagues.length > 0 ? { league: leagues } : {}),
      ...(sport === '' ? {} : { sport: [sport] }),
      ...(live === 'all' ? {} : { live: live === 'live' }),
      ...(this.#worth ? { min_edge: Math.max(edge, ABOVE_FAIR) } : {}),
      ...(this.#worth && behind?.length ? { laggard: behind } : {}),
    };
  }

  async #load(): Promise<void> {
    const asked = this.#asked();
    const askedBy = JSON.stringify(asked);
    this.#askedBy = askedBy;
    try {
      const { data } = await this.#context.session.client.moves(asked);
      if (askedBy !== this.#askedBy) return;
      this.#moves = data;
      this.#note = '';
    } catch (error) {
      if (askedBy !== this.#askedBy) return;
      this.#note = reasonOf(error);
      if (error instanceof OverroundError && error.status > 0 && error.status < 429) this.show(false);
    }
    this.#context.changed();
  }

  template(): TemplateResult {
    const { leagues, sport, live, q } = this.#context.state;
    if (this.#timer !== undefined && JSON.stringify(this.#asked()) !== this.#askedBy) void this.#load();
    const shown = (this.#moves ?? []).filter(
      (move) =>
        (this.#kind === '' || move.kind === this.#kind) &&
        (leagues.length === 0 || leagues.includes(move.league)) &&
        (sport === '' || move.sport === sport) &&
        (live === 'all' || move.is_live === (live === 'live')) &&
        matches(q, `${move.event_name} ${move.player_name ?? ''} ${move.league} ${move.sport}`) &&
        (!this.#worth || this.#laggardsOf(move).length > 0),
    );
    const set = (change: () => void): void => {
      change();
      this.#context.changed();
    };
    return html`<section class="pane page" aria-label="Moves"><div class="bar"><h2 tabindex="-1" data-focus>Moves</h2>
      <select aria-label="Kind of move" @change=${(event: Event) => set(() => (this.#kind = (event.target as HTMLSelectElement).value))}><option value="">all kinds</option>${KINDS.map((kind) => html`<option value=${kind}>${kind}</option>`)}</select>
      <label class="field"><input type="checkbox" .checked=${this.#worth} @change=${() => set(() => (this.#worth = !this.#worth))}> with a book above fair only</label></div>
      <div class="scroll" tabindex="0" role="region" aria-label="Table of moves">${
        this.#note !== '' || shown.length === 0
          ? html`<p class="empty">${this.#note === '' ? 'No such move lately.' : this.#note}</p>`
          : html`<table class="moves moves-list"><thead><tr>${['kind', 'ago', 'game', 'bet', 'moved', 'books', 'not yet'].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${repeat(
              shown,
              ({ id }) => id,
              (move) => this.#move(move),
            )}</tbody></table>`
      }</div></section>`;
  }

  /** Books that have not followed, are above fair, and at which the viewer has an account. */
  #laggardsOf({ laggards }: Move): Move['laggards'] {
    const { profile, state } = this.#context;
    return laggards.filter(({ book, edge_percent }) => {
      const edge = edge_percent ?? 0;
      const isWorth = !this.#worth || (edge > 0 && edge >= state.edge);
      return isWorth && hasAccount(profile, book) && (state.books.length === 0 || state.books.includes(book));
    });
  }

  #move(move: Move): TemplateResult {
    const { session, state, go } = this.#context;
    const from = lineText(move.line_from, move.market_type);
    const to = lineText(move.line_to, move.market_type);
    const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;
    const moved =
      move.probability_from === null || move.probability_to === null
        ? `${from} → ${to}`
        : `${percent(move.probability_from)} → ${percent(move.probability_to)}`;
    const what = outcomeText({ ...move, line: move.line_to });
    const open = (): void => go({ view: 'event', event: move.event_id, eventMarket: move.market_type });
    return html`<tr><td class="kind">${move.kind}</td><td>${ageText(session.clock.now() - Date.parse(move.detected_at))}</td>
      <td><button type="button" class="link" title=${move.event_name} @click=${open}><bdi>${gameText(move.event_name)}</bdi></button></td>
      <td><span class="quiet">${words(move.market_type)}</span> <bdi>${what}</bdi></td><td class=${move.direction === 'up' ? 'gain' : 'loss'}>${moved}</td>
      <td title=${move.books.map(({ book, from: before, to: now }) => `${session.nameOf(book)} ${before} → ${now}`).join(', ')}>${move.books.length === 0 ? '' : move.books.length === 1 ? session.nameOf(move.books[0]!.book) : `${move.books.length} books`}</td>
      <td>${this.#laggardsOf(move)
        .slice(0, LAGGARDS_SHOWN)
        .map(
          ({ book, odds, odds_decimal, edge_percent }) =>
            html`<span class="laggard">${session.nameOf(book)} <b>${priceText({ decimal: odds_decimal, american: odds }, state.format)}</b>${edge_percent === null ? nothing : html` <small>${edge_percent.toFixed(1)} %</small>`}</span> `,
        )}</td></tr>`;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof OverroundError)) return String(error);
  if (error.tier !== undefined)
    return `Moves need the tier ${error.tier}. The board's arrows show how each price moved.`;
  if (error.status === 404) return "This server tells no moves. The board's arrows show how each price moved.";
  return error.message;
}
