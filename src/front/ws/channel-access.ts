// Which channels a key may subscribe to: the tiers' features in the terms of the streams.
import type { KeyRecord } from '../../accounts/key-record.js';
import { FEATURE_TIERS, type Feature, hasFeature, tierAtLeast } from '../../catalogue/tiers.js';
import type { ChannelName } from '../../model/channels.js';
import { ApiError } from '../../model/errors.js';
import { viewerHasChannel } from '../http/viewer-access.js';

const NEEDS: Record<ChannelName, Feature | null> = {
  odds: null,
  ev: 'ev',
  arbitrage: 'arbitrage',
  middles: 'middles',
  low_hold: 'low_hold',
  moves: 'moves',
  gamestate: 'game_state',
};

const OPPORTUNITY_CHANNELS = ['ev', 'arbitrage', 'middles', 'low_hold'] as const;

export function maySubscribe(key: KeyRecord, channel: ChannelName): boolean {
  const need = NEEDS[channel];
  if (!viewerHasChannel(key.viewer, channel)) return false;
  return need === null || hasFeature(key, need);
}

/** All opportunity channels a key may subscribe to; moves are requested by name. */
export function opportunityChannels(key: KeyRecord): ChannelName[] {
  return OPPORTUNITY_CHANNELS.filter((channel) => maySubscribe(key, channel));
}

/** Throws tier_restricted, or forbidden if the tier is high enough and only the feature is missing. */
export function checkChannel(key: KeyRecord, channel: ChannelName): void {
  if (!viewerHasChannel(key.viewer, channel))
    throw new ApiError('forbidden', `channel ${channel}: the viewer token does not have it`);
  const need = NEEDS[channel];
  if (need === null || hasFeature(key, need)) return;
  const tier = FEATURE_TIERS[need];
  if (tierAtLeast(key.tier, tier))
    throw new ApiError('forbidden', `channel ${channel}: the key does not have the feature ${need}`);
  throw new ApiError('tier_restricted', `channel ${channel} needs the ${tier} tier`, { tier });
}
