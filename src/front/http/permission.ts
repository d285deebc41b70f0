// What a route requires of its caller's key, beyond having one.
import type { KeyRecord } from '../../accounts/key-record.js';
import { trialOf } from '../../accounts/trial.js';
import { hasFeature, mayStream, tierAtLeast } from '../../catalogue/tiers.js';
import type { Tier } from '../../catalogue/types.js';
import { noHistory } from '../../history/source.js';
import { ApiError } from '../../model/errors.js';
import type { Route } from './context.js';
import { checkViewer } from './viewer-access.js';

/** Throws ApiError: `tier_restricted` if the tier is too low, `forbidden` if only a feature or scope is missing. */
export function checkPermission(route: Route, key: KeyRecord, nowMs: number): void {
  checkViewer(route, key);
  if (route.minTier !== undefined && !tierAtLeast(key.tier, route.minTier)) {
    throw new ApiError('tier_restricted', `this needs the ${route.minTier} tier; the key has ${key.tier}`, {
      tier: route.minTier,
    });
  }
  if (route.streaming) checkStreaming(key, nowMs);
  if (route.feature !== undefined && !hasFeature(key, route.feature)) {
    throw new ApiError('forbidden', `the key does not have the feature ${route.feature}`);
  }
  if (route.scope !== undefined && !key.scopes.includes(route.scope)) {
    throw new ApiError('forbidden', `the key does not have the scope ${route.scope}`);
  }
}

/**
 * Throws ApiError unless openings can be shown: `not_found` if the server stores no history (`hasHistory` is false),
 * `tier_restricted` if the tier is too low.
 */
export function checkOpenings(hasHistory: boolean, tier: Tier): void {
  if (!hasHistory) throw noHistory();
  if (!tierAtLeast(tier, 'pro'))
    throw new ApiError('tier_restricted', 'include=opening needs the pro tier', { tier: 'pro' });
}

/** Throws ApiError unless the key may open streams. */
export function checkStreaming(key: KeyRecord, nowMs: number): void {
  if (key.tier === 'free') {
    throw new ApiError('tier_restricted', 'streams need a paid tier', { tier: 'hobby' });
  }
  if (mayStream(key, nowMs)) return;
  const trial = trialOf(key, nowMs);
  const why = trial === undefined ? '' : `: its streaming trial ended at ${trial.expires_at}`;
  throw new ApiError('forbidden', `the key does not have the streaming add-on${why}`);
}
