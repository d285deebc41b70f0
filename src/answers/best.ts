// GET /odds/best: for every selection and line the best fresh price within the caller's book universe, beside the
// others.

import { isOffered } from '../base/model/activity.js';
import { eventHead } from '../base/model/event-head.js';
import { freshMs } from '../base/model/freshness.js';
import { roundTo } from '../base/model/price.js';
import { formatMs } from '../base/model/time.js';
import { edgePoints } from '../detection/maths/arbitrage.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { BestQuery } from '../schema/odds.js';
import type { BestOdds } from '../schema/odds-items.js';
import type { RequestedParameters } from '../schema/parameters.js';
import { isMainLine } from '../tables/columns.js';
import type { TableEvent } from '../tables/events.js';
import { decimalBounds, RowFilter } from '../tables/filter/filter.js';
import { ignoredNames } from '../tables/filter/requested-names.js';
import type { Universe } from '../tables/filter/universe.js';
import type { OddsTable } from '../tables/table.js';
import { parseSort } from './odds-reader.js';
import { freshSince, isOpen, lacksSide, type Outcome, outcomesOf } from './outcomes.js';
import { type KeptPage, pageOfItems, paginate } from './page.js';
import { linkOf, netPriceOf } from './row-objects.js';
import { type Sort, sortKeys } from './select.js';

export type BestParams = Omit<BestQuery, 'format'>;

export interface BestQuestion {
  table: OddsTable;
  universe: Universe;
  params: BestParams;
  asked: RequestedParameters;
  /** The instant from which ages are computed (Unix ms): for a delayed table that much before now. */
  asOfMs: number;
}

export interface BestList {
  total: number;
  filter: RowFilter;
  /** Those from one index up to another, as they are now; without those that have no fresh price any more. */
  items(from: number, to: number): BestOdds[];
}

export interface BestPage {
  items: BestOdds[];
  total: number;
  filter: RowFilter;
  /** When the first of all prices considered becomes too old, Unix ms on the request's own clock. */
  freshUntilMs: number;
}

interface Chosen {
  event: TableEvent;
  outcome: Outcome;
  /** Row of the best price. */
  slot: number;
}

export class BestReader {
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  answer(question: BestQuestion): KeptPage {
    const { params, asked } = question;
    const { items, total, filter, freshUntilMs } = this.page(question);
    const meta = {
      count: items.length,
      total,
      filters: asked.echo,
      ...ignoredNames(filter.unknown, asked),
    };
    const answer = pageOfItems(items, paginate(params.limit, params.offset, items.length, total), meta, {});
    answer.freshUntilMs = freshUntilMs;
    return answer;
  }

  /** `min_odds` and `max_odds` bound the best stated price; it is the best among all books of the universe. */
  page(question: BestQuestion): BestPage {
    const { offset, limit } = question.params;
    const { chosen, total, filter, freshUntilMs, item } = this.#choose(question, offset, limit);
    return { items: chosen.map(item), total, filter, freshUntilMs };
  }

  /** All of them, composed as they are asked for. */
  whole(question: BestQuestion): BestList {
    const { chosen, total, filter } = this.#choose(question, 0, Number.POSITIVE_INFINITY);
    const items = (from: number, to: number): BestOdds[] =>
      chosen.slice(from, to).flatMap(({ event, outcome }) => {
        const slots = betterSlots(question.table, openSlots(question.table, event, outcome, filter, question.asOfMs));
        const link = (slot: number) => linkOf(question.table, this.#catalogue, slot, question.params.state);
        return slots.length === 0 ? [] : [bestItem(question.table, event, outcome, slots, link)];
      });
    return { total, filter, items };
  }

  #choose({ table, universe, params, asOfMs }: BestQuestion, offset: number, limit: number) {
    const { min_odds, max_odds, ...frame } = params;
    const filter = new RowFilter(table, this.#catalogue, universe, frame);
    const [minDecimal, maxDecimal] = decimalBounds(min_odds, max_odds);
    const outcomes = outcomesOf(table, this.#catalogue);
    const { decimal, net, seenMs, activity } = table.columns;
    const sort = parseSort(params.sort);
    const chosen: Chosen[] = [];
    let total = 0;
    let freshUntilMs = Number.POSITIVE_INFINITY;
    for (const event of filter.matchingEvents()) {
      if (!isOpen(event)) continue;
      const since = freshSince(event, asOfMs);
      for (const outcome of outcomes.of(event)) {
        if (!filter.hasMarket(outcome.market)) continue;
        let best = 0;
        let bestSlot = 0;
        for (const [at, slot] of outcome.slots.entries()) {
          if (seenMs[slot]! < since || !isOffered(activity[slot]!) || !filter.hasRow(slot)) continue;
          if (lacksSide(table, outcome, at)) continue;
          if (net[slot]! > best) {
            best = net[slot]!;
            bestSlot = slot;
          }
          const until = seenMs[slot]! + freshMs(event.live);
          if (until < freshUntilMs) freshUntilMs = until;
        }
        const shown = decimal[bestSlot]!;
        if (best === 0 || shown < minDecimal || shown > maxDecimal) continue;
        if (sort !== null) chosen.push({ event, outcome, slot: bestSlot });
        else if (total >= offset && chosen.length < limit) chosen.push({ event, outcome, slot: bestSlot });
        total++;
      }
    }
    const page = sort === null ? chosen : pageInOrder(table, sort, chosen, { offset, limit });
    const link = (slot: number): string | null => linkOf(table, this.#catalogue, slot, params.state);
    const item = ({ event, outcome }: Chosen) =>
      bestItem(table, event, outcome, betterSlots(table, openSlots(table, event, outcome, filter, asOfMs)), link);
    return { chosen: page, total, filter, freshUntilMs, item };
  }
}

/** A page in another order than the serving order: that of the best prices' rows. */
function pageInOrder(
  table: OddsTable,
  sort: Sort,
  all: Chosen[],
  { offset, limit }: Pick<BestParams, 'offset' | 'limit'>,
): Chosen[] {
  const keyOf = sortKeys(table, sort.field);
  const sign = sort.descending ? -1 : 1;
  // Equal ones stay in the serving order.
  return all.sort((a, b) => sign * (keyOf(a.slot) - keyOf(b.slot))).slice(offset, offset + limit);
}

/** The fresh rows that can be bet at the filter's books: its main one and an alternate one where a book has both. */
export function openSlots(
  table: OddsTable,
  event: TableEvent,
  outcome: Outcome,
  filter: RowFilter,
  asOfMs: number,
): number[] {
  const { seenMs, activity } = table.columns;
  const since = freshSince(event, asOfMs);
  return outcome.slots.filter(
    (slot, at) =>
      seenMs[slot]! >= since && isOffered(activity[slot]!) && filter.hasRow(slot) && !lacksSide(table, outcome, at),
  );
}

/** Of such rows one per book (its better one, of equal ones the main one), best price after commission first, ties in catalogue order. */
export function betterSlots(table: OddsTable, open: readonly number[]): number[] {
  const { net, book } = table.columns;
  const ofBook = new Map<number, number>();
  for (const slot of open) {
    const known = ofBook.get(book[slot]!);
    const better = known === undefined || net[slot]! > net[known]!;
    if (better || (net[slot] === net[known!] && isMainLine(table.columns, slot))) ofBook.set(book[slot]!, slot);
  }
  return [...ofBook.values()].sort((a, b) => net[b]! - net[a]!);
}

/** `slots` is not empty and begins with the best. */
function bestItem(
  table: OddsTable,
  event: TableEvent,
  { line, type, threeWay }: Outcome,
  slots: readonly number[],
  link: (slot: number) => string | null,
): BestOdds {
  const c = table.columns;
  const best = slots[0]!;
  const worstNet = c.net[slots.at(-1)!]!;
  const player = c.player.at(best);
  const stat = c.stat.at(best);
  const team = c.team.at(best);
  const lineOrNull = Number.isNaN(line) ? null : line;
  // Does not begin with a spread: V8 makes a slow object of a long literal that does, which would double the cost of a
  // page.
  return Object.assign(eventHead(event, event.name), {
    market_type: table.markets.name(c.market[best]!),
    selection: c.selection.at(best)!,
    selection_type: type,
    ...(player === null ? {} : { player_name: player }),
    ...(stat === null ? {} : { stat_category: stat }),
    ...(team === null ? {} : { team_name: event[team] }),
    ...(threeWay ? { three_way: true as const } : {}),
    line: lineOrNull,
    best_odds: netPriceOf(table, best),
    best_book: table.books.name(c.book[best]!),
    commission: table.commissionAt(best),
    odds_id: c.id.at(best),
    deep_link: link(best),
    all_books: slots.map((slot) => ({
      book: table.books.name(c.book[slot]!),
      odds: netPriceOf(table, slot),
      edge: roundTo(edgePoints(worstNet, c.net[slot]!), 4),
      line: lineOrNull,
      odds_id: c.id.at(slot),
      deep_link: link(slot),
      last_seen_at: formatMs(c.seenMs[slot]!),
    })),
    last_seen_at: formatMs(c.seenMs[best]!),
  });
}
