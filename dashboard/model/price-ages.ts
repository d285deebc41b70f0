// When the server last saw the prices: streams send changes, and an unchanged price is as good as its newest poll. Asked
// for prices that would soon count as too old and are visible, of them the oldest first.
import type { OverroundClient } from '../../src/client/client.js';
import type { Block, Board } from './board.js';

/** What one turn requests. */
const TURN = { events: 40, pages: 4 };
/** The most that a page may have. */
const PAGE = 500;
/** Where few requests are allowed, one of them a minute is for this. */
const TIGHT = { pages: 1, restMs: 60_000 };
/** Asked for from this part of the time on after which a price is too old. */
const FROM = 0.4;
const FRESH_MS = { live: 60_000, prematch: 300_000 };

export interface AgesSession {
  readonly client: Pick<OverroundClient, 'odds'>;
  readonly clock: { now(): number };
  readonly isTight: boolean;
}

export class PriceAges {
  readonly #session: AgesSession;
  readonly #board: Board;
  #busy = false;
  #askedMs = Number.NEGATIVE_INFINITY;

  constructor(session: AgesSession, board: Board) {
    this.#session = session;
    this.#board = board;
  }

  /** True if something was learned. */
  async ask(visible: Iterable<Block>): Promise<boolean> {
    if (this.#busy) return false;
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

  /**
   * As many of these as the pages have room for: of a game that is asked for in part the rest would be as urgent again, and
   * nothing after it be asked for.
   */
  #chosen(due: readonly Block[], room: number): { events: Set<string>; markets: Set<string> } {
    let chosen = { events: new Set<string>(), markets: new Set<string>() };
    for (const { eventId, market } of due) {
      const more = { events: new Set([...chosen.events, eventId]), markets: new Set([...chosen.markets, market]) };
      if (more.events.size > TURN.events) break;
      if (more.events.size === chosen.events.size && more.markets.size === chosen.markets.size) continue;
      let rows = 0;
      for (const block of this.#board.blocks.values())
        if (more.events.has(block.eventId) && more.markets.has(block.market)) rows += block.rows.size;
      if (rows > room && chosen.events.size > 0) break;
      chosen = more;
    }
    return chosen;
  }

  async #ask(due: readonly Block[], pages: number): Promise<void> {
    const { events, markets } = this.#chosen(due, pages * PAGE);
    let cursor: string | undefined;
    for (let page = 0; page < pages; page++) {
      const answer = await this.#session.client.odds({
        event: [...events],
        market: [...markets],
        fields: 'id,last_seen_at',
        limit: PAGE,
        cursor,
      });
      for (const { id, last_seen_at } of answer.data) this.#board.seenAt(id, Date.parse(last_seen_at));
      cursor = answer.pagination.next_cursor;
      if (cursor === undefined) return;
    }
  }
}
