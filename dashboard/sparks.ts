// The last hour of each visible game's main markets: one request a game, of one book's history, once; then what the
// board itself sees. Not asked for where the key or the server has no history.
import { OverroundError } from '../src/client/client.js';
import type { Block, Board } from './model/board.js';
import type { Session } from './session.js';

/** Unix ms and the implied probability of the block's first outcome. */
type Point = readonly [atMs: number, value: number];

const HOUR_MS = 3_600_000;
const SAMPLE_MS = 60_000;
const PAUSE_MS = 400;
const BLOCKS_MAX = 600;

export class Sparks {
  readonly #session: Session;
  readonly #board: Board;
  readonly #points = new Map<string, Point[]>();
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
    return this.#points.get(block.key) ?? [];
  }

  /** A sample of each visible block, at most one a minute; and their past, if it was not asked for yet. */
  take(blocks: Iterable<Block>, nowMs: number): void {
    const events = new Set<string>();
    for (const block of blocks) {
      const [first] = this.#board.view(block, nowMs).outcomes;
      const points = this.#points.get(block.key) ?? [];
      const last = points.at(-1);
      if (first?.fair != null && (last === undefined || nowMs - last[0] >= SAMPLE_MS)) {
        while (points.length > 0 && points[0]![0] < nowMs - HOUR_MS) points.shift();
        points.push([nowMs, first.fair]);
        this.#points.set(block.key, points);
      }
      if (!this.#asked.has(block.eventId)) events.add(block.eventId);
    }
    if (this.#points.size > BLOCKS_MAX) this.#points.clear();
    this.#wanted = [...events];
    if (!this.#busy && this.#has) void this.#work();
  }

  async #work(): Promise<void> {
    this.#busy = true;
    for (let id = this.#wanted.shift(); id !== undefined && this.#has; id = this.#wanted.shift()) {
      if (this.#asked.size > BLOCKS_MAX) this.#asked.clear();
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
        // The fair price, which the board itself samples, is not on the same level.
        if (past.length > 1) this.#points.set(block.key, past);
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

/** The points of a polyline in a box; empty below two points. */
export function polyline(points: readonly Point[], nowMs: number, width: number, height: number): string {
  if (points.length < 2) return '';
  const values = points.map(([, value]) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const range = Math.max(high - low, 0.004);
  return points
    .map(([atMs, value]) => {
      const x = Math.max(0, width * (1 - (nowMs - atMs) / HOUR_MS));
      return `${x.toFixed(1)},${(height - 1 - ((value - low) / range) * (height - 2)).toFixed(1)}`;
    })
    .join(' ');
}
