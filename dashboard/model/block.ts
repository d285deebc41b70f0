// One market of one event (of one player, of one team) on the board: for each outcome every book's price, the best one
// at the main line, and the consensus fair price; and the hold of the best prices. Best prices, holds and opinions follow
// the server's own rules, by the functions that it asks.

import { getOrInsert } from '../../src/base/memory/get-or-insert.js';
import type { OddsRow } from '../../src/client/client.js';
import { holdPercent } from '../../src/detection/maths/arbitrage.js';
import type { MarketRules } from '../../src/rules/markets/rules.js';
import { wholeFrom } from '../../src/rules/markets/sides.js';
import { addFair, type FairContext } from './fair.js';
import { rulesOf } from './market-choice.js';
import { isHandicap } from './odds-format.js';
import { nameOf } from './outcome.js';
import { isOffered, lacksSide, type PriceOf, ThirdSides } from './whole.js';

/** The state of a price, and why it is not open; `suspended` is one at which nothing is on offer for whatever reason. */
export type CellState = 'open' | 'stale' | 'suspended';

export interface Cell {
  row: OddsRow;
  /** Decimal odds after commission. */
  net: number;
  state: CellState;
  /** At another line than the main one, of another kind of market (two-way beside three-way), or part of none that is whole: not compared. */
  excluded: boolean;
}

export interface OutcomeView {
  key: string;
  name: string;
  type: string;
  /** Of the main line, from this outcome's side; null if the market has none. */
  line: number | null;
  /** Book id → its cell: the main line. */
  cells: Map<string, Cell>;
  /** The best open and fresh price at the main line; null if there is none. */
  best: Cell | null;
  /** Books with exactly that price, in the order of the catalogue. */
  bestBooks: string[];
  /** Probability without margin, 0-1; null if no book prices every outcome. */
  fair: number | null;
  /** The book that it is from, or `consensus`: of several, the median, or the mean of those that are ticked as reference. */
  fairFrom: string;
}

export interface BlockView {
  /** From the home team's side or of the total; null if the market has none. */
  line: number | null;
  outcomes: OutcomeView[];
  /** Hold of the best prices, percent; null if an outcome has none, or the outcomes are not exhaustive. */
  hold: number | null;
  /** Books with a price. */
  books: number;
  /** Unix ms at which a price shown as fresh becomes stale. */
  freshUntilMs: number;
}

export interface BlockContext extends FairContext {
  /** Decimal odds of a book after its commission. */
  net(row: OddsRow): number;
  /** Unix ms at which the price is too old to be compared, unless it is seen again. */
  staleAtMs(row: OddsRow): number;
  nowMs: number;
  /** Whether its prices may be the best: by default of every book. */
  isMine?(book: string): boolean;
  /** Whether the book's prices there are of three results; by default as far as the rows say. */
  isThreeWay?(price: PriceOf): boolean;
  /** Players of the game whose suffix tells two men apart. */
  namesakes?: readonly string[];
}

/** Where names have numbers in them, 2 comes before 10. */
const BY_NAME = new Intl.Collator(undefined, { numeric: true });

const SIDES = ['away', 'over', 'yes', 'odd', 'home', 'draw', 'exactly', 'under', 'no', 'even'];

/** Rows of one outcome by book. */
interface Outcome {
  key: string;
  type: string;
  name: string;
  rows: Map<string, OddsRow[]>;
}

export function viewOf(rows: Iterable<OddsRow>, given: BlockContext): BlockView {
  const all = [...rows];
  const [first] = all;
  const books = new Set(all.map(({ sportsbook }) => sportsbook));
  const view: BlockView = { line: null, outcomes: [], hold: null, books: books.size, freshUntilMs: Infinity };
  if (first === undefined) return view;
  const context = {
    ...given,
    // Whatever price is looked at may become too old.
    staleAtMs: (row: OddsRow): number => {
      const atMs = given.staleAtMs(row);
      if (atMs >= given.nowMs) view.freshUntilMs = Math.min(view.freshUntilMs, atMs);
      return atMs;
    },
  };
  const outcomes = outcomesOf(all, context.namesakes);
  const market = marketOf(all, outcomes, rulesOf(first.market_type, first.sport), context);
  const main = mainLine(market, context);
  view.line = main.line;
  const compared = new Set(market.comparableAt(main.line).flat());
  for (const [i, outcome] of outcomes.entries()) {
    const atLine = main.cells[i]!;
    const cells = new Map<string, Cell>();
    for (const [book, list] of outcome.rows) {
      const shown = shownOf(list, atLine.get(book), main.line, context);
      if (shown !== undefined) cells.set(book, { ...shown, excluded: !compared.has(shown.row) });
    }
    view.outcomes.push(outcomeView(outcome, cells, atLine, sideLine(outcome, main.line), context));
  }
  const set = wholeAt(market, main.line);
  if (set === undefined) return view;
  view.hold = holdOf(set.map((i) => view.outcomes[i]!));
  addFair(
    set.map((i) => view.outcomes[i]!),
    [false, true].map((alternate) => set.map((i) => pricedCells(market, i, main.line, alternate, context))),
    { ...context, isOfPlayer: first.player_name !== undefined },
  );
  return view;
}

/** By outcome, in the order of the market's. */
type RowsByOutcome = readonly (readonly OddsRow[])[];

/** What is known of a market before a line is chosen. */
interface Market {
  rules: MarketRules & { lay: boolean };
  outcomes: readonly Outcome[];
  /** Which kind of prices is compared: of three results, or of two. */
  threeWay: boolean;
  /** All rows by a line of the home team, or of the total. */
  lines: ReadonlyMap<number | null, RowsByOutcome>;
  /** Those that may be compared at a line. */
  comparableAt(line: number | null): RowsByOutcome;
}

function marketOf(
  all: readonly OddsRow[],
  outcomes: readonly Outcome[],
  rules: Market['rules'],
  context: BlockContext,
): Market {
  const isThree = threeWayIn(all, rules, context);
  const kinds = [new Set<string>(), new Set<string>()] as const;
  const lines = new Map<number | null, OddsRow[][]>();
  const isTurned = rules.family === 'handicap';
  for (const [i, { rows }] of outcomes.entries())
    for (const [book, list] of rows)
      for (const row of list) {
        kinds[isThree(row) ? 1 : 0].add(book);
        const line = lineOf(row, isTurned);
        const at = lines.get(line) ?? outcomes.map(() => []);
        at[i]!.push(row);
        lines.set(line, at);
      }
  // Of three results only a winner is ever whole.
  const threeWay =
    kinds[1].size > 0 && (kinds[0].size === 0 || (rules.family === 'winner' && kinds[1].size >= kinds[0].size));
  const known = new Map<number | null, RowsByOutcome>();
  const comparableAt = (line: number | null): RowsByOutcome =>
    getOrInsert(known, line, () => {
      const rows = lines.get(line) ?? outcomes.map(() => []);
      const byBook = new Map<string, OddsRow[]>();
      for (const list of rows)
        for (const row of list) getOrInsert(byBook, row.sportsbook, (): OddsRow[] => []).push(row);
      // What is laid is nobody's price to back.
      const isOne = (row: OddsRow): boolean =>
        !rules.lay && isThree(row) === threeWay && (threeWay || !lacksSide(row, byBook.get(row.sportsbook)!));
      return rows.map((list) => list.filter(isOne));
    });
  return { rules, outcomes, threeWay, lines, comparableAt };
}

/** Whether a book's prices are of three results: of all its lines alike, but for totals. */
function threeWayIn(
  all: readonly OddsRow[],
  { family }: MarketRules,
  context: BlockContext,
): (row: OddsRow) => boolean {
  const thirds = context.isThreeWay === undefined ? new ThirdSides(all) : undefined;
  const isThree = (row: OddsRow): boolean => thirds?.isThreeWay(row) ?? context.isThreeWay!(row);
  const known = new Map<string, boolean>();
  return family === 'total' ? isThree : (row) => getOrInsert(known, row.sportsbook, () => isThree(row));
}

/** The outcomes, by their place, of which exactly one wins at the line; undefined where they are not the whole. */
function wholeAt({ rules, outcomes, threeWay }: Market, line: number | null): number[] | undefined {
  for (const { type } of outcomes) {
    const types = wholeFrom(rules, type, line !== null, threeWay);
    if (types === undefined) continue;
    const found = types.map((one) => outcomes.findIndex((outcome) => outcome.type === one));
    const isClear = types.every((one) => outcomes.filter((outcome) => outcome.type === one).length === 1);
    return isClear ? found : undefined;
  }
  return undefined;
}

interface MainLine {
  line: number | null;
  /** By outcome: book → its price there that can be bet. */
  cells: readonly Map<string, Cell>[];
}

/**
 * As the server's: the line that most books quote complete as their own main line, then the one that most quote complete,
 * among equals the one with the lower hold. Where none is complete: what most books have as their main line.
 */
function mainLine(market: Market, context: BlockContext): MainLine {
  let top: (MainLine & { rank: readonly number[] }) | undefined;
  const isMain = (line: number | null): boolean =>
    market.lines.get(line)!.some((rows) => rows.some((row) => !row.is_alternate_line));
  const whole = [...market.lines.keys()].filter((line) => wholeAt(market, line) !== undefined);
  // A line that nobody has as the main one counts only where there is no other.
  for (const some of [whole.filter(isMain), whole]) {
    for (const line of some) {
      const { cells, mains } = openCells(market.comparableAt(line), context);
      const sides = wholeAt(market, line)!;
      const rank = rankOf(
        sides.map((i) => cells[i]!),
        sides.map((i) => mains[i]!),
      );
      if (rank !== undefined && (top === undefined || isBefore(rank, top.rank))) top = { line, cells, rank };
    }
    if (top !== undefined && top.rank[0]! < 0) return top;
  }
  if (top !== undefined) return top;
  const line = usualLine(market);
  return { line, cells: openCells(market.comparableAt(line), context).cells };
}

/**
 * Ascending, the best first; undefined if a side has no price.
 * @param mains of each side, the books that have it at their main line
 */
function rankOf(sides: readonly Map<string, Cell>[], mains: readonly Set<string>[]): readonly number[] | undefined {
  let sum = 0;
  for (const side of sides) {
    const best = Math.max(...[...side.values()].map(({ net }) => net));
    if (!(best > 1)) return undefined;
    sum += 1 / best;
  }
  const complete = [...sides[0]!.keys()].filter((book) => sides.every((side) => side.has(book)));
  const own = complete.filter((book) => mains.every((side) => side.has(book)));
  return [-own.length, -complete.length, sum];
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  for (const [i, value] of a.entries()) if (value !== b[i]) return value < b[i]!;
  return false;
}

/** Whatever became of its prices. */
function usualLine({ outcomes, lines, comparableAt }: Market): number | null {
  const counts = new Map<number, number>();
  for (const line of lines.keys()) {
    if (line === null) continue;
    const mains = comparableAt(line).map(
      (list) => new Set(list.flatMap((row) => (row.is_alternate_line ? [] : row.sportsbook))),
    );
    counts.set(line, [...(mains[0] ?? [])].filter((book) => mains.every((side) => side.has(book))).length);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  if (most !== undefined && most[1] > 0) return most[0];
  // No book quotes all sides: any line that is shown as a main one.
  for (const { rows } of outcomes)
    for (const [row] of rows.values()) if (row !== undefined && row.line !== null) return baseLine(row);
  return null;
}

/**
 * Of each outcome the prices that can be bet now, one a book: its better one, of equal ones the main one; and the books that
 * have it at their main line.
 */
function openCells(rows: readonly (readonly OddsRow[])[], context: BlockContext) {
  const mains = rows.map(() => new Set<string>());
  const cells = rows.map((list, i) => {
    const cells = new Map<string, Cell>();
    for (const row of list) {
      const cell = cellOf(row, context);
      if (cell.state !== 'open') continue;
      if (!row.is_alternate_line) mains[i]!.add(row.sportsbook);
      const known = cells.get(row.sportsbook);
      const isFirst = known === undefined || cell.net > known.net;
      if (isFirst || (cell.net === known.net && !row.is_alternate_line)) cells.set(row.sportsbook, cell);
    }
    return cells;
  });
  return { cells, mains };
}

/** Whose main or alternate prices may say what is fair: those on offer, and those of a model that the viewer chose. */
function pricedCells(
  { comparableAt }: Market,
  outcome: number,
  line: number | null,
  alternate: boolean,
  context: BlockContext,
): Map<string, Cell> {
  const { isReference, isModel, nowMs } = context;
  const found = new Map<string, Cell>();
  for (const row of comparableAt(line)[outcome]!) {
    if (row.is_alternate_line !== alternate) continue;
    const cell = cellOf(row, context);
    if (cell.state === 'open') found.set(row.sportsbook, cell);
    if (isModel?.(row.sportsbook) !== true || isReference?.(row.sportsbook) !== true) continue;
    if (row.is_active && context.staleAtMs(row) >= nowMs)
      found.set(row.sportsbook, { row, net: row.odds_decimal, state: 'open', excluded: false });
  }
  return found;
}

/** A book's price of an outcome: its main one, or at the line an alternate. */
function shownOf(
  list: readonly OddsRow[],
  open: Cell | undefined,
  line: number | null,
  context: BlockContext,
): Cell | undefined {
  const main = list.find((row) => !row.is_alternate_line);
  if (main !== undefined && baseLine(main) !== line) return cellOf(main, context);
  return (
    open ??
    betterOf(
      list.filter((row) => baseLine(row) === line),
      context,
    )
  );
}

/** Of the outcome among those of its market that the row is a price of. */
export function outcomeKeyOf(row: OddsRow, namesakes?: readonly string[]): string {
  const name = nameOf(row, namesakes, row.selection_type);
  return name === '' ? row.selection_type : `${row.selection_type}|${name}`;
}

function outcomesOf(rows: Iterable<OddsRow>, namesakes?: readonly string[]): Outcome[] {
  const found = new Map<string, Outcome>();
  for (const row of rows) {
    const key = outcomeKeyOf(row, namesakes);
    let outcome = found.get(key);
    if (outcome === undefined) {
      outcome = { key, type: row.selection_type, name: row.selection, rows: new Map() };
      found.set(key, outcome);
    }
    const list = outcome.rows.get(row.sportsbook);
    if (list === undefined) outcome.rows.set(row.sportsbook, [row]);
    else list.push(row);
  }
  const place = (type: string): number => (SIDES.indexOf(type) + SIDES.length + 1) % (SIDES.length + 1);
  return [...found.values()].sort((a, b) => place(a.type) - place(b.type) || BY_NAME.compare(a.name, b.name));
}

/** A row's line as the home team's, or as the total's. */
export function baseLine(row: OddsRow): number | null {
  if (row.line === null) return null;
  return lineOf(row, isHandicap(row.market_type));
}

/** @param isTurned the market is a handicap, of which the away team has the opposite line */
function lineOf({ line, selection_type }: OddsRow, isTurned: boolean): number | null {
  // 0 and -0 are one line.
  return line === null ? null : (isTurned && selection_type === 'away' ? -line : line) + 0;
}

function sideLine({ type, rows }: Outcome, line: number | null): number | null {
  if (line === null) return null;
  const [first] = rows.values();
  return type === 'away' && isHandicap(first?.[0]?.market_type ?? '') ? 0 - line : line;
}

function cellOf(row: OddsRow, context: BlockContext): Cell {
  const stale = context.staleAtMs(row) < context.nowMs;
  const state = !isOffered(row) ? 'suspended' : stale ? 'stale' : 'open';
  return { row, net: context.net(row), state, excluded: false };
}

const WORTH: Readonly<Record<CellState, number>> = { open: 2, stale: 1, suspended: 0 };

/** Between two prices of one book for the same bet the one that can be bet, then the better. */
function betterOf(rows: readonly OddsRow[], context: BlockContext): Cell | undefined {
  let better: Cell | undefined;
  for (const row of rows) {
    const cell = cellOf(row, context);
    const more = better === undefined || WORTH[cell.state] > WORTH[better.state];
    if (more || (cell.state === better!.state && cell.net > better!.net)) better = cell;
  }
  return better;
}

function outcomeView(
  { key, name, type }: Outcome,
  cells: Map<string, Cell>,
  atLine: Map<string, Cell>,
  line: number | null,
  context: BlockContext,
): OutcomeView {
  let best: Cell | null = null;
  const mine = [...atLine.values()].filter(({ row }) => context.isMine?.(row.sportsbook) ?? true);
  for (const cell of mine) if (best === null || cell.net > best.net) best = cell;
  const bestBooks = mine
    .filter((cell) => cell.net === best?.net)
    .map((cell) => cell.row.sportsbook)
    .sort((a, b) => context.rank(a) - context.rank(b));
  return {
    key,
    name,
    type,
    line,
    cells,
    best: best && atLine.get(bestBooks[0]!)!,
    bestBooks,
    fair: null,
    fairFrom: '',
  };
}

function holdOf(outcomes: readonly OutcomeView[]): number | null {
  let sum = 0;
  for (const { best } of outcomes) {
    if (best === null) return null;
    sum += 1 / best.net;
  }
  return holdPercent(sum);
}
