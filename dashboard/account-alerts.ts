// The account's alert rules, which the server sends to webhooks and chats whether a page is open or not. They need the
// account's key.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { OverroundClient } from '../src/client/client.js';
import type { Context } from './context.js';
import { words } from './model/odds-format.js';

interface AccountAlert {
  id: string;
  name: string;
  channel: string;
  target: { type: string; url?: string; chat?: string };
  status: { state: string; reason: string | null; delivered: number; queued: number };
}

/** Channel → the field of its minimum edge, or maximum hold. */
const THRESHOLDS: Readonly<Record<string, string | null>> = {
  ev: 'min_ev',
  arbitrage: 'min_profit',
  middles: 'min_size',
  low_hold: 'max_hold',
  moves: 'min_edge',
};
const TARGETS = ['webhook', 'discord', 'slack', 'telegram'];

export class AccountAlerts {
  readonly #context: Context;
  #alerts: AccountAlert[] = [];
  #note = '';

  constructor(context: Context) {
    this.#context = context;
  }

  template(): TemplateResult {
    return html`<h2>Alerts of the account</h2>
      <p class="quiet">Sent by the server to a webhook or a chat, whether this page is open or not.</p>
      ${
        this.#context.account.client === undefined
          ? this.#context.account.form("the account's key", (client) => this.#load(client), this.#context.changed)
          : this.#list()
      }
      ${this.#note === '' ? nothing : html`<p role="status">${this.#note}</p>`}`;
  }

  async #load(client: OverroundClient): Promise<void> {
    this.#alerts = (await client.get<AccountAlert[]>('/account/alerts')).data;
  }

  /** Runs the action and reloads the rules; shows the error if it failed. */
  async #do(work: () => Promise<unknown>): Promise<boolean> {
    let worked = true;
    try {
      await work();
      this.#note = '';
      await this.#load(this.#context.account.client!);
    } catch (error) {
      this.#note = error instanceof Error ? error.message : String(error);
      worked = false;
    }
    this.#context.changed();
    return worked;
  }

  #list(): TemplateResult {
    return html`${this.#alerts.length === 0 ? html`<p class="quiet">There are none.</p>` : nothing}
      <ul class="rules">${this.#alerts.map(
        ({ id, name, channel, target, status }) => html`<li><span>${name}
          <small class="quiet">${words(channel)} to ${target.type}, ${status.state}${status.reason === null ? '' : `: ${status.reason}`}; ${status.delivered} sent, ${status.queued} waiting</small></span>
          <button type="button" @click=${() => void this.#remove(id)}>Remove</button></li>`,
      )}</ul>
      <form class="rule" @submit=${(event: SubmitEvent) => this.#add(event)}>
        <label>name <input name="name" required maxlength="100"></label>
        <label>channel <select name="channel">${Object.keys(THRESHOLDS).map((channel) => html`<option value=${channel}>${words(channel)}</option>`)}</select></label>
        <label>from (low hold: up to) <input name="least" type="number" step="any" placeholder="usual"></label>
        <label>league <select name="league"><option value="">all</option>${this.#context.session.leagues.filter(({ active }) => active).map(({ id, name }) => html`<option value=${id}>${name}</option>`)}</select></label>
        <label>to <select name="type">${TARGETS.map((type) => html`<option value=${type}>${type}</option>`)}</select></label>
        <label>address or chat <input name="address" required></label>
        <label>quiet s <input name="quiet" type="number" min="0" value="0"></label>
        <button>Add</button></form>`;
  }

  #add(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const text = (name: string): string => textOf(form, name);
    const [channel, type, least, league] = [text('channel'), text('type'), text('least'), text('league')];
    const threshold = THRESHOLDS[channel];
    const body = {
      name: text('name'),
      channel,
      ...(least === '' || threshold == null ? {} : { [threshold]: Number(least) }),
      ...(league === '' ? {} : { filters: { leagues: [league] } }),
      target: { type, [type === 'telegram' ? 'chat' : 'url']: text('address') },
      quiet_s: Number(text('quiet')) || 0,
    };
    void this.#do(async () => {
      const { data } = await this.#context.account.client!.post<{ secret?: string | null }>('/account/alerts', body);
      form.reset();
      this.#secret = data.secret ?? '';
    }).then((worked) => {
      if (worked && this.#secret !== '') this.#note = `Its signing secret, shown this once: ${this.#secret}`;
      this.#secret = '';
      this.#context.changed();
    });
  }

  #secret = '';

  #remove(id: string): Promise<boolean> {
    return this.#do(async () => {
      const headers = { 'x-api-key': this.#context.account.key };
      const answer = await fetch(`/api/v1/account/alerts/${encodeURIComponent(id)}`, { method: 'DELETE', headers });
      if (!answer.ok) throw new Error(`it was not removed: HTTP ${answer.status}`);
    });
  }
}

function textOf(form: EventTarget | null, name: string): string {
  return String(new FormData(form as HTMLFormElement).get(name) ?? '').trim();
}
