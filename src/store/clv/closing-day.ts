// The closing prices of a game as GET /historical/odds/closing shows them: book by book, each line with its probability
// without the book's own margin where the book has all sides of it.

import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { type Commission, chargeOf, netDecimal } from '../../base/model/commission.js';
import type { DevigMethod } from '../../base/model/devig-method.js';
import { round6 } from '../../base/model/row-json.js';
import { formatUs } from '../../base/model/time.js';
import { hasShownDraw, noteDraw } from '../../detection/draws.js';
import { devig } from '../../detection/maths/devig.js';
import { isAmong } from '../../rules/catalogue/private-book.js';
import type { MarketTypes } from '../../rules/markets/market-types.js';
import { hasThirdSideAt, sideOf } from '../../rules/markets/sides.js';
import { closingLines, type Line } from '../history/answers.js';
import { betFields, eventFields, type HistoryEvent } from '../history/event-record.js';
import type { Recorder } from '../history/recorder.js';

export interface ClosedEventQuestion {
  event: string;
  /** Null means all. */
  books: readonly string[] | null;
  method: DevigMethod;
  /** Unix µs: what closes later has no closing price yet. */
  nowUs: number;
}

export interface ClosedEvent {
  /** JSON. */
  text: string;
  lines: number;
}

interface ClosingFacts {
  types: MarketTypes;
  isExchange(book: string): boolean;
  commissionOf(book: string): Commission | null;
}

/** Null if history does not know the game, or none of the books has closed. */
export function closedEvent(
  recorder: Recorder,
  { event: id, books, method, nowUs }: ClosedEventQuestion,
  { types, isExchange, commissionOf }: ClosingFacts,
): ClosedEvent | null {
  const event = recorder.find(id);
  if (event === undefined) return null;
  const lines = closingLines(recorder, event, nowUs, isExchange).filter(({ row }) => isAmong(books, row.book));
  if (lines.length === 0) return null;
  const fair = fairProbabilities(event, lines, method, { types, commissionOf });
  const byBook = new Map<string, Line[]>();
  for (const line of lines) getOrInsert(byBook, line.row.book, (): Line[] => []).push(line);
  const captured = (own: readonly Line[]): number[] => own.map(({ point }) => point.atUs);
  const text = JSON.stringify({
    ...eventFields(event),
    first_captured_at: formatUs(captured(lines).reduce((a, b) => Math.min(a, b))),
    books: [...byBook].map(([book, own]) => ({
      book,
      captured_at: formatUs(captured(own).reduce((a, b) => Math.max(a, b))),
      lines: own.map((line) => lineFields(line, fair.get(line) ?? null)),
    })),
  });
  return { text, lines: lines.length };
}

function lineFields({ row, point }: Line, noVig: number | null) {
  return {
    odds_id: row.id,
    ...betFields(row),
    line: point.line,
    is_main_line: !row.alternate,
    odds_american: point.american,
    odds_decimal: round6(point.decimal),
    ...(point.indicative ? { indicative: true } : {}),
    implied_probability: round6(1 / point.decimal),
    no_vig_probability: noVig === null ? null : round6(noVig),
  };
}

/**
 * Of those lines of which their book has all sides, from prices after its commission, which is margin as well; those of a
 * push left out, as the prices do.
 */
function fairProbabilities(
  event: HistoryEvent,
  lines: readonly Line[],
  method: DevigMethod,
  { types, commissionOf }: Pick<ClosingFacts, 'types' | 'commissionOf'>,
): Map<Line, number> {
  const net = ({ row, point }: Line) => netDecimal(point.decimal, chargeOf(row.commission, commissionOf(row.book)));
  const shown = { sport: event.sport };
  for (const row of event.rows) noteDraw(shown, row.book, row, types);
  /** By book, market and number: the sides of its main rows and of its alternate ones, and how many there are. */
  const sets = new Map<string, { mains: Sides; alternates: Sides; count: number }>();
  for (const line of lines) {
    const { row, point } = line;
    const rules = types.of(row.market, event.sport);
    const found = rules.backed === row.market ? sideOf(rules, row.selectionType, point.line !== null) : undefined;
    if (found === undefined) continue;
    const { pairing, side } = found;
    const three = rules.sides === 'three' || hasShownDraw(shown, row.book, row.market);
    if (three && pairing !== 'winner' && hasThirdSideAt(pairing, point.line)) continue;
    const number = pairing === 'handicap' && side === 1 ? 0 - point.line! + 0 : point.line;
    const key = JSON.stringify([row.book, row.market, row.player, row.stat, row.team, pairing, number]);
    const count = three && pairing === 'winner' ? 3 : 2;
    const set = getOrInsert(sets, key, () => ({ mains: [], alternates: [], count }));
    (row.alternate ? set.alternates : set.mains)[side] = line;
  }
  const fair = new Map<Line, number>();
  const implied = new Float64Array(3);
  const out = new Float64Array(3);
  for (const { mains, alternates, count } of sets.values())
    for (const sides of [mains, alternates]) {
      for (let i = 0; i < count; i++) implied[i] = sides[i] === undefined ? Number.NaN : 1 / net(sides[i]!);
      if (devig(method, implied, count, out)) for (let i = 0; i < count; i++) fair.set(sides[i]!, out[i]!);
    }
  return fair;
}

/** A book's rows of a line, by side. */
type Sides = (Line | undefined)[];
