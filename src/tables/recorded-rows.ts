// The table's rows of a shard, for the opportunities that refer to them.

import { netDecimal } from '../base/model/commission.js';
import type { Rates } from '../base/model/money.js';
import type { Leg } from '../detection/kinds/parts.js';
import type { RowsOfShard, RuledRow } from '../detection/kinds/recorded-opportunity.js';
import { marketShape } from '../detection/market-side.js';
import { sideOf } from '../rules/markets/sides.js';
import { ROW_FLAG } from './columns.js';
import type { TableEvent } from './events.js';
import type { OddsTable } from './table.js';

export class RecordedRows implements RowsOfShard {
  readonly #table: OddsTable;
  readonly #shard: number;

  constructor(table: OddsTable, shard: number) {
    this.#table = table;
    this.#shard = shard;
  }

  get rates(): Rates {
    return this.#table.rates;
  }

  event(no: number): TableEvent | undefined {
    return this.#table.events.find(this.#shard, no);
  }

  leg(no: number, lay: boolean): Leg | undefined {
    const table = this.#table;
    const slot = table.slotOfNo(this.#shard, no);
    if (slot === 0) return undefined;
    const c = table.columns;
    const { link, details, ids } = table.restOf(slot);
    const line = c.line[slot]!;
    const decimal = c.decimal[slot]!;
    const book = table.books.name(table.columns.book[slot]!);
    const commission = table.commissionAt(slot);
    return {
      // Field by field: an object made by a spread and more fields takes several times as long.
      row: {
        id: c.id.at(slot),
        selection: c.selection.at(slot)!,
        selectionType: c.selectionType.at(slot)!,
        player: c.player.at(slot),
        stat: c.stat.at(slot),
        team: c.team.at(slot),
        alternate: (c.flags[slot]! & ROW_FLAG.alternate) !== 0,
        american: c.american[slot]!,
        decimal,
        line: Number.isNaN(line) ? null : line,
        details,
      },
      book,
      owner: table.ownerOf(book),
      net: netDecimal(lay ? decimal / (decimal - 1) : decimal, commission),
      commission,
      rules: table.bookRulesOf(book),
      seenMs: c.seenMs[slot]!,
      lay,
      deepLink: link,
      ids,
    };
  }

  ruled(no: number): RuledRow | undefined {
    const table = this.#table;
    const slot = table.slotOfNo(this.#shard, no);
    if (slot === 0) return undefined;
    const { columns: c } = table;
    const { sport, league } = table.eventOf(slot);
    const line = c.line[slot]!;
    const hasLine = !Number.isNaN(line);
    const rules = table.rulesIn(c.market[slot]!, sport, league);
    const found = sideOf(rules, c.selectionType.at(slot)!, hasLine);
    if (found === undefined) return undefined;
    const { pairing, side } = found;
    const shape = marketShape(rules, pairing, sport, league);
    const x = pairing === 'handicap' && side === 0 ? 0 - line : line;
    return { shape, side, x, house: table.houseOf(c.book[slot]!, sport, league)[rules.family] };
  }

  marketOf(no: number): string | null {
    const slot = this.#table.slotOfNo(this.#shard, no);
    return slot === 0 ? null : this.#table.rulesOf(this.#table.columns.market[slot]!).backed;
  }

  bookOf(no: number): string | null {
    const { columns, books } = this.#table;
    const slot = this.#table.slotOfNo(this.#shard, no);
    return slot === 0 ? null : books.name(columns.book[slot]!);
  }

  seenMs(no: number): number {
    const slot = this.#table.slotOfNo(this.#shard, no);
    return slot === 0 ? Number.NaN : this.#table.columns.seenMs[slot]!;
  }

  updatedPosition(no: number): number {
    const slot = this.#table.slotOfNo(this.#shard, no);
    return slot === 0 ? Number.NaN : this.#table.columns.updatedPosition[slot]!;
  }
}
