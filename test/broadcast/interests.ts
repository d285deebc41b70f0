// Subscriptions of test clients, from a query's parameters.

import type { ChannelName } from '../../src/base/model/stream-channels.js';
import { type Subscription, thresholdsOf } from '../../src/broadcast/subscription.js';
import { StreamFilter, type StreamParams } from '../../src/tables/filter/stream-filter.js';
import { universeOf } from '../../src/tables/filter/universe.js';
import type { World } from './world.js';

export type FilterWords = StreamParams & { sportsbook?: string; include?: 'depth' };

export function interestOf(
  world: World,
  words: FilterWords = {},
  channels: readonly ChannelName[] = ['odds'],
  state = 'pa',
): Subscription {
  const { table, catalogue } = world;
  const universe = universeOf(catalogue, 'enterprise', words.sportsbook, () => false);
  return {
    channels: new Set(channels),
    filter: new StreamFilter(table, catalogue, universe, words),
    thresholds: thresholdsOf({}),
    state,
    openings: false,
    depth: words.include === 'depth',
  };
}
