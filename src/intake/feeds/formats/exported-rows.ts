// The lines of an export of history as messages: what changed, and what was removed.
import { getOrInsert } from '../../../base/memory/get-or-insert.js';
import { isAmericanStated } from '../../../base/model/price.js';
import type { IngestEvent, IngestMarket, IngestMessage, IngestSelection } from '../../ingest/message.js';

/** What a line of an export says. */
export interface ExportedLine {
  oddsId: string;
  eventId: string;
  book: string;
  isModel: boolean;
  isLive: boolean;
  /** The game alone. */
  event: Omit<IngestEvent, 'markets' | 'is_live'>;
  market: Omit<IngestMarket, 'selections'>;
  /** With its price, or that it is removed. */
  selection: IngestSelection;
}

/** The price in the form in which the book stated it. */
export function statedPrice(american: number, decimal: number): { odds_american: number } | { odds_decimal: number } {
  return isAmericanStated(american, decimal) ? { odds_american: american } : { odds_decimal: decimal };
}

/** Prices of one book, game and time are one message, or several of so many. */
export const SELECTIONS_TOGETHER = 200;

/**
 * What one instant changed, in the file's order. A row that changed several times within the millisecond is told once: a
 * message has no selection twice.
 */
export function exportedMessages(polledAt: string, lines: readonly ExportedLine[]): IngestMessage[] {
  const changed = new Map<string, Map<string, ExportedLine>>();
  for (const line of lines) getOrInsert(changed, keyOf(line), () => new Map()).set(line.oddsId, line);
  const messages: IngestMessage[] = [];
  for (const rows of changed.values()) {
    const all = [...rows.values()];
    for (let from = 0; from < all.length; from += SELECTIONS_TOGETHER) {
      const some = all.slice(from, from + SELECTIONS_TOGETHER);
      const { book, isModel, isLive, event } = some.at(-1)!;
      const events = [{ ...event, ...(isLive ? { is_live: true } : {}), markets: marketsOf(some) }];
      messages.push({ book, ...(isModel ? { kind: 'model' } : {}), polled_at: polledAt, scope: 'none', events });
    }
  }
  return messages;
}

function keyOf({ book, isModel, eventId }: ExportedLine): string {
  return `${isModel} ${book} ${eventId}`;
}

function marketsOf(lines: Iterable<ExportedLine>): IngestMarket[] {
  const markets = new Map<string, IngestMarket>();
  for (const { market, selection } of lines) {
    const key = JSON.stringify(market);
    getOrInsert(markets, key, () => ({ ...market, selections: [] })).selections.push(selection);
  }
  return [...markets.values()];
}
