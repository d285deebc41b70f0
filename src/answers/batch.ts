// POST /odds/batch: the odds of many events at once, inside the caller's book universe.

import { isActive, isIndicative, previousPrice } from '../base/model/activity.js';
import { eventHead } from '../base/model/event-head.js';
import { roundDecimal } from '../base/model/price.js';
import { formatMs } from '../base/model/time.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { BatchEvent } from '../schema/odds-items.js';
import type { TableEvent } from '../tables/events.js';
import { RowFilter } from '../tables/filter/filter.js';
import type { Universe } from '../tables/filter/universe.js';
import type { OddsTable } from '../tables/table.js';
import { isOpen } from './outcomes.js';
import { linkOf, probabilities } from './row-objects.js';
import { hasScore } from './tally.js';

export interface BatchQuestion {
  table: OddsTable;
  universe: Universe;
  /** Distinct ids. */
  eventIds: readonly string[];
  market: string | undefined;
  /** US state of the links. */
  state?: string | undefined;
}

export interface Batch {
  /** One after the other as of the moment it is read; the id instead of an unknown event, or of one that is over. */
  events: Iterable<BatchEvent | string>;
  /** Names without a match among the books. */
  unknown: readonly string[];
}

export function readBatch(catalogue: Catalogue, question: BatchQuestion): Batch {
  const { table, universe, market } = question;
  const filter = new RowFilter(table, catalogue, universe, { market });
  return { events: eventsOf(catalogue, question, filter), unknown: filter.unknown };
}

function* eventsOf(
  catalogue: Catalogue,
  { table, eventIds, state }: BatchQuestion,
  filter: RowFilter,
): Generator<BatchEvent | string> {
  const link = (slot: number): string | null => linkOf(table, catalogue, slot, state);
  for (const id of eventIds) {
    const event = table.events.get(id);
    yield event === undefined || !isOpen(event) ? id : batchEvent(table, event, filter, link);
  }
}

function batchEvent(
  table: OddsTable,
  event: TableEvent,
  filter: RowFilter,
  link: (slot: number) => string | null,
): BatchEvent {
  const slots = [...event.rows.sorted()].filter((slot) => filter.hasRow(slot));
  return {
    ...eventHead(event, event.name),
    ...(event.live && hasScore(event) ? { game_state: event.state! } : {}),
    odds: slots.map((slot) => ({ ...batchRow(table, slot), deep_link: link(slot) })),
  };
}

function batchRow(table: OddsTable, slot: number) {
  const c = table.columns;
  const book = table.books.name(c.book[slot]!);
  const seenAt = formatMs(c.seenMs[slot]!);
  const player = c.player.at(slot);
  const stat = c.stat.at(slot);
  return {
    id: c.id.at(slot),
    sportsbook: book,
    sportsbook_name: table.bookName(book),
    market_type: table.markets.name(c.market[slot]!),
    selection: c.selection.at(slot)!,
    selection_type: c.selectionType.at(slot)!,
    ...(player === null ? {} : { player_name: player }),
    ...(stat === null ? {} : { stat_category: stat }),
    odds_american: c.american[slot]!,
    odds_decimal: roundDecimal(c.decimal[slot]!),
    ...probabilities(c.decimal[slot]!),
    line: Number.isNaN(c.line[slot]!) ? null : c.line[slot]!,
    is_active: isActive(c.activity[slot]!),
    ...(isIndicative(c.activity[slot]!) ? { indicative: true } : {}),
    odds_american_previous: previousPrice(c.activity[slot]!),
    last_seen_at: seenAt,
    timestamp: seenAt,
  };
}
