// Universes whose limits are wider than the default ones: separate from the others, as each retains much more.

import { LIMITS } from '../../base/model/limits.js';
import type { DetectionLimits, UniverseSpec } from '../../base/model/opportunity.js';
import { DETECTION_LIMITS } from '../../detection/detection-limits.js';

/** Limits of widened universes are rounded to steps, so that streams with similar limits share one. */
const MIN_EV_STEPS = [-5, -10, -20, -100] as const;
const MAX_HOLD_STEPS = [10, 20, Number.MAX_VALUE] as const;
/** Maximum active opportunities per shard in a widened universe: most prices are within a few percent of fair. */
export const BEYOND_MAX = LIMITS.widenedOpportunities.max;

/** The universe that retains everything within the limits; the given one if it suffices. */
export function widenedSpec(
  spec: UniverseSpec,
  { minEv, minMiddleSize, maxHold }: Partial<DetectionLimits>,
): UniverseSpec {
  const kept: Partial<DetectionLimits> = {};
  if (minEv !== undefined && minEv < DETECTION_LIMITS.minEv)
    kept.minEv = MIN_EV_STEPS.find((step) => step <= minEv) ?? MIN_EV_STEPS.at(-1)!;
  if (minMiddleSize !== undefined && minMiddleSize < DETECTION_LIMITS.minMiddleSize) kept.minMiddleSize = 0;
  if (maxHold !== undefined && maxHold > DETECTION_LIMITS.maxHold)
    kept.maxHold = MAX_HOLD_STEPS.find((step) => step >= maxHold) ?? MAX_HOLD_STEPS.at(-1)!;
  const beyond = Object.entries(kept).map(([name, limit]) => `|${name}=${limit}`);
  return beyond.length === 0 ? spec : { ...spec, key: spec.key + beyond.join(''), kept, beyondMax: BEYOND_MAX };
}
