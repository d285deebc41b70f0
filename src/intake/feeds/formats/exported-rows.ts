// The rows of an export of history, as they stand from change to change. A removal is said as books say it: by a list of
// all that the book has left in the game.
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
  /** With its price. */
  selection: IngestSelection;
  isRemoved: boolean;
}

/** The price in the form in which the book stated it. */
export function statedPrice(american: number, decimal: number): { odds_american: number } | { odds_decimal: number } {
  return isAmericanStated(american, decimal) ? { odds_american: american } : { odds_decimal: decimal };
}

/** The rows of one book in one game. */
interface Listed {
  event: ExportedLine['event'];
  /** By odds id. */
  rows: Map<string, ExportedLine>;
  changedMs: number;
}

/** A server forgets a game so long after its start, if nothing was said of it for so long. */
const FORGOTTEN_MS = { afterStart: 36 * 3_600_000, afterChange: 24 * 3_600_000 };
const LOOK_MS = 3_600_000;

export class ExportedRows {
  readonly #listed = new Map<string, Listed>();
  #lookMs = Number.NEGATIVE_INFINITY;

  /** What one instant (Unix ms, and as text) changed, in the file's order: one message a book, two where rows went. */
  messages(atMs: number, polledAt: string, lines: readonly ExportedLine[]): IngestMessage[] {
    this.#forget(atMs);
    const whole = new Map<string, ExportedLine>();
    for (const line of lines) {
      const key = keyOf(line);
      const listed = getOrInsert(this.#listed, key, () => ({ event: line.event, rows: new Map(), changedMs: atMs }));
      listed.changedMs = atMs;
      if (!line.isRemoved) listed.rows.set(line.oddsId, line);
      // Of a row that was never told there is nothing to take back.
      else if (listed.rows.delete(line.oddsId)) whole.set(key, line);
    }
    const messages = new Map<string, IngestMessage & { events: IngestEvent[] }>();
    const add = ({ book, isModel, isLive, event }: ExportedLine, scope: 'event' | 'none', markets: IngestMarket[]) => {
      const kind = isModel ? { kind: 'model' as const } : {};
      const message = getOrInsert(messages, `${scope} ${isModel} ${book}`, () => ({
        ...{ book, ...kind, polled_at: polledAt, scope, events: [] },
      }));
      message.events.push({ ...event, ...(isLive ? { is_live: true } : {}), markets });
    };
    for (const line of lines)
      if (!line.isRemoved && !whole.has(keyOf(line)))
        add(line, 'none', [{ ...line.market, selections: [line.selection] }]);
    for (const [key, line] of whole) add(line, 'event', marketsOf(this.#listed.get(key)!.rows.values()));
    return [...messages.values()];
  }

  #forget(atMs: number): void {
    if (atMs < this.#lookMs) return;
    this.#lookMs = atMs + LOOK_MS;
    for (const [key, { event, changedMs }] of this.#listed) {
      const startMs = Date.parse(String(event.start_time));
      if (startMs + FORGOTTEN_MS.afterStart < atMs && changedMs + FORGOTTEN_MS.afterChange < atMs)
        this.#listed.delete(key);
    }
  }
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
