// What met nothing: names, starts and players, with the nearest known ones. A click on one makes the entry of the
// catalogue's overlay that joins both. Names are not public, so it asks for a key that may send odds; the key stays in
// the page and is forgotten with it.
import { html, nothing, type TemplateResult } from 'lit-html';
import { OverroundClient, OverroundError, type UnmatchedItem } from '../src/client/client.js';

const SHOWN_MAX = 50;

type Overlay = NonNullable<UnmatchedItem['candidates'][number]['overlay']>;

function fileText(entries: ReadonlyMap<string, readonly string[]>): string {
  return `[\n${[...entries].map(([id, aliases]) => `  ${JSON.stringify({ id, aliases })}`).join(',\n')}\n]`;
}

export class Unmatched {
  readonly #changed: () => void;
  #items: UnmatchedItem[] | undefined;
  #total = 0;
  #error = '';
  /** Aliases of the entries made so far, by file and id: a file has an id once. */
  readonly #made = new Map<string, Map<string, string[]>>();

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  template(): TemplateResult {
    const items = this.#items;
    return html`<details><summary>Not matched${items === undefined ? '' : `: ${this.#total}`}</summary>
      <form @submit=${this.#submit}><label>Key with the scope ingest
        <input name="key" type="password" autocomplete="off" required></label>
        <button>${items === undefined ? 'Show' : 'Refresh'}</button></form>
      ${this.#error === '' ? nothing : html`<p class="warn" role="alert">${this.#error}</p>`}
      ${items === undefined ? nothing : this.#list(items)}
      ${[...this.#made].map(([file, entries]) => html`<h2>${file}</h2><pre>${fileText(entries)}</pre>`)}
      </details>`;
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const apiKey = String(new FormData(event.target as HTMLFormElement).get('key'));
    const client = new OverroundClient({ url: location.origin, apiKey });
    try {
      const answer = await client.unmatched({ limit: SHOWN_MAX });
      this.#items = answer.data;
      this.#total = answer.pagination.total;
      this.#error = '';
    } catch (thrown) {
      this.#error = thrown instanceof OverroundError ? thrown.message : 'no answer';
    }
    this.#changed();
  };

  #join(file: string, { id, aliases }: Overlay): void {
    const entries = this.#made.get(file) ?? new Map<string, string[]>();
    entries.set(id, [...new Set([...(entries.get(id) ?? []), ...aliases])]);
    this.#made.set(file, entries);
    this.#changed();
  }

  #list(shown: readonly UnmatchedItem[]): TemplateResult {
    if (shown.length === 0) return html`<p>Everything met something since the start.</p>`;
    return html`<table class="results"><thead><tr><th>what</th><th>name</th><th>how often</th><th>from</th><th>nearest</th></tr></thead>
      <tbody>${shown.map(
        (item) => html`<tr><td>${item.reason} ${item.kind}</td>
          <th scope="row">${item.name}${item.league === null ? '' : ` (${item.league})`}</th><td>${item.times}</td>
          <td>${item.sportsbooks.join(', ')}</td>
          <td>${item.why ?? ''}${item.candidates.map(({ name, overlay }) =>
            overlay === null || item.overlay_file === null
              ? html` ${name}`
              : html` <button type="button" title="make the overlay's entry" @click=${() => this.#join(item.overlay_file!, overlay)}>${name}</button>`,
          )}</td></tr>`,
      )}</tbody></table>`;
  }
}
