// When the server last saw the prices of the opportunities that are looked at: a poll that shows the same price sends
// nothing, so that what was sent with them is too old soon. Asked for as the board does.
import type { OpportunityItem } from '../src/client/client.js';
import type { OpportunityRow } from './model/opportunity-rows.js';
import { ageOf } from './model/opportunity-rows.js';
import type { Session } from './session.js';

const EVERY_MS = 15_000;
/** What one turn asks. */
const TURN = { rows: 40, events: 24, pages: 3, pageRows: 200 };
const KNOWN_MAX = 5_000;

export class OpportunityAges {
  readonly #session: Session;
  readonly #changed: () => void;
  readonly #receivedMs: (item: OpportunityItem) => number | undefined;
  /** Id of a price → Unix ms of the newest poll known to have shown it. */
  readonly #seen = new Map<string, number>();
  #busy = false;

  /**
   * @param rows those that are looked at; none while they are not shown
   * @param receivedMs when an opportunity came, Unix ms
   */
  constructor(
    session: Session,
    rows: () => readonly OpportunityRow[],
    receivedMs: (item: OpportunityItem) => number | undefined,
    changed: () => void,
  ) {
    this.#session = session;
    this.#receivedMs = receivedMs;
    this.#changed = changed;
    setInterval(() => void this.#ask(rows().slice(0, TURN.rows)), EVERY_MS);
  }

  /** Age of the oldest price in it, ms. */
  of({ item, play }: OpportunityRow): number {
    const nowMs = this.#session.clock.now();
    const statedMs = (this.#receivedMs(item) ?? nowMs) - ageOf(item) * 1_000;
    const seen = play.legs.map(({ oddsId }) => (oddsId === null ? undefined : this.#seen.get(oddsId)));
    const known = seen.every((ms) => ms !== undefined) ? Math.min(...(seen as number[])) : statedMs;
    return nowMs - Math.max(statedMs, known);
  }

  async #ask(rows: readonly OpportunityRow[]): Promise<void> {
    if (this.#busy || rows.length === 0 || document.hidden || this.#session.isTight) return;
    this.#busy = true;
    const all = (of: (row: OpportunityRow) => string[]): string[] => [...new Set(rows.flatMap(of))];
    try {
      let cursor: string | undefined;
      for (let page = 0; page < TURN.pages; page++) {
        const { data, pagination } = await this.#session.client.odds({
          event: all(({ item }) => [item.event_id]).slice(0, TURN.events),
          market: all(({ item }) => [item.market_type]),
          sportsbook: all(({ play }) => play.legs.flatMap(({ books }) => books)),
          fields: 'id,last_seen_at',
          limit: TURN.pageRows,
          cursor,
        });
        if (this.#seen.size > KNOWN_MAX) this.#seen.clear();
        for (const { id, last_seen_at } of data) this.#seen.set(id, Date.parse(last_seen_at));
        cursor = pagination.next_cursor;
        if (cursor === undefined) break;
      }
      this.#changed();
    } catch {
      // Ages grow then as if nothing was seen: the next turn asks again.
    } finally {
      this.#busy = false;
    }
  }
}
