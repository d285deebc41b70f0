// The request of a stream: channels, filters, thresholds. Equal subscriptions are one group.

import type { StreamFilter } from '../filter/stream-filter.js';
import { type ChannelName, KIND_WORDS } from '../model/channels.js';
import type { OpportunityKind } from '../model/opportunity.js';
import type { Thresholds } from '../opportunities/stream-source.js';
import { DEFAULT_LIMITS } from '../opportunities/thresholds.js';

export interface Subscription {
  channels: ReadonlySet<ChannelName>;
  filter: StreamFilter;
  thresholds: Thresholds;
  /** US state of deep links, lower case. */
  state: string;
  /** Whether rows of snapshots show their openings. */
  openings: boolean;
}

/** As in WebSocket messages and alert rules. */
export interface StatedThresholds {
  min_ev?: number | undefined;
  min_profit?: number | undefined;
  max_hold?: number | undefined;
  min_size?: number | undefined;
}

/** Those that are not stated are the same as in lists. */
export function thresholdsOf({ min_ev, min_profit, max_hold, min_size }: StatedThresholds): Thresholds {
  return {
    minEv: min_ev ?? DEFAULT_LIMITS.minEv,
    minProfit: min_profit ?? DEFAULT_LIMITS.minProfit,
    maxHold: max_hold ?? DEFAULT_LIMITS.maxHold,
    minSize: min_size ?? DEFAULT_LIMITS.minSize,
  };
}

export function kindsOf(channels: ReadonlySet<ChannelName>): OpportunityKind[] {
  return (Object.keys(KIND_WORDS) as OpportunityKind[]).filter((kind) => channels.has(KIND_WORDS[kind].channel));
}

/** Equal keys get the same bytes. */
export function subscriptionKey({ channels, filter, thresholds, state, openings }: Subscription): string {
  const kinds = kindsOf(channels);
  // What does not affect the bytes must not separate groups.
  const limits = [
    kinds.includes('ev') ? thresholds.minEv : '',
    kinds.includes('arbitrage') ? thresholds.minProfit : '',
    kinds.includes('low_hold') ? thresholds.maxHold : '',
    kinds.includes('middle') ? thresholds.minSize : '',
  ];
  const include = openings && channels.has('odds') ? 'opening' : '';
  return [[...channels].sort().join(','), limits.join(','), state, include, filter.key].join('|');
}
