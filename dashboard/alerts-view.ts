// Alerts: rules by which this page notifies (sound, desktop notification), stored in this browser; and the account's
// own rules, which the server sends to webhooks and chats whether a page is open or not.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { OpportunityChannel, OpportunityItem } from '../src/client/client.js';
import { AccountAlerts } from './account-alerts.js';
import { amountField, amountsOf } from './amount-field.js';
import { browserStore } from './browser-store.js';
import type { Context } from './context.js';
import { onStored } from './dom.js';
import { KINDS } from './model/address.js';
import {
  type AlertRule,
  alertText,
  leastFor,
  RULES_MAX,
  ruleMatches,
  rulesOf,
  unheardText,
} from './model/alert-rules.js';
import { timeText } from './model/odds-format.js';
import { KIND_NAMES } from './opportunity-table.js';
import { PriceAlerts } from './price-alerts.js';

const STORAGE_KEY = 'overround-alerts';
const RECEIVED_MAX = 30;
/** Minimum time between two sounds, ms: a burst is one. */
const QUIET_MS = 2_000;

export class AlertsView {
  readonly #account: AccountAlerts;
  readonly #context: Context;
  #rules = rulesOf(browserStore.getItem(STORAGE_KEY));
  /** Newest first. */
  #received: { text: string; atMs: number }[] = [];
  readonly prices: PriceAlerts;
  /** Reported before: one that changes is not reported again. */
  readonly #known = new Set<string>();
  #soundedMs = Number.NEGATIVE_INFINITY;
  #sound: AudioContext | undefined;
  /** Why a rule was not added. */
  #note = '';

  /** What the form of a new rule begins with. */
  #begun: Pick<AlertRule, 'kind' | 'least' | 'leagues'> = { kind: 'ev', least: 3, leagues: [] };

  constructor(context: Context) {
    this.#context = context;
    this.#account = new AccountAlerts(context);
    onStored(STORAGE_KEY, (stored) => {
      this.#rules = rulesOf(stored);
    });
    this.prices = new PriceAlerts(context, (text, how, tag) => this.#report(text, how, tag));
  }

  /** Whether opportunities have to be heard. */
  get hasRules(): boolean {
    return this.#rules.length > 0;
  }

  /** The form, for opportunities such as this one. */
  begin(kind: OpportunityChannel, item: OpportunityItem, edge: number): void {
    this.#begun = { kind, least: leastFor(kind, edge), leagues: [item.league] };
    this.#context.go({ view: 'alerts' });
  }

  hear(kind: OpportunityChannel, items: readonly OpportunityItem[]): void {
    for (const item of items) {
      if (this.#known.has(item.id)) continue;
      const rules = this.#rules.filter((rule) => ruleMatches(rule, kind, item));
      if (rules.length === 0) continue;
      this.#known.add(item.id);
      if (this.#known.size > 5_000) this.#known.clear();
      const text = alertText(kind, item, this.#context.state.format, this.#context.session.nameOf);
      const how = { sound: rules.some(({ sound }) => sound), notify: rules.some(({ notify }) => notify) };
      this.#report(text, how, item.id);
    }
    this.#context.changed();
  }

  #report(text: string, { sound, notify }: { sound: boolean; notify: boolean }, tag: string): void {
    const atMs = this.#context.session.clock.now();
    this.#received = [{ text, atMs }, ...this.#received].slice(0, RECEIVED_MAX);
    this.#context.tell(text, true);
    if (sound) this.#beep();
    if (notify && 'Notification' in window && Notification.permission === 'granted')
      new Notification('overround', { body: text, tag });
  }

  #beep(): void {
    const now = performance.now();
    if (now - this.#soundedMs < QUIET_MS) return;
    this.#soundedMs = now;
    this.#sound ??= new AudioContext();
    const { currentTime, destination } = this.#sound;
    const tone = this.#sound.createOscillator();
    const gain = this.#sound.createGain();
    gain.gain.setValueAtTime(0.12, currentTime);
    gain.gain.exponentialRampToValueAtTime(0.001, currentTime + 0.35);
    tone.frequency.value = 880;
    tone.connect(gain).connect(destination);
    tone.start();
    tone.stop(currentTime + 0.35);
  }

  #save(rules: AlertRule[]): void {
    this.#rules = rules.slice(0, RULES_MAX);
    browserStore.setItem(STORAGE_KEY, JSON.stringify(this.#rules));
    this.#context.changed();
  }

  template(): TemplateResult {
    const { kind: begun, least, leagues: of } = this.#begun;
    const nowMs = this.#context.session.clock.now();
    return html`<section id="alerts-view" class="pane page scroll" aria-label="Alerts" tabindex="0" data-focus><h2>Alerts in this page</h2>
      <form class="rule" @submit=${(event: SubmitEvent) => this.#add(event)}>
        <label>kind <select name="kind">${KINDS.map((kind) => html`<option value=${kind} .selected=${kind === begun}>${KIND_NAMES[kind]}</option>`)}</select></label>
        <label>from % ${amountField({ name: 'least', value: least, min: -100, max: 1000, isRequired: true })}</label>
        <label>league <select name="league"><option value="">all</option>${this.#context.session.leagues.filter(({ active }) => active).map(({ id, name }) => html`<option value=${id} .selected=${of.includes(id)}>${name}</option>`)}</select></label>
        <label>book <select name="book"><option value="">any</option>${this.#context.session.columns([]).map(({ id, name }) => html`<option value=${id}>${name}</option>`)}</select></label>
        <label>when <select name="live"><option value="all">always</option><option value="live">live</option><option value="prematch">prematch</option></select></label>
        <label><input name="sound" type="checkbox" checked> sound</label>
        <label><input name="notify" type="checkbox"> notification</label>
        <button>Add</button><span role="alert">${this.#note}</span></form>
      ${this.#rules.length === 0 ? html`<p class="quiet">No rules yet. A low hold is heard up to its percent, all others from theirs on.</p>` : nothing}
      <ul class="rules">${this.#rules.map(
        (
          rule,
        ) => html`<li><span>${KIND_NAMES[rule.kind]} ${rule.kind === 'low_hold' ? 'up to' : 'from'} ${rule.least} %${
          rule.leagues.length > 0 ? `, ${rule.leagues.join(', ')}` : ''
        }${rule.books.length > 0 ? `, at ${rule.books.map(this.#context.session.nameOf).join(', ')}` : ''}${
          rule.live === 'all' ? '' : `, ${rule.live}`
        } <small class="quiet">${[rule.sound ? 'sound' : '', rule.notify ? 'notification' : ''].filter(Boolean).join(', ')}</small></span>
        <button type="button" @click=${() => this.#save(this.#rules.filter(({ id }) => id !== rule.id))}>Remove</button></li>`,
      )}</ul>
      <h2>On one line</h2>${this.prices.list()}
      <h2>Received</h2>
      ${
        this.#received.length === 0
          ? html`<p class="quiet">Nothing yet.</p>`
          : html`<ul class="rules">${this.#received.map(
              ({ text, atMs }) =>
                html`<li><span>${text}</span><small class="quiet">${timeText(new Date(atMs).toISOString(), nowMs)}</small></li>`,
            )}</ul>`
      }${this.#account.template()}</section>`;
  }

  #add(event: SubmitEvent): void {
    event.preventDefault();
    const least = amountsOf(event.target as HTMLFormElement)?.['least'];
    if (least === undefined) return;
    const form = new FormData(event.target as HTMLFormElement);
    const text = (name: string): string => String(form.get(name) ?? '');
    const kind = text('kind') as OpportunityChannel;
    this.#note = unheardText(kind, least);
    this.#context.changed();
    if (this.#note !== '') return;
    const some = (value: string): string[] => (value === '' ? [] : [value]);
    const notify = form.has('notify');
    // Browsers ask for permission only after a click, such as this one.
    if (notify && 'Notification' in window && Notification.permission === 'default')
      void Notification.requestPermission();
    if (form.has('sound')) this.#sound ??= new AudioContext();
    this.#save([
      ...this.#rules,
      {
        id: crypto.randomUUID?.() ?? String(performance.now()),
        kind,
        least,
        leagues: some(text('league')),
        books: some(text('book')),
        live: text('live') as AlertRule['live'],
        sound: form.has('sound'),
        notify,
      },
    ]);
  }
}
