// The account's key, for what a viewer token may not do: it is typed in for this, held by this object alone, and
// discarded with the page.
import { html, type TemplateResult } from 'lit-html';
import { OverroundClient } from '../src/client/client.js';

export class AccountKey {
  client: OverroundClient | undefined;
  key = '';
  #note = '';

  /** A request that changes something. Throws with what the server says. */
  async send(method: 'PUT' | 'DELETE', path: string, body?: object): Promise<void> {
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
      this.key = String(new FormData(event.target as HTMLFormElement).get('key')).trim();
      const client = new OverroundClient({ url: location.origin, apiKey: this.key });
      try {
        await use(client);
        this.client = client;
        this.#note = '';
      } catch (error) {
        this.#note = error instanceof Error ? error.message : String(error);
      }
      changed();
    };
    return html`<form class="rule" @submit=${submit}><label>${label} <input name="key" type="password" autocomplete="off" required></label>
      <button>Show</button><span role="status">${this.#note}</span></form>`;
  }
}
