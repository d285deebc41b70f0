// The board: events down, books across, the best prices pinned at the left. Only visible blocks have elements, which
// are reused while scrolling. It manages the focus itself (aria-activedescendant), so that no update can take it away.
import { BlockElement, type BoardContext, type Column, PINNED, PINNED_HEADS } from './board-block.js';
import { BoardHead } from './board-head.js';
import { HEADING_PX, linePx, NARROW_PX } from './board-style.js';
import { CELL_STEPS, element } from './dom.js';
import type { BookFreshness } from './fresh-dot.js';
import type { BoardSort, ScreenState } from './model/address.js';
import type { BoardItem } from './model/arrange.js';
import type { OutcomeView } from './model/block.js';
import type { Block } from './model/board.js';
import { RowWindow } from './model/row-window.js';

export interface BoardGridOptions {
  /** A block was selected; `book` if a price of it was. */
  open(block: Block, outcomeKey: string | undefined, book: string | undefined): void;
  /** An alert on a price was asked for. */
  alert?(block: Block, outcomeKey: string, book: string | undefined): void;
  /** The order of this column was asked for; without it heads are only text. */
  sort?(sort: BoardSort): void;
  /** The description of the price under the pointer. */
  describe(block: Block, outcomeKey: string, book: string): string;
  /** Shows more than a description beside the price that is pointed at, by the pointer or the keyboard. */
  card?: {
    rest(place: HTMLElement, block: Block, outcomeKey: string, book: string): void;
    /** A finger holds it. */
    hold(place: HTMLElement, block: Block, outcomeKey: string, book: string): void;
    leave(): void;
    isTouched(): boolean;
  };
  /** Other blocks became visible. */
  seen(): void;
}

/** Column of the best price. */
const BEST = PINNED_HEADS.indexOf('best');
const BEYOND_PX = 300;
let grids = 0;

export class BoardGrid {
  readonly root = element('div', 'board');
  readonly #head: BoardHead;
  readonly #body = element('div', 'board-body');
  readonly #window = new RowWindow();
  readonly #options: BoardGridOptions;
  readonly #id = `board-${++grids}`;
  #items: BoardItem[] = [];
  #look: BoardContext | undefined;
  #columns: readonly Column[] = [];
  #shown = new Map<string, { item: BoardItem; block: BlockElement | undefined; place: HTMLElement }>();
  #spare: BlockElement[] = [];
  #spareHeadings: HTMLElement[] = [];
  #active: { key: string; line: number; column: number } | undefined;
  #activeCell: HTMLElement | undefined;

  constructor(options: BoardGridOptions) {
    this.#options = options;
    this.root.role = 'grid';
    this.root.tabIndex = 0;
    this.#head = new BoardHead(options.sort);
    this.root.append(element('div', 'board-sheet', this.#head.root, this.#body));
    this.root.addEventListener('scroll', () => this.#draw(false), { passive: true });
    this.root.addEventListener('keydown', (event) => this.#onKey(event));
    this.#body.addEventListener('click', (event) => this.#onClick(event));
    this.#body.addEventListener('contextmenu', (event) => {
      const found = this.#under(event.target);
      if (found === undefined) return;
      if (options.card?.isTouched()) this.#describe(found.block, found, 'hold');
      else if (!this.#alertAt(found.block, found)) return;
      event.preventDefault();
    });
    this.#body.addEventListener('pointerover', (event) => this.#onPointer(event));
    this.root.addEventListener('pointerleave', () => options.card?.leave());
    this.root.addEventListener('blur', () => options.card?.leave());
    new ResizeObserver(() => this.#resize()).observe(this.root);
  }

  get isNarrow(): boolean {
    return this.root.clientWidth > 0 && this.root.clientWidth < NARROW_PX;
  }

  /** Shows these items from now on; the scroll position is retained if possible. */
  show(items: BoardItem[], look: BoardContext, label: string): void {
    this.#items = items;
    this.#look = look;
    this.root.ariaLabel = label;
    if (look.columns !== this.#columns) this.#buildHead(look.columns);
    this.#layOut();
    this.#draw(true);
  }

  /** The same items, in their present state. */
  refresh(look: BoardContext, changed?: ReadonlySet<Block>): void {
    this.#look = look;
    for (const [, { item, block }] of this.#shown)
      if (item.kind === 'block' && block !== undefined && (changed === undefined || changed.has(item.block)))
        this.#fill(block, item.block);
  }

  /** Visible blocks. */
  visible(): Block[] {
    return [...this.#shown.values()].flatMap(({ item }) => (item.kind === 'block' ? [item.block] : []));
  }

  #fill(place: BlockElement, block: Block): void {
    const lines = place.view?.outcomes.length;
    place.fill(block, this.#look!, this.#firstRowOf(block));
    // The number of outcomes changed: everything below moves.
    if (lines !== undefined && lines !== place.view!.outcomes.length) this.#layOutSoon();
  }

  #asked = false;

  #layOutSoon(): void {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.#layOut();
      this.#draw(false);
    });
  }

  #rowOfBlock = new Map<Block, number>();

  #firstRowOf(block: Block): number {
    return this.#rowOfBlock.get(block) ?? 1;
  }

  #resize(): void {
    const narrow = this.isNarrow;
    if (narrow !== this.root.classList.contains('narrow')) {
      this.root.classList.toggle('narrow', narrow);
      this.#layOut();
    }
    this.#draw(false);
  }

  #layOut(): void {
    const look = this.#look;
    if (look === undefined) return;
    const line = linePx(this.density, this.isNarrow);
    this.root.style.setProperty('--b-line', `${line}px`);
    let row = 2;
    this.#rowOfBlock = new Map();
    const hasLines = this.#items.some((item) => item.kind === 'block' && item.block.rows.size > 0 && lined(item.block));
    this.root.classList.toggle('wide-cells', hasLines);
    const heights = this.#items.map((item) => {
      if (item.kind === 'heading') return HEADING_PX;
      const lines = look.board.lines(item.block);
      this.#rowOfBlock.set(item.block, row);
      row += lines;
      return lines * line + 1;
    });
    this.#window.set(heights);
    this.root.ariaRowCount = String(row - 1);
    this.root.ariaColCount = String(PINNED + look.columns.length);
    this.#body.style.height = `${this.#window.height}px`;
    const empty = this.#items.length === 0;
    if (empty !== this.#isEmpty) {
      this.#isEmpty = empty;
      this.#emptyNote.remove();
      if (empty) this.root.append(this.#emptyNote);
    }
  }

  density: ScreenState['density'] = 'auto';

  /** The order that is shown at its head. */
  set sort(sort: BoardSort) {
    this.#head.sort = sort;
  }

  /** How fresh each book is, at its head. */
  freshen(of: (book: string) => BookFreshness): void {
    this.#head.freshen(of);
  }

  #isEmpty = false;
  readonly #emptyNote = element('p', 'board-empty', 'No prices for this choice');

  /** The text in place of an empty board. */
  set note(text: string) {
    if (this.#emptyNote.textContent !== text) this.#emptyNote.textContent = text;
  }

  #buildHead(columns: readonly Column[]): void {
    this.#columns = columns;
    this.#head.build(columns);
    // Elements of other columns can no longer be used.
    for (const { place } of this.#shown.values()) place.remove();
    this.#shown.clear();
    this.#spare = [];
  }

  /** @param all also refill the blocks that stay visible */
  #draw(all: boolean): void {
    const look = this.#look;
    if (look === undefined) return;
    const { from, to } = this.#window.range(
      this.root.scrollTop - this.#head.root.offsetHeight,
      this.root.clientHeight,
      BEYOND_PX,
    );
    const wanted = new Map(this.#items.slice(from, to).map((item, i) => [keyOf(item), { item, at: from + i }]));
    for (const [key, { block, place }] of this.#shown)
      if (!wanted.has(key)) {
        this.#shown.delete(key);
        if (block === undefined) this.#spareHeadings.push(place);
        else this.#spare.push(block);
      }
    let came = false;
    for (const [key, { item, at }] of wanted) {
      let shown = this.#shown.get(key);
      const isNew = shown === undefined;
      came ||= isNew;
      if (shown === undefined) {
        const block = item.kind === 'block' ? (this.#spare.pop() ?? new BlockElement()) : undefined;
        const place = block?.place ?? this.#spareHeadings.pop() ?? element('div', 'heading', element('span'));
        shown = { item, block, place };
        this.#shown.set(key, shown);
        if (place.parentNode !== this.#body) this.#body.append(place);
      }
      shown.item = item;
      if (shown.block !== undefined && item.kind === 'block' && (isNew || all)) this.#fill(shown.block, item.block);
      if (item.kind === 'heading') writeHeading(shown.place, item);
      if (shown.place.hidden) shown.place.hidden = false;
      const top = `${this.#window.top(at)}px`;
      if (shown.place.style.top !== top) shown.place.style.top = top;
    }
    // Kept for reuse, hidden from eyes and screen readers.
    for (const spare of [...this.#spare.map(({ place }) => place), ...this.#spareHeadings]) spare.hidden = true;
    this.#markActive();
    if (came) this.#options.seen();
  }

  // The active cell

  #onKey(event: KeyboardEvent): void {
    const step = CELL_STEPS[event.key];
    if (event.key === 'Enter' && this.#active !== undefined) {
      event.preventDefault();
      this.#openActive();
    } else if (event.key === 's' && this.#active !== undefined) {
      if (this.#head.askAt(this.#active.column)) event.preventDefault();
    } else if (event.key === 'a' && this.#active !== undefined) {
      const block = this.#shown.get(this.#active.key)?.block;
      if (block !== undefined && this.#alertAt(block, this.#active)) event.preventDefault();
    } else if (step !== undefined && !event.altKey && !event.metaKey) {
      event.preventDefault();
      this.#move(step[0], event.ctrlKey && step[1] !== 0 ? step[1] * 1_000 : step[1]);
    }
  }

  #move(lines: number, columns: number): void {
    const blocks = this.#items.flatMap((item) => (item.kind === 'block' ? [item.block] : []));
    if (blocks.length === 0) return;
    let at = blocks.findIndex((block) => block.key === this.#active?.key);
    const last = PINNED - 1 + (this.isNarrow ? 0 : this.#columns.length);
    let { line, column } = at < 0 ? { line: 0, column: BEST } : this.#active!;
    // The first key press only shows the active cell.
    if (at < 0) at = Math.max(0, blocks.indexOf(this.visible()[0]!));
    else {
      column = Math.min(last, Math.max(0, column + columns));
      line += lines;
      const linesOf = (i: number): number => this.#look!.board.lines(blocks[i]!);
      while (line < 0 && at > 0) line += linesOf(--at);
      while (line >= linesOf(at) && at < blocks.length - 1) line -= linesOf(at++);
      line = Math.min(linesOf(at) - 1, Math.max(0, line));
    }
    this.#active = { key: blocks[at]!.key, line, column };
    this.#scrollTo(blocks[at]!, line);
    this.#draw(false);
    const shown = this.#shown.get(this.#active.key);
    this.#activeCell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (shown?.block !== undefined) this.#describe(shown.block, this.#active);
  }

  #scrollTo(block: Block, line: number): void {
    const at = this.#items.findIndex((item) => item.kind === 'block' && item.block === block);
    const top = this.#window.top(at);
    const height = this.#window.bottom(at) - top;
    const head = this.#head.root.offsetHeight;
    if (top < this.root.scrollTop || line === 0) {
      if (top < this.root.scrollTop) this.root.scrollTop = Math.max(0, top);
    }
    const below = top + height + head - this.root.clientHeight;
    if (below > this.root.scrollTop) this.root.scrollTop = below;
  }

  #markActive(): void {
    const shown = this.#active === undefined ? undefined : this.#shown.get(this.#active.key);
    const cell = shown?.block?.cell(this.#active!.line, this.#active!.column);
    if (cell !== this.#activeCell) {
      this.#activeCell?.classList.remove('active');
      this.#activeCell?.removeAttribute('id');
      this.#activeCell = cell;
    }
    if (cell === undefined) {
      this.root.removeAttribute('aria-activedescendant');
      return;
    }
    if (!cell.classList.contains('active')) cell.classList.add('active');
    cell.id = `${this.#id}-active`;
    this.root.setAttribute('aria-activedescendant', cell.id);
  }

  #openActive(): void {
    const shown = this.#shown.get(this.#active!.key);
    const { line, column } = this.#active!;
    // Enter opens the game, also where the keyboard begins: at its best price.
    if (shown?.block !== undefined) this.#openAt(shown.block, line, this.#columns[column - PINNED]?.id);
  }

  /** @param book whose price was meant */
  #openAt({ block, view }: BlockElement, line: number, book: string | undefined): void {
    if (block !== undefined) this.#options.open(block, view?.outcomes[line]?.key, book);
  }

  /** Of the best price, too: the first book that has it. */
  #bookAt(outcome: OutcomeView | undefined, column: number): string | undefined {
    return this.#columns[column - PINNED]?.id ?? (column === BEST ? outcome?.bestBooks[0] : undefined);
  }

  /** Whether there is a price to be alerted on. */
  #alertAt({ block, view }: BlockElement, { line, column }: { line: number; column: number }): boolean {
    const outcome = view?.outcomes[line];
    const book = this.#columns[column - PINNED]?.id;
    if (block === undefined || outcome === undefined || (book === undefined && column !== BEST)) return false;
    this.#options.alert?.(block, outcome.key, book);
    return this.#options.alert !== undefined;
  }

  #onClick(event: MouseEvent): void {
    const found = this.#under(event.target);
    if (found === undefined) return;
    this.#active = { key: found.block.block!.key, line: found.line, column: found.column };
    this.#markActive();
    this.#openAt(found.block, found.line, this.#bookAt(found.block.view?.outcomes[found.line], found.column));
  }

  #under(target: EventTarget | null): { block: BlockElement; line: number; column: number } | undefined {
    if (!(target instanceof Node)) return undefined;
    for (const { block } of this.#shown.values()) {
      const at = block?.place.contains(target) ? block.find(target) : undefined;
      if (at !== undefined) return { block: block!, ...at };
    }
    return undefined;
  }

  #onPointer(event: PointerEvent): void {
    const found = this.#under(event.target);
    if (found !== undefined) this.#describe(found.block, found, event.pointerType === 'touch' ? 'leave' : 'rest');
    else this.#options.card?.leave();
  }

  /** Only the cell under the pointer, or the active one, is described: text for thousands of cells would be wasted. */
  #describe(
    of: BlockElement,
    { line, column }: { line: number; column: number },
    how: 'rest' | 'hold' | 'leave' = 'rest',
  ): void {
    const outcome = of.view?.outcomes[line];
    const cell = of.cell(line, column);
    if (of.block === undefined || outcome === undefined || cell === undefined) return;
    const book = this.#bookAt(outcome, column);
    const { card } = this.#options;
    if (card !== undefined) {
      if (book === undefined || !outcome.cells.has(book) || how === 'leave') card.leave();
      else card[how](cell, of.block, outcome.key, book);
      return;
    }
    const text = book === undefined ? '' : this.#options.describe(of.block, outcome.key, book);
    if (cell.title !== text) cell.title = text;
  }
}

function keyOf(item: BoardItem): string {
  return item.kind === 'heading' ? item.key : item.block.key;
}

function lined(block: Block): boolean {
  for (const row of block.rows.values()) return row.line !== null;
  return false;
}

function writeHeading(place: HTMLElement, { text: of, count }: { text: string; count: number }): void {
  const text = `${of} · ${count}`;
  const span = place.firstElementChild!;
  if (span.textContent !== text) span.textContent = text;
  place.role = 'presentation';
}
