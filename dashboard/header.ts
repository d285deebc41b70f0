// The top line: where one is, whether it is live, the search, and what the key does not include.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { OpportunityChannel } from '../src/client/client.js';
import type { Context } from './context.js';
import type { LiveBoard } from './live-board.js';
import { KINDS, type ViewName } from './model/address.js';
import { ageText } from './model/odds-format.js';
import type { SourceState } from './odds-source.js';
import { KIND_NAMES } from './opportunity-table.js';
import { ViewsNav } from './views-nav.js';

/** Where there is nothing to search in. */
const SEARCHLESS: ReadonlySet<ViewName> = new Set<ViewName>(['alerts', 'event', 'calculators']);

export class Header {
  readonly #context: Context;
  readonly #views: ViewsNav;
  readonly #live: LiveBoard;
  readonly #connection: () => SourceState;
  readonly #games: () => number;
  /** What of the viewer's profile cannot be had. */
  readonly #lacking: () => string;
  /** On small screens the line of filters is folded away until it is asked for. */
  #isFiltering = false;
  #rate = 0;
  #countedMs = performance.now();

  constructor(
    context: Context,
    live: LiveBoard,
    connection: () => SourceState,
    games: () => number,
    lacking: () => string,
  ) {
    this.#context = context;
    this.#views = new ViewsNav(context);
    this.#live = live;
    this.#connection = connection;
    this.#games = games;
    this.#lacking = lacking;
  }

  readonly #filter = (): void => {
    this.#isFiltering = !this.#isFiltering;
    this.#context.draw();
  };

  template(openProfile: () => void, filters: TemplateResult | typeof nothing): TemplateResult {
    const { session, state, go } = this.#context;
    const source = this.#connection();
    const notice = [this.#notice(), this.#lacking()].filter(Boolean).join(' ');
    return html`<header class=${this.#isFiltering ? 'filtering' : ''}><div class="top"><h1>overround</h1>
      ${session.simulated ? html`<span class="badge">simulated<span class="roomy"> odds</span></span>` : nothing}
      <span id="state" class="state" data-state=${source}>${this.#stateText(source)}</span>
      ${this.#views.template()}
      ${
        SEARCHLESS.has(state.view)
          ? nothing
          : html`<input id="search" type="search" placeholder="team, player or league  ( / )" aria-label="Search team, player or league" .value=${state.q}
        @input=${(event: Event) => go({ q: (event.target as HTMLInputElement).value.trim() })}>`
      }
      ${this.#figures()}
      <button type="button" id="filters-button" aria-expanded=${this.#isFiltering} @click=${this.#filter}>filters</button>
      <button type="button" id="profile-button" @click=${openProfile}>profile</button><a href="/status">status</a><a href="/docs">docs</a></div>
      ${notice === '' ? nothing : html`<p id="notice" role="status">${notice}</p>`}${filters}</header>`;
  }

  #stateText(state: SourceState): string {
    const { odds_delay_seconds: delay } = this.#context.session.account.limits;
    const late = delay > 0 ? `, ${delay} s late` : '';
    if (state === 'lost') return `connection lost, prices ${ageText(this.#live.source.silentMs)} old`;
    if (state === 'connecting' && this.#live.board.size > 0) return `loading, ${this.#live.board.size} prices so far`;
    return state === 'live' || state === 'polling' ? `${state}${late}` : state;
  }

  #figures(): TemplateResult {
    const seconds = (performance.now() - this.#countedMs) / 1_000;
    if (seconds >= 1) {
      this.#rate = this.#live.changes / seconds;
      this.#live.changes = 0;
      this.#countedMs = performance.now();
    }
    const { delayMs } = this.#live;
    const figures: [string, string][] = [
      ['games', String(this.#games())],
      ['changes/s', this.#rate.toFixed(0)],
      ['change to screen', Number.isNaN(delayMs) ? '-' : `${Math.max(0, Math.round(delayMs))} ms`],
    ];
    return html`<dl class="counts">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
  }

  /** What the tier does not include, and what it has instead. */
  #notice(): string {
    const { key, limits, features } = this.#context.session.account;
    if (limits.odds_delay_seconds === 0 && features.streaming) return '';
    const parts: string[] = [];
    if (limits.odds_delay_seconds > 0) parts.push(`prices are ${limits.odds_delay_seconds} s late`);
    if (limits.max_books !== null) parts.push(`${limits.max_books} books`);
    if (!features.streaming) parts.push('prices are polled, not streamed');
    const lacking = KINDS.filter((kind: OpportunityChannel) => !features[kind]);
    if (lacking.length > 0) parts.push(`without ${lacking.map((kind) => KIND_NAMES[kind]).join(', ')}`);
    return `Tier ${key.tier}: ${parts.join('; ')}.`;
  }
}
