// Complete, mutually exclusive sets of outcomes of one market, from which a hold is computed (the sum of inverse prices
// over all sides at one line). Sets are formed as in detection; a market without a complement (anytime scorer) has
// none.
import { holdPercent, inverseSum } from '../detection/maths/arbitrage.js';
import { ROW_FLAG } from '../tables/columns.js';
import type { OddsTable } from '../tables/table.js';
import { type Outcome, otherSide } from './outcomes.js';

export interface CompleteSet {
  /** The home side's line, or the total's; null if there is none. */
  line: number | null;
  outcomes: readonly Outcome[];
}

/** The sets among one market's outcomes of one family, in the outcomes' order. */
export function completeSets(outcomes: readonly Outcome[]): CompleteSet[] {
  const byKey = new Map<string, Outcome>();
  for (const outcome of outcomes) byKey.set(keyOf(outcome.type, outcome.line), outcome);
  const sets: CompleteSet[] = [];
  for (const first of outcomes) {
    const others = complementOf(first, byKey);
    if (others === null) continue;
    sets.push({ line: Number.isNaN(first.line) ? null : first.line, outcomes: [first, ...others] });
  }
  return sets;
}

/** The complements of a home, over, yes or odd; null for the other sides, and if the set is incomplete. */
function complementOf(first: Outcome, byKey: ReadonlyMap<string, Outcome>): Outcome[] | null {
  if (first.type === 'home') {
    // A handicap with a draw has three lines of its own: feeds differ in how they write them.
    if (first.threeWay && !Number.isNaN(first.line)) return null;
    const away = byKey.get(keyOf('away', -first.line));
    const draw = byKey.get(keyOf('draw', first.line));
    if (away === undefined || (first.threeWay && draw === undefined)) return null;
    return first.threeWay ? [draw!, away] : [away];
  }
  const type = first.threeWay ? undefined : otherSide(first.type);
  const other = type === undefined ? undefined : byKey.get(keyOf(type, first.line));
  return other === undefined ? null : [other];
}

/** -0 and 0 are one line. */
function keyOf(type: string, line: number): string {
  return `${type}|${line === 0 ? 0 : line}`;
}

/** Fresh rows of each outcome, best first, as from freshSlots. */
export type SlotsOf = (outcome: Outcome) => readonly number[];

export interface MarketHold {
  /** Hold in percent of the best prices of the market's main line; null if no set is complete. */
  bestAvailable: number | null;
  /** The line it was computed at. */
  line: number | null;
  /** Hold in percent of each book's own prices, both sides at one line of its own, by book number. */
  byBook: Map<number, number>;
}

/**
 * The main line is the one that most books quote complete as their own main line; among equals the one with the lower
 * hold.
 */
export function marketHold(table: OddsTable, sets: readonly CompleteSet[], slotsOf: SlotsOf): MarketHold {
  const { book, net, flags } = table.columns;
  const byBook = new Map<number, { hold: number; main: boolean }>();
  let top: { set: CompleteSet; hold: number; mains: number; books: number } | undefined;
  for (const set of sets) {
    const sides = set.outcomes.map(slotsOf);
    const best = sides.map((slots) => (slots.length === 0 ? Number.NaN : net[slots[0]!]!));
    const hold = holdPercent(inverseSum(best, best.length));
    if (Number.isNaN(hold)) continue;
    let mains = 0;
    let books = 0;
    for (const slot of sides[0]!) {
      const own = sides.map((slots) => slots.find((other) => book[other] === book[slot]));
      if (own.includes(undefined)) continue;
      const main = own.every((each) => (flags[each!]! & ROW_FLAG.alternate) === 0);
      books++;
      if (main) mains++;
      const ownHold = holdPercent(
        inverseSum(
          own.map((each) => net[each!]!),
          own.length,
        ),
      );
      const known = byBook.get(book[slot]!);
      if (known === undefined || (main && !known.main) || (main === known.main && ownHold < known.hold))
        byBook.set(book[slot]!, { hold: ownHold, main });
    }
    const better =
      top === undefined ||
      mains > top.mains ||
      (mains === top.mains && (books > top.books || (books === top.books && hold < top.hold)));
    if (better) top = { set, hold, mains, books };
  }
  return {
    bestAvailable: top?.hold ?? null,
    line: top?.set.line ?? null,
    byBook: new Map([...byBook].map(([no, { hold }]) => [no, hold])),
  };
}
