// A row as history knows it: also after it has left the table.
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { atItsLine, type DescribedBet, describedRows } from '../../rules/catalogue/described-bet.js';
import { changePoint, type HistoryEvent, type HistoryRow, type Point } from './event-record.js';
import type { Recorder } from './recorder.js';

export interface RecordedRow {
  event: string;
  sport: string;
  league: string;
  home: string;
  away: string;
  startMs: number;
  market: string;
  selection: string;
  selectionType: string;
  player: string | null;
  team: 'home' | 'away' | null;
  sportsbook: string;
  alternate: boolean;
  /** Its last one. */
  line: number | null;
}

/** Null if history does not know the row. */
export function recordedRow(recorder: Recorder, oddsId: string): RecordedRow | null {
  const event = recorder.findByRow(oddsId);
  const row = event?.byId.get(oddsId);
  if (event === undefined || row === undefined) return null;
  const { id, sport, league, home, away, startMs } = event;
  const { market, selection, selectionType, player, team, book, alternate } = row;
  const { line } = lastPoint(recorder, event, row);
  return {
    event: id,
    sport,
    league,
    home,
    away,
    startMs,
    market,
    selection,
    selectionType,
    player,
    team,
    sportsbook: book,
    alternate,
    line,
  };
}

/**
 * The odds id of the row that the bet describes, at the line that it had last, else of the only one whose main line it was
 * before; null if there is none, or more than one.
 */
export function describedRow(recorder: Recorder, catalogue: Catalogue, bet: DescribedBet): string | null {
  const event = recorder.find(bet.event);
  if (event === undefined) return null;
  const rows = describedRows(catalogue, event, bet, event.rows);
  const there = atItsLine(rows, bet.line, (row) => lastPoint(recorder, event, row).line);
  if (there !== undefined || bet.line == null) return there?.id ?? null;
  const had = havingHad(recorder, event, rows, bet.line);
  return had.length === 1 ? had[0]!.id : null;
}

/** Those of the rows whose main line has been this one. */
function havingHad(recorder: Recorder, event: HistoryEvent, rows: readonly HistoryRow[], line: number): HistoryRow[] {
  const wanted = new Uint8Array(event.rows.length);
  const had = new Set<number>();
  for (const { place, alternate, opening, lastBeforeClose } of rows) {
    if (alternate) continue;
    wanted[place] = 1;
    if (opening.line === line || lastBeforeClose?.line === line) had.add(place);
  }
  recorder.changes(
    event,
    0,
    Number.MAX_SAFE_INTEGER,
    (place, _at, _american, _decimal, own) => {
      if (own === line) had.add(place);
    },
    wanted,
  );
  return rows.filter(({ place }) => had.has(place));
}

export function lastPoint(recorder: Recorder, event: HistoryEvent, row: HistoryRow): Point {
  let last = row.lastBeforeClose ?? row.opening;
  const wanted = new Uint8Array(event.rows.length);
  wanted[row.place] = 1;
  recorder.changes(
    event,
    0,
    Number.MAX_SAFE_INTEGER,
    (_place, at, american, decimal, line, flags) => {
      if (at >= last.atUs) last = changePoint(at, american, decimal, line, flags);
    },
    wanted,
  );
  return last;
}
