// GET /odds/comparison: one event, every book's price of every selection side by side, and the books' holds. All prices
// of the universe are shown; best, worst and holds consider only fresh ones that can be bet.

import { getOrInsert } from '../base/memory/get-or-insert.js';
import { isActive, isIndicative } from '../base/model/activity.js';
import { compareText } from '../base/model/compare.js';
import { eventHead } from '../base/model/event-head.js';
import { freshMs } from '../base/model/freshness.js';
import { roundDecimal, roundTo } from '../base/model/price.js';
import { formatMs } from '../base/model/time.js';
import { edgePoints, holdPercent, inverseSum } from '../detection/maths/arbitrage.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { MarketRules } from '../rules/markets/rules.js';
import { wholeFrom } from '../rules/markets/sides.js';
import type { Comparison } from '../schema/odds-items.js';
import type { RequestedParameters } from '../schema/parameters.js';
import { isMainLine } from '../tables/columns.js';
import type { TableEvent } from '../tables/events.js';
import { RowFilter } from '../tables/filter/filter.js';
import { ignoredNames } from '../tables/filter/requested-names.js';
import type { Universe } from '../tables/filter/universe.js';
import type { OddsTable } from '../tables/table.js';
import { betterSlots, openSlots } from './best.js';
import { freshSince, isOpen, type Outcome, outcomesOf } from './outcomes.js';
import { type KeptPage, pageOfObject } from './page.js';
import { linkOf, probabilities, propFields } from './row-objects.js';

export interface ComparisonQuestion {
  table: OddsTable;
  universe: Universe;
  event: TableEvent;
  /** Types and aliases, comma-separated. */
  market: string | undefined;
  /** US state of the links. */
  state?: string | undefined;
  asked: RequestedParameters;
  asOfMs: number;
}

/** Of a row, by its slot. */
type LinkOf = (slot: number) => string | null;

export class ComparisonReader {
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  answer(question: ComparisonQuestion): KeptPage {
    const { comparison, filter, freshUntilMs } = this.compare(question);
    const answer = pageOfObject(comparison, {
      market_filter: question.market ?? null,
      ...ignoredNames(filter.unknown, question.asked),
    });
    answer.freshUntilMs = freshUntilMs;
    return answer;
  }

  compare({ table, universe, event, market, state, asOfMs }: ComparisonQuestion) {
    const filter = new RowFilter(table, this.#catalogue, universe, { market });
    const since = isOpen(event) ? freshSince(event, asOfMs) : Number.POSITIVE_INFINITY;
    const { seenMs, book } = table.columns;
    const books = new Set<number>();
    const families = new Map<string, Outcome[]>();
    let freshUntilMs = Number.POSITIVE_INFINITY;
    for (const outcome of outcomesOf(table, this.#catalogue).of(event)) {
      if (!filter.hasMarket(outcome.market)) continue;
      let priced = false;
      for (const slot of outcome.slots) {
        if (!filter.hasBook(book[slot]!)) continue;
        priced = true;
        books.add(book[slot]!);
        if (seenMs[slot]! >= since) freshUntilMs = Math.min(freshUntilMs, seenMs[slot]! + freshMs(event.live));
      }
      if (!priced) continue;
      const key = `${outcome.market}|${outcome.family}`;
      getOrInsert(families, key, () => []).push(outcome);
    }
    const link = (slot: number): string | null => linkOf(table, this.#catalogue, slot, state);
    const markets = [...families.values()].map((outcomes) =>
      compareMarket({ table, filter, link }, event, outcomes, asOfMs),
    );
    const comparison: Comparison = {
      ...eventHead(event, event.name),
      books_available: [...books].map((no) => table.books.name(no)).sort(),
      markets,
    };
    return { comparison, filter, freshUntilMs };
  }
}

/** What is compared, and how its rows are linked. */
interface Shown {
  table: OddsTable;
  filter: RowFilter;
  link: LinkOf;
}

/** `outcomes`: one market type, player, stat and team, and either two- or three-way. */
function compareMarket(shown: Shown, event: TableEvent, outcomes: readonly Outcome[], asOfMs: number) {
  const { table, filter } = shown;
  const c = table.columns;
  const open = new Map<Outcome, OpenPrices>();
  for (const outcome of outcomes) {
    const slots = isOpen(event) ? openSlots(table, event, outcome, filter, asOfMs) : [];
    const mains = new Set(slots.flatMap((slot) => (isMainLine(c, slot) ? c.book[slot]! : [])));
    open.set(outcome, { better: betterSlots(table, slots), mains });
  }
  const hold = marketHold(table, completeSets(outcomes, table.rulesOf(outcomes[0]!.market)), open);
  const since = isOpen(event) ? freshSince(event, asOfMs) : Number.POSITIVE_INFINITY;
  const first = outcomes[0]!.slots[0]!;
  const byBook = [...hold.byBook].map(([no, percent]) => [table.books.name(no), roundTo(percent, 4)] as const);
  return {
    market_type: table.markets.name(outcomes[0]!.market),
    ...propFields(table, first),
    ...(outcomes[0]!.threeWay ? { three_way: true as const } : {}),
    hold: {
      best_available: hold.bestAvailable === null ? null : roundTo(hold.bestAvailable, 4),
      line: hold.line,
      by_book: Object.fromEntries(byBook.sort(([a], [b]) => compareText(a, b))),
    },
    selections: outcomes.map((outcome) => compareSelection(shown, outcome, open.get(outcome)!.better, since)),
  };
}

/** @param since prices seen before it (Unix ms) are too old */
function compareSelection({ table, filter, link }: Shown, outcome: Outcome, fresh: readonly number[], since: number) {
  const c = table.columns;
  const shown = new Map<number, number>();
  for (const slot of outcome.slots) {
    const book = c.book[slot]!;
    if (!filter.hasBook(book)) continue;
    const known = shown.get(book);
    // Of two prices of one book the fresh one is shown, and of two fresh ones the better.
    if (known === undefined || fresh.includes(slot)) shown.set(book, slot);
  }
  const nameOf = (slot: number): string => table.books.name(c.book[slot]!);
  const books = [...shown.values()].map((slot) => [
    nameOf(slot),
    {
      odds_american: c.american[slot]!,
      odds_decimal: roundDecimal(c.decimal[slot]!),
      odds_decimal_net: roundDecimal(c.net[slot]!),
      ...probabilities(c.decimal[slot]!),
      last_seen_at: formatMs(c.seenMs[slot]!),
      odds_id: c.id.at(slot),
      deep_link: link(slot),
      is_active: isActive(c.activity[slot]!),
      ...(isIndicative(c.activity[slot]!) ? { indicative: true } : {}),
      possibly_stale: c.seenMs[slot]! < since,
    },
  ]);
  const best = fresh[0];
  const worst = fresh.at(-1);
  const priced = best !== undefined && worst !== undefined;
  return {
    selection: c.selection.at([...shown.values()][0]!)!,
    selection_type: outcome.type,
    line: Number.isNaN(outcome.line) ? null : outcome.line,
    books: Object.fromEntries(books),
    best_book: priced ? nameOf(best) : null,
    best_odds: priced ? c.american[best]! : null,
    best_odds_decimal: priced ? roundDecimal(c.decimal[best]!) : null,
    best_odds_decimal_net: priced ? roundDecimal(c.net[best]!) : null,
    worst_book: priced ? nameOf(worst) : null,
    worst_odds: priced ? c.american[worst]! : null,
    worst_odds_decimal: priced ? roundDecimal(c.decimal[worst]!) : null,
    worst_odds_decimal_net: priced ? roundDecimal(c.net[worst]!) : null,
    spread: priced ? roundTo(edgePoints(c.net[worst]!, c.net[best]!), 4) : null,
  };
}

// Complete, mutually exclusive sets of outcomes of one market, from which a hold is computed (the sum of inverse prices
// over all sides at one line). Sets are formed as in detection; a market without a complement (anytime scorer) has
// none.

interface CompleteSet {
  /** The home side's line, or the total's; null if there is none. */
  line: number | null;
  outcomes: readonly Outcome[];
}

/** The sets among one market's outcomes of one family, in the outcomes' order. */
function completeSets(outcomes: readonly Outcome[], rules: MarketRules): CompleteSet[] {
  const byKey = new Map<string, Outcome>();
  for (const outcome of outcomes) byKey.set(keyOf(outcome.type, outcome.line), outcome);
  const sets: CompleteSet[] = [];
  for (const first of outcomes) {
    const others = complementOf(first, rules, byKey);
    if (others === null) continue;
    sets.push({ line: Number.isNaN(first.line) ? null : first.line, outcomes: [first, ...others] });
  }
  return sets;
}

/** The complements of a home, over, yes or odd; null for the other sides, and if the set is incomplete. */
function complementOf(first: Outcome, rules: MarketRules, byKey: ReadonlyMap<string, Outcome>): Outcome[] | null {
  const { type, line, threeWay } = first;
  const whole = wholeFrom(rules, type, !Number.isNaN(line), threeWay);
  if (whole === undefined) return null;
  const others = whole.slice(1).map((other) => byKey.get(keyOf(other, other === 'away' ? -line : line)));
  return others.includes(undefined) ? null : (others as Outcome[]);
}

/** -0 and 0 are one line. */
function keyOf(type: string, line: number): string {
  return `${type}|${line === 0 ? 0 : line}`;
}

/** What can be bet of an outcome. */
interface OpenPrices {
  /** One row per book, its better one, best first. */
  readonly better: readonly number[];
  /** Numbers of the books that have it at their main line. */
  readonly mains: ReadonlySet<number>;
}

interface MarketHold {
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
function marketHold(
  table: OddsTable,
  sets: readonly CompleteSet[],
  open: ReadonlyMap<Outcome, OpenPrices>,
): MarketHold {
  const { book, net } = table.columns;
  const byBook = new Map<number, { hold: number; main: boolean }>();
  let top: { set: CompleteSet; hold: number; mains: number; books: number } | undefined;
  for (const set of sets) {
    const prices = set.outcomes.map((outcome) => open.get(outcome)!);
    const sides = prices.map(({ better }) => better);
    const best = sides.map((slots) => (slots.length === 0 ? Number.NaN : net[slots[0]!]!));
    const hold = holdPercent(inverseSum(best, best.length));
    if (Number.isNaN(hold)) continue;
    let mains = 0;
    let books = 0;
    for (const slot of sides[0]!) {
      const own = sides.map((slots) => slots.find((other) => book[other] === book[slot]));
      if (own.includes(undefined)) continue;
      const main = prices.every(({ mains }) => mains.has(book[slot]!));
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
