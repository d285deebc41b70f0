// Builds the item of a candidate from the rows behind it. Only new or changed candidates are built.

import type { EvItem, Opportunity } from '../../delta/opportunity.js';
import { chargeOf } from '../../model/commission.js';
import type { DevigMethod } from '../../model/devig-method.js';
import { opportunityId } from '../../model/identity.js';
import { roundTo } from '../../model/price.js';
import type { Row } from '../../model/row.js';
import { ownCommission } from '../../model/row-details.js';
import type { BookQuotes } from '../../model/state.js';
import type { BookList } from '../book-list.js';
import { type Candidate, copyKey, emptyCandidate, isLayPair, sameKey } from '../candidate.js';
import { copyFingerprint, sameFingerprint } from '../fingerprint.js';
import type { ItemSource } from '../life-cycle.js';
import type { LineFinder } from '../line-finder.js';
import type { MarketIndex } from '../market-index.js';
import type { Market } from '../market-line.js';
import type { MiddleFinder } from '../middle-finder.js';
import { CELLS } from '../quote-columns.js';
import { CONSENSUS } from '../reference.js';
import type { Universe } from '../universe.js';
import { evItem } from './ev-item.js';
import { middleItem } from './middle-item.js';
import type { Leg } from './parts.js';
import { arbitrageItem, lowHoldItem } from './set-items.js';

export type DeepLinks = (row: Row, quotes: BookQuotes) => string | null;

export class Items implements ItemSource {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  readonly #finder: LineFinder;
  readonly #middles: MiddleFinder;
  readonly #deepLink: DeepLinks;
  #market!: Market;
  /** Built last in this evaluation, and its inputs: most candidates are the same in several universes. */
  #last: Opportunity | undefined;
  readonly #lastFrom = emptyCandidate();
  /** Columns of the books tied at a side's best price, as last looked up. */
  readonly #tied: number[] = [];
  method: DevigMethod = 'power';

  constructor(index: MarketIndex, books: BookList, finder: LineFinder, middles: MiddleFinder, deepLink: DeepLinks) {
    this.#index = index;
    this.#books = books;
    this.#finder = finder;
    this.#middles = middles;
    this.#deepLink = deepLink;
  }

  get market(): Market {
    return this.#market;
  }

  /** The line to be evaluated from now on. */
  set market(market: Market) {
    this.#market = market;
    this.#last = undefined;
  }

  idOf(candidate: Candidate): string {
    if (this.#last !== undefined && sameCandidate(this.#lastFrom, candidate)) return this.#last.id;
    const { event, marketType, player, stat, team } = this.market;
    const parts: (string | number | null)[] = [candidate.kind, event.id, marketType, player, stat, team];
    for (let i = 0; i < candidate.columns.length; i++) {
      const row = this.#row(candidate, i);
      parts.push(row.selectionType, row.line, this.#books.name(this.#index.columns.book[candidate.columns[i]!]!));
    }
    return opportunityId(parts);
  }

  /** Opportunities of one evaluation that differ in nothing but the universe share their item and lists. */
  build(
    candidate: Candidate,
    universe: Universe,
    id: string,
    detectedUs: number,
    updatedPosition: number,
  ): Opportunity {
    if (this.#last !== undefined && sameCandidate(this.#lastFrom, candidate))
      return { ...this.#last, detectedUs, updatedPosition };
    const { event, marketType } = this.market;
    const sides = candidate.columns.map((_, i) => this.#legsOf(candidate, i, universe));
    const count = legCount(sides);
    const books = new Array<string>(count);
    const seenMs = new Array<number>(count);
    let at = 0;
    for (const legs of sides)
      for (const leg of legs) {
        books[at] = leg.book;
        seenMs[at++] = leg.seenMs;
      }
    const { item, score, size } = this.#item(candidate, sides, books, id);
    const opportunity = {
      kind: candidate.kind,
      id,
      eventId: event.id,
      sport: event.sport,
      league: event.league,
      market: marketType,
      startMs: event.startMs,
      live: event.live,
      edge: roundTo(candidate.edge, 6) + 0,
      books,
      detectedUs,
      updatedPosition,
      oldestSeenMs: candidate.oldestSeenMs,
      seenMs,
      suspicious: candidate.suspicious,
      score,
      size,
      item,
    } as Opportunity;
    this.#last = opportunity;
    copyCandidate(candidate, this.#lastFrom);
    return opportunity;
  }

  seenOf(candidate: Candidate, universe: Universe): number[] {
    const { seenMs } = this.#index.columns;
    const seen: number[] = [];
    for (let i = 0; i < candidate.columns.length; i++) {
      const side = this.#side(candidate, i);
      const count = this.#findTied(candidate, i, universe);
      for (let tied = 0; tied < count; tied++) seen.push(seenMs[this.#tied[tied]! * CELLS + side]!);
    }
    return seen;
  }

  #legsOf(candidate: Candidate, i: number, universe: Universe): Leg[] {
    const side = this.#side(candidate, i);
    const lay = i === 1 && isLayPair(candidate);
    const count = this.#findTied(candidate, i, universe);
    const legs = [this.#leg(this.#tied[0]!, side, lay)];
    for (let tied = 1; tied < count; tied++) legs.push(this.#leg(this.#tied[tied]!, side, lay));
    return legs;
  }

  /** The item of the candidate's kind, its score with quotes just seen, and the points between its lines. */
  #item(
    candidate: Candidate,
    sides: readonly Leg[][],
    books: readonly string[],
    id: string,
  ): { item: Opportunity['item']; score: number; size: number } {
    const { market } = this;
    switch (candidate.kind) {
      case 'ev': {
        const item = this.#evItem(candidate, sides[0]![0]!, id);
        return { item, score: item.confidence_score, size: 0 };
      }
      case 'arbitrage':
        return { item: arbitrageItem(market, sides.flat(), id, candidate.suspicious), score: 0, size: 0 };
      case 'low_hold': {
        const item = lowHoldItem(market, sides, books, id, candidate.edge, candidate.fourth);
        return { item, score: item.confidence, size: 0 };
      }
      case 'middle': {
        const item = middleItem(market, [sides[0]![0]!, sides[1]![0]!], id, {
          low: candidate.low,
          high: candidate.high,
          expected: candidate.edge,
          probability: candidate.p,
          table: this.#middles.table!,
          oneSided: this.#middles.oneSided,
        });
        return { item, score: item.quality_score, size: item.middle_size };
      }
    }
  }

  #evItem(candidate: Candidate, leg: Leg, id: string): EvItem {
    const { reference } = this.#finder;
    return evItem(this.market, leg, id, {
      ev: candidate.edge,
      p: candidate.p,
      books: candidate.third,
      opinions: reference.opinionsFor(candidate.columns[0]!),
      sharpBook: reference.source === CONSENSUS ? null : this.#books.name(reference.source),
      method: this.method,
      referenceHold: reference.holdPercent(),
      arbProfit: candidate.fourth,
    });
  }

  /** Index of a leg's cell in its column. */
  #side(candidate: Candidate, i: number): number {
    if (isLayPair(candidate)) return candidate.side - 1;
    return candidate.kind === 'ev' ? candidate.side : i;
  }

  #row(candidate: Candidate, i: number): Row {
    return this.#index.row(this.#index.columns.row[candidate.columns[i]! * CELLS + this.#side(candidate, i)]!);
  }

  #leg(column: number, side: number, lay = false): Leg {
    const { columns } = this.#index;
    const row = this.#index.row(columns.row[column * CELLS + side]!);
    const no = columns.book[column]!;
    const book = this.#books.name(no);
    const quotes = this.market.event.books.get(book)!;
    return {
      row,
      quotes,
      book,
      owner: this.#books.owner[no]!,
      net: columns.decimal[column * CELLS + side]!,
      commission: chargeOf(ownCommission(row.details), this.#books.commission[no]!),
      seenMs: columns.seenMs[column * CELLS + side]!,
      alternate: columns.alternate[column] === 1,
      lay,
      deepLink: this.#deepLink(row, quotes),
    };
  }

  /**
   * Finds the columns behind a side (`#tied`; their number is returned): the candidate's own, and for a low hold those of
   * all the universe's books at the same price, in the order of the books; each book once.
   */
  #findTied({ kind, columns }: Candidate, side: number, universe: Universe): number {
    const tied = this.#tied;
    const column = columns[side]!;
    tied[0] = column;
    if (kind !== 'low_hold') return 1;
    const { prices } = this.#finder;
    const order = prices.order[side]!;
    const best = prices.price(column, side);
    let count = 0;
    for (let i = 0; i < prices.fresh[side]!; i++) {
      const other = order[i]!;
      const price = prices.price(other, side);
      if (price < best) break;
      const book = prices.book(other);
      if (price > best || universe.mask[book] !== 1) continue;
      let known = 0;
      while (known < count && prices.book(tied[known]!) !== book) known++;
      if (known === count) tied[count++] = other;
    }
    return count;
  }
}

/**
 * How many legs there are. Arrays of items are made with their length: one that grows is three times as large, and
 * allocating for an item costs more than computing it.
 */
function legCount(sides: readonly (readonly Leg[])[]): number {
  let count = 0;
  for (const legs of sides) count += legs.length;
  return count;
}

/**
 * Whether every input of an item is equal, including those of the universe: the fingerprint covers the books tied at a
 * price.
 */
function sameCandidate(a: Candidate, b: Candidate): boolean {
  return (
    sameKey(a, b) &&
    sameFingerprint(a, b) &&
    a.edge === b.edge &&
    a.p === b.p &&
    a.suspicious === b.suspicious &&
    a.seenSum === b.seenSum &&
    a.oldestSeenMs === b.oldestSeenMs &&
    // A column contains one book's prices at one line.
    a.columns.length === b.columns.length &&
    a.columns.every((column, i) => column === b.columns[i])
  );
}

function copyCandidate(from: Candidate, to: Candidate): void {
  copyKey(from, to);
  copyFingerprint(from, to);
  to.edge = from.edge;
  to.p = from.p;
  to.suspicious = from.suspicious;
  to.seenSum = from.seenSum;
  to.oldestSeenMs = from.oldestSeenMs;
  to.columns.length = from.columns.length;
  for (let i = 0; i < from.columns.length; i++) to.columns[i] = from.columns[i]!;
}
