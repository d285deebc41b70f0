// A backtest's results by kind: number, value and duration.
import { BET_KINDS, type BetKind } from '../../base/model/opportunity.js';

export interface KindSummary {
  kind: BetKind;
  count: number;
  /** Percent; the best of each opportunity. */
  meanEdge: number;
  maxEdge: number;
  /** Seconds from first detection to expiry, or to the end of the recording. */
  meanLifeSeconds: number;
  maxLifeSeconds: number;
}

export class SummaryBuilder {
  readonly #edges = new Map<BetKind, number[]>(BET_KINDS.map((kind) => [kind, []]));
  readonly #lives = new Map<BetKind, number[]>(BET_KINDS.map((kind) => [kind, []]));

  add(kind: BetKind, edge: number, lifeSeconds: number): void {
    this.#edges.get(kind)!.push(edge);
    this.#lives.get(kind)!.push(lifeSeconds);
  }

  build(): KindSummary[] {
    return BET_KINDS.map((kind) => {
      const edges = this.#edges.get(kind)!;
      const lives = this.#lives.get(kind)!;
      return {
        kind,
        count: edges.length,
        meanEdge: mean(edges),
        maxEdge: most(edges),
        meanLifeSeconds: mean(lives),
        maxLifeSeconds: most(lives),
      };
    });
  }
}

function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? 0 : sum / values.length;
}

function most(values: readonly number[]): number {
  let max = 0;
  for (const value of values) max = Math.max(max, value);
  return max;
}

const COLUMNS = ['kind', 'count', 'mean edge %', 'max edge %', 'mean life s', 'max life s'];

/** A table in columns of equal width, for a terminal. */
export function summaryTable(summaries: readonly KindSummary[]): string {
  const rows = summaries.map((one) => [
    one.kind,
    String(one.count),
    one.meanEdge.toFixed(2),
    one.maxEdge.toFixed(2),
    one.meanLifeSeconds.toFixed(0),
    one.maxLifeSeconds.toFixed(0),
  ]);
  const widths = COLUMNS.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ');
  return [line(COLUMNS), ...rows.map(line)].map((text) => `${text}\n`).join('');
}
