// A book's main line: as near to even money as its steps allow, moved only when necessary.
import type { Ladder } from './ladder.js';

/** A line stays while its probability is within this distance of even. */
const STAY = 0.055;
const TRIES = 40;

export interface LineShape {
  step: number;
  /** True for lines that end in a half. */
  halves: boolean;
}

/** `current` is the present line, NaN for none. */
export function mainLine(ladder: Ladder, current: number, shape: LineShape): number {
  if (!Number.isNaN(current) && Math.abs(ladder.above(current) - 0.5) < STAY) return current;
  const start = Number.isNaN(current) ? nearest(ladder.mean, shape) : current;
  let line = start;
  let above = ladder.above(line);
  // The probability falls as the line rises: step towards even money until it is passed, then take the nearer of the
  // last two.
  const direction = above > 0.5 ? shape.step : -shape.step;
  for (let i = 0; i < TRIES; i++) {
    const next = line + direction;
    const nextAbove = ladder.above(next);
    if (Math.abs(nextAbove - 0.5) >= Math.abs(above - 0.5)) break;
    line = next;
    above = nextAbove;
  }
  return line === 0 ? 0 : line;
}

function nearest(mean: number, { step, halves }: LineShape): number {
  return halves ? Math.floor(mean) + 0.5 : Math.round(mean / step) * step;
}
