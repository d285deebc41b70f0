// Line moves over many books: steam, drops, moves of main lines, moves against the bets; if the server provides them.
import { html, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { type Move, OverroundError } from '../src/client/client.js';
import type { ScreenState } from './model/address.js';
import {
  ageText,
  americanText,
  lineText,
  type OddsFormat,
  percentText,
  priceText,
  words,
} from './model/odds-format.js';
import type { Session } from './session.js';

const EVERY_MS = 5_000;
const LAGGARDS_SHOWN = 3;

export interface MovesOptions {
  session: Session;
  go(changes: Partial<ScreenState>): void;
  format(): OddsFormat;
}

export class MovesView {
  readonly #root: HTMLElement;
  readonly #session: Session;
  readonly #go: (changes: Partial<ScreenState>) => void;
  readonly #format: () => OddsFormat;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(root: HTMLElement, { session, go, format }: MovesOptions) {
    this.#root = root;
    this.#session = session;
    this.#go = go;
    this.#format = format;
  }

  /** Requested only while it is visible. */
  show(shown: boolean): void {
    if (shown && this.#timer === undefined) {
      render(html`<p class="empty">Loading</p>`, this.#root);
      void this.#load();
      this.#timer = setInterval(() => void this.#load(), EVERY_MS);
    } else if (!shown) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  async #load(): Promise<void> {
    try {
      const { data } = await this.#session.client.moves({ limit: 100 });
      render(this.#list(data), this.#root);
    } catch (error) {
      render(html`<p class="empty">${reasonOf(error)}</p>`, this.#root);
      if (error instanceof OverroundError && error.status < 429) this.show(false);
    }
  }

  #list(moves: readonly Move[]): TemplateResult {
    if (moves.length === 0) return html`<p class="empty">Nothing has moved at several books lately.</p>`;
    return html`<h2>Moves</h2><div class="moves">${repeat(
      moves,
      ({ id }) => id,
      (move) => this.#move(move),
    )}</div>`;
  }

  #move(move: Move): TemplateResult {
    const nowMs = this.#session.clock.now();
    const { nameOf } = this.#session;
    const from = lineText(move.line_from, move.market_type);
    const to = lineText(move.line_to, move.market_type);
    const shares =
      move.probability_from === null || move.probability_to === null
        ? ''
        : `${(move.probability_from * 100).toFixed(1)} % → ${(move.probability_to * 100).toFixed(1)} %`;
    const what = [move.player_name, move.team_name, move.selection].filter(Boolean).join(' ');
    // If the line moved, its books state lines.
    const text = (value: number): string => (move.kind === 'line' ? String(value) : americanText(value));
    const way = move.direction === 'up' ? 'shorter' : 'longer';
    return html`<button type="button" class="card" @click=${() => this.#go({ view: 'event', event: move.event_id, eventMarket: move.market_type })}>
      <span class="card-head"><span class="name">${move.event_name}</span><span class="kind">${move.kind}</span></span>
      <small>${words(move.league)} · ${words(move.market_type)} · ${ageText(nowMs - Date.parse(move.detected_at))} ago</small>
      <span class="leg"><span>${what} ${from === to ? to : `${from} → ${to}`}</span><span>${shares === '' ? '' : `${shares} ${way}`}</span></span>
      <span class="leg"><span>${move.books.map(({ book, from: before, to: now }) => `${nameOf(book)} ${text(before)} → ${text(now)}`).join(', ')}</span></span>
      ${move.laggards
        .slice(0, LAGGARDS_SHOWN)
        .map(
          (one) =>
            html`<span class="leg"><span>not yet: ${nameOf(one.book)}</span><span><b>${priceText({ decimal: one.odds_decimal, american: one.odds }, this.#format())}</b> ${percentText(one.edge_percent)}</span></span>`,
        )}
    </button>`;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof OverroundError)) return String(error);
  if (error.tier !== undefined)
    return `Moves need the tier ${error.tier}. The board's arrows show how each price moved.`;
  if (error.status === 404) return "This server tells no moves. The board's arrows show how each price moved.";
  return error.message;
}
