// The default limits of detection, and how a universe's own limits widen them.

import type { DetectionLimits, UniverseSpec } from '../base/model/opportunity.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';

/**
 * Everything that could pass a caller's default thresholds; thresholds themselves are applied where callers are known.
 * Most markets have a hold below twenty percent across many books: retaining them all would cost more than the rest
 * together.
 */
export const DETECTION_LIMITS: DetectionLimits = { minEv: 0, minMiddleEv: 0, minMiddleSize: 0.5, maxHold: 5 };

/** Float noise of sums of products: an edge this little below a limit still meets it. */
export const EDGE_NOISE = 1e-9;

/** Whatever passes one of the limits passes these. */
export function widest(limits: readonly DetectionLimits[]): DetectionLimits {
  return {
    minEv: Math.min(...limits.map(({ minEv }) => minEv)),
    minMiddleEv: Math.min(...limits.map(({ minMiddleEv }) => minMiddleEv)),
    minMiddleSize: Math.min(...limits.map(({ minMiddleSize }) => minMiddleSize)),
    maxHold: Math.max(...limits.map(({ maxHold }) => maxHold)),
  };
}

/** The given limits, and KEPT's where none is given or KEPT's are wider. */
export function widened(limits: Partial<DetectionLimits> = {}): DetectionLimits {
  return widest([DETECTION_LIMITS, { ...DETECTION_LIMITS, ...limits }]);
}

// The universes every shard watches from its start: the books of the tiers that see opportunities, every book last.

/**
 * From Sharp up a caller sees every book, listed or not: `sharp` is Enterprise's universe too. Lower tiers see no
 * moves.
 */
export function startUniverses(catalogue: Catalogue): UniverseSpec[] {
  return [
    { key: 'hobby', books: catalogue.tierBooks('hobby'), moves: false },
    { key: 'pro', books: catalogue.tierBooks('pro'), moves: false },
    { key: 'sharp', books: null },
  ];
}
