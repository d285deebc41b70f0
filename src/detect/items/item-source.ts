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
import { type Candidate, isLayPair, sameKey } from '../candidate.js';
import { sameFingerprint } from '../fingerprint.js';
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
  /** Built last in this evaluation, with its inputs: most candidates are the same in several universes. */
  #last: { from: Candidate; opportunity: Opportunity } | undefined;
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
    if (this.#last !== undefined && sameCandidate(this.#last.from, candidate)) return this.#last.opportunity.id;
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
    const last = this.#last;
    if (last !== undefined && sameCandidate(last.from, candidate))
      return { ...last.opportunity, detectedUs, updatedPosition };
    const { event, marketType } = this.market;
    const { columns } = candidate;
    const sides: Leg[][] = [];
    for (let i = 0; i < columns.length; i++)
      sides.push(
        candidate.kind === 'low_hold'
          ? this.#tied(columns[i]!, i, universe).map((tied) => this.#leg(tied, i))
          : [this.#leg(columns[i]!, this.#side(candidate, i), i === 1 && isLayPair(candidate))],
      );
    const books: string[] = [];
    const seenMs: number[] = [];
    for (const legs of sides)
      for (const leg of legs) {
        books.push(leg.book);
        seenMs.push(leg.seenMs);
      }
    const { item, score, size } = this.#item(candidate, sides, id);
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
    this.#last = { from: { ...candidate, columns: [...candidate.columns] }, opportunity };
    return opportunity;
  }

  seenOf(candidate: Candidate, universe: Universe): number[] {
    const { seenMs } = this.#index.columns;
    if (candidate.kind === 'low_hold')
      return candidate.columns.flatMap((column, side) =>
        this.#tied(column, side, universe).map((tied) => seenMs[tied * CELLS + side]!),
      );
    return candidate.columns.map((column, i) => seenMs[column * CELLS + this.#side(candidate, i)]!);
  }

  /** The item of the candidate's kind, its score with quotes just seen, and the points between its lines. */
  #item(candidate: Candidate, sides: Leg[][], id: string): { item: Opportunity['item']; score: number; size: number } {
    const { market } = this;
    switch (candidate.kind) {
      case 'ev': {
        const item = this.#evItem(candidate, sides[0]![0]!, id);
        return { item, score: item.confidence_score, size: 0 };
      }
      case 'arbitrage':
        return { item: arbitrageItem(market, sides.flat(), id, candidate.suspicious), score: 0, size: 0 };
      case 'low_hold': {
        const item = lowHoldItem(market, sides, id, candidate.edge, candidate.fourth);
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

  /** Columns of the universe's books tied at the best price of a side, in the order of the books; each book once. */
  #tied(column: number, side: number, universe: Universe): number[] {
    const { prices } = this.#finder;
    const best = prices.price(column, side);
    const tied: number[] = [];
    const order = prices.order[side]!;
    for (let i = 0; i < prices.fresh[side]!; i++) {
      const other = order[i]!;
      const price = prices.price(other, side);
      if (price < best) break;
      const book = prices.book(other);
      if (price > best || universe.mask[book] !== 1) continue;
      if (!tied.some((one) => prices.book(one) === book)) tied.push(other);
    }
    return tied;
  }
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
