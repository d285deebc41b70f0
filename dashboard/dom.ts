// Elements with text in them. Data from books and feeds is only ever text, never markup.

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

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

/** The buttons of a tablist. Existing ones stay, and with them the focus and a press under way. */
export function drawTabs(
  root: HTMLElement,
  tabs: readonly { name: string; count: number; selected: boolean; choose(): void }[],
): void {
  const names = tabs.map(({ name }) => name).join();
  if (root.dataset['names'] !== names) {
    root.dataset['names'] = names;
    root.replaceChildren(
      ...tabs.map(({ name }) => {
        const button = element('button', '', name, element('b'));
        button.type = 'button';
        button.role = 'tab';
        return button;
      }),
    );
  }
  for (const [i, { count, selected, choose }] of tabs.entries()) {
    const button = root.children[i] as HTMLButtonElement;
    button.ariaSelected = String(selected);
    button.lastElementChild!.textContent = String(count);
    button.onclick = choose;
  }
}

/** The URL of a bet; null if there is none, or it is not http(s). */
export function betHref(address: unknown): string | null {
  return typeof address === 'string' && /^https?:\/\//.test(address) ? address : null;
}

/** A link to the bet if there is a valid one, else the text alone. */
export function betLink(text: string, address: unknown): Node {
  const href = betHref(address);
  if (href === null) return document.createTextNode(text);
  const link = element('a', '', text);
  link.href = href;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  return link;
}

/**
 * Runs the function soon, at most at this interval, and not while something in `pressed` is being pressed: the clicked
 * element must still be there when the button is released.
 */
export function nowAndThen(everyMs: number, pressed: HTMLElement, run: () => void): () => void {
  let asked = false;
  const look = (): void => {
    if (pressed.matches(':active')) {
      setTimeout(look, everyMs);
      return;
    }
    asked = false;
    run();
  };
  return () => {
    if (!asked) setTimeout(look, everyMs);
    asked = true;
  };
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
