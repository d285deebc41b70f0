// The account's alert rules, which the server sends to webhooks and chats whether a page is open or not. They need the
// account's key.
import { html, nothing, type TemplateResult } from 'lit-html';
import { TARGET_TYPES } from '../src/base/model/alert.js';
import type { OverroundClient } from '../src/client/client.js';
import { amountField, amountsOf } from './amount-field.js';
import type { Context } from './context.js';
import { words } from './model/odds-format.js';

interface AccountAlert {
  id: string;
  name: string;
  channel: string;
  paused: boolean;
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

export class AccountAlerts {
  readonly #context: Context;
  /** Undefined until they were read. */
  #alerts: AccountAlert[] | undefined;
  /** Whose they are. */
  #client: OverroundClient | undefined;
  #note = '';

  constructor(context: Context) {
    this.#context = context;
  }

  template(): TemplateResult {
    const { client } = this.#context.account;
    // The key may have been entered elsewhere, or be another one.
    if (client !== this.#client) {
      this.#client = client;
      this.#alerts = undefined;
      this.#note = '';
      if (client !== undefined) void this.#do(async () => undefined);
    }
    return html`<h2>Alerts of the account</h2>
      <p class="quiet">Sent by the server to a webhook or a chat, whether this page is open or not.</p>
      ${
        client === undefined
          ? this.#context.account.form("the account's key", (given) => this.#load(given), this.#context.changed)
          : this.#list()
      }
      ${this.#note === '' ? nothing : html`<p role="status">${this.#note}</p>`}`;
  }

  async #load(client: OverroundClient): Promise<void> {
    const { data } = await client.get<AccountAlert[]>('/account/alerts');
    if (client === this.#client) this.#alerts = data;
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
    const alerts = this.#alerts;
    return html`${alerts === undefined ? html`<p class="quiet">Loading</p>` : alerts.length === 0 ? html`<p class="quiet">There are none.</p>` : nothing}
      <ul class="rules">${(alerts ?? []).map(
        ({ id, name, channel, target, status, paused }) => html`<li><span>${name}
          <small class="quiet">${words(channel)} to ${target.type}, ${status.state}${status.reason === null ? '' : `: ${status.reason}`}; ${status.delivered} sent, ${status.queued} waiting</small></span>
          <span class="row"><button type="button" title="sends an example to its target now" @click=${() => void this.#test(id, name)}>Test</button>
          <button type="button" @click=${() => void this.#do(() => this.#send('PATCH', id, { paused: !paused }))}>${paused ? 'Resume' : 'Pause'}</button>
          <button type="button" @click=${() => this.#edit(id)}>Edit</button>
          <button type="button" @click=${() => void this.#do(() => this.#send('DELETE', id))}>Remove</button></span>${this.#edited === id ? this.#editor(id, name, channel) : nothing}</li>`,
      )}</ul>
      <form class="rule" @submit=${(event: SubmitEvent) => this.#add(event)}>
        <label>name <input name="name" required maxlength="100"></label>
        <label>channel <select name="channel">${Object.keys(THRESHOLDS).map((channel) => html`<option value=${channel}>${words(channel)}</option>`)}</select></label>
        <label>from (low hold: up to) ${amountField({ name: 'least', value: undefined, placeholder: 'usual' })}</label>
        <label>league <select name="league"><option value="">all</option>${this.#context.session.leagues.filter(({ active }) => active).map(({ id, name }) => html`<option value=${id}>${name}</option>`)}</select></label>
        <label>to <select name="type">${TARGET_TYPES.map((type) => html`<option value=${type}>${type}</option>`)}</select></label>
        <label>address or chat <input name="address" required></label>
        <label>quiet s ${amountField({ name: 'quiet', value: 0, min: 0 })}</label>
        <button>Add</button></form>`;
  }

  #add(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const text = (name: string): string => textOf(form, name);
    const amounts = amountsOf(form);
    if (amounts === undefined) return;
    const [channel, type, league] = [text('channel'), text('type'), text('league')];
    const least = amounts['least'];
    const threshold = THRESHOLDS[channel];
    const body = {
      name: text('name'),
      channel,
      ...(least === undefined || threshold == null ? {} : { [threshold]: least }),
      ...(league === '' ? {} : { filters: { leagues: [league] } }),
      target: { type, [type === 'telegram' ? 'chat' : 'url']: text('address') },
      quiet_s: amounts['quiet'] ?? 0,
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

  #send(method: 'PATCH' | 'POST' | 'DELETE', id: string, body?: object, path = ''): Promise<void> {
    return this.#context.account.send(method, `/account/alerts/${encodeURIComponent(id)}${path}`, body);
  }

  async #test(id: string, name: string): Promise<void> {
    if (await this.#do(() => this.#send('POST', id, undefined, '/test')))
      this.#note = `An example was sent to ${name}.`;
    this.#context.changed();
  }

  /** Id of the one that is being changed. */
  #edited = '';

  #edit(id: string): void {
    this.#edited = this.#edited === id ? '' : id;
    this.#context.changed();
  }

  #editor(id: string, name: string, channel: string): TemplateResult {
    const threshold = THRESHOLDS[channel];
    const submit = (event: SubmitEvent): void => {
      event.preventDefault();
      const form = event.target as HTMLFormElement;
      const amounts = amountsOf(form);
      if (amounts === undefined) return;
      const { least, quiet } = amounts;
      const changes = {
        name: textOf(form, 'name'),
        ...(least === undefined || threshold == null ? {} : { [threshold]: least }),
        ...(quiet === undefined ? {} : { quiet_s: quiet }),
      };
      void this.#do(() => this.#send('PATCH', id, changes)).then((worked) => {
        if (worked) this.#edit(id);
      });
    };
    return html`<form class="rule" @submit=${submit}><label>name <input name="name" required maxlength="100" .value=${name}></label>
      ${threshold == null ? nothing : html`<label>from (low hold: up to) ${amountField({ name: 'least', value: undefined, placeholder: 'as it is' })}</label>`}
      <label>quiet s ${amountField({ name: 'quiet', value: undefined, min: 0, placeholder: 'as it is' })}</label><button>Save</button></form>`;
  }
}

function textOf(form: EventTarget | null, name: string): string {
  return String(new FormData(form as HTMLFormElement).get(name) ?? '').trim();
}
