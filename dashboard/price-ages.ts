// When the server last saw the prices: streams send changes, and an unchanged price is as good as its newest poll. Asked
// for prices that would soon count as too old and are visible, of them the oldest first.
import type { Block, Board } from './model/board.js';
import type { Session } from './session.js';

/** What one turn requests. */
const TURN = { events: 8, pages: 4, pageRows: 200 };
/** Where few requests are allowed, one of them a minute is for this. */
const TIGHT = { pages: 1, restMs: 60_000 };
/** Asked for from this part of the time on after which a price is too old. */
const FROM = 0.4;
const FRESH_MS = { live: 60_000, prematch: 300_000 };

export class PriceAges {
  readonly #session: Session;
  readonly #board: Board;
  #busy = false;
  #askedMs = Number.NEGATIVE_INFINITY;

  constructor(session: Session, board: Board) {
    this.#session = session;
    this.#board = board;
  }

  /** True if something was learned. */
  async ask(visible: Iterable<Block>): Promise<boolean> {
    if (this.#busy || document.hidden) return false;
    const { isTight } = this.#session;
    if (isTight && performance.now() - this.#askedMs < TIGHT.restMs) return false;
    const due = this.#due(visible);
    if (due.length === 0) return false;
    this.#busy = true;
    this.#askedMs = performance.now();
    try {
      await this.#ask(due, isTight ? TIGHT.pages : TURN.pages);
      return true;
    } catch {
      // Ages are not confirmed then, and prices become stale: the next turn tries again.
      return false;
    } finally {
      this.#busy = false;
    }
  }

  /** Blocks with a price that needs it, the most urgent first. */
  #due(visible: Iterable<Block>): Block[] {
    const nowMs = this.#session.clock.now();
    const urgency = new Map<Block, number>();
    for (const block of visible) {
      const freshMs = block.isLive ? FRESH_MS.live : FRESH_MS.prematch;
      for (const row of block.rows.values()) {
        const part = (nowMs - this.#board.lastSeenMs(row)) / freshMs;
        if (row.is_active && part > (urgency.get(block) ?? FROM)) urgency.set(block, part);
      }
    }
    return [...urgency].sort(([, a], [, b]) => b - a).map(([block]) => block);
  }

  async #ask(due: readonly Block[], pages: number): Promise<void> {
    const events = [...new Set(due.map(({ eventId }) => eventId))].slice(0, TURN.events);
    const asked = due.filter(({ eventId }) => events.includes(eventId));
    let cursor: string | undefined;
    for (let page = 0; page < pages; page++) {
      const answer = await this.#session.client.odds({
        event: events,
        market: [...new Set(asked.map(({ market }) => market))],
        fields: 'id,last_seen_at',
        limit: TURN.pageRows,
        cursor,
      });
      for (const { id, last_seen_at } of answer.data) this.#board.seenAt(id, Date.parse(last_seen_at));
      cursor = answer.pagination.next_cursor;
      if (cursor === undefined) return;
    }
  }
}
