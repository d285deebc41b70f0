// What an evaluation finds, as plain numbers in one reused object: whoever takes it decides whether it is news, and only
// then is an item built from it.
import { type KeptLimits, OPPORTUNITY_KINDS, type OpportunityKind } from '../model/opportunity.js';
import { EDGE_NOISE, KEPT } from './kept-limits.js';
import type { Universe } from './universe.js';

export interface Candidate {
  kind: OpportunityKind;
  /**
   * What it is, within its line (or group): book numbers of its legs in the order of the sides, -1 behind the last. An EV
   * row has its book and its side.
   */
  a: number;
  b: number;
  c: number;
  /** A middle's two lines, as market lines number them; else 0. */
  x: number;
  y: number;
  /** The numbers that move: prices, probabilities, counts. */
  n0: number;
  n1: number;
  n2: number;
  n3: number;
  /** Whatever else of the item may change, folded into one number. */
  tag: number;
  /** Percent. */
  edge: number;
  suspicious: boolean;
  /** Last seen of the stalest quote it stands on (Unix ms), and a sum over all its quotes. */
  oldestSeenMs: number;
  seenSum: number;
  /** Columns of its legs in the order of the sides; an EV row has one. */
  readonly columns: number[];
  /** EV: fair probability. Middles: chance that both win. */
  p: number;
}

export function emptyCandidate(): Candidate {
  return {
    kind: 'ev',
    a: -1,
    b: -1,
    c: -1,
    x: 0,
    y: 0,
    n0: 0,
    n1: 0,
    n2: 0,
    n3: 0,
    tag: 0,
    edge: 0,
    suspicious: false,
    oldestSeenMs: 0,
    seenSum: 0,
    columns: [],
    p: 0,
  };
}

export interface CandidateSink {
  /** The candidate is valid only during the call. */
  found(universe: Universe, candidate: Candidate): void;
}

/** What an evaluation looks for: its kinds, and limits that let through what any of its universes wants. */
export interface CandidateLimits extends KeptLimits {
  kinds: ReadonlySet<OpportunityKind>;
}

export const ALL_KINDS: ReadonlySet<OpportunityKind> = new Set(OPPORTUNITY_KINDS);

/** Whether it is alive only where more is kept than usual. */
export function isBeyondUsual({ kind, edge, x, y }: Candidate): boolean {
  switch (kind) {
    case 'ev':
      return edge < KEPT.minEv - EDGE_NOISE;
    case 'middle':
      return edge < KEPT.minMiddleEv - EDGE_NOISE || y - x < KEPT.minMiddleSize;
    case 'low_hold':
      return edge > KEPT.maxHold + EDGE_NOISE;
    case 'arbitrage':
      return false;
  }
}

/** Numbers in a signature must not differ by the order in which floats were summed. */
export function steady(value: number): number {
  return Math.round(value * 1e9);
}
