// Asks for the last hour of each visible game's main markets: one request a game, of one book's history, once. Not where
// the key or the server has no history.
import { OverroundError } from '../src/client/client.js';
import type { Block, Board } from './model/board.js';
import { HOUR_MS, type Point, SparkPoints } from './model/spark-points.js';
import type { Session } from './session.js';

const PAUSE_MS = 400;
const EVENTS_MAX = 600;

export class Sparks {
  readonly #session: Session;
  readonly #board: Board;
  readonly #points = new SparkPoints();
  readonly #asked = new Set<string>();
  #wanted: string[] = [];
  #busy = false;
  #has: boolean;

  constructor(session: Session, board: Board) {
    this.#session = session;
    this.#board = board;
    this.#has = !session.isTight;
  }

  of(block: Block): readonly Point[] {
    return this.#points.of(block.key);
  }

  /** A sample of each visible block; and their past, if it was not asked for yet. */
  take(blocks: Iterable<Block>, nowMs: number): void {
    const events = new Set<string>();
    for (const block of blocks) {
      this.#points.sample(block.key, this.#board.view(block, nowMs).outcomes[0], nowMs);
      if (!this.#asked.has(block.eventId)) events.add(block.eventId);
    }
    this.#wanted = [...events];
    if (!this.#busy && this.#has) void this.#work();
  }

  async #work(): Promise<void> {
    this.#busy = true;
    for (let id = this.#wanted.shift(); id !== undefined && this.#has; id = this.#wanted.shift()) {
      if (this.#asked.size > EVENTS_MAX) this.#asked.clear();
      this.#asked.add(id);
      await this.#ask(id);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    this.#busy = false;
  }

  async #ask(event: string): Promise<void> {
    const blocks = [...this.#board.blocks.values()].filter(({ eventId }) => eventId === event);
    const book = this.#bookOf(blocks);
    if (book === undefined) return;
    try {
      const { data } = await this.#session.client.oddsHistory(
        {
          event,
          market: [...new Set(blocks.map(({ market }) => market))],
          sportsbook: book,
          from: new Date(this.#session.clock.now() - HOUR_MS).toISOString(),
          limit: 1_000,
        },
        { retries: 0 },
      );
      for (const block of blocks) {
        const type = this.#board.view(block, this.#session.clock.now()).outcomes[0]?.type;
        const row = data.find(
          ({ market_type, selection_type, is_alternate_line }) =>
            market_type === block.market && selection_type === type && !is_alternate_line,
        );
        const past = (row?.points ?? []).flatMap((point): Point[] =>
          'odds_decimal' in point && point.is_active ? [[Date.parse(point.at), 1 / point.odds_decimal]] : [],
        );
        this.#points.takePast(block.key, book, past);
      }
    } catch (error) {
      // Below the tier, or a server without history: never requested again.
      if (error instanceof OverroundError && error.status < 429) this.#has = false;
    }
  }

  /** The sharpest book that prices them. */
  #bookOf(blocks: readonly Block[]): string | undefined {
    const ids = new Set(blocks.flatMap(({ rows }) => [...rows.values()].map(({ sportsbook }) => sportsbook)));
    return this.#session.columns([], ids)[0]?.id;
  }
}
