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
  const prices = new LastPrices(recorder, event, fromUs);
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
class LastPrices {
  readonly #recorder: Recorder;
  readonly #event: HistoryEvent;
  readonly #fromUs: number;
  readonly #has: Uint8Array;
  readonly #american: Float64Array;
  readonly #decimal: Float64Array;
  readonly #line: Float64Array;
  readonly #flags: Uint8Array;
  #readBefore = false;

  constructor(recorder: Recorder, event: HistoryEvent, fromUs: number) {
    const { length } = event.rows;
    this.#recorder = recorder;
    this.#event = event;
    this.#fromUs = fromUs;
    this.#has = new Uint8Array(length);
    this.#american = new Float64Array(length);
    this.#decimal = new Float64Array(length);
    this.#line = new Float64Array(length);
    this.#flags = new Uint8Array(length);
  }

  set(place: number, american: number, decimal: number, line: number, flags: number): void {
    this.#has[place] = 1;
    this.#american[place] = american;
    this.#decimal[place] = decimal;
    this.#line[place] = line;
    this.#flags[place] = flags;
  }

  /** Writes it into `change`. */
  read(place: number, change: ExportedChange): void {
    if (this.#has[place] === 0) this.#readEarlier();
    change.american = this.#american[place]!;
    change.decimal = this.#decimal[place]!;
    change.line = this.#line[place]!;
    change.flags = this.#flags[place]!;
  }

  /** Of all rows that have none yet: before the export begins, where it is stored, else as far as is known. */
  #readEarlier(): void {
    if (this.#readBefore) return;
    this.#readBefore = true;
    const known = this.#has.slice();
    for (const { place, opening, lastBeforeClose } of this.#event.rows) {
      if (known[place] === 1) continue;
      const point = lastBeforeClose ?? opening;
      this.set(place, point.american, point.decimal, point.line ?? Number.NaN, flagsOf(point));
    }
    this.#recorder.changes(this.#event, 0, this.#fromUs - 1, (place, _at, american, decimal, line, flags) => {
      if (known[place] === 0) this.set(place, american, decimal, line, flags);
    });
  }
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
