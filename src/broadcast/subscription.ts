// The request of a stream: channels, filters, thresholds. Equal subscriptions are one group.

import type { Caller } from '../accounts/caller.js';
import type { Thresholds } from '../answers/opportunities/views.js';
import { getOrInsert } from '../base/memory/get-or-insert.js';
import type { OpportunityKind } from '../base/model/opportunity.js';
import { type ChannelName, KIND_WORDS } from '../base/model/stream-channels.js';
import { DEFAULT_LIMITS, stakedOf } from '../detection/kinds/caller-thresholds.js';
import type { StreamFilter } from '../tables/filter/stream-filter.js';

export interface Subscription {
  channels: ReadonlySet<ChannelName>;
  filter: StreamFilter;
  thresholds: Thresholds;
  /** US state of deep links, lower case. */
  state: string;
  /** Whether rows of snapshots show their openings. */
  openings: boolean;
  /** Ticks a second at most; undefined: all. */
  maxHz?: number | undefined;
  /** Whether rows and their changes show their depth. */
  depth: boolean;
  /** Whose use of a universe it is, and whose bets are shown: part of the group's key only with these. */
  caller?: Caller | undefined;
}

/** As in WebSocket messages and alert rules. */
export interface StatedThresholds {
  min_ev?: number | undefined;
  min_profit?: number | undefined;
  max_hold?: number | undefined;
  min_size?: number | undefined;
  min_stake?: number | undefined;
  currency?: string | undefined;
  guaranteed?: boolean | undefined;
  include_assumed?: boolean | undefined;
}

/** Those that are not stated are the same as in lists. */
export function thresholdsOf(stated: StatedThresholds): Thresholds {
  return {
    minEv: stated.min_ev ?? DEFAULT_LIMITS.minEv,
    minProfit: stated.min_profit ?? DEFAULT_LIMITS.minProfit,
    maxHold: stated.max_hold ?? DEFAULT_LIMITS.maxHold,
    minSize: stated.min_size ?? DEFAULT_LIMITS.minSize,
    ...stakedOf(stated),
  };
}

export function kindsOf(channels: ReadonlySet<ChannelName>): OpportunityKind[] {
  return (Object.keys(KIND_WORDS) as OpportunityKind[]).filter((kind) => channels.has(KIND_WORDS[kind].channel));
}

const keys = new WeakMap<Subscription, string>();

/** Equal keys get the same bytes. */
export function subscriptionKey(subscription: Subscription): string {
  const key = getOrInsert(keys, subscription, () => keyOf(subscription));
  return key;
}

function keyOf({ channels, filter, thresholds, state, openings, depth, maxHz, caller }: Subscription): string {
  const kinds = kindsOf(channels);
  // What does not affect the bytes must not separate groups.
  const limits = [
    kinds.includes('ev') ? thresholds.minEv : '',
    kinds.includes('arbitrage') ? thresholds.minProfit : '',
    kinds.includes('low_hold') ? thresholds.maxHold : '',
    kinds.includes('middle') ? thresholds.minSize : '',
    ...(kinds.length > 0 ? [thresholds.minStake, thresholds.currency, thresholds.guaranteed] : []),
    kinds.includes('ev') || kinds.includes('middle') ? thresholds.assumed : '',
  ];
  const include = channels.has('odds') ? `${openings ? 'opening' : ''}${depth ? ' depth' : ''}` : '';
  const owner = channels.has('bets') ? caller?.account : null;
  return JSON.stringify([[...channels].sort(), limits, state, include, maxHz, owner, filter.key]);
}
