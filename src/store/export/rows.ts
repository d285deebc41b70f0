// A line of an export: one change of a price and the bet it is for. And which of them are wanted.
import { closeUs, type HistoryEvent, type HistoryRow } from '../history/event-record.js';
import type { Recorder } from '../history/recorder.js';

export interface ExportFilter {
  /** Unix µs, both inclusive. */
  fromUs: number;
  toUs: number;
  /** Null means all, as in the others. */
  leagues: ReadonlySet<string> | null;
  sports: ReadonlySet<string> | null;
  books: ReadonlySet<string> | null;
  markets: ReadonlySet<string> | null;
}

/** Receives one change; `line` is NaN if there is none, `flags` are those of a page. */
export type LineVisitor = (
  event: HistoryEvent,
  row: HistoryRow,
  change: { atUs: number; american: number; decimal: number; line: number; flags: number; prematch: boolean },
) => void;

export interface ExportWriter {
  line: LineVisitor;
  /** Writes the rest; the file is complete then. */
  end(): void;
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
  const wanted = event.rows.map((row) => (books?.has(row.book) ?? true) && (markets?.has(row.market) ?? true));
  const closes = event.rows.map((row) => closeUs(event, row.book));
  const change = { atUs: 0, american: 0, decimal: 0, line: 0, flags: 0, prematch: false };
  let count = 0;
  recorder.changes(event, fromUs, toUs, (place, atUs, american, decimal, line, flags) => {
    if (!wanted[place]) return;
    change.atUs = atUs;
    change.american = american;
    change.decimal = decimal;
    change.line = line;
    change.flags = flags;
    change.prematch = atUs < closes[place]!;
    count++;
    visitor(event, event.rows[place]!, change);
  });
  return count;
}
