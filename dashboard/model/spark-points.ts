// The last hour of each game's main markets: what history told of one book, then the same book's prices as the board sees
// them; without history the fair ones.
import type { OutcomeView } from './block.js';

/** Unix ms, and an implied or fair probability. */
export type Point = readonly [atMs: number, value: number];

export const HOUR_MS = 3_600_000;
const SAMPLE_MS = 60_000;
const BLOCKS_MAX = 600;

export class SparkPoints {
  readonly #points = new Map<string, Point[]>();
  /** By block, the book whose past is in its points: fair prices are on another level. */
  readonly #books = new Map<string, string>();

  of(block: string): readonly Point[] {
    return this.#points.get(block) ?? [];
  }

  /** At most one a minute. @param first outcome of the block */
  sample(block: string, first: OutcomeView | undefined, nowMs: number): void {
    const points = this.#points.get(block) ?? [];
    const last = points.at(-1);
    const value = first === undefined ? null : this.#valueOf(block, first);
    if (value === null || (last !== undefined && nowMs - last[0] < SAMPLE_MS)) return;
    while (points.length > 0 && points[0]![0] < nowMs - HOUR_MS) points.shift();
    points.push([nowMs, value]);
    if (points.length === 1 && this.#points.size >= BLOCKS_MAX) {
      this.#points.clear();
      this.#books.clear();
    }
    this.#points.set(block, points);
  }

  #valueOf(block: string, { fair, cells }: OutcomeView): number | null {
    const book = this.#books.get(block);
    if (book === undefined) return fair;
    const cell = cells.get(book);
    return cell?.state === 'open' ? 1 / cell.row.odds_decimal : null;
  }

  /** What history has of the first outcome at one book. */
  takePast(block: string, book: string, past: Point[]): void {
    if (past.length < 2) return;
    this.#points.set(block, past);
    this.#books.set(block, book);
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
