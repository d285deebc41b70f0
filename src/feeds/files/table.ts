// Tables: comma, semicolon or tab between the cells, the names of the columns first; quoted cells may hold any of them.
import { pipeline, Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { LIMITS } from '../../model/limits.js';

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
  { separator }: TableHead,
  bad: (line: number, reason: string) => void,
  isStrict = false,
): AsyncGenerator<TableRow, void> {
  let isHead = true;
  const parser = pipeline(
    Readable.from(bytes, { objectMode: true }),
    parse({
      delimiter: separator,
      skip_empty_lines: true,
      trim: true,
      info: true,
      relax_column_count: !isStrict,
      relax_quotes: true,
      max_record_size: LIMITS.venueLine.max,
      skip_records_with_error: true,
      on_skip: (error: CsvError | undefined) => error && void bad(Number(error.lines ?? 0), error.message),
    }),
    () => undefined,
  ) as AsyncIterable<{ record: string[]; info: { lines: number } }>;
  for await (const { record, info } of parser) {
    if (isHead) {
      isHead = false;
      continue;
    }
    // A line of separators, as spreadsheets write below a table.
    if (record.some((cell) => cell !== '')) yield { line: info.lines, cells: record };
  }
}

/** The index of each column by its name; of two of one name the first. */
export function columnsOf({ columns }: TableHead): ReadonlyMap<string, number> {
  const at = new Map<string, number>();
  for (const [index, name] of columns.entries()) if (name !== '' && !at.has(name)) at.set(name, index);
  return at;
}

/** A number as tables write it: beside semicolons and tabs also with a decimal comma. NaN if it is none. */
export function numberOf(text: string | undefined, { separator }: TableHead): number {
  if (text === undefined || text === '') return Number.NaN;
  return Number(separator === ',' ? text.replace(/^(-?\d+),(\d+)$/, '$1.$2') : text.replace(',', '.'));
}
