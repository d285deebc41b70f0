// Writes the record of a candidate that is new or changed: what an opportunity's readers cannot find in its rows.

import { BoundedMap } from '../base/memory/bounded-map.js';
import { chargeOf, keptOf } from '../base/model/commission.js';
import { opportunityId } from '../base/model/identity.js';
import { LIMITS } from '../base/model/limits.js';
import { BET_KINDS } from '../base/model/opportunity.js';
import { RECORD_FLAG, RecordWriter } from '../base/model/opportunity-record.js';
import { NO_DETAILS, ownCommission, stakeMax } from '../base/model/row-details.js';
import { houseExceptions, mayDiffer, type RuledLeg } from '../rules/grading/house-exceptions.js';
import type { HouseRules } from '../rules/markets/house-rules.js';
import type { BookList } from './book-list.js';
import {
  type Candidate,
  copyFingerprint,
  copyKey,
  emptyCandidate,
  isLayPair,
  sameFingerprint,
  sameKey,
} from './candidate.js';
import type { CandidateRecords } from './candidate-matcher.js';
import type { LineFinder } from './line-finder.js';
import { type MarketIndex, mayCharge } from './market-index.js';
import type { Market } from './market-line.js';
import { ruledMarket } from './market-side.js';
import { inverseSum, stakePercents, sureDecimal } from './maths/arbitrage.js';
import { confidenceScore, marketConfidence } from './maths/ev.js';
import { breakEvenPercent, middleNumbers, percentBelow, qualityScore, winsAlways } from './maths/middle.js';
import type { ResultModel } from './maths/result-model.js';
import type { MiddleFinder } from './middle-finder.js';
import { mayPush } from './pushes.js';
import { CELLS } from './quote-columns.js';
import { CONSENSUS } from './reference-policy.js';
import type { WatchedUniverse } from './watched-universe.js';

/** Ids remembered by line: most opportunities come back, and a hash costs as much as an evaluation. */
const IDS_OF_LINE = LIMITS.lineIds.max;
/** Above the numbers of books, and of quarter points. */
const BOOKS = 4_097;
const LINE_STEPS = 4;
const HIGHEST = 2 ** 16;

export class Records implements CandidateRecords {
  readonly writer = new RecordWriter();
  readonly #index: MarketIndex;
  readonly #books: BookList;
  readonly #finder: LineFinder;
  readonly #middles: MiddleFinder;
  readonly #idSecret: string;
  #market!: Market;
  /** Written last in this evaluation (-1: nothing), and its inputs: most candidates are the same in several universes. */
  #last = -1;
  #lastId = '';
  readonly #lastFrom = emptyCandidate();

  constructor(index: MarketIndex, books: BookList, finder: LineFinder, middles: MiddleFinder, idSecret: string) {
    this.#idSecret = idSecret;
    this.#index = index;
    this.#books = books;
    this.#finder = finder;
    this.#middles = middles;
  }

  /** The market to be evaluated from now on. */
  set market(market: Market) {
    this.#market = market;
    this.#last = -1;
  }

  idOf(candidate: Candidate): string {
    if (this.#last >= 0 && sameCandidate(this.#lastFrom, candidate)) return this.#lastId;
    const key = this.#market.shape.pairing === 'opposite' ? Number.NaN : idKey(candidate);
    if (Number.isNaN(key)) return this.#newId(candidate);
    const marketLine = this.#index.marketLineOf(this.#rowOf(candidate, 0))!;
    marketLine.ids ??= new BoundedMap<number, string>(IDS_OF_LINE);
    let id = marketLine.ids.get(key);
    if (id === undefined) {
      id = this.#newId(candidate);
      marketLine.ids.set(key, id);
    }
    return id;
  }

  #newId(candidate: Candidate): string {
    const { event, marketType, player, stat, team } = this.#market;
    const parts: (string | number | null)[] = [candidate.kind, event.id, marketType, player, stat, team];
    for (let i = 0; i < candidate.columns.length; i++) {
      const row = this.#index.row(this.#rowOf(candidate, i));
      parts.push(row.selectionType, row.line, this.#books.name(this.#index.columns.book[candidate.columns[i]!]!));
    }
    return opportunityId(this.#idSecret, parts);
  }

  /** Returns the record's place: candidates of one evaluation that differ in nothing but the universe share theirs. */
  write(candidate: Candidate, universe: WatchedUniverse, id: string): number {
    if (this.#last >= 0 && sameCandidate(this.#lastFrom, candidate)) return this.#last;
    this.#last = this.#written(candidate, universe, id);
    this.#lastId = id;
    copyCandidate(candidate, this.#lastFrom);
    return this.#last;
  }

  /** To be called when everything written was taken. */
  clear(): void {
    this.writer.clear();
    this.#last = -1;
  }

  #written(candidate: Candidate, universe: WatchedUniverse, id: string): number {
    switch (candidate.kind) {
      case 'ev':
        return this.#ev(candidate, id);
      case 'arbitrage':
        return this.#arbitrage(candidate, id);
      case 'low_hold':
        return this.#lowHold(candidate, universe, id);
      case 'middle':
        return this.#middle(candidate, id);
    }
  }

  #ev(candidate: Candidate, id: string): number {
    const { reference } = this.#finder;
    const { writer } = this;
    const { event } = this.#market;
    const consensus = reference.source === CONSENSUS;
    const opinions = consensus ? reference.opinionsFor(candidate.columns[0]!) : this.#finder.prices.owners(null);
    const hold = reference.holdPercent();
    const pushes = mayPush(this.#finder.prices.marketLine);
    const flags =
      (consensus ? RECORD_FLAG.consensus : 0) |
      (pushes ? RECORD_FLAG.push : 0) |
      (candidate.assumed ? RECORD_FLAG.assumed : 0) |
      this.#moneyFlags(candidate);
    const place = writer.begin('ev', flags, id, event.no);
    writer.number(candidate.edge);
    writer.number(confidenceScore(!consensus, opinions, 0, event.live, hold / 100, candidate.edge));
    writer.number(candidate.p);
    writer.number(candidate.push);
    writer.number(hold);
    writer.number(candidate.fourth);
    writer.number(candidate.third);
    writer.number(opinions);
    writer.row(0, this.#rowOf(candidate, 0));
    for (const row of reference.rows) writer.row(1, row);
    return place;
  }

  #arbitrage(candidate: Candidate, id: string): number {
    const { writer } = this;
    const { event } = this.#market;
    const flags =
      (candidate.suspicious ? RECORD_FLAG.suspicious : 0) |
      (isLayPair(candidate) ? RECORD_FLAG.lay : 0) |
      this.#moneyFlags(candidate) |
      (mayPush(this.#finder.prices.marketLine) ? RECORD_FLAG.push : 0);
    const place = writer.begin('arbitrage', flags, id, event.no);
    writer.number(candidate.edge);
    writer.number(0);
    for (let i = 0; i < candidate.columns.length; i++) writer.row(i, this.#rowOf(candidate, i));
    return place;
  }

  #lowHold(candidate: Candidate, universe: WatchedUniverse, id: string): number {
    const { writer } = this;
    const { event } = this.#market;
    const place = writer.begin('low_hold', this.#moneyFlags(candidate), id, event.no);
    writer.number(candidate.edge);
    writer.number(marketConfidence(candidate.fourth, 0, event.live));
    writer.number(candidate.fourth);
    for (let side = 0; side < candidate.columns.length; side++) this.#tied(candidate.columns[side]!, side, universe);
    return place;
  }

  #middle(candidate: Candidate, id: string): number {
    const { writer } = this;
    const { event, shape } = this.#market;
    const { low, high, first, second } = candidate;
    const table = this.#middles.table!;
    const { model } = table;
    const flags =
      (this.#middles.oneSided ? RECORD_FLAG.oneSided : 0) |
      (winsAlways(low, high, first, second) ? RECORD_FLAG.sure : 0) |
      this.#moneyFlags(candidate) |
      (candidate.assumed ? RECORD_FLAG.assumed : 0) |
      (event.live && model === shape.model ? RECORD_FLAG.wholeGame : 0) |
      (model.pair === 'spread' ? RECORD_FLAG.spread : 0) |
      (model.keyNumbers.length > 0 ? RECORD_FLAG.keyNumbers : 0);
    const { alternate } = this.#index.columns;
    const quality = qualityScore({
      expectedValue: candidate.edge,
      probability: candidate.p,
      breakEven: breakEvenPercent(inverseSum([first, second], 2)),
      hasKeyNumber: hasKeyNumber(model, low, high),
      size: high - low,
      mainLines: alternate[candidate.columns[0]!] === 0 && alternate[candidate.columns[1]!] === 0,
      freshness: 1,
    });
    const place = writer.begin('middle', flags, id, event.no);
    writer.number(candidate.edge);
    writer.number(quality);
    writer.number(candidate.p);
    writer.number(low);
    writer.number(high);
    writer.number(table.passes(low));
    writer.number(1 - table.passes(high));
    writer.number(table.keyNumbers(low, high));
    writer.row(0, this.#rowOf(candidate, 0));
    writer.row(1, this.#rowOf(candidate, 1));
    return place;
  }

  /** What of its legs' books bears on stakes and results. */
  #moneyFlags(candidate: Candidate): number {
    const { columns } = candidate;
    const { columns: prices } = this.#index;
    let flags = this.#houseFlags(candidate);
    for (let i = 0; i < columns.length; i++) {
      const book = prices.book[columns[i]!]!;
      const { currency } = this.#books.rules[book]!;
      const { details } = this.#index.row(this.#rowOf(candidate, i));
      if (currency !== 'USD' || (details !== NO_DETAILS && stakeMax(details) !== null)) flags |= RECORD_FLAG.limited;
      if (mayCharge(this.#index, this.#books, columns[i]!)) flags |= RECORD_FLAG.mayCharge;
    }
    return flags;
  }

  /** What the house rules of its legs' books make of it. */
  #houseFlags(candidate: Candidate): number {
    const { columns } = candidate;
    if (columns.length < 2) return 0;
    const first = this.#houseOf(columns[0]!);
    let flags = isLayPair(candidate) && this.#finder.prices.sides === 3 ? RECORD_FLAG.threeSided : 0;
    let differs = false;
    for (let i = 1; i < columns.length; i++) {
      const house = this.#houseOf(columns[i]!);
      differs ||= mayDiffer(first, house);
      if (first.postponed_hours !== house.postponed_hours) flags |= RECORD_FLAG.voidDiffers;
    }
    if (!differs) return flags;
    const exceptions = houseExceptions(
      ruledMarket(this.#market.shape, isLayPair(candidate) ? this.#finder.prices.sides : columns.length),
      this.#ruledLegs(candidate),
    );
    if (exceptions.length === 0) return flags;
    const breaks = exceptions.some(({ profit }) => percentBelow(100 * profit) < 0);
    return flags | RECORD_FLAG.exceptions | (breaks ? RECORD_FLAG.breaks : 0);
  }

  #ruledLegs(candidate: Candidate): RuledLeg[] {
    const { columns, first, second, third } = candidate;
    const nets = [first, second, third].slice(0, columns.length);
    const stakes = nets.map((net) => 1 / net);
    // Of a low hold no stakes are printed.
    if (candidate.kind !== 'low_hold') stakePercents(nets, nets.length, inverseSum(nets, nets.length), stakes);
    return columns.map((column, i) => {
      const lay = isLayPair(candidate) && i === 1;
      const side = isLayPair(candidate) ? candidate.side - 1 : i;
      const row = this.#rowOf(candidate, i);
      const { x } = this.#index.marketLineOf(row)!;
      const charge = this.#books.commission[this.#index.columns.book[column]!]!;
      const kept = keptOf(chargeOf(ownCommission(this.#index.row(row).details), charge));
      return { side, x, lay, net: sureDecimal(nets[i]!), kept, stake: stakes[i]!, house: this.#houseOf(column) };
    });
  }

  #houseOf(column: number): HouseRules {
    const { houses, shape } = this.#market;
    return houses[this.#index.columns.book[column]!]![shape.rules.family];
  }

  #rowOf(candidate: Candidate, i: number): number {
    const side = isLayPair(candidate) ? candidate.side - 1 : candidate.kind === 'ev' ? candidate.side : i;
    return this.#index.columns.row[candidate.columns[i]! * CELLS + side]!;
  }

  /** The column's own row, then those of the universe's other books at its price, in their order; each book once. */
  #tied(column: number, side: number, universe: WatchedUniverse): void {
    const { prices } = this.#finder;
    const { row } = this.#index.columns;
    const order = prices.order[side]!;
    const best = prices.price(column, side);
    let count = 0;
    for (let i = 0; i < prices.fresh[side]!; i++) {
      const other = order[i]!;
      const price = prices.price(other, side);
      if (price < best) break;
      const book = prices.book(other);
      if (price > best || universe.mask[book] !== 1) continue;
      if (count > 0 && this.#isKnown(order, i, book, best, side)) continue;
      count++;
      this.writer.row(side, row[other * CELLS + side]!);
    }
  }

  /** Whether the book had the price in one of the columns before: its main and its alternate rows are one bet. */
  #isKnown(order: Int32Array, at: number, book: number, price: number, side: number): boolean {
    const { prices } = this.#finder;
    for (let i = 0; i < at; i++)
      if (prices.book(order[i]!) === book && prices.price(order[i]!, side) === price) return true;
    return false;
  }
}

/**
 * What an id depends on within a line: kind, side, books, a middle's other line; NaN if that is no number. Selections
 * follow from the sides, except for those of yes and no, odd and even.
 */
function idKey({ kind, side, book1, book2, book3, high }: Candidate): number {
  const last = kind === 'middle' ? LINE_STEPS * high + HIGHEST : book3 + 1;
  if (!Number.isInteger(last)) return Number.NaN;
  return (((BET_KINDS.indexOf(kind) * 4 + side) * BOOKS + book1) * BOOKS + book2 + 1) * HIGHEST * 2 + last;
}

const between = new Float64Array(64);

function hasKeyNumber({ keyNumbers, pair }: ResultModel, low: number, high: number): boolean {
  if (keyNumbers.length === 0) return false;
  const count = middleNumbers(pair, low, high, between);
  for (let i = 0; i < count; i++) if (keyNumbers.includes(between[i]!)) return true;
  return false;
}

/**
 * Whether every input of a record is equal, including those of the universe: the fingerprint covers the books tied at a
 * price.
 */
function sameCandidate(a: Candidate, b: Candidate): boolean {
  return (
    sameKey(a, b) &&
    sameFingerprint(a, b) &&
    a.edge === b.edge &&
    a.p === b.p &&
    a.suspicious === b.suspicious &&
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
  to.push = from.push;
  to.suspicious = from.suspicious;
  to.assumed = from.assumed;
  to.columns.length = from.columns.length;
  for (let i = 0; i < from.columns.length; i++) to.columns[i] = from.columns[i]!;
}
