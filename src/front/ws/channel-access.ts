// Which channels a key may hear: the tiers' features in the words of the streams.
import type { KeyRecord } from '../../accounts/key-record.js';
import { type Feature, hasFeature, tierAtLeast } from '../../accounts/tiers.js';
import type { ChannelName } from '../../broadcast/channels.js';
import type { Tier } from '../../catalogue/types.js';
import { ApiError } from '../../errors.js';

const NEEDS: Record<ChannelName, { feature: Feature; tier: Tier } | null> = {
  odds: null,
  ev: { feature: 'ev', tier: 'pro' },
  arbitrage: { feature: 'arbitrage', tier: 'hobby' },
  middles: { feature: 'middles', tier: 'pro' },
  low_hold: { feature: 'low_hold', tier: 'pro' },
  gamestate: { feature: 'game_state', tier: 'enterprise' },
};

const OPPORTUNITY_CHANNELS = ['ev', 'arbitrage', 'middles', 'low_hold'] as const;

export function mayHear(key: KeyRecord, channel: ChannelName): boolean {
  const need = NEEDS[channel];
  return need === null || hasFeature(key, need.feature);
}

/** The opportunities a key may hear of at all. */
export function opportunityChannels(key: KeyRecord): ChannelName[] {
  return OPPORTUNITY_CHANNELS.filter((channel) => mayHear(key, channel));
}

/** Throws tier_restricted, or forbidden where the tier is high enough and only the feature is missing. */
export function checkChannel(key: KeyRecord, channel: ChannelName): void {
  const need = NEEDS[channel];
  if (need === null || hasFeature(key, need.feature)) return;
  if (tierAtLeast(key.tier, need.tier))
    throw new ApiError('forbidden', `channel ${channel}: the key does not have the feature ${need.feature}`);
  throw new ApiError('tier_restricted', `channel ${channel} needs the ${need.tier} tier`, { tier: need.tier });
}
