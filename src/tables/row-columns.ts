// The fields of a row in the table's columns: written when it is added or changes, read back whole on demand.
import { feedIds } from '../base/model/feed-ids.js';
import { noNumbers, type RowFields, type RowIdentity, type RowNumbers, type RowRest } from '../base/model/row.js';
import { detachedDetails, NO_DETAILS } from '../base/model/row-details.js';
import type { PricedRow } from '../base/model/row-json.js';
import { type Columns, isMainLine, ROW_FLAG } from './columns.js';
import type { Registry } from './registry.js';

export interface RowColumns {
  readonly columns: Columns;
  readonly markets: Registry;
}

/** Writes the fields that are fixed for the row's life. */
export function writeIdentity({ columns: c, markets }: RowColumns, slot: number, row: RowIdentity): void {
  const { market } = row;
  c.market[slot] = markets.take(market);
  c.flags[slot] = row.alternate ? ROW_FLAG.alternate : 0;
  c.id.set(slot, row.id);
  c.selection.set(slot, row.selection);
  c.selectionType.set(slot, row.selectionType);
  c.player.set(slot, row.player);
  c.stat.set(slot, row.stat);
  c.team.set(slot, row.team);
}

/** Writes what may have changed with the price: not the row's number, nor when it was created or seen. */
export function writePrice(c: Columns, slot: number, row: RowNumbers): void {
  c.american[slot] = row.american;
  c.decimal[slot] = row.decimal;
  c.activity[slot] = row.activity;
  c.line[slot] = row.line ?? Number.NaN;
  c.changedUs[slot] = row.changedUs;
  c.updatedPosition[slot] = row.updatedPosition;
  if (row.commission !== undefined) c.commission.set(slot, row.commission);
  else if (c.commission.size > 0) c.commission.delete(slot);
}

/** Writes all numbers of a new row. */
export function writeNumbers(c: Columns, slot: number, row: RowNumbers): void {
  c.no[slot] = row.no;
  c.seenMs[slot] = row.seenMs;
  c.createdPosition[slot] = row.createdPosition;
  writePrice(c, slot, row);
}

/** Writes what a book states beside the price. */
export function writeRest(c: Columns, slot: number, { link, details, ids }: RowRest): void {
  c.link.set(slot, link);
  c.eventId.set(slot, ids?.event ?? null);
  c.marketId.set(slot, ids?.market ?? null);
  c.selectionId.set(slot, ids?.selection ?? null);
  if (details !== NO_DETAILS) c.details.set(slot, detachedDetails(details));
  else if (c.details.size > 0) c.details.delete(slot);
}

export function readRest(c: Columns, slot: number): RowRest {
  const ids = feedIds(c.eventId.at(slot), c.marketId.at(slot), c.selectionId.at(slot));
  return { link: c.link.at(slot), details: c.details.get(slot) ?? NO_DETAILS, ids };
}

const price: PricedRow = { ...noNumbers(), alternate: false };

/** What the price part of a row shows, in an object that is reused by the next call; its other fields are undefined. */
export function readPrice(c: Columns, slot: number): Readonly<PricedRow> {
  const line = c.line[slot]!;
  price.american = c.american[slot]!;
  price.decimal = c.decimal[slot]!;
  price.activity = c.activity[slot]!;
  price.line = Number.isNaN(line) ? null : line;
  price.changedUs = c.changedUs[slot]!;
  price.updatedPosition = c.updatedPosition[slot]!;
  price.alternate = !isMainLine(c, slot);
  return price;
}

export function readRow({ columns: c, markets }: RowColumns, slot: number): RowFields {
  const line = c.line[slot]!;
  const commission = c.commission.get(slot);
  return {
    no: c.no[slot]!,
    id: c.id.at(slot),
    market: markets.name(c.market[slot]!),
    selection: c.selection.at(slot)!,
    selectionType: c.selectionType.at(slot)!,
    player: c.player.at(slot),
    stat: c.stat.at(slot),
    team: c.team.at(slot),
    alternate: (c.flags[slot]! & ROW_FLAG.alternate) !== 0,
    american: c.american[slot]!,
    decimal: c.decimal[slot]!,
    activity: c.activity[slot]!,
    line: Number.isNaN(line) ? null : line,
    seenMs: c.seenMs[slot]!,
    changedUs: c.changedUs[slot]!,
    createdPosition: c.createdPosition[slot]!,
    updatedPosition: c.updatedPosition[slot]!,
    ...(commission === undefined ? {} : { commission }),
  };
}
