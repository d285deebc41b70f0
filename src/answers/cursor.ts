// Keyset cursors: the place of a page's last row in the order, so that unchanged rows are neither repeated nor skipped.
// Opaque to callers, and valid only for the filters it was made with.
import { compareLine, compareText } from '../base/model/compare.js';
import { ApiError } from '../base/model/errors.js';
import { isPlainJson, jsonValue, UTF8_BYTES_PER_UNIT } from '../base/model/json-text.js';
import type { OddsTable } from '../tables/table.js';

/** A row's place: the sort value (null in the default order), then the keys of the default order. */
export type CursorKey = [
  sortKey: number | string | null,
  startMs: number,
  eventId: string,
  market: string,
  line: number | null,
  selection: string,
  book: string,
  player: string,
  id: string,
];

export function cursorKeyOf(table: OddsTable, slot: number, sortKey: number | string | null): CursorKey {
  const c = table.columns;
  const event = table.eventOf(slot);
  const line = c.line[slot]!;
  return [
    sortKey,
    event.startMs,
    event.id,
    table.markets.name(c.market[slot]!),
    Number.isNaN(line) ? null : line,
    c.selection.at(slot)!,
    table.books.name(c.book[slot]!),
    c.player.at(slot) ?? '',
    c.id.at(slot),
  ];
}

/** Negative if the row comes before the place in the default order, positive if after. */
export function compareToCursor(table: OddsTable, slot: number, place: CursorKey): number {
  const event = table.eventOf(slot);
  return event.startMs - place[1] || compareText(event.id, place[2]) || compareRowToCursor(table, slot, place);
}

/** The same within the place's own event. */
export function compareRowToCursor(table: OddsTable, slot: number, place: CursorKey): number {
  const c = table.columns;
  return (
    compareText(table.markets.name(c.market[slot]!), place[3]) ||
    compareLine(c.line[slot]!, place[4] ?? Number.NaN) ||
    compareText(c.selection.at(slot)!, place[5]) ||
    compareText(table.books.name(c.book[slot]!), place[6]) ||
    compareText(c.player.at(slot) ?? '', place[7]) ||
    compareText(c.id.at(slot), place[8])
  );
}

/** @param filters digest of the filters that chose the rows */
export function encodeCursor(place: CursorKey, filters: string): string {
  const [sortKey, startMs, event, market, line, selection, book, player, id] = place;
  const texts = `${event}","${market}",${line},"${selection}","${book}","${player}","${id}`;
  const text = isPlainJson(`${filters}${event}${market}${selection}${book}${player}${id}`)
    ? `["${filters}",${jsonValue(sortKey)},${startMs},"${texts}"]`
    : JSON.stringify([filters, ...place]);
  // Memory of its own for each cost as much as encoding it.
  if (text.length * UTF8_BYTES_PER_UNIT > encoding.length) return Buffer.from(text).toString('base64url');
  return encoding.toString('base64url', 0, encoding.write(text));
}

const encoding = Buffer.allocUnsafeSlow(4_096);

/** Throws invalid_request if the text is not a cursor, or is one of other filters. */
export function decodeCursor(text: string, filters: string): CursorKey {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    parts = null;
  }
  if (!Array.isArray(parts) || parts.length !== 10 || typeof parts[0] !== 'string' || !isCursorKey(parts.slice(1)))
    throw notACursor();
  if (parts[0] !== filters) throw cursorOfOtherFilters();
  return parts.slice(1) as CursorKey;
}

export function notACursor(): ApiError {
  return new ApiError('invalid_request', 'cursor: not one of this endpoint');
}

export function cursorOfOtherFilters(): ApiError {
  return new ApiError('invalid_request', 'cursor: made with other filters; start again without it');
}

function isCursorKey(parts: unknown[]): boolean {
  const [sortKey, startMs, eventId, market, line, ...texts] = parts;
  return (
    (sortKey === null || typeof sortKey === 'number' || typeof sortKey === 'string') &&
    typeof startMs === 'number' &&
    typeof eventId === 'string' &&
    typeof market === 'string' &&
    (line === null || typeof line === 'number') &&
    texts.every((text) => typeof text === 'string')
  );
}
