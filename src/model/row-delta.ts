// A row in a delta: what changed, as a tuple (a tuple of MessagePack costs half as much as a map). The shard writes it
// and every reader of deltas reads it, both with this codec.
import type { Commission } from './commission.js';
import {
  type EncodedRow,
  noNumbers,
  type PartLengths,
  type Row,
  RowChange,
  type RowIdentity,
  type RowNumbers,
} from './row.js';
import { ownCommission } from './row-details.js';

/** Lengths of the row's parts in the blob: head (added), price, rest (added, restated), in this order. */
export type RowDelta = [
  no: number,
  change: number,
  american: number,
  decimal: number,
  line: number | null,
  seenMs: number,
  changedUs: number,
  priceLength: number,
  deltaLength: number,
  restLength: number,
  headLength: number,
  added: AddedFields | null,
  activity: number,
  /** Present only for rows with a commission of their own, and always for these. */
  commission?: Commission,
];

/** Present only for new rows. */
type AddedFields = [
  id: string,
  market: string,
  selection: string,
  selectionType: string,
  player: string | null,
  stat: string | null,
  team: RowIdentity['team'],
  alternate: boolean,
  createdPosition: number,
];

/** What a delta has of a row. */
export type DeltaRow = RowIdentity & Omit<RowNumbers, 'updatedPosition'> & Pick<Row, 'change' | 'details'>;

/** @param lengths of the row's parts in the blob: no head unless the row is added, no rest if only its price changed */
export function rowDelta(row: DeltaRow, { head, price, delta, rest }: PartLengths): RowDelta {
  const { no, change, american, decimal, line, seenMs, changedUs, activity } = row;
  const added = change === RowChange.added ? addedFields(row) : null;
  const tuple: RowDelta = [
    no,
    change,
    american,
    decimal,
    line,
    seenMs,
    changedUs,
    price,
    delta,
    rest,
    head,
    added,
    activity,
  ];
  const commission = ownCommission(row.details);
  if (commission !== undefined) tuple.push(commission);
  return tuple;
}

function addedFields(row: DeltaRow): AddedFields {
  const { id, market, selection, selectionType, player, stat, team, alternate, createdPosition } = row;
  return [id, market, selection, selectionType, player, stat, team, alternate, createdPosition];
}

/** One row of a delta. createdPosition is 0 unless the row is new. */
export interface ReadRow extends RowNumbers, EncodedRow {
  /** A RowChange. */
  change: number;
  /** Only for a new row. */
  identity: RowIdentity | null;
}

/** Reads the rows of a delta, in order. */
export class RowDeltaReader {
  readonly #row: ReadRow;
  /** Offset of the next row's parts. */
  #next = 0;

  /** @param position of the delta */
  constructor(position: number, blob: Uint8Array) {
    this.#row = {
      ...noNumbers(),
      updatedPosition: position,
      change: RowChange.none,
      identity: null,
      source: blob,
      at: 0,
      lengths: { head: 0, price: 0, delta: 0, rest: 0 },
    };
  }

  /** Skips a row. */
  skip(delta: RowDelta): void {
    this.#next += delta[10] + delta[7] + delta[9];
  }

  /** The next row, in an object that is reused for the one after it. */
  read(delta: RowDelta): ReadRow {
    const row = this.#row;
    const { lengths } = row;
    row.at = this.#next;
    row.no = delta[0];
    row.change = delta[1];
    row.american = delta[2];
    row.decimal = delta[3];
    row.line = delta[4];
    row.seenMs = delta[5];
    row.changedUs = delta[6];
    lengths.price = delta[7];
    lengths.delta = delta[8];
    lengths.rest = delta[9];
    lengths.head = delta[10];
    row.activity = delta[12];
    row.commission = delta[13];
    const added = delta[11];
    row.createdPosition = added === null ? 0 : added[8];
    row.identity = added === null ? null : identityOf(added);
    this.skip(delta);
    return row;
  }
}

function identityOf([id, market, selection, selectionType, player, stat, team, alternate]: AddedFields): RowIdentity {
  return { id, market, selection, selectionType, player, stat, team, alternate };
}
