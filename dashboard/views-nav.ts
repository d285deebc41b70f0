// Where one can be: every view in a line, or on a phone the most used ones in a bar at the bottom and the others in a sheet
// above it.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Context } from './context.js';
import type { ViewName } from './model/address.js';

type Choice = readonly [view: ViewName, name: string];

const USUAL: readonly Choice[] = [
  ['board', 'Board'],
  ['opportunities', 'Opportunities'],
  ['props', 'Props'],
  ['bets', 'Bets'],
];
const MORE: readonly Choice[] = [
  ['splits', 'Splits'],
  ['futures', 'Futures'],
  ['moves', 'Moves'],
  ['alerts', 'Alerts'],
  ['calculators', 'Calculators'],
];
const SHEET = 'more-views';

export class ViewsNav {
  readonly #context: Context;
  #isOpen = false;

  constructor(context: Context) {
    this.#context = context;
  }

  template(): TemplateResult {
    const { view } = this.#context.state;
    const shown = view === 'event' ? 'board' : view;
    const isMore = MORE.some(([one]) => one === shown);
    const button = ([one, name]: Choice): TemplateResult =>
      html`<button type="button" aria-current=${one === shown ? 'page' : nothing} @click=${() => this.#choose(one)}>${name}</button>`;
    return html`<nav id="views" aria-label="Views" @keydown=${this.#onKey} @focusout=${this.#leave}>${USUAL.map(button)}
      <button type="button" id="more-button" aria-current=${isMore ? 'true' : nothing} aria-expanded=${this.#isOpen} aria-controls=${SHEET} @click=${() => this.#open(!this.#isOpen)}>More</button>
      <div id=${SHEET} class=${this.#isOpen ? 'open' : ''}>${MORE.map(button)}<a class="narrow" href="/status">Status</a><a class="narrow" href="/docs">Docs</a></div>
      <div class="behind" aria-hidden="true" @click=${() => this.#open(false)}></div></nav>`;
  }

  #choose(view: ViewName): void {
    this.#isOpen = false;
    this.#context.go({ view, event: '' });
  }

  #open(isOpen: boolean): void {
    this.#isOpen = isOpen;
    this.#context.draw();
  }

  readonly #leave = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (this.#isOpen && relatedTarget instanceof Node && !(currentTarget as Node).contains(relatedTarget))
      this.#open(false);
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.#isOpen) return;
    event.stopPropagation();
    this.#open(false);
    (event.currentTarget as HTMLElement).querySelector<HTMLElement>('#more-button')!.focus();
  };
}
