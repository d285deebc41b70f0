// What met nothing: names, starts and players, with the nearest known ones. A click on one makes the entry of the
// catalogue's overlay that joins both. Names are not public, so it asks for a key that may send odds; the key stays in
// the page and is forgotten with it.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { OverroundClient, OverroundError, type UnmatchedItem } from '../src/client/client.js';

const SHOWN_MAX = 50;

type Overlay = NonNullable<UnmatchedItem['candidates'][number]['overlay']>;

function fileText(entries: ReadonlyMap<string, readonly string[]>): string {
  return `[\n${[...entries].map(([id, aliases]) => `  ${JSON.stringify({ id, aliases })}`).join(',\n')}\n]`;
}

export function showUnmatched(place: HTMLElement): void {
  let client: OverroundClient | undefined;
  let items: UnmatchedItem[] | undefined;
  let total = 0;
  let error = '';
  /** Aliases of the entries made so far, by file and id: a file has an id once. */
  const made = new Map<string, Map<string, string[]>>();

  const draw = (): void => {
    render(
      html`<details><summary>Not matched${items === undefined ? '' : `: ${total}`}</summary>
        <form @submit=${submit}><label>Key with the scope ingest
          <input name="key" type="password" autocomplete="off" required></label>
          <button>${items === undefined ? 'Show' : 'Refresh'}</button></form>
        ${error === '' ? nothing : html`<p class="warn" role="alert">${error}</p>`}
        ${items === undefined ? nothing : list(items)}
        ${[...made].map(([file, entries]) => html`<h2>${file}</h2><pre>${fileText(entries)}</pre>`)}
        </details>`,
      place,
    );
  };

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const apiKey = String(new FormData(event.target as HTMLFormElement).get('key'));
    client = new OverroundClient({ url: location.origin, apiKey });
    try {
      const answer = await client.unmatched({ limit: SHOWN_MAX });
      items = answer.data;
      total = answer.pagination.total;
      error = '';
    } catch (thrown) {
      error = thrown instanceof OverroundError ? thrown.message : 'no answer';
    }
    draw();
  };

  const join = (file: string, { id, aliases }: Overlay): void => {
    const entries = made.get(file) ?? new Map<string, string[]>();
    entries.set(id, [...new Set([...(entries.get(id) ?? []), ...aliases])]);
    made.set(file, entries);
    draw();
  };

  const list = (shown: readonly UnmatchedItem[]): TemplateResult =>
    shown.length === 0
      ? html`<p>Everything met something since the start.</p>`
      : html`<table class="results"><thead><tr><th>what</th><th>name</th><th>how often</th><th>from</th><th>nearest</th></tr></thead>
          <tbody>${shown.map(
            (item) => html`<tr><td>${item.reason} ${item.kind}</td>
              <th scope="row">${item.name}${item.league === null ? '' : ` (${item.league})`}</th><td>${item.times}</td>
              <td>${item.sportsbooks.join(', ')}</td>
              <td>${item.why ?? ''}${item.candidates.map(({ name, overlay }) =>
                overlay === null || item.overlay_file === null
                  ? html` ${name}`
                  : html` <button type="button" title="make the overlay's entry" @click=${() => join(item.overlay_file!, overlay)}>${name}</button>`,
              )}</td></tr>`,
          )}</tbody></table>`;

  draw();
}
