// The middle of the desk: opportunities of every kind as one dense table. It freezes under the pointer: rows stay where
// they are, what ends is struck out, and what is new waits.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { LiveTable, OpportunityChannel, OpportunityItems } from '../src/client/client.js';
import { bookTile } from './book-tile.js';
import { browserStore } from './browser-store.js';
import type { Context } from './context.js';
import { onStored, saveFile, tabs } from './dom.js';
import { KIND_CHOICES, KINDS, type ScreenState } from './model/address.js';
import { FRESH_LIVE_MS, FRESH_MS } from './model/board.js';
import type { Leg } from './model/legs.js';
import { ageText, moneyText, priceText, timeText, words } from './model/odds-format.js';
import { DECIDING, type Hidden, hiddenOf, hide, hideKey, stillHidden } from './model/opportunity-filters.js';
import { countsOf, csvOf, keptRows, type OpportunityRow, rowsOf } from './model/opportunity-rows.js';
import { gameText, outcomeParts } from './model/outcome.js';
import { bookOf } from './model/play.js';
import type { Profile } from './model/profile.js';
import { shortTeam } from './model/team-name.js';
import { OpportunityAges } from './opportunity-ages.js';
import type { OpportunitySource } from './opportunity-source.js';
import { chipTemplates } from './ticket-entry.js';

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

/** Rows at once; "more" shows as many again. */
const SHOWN_STEP = 120;
/** Chips of a row; all are in its ticket. */
const CHIPS_SHOWN = 1;
const HEADS: readonly [order: string, name: string, title: string][] = [
  ['kind', 'kind', 'kind'],
  ['edge', 'edge %', 'expected profit, profit, expected value or hold, percent of the stake'],
  ['event', 'game', 'game'],
  ['market', 'bet', 'market and outcome'],
  ['price', 'price', 'price'],
  ['book', 'book', 'book'],
  ['notes', 'notes', 'what to know before betting: results that lose, rules that differ, doubts'],
  ['fair', 'fair', 'fair price'],
  ['limit', 'max stake', 'largest stake that the books take, in your currency'],
  ['age', 'age', 'age of the oldest price'],
  ['start', 'start', 'start of the game'],
  ['stake', 'stake', 'what to stake with your bankroll'],
];
/** The page is drawn once a second while it is open. */
const SHOWN_MS = 5_000;
const HIDDEN_KEY = 'overround-hidden';

export interface OpportunityTableOptions {
  context: Context;
  source: Pick<OpportunitySource, 'has' | 'state' | 'receivedMs' | 'agesNow'>;
  /** Opens the form of an alert for it. */
  alertOn(row: OpportunityRow): void;
}

export class OpportunityTable {
  readonly #options: OpportunityTableOptions;
  #hidden = hiddenOf(browserStore.getItem(HIDDEN_KEY));
  /** The one that was hidden last can be had back in its place. */
  #justHidden: Hidden | undefined;
  /** The list of what is hidden is open. */
  #listsHidden = false;
  /** Rows as they were when the pointer came, while it stays. */
  #frozen: OpportunityRow[] | undefined;
  /** By what they were chosen. */
  #chosenBy = '';
  #profile: Profile | undefined;
  #shownMax = SHOWN_STEP;
  #rows: OpportunityRow[] = [];
  /** Shown before: anything else is new. */
  #known = new Set<string>();
  #lack = '';
  #lackOf = '';
  readonly #ages: OpportunityAges;
  /** Drawn a moment ago. */
  #drawnMs = Number.NEGATIVE_INFINITY;

  constructor(options: OpportunityTableOptions) {
    this.#options = options;
    onStored(HIDDEN_KEY, (stored) => {
      this.#hidden = hiddenOf(stored);
    });
    const { session, changed } = options.context;
    const isShown = (): boolean => performance.now() - this.#drawnMs < SHOWN_MS;
    const rows = () => (isShown() ? this.#rows : []);
    this.#ages = new OpportunityAges({ session, source: options.source, rows, changed });
  }

  /** Lines are of their place, not of their row: while prices move, texts change and nothing is pushed about. */
  template(table: LiveTable): TemplateResult {
    const { context, source } = this.#options;
    const has = (kind: OpportunityChannel): boolean => source.has(kind);
    const { state, profile } = context;
    const nowMs = context.session.clock.now();
    const hidden = stillHidden(this.#hidden, Date.now());
    const keys = new Set(hidden.map(({ key }) => key));
    const all = rowsOf(table, { ...state, kind: 'all' }, profile, keys, nowMs, this.#ages.of);
    const present = state.kind === 'all' ? all : all.filter(({ kind }) => kind === state.kind);
    this.#drawnMs = performance.now();
    const began = this.#known.size > 0;
    this.#giveWay(state, profile, present);
    const kept = this.#frozen === undefined ? undefined : keptRows(this.#frozen, table, profile);
    this.#rows = kept?.rows ?? present;
    if (this.#frozen !== undefined) this.#frozen = this.#rows;
    const waiting =
      kept === undefined ? 0 : present.filter(({ id }) => !this.#rows.some((row) => row.id === id)).length;
    const shown = this.#rows.slice(0, this.#shownMax);
    const counts = countsOf(all);
    const lacking =
      state.kind === 'all' ? (KINDS.some(has) ? undefined : KINDS[0]) : has(state.kind) ? undefined : state.kind;
    const body =
      lacking !== undefined
        ? html`<p class="empty">${this.#lacking(lacking)}</p>`
        : html`<table class=${`opportunities${shown.some(({ chips }) => chips.length > 0) ? ' noted' : ''}`}><thead><tr>${HEADS.map((head) => this.#head(head, state))}<th scope="col"><span class="unseen">actions</span></th></tr></thead>
        <tbody @keydown=${this.#onKey}>${shown.map((row, i) => this.#row(row, i, kept?.ended.has(row.id) !== true, began && !this.#known.has(row.id)))}</tbody></table>${shown.length === 0 ? html`<p class="empty">${source.state === 'connecting' ? 'Loading opportunities: the first come within a few seconds' : this.#none(table)}</p>` : nothing}${this.#more()}`;
    if (this.#frozen === undefined) this.#known = new Set(present.map(({ id }) => id));
    return html`<div class="table-bar"><div role="tablist" aria-label="Kinds of opportunities">${tabs(
      KIND_CHOICES.map((kind) => ({
        name: KIND_NAMES[kind],
        count: counts[kind],
        selected: kind === state.kind,
        choose: () => context.go({ kind, open: '' }),
      })),
    )}</div><span class="push quiet" role="status">${this.#frozen === undefined ? '' : `frozen${waiting > 0 ? `, ${waiting} new` : ''}`}</span>
      ${hidden.length > 0 ? html`<button type="button" aria-expanded=${this.#listsHidden} @click=${this.#toggleHidden}>${hidden.length} hidden</button>` : nothing}
      <button type="button" class="toggle" aria-pressed=${state.sure === 'guaranteed'} title="only what loses on no result of a game that is played"
        @click=${() => context.go({ sure: state.sure === 'guaranteed' ? 'any' : 'guaranteed' })}>guaranteed</button>
      <button type="button" @click=${this.#download}>CSV</button></div>
      ${this.#hiddenTemplate(hidden, nowMs)}
      <div class="scroll" tabindex="0" role="region" aria-label="Table of opportunities" @pointerenter=${this.#freeze} @pointerleave=${this.#thaw} @focusin=${this.#freezeAt} @focusout=${this.#thaw}>${body}</div>`;
  }

  /** Another choice is meant to be seen at once, also under the pointer. */
  #giveWay(state: ScreenState, profile: Profile, present: OpportunityRow[]): void {
    const chosenBy = JSON.stringify([...DECIDING, 'kind' as const, 'order' as const].map((name) => state[name]));
    if (chosenBy !== this.#chosenBy || profile !== this.#profile) {
      if (this.#frozen !== undefined) this.#frozen = present;
      this.#shownMax = SHOWN_STEP;
    }
    this.#chosenBy = chosenBy;
    this.#profile = profile;
  }

  /** Nothing at all, or nothing that fits. */
  #none(table: LiveTable): string {
    const { state } = this.#options.context;
    const kinds: readonly OpportunityChannel[] = state.kind === 'all' ? KINDS : [state.kind];
    const all = kinds.reduce((sum, kind) => sum + table.opportunities[kind].size, 0);
    return all === 0 ? 'None at the moment: they appear here as prices move.' : `None of ${all} fits these filters.`;
  }

  #more(): TemplateResult | typeof nothing {
    const rest = this.#rows.length - this.#shownMax;
    if (rest <= 0) return nothing;
    const more = (): void => {
      this.#shownMax += SHOWN_STEP;
      this.#options.context.changed();
    };
    return html`<p class="empty">The first ${this.#shownMax} of ${this.#rows.length} are shown. <button type="button" @click=${more}>${Math.min(rest, SHOWN_STEP)} more</button></p>`;
  }

  #head([order, name, title]: (typeof HEADS)[number], state: ScreenState): TemplateResult {
    const is = state.order.replace(/^-/, '') === order;
    const ascending = state.order.startsWith('-');
    return html`<th scope="col" class=${`of-${order}`} title=${title} aria-sort=${is ? (ascending ? 'ascending' : 'descending') : 'none'}><button type="button"
      @click=${() => this.#sort(is && !ascending ? `-${order}` : order)}>${name}${is ? (ascending ? ' ▴' : ' ▾') : ''}</button></th>`;
  }

  #sort(order: string): void {
    this.#options.context.go({ order });
  }

  #row(row: OpportunityRow, i: number, alive: boolean, fresh: boolean): TemplateResult {
    const { context, alertOn } = this.#options;
    const { session, state, profile } = context;
    const { kind, item, play, evaluation, fair, limit, more, id, chips } = row;
    const nowMs = session.clock.now();
    const ageMs = this.#ages.of(row);
    const short = (leg: Leg): string =>
      `${session.shortOf(bookOf(leg, profile))}${leg.books.length > 1 ? `+${leg.books.length - 1}` : ''}`;
    const books = play.legs.map(short).join(' / ');
    const names = play.legs.map((leg) => leg.books.map(session.nameOf).join(' or ')).join(' / ');
    const bets = play.legs.map(({ outcome }) => outcome).join(' / ');
    const game = gameText(item.event_name);
    const when = item.is_live ? 'live' : item.start_time === null ? '' : timeText(item.start_time, nowMs);
    const taken = context.isOnTicket(id);
    const name = [
      alive ? '' : 'dead',
      fresh ? 'fresh' : '',
      taken ? 'taken' : '',
      ageMs > (item.is_live ? FRESH_LIVE_MS : FRESH_MS) ? 'old' : '',
    ];
    return html`<tr class=${name.filter(Boolean).join(' ')} data-id=${id} tabindex=${i === 0 ? 0 : -1} aria-selected=${taken} @click=${() => context.addOpportunity(kind, item)}>
      <td class="of-kind">${KIND_SHORT[kind]}</td>
      <td class=${`of-edge ${kind}`} title=${edgeTitle(row)}><b>${edgeText(row)}</b><small class="under">${KIND_SHORT[kind]}</small></td>
      <td class="of-event" title=${item.event_name}><bdi>${game}</bdi></td>
      <td class="of-market" title=${`${words(item.market_type)}: ${bets}`}><div class=${chips.length === 0 ? 'bets roomy' : play.legs.length > 1 ? 'bets roomy pair' : 'bets'}><span class="quiet">${shortMarket(item.market_type)}</span>${play.legs.map((leg, at) => betTemplate(leg, play.legs[at - 1], item))}</div><small class="under where" title=${item.event_name}><bdi class="whole">${game}</bdi><bdi class="short">${shortTeam(item.away_team, item.event_id, 'away')} @ ${shortTeam(item.home_team, item.event_id, 'home')}</bdi>${when === '' ? nothing : html`<span class="when"> · ${when}</span>`}</small>${chips.length === 0 ? nothing : html`<small class="under marks">${chipTemplates(chips.slice(0, 1))}</small>`}</td>
      <td class="of-price">${play.legs.map((leg) => priceText(leg, state.format)).join(' / ')}<small class="under" title=${names}>${books}${more > 0 ? ` +${more}` : ''}</small></td>
      <td class="of-book" title=${names}>${play.legs.map((leg) => bookTile(bookOf(leg, profile)))} ${books}${more > 0 ? html` <small>+${more}</small>` : nothing}</td>
      <td class="of-notes" title=${chips.map(({ text }) => text).join(', ')}>${chipTemplates(chips.slice(0, CHIPS_SHOWN))}${chips.length > CHIPS_SHOWN ? html` <small>+${chips.length - CHIPS_SHOWN}</small>` : nothing}</td>
      <td class="of-fair">${fair === null ? '' : priceText({ decimal: fair }, state.format)}</td>
      <td class="of-limit">${limit === null ? '' : moneyOf(limit)}</td>
      <td class="of-age">${ageText(ageMs)}</td>
      <td class=${`of-start${item.is_live ? ' live' : ''}`}>${when}</td>
      <td class="of-stake" title=${evaluation.lacking.length > 0 ? `no rate for ${evaluation.lacking.join(', ')}` : profile.currency}>${evaluation.plan.cost > 0 ? moneyOf(evaluation.plan.cost) : ''}</td>
      <td class="acts"><button type="button" tabindex="-1" title="its page (o)" aria-label="its page" @click=${stop(() => this.#open(row))}>⤢</button><button type="button" tabindex="-1" title="alert on such" aria-label="alert on such" @click=${stop(() => alertOn(row))}>!</button><button
        type="button" tabindex="-1" title="hide for a day (x)" aria-label="hide for a day" @click=${stop(() => this.#hide(row))}>×</button></td></tr>`;
  }

  /** Its page: what it says, the prices around it, and later how it closed and ended. */
  #open({ id, item }: OpportunityRow): void {
    const { context } = this.#options;
    context.go({ view: 'event', event: item.event_id, eventMarket: item.market_type, open: id });
  }

  #hide(row: OpportunityRow): void {
    const { kind, item, play } = row;
    const bets = play.legs.map(({ outcome }) => outcome).join(' / ');
    const key = hideKey(kind, item);
    this.#setHidden(hide(this.#hidden, key, `${KIND_NAMES[kind]} ${bets}, ${item.event_name}`, Date.now()));
    this.#justHidden = this.#hidden[0];
    const isOther = (one: OpportunityRow): boolean => hideKey(one.kind, one.item) !== key;
    // Of both: the pointer may come before it is drawn, and what is frozen then is what was drawn last.
    this.#rows = this.#rows.filter(isOther);
    this.#frozen = this.#frozen?.filter(isOther);
  }

  #setHidden(hidden: Hidden[]): void {
    this.#hidden = hidden;
    this.#justHidden = undefined;
    browserStore.setItem(HIDDEN_KEY, JSON.stringify(hidden));
    this.#options.context.changed();
  }

  #unhide(key: string): void {
    this.#setHidden(this.#hidden.filter((one) => one.key !== key));
    if (this.#hidden.length === 0) this.#listsHidden = false;
  }

  readonly #toggleHidden = (): void => {
    this.#listsHidden = !this.#listsHidden;
    this.#justHidden = undefined;
    this.#options.context.changed();
  };

  #hiddenTemplate(hidden: readonly Hidden[], nowMs: number): TemplateResult | typeof nothing {
    const just = this.#justHidden;
    if (!this.#listsHidden || hidden.length === 0)
      return just === undefined
        ? nothing
        : html`<p class="done" role="status"><span>Hidden for a day: <bdi>${just.text}</bdi></span> <button type="button" @click=${() => this.#unhide(just.key)}>undo</button></p>`;
    return html`<div class="done hidden-list"><b>Hidden</b><ul class="plain">${hidden.map(
      ({ key, text, untilMs }) =>
        html`<li><bdi>${text}</bdi> <small>until ${timeText(new Date(untilMs).toISOString(), nowMs)}</small> <button type="button" class="link" aria-label=${`show ${text} again`} @click=${() => this.#unhide(key)}>show</button></li>`,
    )}</ul><button type="button" @click=${() => {
      this.#setHidden([]);
      this.#listsHidden = false;
    }}>show all</button></div>`;
  }

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
    // By its place: of one that was just hidden, the next one's contents are still to come into the line.
    const row = line === null ? undefined : this.#rows[line.sectionRowIndex];
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
      // Lines stay, and the next one's contents come into this.
      if (line.nextElementSibling === null && line.previousElementSibling instanceof HTMLElement)
        line.previousElementSibling.focus();
      this.#hide(row);
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

const stop =
  (run: () => void) =>
  (event: Event): void => {
    event.stopPropagation();
    run();
  };

/** In the number language of its kind: what is won, what is locked, what it costs. */
function edgeText({ kind, edge, item }: OpportunityRow): string {
  if (kind === 'low_hold') return `costs ${(-edge).toFixed(1)} %`;
  if (kind === 'middles') {
    const { middle_probability, best_case_profit, worst_case_loss } = item as OpportunityItems['middles'];
    return `${Math.round(middle_probability * 100)} % of ${whole(best_case_profit)}, worst ${whole(worst_case_loss)}`;
  }
  const text = edge.toFixed(Math.abs(edge) < 1 ? 2 : 1);
  if (kind === 'arbitrage') return `${text} %`;
  return `${edge >= 0.005 ? '+' : ''}${text} %`;
}

const whole = (percent: number | null): string =>
  percent === null ? '?' : `${percent >= 0.5 ? '+' : ''}${Math.round(percent) + 0}`;

function edgeTitle({ kind, edge, item }: OpportunityRow): string {
  const exact = `${edge.toFixed(2)} %`;
  if (kind === 'low_hold') return `costs ${(-edge).toFixed(2)} % of the stake, whichever wins`;
  if (kind === 'arbitrage') return `${exact} of the stake is left on every result but those in the notes`;
  if (kind === 'ev') return `expected profit ${exact} of the stake`;
  const { middle_probability } = item as OpportunityItems['middles'];
  return `expected profit ${exact}: both win ${(middle_probability * 100).toFixed(1)} % of the time`;
}

/** One of the bets; a team by its short name where there is no room. */
function betTemplate(
  { outcome }: Leg,
  before: Leg | undefined,
  { away_team, home_team, event_id }: OpportunityRow['item'],
): TemplateResult {
  const [who, tail] = outcomeParts(outcome);
  // Of one player or team: the name is said once.
  if (before !== undefined && outcomeParts(before.outcome)[0] === who)
    return html`<span> / </span><bdi><span>${tail.trimStart()}</span></bdi>`;
  const side = who === home_team ? 'home' : who === away_team ? 'away' : undefined;
  const short = side === undefined ? who : shortTeam(who, event_id, side);
  const name =
    short === who
      ? html`<span>${who}</span>`
      : html`<span class="whole">${who}</span><span class="short">${short}</span>`;
  return html`${before === undefined ? ' ' : html`<span> / </span>`}<bdi>${name}<span>${tail}</span></bdi>`;
}

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
