// One opportunity in detail: why it is one, its bets with link, limit and age, and what to stake where.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { OddsRow, OpportunityChannel, OpportunityItem, OpportunityItems } from '../src/client/client.js';
import { betHref } from './dom.js';
import type { ScreenState } from './model/address.js';
import { explain } from './model/explain.js';
import { decidedChance, type Leg, legsOf } from './model/legs.js';
import { ageText, moneyText, percentText, priceText, timeText, words } from './model/odds-format.js';
import { gradesText, playedResults } from './model/results.js';
import { type Bet, effectiveDecimal, equalReturns, kellyBet, type Plan } from './model/stakes.js';
import type { Session } from './session.js';

const ROWS_EVERY_MS = 10_000;

/** The viewer's settings for one bet; the server's values, or none, by default. */
interface Terms {
  cap?: number | undefined;
  isFree?: boolean;
  boostPercent?: number;
}

export interface DetailOptions {
  session: Session;
  go(changes: Partial<ScreenState>): void;
}

export class OpportunityDetail {
  readonly #root: HTMLElement;
  readonly #options: DetailOptions;
  #id = '';
  #last: OpportunityItem | undefined;
  #terms = new Map<number, Terms>();
  #rows = new Map<string, OddsRow>();
  #askedMs = Number.NEGATIVE_INFINITY;

  constructor(root: HTMLElement, options: DetailOptions) {
    this.#root = root;
    this.#options = options;
  }

  /** @param item undefined if it is over, or none is open */
  draw(kind: OpportunityChannel, item: OpportunityItem | undefined, state: ScreenState): void {
    if (state.open !== this.#id) {
      this.#id = state.open;
      this.#last = undefined;
      this.#terms = new Map();
      this.#rows = new Map();
      this.#askedMs = Number.NEGATIVE_INFINITY;
    }
    this.#last = item ?? this.#last;
    this.#root.classList.toggle('has-open', state.open !== '');
    if (state.open === '') {
      render(html`<p class="empty">Choose one to see its bets, and what to stake.</p>`, this.#root);
      return;
    }
    const shown = this.#last;
    if (shown === undefined) {
      render(html`${this.#back()}<p class="empty">It is over, or not among what this key sees.</p>`, this.#root);
      return;
    }
    void this.#askRows(kind, shown, state);
    render(this.#template(kind, shown, state, item === undefined), this.#root);
  }

  /** Limits and ages are in the rows. */
  async #askRows(kind: OpportunityChannel, item: OpportunityItem, state: ScreenState): Promise<void> {
    const now = performance.now();
    if (now - this.#askedMs < ROWS_EVERY_MS) return;
    this.#askedMs = now;
    const id = this.#id;
    const books = legsOf(kind, item).flatMap((leg) => leg.books);
    try {
      const { data } = await this.#options.session.client.odds({
        event: item.event_id,
        market: item.market_type,
        sportsbook: [...new Set(books)].join(),
        limit: 200,
      });
      if (id !== this.#id) return;
      this.#rows = new Map(data.map((row) => [row.id, row]));
      this.draw(kind, item, state);
    } catch {
      // Limits are shown as unknown then.
    }
  }

  #back(): TemplateResult {
    return html`<button type="button" class="back" @click=${() => this.#options.go({ open: '' })}>Close</button>`;
  }

  #template(kind: OpportunityChannel, item: OpportunityItem, state: ScreenState, over: boolean): TemplateResult {
    const { session, go } = this.#options;
    const nowMs = session.clock.now();
    const legs = legsOf(kind, item);
    const when = item.is_live ? 'live' : item.start_time === null ? '' : timeText(item.start_time, nowMs);
    return html`${this.#back()}
      <h2>${item.event_name}</h2>
      <p class="quiet">${words(item.league)} · ${words(item.market_type)} · ${when}
        <button type="button" class="link" @click=${() => go({ view: 'event', event: item.event_id, eventMarket: item.market_type })}>all prices</button></p>
      ${over ? html`<p class="warn" role="status">It is over: at least one of these prices is gone.</p>` : nothing}
      <p class="why">${explain(kind, item, state.format, session.nameOf)}</p>
      ${item.warnings.length > 0 ? html`<p class="warn">${item.warnings.map(words).join(', ').toLowerCase()}</p>` : nothing}
      ${this.#calculator(kind, item, legs, state, nowMs)}`;
  }

  #calculator(
    kind: OpportunityChannel,
    item: OpportunityItem,
    legs: Leg[],
    state: ScreenState,
    nowMs: number,
  ): TemplateResult {
    const bets = legs.map((leg, i) => this.#bet(leg, i));
    const options = { bankroll: state.bankroll, rounding: state.rounding };
    const played = playedResults(legs, item);
    const names = legs.map(({ outcome }) => outcome);
    if (kind === 'ev') {
      const decided = decidedChance(item as OpportunityItems['ev']);
      const chances = { fair: legs[0]!.fair ?? 0, decided };
      const single = kellyBet(bets[0]!, chances, state.kelly / 100, options, played);
      return html`${this.#money(state, true)}${this.#legTable(legs, bets, single.plan, state, nowMs)}
        <dl class="outcome"><div><dt>Edge</dt><dd>${percentText(single.edgePercent)}</dd></div>
          <div><dt>Full Kelly</dt><dd>${percentText(single.kelly * 100)}</dd></div>
          <div><dt>Stake</dt><dd>${moneyText(single.stake)}</dd></div>
          <div><dt>Worth</dt><dd>${moneyText(single.expected)}</dd></div></dl>
        ${this.#results(single.plan, names)}`;
    }
    const plan = equalReturns(bets, options, played);
    return html`${this.#money(state, false)}${this.#legTable(legs, bets, plan, state, nowMs)}
      <dl class="outcome"><div><dt>Staked</dt><dd>${moneyText(plan.cost)}</dd></div>
        <div><dt>At worst</dt><dd class=${plan.worst >= 0 ? 'gain' : 'loss'}>${moneyText(plan.worst)}</dd></div>
        <div><dt>of the stakes</dt><dd>${percentText(plan.worstPercent)}</dd></div></dl>
      ${this.#results(plan, names)}
      ${exceptionsOf(item)}`;
  }

  #bet(leg: Leg, i: number): Bet {
    // A lay's net price applies to its liability, which is what is staked.
    const { decimal, commission } = leg.isLay ? { decimal: leg.net, commission: null } : leg;
    const terms = this.#terms.get(i) ?? {};
    return {
      decimal,
      commission,
      cap: terms.cap ?? this.#limitOf(leg),
      isFree: terms.isFree ?? false,
      boostPercent: terms.boostPercent ?? 0,
    };
  }

  #limitOf(leg: Leg): number | null {
    const row = leg.oddsId === null ? undefined : this.#rows.get(leg.oddsId);
    return leg.stakeMax ?? row?.max_bet ?? null;
  }

  #set(i: number, terms: Terms): void {
    this.#terms.set(i, { ...this.#terms.get(i), ...terms });
    this.#options.go({});
  }

  #money(state: ScreenState, kelly: boolean): TemplateResult {
    const { go } = this.#options;
    const number = (label: string, value: number, min: number, set: (value: number) => void): TemplateResult =>
      html`<label>${label}<input type="number" inputmode="decimal" min=${min} step="any" .value=${String(value)}
        @change=${(event: Event) => {
          const given = Number((event.target as HTMLInputElement).value);
          if (Number.isFinite(given) && given >= min) set(given);
        }}></label>`;
    return html`<div class="money">
      ${number('Bankroll', state.bankroll, 0, (bankroll) => go({ bankroll }))}
      ${number('Round to', state.rounding, 0.01, (rounding) => go({ rounding }))}
      ${kelly ? number('Kelly %', state.kelly, 1, (share) => go({ kelly: Math.min(100, share) })) : nothing}
    </div>`;
  }

  #legTable(legs: readonly Leg[], bets: readonly Bet[], plan: Plan, state: ScreenState, nowMs: number): TemplateResult {
    return html`<ul class="legs">${legs.map((leg, i) => this.#leg(leg, i, bets[i]!, plan.stakes[i]!, state, nowMs))}</ul>`;
  }

  #leg(leg: Leg, i: number, bet: Bet, stake: number, state: ScreenState, nowMs: number): TemplateResult {
    const { nameOf } = this.#options.session;
    const row = leg.oddsId === null ? undefined : this.#rows.get(leg.oddsId);
    const changed = !leg.isLay && Math.abs(effectiveDecimal(bet) - leg.decimal) > 1e-9;
    const limit = this.#limitOf(leg);
    const facts = [
      leg.isLay ? `liability; the backer's stake is ${moneyText(stake / (leg.decimal - 1))}` : '',
      changed ? `worth ${priceText({ decimal: effectiveDecimal(bet) }, state.format)} to you` : '',
      limit === null ? 'limit unknown' : `limit ${limit}`,
      row === undefined ? '' : `seen ${ageText(nowMs - Date.parse(row.last_seen_at))} ago`,
      row?.is_active === false ? 'suspended' : '',
    ].filter(Boolean);
    return html`<li>
      <div class="leg-line"><span class="leg-outcome">${leg.outcome}</span>
        <b class="price">${priceText(leg, state.format)}</b></div>
      <div class="leg-line"><span>${leg.books.map((book, at) => html`${at === 0 ? '' : ', '}${this.#bookLink(nameOf(book), leg.links[book])}`)}
        <small class="quiet">${facts.join(', ')}</small></span>
        <output class="stake" aria-label=${`stake on ${leg.outcome}`}>${moneyText(stake)}</output></div>
      <div class="terms">
        <label>most <input type="number" inputmode="decimal" min="0" step="any" placeholder=${limit ?? 'no limit'}
          @change=${(event: Event) => this.#set(i, capOf(event))}></label>
        <label>boost % <input type="number" inputmode="decimal" min="0" max="1000" step="any" placeholder="0"
          @change=${(event: Event) => this.#set(i, { boostPercent: Math.max(0, Number((event.target as HTMLInputElement).value) || 0) })}></label>
        <label><input type="checkbox" .checked=${bet.isFree}
          @change=${(event: Event) => this.#set(i, { isFree: (event.target as HTMLInputElement).checked })}> free bet</label>
      </div></li>`;
  }

  #bookLink(name: string, address: string | null | undefined): TemplateResult {
    const href = betHref(address);
    if (href === null) return html`${name}`;
    return html`<a href=${href} target="_blank" rel="noopener noreferrer">bet at ${name}</a>`;
  }

  #results(plan: Plan, names: readonly string[]): TemplateResult {
    return html`<table class="results"><caption>Result of every outcome</caption><tbody>${plan.results.map(
      ({ name, grades, profit }) =>
        html`<tr><th scope="row">${name === '' ? nothing : html`<small>${name}</small> `}${gradesText(grades, names)}</th><td class=${profit >= 0 ? 'gain' : 'loss'}>${profit >= 0 ? '+' : ''}${moneyText(profit)}</td></tr>`,
    )}</tbody></table>`;
  }
}

/** Results that the lines and prices do not show: rules of settlement that differ between the books. */
function exceptionsOf(item: OpportunityItem): TemplateResult | typeof nothing {
  const exceptions = 'exceptions' in item ? item.exceptions : [];
  if (exceptions.length === 0) return nothing;
  return html`<p class="warn">Settled differently: ${exceptions
    .map(({ result, profit_percent }) => `${result} ${percentText(profit_percent)}`)
    .join(', ')} of the stakes as printed.</p>`;
}

/** An empty field means the known limit. */
function capOf(event: Event): Terms {
  const { value } = event.target as HTMLInputElement;
  const cap = Number(value);
  return { cap: value === '' || !Number.isFinite(cap) || cap < 0 ? undefined : cap };
}
