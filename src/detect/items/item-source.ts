// Builds what is told of a finding, from the rows behind it. Only what is news is built.

import type { DevigMethod } from '../../model/devig-method.js';
import { opportunityId } from '../../model/identity.js';
import { type Opportunity, SCORE_FIELD } from '../../model/opportunity.js';
import { roundTo } from '../../model/price.js';
import type { BookQuotes, Row } from '../../model/state.js';
import type { BookList } from '../book-list.js';
import type { Finding } from '../finding.js';
import type { ItemSource } from '../live.js';
import type { Group, MarketIndex } from '../market-index.js';
import type { MiddleFinder } from '../middle-finder.js';
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
  #group!: Group;
  /** Built last in this evaluation, with what it was built from: most findings are the same in several universes. */
  #last: { from: Finding; opportunity: Opportunity } | undefined;
  method: DevigMethod = 'power';

  constructor(index: MarketIndex, books: BookList, finder: RungFinder, middles: MiddleFinder, deepLink: DeepLinks) {
    this.#index = index;
    this.#books = books;
    this.#finder = finder;
    this.#middles = middles;
    this.#deepLink = deepLink;
  }

  get group(): Group {
    return this.#group;
  }

  /** What is evaluated from now on. */
  set group(group: Group) {
    this.#group = group;
    this.#last = undefined;
  }

  idOf(finding: Finding): string {
    if (this.#last !== undefined && sameFinding(this.#last.from, finding)) return this.#last.opportunity.id;
    const { event, market, player, stat, team } = this.group;
    const parts: (string | number | null)[] = [finding.kind, event.id, market, player, stat, team];
    for (let i = 0; i < finding.columns.length; i++) {
      const row = this.#row(finding, i);
      parts.push(row.selectionType, row.line, this.#books.name(this.#index.columns.book[finding.columns[i]!]!));
    }
    return opportunityId(parts);
  }

  /** Opportunities of one evaluation that differ in nothing but the universe share their item and lists. */
  build(finding: Finding, universe: Universe, id: string, detectedUs: number, movedUs: number): Opportunity {
    const last = this.#last;
    if (last !== undefined && sameFinding(last.from, finding)) return { ...last.opportunity, detectedUs, movedUs };
    const opportunity = this.#build(finding, universe, id, detectedUs, movedUs);
    this.#last = { from: { ...finding, columns: [...finding.columns] }, opportunity };
    return opportunity;
  }

  #build(finding: Finding, universe: Universe, id: string, detectedUs: number, movedUs: number): Opportunity {
    const { event, market } = this.group;
    const { columns } = finding;
    const sides: Leg[][] = [];
    for (let i = 0; i < columns.length; i++)
      sides.push(
        finding.kind === 'low_hold'
          ? this.#tied(columns[i]!, i, universe).map((tied) => this.#leg(tied, i))
          : [this.#leg(columns[i]!, this.#side(finding, i))],
      );
    const books: string[] = [];
    const seenMs: number[] = [];
    for (const legs of sides)
      for (const leg of legs) {
        books.push(leg.book);
        seenMs.push(leg.seenMs);
      }
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
      books,
      detectedUs,
      movedUs,
      oldestSeenMs: finding.oldestSeenMs,
      seenMs,
      suspicious: finding.suspicious,
      score: field === null ? 0 : (item[field] as number),
      size: finding.kind === 'middle' ? (item['middle_size'] as number) : 0,
      item,
    };
  }

  seenOf(finding: Finding, universe: Universe): number[] {
    const { seenMs } = this.#index.columns;
    if (finding.kind === 'low_hold')
      return finding.columns.flatMap((column, side) =>
        this.#tied(column, side, universe).map((tied) => seenMs[tied * CELLS + side]!),
      );
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
        return middleItem(group, [sides[0]![0]!, sides[1]![0]!], id, {
          low: finding.x,
          high: finding.y,
          expected: finding.edge,
          probability: finding.p,
          table: this.#middles.table!,
          oneSided: this.#middles.oneSided,
        });
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
      net: columns.decimal[column * CELLS + side]!,
      commission: this.#books.commission[no]!,
      seenMs: columns.seenMs[column * CELLS + side]!,
      alternate: columns.alternate[column] === 1,
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

/** Everything an item is built from, the universe's share of it included: the tag tells the books tied at a price. */
function sameFinding(a: Finding, b: Finding): boolean {
  return (
    a.kind === b.kind &&
    a.a === b.a &&
    a.b === b.b &&
    a.c === b.c &&
    a.x === b.x &&
    a.y === b.y &&
    a.n0 === b.n0 &&
    a.n1 === b.n1 &&
    a.n2 === b.n2 &&
    a.n3 === b.n3 &&
    a.tag === b.tag &&
    a.edge === b.edge &&
    a.p === b.p &&
    a.suspicious === b.suspicious &&
    a.seenSum === b.seenSum &&
    a.oldestSeenMs === b.oldestSeenMs &&
    // A column is a book's prices at one line.
    a.columns.length === b.columns.length &&
    a.columns.every((column, i) => column === b.columns[i])
  );
}
