// An opportunity as its readers see it: its record, and the rows of its legs wherever they are kept. Its item is
// composed on demand, and again once one of these changed.

import type { DevigMethod } from '../../base/model/devig-method.js';
import type { Rates } from '../../base/model/money.js';
import type { OpportunityKind } from '../../base/model/opportunity.js';
import { NUMBER, type OpportunityRecord, RECORD_FLAG, readRecord } from '../../base/model/opportunity-record.js';
import { roundTo } from '../../base/model/price.js';
import { type Cap, type StakeTerms, termsOf } from '../../base/model/stake-terms.js';
import type { EventFields } from '../../base/model/state.js';
import type { Opportunity, OpportunityHead, PackedNews, UniverseNews } from '../../log/delta/opportunity.js';
import type { Ruled, RuledLeg } from '../../rules/grading/house-exceptions.js';
import { type MarketShape, ruledMarket } from '../market-side.js';
import type { Kind } from './kind.js';
import { KINDS } from './kinds.js';
import { type Leg, roundScore } from './parts.js';

/** The rows of a shard. What is gone has no leg; a record's rows are there as long as its opportunity is active. */
export interface RowsOfShard {
  /** @param row one of its rows; -1 if none is known */
  event(no: number, row: number): EventFields | undefined;
  leg(row: number, lay: boolean): Leg | undefined;
  /** Market type; null if the row is gone. */
  marketOf(row: number): string | null;
  bookOf(row: number): string | null;
  /** What house rules ask of a row; undefined if it is gone, or no side of a market. */
  ruled(row: number): RuledRow | undefined;
  /** last_seen_at (Unix ms); NaN if the row is gone. */
  seenMs(row: number): number;
  /** Position of the row's last change of anything but last_seen_at; NaN if that is not known. */
  updatedPosition(row: number): number;
  /** US dollars for one unit of a currency. */
  readonly rates: Rates;
}

export interface RuledRow extends Pick<RuledLeg, 'side' | 'x' | 'house'> {
  shape: MarketShape;
}

const NO_TAIL = new Uint8Array(0);
/** Nothing limits the stakes, and all are in dollars. */
const DOLLARS: readonly Cap[] = [['USD', null]];

export class RecordedOpportunity implements OpportunityHead {
  kind: OpportunityKind;
  id: string;
  market: string;
  edge: number;
  detectedUs: number;
  updatedPosition: number;
  #rows: RowsOfShard;
  #event: EventFields;
  #record: OpportunityRecord;
  #method: DevigMethod;
  #item: Opportunity['item'] | undefined;
  /** Position of the last change of its legs that is in the item; NaN if that is not known. */
  #itemPosition = Number.NaN;

  /** Its record must be of an event that there is. */
  constructor(
    rows: RowsOfShard,
    event: EventFields,
    record: OpportunityRecord,
    detectedUs: number,
    updatedPosition: number,
    method: DevigMethod = 'power',
  ) {
    this.#rows = rows;
    this.#event = event;
    this.#record = record;
    this.#method = method;
    this.kind = record.kind;
    this.id = record.id;
    this.edge = roundTo(record.numbers[NUMBER.edge]!, 6) + 0;
    this.detectedUs = detectedUs;
    this.updatedPosition = updatedPosition;
    // The message it came in will be overwritten.
    if (record.tail.length > 0) record.tail = Uint8Array.from(record.tail);
    this.market = this.#kind.without?.market(record) ?? rows.marketOf(record.rows[0]!) ?? '';
  }

  get eventId(): string {
    return this.#event.id;
  }

  get sport(): string {
    return this.#event.sport;
  }

  get league(): string {
    return this.#event.league;
  }

  get startMs(): number {
    return this.#event.startMs;
  }

  get live(): boolean {
    return this.#event.live;
  }

  get suspicious(): boolean {
    return this.#has(RECORD_FLAG.suspicious);
  }

  get score(): number {
    return roundScore(this.#record.numbers[NUMBER.score]!);
  }

  get size(): number {
    return this.#kind.size?.(this.#record) ?? 0;
  }

  /** As its rows are now; in a universe that nobody watches they may be gone. */
  get terms(): StakeTerms {
    const sure = this.#kind.isSure((flag) => this.#has(flag));
    const assumed = this.#has(RECORD_FLAG.assumed);
    const isGone = (row: number): boolean => this.#rows.marketOf(row) === null;
    if (!this.#has(RECORD_FLAG.limited) || this.#legRows.some(isGone)) return termsOf(sure, assumed, DOLLARS);
    return termsOf(sure, assumed, this.#kind.caps?.(this.#legs(), this.#rows.rates) ?? DOLLARS);
  }

  get ruled(): Ruled | null {
    if (!this.#has(RECORD_FLAG.exceptions)) return null;
    const { rows, counts } = this.#record;
    const legs: Ruled['legs'][number][] = [];
    let shape: MarketShape | undefined;
    let at = 0;
    for (const count of counts.slice(0, this.#kind.legSides)) {
      if (count === 0) continue;
      const one = this.#rows.ruled(rows[at]!);
      if (one === undefined) return null;
      at += count;
      shape ??= one.shape;
      legs.push({ side: one.side, x: one.x, house: one.house, lay: legs.length === 1 && this.#has(RECORD_FLAG.lay) });
    }
    const sides = this.#has(RECORD_FLAG.lay) ? (this.#has(RECORD_FLAG.threeSided) ? 3 : 2) : legs.length;
    return { market: ruledMarket(shape!, sides), legs };
  }

  get books(): readonly string[] {
    const { without } = this.#kind;
    return without?.books(this.#record) ?? this.#legRows.flatMap((row) => this.#rows.bookOf(row) ?? []);
  }

  get seenMs(): readonly number[] {
    return this.#legRows.map((row) => this.#rows.seenMs(row));
  }

  get oldestSeenMs(): number {
    const { rows, counts } = this.#record;
    const { without, legSides = counts.length } = this.#kind;
    if (without !== undefined) return without.seenMs(this.#record);
    let oldest = Number.POSITIVE_INFINITY;
    let at = 0;
    for (const [side, count] of counts.entries()) {
      // A side is as old as the freshest of the books tied at its price.
      let freshest = 0;
      for (const end = at + count; at < end; at++) {
        const seen = this.#rows.seenMs(rows[at]!);
        if (side < legSides) freshest = Math.max(freshest, seen);
        else oldest = Math.min(oldest, seen);
      }
      if (side < legSides) oldest = Math.min(oldest, freshest);
    }
    return oldest;
  }

  get item(): Opportunity['item'] {
    // A change of its event is one of every row, or leads to another record.
    let position = 0;
    for (const row of this.#legRows) position = Math.max(position, this.#rows.updatedPosition(row));
    if (this.#item === undefined || this.#itemPosition !== position) {
      this.#item = Object.assign(this.#composed(), this.#kind.servedFields);
      this.#itemPosition = position;
    }
    return this.#item;
  }

  /** Takes the state of `other`, which is not needed any more: objects that live long are a cost to the collector. */
  become(other: RecordedOpportunity): void {
    this.kind = other.kind;
    this.id = other.id;
    this.market = other.market;
    this.edge = other.edge;
    this.detectedUs = other.detectedUs;
    this.updatedPosition = other.updatedPosition;
    this.#rows = other.#rows;
    this.#event = other.#event;
    this.#method = other.#method;
    copyRecord(other.#record, this.#record);
    this.#item = undefined;
  }

  get #kind(): Kind {
    return KINDS[this.#record.kind];
  }

  get #legRows(): readonly number[] {
    const { rows, counts } = this.#record;
    const { legSides } = this.#kind;
    if (legSides === undefined) return rows;
    let end = 0;
    for (let side = 0; side < legSides; side++) end += counts[side] ?? 0;
    return rows.slice(0, end);
  }

  #has(flag: number): boolean {
    return (this.#record.flags & flag) !== 0;
  }

  #composed(): Opportunity['item'] {
    const sides = this.#legs();
    const { rates } = this.#rows;
    return this.#kind.compose({
      id: this.id,
      market: { event: this.#event, marketType: this.market, player: sides[0]?.[0]?.row.player ?? null },
      sides,
      record: this.#record,
      score: this.score,
      method: this.#method,
      money: {
        ruled: this.ruled,
        mayCharge: this.#has(RECORD_FLAG.mayCharge),
        voidDiffers: this.#has(RECORD_FLAG.voidDiffers),
        rates,
      },
      has: (flag) => this.#has(flag),
      bookOf: (row) => this.#rows.bookOf(row),
    }) as Opportunity['item'];
  }

  /** By side, the leg first and then those tied with it. */
  #legs(): Leg[][] {
    const { rows, counts } = this.#record;
    let at = 0;
    return counts.slice(0, this.#kind.legSides).map((count, side) => {
      const lay = side === 1 && this.#has(RECORD_FLAG.lay);
      const legs: Leg[] = [];
      for (const end = at + count; at < end; at++) {
        const leg = this.#rows.leg(rows[at]!, lay);
        if (leg === undefined) throw new Error(`row ${rows[at]} of opportunity ${this.id} is gone`);
        legs.push(leg);
      }
      return legs;
    });
  }
}

/** An opportunity with everything in it, for use where its rows are not. */
export function composed(one: Opportunity): Opportunity {
  const { kind, id, eventId, sport, league, market, startMs, live, edge, books, detectedUs, updatedPosition } = one;
  const { oldestSeenMs, seenMs, suspicious, score, size, terms, ruled = null, item } = one;
  const head = { kind, id, eventId, sport, league, market, startMs, live, edge, books, detectedUs, updatedPosition };
  return { oldestSeenMs, seenMs, suspicious, score, size, terms, ruled, item, ...head } as Opportunity;
}

/** The object to retain in place of `known`: the same one if it can take the later state. */
export function retainedAs(known: Opportunity | undefined, later: Opportunity): Opportunity {
  if (!(known instanceof RecordedOpportunity && later instanceof RecordedOpportunity)) return later;
  known.become(later);
  return known;
}

function copyRecord(from: OpportunityRecord, to: OpportunityRecord): void {
  to.kind = from.kind;
  to.flags = from.flags;
  to.id = from.id;
  to.eventNo = from.eventNo;
  copyNumbers(from.numbers, to.numbers);
  copyNumbers(from.counts, to.counts);
  copyNumbers(from.rows, to.rows);
  to.tail = from.tail.length === 0 ? NO_TAIL : from.tail;
}

function copyNumbers(from: readonly number[], to: number[]): void {
  to.length = from.length;
  for (let i = 0; i < from.length; i++) to[i] = from[i]!;
}

// The opportunities of a batch for their readers, from the records that detection wrote.

export function openNews({ records, universes }: PackedNews, rows: RowsOfShard): UniverseNews[] {
  return universes.map(({ put, ...news }) => {
    const detected: Opportunity[] = [];
    for (let i = 0; i < put.length; i += 3) {
      const opportunity = openRecord(rows, records, put[i]!, put[i + 1]!, put[i + 2]!);
      if (opportunity !== undefined) detected.push(opportunity);
    }
    return { detected, ...news };
  });
}

/** Undefined if its event is gone: then it has ended, as a later delta says. */
export function openRecord(
  rows: RowsOfShard,
  records: Uint8Array,
  place: number,
  detectedUs: number,
  updatedPosition: number,
  method?: DevigMethod,
): Opportunity | undefined {
  const record = readRecord(records, place);
  const event = rows.event(record.eventNo, record.rows[0] ?? -1);
  if (event === undefined) return undefined;
  return new RecordedOpportunity(rows, event, record, detectedUs, updatedPosition, method) as RecordedOpportunity &
    Opportunity;
}
