// The account's key, for what a viewer token may not do: it is typed in for this, and held by this object alone. Where it
// is asked to, the tab keeps it over a reload, and forgets it when it is closed.
import { html, type TemplateResult } from 'lit-html';
import { OverroundClient } from '../src/client/client.js';
import { tabStore } from './browser-store.js';

const STORAGE_KEY = 'overround-account-key';

export class AccountKey {
  client: OverroundClient | undefined;
  key = tabStore.getItem(STORAGE_KEY) ?? '';
  #note = '';

  constructor() {
    if (this.key !== '') this.client = new OverroundClient({ url: location.origin, apiKey: this.key });
  }

  /** Of this page and of this tab. */
  forget(): void {
    tabStore.removeItem(STORAGE_KEY);
    this.client = undefined;
    this.key = '';
  }

  /** A request that changes something. Throws with what the server says. */
  async send(method: 'PUT' | 'PATCH' | 'POST' | 'DELETE', path: string, body?: object): Promise<void> {
    const headers = { 'x-api-key': this.key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await fetch(`/api/v1${path}`, init);
    if (answer.ok) return;
    const { error } = (await answer.json().catch(() => ({}))) as { error?: { message?: string } };
    throw new Error(error?.message ?? `HTTP ${answer.status}`);
  }

  /** @param use runs with the client; what it throws says that the key does not serve */
  form(label: string, use: (client: OverroundClient) => Promise<unknown>, changed: () => void): TemplateResult {
    const submit = async (event: SubmitEvent): Promise<void> => {
      event.preventDefault();
      const form = new FormData(event.target as HTMLFormElement);
      this.key = String(form.get('key')).trim();
      const client = new OverroundClient({ url: location.origin, apiKey: this.key });
      try {
        await use(client);
        this.client = client;
        if (form.has('keep')) tabStore.setItem(STORAGE_KEY, this.key);
        this.#note = '';
      } catch (error) {
        this.#note = error instanceof Error ? error.message : String(error);
      }
      changed();
    };
    return html`<form class="rule" @submit=${submit}><label>${label} <input name="key" type="password" autocomplete="off" required></label>
      <label title="until the tab is closed, so that a reload does not ask again"><input type="checkbox" name="keep"> keep in this tab</label>
      <button>Show</button><span role="status">${this.#note}</span></form>`;
  }
}
