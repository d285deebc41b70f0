// What several books price as the same bet, grouped as in detection: by event, market, line, selection, player, stat
// and team, and never a two-way price with a three-way one. The grouping is cached until the event's rows change.

import { getOrInsert } from '../base/memory/get-or-insert.js';
import { compareLine, compareText } from '../base/model/compare.js';
import { freshMs } from '../base/model/freshness.js';
import { keyPart } from '../base/model/key-part.js';
import { hasShownDraw } from '../detection/draws.js';
import { missesSide } from '../detection/maths/arbitrage.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { TypeRules } from '../rules/markets/rules.js';
import { hasThirdSideAt, isThirdSide, openStatistic, otherSide, secondSide } from '../rules/markets/sides.js';
import type { TableEvent } from '../tables/events.js';
import type { OddsTable } from '../tables/table.js';
import { SelectionKeys } from './selections.js';

export interface Outcome {
  market: number;
  /** NaN if there is none. */
  line: number;
  /** home, away, draw, over, under, … */
  type: string;
  /** Equal for outcomes that share one market object: player, stat, team, two- or three-way. */
  family: string;
  threeWay: boolean;
  /** Rows of all books in catalogue order; a book that prices it twice occurs twice. */
  slots: readonly number[];
  /** Of two sides: for each of its rows those of the same book at the other side. */
  partners: readonly (readonly number[])[] | null;
}

/** Instant (Unix ms) before which a price of this event is too old at `asOfMs`. */
export function freshSince(event: TableEvent, asOfMs: number): number {
  return asOfMs - freshMs(event.live);
}

/** Whether bets on the event can still be made at all. */
export function isOpen(event: TableEvent): boolean {
  return event.status !== 'ended' && event.status !== 'cancelled';
}

const NO_PARTNERS: readonly number[] = [];

class Outcomes {
  readonly #table: OddsTable;
  readonly #catalogue: Catalogue;
  readonly #keys: SelectionKeys;
  readonly #ofEvent = new WeakMap<TableEvent, { structure: number; outcomes: readonly Outcome[] }>();

  constructor(table: OddsTable, catalogue: Catalogue) {
    this.#table = table;
    this.#catalogue = catalogue;
    this.#keys = new SelectionKeys(table);
  }

  /** In serving order of their first rows; lay markets are excluded. */
  of(event: TableEvent): readonly Outcome[] {
    const known = this.#ofEvent.get(event);
    if (known !== undefined && known.structure === event.rows.structure) return known.outcomes;
    const outcomes = this.#group(event);
    this.#ofEvent.set(event, { structure: event.rows.structure, outcomes });
    return outcomes;
  }

  #group(event: TableEvent): Outcome[] {
    const { market, line, book, selectionType } = this.#table.columns;
    const threeWay = this.#threeWayBooks(event);
    const outcomes: Outcome[] = [];
    let group = new Map<string, { outcome: Outcome; slots: number[] }>();
    let currentMarket = -1;
    let currentLine = Number.NaN;
    for (const slot of event.rows.sorted()) {
      if (this.#table.rulesOf(market[slot]!).lay) continue;
      if (market[slot] !== currentMarket || compareLine(line[slot]!, currentLine) !== 0) {
        group = new Map();
        currentMarket = market[slot]!;
        currentLine = line[slot]!;
      }
      const three = threeWay(currentMarket, book[slot]!, currentLine);
      const key = `${three ? '3' : '2'}|${this.#keys.of(slot)}`;
      const known = group.get(key);
      if (known !== undefined) {
        known.slots.push(slot);
        continue;
      }
      const slots = [slot];
      const family = `${three ? '3' : '2'}|${this.#familyOf(slot)}`;
      const type = selectionType.at(slot)!;
      const outcome: Outcome = {
        market: currentMarket,
        line: currentLine,
        type,
        family,
        threeWay: three,
        slots,
        partners: null,
      };
      group.set(key, { outcome, slots });
      outcomes.push(outcome);
    }
    for (const outcome of outcomes) (outcome.slots as number[]).sort((a, b) => this.compareBooks(book[a]!, book[b]!));
    this.#pairSides(outcomes);
    return outcomes;
  }

  #pairSides(outcomes: readonly Outcome[]): void {
    const seconds = new Map<string, Outcome>();
    const keyOf = ({ market, family }: Outcome, type: string, line: number): string =>
      `${market}|${family}|${type}|${line === 0 ? 0 : line}`;
    for (const outcome of outcomes)
      if (!outcome.threeWay && otherSide(outcome.type) !== undefined)
        seconds.set(keyOf(outcome, outcome.type, outcome.line), outcome);
    for (const first of outcomes) {
      const type = first.threeWay ? undefined : secondSide(first.type);
      if (type === undefined) continue;
      const second = seconds.get(keyOf(first, type, type === 'away' ? -first.line : first.line));
      if (second === undefined) continue;
      first.partners = this.#partnersOf(first, second);
      second.partners = this.#partnersOf(second, first);
    }
  }

  #partnersOf({ slots }: Outcome, other: Outcome): (readonly number[])[] {
    const { book } = this.#table.columns;
    const byBook = new Map<number, number[]>();
    for (const slot of other.slots) getOrInsert(byBook, book[slot]!, (): number[] => []).push(slot);
    return slots.map((slot) => byBook.get(book[slot]!) ?? NO_PARTNERS);
  }

  /** Catalogue order, then name: the order of tied prices. */
  compareBooks(a: number, b: number): number {
    const { books } = this.#table;
    const [nameA, nameB] = [books.name(a), books.name(b)];
    return this.#catalogue.bookOrder(nameA) - this.#catalogue.bookOrder(nameB) || compareText(nameA, nameB);
  }

  /** A book's market is three-way if it has or had a third side, and some types always are. */
  #threeWayBooks(event: TableEvent): (market: number, book: number, line: number) => boolean {
    const { market, book, selectionType } = this.#table.columns;
    const withDraw = new Set<number>();
    for (const slot of event.rows.unsorted())
      if (isThirdSide(selectionType.at(slot)!)) withDraw.add(market[slot]! * 65_536 + book[slot]!);
    const { markets, books } = this.#table;
    const rules = new Map<number, TypeRules>();
    return (marketNo, bookNo, line) => {
      const { sides, backed, family } = getOrInsert(rules, marketNo, () =>
        this.#catalogue.types.of(markets.name(marketNo), event.sport),
      );
      if (sides === 'three') return true;
      const shown = withDraw.has(marketNo * 65_536 + bookNo) || hasShownDraw(event, books.name(bookNo), backed);
      return shown && (family !== 'total' || hasThirdSideAt('total', Number.isNaN(line) ? null : line));
    };
  }

  #familyOf(slot: number): string {
    const { market, player, stat, team } = this.#table.columns;
    const who = player.at(slot);
    const what = openStatistic(this.#table.rulesOf(market[slot]!), stat.at(slot));
    if (who === null && what === null && team.at(slot) === null) return '';
    const { namesakes } = this.#table.eventOf(slot);
    return `${who === null ? '' : keyPart(this.#keys.player(who, namesakes))}|${keyPart(what ?? '')}|${team.at(slot) ?? ''}`;
  }
}

/**
 * Whether the book's price at this index of the outcome's rows lacks a third side: it belongs to an incomplete market then.
 */
export function lacksSide({ columns: { decimal } }: OddsTable, { slots, partners }: Outcome, at: number): boolean {
  if (partners === null) return false;
  const own = decimal[slots[at]!]!;
  for (const partner of partners[at]!) if (missesSide(own, decimal[partner]!)) return true;
  return false;
}

const byTable = new WeakMap<OddsTable, Outcomes>();

/** The grouping of a table, the same at every call. */
export function outcomesOf(table: OddsTable, catalogue: Catalogue): Outcomes {
  return getOrInsert(byTable, table, () => new Outcomes(table, catalogue));
}
