// When the server last saw the prices: streams send changes, and an unchanged price is as good as its newest poll.
// Requested in rotation, visible events first.
import type { Board } from './model/board.js';
import type { Session } from './session.js';

/** What one turn requests. */
const TURN = { events: 40, pages: 3, pageRows: 200 };

export class PriceAges {
  readonly #session: Session;
  readonly #board: Board;
  #turn = 0;
  #busy = false;

  constructor(session: Session, board: Board) {
    this.#session = session;
    this.#board = board;
  }

  /** @param visible ids of the visible events */
  async ask(visible: readonly string[], markets: readonly string[]): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      await this.#ask([...new Set(visible)], markets);
    } catch {
      // Ages are not confirmed then, and prices become stale: the next turn tries again.
    } finally {
      this.#busy = false;
    }
  }

  async #ask(visible: readonly string[], markets: readonly string[]): Promise<void> {
    const all = [...new Set([...this.#board.blocks.values()].map(({ eventId }) => eventId))];
    const others = all.filter((id) => !visible.includes(id));
    const room = Math.max(5, TURN.events - visible.length);
    const begin = others.length === 0 ? 0 : this.#turn % others.length;
    const asked = [...visible.slice(0, TURN.events), ...others.slice(begin, begin + room)];
    this.#turn = begin + room >= others.length ? 0 : begin + room;
    if (asked.length === 0) return;
    for (let page = 0; page < (this.#session.isTight ? 1 : TURN.pages); page++) {
      const answer = await this.#session.client.bestOdds({
        event: asked.join(),
        market: markets.join(),
        limit: TURN.pageRows,
        offset: page * TURN.pageRows,
      });
      for (const { all_books } of answer.data)
        for (const { odds_id, last_seen_at } of all_books) this.#board.seenAt(odds_id, Date.parse(last_seen_at));
      if (!answer.pagination.has_more) return;
    }
  }
}
