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

/** All that is kept of a row while it stands: an export may have millions of them. */
type Standing = Pick<ExportedLine, 'market' | 'selection'>;

/** The rows of one book in one game. */
interface Listed {
  event: ExportedLine['event'];
  /** By odds id. */
  rows: Map<string, Standing>;
  changedMs: number;
}

/** Prices of one book, game and time are one message, or several of so many. */
export const SELECTIONS_TOGETHER = 200;
/** A server forgets a game so long after its start, if nothing was said of it for so long. */
const FORGOTTEN_MS = { afterStart: 36 * 3_600_000, afterChange: 24 * 3_600_000 };
const LOOK_MS = 3_600_000;

export class ExportedRows {
  readonly #listed = new Map<string, Listed>();
  #lookMs = Number.NEGATIVE_INFINITY;

  /**
   * What one instant (Unix ms, and as text) changed, in the file's order. A row that changed several times within the
   * millisecond is told once: a message has no selection twice.
   */
  messages(atMs: number, polledAt: string, lines: readonly ExportedLine[]): IngestMessage[] {
    this.#forget(atMs);
    const changed = new Map<string, Map<string, ExportedLine>>();
    const whole = new Map<string, ExportedLine>();
    for (const line of lines) {
      const key = keyOf(line);
      const listed = getOrInsert(this.#listed, key, () => ({ event: line.event, rows: new Map(), changedMs: atMs }));
      listed.changedMs = atMs;
      if (!line.isRemoved) {
        listed.rows.set(line.oddsId, { market: line.market, selection: line.selection });
        getOrInsert(changed, key, () => new Map()).set(line.oddsId, line);
      }
      // Of a row that was never told there is nothing to take back.
      else if (listed.rows.delete(line.oddsId)) whole.set(key, line);
    }
    const messages: IngestMessage[] = [];
    const tell = ({ book, isModel, isLive, event }: ExportedLine, scope: 'event' | 'none', rows: Standing[]) => {
      const events = [{ ...event, ...(isLive ? { is_live: true } : {}), markets: marketsOf(rows) }];
      messages.push({ book, ...(isModel ? { kind: 'model' } : {}), polled_at: polledAt, scope, events });
    };
    for (const [key, rows] of changed) {
      if (whole.has(key)) continue;
      const all = [...rows.values()];
      for (let from = 0; from < all.length; from += SELECTIONS_TOGETHER) {
        const some = all.slice(from, from + SELECTIONS_TOGETHER);
        tell(some.at(-1)!, 'none', some);
      }
    }
    for (const [key, line] of whole) tell(line, 'event', [...this.#listed.get(key)!.rows.values()]);
    return messages;
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

function marketsOf(lines: Iterable<Standing>): IngestMarket[] {
  const markets = new Map<string, IngestMarket>();
  for (const { market, selection } of lines) {
    const key = JSON.stringify(market);
    getOrInsert(markets, key, () => ({ ...market, selections: [] })).selections.push(selection);
  }
  return [...markets.values()];
}
