// The right of the desk: a ticket that stays. What is on it is priced live; it warns when a price moved or went, splits
// the stakes, opens each book's own page, and keeps placed bets until their result.
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { OddsRow } from '../src/client/client.js';
import type { Context } from './context.js';
import { betHref } from './dom.js';
import { LiveBoard } from './live-board.js';
import type { Leg } from './model/legs.js';
import { ageText, moneyText, percentText, priceText, words } from './model/odds-format.js';
import { termsOf } from './model/profile.js';
import { bookOf, type Reckoning, reckon, type Terms } from './model/reckon.js';
import { gradesText } from './model/results.js';
import { effectiveDecimal } from './model/stakes.js';
import {
  ENTRIES_MAX,
  entriesOf,
  type LegNow,
  legNow,
  type PlacedBet,
  playNow,
  type TicketEntry,
} from './model/ticket.js';
import { PlacedBets } from './placed-bets.js';

const STORAGE_KEY = 'overround-ticket';
const STATUS: Readonly<Record<LegNow['status'], string>> = {
  open: '',
  moved: 'moved',
  suspended: 'suspended: no bets now',
  gone: 'gone: the book lists it no more',
  unknown: '',
};

export class Ticket {
  readonly #context: Context;
  readonly #placed: PlacedBets;
  #entries = entriesOf(localStorage.getItem(STORAGE_KEY));
  readonly #terms = new Map<string, Terms[]>();
  #live: LiveBoard | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.#placed = new PlacedBets(context);
    this.#point();
  }

  get count(): number {
    return this.#entries.length;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0 && this.#placed.isEmpty;
  }

  has(id: string): boolean {
    return this.#entries.some((entry) => entry.id === id);
  }

  /** Adds it, or takes it off again. */
  toggle(entry: TicketEntry): void {
    const has = this.has(entry.id);
    const rest = this.#entries.filter(({ id }) => id !== entry.id);
    this.#set(has ? rest : [entry, ...rest].slice(0, ENTRIES_MAX));
    const what = entry.play.legs.map(({ outcome }) => outcome).join(', ');
    this.#context.tell(has ? `Off the ticket: ${what}` : `On the ticket: ${what}`);
  }

  #set(entries: TicketEntry[]): void {
    this.#entries = entries;
    localStorage.setItem(STORAGE_KEY, JSON.stringify(entries));
    this.#point();
    this.#context.changed();
  }

  /** Only the rows of its own games and markets are asked for; of all books where one price has to have a fair one. */
  #point(): void {
    if (this.#entries.length === 0) {
      this.#live?.close();
      this.#live = undefined;
      return;
    }
    const { session, refused, changed } = this.#context;
    const all = <T>(of: (entry: TicketEntry) => T[]): T[] => [...new Set(this.#entries.flatMap(of))].sort();
    this.#live ??= new LiveBoard({ session, onChange: changed, onState: changed, onRefused: refused });
    this.#live.point({
      eventIds: all(({ eventId }) => [eventId]),
      markets: all(({ market }) => [market]),
      ...(this.#entries.some(({ play }) => play.kind === 'single')
        ? {}
        : { sportsbooks: all(({ play }) => play.legs.flatMap(({ books }) => books)) }),
    });
  }

  template(): TemplateResult {
    this.#live?.board.setTerms(termsOf(this.#context.profile));
    return html`<div class="ticket-head"><h2>Ticket</h2>${
      this.#entries.length > 1 ? html`<button type="button" @click=${() => this.#set([])}>clear</button>` : nothing
    }</div>
    <div class="scroll" tabindex="0" role="region" aria-label="On the ticket">
      ${
        this.#entries.length === 0
          ? html`<p class="empty">Click a price or an opportunity, or press <kbd>t</kbd> on it: it is priced live here, with what to stake.</p>`
          : html`<ul class="plain">${repeat(
              this.#entries,
              ({ id }) => id,
              (entry) => this.#entry(entry),
            )}</ul>`
      }${this.#placed.template()}</div>`;
  }

  #entry(entry: TicketEntry): TemplateResult {
    const { profile, session } = this.#context;
    const source = this.#live?.source;
    const isComplete = source?.isComplete === true && source.state !== 'lost';
    const known = { rows: source?.rows ?? new Map(), isComplete };
    const legs = entry.play.legs.map((leg) => legNow(entry, leg, known, profile));
    const terms = this.#terms.get(entry.id) ?? [];
    const board = isComplete ? this.#live?.board : undefined;
    const play = playNow(entry, legs, board, this.#context.standing(entry.id), session.clock.now());
    const reckoning = reckon(play, profile, terms);
    const over = legs.some(({ status }) => status === 'gone' || status === 'suspended');
    const isOpen = legs.every(({ status }) => status === 'open' || status === 'moved');
    return html`<li class=${`entry${over ? ' over' : ''}`}>
      <div class="entry-head"><div><b>${entry.eventName}</b><small>${words(entry.market)}${entry.play.kind === 'single' ? '' : ` · ${words(entry.play.kind)}`}</small></div>
        <button type="button" class="icon" aria-label=${`take ${entry.eventName} off the ticket`} @click=${() => this.toggle(entry)}>×</button></div>
      ${over ? html`<p class="warn" role="status">Not all of it can be bet now.</p>` : nothing}
      <ul class="plain">${legs.map((leg, i) => this.#leg(entry, leg, i, reckoning, terms[i]))}</ul>
      ${this.#summary(entry, reckoning)}
      ${this.#results(entry, reckoning)}
      <div class="row">${[false, true].map(
        (isPaper) =>
          html`<button type="button" ?disabled=${!isOpen || reckoning.plan.cost <= 0 || this.#context.isLost} title=${isPaper ? 'filled from what stands in the table, in your account' : 'I placed it at the book'}
            @click=${() => this.#place(entry, legs, reckoning, isPaper)}>${isPaper ? 'paper' : 'placed'}</button>`,
      )}</div>
    </li>`;
  }

  #leg(
    entry: TicketEntry,
    { leg, status, row, others }: LegNow,
    i: number,
    reckoning: Reckoning,
    terms: Terms = {},
  ): TemplateResult {
    const { session, state, profile, isLost } = this.#context;
    const before = entry.play.legs[i]!;
    const bet = reckoning.bets[i]!;
    const stake = reckoning.plan.stakes[i]!;
    const book = bookOf(leg, profile);
    const effective = effectiveDecimal(bet);
    const facts = [
      leg.isLay ? `liability; the backer's stake is ${moneyText(stake / (leg.decimal - 1))}` : '',
      !leg.isLay && Math.abs(effective - leg.decimal) > 1e-9
        ? `worth ${priceText({ decimal: effective }, state.format)} to you`
        : '',
      bet.cap === null ? 'limit unknown' : `limit ${moneyText(bet.cap)}`,
      row === undefined ? '' : `changed ${ageText(session.clock.now() - Date.parse(row.odds_changed_at))} ago`,
    ].filter(Boolean);
    const canBet = !isLost && (status === 'open' || status === 'moved');
    return html`<li class="bet">
      <div class="bet-line"><span>${leg.outcome}</span><span>${
        status === 'moved' ? html`<s>${priceText(before, state.format)}</s> ` : nothing
      }<b class=${status === 'moved' ? (leg.decimal > before.decimal ? 'gain' : 'loss') : ''}>${priceText(leg, state.format)}</b></span></div>
      ${STATUS[status] === '' ? nothing : html`<p class="warn" role="status">${STATUS[status]}${status === 'moved' ? html` <button type="button" class="link" @click=${() => this.#accept(entry, i, leg)}>take the new price</button>` : nothing}</p>`}
      <div class="bet-line"><span>${this.#link(book, leg.links[book], canBet)}${others.map((other) => html`, ${this.#other(other, leg, canBet)}`)}</span>
        <output aria-label=${`stake on ${leg.outcome}`}>${moneyText(stake)}</output></div>
      <small>${facts.join(', ')}</small>
      ${row === undefined ? nothing : html`<button type="button" class="link" @click=${() => this.#context.alertOnPrice(row)}>alert on this line</button>`}
      <details><summary>terms</summary><div class="terms">
        <label>most <input type="number" inputmode="decimal" min="0" step="any" .value=${terms.cap === undefined ? '' : String(terms.cap)} @change=${(event: Event) => this.#setTerms(entry, i, { cap: numberOf(event) })}></label>
        ${reckoning.bets.length > 1 ? nothing : html`<label>stake <input type="number" inputmode="decimal" min="0" step="any" placeholder="by Kelly" .value=${terms.stake === undefined ? '' : String(terms.stake)} @change=${(event: Event) => this.#setTerms(entry, i, { stake: numberOf(event) })}></label>`}
        <label>boost % <input type="number" inputmode="decimal" min="0" max="1000" step="any" .value=${terms.boostPercent === undefined ? '' : String(terms.boostPercent)} @change=${(event: Event) => this.#setTerms(entry, i, { boostPercent: numberOf(event) ?? 0 })}></label>
        <label><input type="checkbox" .checked=${bet.isFree} @change=${(event: Event) => this.#setTerms(entry, i, { isFree: (event.target as HTMLInputElement).checked })}> free bet</label>
      </div></details></li>`;
  }

  #link(book: string, address: string | null | undefined, canBet: boolean): TemplateResult {
    const name = this.#context.session.nameOf(book);
    const href = betHref(address);
    if (href === null || !canBet) return html`${name}`;
    return html`<a href=${href} target="_blank" rel="noopener noreferrer">bet at ${name}</a>`;
  }

  /** Another book that had the price, with the price it has now if that is another one. */
  #other({ sportsbook, is_active, ...row }: OddsRow, leg: Leg, canBet: boolean): TemplateResult {
    const price = { decimal: row.odds_decimal, american: row.odds_american };
    const now = is_active
      ? price.decimal === leg.decimal
        ? ''
        : priceText(price, this.#context.state.format)
      : 'suspended';
    return html`${this.#link(sportsbook, leg.links[sportsbook], canBet && is_active)}${now === '' ? nothing : html` <small>${now}</small>`}`;
  }

  #summary({ play }: TicketEntry, { edge, plan }: Reckoning): TemplateResult {
    const figures: [string, string, string][] =
      play.legs.length === 1
        ? [
            [
              'edge',
              edge !== null ? percentText(edge) : play.kind === 'ev' ? 'above fair no more' : 'no fair price',
              edge === null ? 'quiet' : edge >= 0 ? 'gain' : 'loss',
            ],
            ['stake', moneyText(plan.cost), ''],
          ]
        : [
            ['staked', moneyText(plan.cost), ''],
            ['at worst', moneyText(plan.worst), plan.worst >= 0 ? 'gain' : 'loss'],
            ['of the stake', percentText(plan.worstPercent), ''],
          ];
    return html`<dl class="figures">${figures.map(([name, value, className]) => html`<div><dt>${name}</dt><dd class=${className}>${value}</dd></div>`)}</dl>`;
  }

  #results({ play }: TicketEntry, { plan }: Reckoning): TemplateResult | typeof nothing {
    if (plan.cost <= 0) return nothing;
    const names = play.legs.map(({ outcome }) => outcome);
    return html`<details><summary>every result</summary><table class="results"><tbody>${plan.results.map(
      ({ name, grades, profit }) =>
        html`<tr><th scope="row">${name === '' ? nothing : html`<small>${name}</small> `}${gradesText(grades, names)}</th><td class=${profit >= 0 ? 'gain' : 'loss'}>${profit >= 0 ? '+' : ''}${moneyText(profit)}</td></tr>`,
    )}</tbody></table></details>`;
  }

  #accept(entry: TicketEntry, i: number, leg: TicketEntry['play']['legs'][number]): void {
    const legs = entry.play.legs.map((one, at) => (at === i ? leg : one));
    this.#set(this.#entries.map((one) => (one.id === entry.id ? { ...entry, play: { ...entry.play, legs } } : one)));
  }

  #setTerms(entry: TicketEntry, i: number, terms: Terms): void {
    const all = [...(this.#terms.get(entry.id) ?? [])];
    all[i] = { ...all[i], ...terms };
    this.#terms.set(entry.id, all);
    this.#context.changed();
  }

  #place(entry: TicketEntry, legs: readonly LegNow[], { plan }: Reckoning, isPaper: boolean): void {
    if (isPaper && this.#context.account.client === undefined) {
      // It is filled now or not at all.
      this.#context.go({ view: 'bets' });
      this.#context.tell("Paper bets need the account's key: enter it here, then bet again.", true);
      return;
    }
    const at = new Date(this.#context.session.clock.now()).toISOString();
    const bets = legs.map(({ leg, row }, i): PlacedBet => {
      const { outcome, selection, line, american, decimal } = leg;
      const book = bookOf(leg, this.#context.profile);
      const { eventId, eventName, market } = entry;
      const stake = plan.stakes[i]!;
      return {
        oddsId: leg.oddsId ?? row?.id ?? null,
        eventId,
        eventName,
        market,
        outcome,
        selection,
        line,
        book,
        american,
        decimal,
        stake,
        at,
        ...(isPaper ? { isPaper } : {}),
      };
    });
    this.#placed.add(bets);
    this.#set(this.#entries.filter(({ id }) => id !== entry.id));
  }
}

/** Undefined if the field is empty or no amount. */
function numberOf(event: Event): number | undefined {
  const { value } = event.target as HTMLInputElement;
  const given = Number(value);
  return value === '' || !Number.isFinite(given) || given < 0 ? undefined : given;
}
