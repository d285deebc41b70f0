// One market of one event: a line for each outcome, a column for each book, the best price of each line marked. A price
// that moves is written into its cell; the grid is only redrawn when rows come or go. Suspended prices are locked.
import type { OddsDelta, OddsRow } from '../src/client/client.js';
import { betLink, element } from './dom.js';
import { rulesOf } from './model/market-choice.js';
import { lineText, type OddsFormat, priceText, words } from './model/odds-format.js';

/** The one line of each market that books price at about even money, without player props. */
export const MAIN = 'main';

export interface Book {
  id: string;
  name: string;
  is_sharp: boolean;
}

export interface GridLook {
  /** In the order of their columns; others follow. */
  books: readonly Book[];
  format: OddsFormat;
  /** Too narrow for a column per book: a table for each line instead, books down and outcomes across. */
  isNarrow: boolean;
  /** Decimal odds after commission, by which prices are ranked. */
  net(row: OddsRow): number;
  /** A price was selected, to show its history. */
  choose(row: OddsRow): void;
}

interface Cell {
  row: OddsRow;
  place: HTMLElement;
  outcome: Cell[];
}

export class OddsGrid {
  readonly #root: HTMLElement;
  #look!: GridLook;
  #cells = new Map<string, Cell>();

  constructor(root: HTMLElement) {
    this.#root = root;
    root.addEventListener('click', ({ target }) => {
      if (!(target instanceof Element) || target.closest('a') !== null) return;
      const place = target.closest('td');
      for (const cell of this.#cells.values()) if (cell.place === place) this.#look.choose(cell.row);
    });
  }

  /** MAIN, then the market types among the rows, the usual ones first; each with its number of outcomes. */
  static marketsOf(rows: Iterable<OddsRow>): [type: string, outcomes: number][] {
    const outcomes = new Map<string, Set<string>>();
    const add = (type: string, outcome: string): void => {
      outcomes.set(type, (outcomes.get(type) ?? new Set()).add(outcome));
    };
    for (const row of rows) {
      const outcome = outcomeOf(row);
      add(row.market_type, outcome);
      if (isOf(row, MAIN)) add(MAIN, outcome);
    }
    return [...outcomes]
      .map(([type, seen]): [string, number] => [type, seen.size])
      .sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b));
  }

  draw(rows: Iterable<OddsRow>, market: string, look: GridLook): void {
    this.#look = look;
    this.#cells = new Map();
    const outcomes = new Map<string, OddsRow[]>();
    const ids = new Set<string>();
    for (const row of rows) {
      if (!isOf(row, market)) continue;
      ids.add(row.sportsbook);
      const key = outcomeOf(row);
      const list = outcomes.get(key) ?? [];
      outcomes.set(key, list);
      list.push(row);
    }
    if (outcomes.size === 0) {
      this.#root.replaceChildren(element('p', 'empty', 'No prices'));
      return;
    }
    const books = look.books.filter(({ id }) => ids.has(id));
    const lines = [...outcomes.values()].sort(([a], [b]) => compareOutcomes(a!, b!));
    if (look.isNarrow) this.#root.replaceChildren(...this.#tables(lines, books));
    else this.#root.replaceChildren(this.#table(lines, books, market));
  }

  /** Outcomes down, books across. */
  #table(lines: readonly OddsRow[][], books: readonly Book[], market: string): HTMLElement {
    const heads = books.map(({ name, is_sharp }) => element('th', is_sharp ? 'sharp' : '', name));
    const body = element('tbody');
    let group = '';
    let type = '';
    for (const list of lines) {
      const first = list[0]!;
      const line = this.#line(list, books);
      if (market === MAIN && first.market_type !== type) {
        type = first.market_type;
        body.append(element('tr', 'market', element('th', '', words(type)), ...books.map(() => element('td'))));
      }
      const of = groupOf(first);
      if (group !== '' && of !== group) line.className = 'begins';
      group = of;
      body.append(line);
    }
    return element('table', '', element('thead', '', element('tr', '', element('th', '', 'outcome'), ...heads)), body);
  }

  /** For each line a table: books down, its outcomes across. */
  #tables(lines: readonly OddsRow[][], books: readonly Book[]): HTMLElement[] {
    const groups = new Map<string, OddsRow[][]>();
    for (const list of lines) {
      const key = `${list[0]!.market_type}|${groupOf(list[0]!)}`;
      groups.set(key, [...(groups.get(key) ?? []), list]);
    }
    return [...groups.values()].map((group) => {
      const cells = group.map((list) => this.#cellsOf(list, books));
      const rows = books.flatMap(({ name }, i) =>
        cells.some((of) => of[i]!.hasChildNodes())
          ? [element('tr', '', element('th', '', name), ...cells.map((of) => of[i]!))]
          : [],
      );
      const heads = group.map(([first]) => element('th', '', nameOf(first!)));
      const caption = element('caption', '', words(group[0]![0]!.market_type));
      const head = element('thead', '', element('tr', '', element('th', '', 'book'), ...heads));
      return element('table', 'upright', caption, head, element('tbody', '', ...rows));
    });
  }

  /** Updates a price; false if the grid does not show it. */
  move(delta: OddsDelta): boolean {
    const cell = this.#cells.get(delta.id);
    if (cell === undefined) return false;
    const rose = delta.odds_decimal > cell.row.odds_decimal;
    const moved = delta.odds_decimal !== cell.row.odds_decimal;
    cell.row = { ...cell.row, ...delta };
    write(cell, this.#look);
    if (moved) {
      // Removed first, so that a second move restarts it.
      cell.place.classList.remove('up', 'down');
      void cell.place.offsetWidth;
      cell.place.classList.add(rose ? 'up' : 'down');
    }
    markBest(cell.outcome, this.#look);
    return true;
  }

  #line(list: readonly OddsRow[], books: readonly Book[]): HTMLElement {
    return element('tr', '', element('th', '', nameOf(list[0]!)), ...this.#cellsOf(list, books));
  }

  /** One cell per book, in their order. */
  #cellsOf(list: readonly OddsRow[], books: readonly Book[]): HTMLElement[] {
    const outcome: Cell[] = [];
    const places = books.map(({ id }) => {
      const place = element('td');
      const row = list.find(({ sportsbook }) => sportsbook === id);
      if (row !== undefined) {
        const cell: Cell = { row, place, outcome };
        outcome.push(cell);
        this.#cells.set(row.id, cell);
        write(cell, this.#look);
      }
      return place;
    });
    markBest(outcome, this.#look);
    return places;
  }
}

function nameOf(first: OddsRow): string {
  const who = [first.player_name, first.stat_category === undefined ? '' : words(first.stat_category), teamOf(first)];
  return [...who, first.selection, lineText(first.line, first.market_type)].filter(Boolean).join(' ');
}

function write({ row, place }: Cell, { format }: GridLook): void {
  const price = priceText({ decimal: row.odds_decimal, american: row.odds_american }, format);
  if (row.is_active) place.replaceChildren(betLink(price, row.deep_link));
  else place.replaceChildren(price, lock());
  place.classList.toggle('locked', !row.is_active);
  const state = row.is_active ? '' : 'suspended, no bets; last price ';
  place.title = `${state}${row.odds_decimal.toFixed(3)}, ${(row.odds_probability * 100).toFixed(1)} % implied, since ${row.odds_changed_at}`;
}

/** The icon for sighted users, the word for screen readers. */
function lock(): HTMLElement {
  // Drawn by the style sheet: not every machine has a glyph for it.
  const sign = element('span', 'lock');
  sign.role = 'img';
  sign.ariaLabel = 'suspended';
  return sign;
}

function markBest(outcome: readonly Cell[], { net }: GridLook): void {
  const open = outcome.filter(({ row }) => row.is_active);
  const best = Math.max(...open.map(({ row }) => net(row)));
  for (const { row, place } of outcome)
    place.classList.toggle('best', row.is_active && open.length > 1 && net(row) === best);
}

function isOf(row: OddsRow, market: string): boolean {
  return market === MAIN ? !row.is_alternate_line && row.player_name === undefined : row.market_type === market;
}

function outcomeOf(row: OddsRow): string {
  return [row.market_type, groupOf(row), row.selection_type, row.selection, row.line].join('|');
}

/** Outcomes that belong together: one player's, one line's. */
function groupOf(row: OddsRow): string {
  return [row.player_name, row.stat_category, row.team, row.line === null ? null : Math.abs(row.line)].join('|');
}

/** For a team total: the team. A side's own team is its selection already. */
function teamOf(row: OddsRow): string {
  return row.team_name === undefined || row.selection.includes(row.team_name) ? '' : row.team_name;
}

const SIDES = ['away', 'over', 'yes', 'home', 'draw', 'under', 'no'];

function compareOutcomes(a: OddsRow, b: OddsRow): number {
  return (
    rank(a.market_type) - rank(b.market_type) ||
    a.market_type.localeCompare(b.market_type) ||
    (a.player_name ?? '').localeCompare(b.player_name ?? '') ||
    (a.stat_category ?? '').localeCompare(b.stat_category ?? '') ||
    (a.team ?? '').localeCompare(b.team ?? '') ||
    Math.abs(a.line ?? 0) - Math.abs(b.line ?? 0) ||
    Number(a.is_alternate_line) - Number(b.is_alternate_line) ||
    SIDES.indexOf(a.selection_type) - SIDES.indexOf(b.selection_type) ||
    a.selection.localeCompare(b.selection)
  );
}

const USUAL = [MAIN, 'moneyline', 'point_spread', 'run_line', 'puck_line', 'total_points', 'total_runs', 'total_goals'];

function rank(type: string): number {
  const at = USUAL.indexOf(type);
  return at < 0 ? USUAL.length + Number(rulesOf(type).subject === 'player') : at;
}
