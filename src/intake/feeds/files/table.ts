// Tables: comma, semicolon or tab between the cells, the names of the columns first; quoted cells may hold any of them.
import { StringDecoder } from 'node:string_decoder';
import { parse } from 'csv-parse/sync';
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

/** What a text begins with, if that is the head of a table; undefined if it is not. */
export function headOfTable(text: string): TableHead | undefined {
  const first = text.split('\n').find((line) => line.trim() !== '');
  if (first === undefined || /^\s*[[{<]/.test(first)) return undefined;
  const countOf = (separator: string): number => first.split(separator).length;
  const separator = SEPARATORS.reduce((most, each) => (countOf(each) > countOf(most) ? each : most));
  if (countOf(separator) < 2) return undefined;
  const columns = first.split(separator).map((name) =>
    name
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  );
  return { columns, separator };
}

/**
 * The rows after the head. Calls `bad` for each line that is none.
 * @param isStrict rows with fewer or more cells than the head are none
 */
export async function* rowsOf(
  bytes: AsyncIterable<Buffer>,
  { separator, columns }: TableHead,
  bad: (line: number, reason: string) => void,
  isStrict = false,
): AsyncGenerator<TableRow, void> {
  let isHead = true;
  let line = 0;
  /** Lines of a row whose quotes are still open. */
  let open = '';
  for await (const text of wholeLines(bytes))
    for (let start = 0; start < text.length; ) {
      const newline = text.indexOf('\n', start);
      const end = newline === -1 ? text.length : newline;
      const one = open + text.slice(start, end);
      start = end + 1;
      line++;
      const isQuoted = one.includes('"');
      if (isQuoted && hasOpenQuote(one) && one.length < ROW_CHARACTERS_MAX) {
        open = `${one}\n`;
        continue;
      }
      open = '';
      const cells = isQuoted ? quotedCells(one, separator) : plainCells(one, separator);
      if (typeof cells === 'string') bad(line, cells);
      // Also a line of separators, as spreadsheets write below a table.
      else if (cells.every((cell) => cell === '')) continue;
      else if (isHead) isHead = false;
      else if (isStrict && cells.length !== columns.length)
        bad(line, `Invalid Record Length: ${cells.length} cells under ${columns.length} names`);
      else yield { line, cells };
    }
  if (open !== '') bad(line, 'a quote is not closed');
}

const ROW_CHARACTERS_MAX = LIMITS.venueLine.max;

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

function hasOpenQuote(text: string): boolean {
  let quotes = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) quotes++;
  return quotes % 2 === 1;
}

function plainCells(line: string, separator: string): string[] {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  const cells = text.split(separator);
  return text.includes(' ') ? cells.map((cell) => cell.trim()) : cells;
}

/** Returns why they are none, if so. */
function quotedCells(text: string, delimiter: string): string[] | string {
  try {
    const rows = parse(text, { delimiter, trim: true, relax_quotes: true, relax_column_count: true }) as string[][];
    return rows[0] ?? [];
  } catch (error) {
    return (error as Error).message;
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
