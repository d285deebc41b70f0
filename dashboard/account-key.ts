// The account's key, for what a viewer token may not do: it is typed in for this, held by this object alone, and
// discarded with the page.
import { html, type TemplateResult } from 'lit-html';
import { OverroundClient } from '../src/client/client.js';

export class AccountKey {
  client: OverroundClient | undefined;
  key = '';
  #note = '';

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
