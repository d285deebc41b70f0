// What several books price as one and the same bet, as detection groups it: event, market, line, selection, player, stat
// and team, and never a two-way price beside a three-way one. The grouping is kept while the event's rows stand.
import type { Catalogue } from '../catalogue/catalogue.js';
import { ROW_FLAG } from '../table/columns.js';
import type { TableEvent } from '../table/events.js';
import { compareLine, compareText, type OddsTable } from '../table/table.js';
import { SelectionKeys } from './selections.js';

export interface Outcome {
  market: number;
  /** NaN where there is none. */
  line: number;
  /** home, away, draw, over, under, … */
  type: string;
  /** Equal for the outcomes that share one market object: player, stat, team, two- or three-way. */
  family: string;
  threeWay: boolean;
  /** Rows of all books, best book of the catalogue first; a book that prices it twice stands twice. */
  slots: readonly number[];
}

/** Oldest price that counts, ms, by liveness (specification, stale-odds cut-off). */
export const FRESH_MS = { prematch: 300_000, live: 60_000 } as const;

/** Instant (Unix ms) before which a price of this event is too old at `asOfMs`. */
export function freshSince(event: TableEvent, asOfMs: number): number {
  return asOfMs - freshFor(event);
}

export function freshFor(event: TableEvent): number {
  return event.live ? FRESH_MS.live : FRESH_MS.prematch;
}

/** Whether bets on the event can still be made at all. */
export function isOpen(event: TableEvent): boolean {
  return event.status !== 'ended' && event.status !== 'cancelled';
}

export class Outcomes {
  readonly #table: OddsTable;
  readonly #catalogue: Catalogue;
  readonly #keys: SelectionKeys;
  readonly #ofEvent = new WeakMap<TableEvent, { structure: number; outcomes: readonly Outcome[] }>();

  constructor(table: OddsTable, catalogue: Catalogue) {
    this.#table = table;
    this.#catalogue = catalogue;
    this.#keys = new SelectionKeys(table);
  }

  /** In serving order of their first rows; lay markets are left out. */
  of(event: TableEvent): readonly Outcome[] {
    const known = this.#ofEvent.get(event);
    if (known !== undefined && known.structure === event.rows.structure) return known.outcomes;
    const outcomes = this.#group(event);
    this.#ofEvent.set(event, { structure: event.rows.structure, outcomes });
    return outcomes;
  }

  #group(event: TableEvent): Outcome[] {
    const { market, line, flags, book, selectionType } = this.#table.columns;
    const threeWay = this.#threeWayBooks(event);
    const outcomes: Outcome[] = [];
    let group = new Map<string, { outcome: Outcome; slots: number[] }>();
    let currentMarket = -1;
    let currentLine = Number.NaN;
    for (const slot of event.rows.sorted()) {
      if ((flags[slot]! & ROW_FLAG.lay) !== 0) continue;
      if (market[slot] !== currentMarket || compareLine(line[slot]!, currentLine) !== 0) {
        group = new Map();
        currentMarket = market[slot]!;
        currentLine = line[slot]!;
      }
      const three = threeWay(currentMarket, book[slot]!);
      const key = `${three ? '3' : '2'}|${this.#keys.of(slot)}`;
      const known = group.get(key);
      if (known !== undefined) {
        known.slots.push(slot);
        continue;
      }
      const slots = [slot];
      const family = `${three ? '3' : '2'}|${this.#familyOf(slot)}`;
      const type = selectionType.at(slot)!;
      const outcome: Outcome = { market: currentMarket, line: currentLine, type, family, threeWay: three, slots };
      group.set(key, { outcome, slots });
      outcomes.push(outcome);
    }
    for (const outcome of outcomes) (outcome.slots as number[]).sort((a, b) => this.compareBooks(book[a]!, book[b]!));
    return outcomes;
  }

  /** Catalogue order, then name: who is named first where prices tie. */
  compareBooks(a: number, b: number): number {
    const { books } = this.#table;
    const [nameA, nameB] = [books.name(a), books.name(b)];
    return this.#catalogue.bookOrder(nameA) - this.#catalogue.bookOrder(nameB) || compareText(nameA, nameB);
  }

  /** A book's moneyline is three-way where it has a draw; in soccer one without is an incomplete three-way. */
  #threeWayBooks(event: TableEvent): (market: number, book: number) => boolean {
    const { market, book, selectionType } = this.#table.columns;
    const withDraw = new Set<number>();
    for (const slot of event.rows.unsorted())
      if (selectionType.at(slot) === 'draw') withDraw.add(market[slot]! * 65_536 + book[slot]!);
    const soccer = event.sport === 'soccer';
    return (marketNo, bookNo) =>
      withDraw.has(marketNo * 65_536 + bookNo) || (soccer && this.#table.markets.name(marketNo) === 'moneyline');
  }

  #familyOf(slot: number): string {
    const { player, stat, team } = this.#table.columns;
    const who = player.at(slot);
    if (who === null && stat.at(slot) === null && team.at(slot) === null) return '';
    return `${who === null ? '' : this.#keys.player(who)}|${stat.at(slot) ?? ''}|${team.at(slot) ?? ''}`;
  }
}

/** The groupings of every table there is: the live one and the delayed one. */
export class OutcomesByTable {
  readonly #catalogue: Catalogue;
  readonly #byTable = new WeakMap<OddsTable, Outcomes>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  of(table: OddsTable): Outcomes {
    let outcomes = this.#byTable.get(table);
    if (outcomes === undefined) {
      outcomes = new Outcomes(table, this.#catalogue);
      this.#byTable.set(table, outcomes);
    }
    return outcomes;
  }
}
