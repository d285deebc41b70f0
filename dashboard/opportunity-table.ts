// The middle of the desk: opportunities of every kind as one dense table. It freezes under the pointer: rows stay where
// they are, what ends is struck out, and what is new waits.
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { LiveTable, OpportunityChannel } from '../src/client/client.js';
import type { Context } from './context.js';
import { saveFile, tabs } from './dom.js';
import { KIND_CHOICES, KINDS, type ScreenState } from './model/address.js';
import { abbreviation, ageText, moneyText, priceText, timeText, words } from './model/odds-format.js';
import { ageOf, csvOf, type OpportunityRow, rowsOf } from './model/opportunity-rows.js';
import { bookOf } from './model/reckon.js';

export const KIND_NAMES: Readonly<Record<OpportunityChannel | 'all', string>> = {
  all: 'All',
  ev: '+EV',
  arbitrage: 'Arbitrage',
  middles: 'Middles',
  low_hold: 'Low hold',
};
const KIND_SHORT: Readonly<Record<OpportunityChannel, string>> = {
  ev: 'EV',
  arbitrage: 'Arb',
  middles: 'Mid',
  low_hold: 'Hold',
};

const SHOWN_MAX = 120;
const HEADS: readonly [order: string, name: string, title: string][] = [
  ['kind', 'kind', 'kind'],
  ['edge', 'edge %', 'expected profit, profit, expected value or hold, percent of the stake'],
  ['event', 'game', 'game'],
  ['market', 'bet', 'market and outcome'],
  ['price', 'price', 'price'],
  ['book', 'book', 'book'],
  ['fair', 'fair', 'fair price'],
  ['limit', 'limit', 'largest stake'],
  ['age', 'age', 'age of the oldest price'],
  ['start', 'start', 'start of the game'],
  ['stake', 'stake', 'what to stake with your bankroll'],
];

export interface OpportunityTableOptions {
  context: Context;
  has(kind: OpportunityChannel): boolean;
  /** The first list is still on its way. */
  isLoading(): boolean;
  /** Opens the form of an alert for it. */
  alertOn(row: OpportunityRow): void;
}

export class OpportunityTable {
  readonly #options: OpportunityTableOptions;
  readonly #hidden = new Set<string>();
  /** Rows as they were when the pointer came, while it stays. */
  #frozen: OpportunityRow[] | undefined;
  #rows: OpportunityRow[] = [];
  /** Shown before: anything else is new. */
  #known = new Set<string>();
  #lack = '';
  #lackOf = '';
  #receivedMs = new WeakMap<object, number>();

  constructor(options: OpportunityTableOptions) {
    this.#options = options;
  }

  template(table: LiveTable): TemplateResult {
    const { context, has, isLoading } = this.#options;
    const { state, profile } = context;
    const present = rowsOf(table, state, profile, this.#hidden);
    const began = this.#known.size > 0;
    this.#rows = this.#frozen === undefined ? present : merged(this.#frozen, present);
    if (this.#frozen !== undefined) this.#frozen = this.#rows;
    const alive = new Set(present.map(({ id }) => id));
    const waiting =
      this.#frozen === undefined ? 0 : present.filter(({ id }) => !this.#rows.some((row) => row.id === id)).length;
    const shown = this.#rows.slice(0, SHOWN_MAX);
    const lacking =
      state.kind === 'all' ? (KINDS.some(has) ? undefined : KINDS[0]) : has(state.kind) ? undefined : state.kind;
    const body =
      lacking !== undefined
        ? html`<p class="empty">${this.#lacking(lacking)}</p>`
        : html`<table class="opportunities"><thead><tr>${HEADS.map((head) => this.#head(head, state))}<th scope="col"><span class="unseen">actions</span></th></tr></thead>
        <tbody @keydown=${this.#onKey}>${repeat(
          shown,
          ({ id }) => id,
          (row, i) => this.#row(row, i, alive.has(row.id), began && !this.#known.has(row.id)),
        )}</tbody></table>${shown.length === 0 ? html`<p class="empty">${isLoading() ? 'Loading' : 'None at the moment'}</p>` : nothing}`;
    if (this.#frozen === undefined) this.#known = alive;
    return html`<div class="table-bar"><div role="tablist" aria-label="Kinds of opportunities">${tabs(
      KIND_CHOICES.map((kind) => ({
        name: KIND_NAMES[kind],
        count:
          kind === 'all'
            ? KINDS.reduce((sum, one) => sum + table.opportunities[one].size, 0)
            : table.opportunities[kind].size,
        selected: kind === state.kind,
        choose: () => context.go({ kind, open: '' }),
      })),
    )}</div><span class="push quiet" role="status">${this.#frozen === undefined ? '' : `frozen${waiting > 0 ? `, ${waiting} new` : ''}`}</span>
      ${this.#hidden.size > 0 ? html`<button type="button" @click=${this.#unhide}>show ${this.#hidden.size} hidden</button>` : nothing}
      <button type="button" @click=${this.#download}>CSV</button></div>
      <div class="scroll" tabindex="0" role="region" aria-label="Table of opportunities" @pointerenter=${this.#freeze} @pointerleave=${this.#thaw} @focusin=${this.#freezeAt} @focusout=${this.#thaw}>${body}</div>`;
  }

  #head([order, name, title]: (typeof HEADS)[number], state: ScreenState): TemplateResult {
    const is = state.order.replace(/^-/, '') === order;
    const ascending = state.order.startsWith('-');
    return html`<th scope="col" class=${`of-${order}`} title=${title} aria-sort=${is ? (ascending ? 'ascending' : 'descending') : 'none'}><button type="button"
      @click=${() => this.#sort(is && !ascending ? `-${order}` : order)}>${name}${is ? (ascending ? ' ▴' : ' ▾') : ''}</button></th>`;
  }

  #sort(order: string): void {
    // A new order is meant to be seen at once.
    if (this.#frozen !== undefined) this.#frozen = [];
    this.#frozen = undefined;
    this.#options.context.go({ order });
  }

  #row(row: OpportunityRow, i: number, alive: boolean, fresh: boolean): TemplateResult {
    const { context, alertOn } = this.#options;
    const { session, state, profile } = context;
    const { kind, item, play, reckoning, edge, fair, limit, more, id } = row;
    const nowMs = session.clock.now();
    const receivedMs = this.#receivedMs.get(item) ?? nowMs;
    this.#receivedMs.set(item, receivedMs);
    const ageMs = ageOf(item) * 1_000 + nowMs - receivedMs;
    const books = play.legs.map((leg) => abbreviation(session.nameOf(bookOf(leg, profile)))).join(' / ');
    const names = play.legs.map((leg) => session.nameOf(bookOf(leg, profile))).join(', ');
    const bets = play.legs.map(({ outcome }) => outcome).join(' / ');
    const when = item.is_live ? 'live' : item.start_time === null ? '' : timeText(item.start_time, nowMs);
    const taken = context.isOnTicket(id);
    const name = [alive ? '' : 'dead', fresh ? 'fresh' : '', taken ? 'taken' : '', item.possibly_stale ? 'old' : ''];
    return html`<tr class=${name.filter(Boolean).join(' ')} data-id=${id} tabindex=${i === 0 ? 0 : -1} aria-selected=${taken} @click=${() => context.addOpportunity(kind, item)}>
      <td class="of-kind">${KIND_SHORT[kind]}</td>
      <td class="of-edge"><b>${Math.abs(edge).toFixed(2)}</b><small class="under">${KIND_SHORT[kind]}</small></td>
      <td class="of-event" title=${item.event_name}>${item.event_name}</td>
      <td class="of-market" title=${`${words(item.market_type)}: ${bets}`}><span class="quiet">${shortMarket(item.market_type)}</span> ${bets}<small class="under">${item.event_name}${when === '' ? '' : ` · ${when}`}</small></td>
      <td class="of-price">${play.legs.map((leg) => priceText(leg, state.format)).join(' / ')}<small class="under" title=${names}>${books}${more > 0 ? ` +${more}` : ''}</small></td>
      <td class="of-book" title=${names}>${books}${more > 0 ? html` <small>+${more}</small>` : nothing}</td>
      <td class="of-fair">${fair === null ? '' : priceText({ decimal: fair }, state.format)}</td>
      <td class="of-limit">${limit === null ? '' : moneyOf(limit)}</td>
      <td class="of-age">${ageText(ageMs)}</td>
      <td class=${`of-start${item.is_live ? ' live' : ''}`}>${when}</td>
      <td class="of-stake">${reckoning.plan.cost > 0 ? moneyOf(reckoning.plan.cost) : ''}</td>
      <td class="acts"><button type="button" tabindex="-1" title="its page (o)" aria-label="its page" @click=${stop(() => this.#open(row))}>⤢</button><button type="button" tabindex="-1" title="alert on such" aria-label="alert on such" @click=${stop(() => alertOn(row))}>!</button><button
        type="button" tabindex="-1" title="hide (x)" aria-label="hide" @click=${stop(() => this.#hide(id))}>×</button></td></tr>`;
  }

  /** Its page: what it says, the prices around it, and later how it closed and ended. */
  #open({ id, item }: OpportunityRow): void {
    const { context } = this.#options;
    context.go({ view: 'event', event: item.event_id, eventMarket: item.market_type, open: id });
  }

  #hide(id: string): void {
    this.#hidden.add(id);
    this.#frozen = this.#frozen?.filter((row) => row.id !== id);
    this.#options.context.changed();
  }

  readonly #unhide = (): void => {
    this.#hidden.clear();
    this.#options.context.changed();
  };

  readonly #freeze = (event: PointerEvent): void => {
    if (event.pointerType !== 'mouse') return;
    this.#frozen ??= this.#rows;
  };

  /** Rows that are gone through by keyboard stay, too. */
  readonly #freezeAt = ({ target }: FocusEvent): void => {
    if (target instanceof Element && target.matches('tbody tr:focus-visible')) this.#frozen ??= this.#rows;
  };

  readonly #thaw = (event: PointerEvent | FocusEvent): void => {
    const region = event.currentTarget as HTMLElement;
    const next = event.type === 'focusout' ? event.relatedTarget : document.activeElement;
    const isUsed = region.contains(next as Node | null) && (next as HTMLElement).matches('tbody tr:focus-visible');
    if (isUsed || (event.type === 'focusout' && region.matches(':hover'))) return;
    this.#frozen = undefined;
    this.#options.context.changed();
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const line = (event.target as HTMLElement).closest('tr');
    const row = this.#rows.find(({ id }) => id === line?.dataset['id']);
    if (line === null || row === undefined || event.target !== line) return;
    const next =
      event.key === 'ArrowDown'
        ? line.nextElementSibling
        : event.key === 'ArrowUp'
          ? line.previousElementSibling
          : null;
    if (next instanceof HTMLElement) next.focus();
    else if (event.key === 't' || event.key === 'Enter' || event.key === ' ')
      this.#options.context.addOpportunity(row.kind, row.item);
    else if (event.key === 'x') {
      const after = line.nextElementSibling ?? line.previousElementSibling;
      if (after instanceof HTMLElement) after.focus();
      this.#hide(row.id);
    } else if (event.key === 'o') this.#open(row);
    else if (event.key === 'a') this.#options.alertOn(row);
    else return;
    event.preventDefault();
  };

  readonly #download = (): void => {
    const { session } = this.#options.context;
    saveFile('opportunities.csv', 'text/csv', csvOf(this.#rows, session.nameOf));
  };

  /** What the key lacks, at once, and who has it, once the table of tiers is there. */
  #lacking(kind: OpportunityChannel): string {
    const { session } = this.#options.context;
    if (this.#lackOf !== kind) {
      this.#lackOf = kind;
      this.#lack = '';
      void session.whoHas(kind).then((text) => {
        this.#lack = text;
        this.#options.context.changed();
      });
    }
    return `This key (tier ${session.account.key.tier}) has no ${KIND_NAMES[kind]}${this.#lack}. Best prices, fair prices and holds of your books are on the board.`;
  }
}

/** The rows that were shown, where they were, as they are now. */
function merged(frozen: readonly OpportunityRow[], present: readonly OpportunityRow[]): OpportunityRow[] {
  const now = new Map(present.map((row) => [row.id, row]));
  return frozen.map((row) => now.get(row.id) ?? row);
}

const stop =
  (run: () => void) =>
  (event: Event): void => {
    event.stopPropagation();
    run();
  };

const moneyOf = (amount: number): string =>
  amount >= 100 ? String(Math.round(amount)) : moneyText(amount).replace(/\.00$/, '');

/** `player points` as `points`, `moneyline` as `ml`: the cell is narrow, its title says all. */
function shortMarket(type: string): string {
  return words(
    type
      .replace(/^player_/, '')
      .replace(/^moneyline/, 'ml')
      .replace(/^point_spread/, 'spread'),
  );
}
