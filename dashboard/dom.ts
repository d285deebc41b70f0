// Elements with text in them. Data from books and feeds is only ever text, never markup.
import { html, type TemplateResult } from 'lit-html';

/** An element with this class (none if empty) and these children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

export interface Tab {
  name: string;
  count: number;
  selected: boolean;
  choose(): void;
}

/** The buttons of a tablist: arrows move along them, only the selected one is reached by Tab. */
export function tabs(list: readonly Tab[]): TemplateResult {
  return html`${list.map(
    ({ name, count, selected, choose }) =>
      html`<button type="button" role="tab" aria-selected=${selected} tabindex=${selected ? 0 : -1} @click=${choose} @keydown=${alongTabs}>${name} <b>${count}</b></button>`,
  )}`;
}

function alongTabs(event: KeyboardEvent): void {
  const tab = event.currentTarget as HTMLElement;
  const next =
    event.key === 'ArrowRight' ? tab.nextElementSibling : event.key === 'ArrowLeft' ? tab.previousElementSibling : null;
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
  next.click();
}

/** How far a key moves the active cell of a board; beyond its edge the edge is meant. */
export const CELL_STEPS: Readonly<Record<string, readonly [lines: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-20, 0],
  PageDown: [20, 0],
  Home: [0, -1_000],
  End: [0, 1_000],
};

/** Another tab has stored this: whoever holds a copy would write over it with the next change. */
export function onStored(key: string, take: (stored: string | null) => void): void {
  addEventListener('storage', (event) => {
    if (event.key === key) take(event.newValue);
  });
}

/** Hands a file to the person at the page. */
export function saveFile(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The URL of a bet; null if there is none, or it is not http(s). */
export function betHref(address: unknown): string | null {
  return typeof address === 'string' && /^https?:\/\//.test(address) ? address : null;
}

/** Runs the function in a frame, once however often it was requested, and then not for this many ms. */
export function oncePerFrame(run: () => void, restMs = 0): () => void {
  let asked = false;
  let ranMs = Number.NEGATIVE_INFINITY;
  const frame = (): void => {
    asked = false;
    ranMs = performance.now();
    run();
  };
  return () => {
    if (asked) return;
    asked = true;
    const waitMs = ranMs + restMs - performance.now();
    if (waitMs <= 0) requestAnimationFrame(frame);
    else setTimeout(() => requestAnimationFrame(frame), waitMs);
  };
}

/**
 * Where the focused element is moved or removed, browsers drop the focus. The function returned gives it back to the
 * element, else to what it was in. A click on nothing drops it for good.
 */
export function focusKeeper(root: HTMLElement): () => void {
  let path: HTMLElement[] = [];
  root.addEventListener('focusin', ({ target }) => {
    path = [];
    for (let at = target as HTMLElement | null; at !== null; at = at.parentElement)
      if (at === target || at.hasAttribute('tabindex')) path.push(at);
  });
  addEventListener('pointerdown', () => {
    path = [];
  });
  return () => {
    if (path.length === 0 || document.activeElement !== document.body) return;
    path.find((at) => at.isConnected && at.checkVisibility())?.focus({ preventScroll: true });
  };
}
