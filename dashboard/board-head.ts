// The head of the board: the names of its columns, which sort by them where an order can be asked for.
import { type Column, PINNED_HEADS } from './board-block.js';
import { element } from './dom.js';
import type { BookFreshness } from './fresh-dot.js';
import type { BoardSort } from './model/address.js';

/** What a head sorts by; a book's by its prices. */
const SORTS: Readonly<Record<string, BoardSort>> = { start: 'time', outcome: 'league', best: 'edge', hold: 'hold' };
const CLASSES: Readonly<Record<string, string>> = {
  start: 'when',
  outcome: 'name',
  open: 'opening',
  best: 'top',
  consensus: 'fair',
};

interface HeadCell {
  by: BoardSort | undefined;
  cell: HTMLElement;
}

export class BoardHead {
  readonly root = element('div', 'board-head');
  /** Without it, heads are only text. */
  readonly #ask: ((sort: BoardSort) => void) | undefined;
  #cells: HeadCell[] = [];
  #dots: { column: Column; dot: HTMLElement; cell: HTMLElement; title: string }[] = [];
  #sort: BoardSort = 'time';

  constructor(ask: ((sort: BoardSort) => void) | undefined) {
    this.#ask = ask;
    this.root.role = 'rowgroup';
  }

  build(columns: readonly Column[]): void {
    const pinned = PINNED_HEADS.map((text) => {
      const by = SORTS[text];
      return this.#cell(text, CLASSES[text] ?? text, by === undefined ? text : `${text}: sort by ${by}`, by);
    });
    this.#dots = [];
    const books = columns.map((column) => {
      const { id, short, name, is_sharp } = column;
      const cell = this.#cell(short, is_sharp ? 'sharp' : '', `${name}: sort by its prices above fair`, `book:${id}`);
      cell.cell.ariaLabel = name;
      const dot = element('i', 'dot');
      (cell.cell.firstElementChild ?? cell.cell).prepend(dot);
      this.#dots.push({ column, dot, cell: cell.cell, title: cell.cell.title });
      return cell;
    });
    this.#cells = [...pinned, ...books];
    for (const [i, { cell }] of this.#cells.entries()) cell.ariaColIndex = String(i + 1);
    const places = (of: typeof pinned): HTMLElement[] => of.map(({ cell }) => cell);
    const line = element(
      'div',
      'line',
      element('div', 'pinned', ...places(pinned)),
      element('div', 'prices', ...places(books)),
    );
    line.role = 'row';
    line.ariaRowIndex = '1';
    this.root.replaceChildren(line);
    this.#mark();
  }

  /** The order that is shown at its head. */
  set sort(sort: BoardSort) {
    if (sort === this.#sort) return;
    this.#sort = sort;
    this.#mark();
  }

  /** The dot of each book, and the words for it. */
  freshen(of: (book: string) => BookFreshness): void {
    for (const { column, dot, cell, title } of this.#dots) {
      const { className, text } = of(column.id);
      if (dot.className !== className) dot.className = className;
      cell.title = `${title}\n${text}`;
      cell.ariaDescription = text;
    }
  }

  /** Asks for the order of a column; false if it has none. */
  askAt(column: number): boolean {
    const by = this.#cells[column]?.by;
    if (by === undefined || this.#ask === undefined) return false;
    this.#ask(by);
    return true;
  }

  #cell(text: string, name: string, title: string, by: BoardSort | undefined): HeadCell {
    const ask = this.#ask;
    const cell = element('div', `cell ${name}`);
    cell.role = 'columnheader';
    cell.title = ask === undefined ? text : title;
    if (ask === undefined || by === undefined) cell.append(text);
    else {
      const button = element('button', '', text);
      button.type = 'button';
      // From the keyboard: s in the column.
      button.tabIndex = -1;
      button.addEventListener('click', () => ask(by));
      cell.append(button);
    }
    return { by, cell };
  }

  #mark(): void {
    if (this.#ask === undefined) return;
    for (const { by, cell } of this.#cells)
      if (by !== undefined)
        cell.ariaSort =
          by !== this.#sort ? 'none' : by === 'edge' || by.startsWith('book:') ? 'descending' : 'ascending';
  }
}
