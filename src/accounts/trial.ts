// The streaming trial of a key as shown to callers: in /account and in the `connected` event of its streams.

import { formatMs } from '../base/model/time.js';
import { streamingEndMs, TIER_RULES } from '../rules/catalogue/tiers.js';
import type { KeyRecord } from './key-record.js';

export interface StreamingTrial {
  active: boolean;
  /** RFC 3339, UTC. */
  expires_at: string;
  /** Two decimals; 0 once it has ended. */
  remaining_hours: number;
  /** Maximum number of open streams while it is active. */
  max_streams: number;
}

/** Undefined if the key has no trial, or needs none because its tier or add-on includes streaming. */
export function trialOf(key: KeyRecord, nowMs: number): StreamingTrial | undefined {
  const { trialEndsAt } = key;
  if (trialEndsAt === undefined || streamingEndMs(key) === Number.POSITIVE_INFINITY) return undefined;
  const leftMs = Math.max(0, trialEndsAt - nowMs);
  return {
    active: leftMs > 0,
    expires_at: formatMs(trialEndsAt),
    remaining_hours: Math.round(leftMs / 36_000) / 100,
    max_streams: key.maxStreams ?? TIER_RULES[key.tier].maxStreams,
  };
}
