// A line of an export: one change of a price, or its removal, and the bet it is for. And which of them are wanted.

import { closeUs, flagsOf, type HistoryEvent, type HistoryRow } from '../history/event-record.js';
import { type ChangeVisitor, FLAG } from '../history/page.js';
import type { HistoryStore } from '../history/port.js';
import type { Recorder } from '../history/recorder.js';

export interface ExportFilter {
  /** Unix µs, both inclusive. */
  fromUs: number;
  toUs: number;
  /** Null means all, as in the others. */
  leagues: ReadonlySet<string> | null;
  sports: ReadonlySet<string> | null;
  books: ReadonlySet<string> | null;
  /** Whether a market type is wanted. */
  markets: ((type: string) => boolean) | null;
}

export interface ExportedChange {
  atUs: number;
  /** Of a removal: the last price. */
  american: number;
  decimal: number;
  /** NaN if there is none. */
  line: number;
  /** As of a page. */
  flags: number;
  prematch: boolean;
}

/** Receives one change. */
export type LineVisitor = (event: HistoryEvent, row: HistoryRow, change: ExportedChange) => void;

export interface ExportWriter {
  line: LineVisitor;
  /** Writes the rest; the file is complete then. */
  end(): void;
}

/** What its market alone charges, as JSON. */
export function commissionText({ commission }: HistoryRow): string | null {
  return commission === undefined ? null : JSON.stringify(commission);
}

export function isWantedEvent({ league, sport }: { league: string; sport: string }, filter: ExportFilter): boolean {
  return (filter.leagues?.has(league) ?? true) && (filter.sports?.has(sport) ?? true);
}

/** Visits the event's changes; returns their number. `change` is one reused object. */
export function eventLines(
  recorder: Recorder,
  event: HistoryEvent,
  { fromUs, toUs, books, markets }: ExportFilter,
  visitor: LineVisitor,
): number {
  const wanted = event.rows.map((row) => (books?.has(row.book) ?? true) && (markets?.(row.market) ?? true));
  const closes = event.rows.map((row) => closeUs(event, row.book));
  const prices = lastPrices(recorder, event, fromUs);
  /** Of each row the last that was visited. */
  const visitedUs = new Float64Array(event.rows.length);
  const change: ExportedChange = { atUs: 0, american: 0, decimal: 0, line: 0, flags: 0, prematch: false };
  let count = 0;
  const visit: ChangeVisitor = (place, atUs, american, decimal, line, flags) => {
    if (!wanted[place]) return;
    if (flags < FLAG.removed) prices.set(place, american, decimal, line, flags);
    prices.read(place, change);
    if (flags >= FLAG.removed) change.flags = flags | (change.flags & (FLAG.indicative + FLAG.model));
    change.atUs = atUs;
    change.prematch = atUs < closes[place]!;
    visitedUs[place] = atUs;
    count++;
    visitor(event, event.rows[place]!, change);
  };
  recorder.changesAndRemovals(event, fromUs, toUs, visit);
  // Earlier releases kept of each row only when it was removed last.
  for (const { place, removedUs } of event.rows)
    if (visitedUs[place]! > 0 && visitedUs[place]! < removedUs && removedUs <= toUs)
      visit(place, removedUs, Number.NaN, Number.NaN, Number.NaN, FLAG.removed + FLAG.inactive);
  return count;
}

/** The price that each row had last, for its removal. */
function lastPrices(recorder: Recorder, event: HistoryEvent, fromUs: number) {
  const { length } = event.rows;
  const has = new Uint8Array(length);
  const prices = new Float64Array(length);
  const decimals = new Float64Array(length);
  const lines = new Float64Array(length);
  const marks = new Uint8Array(length);
  let readBefore = false;
  const set = (place: number, american: number, decimal: number, line: number, flags: number): void => {
    has[place] = 1;
    prices[place] = american;
    decimals[place] = decimal;
    lines[place] = line;
    marks[place] = flags;
  };
  /** Of all rows that have none yet: before the export begins, where it is stored, else as far as is known. */
  const readEarlier = (): void => {
    if (readBefore) return;
    readBefore = true;
    const known = has.slice();
    for (const { place, opening, lastBeforeClose } of event.rows) {
      if (known[place] === 1) continue;
      const point = lastBeforeClose ?? opening;
      set(place, point.american, point.decimal, point.line ?? Number.NaN, flagsOf(point));
    }
    recorder.changes(event, 0, fromUs - 1, (place, _at, american, decimal, line, flags) => {
      if (known[place] === 0) set(place, american, decimal, line, flags);
    });
  };
  /** Writes it into `change`. */
  const read = (place: number, change: ExportedChange): void => {
    if (has[place] === 0) readEarlier();
    change.american = prices[place]!;
    change.decimal = decimals[place]!;
    change.line = lines[place]!;
    change.flags = marks[place]!;
  };
  return { set, read };
}

// Exports history to a file: every wanted change, event by event, as fast as it can be read. The directory may be in
// use.

interface ExportProgress {
  events: number;
  eventsDone: number;
  changes: number;
}

/** Between two pieces `turn` is awaited: for drawing progress and handling signals. */
export async function exportHistory(
  recorder: Recorder,
  store: HistoryStore,
  filter: ExportFilter,
  writer: ExportWriter,
  turn: (progress: ExportProgress) => Promise<void>,
): Promise<ExportProgress> {
  const wanted: number[] = [];
  for (const { hno, fields } of store.events()) if (isWantedEvent(fields, filter)) wanted.push(hno);
  const progress: ExportProgress = { events: wanted.length, eventsDone: 0, changes: 0 };
  for (const hno of wanted) {
    const event = recorder.event(hno);
    if (event !== undefined) {
      progress.changes += eventLines(recorder, event, filter, writer.line);
      recorder.forget(hno);
    }
    progress.eventsDone++;
    await turn(progress);
  }
  writer.end();
  return progress;
}
