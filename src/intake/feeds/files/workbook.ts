// A workbook (.xlsx) as tables: each of its sheets as CSV.
import readSheets from 'read-excel-file/node';
import { LIMITS } from '../../../base/model/limits.js';

const BYTES_MAX = LIMITS.workbook.max;

export interface SheetText {
  name: string;
  text: string;
}

/** Rejects with an Error of one line if it is damaged or too large. */
export async function sheetsOf(bytes: AsyncIterable<Buffer>): Promise<SheetText[]> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size > BYTES_MAX) throw new Error(`the workbook has more than ${BYTES_MAX} bytes: save its sheets as CSV`);
    parts.push(part);
  }
  const sheets = await readSheets(Buffer.concat(parts));
  return sheets
    .filter(({ data }) => data.length > 0)
    .map(({ sheet, data }) => ({
      name: sheet,
      text: data.map((row) => `${row.map(cellOf).join(',')}\n`).join(''),
    }));
}

/** A date as the cell says it: a workbook has no zones, and the package gives it as if in UTC. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date)
    return value
      .toISOString()
      .replace(/T00:00:00\.000Z$/, '')
      .replace('.000Z', '');
  const text = String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
