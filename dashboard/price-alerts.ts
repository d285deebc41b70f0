// Alerts on one line, begun from its cell: the rows of their games are watched, whichever view is shown, and a price that
// was reached is told once, until it was missed again.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { OddsRow } from '../src/client/client.js';
import { browserStore } from './browser-store.js';
import type { Context } from './context.js';
import { onStored } from './dom.js';
import { priceText, words } from './model/odds-format.js';
import { namesakesOf, outcomeText } from './model/outcome.js';
import { NO_PRICE, parsePrice } from './model/price-input.js';
import { PRICE_RULES_MAX, type PriceRule, priceReached, priceRulesOf, ruleOn, ruleText } from './model/price-rules.js';
import { OddsSource } from './odds-source.js';

const STORAGE_KEY = 'overround-price-alerts';

/** Tells the person at the page. */
export type Report = (text: string, how: { sound: boolean; notify: boolean }, tag: string) => void;

export class PriceAlerts {
  readonly #context: Context;
  readonly #report: Report;
  #rules = priceRulesOf(browserStore.getItem(STORAGE_KEY));
  /** Rules whose price stands. */
  readonly #met = new Set<string>();
  #source: OddsSource | undefined;
  /** What the dialog is about. */
  #begun: OddsRow | undefined;
  #note = '';

  constructor(context: Context, report: Report) {
    this.#context = context;
    this.#report = report;
    onStored(STORAGE_KEY, (stored) => {
      this.#rules = priceRulesOf(stored);
      this.#point();
    });
    this.#point();
  }

  /** Opens the dialog for the outcome and line of this row. */
  begin(row: OddsRow): void {
    this.#begun = row;
    this.#note = '';
    // With what it is about, before it is shown.
    this.#context.draw();
    const dialog = document.querySelector<HTMLDialogElement>('#price-alert');
    dialog?.showModal();
    const price = dialog?.querySelector('input');
    price?.focus();
    price?.select();
  }

  #save(rules: PriceRule[]): void {
    this.#rules = rules.slice(0, PRICE_RULES_MAX);
    browserStore.setItem(STORAGE_KEY, JSON.stringify(this.#rules));
    this.#point();
    this.#context.changed();
  }

  /** Only the games and markets of the rules are asked for. */
  #point(): void {
    if (this.#rules.length === 0) {
      this.#source?.close();
      this.#source = undefined;
      return;
    }
    const { session, refused } = this.#context;
    const all = (of: (rule: PriceRule) => string): string[] => [...new Set(this.#rules.map(of))].sort();
    this.#source ??= new OddsSource({
      session,
      onEvent: () => this.#look(),
      onState: () => undefined,
      onRefused: refused,
    });
    this.#source.point({ eventIds: all(({ eventId }) => eventId), markets: all(({ market }) => market) });
  }

  #look(): void {
    const rows = [...(this.#source?.rows?.values() ?? [])];
    if (this.#source?.isComplete !== true) return;
    const { session, state } = this.#context;
    const namesakes = namesakesOf(rows);
    for (const rule of this.#rules) {
      const reached = rows.filter((row) => priceReached(rule, row, namesakes));
      if (reached.length === 0) this.#met.delete(rule.id);
      if (reached.length === 0 || this.#met.has(rule.id)) continue;
      this.#met.add(rule.id);
      const best = reached.reduce((a, b) => (b.odds_decimal > a.odds_decimal ? b : a));
      const price = priceText({ decimal: best.odds_decimal, american: best.odds_american }, state.format);
      const text = `${ruleText(rule)} ${price} at ${session.nameOf(best.sportsbook)}: ${rule.eventName}`;
      this.#report(text, rule, rule.id);
    }
  }

  dialog(): TemplateResult {
    const row = this.#begun;
    const { session } = this.#context;
    return html`<dialog id="price-alert" aria-labelledby="price-alert-title">${
      row === undefined
        ? nothing
        : html`<form method="dialog" @submit=${(event: SubmitEvent) => this.#add(event, row)}><h2 id="price-alert-title">Alert on ${outcomeText(row)}</h2>
      <p class="quiet">${words(row.market_type)}, ${row.away_team} @ ${row.home_team}. Heard while this page is open.</p>
      <div class="rule"><label>from price <input name="price" required autocomplete="off" .value=${this.#shown(row)}></label>
        <label>at <select name="book"><option value="">any book</option>${session.columns([]).map(({ id, name }) => html`<option value=${id}>${name}</option>`)}</select></label>
        <label><input name="sound" type="checkbox" checked> sound</label><label><input name="notify" type="checkbox"> notification</label></div>
      <p role="alert">${this.#note}</p>
      <div class="row"><button type="button" @click=${(event: Event) => (event.target as HTMLElement).closest('dialog')!.close()}>cancel</button><button>add</button></div></form>`
    }</dialog>`;
  }

  /** The price as it is proposed. */
  #shown({ odds_decimal: decimal, odds_american: american }: OddsRow): string {
    return priceText({ decimal, american }, this.#context.state.format === 'decimal' ? 'decimal' : 'american');
  }

  #add(event: SubmitEvent, row: OddsRow): void {
    const form = new FormData(event.target as HTMLFormElement);
    const given = String(form.get('price'));
    // What was not touched is the price itself, and not what it was rounded to.
    const decimal = given === this.#shown(row) ? row.odds_decimal : parsePrice(given, this.#context.state.format);
    if (decimal === undefined) {
      event.preventDefault();
      this.#note = NO_PRICE;
      this.#context.changed();
      return;
    }
    const notify = form.has('notify');
    // Browsers ask for permission only after a click, such as this one.
    if (notify && 'Notification' in window && Notification.permission === 'default')
      void Notification.requestPermission();
    this.#save([
      ...this.#rules,
      ruleOn(row, {
        id: crypto.randomUUID?.() ?? String(performance.now()),
        book: String(form.get('book')),
        decimal,
        sound: form.has('sound'),
        notify,
      }),
    ]);
    this.#context.tell(`Alert set on ${outcomeText(row)}`);
  }

  list(): TemplateResult {
    const { session, state } = this.#context;
    if (this.#rules.length === 0)
      return html`<p class="quiet">None yet. Press <kbd>a</kbd> on a price, or click it with the right button; on a phone hold it.</p>`;
    return html`<ul class="rules price-rules">${this.#rules.map(
      (
        rule,
      ) => html`<li><span>${ruleText(rule)} from ${priceText({ decimal: rule.decimal }, state.format)} at ${rule.book === '' ? 'any book' : session.nameOf(rule.book)} <small class="quiet">${words(rule.market)}, ${rule.eventName}</small></span>
        <button type="button" @click=${() => this.#save(this.#rules.filter(({ id }) => id !== rule.id))}>Remove</button></li>`,
    )}</ul>`;
  }
}
