// The result of an evaluation, as plain numbers in one reused object: the receiver decides whether it is new or
// changed, and only then is an item built from it.
import { BET_KINDS, type BetKind, type DetectionLimits } from '../base/model/opportunity.js';
import { DETECTION_LIMITS, EDGE_NOISE } from './detection-limits.js';
import { HOLD_NOISE } from './maths/arbitrage.js';
import type { WatchedUniverse } from './watched-universe.js';

/** Identifies it within its line (a middle within its market). */
export interface CandidateKey {
  kind: BetKind;
  /** Numbers of the books of its legs in the order of the sides, -1 for unused entries. */
  book1: number;
  book2: number;
  book3: number;
  /** For an EV row, the side of its one leg; for an arbitrage of a back and its lay, the laid side + 1; else 0. */
  side: number;
  /** A middle's two lines, as numbered by market lines; else 0. */
  low: number;
  high: number;
}

/**
 * The numbers that change: if one differs from what was last published, the opportunity changed. By kind:
 *   ev         price; fair probability and push probability; books that quote the selection; profit of the line's
 *   arbitrage
 *   arbitrage  price of each side (0 if there is no third); 0
 *   low_hold   price of each side (0 if there is no third); owners with an opinion
 *   middle     price of each side; centre of the results; probability that both win
 */
export interface Fingerprint {
  first: number;
  second: number;
  third: number;
  fourth: number;
  /** Everything else in the item that may change, combined into one number. */
  folded: number;
}

export interface Candidate extends CandidateKey, Fingerprint {
  /** Percent. */
  edge: number;
  suspicious: boolean;
  /** Its edge rests on a distribution that nobody measured. */
  assumed: boolean;
  /** Columns of its legs in the order of the sides; an EV row has one. */
  readonly columns: number[];
  /** EV: fair probability. Middles: probability that both win. */
  p: number;
  /** EV: push probability. */
  push: number;
  /** The numbers of its rows, and of the reference book's, in one: another row may take the place of one at its price. */
  rowTag: number;
}

/** Whether it is a selection backed at one price and laid at another: two legs of one side. */
export function isLayPair({ kind, side }: CandidateKey): boolean {
  return kind === 'arbitrage' && side > 0;
}

export function emptyCandidate(): Candidate {
  return {
    kind: 'ev',
    book1: -1,
    book2: -1,
    book3: -1,
    side: 0,
    low: 0,
    high: 0,
    first: 0,
    second: 0,
    third: 0,
    fourth: 0,
    folded: 0,
    edge: 0,
    suspicious: false,
    assumed: false,
    columns: [],
    p: 0,
    push: 0,
    rowTag: 0,
  };
}

export function sameKey(a: CandidateKey, b: CandidateKey): boolean {
  return (
    a.kind === b.kind &&
    a.book1 === b.book1 &&
    a.book2 === b.book2 &&
    a.book3 === b.book3 &&
    a.side === b.side &&
    a.low === b.low &&
    a.high === b.high
  );
}

export function copyKey(from: CandidateKey, to: CandidateKey): void {
  to.kind = from.kind;
  to.book1 = from.book1;
  to.book2 = from.book2;
  to.book3 = from.book3;
  to.side = from.side;
  to.low = from.low;
  to.high = from.high;
}

export function sameFingerprint(a: Fingerprint, b: Fingerprint): boolean {
  return (
    a.first === b.first &&
    a.second === b.second &&
    a.third === b.third &&
    a.fourth === b.fourth &&
    a.folded === b.folded
  );
}

export function copyFingerprint(from: Fingerprint, to: Fingerprint): void {
  to.first = from.first;
  to.second = from.second;
  to.third = from.third;
  to.fourth = from.fourth;
  to.folded = from.folded;
}

export interface CandidateSink {
  /** The candidate is valid only during the call. */
  found(universe: WatchedUniverse, candidate: Candidate): void;
}

/** What an evaluation looks for: kinds, and limits as wide as those of its widest universe. */
export interface CandidateLimits extends DetectionLimits {
  kinds: ReadonlySet<BetKind>;
}

export const ALL_KINDS: ReadonlySet<BetKind> = new Set(BET_KINDS);

/** Whether it is only within wider limits than the default ones. */
export function isBeyondUsual({ kind, edge, low, high }: Candidate): boolean {
  switch (kind) {
    case 'ev':
      return edge < DETECTION_LIMITS.minEv - EDGE_NOISE;
    case 'middle':
      return edge < DETECTION_LIMITS.minMiddleEv - EDGE_NOISE || high - low < DETECTION_LIMITS.minMiddleSize;
    case 'low_hold':
      return edge > DETECTION_LIMITS.maxHold + HOLD_NOISE;
    case 'arbitrage':
      return false;
  }
}

const SIDE_FACTOR = 7_919;

/** A row's part of a tag. */
export function tagOf(row: number, side: number): number {
  return (row + 1) * (1 + side * SIDE_FACTOR);
}

/** Numbers in a fingerprint must not depend on the order in which floats were summed. */
export function steady(value: number): number {
  return Math.round(value * 1e9);
}
