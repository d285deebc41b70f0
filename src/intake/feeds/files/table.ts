// Tables: comma, semicolon or tab between the cells, the names of the columns first; quoted cells may hold any of them.
import { StringDecoder } from 'node:string_decoder';
import { LIMITS } from '../../../base/model/limits.js';
import { plainMinus } from '../../../base/model/price.js';

export interface TableRow {
  /** Of the file, from 1. */
  line: number;
  cells: readonly string[];
}

export interface TableHead {
  columns: readonly string[];
  separator: string;
}

const SEPARATORS = [',', ';', '\t'] as const;

/** What spreadsheets of some countries write before a table, so that others read it as they do. */
const SEPARATOR_LINE = /^"?sep=(.?)"?\s*$/i;

/** What a text begins with, if that is the head of a table; undefined if it is not. */
export function headOfTable(text: string): TableHead | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const named = SEPARATOR_LINE.exec(lines[0] ?? '')?.[1];
  const first = lines[named === undefined ? 0 : 1];
  if (first === undefined || /^\s*[[{<]/.test(first)) return undefined;
  const countOf = (separator: string): number => cellsOf(first, separator).cells.length;
  const counted = SEPARATORS.reduce((most, each) => (countOf(each) > countOf(most) ? each : most));
  const separator = SEPARATORS.find((each) => each === named) ?? counted;
  const { cells, open } = cellsOf(first, separator);
  return cells.length < 2 || open !== undefined ? undefined : { columns: cells, separator };
}

/**
 * The rows after the head. Calls `bad` for each line that is none.
 * @param isStrict rows with fewer or more cells than the head are none
 */
export async function* rowsOf(
  bytes: AsyncIterable<Buffer>,
  head: TableHead,
  bad: (line: number, reason: string) => void,
  isStrict = false,
): AsyncGenerator<TableRow, void> {
  const rows = new TableRows(head, bad, isStrict);
  for await (const text of wholeLines(bytes))
    for (let start = 0; start < text.length; ) {
      const newline = text.indexOf('\n', start);
      const end = newline === -1 ? text.length : newline;
      yield* rows.add(text.slice(start, end));
      start = end + 1;
    }
  yield* rows.end();
}

const LINES_MAX = LIMITS.rowLines.max;
const NONE: readonly TableRow[] = [];

/** The rows that lines make: a cell may have several. */
class TableRows {
  readonly #head: TableHead;
  readonly #bad: (line: number, reason: string) => void;
  readonly #isStrict: boolean;
  #isHead = true;
  /** The last one, from 1. */
  #line = 0;
  /** Of a row with a quote that is still open: its lines, its cells before that one, and the lines of that one. */
  #lines: string[] = [];
  #cells: string[] = [];
  #open: string[] = [];

  constructor(head: TableHead, bad: (line: number, reason: string) => void, isStrict: boolean) {
    this.#head = head;
    this.#bad = bad;
    this.#isStrict = isStrict;
  }

  /** The rows that are complete with the next line. */
  add(text: string): readonly TableRow[] {
    const { separator } = this.#head;
    this.#line++;
    const isWithin = this.#lines.length > 0;
    if (!isWithin && !text.includes('"')) return this.#row(plainCells(text, separator), this.#line);
    this.#lines.push(text);
    const { cells, open } = cellsOf(text, separator, isWithin);
    if (isWithin) {
      const [within = open!] = cells;
      // A quote that a cell begins with may be no more than a part of it: then what follows are rows, and not its text.
      if (this.#isRow(within)) return this.#anew();
      if (this.#lines.length > LINES_MAX) return this.end();
      this.#open.push(within);
      if (cells.length === 0) return NONE;
      cells[0] = this.#open.join('\n').trim();
    }
    this.#cells.push(...cells);
    this.#open = open === undefined ? [] : [open];
    if (open !== undefined) return NONE;
    const [line, row] = [this.#line - this.#lines.length + 1, this.#cells];
    this.#close();
    return this.#row(row, line);
  }

  /** The quote that is open was none, and neither are those of the lines after it, as none of them closes it. */
  end(): readonly TableRow[] {
    const rows: TableRow[] = [];
    let line = this.#line - this.#lines.length;
    for (const text of this.#lines) {
      line++;
      const { cells, open } = cellsOf(text, this.#head.separator);
      if (open === undefined) rows.push(...this.#row(cells, line));
      else if (this.#isRow(text)) rows.push(...this.#row(plainCells(text, this.#head.separator), line));
      else this.#bad(line, 'a quote is not closed');
    }
    this.#close();
    return rows;
  }

  /** The last line is a row of its own. */
  #anew(): readonly TableRow[] {
    const last = this.#lines.pop()!;
    this.#line--;
    return [...this.end(), ...this.add(last)];
  }

  #close(): void {
    this.#lines = [];
    this.#cells = [];
    this.#open = [];
  }

  #isRow(text: string): boolean {
    return plainCells(text, this.#head.separator).length === this.#head.columns.length;
  }

  #row(cells: readonly string[], line: number): readonly TableRow[] {
    const { columns } = this.#head;
    // Also a line of separators, as spreadsheets write below a table.
    if (cells.every((cell) => cell === '')) return NONE;
    if (this.#isHead) {
      this.#isHead = SEPARATOR_LINE.test(cells.join(this.#head.separator));
      return NONE;
    }
    // More cells than names: one was split, as an unquoted 1,95 beside commas is, and those behind it are under others' names.
    const isShifted = cells.length > columns.length && cells.slice(columns.length).some((cell) => cell !== '');
    if (!isShifted && (!this.#isStrict || cells.length === columns.length)) return [{ line, cells }];
    this.#bad(line, `Invalid Record Length: ${cells.length} cells under ${columns.length} names`);
    return NONE;
  }
}

/** Texts that end with a line. */
async function* wholeLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let rest = '';
  const decoder = new StringDecoder();
  for await (const chunk of bytes) {
    const text = rest + decoder.write(chunk);
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    if (end > 0) yield text.slice(0, end);
  }
  if (rest !== '') yield rest;
}

function plainCells(line: string, separator: string): string[] {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  const cells = text.split(separator);
  return text.includes(' ') ? cells.map((cell) => cell.trim()) : cells;
}

const BLANK = /[^ \r]/g;

/** Where the next letter is that is no blank; the text's length if there is none. */
function afterBlanks(text: string, from: number): number {
  BLANK.lastIndex = from;
  return BLANK.exec(text)?.index ?? text.length;
}

/**
 * The cells of a line. A quote opens at a cell's beginning alone, and closes at its end; `open` is a cell where it does not.
 * @param isWithin the line begins within a cell whose quote is open
 */
function cellsOf(text: string, separator: string, isWithin = false): { cells: string[]; open?: string } {
  const cells: string[] = [];
  for (let at = 0; ; at++) {
    const begin = afterBlanks(text, at);
    const isOpen = isWithin && cells.length === 0;
    if (isOpen || text[begin] === '"') {
      const { cell, end } = quotedCell(text, isOpen ? 0 : begin + 1, separator);
      if (end === undefined) return { cells, open: cell };
      cells.push(isOpen ? cell : cell.trim());
      at = end;
    } else {
      const next = text.indexOf(separator, at);
      const end = next === -1 ? text.length : next;
      cells.push(text.slice(at, end).trim());
      at = end;
    }
    if (at >= text.length) return { cells };
  }
}

/** Quotes within are doubled, as a rule. `end` is where the next separator is, or the text's length. */
function quotedCell(text: string, from: number, separator: string): { cell: string; end?: number } {
  let cell = '';
  for (let at = from; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { cell: cell + text.slice(at) };
    cell += text.slice(at, quote);
    at = quote + 1;
    if (text[at] === '"') at++;
    else {
      const end = afterBlanks(text, at);
      if (end === text.length || text[end] === separator) return { cell, end };
    }
    cell += '"';
  }
}

/** The index of each column by its name; of two of one name the first. */
export function columnsOf({ columns }: TableHead): ReadonlyMap<string, number> {
  const at = new Map<string, number>();
  for (const [index, name] of columns.entries()) if (name !== '' && !at.has(name)) at.set(name, index);
  return at;
}

/** A number as tables write it: beside semicolons and tabs also with a decimal comma. NaN if it is none. */
export function numberOf(text: string | undefined, head: TableHead): number {
  if (text === undefined || text === '') return Number.NaN;
  return Number(withPoint(plainMinus(text), head));
}

/** The same number with a decimal point. */
export function withPoint(text: string, { separator }: TableHead): string {
  return separator === ',' ? text.replace(/^([+-]?\d+),(\d+)$/, '$1.$2') : text.replace(',', '.');
}
