// One market of one event (of one player, of one team) on the board: for each outcome every book's price, the best one
// at the main line, and the consensus fair price; and the hold of the best prices. Best prices and holds follow the
// server's own rules for /odds/best and /odds/comparison.

import type { DevigMethod } from '../../src/base/model/devig-method.js';
import type { OddsRow } from '../../src/client/client.js';
import { devig } from '../../src/detection/maths/devig.js';
import { isHandicap } from './odds-format.js';

/** The state of a price, and why it is not open. */
export type CellState = 'open' | 'stale' | 'suspended';

export interface Cell {
  row: OddsRow;
  /** Decimal odds after commission. */
  net: number;
  state: CellState;
  /** At another line than the main one, or of another kind of market (two-way beside three-way): not compared. */
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

export interface BlockContext {
  /** Decimal odds of a book after its commission. */
  net(row: OddsRow): number;
  /** Unix ms at which the price is too old to be compared, unless it is seen again. */
  staleAtMs(row: OddsRow): number;
  nowMs: number;
  /** Rank of a book in the catalogue. */
  rank(book: string): number;
  /** Whether its prices may be the best: by default of every book. */
  isMine?(book: string): boolean;
  /** Whether its prices count for the fair one: by default the sharp book's, else those of every book. */
  isReference?(book: string): boolean;
  /** A book whose prices others follow: where it prices every outcome, its prices alone are the reference. */
  isSharp?(book: string): boolean;
  /** Fair probabilities from one book's implied ones; undefined if there are none. By default by power, as the server's. */
  fairOf?(implied: readonly number[]): readonly number[] | undefined;
}

const SIDES = ['away', 'over', 'yes', 'home', 'draw', 'under', 'no'];
/** Outcomes of which exactly one happens. */
const WHOLE = ['away,home', 'away,home,draw', 'over,under', 'yes,no'];

/** Rows of one outcome by book. */
interface Outcome {
  key: string;
  type: string;
  name: string;
  rows: Map<string, OddsRow[]>;
}

export function viewOf(rows: Iterable<OddsRow>, context: BlockContext): BlockView {
  const outcomes = outcomesOf(rows);
  const whole = WHOLE.includes(outcomes.map(({ type }) => type).join()) ? outcomes : null;
  const threeWay = isThreeWay(outcomes);
  const line = mainLine(whole ?? outcomes, context, threeWay);
  const books = new Set(outcomes.flatMap(({ rows }) => [...rows.keys()]));
  const view: BlockView = { line, outcomes: [], hold: null, books: books.size, freshUntilMs: Number.POSITIVE_INFINITY };
  const counting: Map<string, Cell>[] = [];
  for (const outcome of outcomes) {
    const cells = new Map<string, Cell>();
    const atLine = new Map<string, Cell>();
    for (const [book, list] of outcome.rows) {
      const excluded = threeWay !== null && threeWay !== hasDraw(outcomes, book);
      const comparable = excluded
        ? undefined
        : betterOf(
            list.filter((row) => baseLine(row) === line),
            context,
          );
      const main = list.find((row) => !row.is_alternate_line);
      const shown = main === undefined || (comparable && baseLine(main) === line) ? comparable : cellOf(main, context);
      if (shown !== undefined) cells.set(book, { ...shown, excluded: excluded || baseLine(shown.row) !== line });
      if (comparable?.state === 'open') {
        atLine.set(book, comparable);
        view.freshUntilMs = Math.min(view.freshUntilMs, context.staleAtMs(comparable.row));
      }
    }
    counting.push(atLine);
    view.outcomes.push(outcomeView(outcome, cells, atLine, sideLine(outcome, line), context));
  }
  if (whole !== null) {
    view.hold = holdOf(view.outcomes);
    addFair(view.outcomes, counting, context);
  }
  return view;
}

/** Of the outcome among those of its market that the row is a price of. */
export function outcomeKeyOf({ selection_type: type, selection }: OddsRow): string {
  return SIDES.includes(type) ? type : `${type}|${selection}`;
}

function outcomesOf(rows: Iterable<OddsRow>): Outcome[] {
  const found = new Map<string, Outcome>();
  for (const row of rows) {
    const key = outcomeKeyOf(row);
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
  return [...found.values()].sort((a, b) => place(a.type) - place(b.type) || a.name.localeCompare(b.name));
}

const hasDraw = (outcomes: readonly Outcome[], book: string): boolean =>
  outcomes.some(({ type, rows }) => type === 'draw' && rows.has(book));

/** Whether most books offer the draw; null if none does. */
function isThreeWay(outcomes: readonly Outcome[]): boolean | null {
  const draw = outcomes.find(({ type }) => type === 'draw');
  if (draw === undefined) return null;
  const books = new Set(outcomes.flatMap(({ rows }) => [...rows.keys()]));
  return draw.rows.size * 2 >= books.size;
}

/** A row's line as the home team's, or as the total's. */
export function baseLine(row: OddsRow): number | null {
  if (row.line === null) return null;
  const turned = row.selection_type === 'away' && isHandicap(row.market_type);
  // 0 and -0 are one line.
  return (turned ? -row.line : row.line) + 0;
}

function sideLine({ type, rows }: Outcome, line: number | null): number | null {
  if (line === null) return null;
  const [first] = rows.values();
  return type === 'away' && isHandicap(first?.[0]?.market_type ?? '') ? 0 - line : line;
}

/** The line that most books quote complete as their own main line, among equals the one with the lower hold. */
function mainLine(outcomes: readonly Outcome[], context: BlockContext, threeWay: boolean | null): number | null {
  const counts = new Map<number, { books: number; best: Map<Outcome, number> }>();
  const books = new Set(outcomes.flatMap(({ rows }) => [...rows.keys()]));
  for (const book of books) {
    if (threeWay !== null && threeWay !== hasDraw(outcomes, book)) continue;
    const mains = outcomes.map(({ rows }) => rows.get(book)?.find((row) => !row.is_alternate_line));
    const [first] = mains;
    const line = first === undefined ? null : baseLine(first);
    if (line === null || !mains.every((row) => row !== undefined && baseLine(row) === line)) continue;
    const count = counts.get(line) ?? { books: 0, best: new Map() };
    counts.set(line, count);
    count.books++;
    for (const [i, outcome] of outcomes.entries())
      count.best.set(outcome, Math.max(count.best.get(outcome) ?? 0, context.net(mains[i]!)));
  }
  const holdOfBest = (best: Map<Outcome, number>): number => [...best.values()].reduce((sum, net) => sum + 1 / net, 0);
  const ranked = [...counts].sort(([, a], [, b]) => b.books - a.books || holdOfBest(a.best) - holdOfBest(b.best));
  if (ranked[0] !== undefined) return ranked[0][0];
  // No book quotes both sides: any line that is shown as a main one.
  for (const { rows } of outcomes)
    for (const [row] of rows.values()) if (row !== undefined && row.line !== null) return baseLine(row);
  return null;
}

function cellOf(row: OddsRow, context: BlockContext): Cell {
  const stale = context.staleAtMs(row) <= context.nowMs;
  const state = row.is_active === false ? 'suspended' : stale ? 'stale' : 'open';
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

/** One book's fair probabilities by a method; undefined if it gives none. */
export function fairBy(method: DevigMethod, implied: readonly number[]): readonly number[] | undefined {
  const fair = implied.map(() => 0);
  return devig(method, [...implied], implied.length, fair) ? fair : undefined;
}

function holdOf(outcomes: readonly OutcomeView[]): number | null {
  let sum = 0;
  for (const { best } of outcomes) {
    if (best === null) return null;
    sum += 1 / best.net;
  }
  return (sum - 1) * 100;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** As the server's: the sharp book that is listed first, else the median of all. The mean of the viewer's own reference where it has prices. */
function addFair(
  outcomes: readonly OutcomeView[],
  counting: readonly Map<string, Cell>[],
  context: BlockContext,
): void {
  const { isReference, isSharp, rank, fairOf = (implied) => fairBy('power', implied) } = context;
  const opinions = new Map<string, readonly number[]>();
  for (const book of counting[0]?.keys() ?? []) {
    const nets = counting.map((cells) => cells.get(book)?.net);
    if (nets.some((net) => net === undefined)) continue;
    const fair = fairOf(nets.map((net) => 1 / net!));
    if (fair !== undefined) opinions.set(book, fair);
  }
  const all = [...opinions.keys()].sort((a, b) => rank(a) - rank(b));
  const own = isReference === undefined ? [] : all.filter((book) => isReference(book));
  const sharp = all.find((book) => isSharp?.(book) === true);
  const books = own.length > 0 ? own : sharp === undefined ? all : [sharp];
  if (books.length === 0) return;
  const middle = own.length > 0 ? meanOf : medianOf;
  const fair = outcomes.map((_, i) => middle(books.map((book) => opinions.get(book)![i]!)));
  // Medians of three sides need not sum to 1. One book's worst case does not either, and is not meant to.
  const sum = books.length === 1 ? 1 : fair.reduce((all, one) => all + one, 0);
  for (const [i, outcome] of outcomes.entries()) {
    outcome.fair = fair[i]! / sum;
    outcome.fairFrom = books.length === 1 ? books[0]! : CONSENSUS;
  }
}

export const CONSENSUS = 'consensus';
