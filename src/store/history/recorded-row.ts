// A row as history knows it: also after it has left the table.
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { atItsLine, type DescribedBet, describedRows, lineMeant } from '../../rules/catalogue/described-bet.js';
import { changePoint, type HistoryEvent, type HistoryRow, type Point } from './event-record.js';
import type { Recorder } from './recorder.js';

/** `line` is its last one. */
export type RecordedRow = ReturnType<typeof recordedRow>;

/** In the order of their odds ids; null for one that history does not know. Each game is read once. */
export function recordedRows(recorder: Recorder, oddsIds: readonly string[]): (RecordedRow | null)[] {
  const games = new Map<HistoryEvent, Set<HistoryRow>>();
  const found = oddsIds.map((id) => {
    const event = recorder.findByRow(id);
    const row = event?.byId.get(id);
    if (event === undefined || row === undefined) return null;
    getOrInsert(games, event, () => new Set()).add(row);
    return { event, row };
  });
  const known = new Map([...games].map(([event, rows]) => [event, linesOf(recorder, event, rows, NONE)]));
  return found.map((one) => one && recordedRow(one.event, one.row, known.get(one.event)!.get(one.row)!.last));
}

function recordedRow(event: HistoryEvent, row: HistoryRow, { line }: Point) {
  const { id, sport, league, home, away, startMs } = event;
  const { market, selection, selectionType, player, stat, team, book, alternate } = row;
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
    stat,
    team,
    sportsbook: book,
    alternate,
    line,
  };
}

/**
 * Of each bet the odds id of the row that it describes, at the line that it had last, else of the only one whose main line
 * it was before; null if there is none, or more than one. Each game is read once.
 */
export function rowsDescribed(
  recorder: Recorder,
  catalogue: Catalogue,
  bets: readonly DescribedBet[],
): (string | null)[] {
  const games = new Map<HistoryEvent, { rows: Set<HistoryRow>; lines: Set<number> }>();
  const meant = bets.map((described) => {
    const event = recorder.find(described.event);
    if (event === undefined) return null;
    const bet = { ...described, line: lineMeant(catalogue, event, described.market, described.line) };
    const rows = describedRows(catalogue, event, bet, event.rows);
    const asked = getOrInsert(games, event, () => ({ rows: new Set(), lines: new Set() }));
    for (const row of rows) asked.rows.add(row);
    if (bet.line != null) asked.lines.add(bet.line);
    return { event, rows, line: bet.line };
  });
  const known = new Map(
    [...games].map(([event, { rows, lines }]) => [event, linesOf(recorder, event, rows, lines)] as const),
  );
  return meant.map((one) => {
    if (one === null) return null;
    const { rows, line } = one;
    const of = known.get(one.event)!;
    const there = atItsLine(rows, line, (row) => of.get(row)!.last.line);
    if (there !== undefined || line == null) return there?.id ?? null;
    const had = rows.filter((row) => !row.alternate && of.get(row)!.had.has(line));
    return had.length === 1 ? had[0]!.id : null;
  });
}

export function lastPoint(recorder: Recorder, event: HistoryEvent, row: HistoryRow): Point {
  return linesOf(recorder, event, [row], NONE).get(row)!.last;
}

const NONE: ReadonlySet<number> = new Set();

interface Lines {
  last: Point;
  /** Those of the lines asked for at which it has been. */
  had: Set<number>;
}

/** Of rows of a game, in one walk over its changes. */
function linesOf(
  recorder: Recorder,
  event: HistoryEvent,
  rows: Iterable<HistoryRow>,
  asked: ReadonlySet<number>,
): Map<HistoryRow, Lines> {
  const wanted = new Uint8Array(event.rows.length);
  const found = new Map<HistoryRow, Lines>();
  for (const row of rows) {
    const { opening, lastBeforeClose } = row;
    wanted[row.place] = 1;
    const had = [opening.line, lastBeforeClose?.line].filter((line) => line != null && asked.has(line));
    found.set(row, { last: lastBeforeClose ?? opening, had: new Set(had as number[]) });
  }
  if (found.size === 0) return found;
  recorder.changes(
    event,
    0,
    Number.MAX_SAFE_INTEGER,
    (place, at, american, decimal, line, flags) => {
      const of = found.get(event.rows[place]!)!;
      if (at >= of.last.atUs) of.last = changePoint(at, american, decimal, line, flags);
      if (asked.has(line)) of.had.add(line);
    },
    wanted,
  );
  return found;
}
