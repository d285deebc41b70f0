// Which rows of an event are one selection: what several books price under one market and line, whatever they call it.

import { BoundedMap } from '../base/memory/bounded-map.js';
import { compareLine } from '../base/model/compare.js';
import { keyPart } from '../base/model/key-part.js';
import { LIMITS } from '../base/model/limits.js';
import { canonicalPlayerName, playerKey } from '../rules/catalogue/player-name.js';
import { NAMED_BY_TYPE, selectionName } from '../rules/catalogue/selection-name.js';
import { openStatistic } from '../rules/markets/sides.js';
import type { OddsTable } from '../tables/table.js';

export class SelectionKeys {
  readonly #table: OddsTable;
  /** Canonical names by original name: computing one costs more than the rest of a row. */
  readonly #players = new BoundedMap<string, string>(LIMITS.selectionKeys.max);

  constructor(table: OddsTable) {
    this.#table = table;
  }

  /** Equal for two rows of one event, market and line if they are the same selection. */
  of(slot: number): string {
    const c = this.#table.columns;
    const type = c.selectionType.at(slot)!;
    const player = c.player.at(slot);
    const team = c.team.at(slot);
    const stat = openStatistic(this.#table.rulesOf(c.market[slot]!), c.stat.at(slot));
    if (player === null && team === null && stat === null && NAMED_BY_TYPE.has(type)) return type;
    const { namesakes } = this.#table.eventOf(slot);
    const who = player === null ? '' : this.player(player, namesakes);
    const name = selectionName(type, c.selection.at(slot)!, who, (other) => this.player(other, namesakes));
    return `${type}|${keyPart(name)}|${keyPart(who)}|${keyPart(stat ?? '')}|${team ?? ''}`;
  }

  /** A player's canonical name: the same for every spelling, of an event without namesakes for every suffix. */
  player(name: string, namesakes?: readonly string[]): string {
    if (namesakes !== undefined) return playerKey(name, namesakes);
    let canonical = this.#players.get(name);
    if (canonical === undefined) {
      canonical = canonicalPlayerName(name);
      this.#players.set(name, canonical);
    }
    return canonical;
  }
}

export interface MarketVisitor {
  /** A market type begins; its rows follow. */
  market(no: number): void;
  /** Rows of one more selection: the first row, and the books that price it. */
  selection(first: number, books: ReadonlySet<number>): void;
}

/** Visits the selections of sorted rows, market by market, line by line; `passes` decides which rows count. */
export function walkSelections(
  table: OddsTable,
  keys: SelectionKeys,
  rows: Uint32Array,
  passes: (slot: number) => boolean,
  visitor: MarketVisitor,
): void {
  const c = table.columns;
  let market = -1;
  let line = Number.NaN;
  let group = new Map<string, { first: number; books: Set<number> }>();
  const flush = (): void => {
    for (const { first, books } of group.values()) visitor.selection(first, books);
    if (group.size > 0) group = new Map();
  };
  for (let i = 0; i < rows.length; i++) {
    const slot = rows[i]!;
    if (!passes(slot)) continue;
    if (c.market[slot] !== market) {
      flush();
      market = c.market[slot]!;
      line = c.line[slot]!;
      visitor.market(market);
    } else if (compareLine(c.line[slot]!, line) !== 0) {
      flush();
      line = c.line[slot]!;
    }
    const key = keys.of(slot);
    const known = group.get(key);
    if (known === undefined) group.set(key, { first: slot, books: new Set([c.book[slot]!]) });
    else known.books.add(c.book[slot]!);
  }
  flush();
}

/** Number of selections of each market type of the rows, in the rows' order. */
export function countSelections(
  table: OddsTable,
  keys: SelectionKeys,
  rows: Uint32Array,
): { market: number; selections: number }[] {
  const c = table.columns;
  const counts: { market: number; selections: number }[] = [];
  const group = new Set<string>();
  let current = { market: -1, selections: 0 };
  let line = Number.NaN;
  for (let i = 0; i < rows.length; i++) {
    const slot = rows[i]!;
    if (c.market[slot] !== current.market || compareLine(c.line[slot]!, line) !== 0) {
      current.selections += group.size;
      group.clear();
      line = c.line[slot]!;
      if (c.market[slot] !== current.market) {
        current = { market: c.market[slot]!, selections: 0 };
        counts.push(current);
      }
    }
    group.add(keys.of(slot));
  }
  current.selections += group.size;
  return counts;
}
