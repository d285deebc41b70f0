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
  /** Its last one. */
  line: number | null;
}

/** Null if history does not know the row. */
export function recordedRow(recorder: Recorder, oddsId: string): RecordedRow | null {
  const event = recorder.findByRow(oddsId);
  const row = event?.byId.get(oddsId);
  if (event === undefined || row === undefined) return null;
  const { id, sport, league, home, away, startMs } = event;
  const { market, selection, selectionType, player, team, book } = row;
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
    line,
  };
}

/** The odds id of the row that the bet describes, at the line that it had last; null if there is none, or more than one. */
export function describedRow(recorder: Recorder, catalogue: Catalogue, bet: DescribedBet): string | null {
  const event = recorder.find(bet.event);
  if (event === undefined) return null;
  const rows = describedRows(catalogue, event, bet, event.rows);
  return atItsLine(rows, bet.line, (row) => lastPoint(recorder, event, row).line)?.id ?? null;
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
