// Builds what is told of a finding, from the rows behind it. Only what is news is built.

import { roundTo } from '../../odds/price.js';
import { opportunityId } from '../../shard/identity.js';
import type { BookQuotes, Row } from '../../shard/state.js';
import type { BookList } from '../book-list.js';
import type { Finding } from '../finding.js';
import type { ItemSource } from '../live.js';
import type { Group, MarketIndex } from '../market-index.js';
import type { DevigMethod } from '../maths/devig.js';
import type { MiddleFinder } from '../middle-finder.js';
import { type Opportunity, SCORE_FIELD } from '../opportunity.js';
import { CELLS } from '../quote-columns.js';
import { CONSENSUS } from '../reference.js';
import type { RungFinder } from '../rung-finder.js';
import type { Universe } from '../universe.js';
import { evItem } from './ev-item.js';
import { middleItem } from './middle-item.js';
import type { Leg } from './parts.js';
import { arbitrageItem, lowHoldItem } from './set-items.js';

export type DeepLinks = (row: Row, quotes: BookQuotes) => string | null;

export class Items implements ItemSource {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  readonly #finder: RungFinder;
  readonly #middles: MiddleFinder;
  readonly #deepLink: DeepLinks;
  /** What is being evaluated. */
  group!: Group;
  method: DevigMethod = 'power';

  constructor(index: MarketIndex, books: BookList, finder: RungFinder, middles: MiddleFinder, deepLink: DeepLinks) {
    this.#index = index;
    this.#books = books;
    this.#finder = finder;
    this.#middles = middles;
    this.#deepLink = deepLink;
  }

  idOf(finding: Finding): string {
    const { event, market, player, stat, team } = this.group;
    const parts: (string | number | null)[] = [finding.kind, event.id, market, player, stat, team];
    for (let i = 0; i < finding.columns.length; i++) {
      const row = this.#row(finding, i);
      parts.push(row.selectionType, row.line, this.#books.name(this.#index.columns.book[finding.columns[i]!]!));
    }
    return opportunityId(parts);
  }

  build(finding: Finding, universe: Universe, id: string, detectedUs: number, movedUs: number): Opportunity {
    const { event, market } = this.group;
    const sides =
      finding.kind === 'low_hold'
        ? finding.columns.map((column, side) => this.#tied(column, side, universe))
        : finding.columns.map((_, i) => [this.#leg(finding.columns[i]!, this.#side(finding, i))]);
    const legs = sides.flat();
    const item = this.#item(finding, sides, id);
    const field = SCORE_FIELD[finding.kind];
    return {
      kind: finding.kind,
      id,
      eventId: event.id,
      sport: event.sport,
      league: event.league,
      market,
      startMs: event.startMs,
      live: event.live,
      edge: roundTo(finding.edge, 6) + 0,
      books: legs.map((leg) => leg.book),
      detectedUs,
      movedUs,
      oldestSeenMs: finding.oldestSeenMs,
      seenMs: legs.map((leg) => leg.seenMs),
      suspicious: finding.suspicious,
      score: field === null ? 0 : (item[field] as number),
      size: finding.kind === 'middle' ? (item['middle_size'] as number) : 0,
      item,
    };
  }

  seenOf(finding: Finding, universe: Universe): number[] {
    if (finding.kind === 'low_hold')
      return finding.columns.flatMap((column, side) => this.#tied(column, side, universe).map((leg) => leg.seenMs));
    const { seenMs } = this.#index.columns;
    return finding.columns.map((column, i) => seenMs[column * CELLS + this.#side(finding, i)]!);
  }

  #item(finding: Finding, sides: Leg[][], id: string): Record<string, unknown> {
    const { group } = this;
    switch (finding.kind) {
      case 'ev':
        return this.#evItem(finding, sides[0]![0]!, id);
      case 'arbitrage':
        return arbitrageItem(group, sides.flat(), id, finding.suspicious);
      case 'low_hold':
        return lowHoldItem(group, sides, id, finding.edge, finding.n3);
      case 'middle':
        return middleItem(group, [sides[0]![0]!, sides[1]![0]!], id, finding.x, finding.y, this.#middles.table!);
    }
  }

  #evItem(finding: Finding, leg: Leg, id: string): Record<string, unknown> {
    const { reference } = this.#finder;
    return evItem(this.group, leg, id, {
      ev: finding.edge,
      p: finding.p,
      books: finding.n2,
      opinions: reference.opinionsFor(finding.columns[0]!),
      sharpBook: reference.source === CONSENSUS ? null : this.#books.name(reference.source),
      method: this.method,
      referenceHold: reference.holdPercent(),
      arbProfit: finding.n3,
    });
  }

  /** Place of a leg's cell in its column. */
  #side(finding: Finding, i: number): number {
    return finding.kind === 'ev' ? finding.b : i;
  }

  #row(finding: Finding, i: number): Row {
    return this.#index.row(this.#index.columns.row[finding.columns[i]! * CELLS + this.#side(finding, i)]!);
  }

  #leg(column: number, side: number): Leg {
    const { columns } = this.#index;
    const row = this.#index.row(columns.row[column * CELLS + side]!);
    const no = columns.book[column]!;
    const book = this.#books.name(no);
    const quotes = this.group.event.books.get(book)!;
    return {
      row,
      quotes,
      book,
      owner: this.#books.owner[no]!,
      seenMs: columns.seenMs[column * CELLS + side]!,
      alternate: columns.alternate[column] === 1,
      deepLink: this.#deepLink(row, quotes),
    };
  }

  /** The books of the universe tied at the best price of a side, the given column's first; each once. */
  #tied(column: number, side: number, universe: Universe): Leg[] {
    const { prices } = this.#finder;
    const best = prices.price(column, side);
    const legs: Leg[] = [];
    const order = prices.order[side]!;
    for (let i = 0; i < prices.fresh[side]!; i++) {
      const other = order[i]!;
      const price = prices.price(other, side);
      if (price < best) break;
      const book = prices.book(other);
      if (price > best || universe.mask[book] !== 1) continue;
      if (!legs.some((leg) => leg.book === this.#books.name(book))) legs.push(this.#leg(other, side));
    }
    return legs;
  }
}
