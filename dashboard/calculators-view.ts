// Calculators that need no opportunity: what is typed stays in this browser, and every answer is computed as the ticket's.
import { html, nothing, type TemplateResult } from 'lit-html';
import { amountField } from './amount-field.js';
import { browserStore } from './browser-store.js';
import type { Context } from './context.js';
import { arbitrage, fairByAll, freeBet, hedge, holdOf, parlay, parsePrices } from './model/calculators.js';
import { ODDS_FORMATS, type OddsFormat, priceText, signedText, words } from './model/odds-format.js';
import type { Plan } from './model/stakes.js';

const STORAGE_KEY = 'overround-calculators';
const DEFAULTS = {
  odds: '-110',
  arbitrage: '+105 / +102',
  arbitrageTotal: '1000',
  hedge: '+300',
  hedgeStake: '100',
  hedgeOthers: '-200',
  free: '+400',
  freeValue: '50',
  freeOthers: '-450',
  parlay: '-110 / +150 / -105',
  parlayStake: '100',
  devig: '-115 / -105',
};
type Name = keyof typeof DEFAULTS;
/** Fields of one price, and what they are called. */
const SINGLE: Partial<Record<Name, string>> = { hedge: 'at', free: 'at', odds: 'price' };
const NO_PRICE = 'Prices are +105, -110, 2.05 or 52.4%, with a space or / between them.';

export class CalculatorsView {
  readonly #context: Context;
  #given: Record<Name, string> = { ...DEFAULTS, ...storedOf(browserStore.getItem(STORAGE_KEY)) };

  constructor(context: Context) {
    this.#context = context;
  }

  template(): TemplateResult {
    return html`<section id="calculators-view" class="pane page scroll" aria-label="Calculators" tabindex="0" data-focus><h2>Calculators</h2>
      <p class="quiet">For prices of your own; to the cent, before commission. ${this.#context.profile.currency === 'USD' ? nothing : `Amounts are ${this.#context.profile.currency}.`}</p>
      <div class="cards">${this.#arbitrage()}${this.#hedge()}${this.#freeBet()}${this.#parlay()}${this.#odds()}${this.#devig()}</div></section>`;
  }

  #set(name: Name, value: string): void {
    this.#given = { ...this.#given, [name]: value };
    browserStore.setItem(STORAGE_KEY, JSON.stringify(this.#given));
    this.#context.changed();
  }

  #card(name: string, about: string, fields: unknown, answer: unknown): TemplateResult {
    return html`<section class="card" aria-label=${name}><h3>${name}</h3><p class="quiet">${about}</p><div class="fields">${fields}</div><div class="answer" aria-live="polite">${answer}</div></section>`;
  }

  #prices(name: Name, label = SINGLE[name]): TemplateResult {
    return html`<label>${label} <input type="text" autocomplete="off" name=${name} .value=${this.#given[name]} @input=${(event: Event) => this.#set(name, (event.target as HTMLInputElement).value)}></label>`;
  }

  #amount(name: Name, label: string): TemplateResult {
    return html`<label>${label} ${amountField({ name, value: Number(this.#given[name]), min: 0, max: 1e9, set: (value = 0) => this.#set(name, String(value)) })}</label>`;
  }

  /** The answer for these prices, or why there is none. */
  #of(names: readonly Name[], answer: (...prices: number[][]) => unknown, least = 1): unknown {
    const read = names.map((name) => parsePrices(this.#given[name], this.#context.state.format));
    if (read.some((prices) => prices === undefined)) return html`<p class="warn">${NO_PRICE}</p>`;
    const prices = read as number[][];
    const full = names.find((name, i) => name in SINGLE && prices[i]!.length > 1);
    if (full !== undefined) return html`<p class="warn">"${SINGLE[full]}" takes one price.</p>`;
    return prices.flat().length < least ? html`<p class="quiet">At least ${least} prices.</p>` : answer(...prices);
  }

  #arbitrage(): TemplateResult {
    return this.#card(
      'Arbitrage',
      'Prices of all outcomes, each at its best book: the same is left whichever wins.',
      html`${this.#prices('arbitrage', 'prices')}${this.#amount('arbitrageTotal', 'stake in all')}`,
      this.#of(
        ['arbitrage'],
        (prices) => html`${this.#plan(arbitrage(prices, Number(this.#given.arbitrageTotal)), prices)}
          <p class="quiet">hold ${holdOf(prices).toFixed(2)} %</p>`,
        2,
      ),
    );
  }

  #hedge(): TemplateResult {
    return this.#card(
      'Hedge',
      'A bet that stands, and the prices of all other outcomes now.',
      html`${this.#amount('hedgeStake', 'I have')}${this.#prices('hedge')}${this.#prices('hedgeOthers', 'the rest at')}`,
      this.#of(['hedge', 'hedgeOthers'], ([price = 2], others = []) =>
        this.#plan(hedge(Number(this.#given.hedgeStake), price, others), [price, ...others]),
      ),
    );
  }

  #freeBet(): TemplateResult {
    return this.#card(
      'Free bet',
      'Its stake is not returned: long prices turn more of it into money.',
      html`${this.#amount('freeValue', 'free bet of')}${this.#prices('free')}${this.#prices('freeOthers', 'the rest at')}`,
      this.#of(['free', 'freeOthers'], ([price = 2], others = []) => {
        const value = Number(this.#given.freeValue);
        const plan = freeBet(value, price, others);
        return html`${this.#plan(plan, [price, ...others])}<p class="quiet">${value > 0 ? `${((plan.worst / value) * 100).toFixed(1)} % of the free bet is kept` : ''}</p>`;
      }),
    );
  }

  #parlay(): TemplateResult {
    return this.#card(
      'Parlay',
      'Bets that must all win.',
      html`${this.#prices('parlay', 'prices')}${this.#amount('parlayStake', 'stake')}`,
      this.#of(['parlay'], (prices) => {
        const decimal = parlay(prices);
        const stake = Number(this.#given.parlayStake);
        return html`<dl class="figures"><div><dt>price</dt><dd>${this.#price(decimal)}</dd></div><div><dt>pays</dt><dd>${(stake * decimal).toFixed(2)}</dd></div><div><dt>wins</dt><dd>${signedText(stake * (decimal - 1))}</dd></div></dl>`;
      }),
    );
  }

  #odds(): TemplateResult {
    return this.#card(
      'Odds',
      'One price in every format.',
      this.#prices('odds'),
      this.#of(
        ['odds'],
        ([decimal = 2]) =>
          html`<dl class="figures">${ODDS_FORMATS.map((format) => html`<div><dt>${format}</dt><dd>${this.#price(decimal, format)}</dd></div>`)}</dl>`,
      ),
    );
  }

  /** Methods beside each other. */
  #devig(): TemplateResult {
    return this.#card(
      'Without margin',
      "One book's prices of all outcomes: what is fair by each method. The worst case is the least favourable of them for each outcome.",
      this.#prices('devig', 'prices'),
      this.#of(
        ['devig'],
        (prices) => {
          const all = fairByAll(prices);
          const row = (name: string, fair: readonly number[]): TemplateResult =>
            html`<tr><th scope="row">${name}</th>${fair.map((chance) => html`<td>${(chance * 100).toFixed(2)} % <small>${this.#price(1 / chance)}</small></td>`)}</tr>`;
          return html`<table class="results"><thead><tr><th scope="col">method</th>${prices.map((price) => html`<th scope="col" class="number">${this.#price(price)}</th>`)}</tr></thead>
            <tbody>${all.map(({ method, fair }) => row(words(method), fair))}</tbody></table><p class="quiet">hold ${holdOf(prices).toFixed(2)} %</p>`;
        },
        2,
      ),
    );
  }

  #price(decimal: number, format: OddsFormat = this.#context.state.format): string {
    return priceText({ decimal }, format);
  }

  #plan({ stakes, worst, worstPercent, cost }: Plan, prices: readonly number[]): TemplateResult {
    return html`<table class="results"><tbody>${stakes.map((stake, i) => html`<tr><th scope="row">stake at ${this.#price(prices[i]!)}</th><td>${stake.toFixed(2)}</td></tr>`)}
      <tr><th scope="row">costs</th><td>${cost.toFixed(2)}</td></tr>
      <tr><th scope="row">left at worst</th><td class=${worst >= 0 ? 'gain' : 'loss'}>${signedText(worst)}${worstPercent === null ? '' : ` (${worstPercent.toFixed(2)} %)`}</td></tr></tbody></table>`;
  }
}

function storedOf(text: string | null): Partial<Record<Name, string>> {
  try {
    const read = JSON.parse(text ?? '{}') as Record<string, unknown>;
    return Object.fromEntries(
      Object.keys(DEFAULTS).flatMap((name) => (typeof read[name] === 'string' ? [[name, read[name]]] : [])),
    );
  } catch {
    // Written by another program.
    return {};
  }
}
