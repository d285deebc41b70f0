// The element of one block of the board. It is filled repeatedly, also for other blocks as the board scrolls: only what
// differs from the present contents is written.
import { element } from './dom.js';
import type { BlockView, Cell, OutcomeView } from './model/block.js';
import type { Block, Board } from './model/board.js';
import { type OddsFormat, priceText, sideLineText, zeroAsShown } from './model/odds-format.js';
import { shortTeam } from './model/team-name.js';

export interface Column {
  id: string;
  name: string;
  short: string;
  is_sharp: boolean;
}

export interface BoardContext {
  board: Board;
  columns: readonly Column[];
  format: OddsFormat;
  /** Unix ms by the server's clock. */
  nowMs: number;
  /** The first price of a row; undefined if unknown. */
  openingOf(rowId: string): { decimal: number; american: number; line: number | null } | undefined;
  /** When it starts, or the score; for the first two lines of a block. */
  whenOf(block: Block): { text: string; more: string };
  /** Beside a player: what it is about. */
  detailOf(block: Block): string;
}

/** How long a price shows an arrow after it moved. */
const ARROW_MS = 120_000;
/** How long a price is tinted after it moved: no animation, which costs a whole machine while a board moves. */
const TINT_MS = 1_200;
/** Pinned cells before the books. */
export const PINNED_HEADS = ['start', 'outcome', 'open', 'best', 'consensus', 'hold'];
export const PINNED = PINNED_HEADS.length;

class CellElement {
  readonly place: HTMLElement;
  readonly #line: HTMLElement | null;
  readonly #price: HTMLElement;
  #lineText = '';
  #priceText = '';
  #className = '';
  #rowId = '';
  #moves = 0;
  #movedMs = Number.NEGATIVE_INFINITY;

  constructor(name: string, hasLine: boolean) {
    this.#price = element('b');
    this.#line = hasLine ? element('i') : null;
    this.place = element('div', name, ...(this.#line === null ? [] : [this.#line]), this.#price);
    this.place.role = 'gridcell';
    this.#className = name;
  }

  write(price: string, line: string, className: string): void {
    if (price !== this.#priceText) {
      this.#price.textContent = price;
      this.#priceText = price;
    }
    if (this.#line !== null && line !== this.#lineText) {
      this.#line.textContent = line;
      this.#lineText = line;
    }
    if (className !== this.#className) {
      this.place.className = className;
      this.#className = className;
    }
  }

  /** The class of a price that moved a moment ago: every visible block is written again each second. */
  tint(rowId: string, moves: number, direction: 1 | -1): string {
    if (rowId !== this.#rowId) {
      this.#rowId = rowId;
      this.#movedMs = Number.NEGATIVE_INFINITY;
    } else if (moves !== this.#moves) this.#movedMs = performance.now();
    this.#moves = moves;
    if (performance.now() - this.#movedMs > TINT_MS) return '';
    return direction === 1 ? ' up' : ' down';
  }
}

interface LineElement {
  place: HTMLElement;
  when: HTMLElement;
  name: HTMLElement;
  opening: HTMLElement;
  top: HTMLElement;
  fair: HTMLElement;
  hold: HTMLElement;
  cells: CellElement[];
}

export class BlockElement {
  readonly place = element('div', 'block');
  block: Block | undefined;
  view: BlockView | undefined;
  #lines: LineElement[] = [];
  #columns: readonly Column[] = [];

  constructor() {
    this.place.role = 'rowgroup';
  }

  /** @param firstRow index of its first line among all lines, from 1 */
  fill(block: Block, look: BoardContext, firstRow: number): void {
    const view = look.board.view(block, look.nowMs);
    if (this.#lines.length !== view.outcomes.length || this.#columns !== look.columns)
      this.#build(view.outcomes.length, look.columns);
    const moved = this.block !== block;
    this.block = block;
    this.view = view;
    const when = look.whenOf(block);
    for (const [i, outcome] of view.outcomes.entries()) {
      const line = this.#lines[i]!;
      if (moved) line.place.ariaRowIndex = String(firstRow + i);
      write(line.when, i === 0 ? when.text : i === 1 ? when.more : '');
      line.when.classList.toggle('live', block.isLive && i === 0);
      write(line.name, nameOf(block, outcome, i, view.outcomes.length, look));
      line.name.classList.toggle('detail', block.who !== '' && i === 1);
      this.#writePinned(line, view, outcome, i, look);
      for (const [j, column] of look.columns.entries())
        writeCell(line.cells[j]!, outcome.cells.get(column.id), outcome, look);
    }
  }

  #writePinned(line: LineElement, view: BlockView, outcome: OutcomeView, i: number, look: BoardContext): void {
    const { best, fair } = outcome;
    write(line.opening, openingText(outcome, look));
    const text = best === null ? '' : priceText(priceOf(best), look.format);
    const at = best === null ? '' : sideLineText(outcome.line, best.row);
    const books = look.columns.filter(({ id }) => outcome.bestBooks.includes(id)).map(({ short }) => short);
    const more = books.length > 1 ? `${books[0]}+${books.length - 1}` : (books[0] ?? '');
    write(line.top.children[0]!, at === '' ? text : `${at} ${text}`);
    write(line.top.children[1]!, more);
    write(line.fair, fair === null ? '' : priceText({ decimal: 1 / fair }, look.format));
    const hold = i === 0 ? zeroAsShown(view.hold) : null;
    write(line.hold, hold === null ? '' : `${hold.toFixed(1)}%`);
    line.hold.classList.toggle('arb', hold !== null && hold < 0);
  }

  #build(lines: number, columns: readonly Column[]): void {
    this.#columns = columns;
    this.#lines = Array.from({ length: lines }, () => lineElement(columns));
    this.place.replaceChildren(...this.#lines.map(({ place }) => place));
  }

  /** The cell of a line and column, pinned ones first. */
  cell(line: number, column: number): HTMLElement | undefined {
    const found = this.#lines[line];
    if (found === undefined) return undefined;
    if (column < PINNED) return [found.when, found.name, found.opening, found.top, found.fair, found.hold][column];
    return found.cells[column - PINNED]?.place;
  }

  /** Line and column of an element inside. */
  find(target: Node): { line: number; column: number } | undefined {
    for (const [line, { place, cells, when, name, opening, top, fair, hold }] of this.#lines.entries()) {
      if (!place.contains(target)) continue;
      const all = [when, name, opening, top, fair, hold, ...cells.map((cell) => cell.place)];
      const column = all.findIndex((cell) => cell.contains(target));
      return column < 0 ? undefined : { line, column };
    }
    return undefined;
  }
}

function lineElement(columns: readonly Column[]): LineElement {
  const gridCell = (name: string, ...children: HTMLElement[]): HTMLElement => {
    const made = element('div', `cell ${name}`, ...children);
    made.role = 'gridcell';
    return made;
  };
  const when = gridCell('when');
  const name = gridCell('name');
  name.role = 'rowheader';
  const opening = gridCell('opening');
  const top = gridCell('top', element('span'), element('small'));
  const fair = gridCell('fair');
  const hold = gridCell('hold');
  const pinned = element('div', 'pinned', when, name, opening, top, fair, hold);
  const cells = columns.map(() => new CellElement('cell', true));
  const prices = element('div', 'prices', ...cells.map((cell) => cell.place));
  const place = element('div', 'line', pinned, prices);
  place.role = 'row';
  for (const [i, cell] of [when, name, opening, top, fair, hold, ...cells.map((one) => one.place)].entries())
    cell.ariaColIndex = String(i + 1);
  return { place, when, name, opening, top, fair, hold, cells };
}

function write(place: Element, text: string): void {
  if (place.textContent !== text) place.textContent = text;
}

/** The opening price of the first book, from the left, that has one: the sharp one's if it has one. */
function openingText(outcome: OutcomeView, look: BoardContext): string {
  for (const { id } of look.columns) {
    const row = outcome.cells.get(id)?.row;
    const opening = row === undefined ? undefined : look.openingOf(row.id);
    if (opening === undefined) continue;
    const at = sideLineText(opening.line, row!);
    const price = priceText(opening, look.format);
    return at === '' ? price : `${at} ${price}`;
  }
  return '';
}

const priceOf = ({ row }: Cell) => ({ decimal: row.odds_decimal, american: row.odds_american });

function nameOf(block: Block, outcome: OutcomeView, line: number, lines: number, look: BoardContext): string {
  if (outcome.type === 'home') return block.home;
  if (outcome.type === 'away') return block.away;
  // Of one outcome alone there is one line for both.
  if (block.who !== '' && lines === 1) return `${block.who} ${look.detailOf(block)}`;
  if (block.who !== '') return line === 0 ? block.who : line === 1 ? look.detailOf(block) : outcome.name;
  // Over and under belong to no team: their prices show which is which.
  if (outcome.type === 'over' || outcome.type === 'yes') return block.away;
  if (outcome.type === 'under' || outcome.type === 'no') return block.home;
  // What follows a team's name tells it from the others: `Lakers by 1-2`.
  return outcome.name
    .replace(block.home, () => shortTeam(block.home, block.eventId, 'home'))
    .replace(block.away, () => shortTeam(block.away, block.eventId, 'away'));
}

function writeCell(place: CellElement, cell: Cell | undefined, outcome: OutcomeView, look: BoardContext): void {
  if (cell === undefined) {
    place.tint('', 0, 1);
    place.write('', '', 'cell');
    return;
  }
  const { row, state, excluded } = cell;
  const move = look.board.move(row.id);
  const tint = place.tint(row.id, move?.count ?? 0, move?.direction ?? 1);
  let className = 'cell';
  if (state !== 'open') className += ` ${state}`;
  if (excluded) className += ' excluded';
  if (state === 'open' && outcome.bestBooks.includes(row.sportsbook) && !excluded) className += ' best';
  if (move !== undefined && look.nowMs - move.atMs < ARROW_MS) className += move.direction === 1 ? ' rose' : ' fell';
  place.write(priceText(priceOf(cell), look.format), sideLineText(row.line, row), className + tint);
}
