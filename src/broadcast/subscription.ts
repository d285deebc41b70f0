// The request of a stream: channels, filters, thresholds. Equal subscriptions are one group.

import type { Static } from 'typebox';
import type { Caller } from '../accounts/key-record.js';
import { type Names, viewerNames } from '../accounts/viewer-access.js';
import type { Viewer } from '../accounts/viewer-tokens.js';
import type { Thresholds } from '../answers/opportunities/views.js';
import { getOrInsert } from '../base/memory/get-or-insert.js';
import { ApiError } from '../base/model/errors.js';
import type { OpportunityKind } from '../base/model/opportunity.js';
import { present } from '../base/model/present.js';
import { CHANNEL_WORDS, type ChannelName, type ChannelWord, KIND_WORDS } from '../base/model/stream-channels.js';
import { DEFAULT_LIMITS, stakedOf } from '../detection/kinds/caller-thresholds.js';
import type { StreamQuery, SubscribeFilters } from '../schema/stream.js';
import type { FilterEcho, StreamFilter } from '../tables/filter/stream-filter.js';
import { splitList } from '../tables/filter/universe.js';

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

// What a caller asks of a stream: SSE's parameters, WebSocket's and its messages all become this one form.

export interface StreamRequest {
  channels: readonly ChannelWord[];
  filters: SubscribeFilters;
}

/** Filters that are lists, by their names in queries. */
const LISTS = {
  sport: 'sports',
  league: 'leagues',
  sportsbook: 'sportsbooks',
  market: 'markets',
  event: 'eventIds',
} as const;
const LIST_NAMES = Object.keys(LISTS) as (keyof typeof LISTS)[];

type Query = Omit<Static<typeof StreamQuery>, 'channel' | 'resume'>;
type FilterQuery = { [Name in keyof Query]?: Query[Name] | undefined };

/** The filters of a query. Throws ApiError for a list without a name in it: to ignore it would widen the stream. */
export function filtersOf(query: FilterQuery): SubscribeFilters {
  const filters: SubscribeFilters = {};
  for (const name of LIST_NAMES) {
    const text = query[name];
    if (text === undefined) continue;
    const names = splitList(text);
    if (names.length === 0) throw new ApiError('invalid_request', `${name} has no name in it`);
    filters[LISTS[name]] = names;
  }
  const { event: _e, sport: _s, league: _l, sportsbook: _b, market: _m, ...others } = query;
  return { ...filters, ...present(others) };
}

/** Throws ApiError if more is requested than a viewer token allows. */
export function restricted(names: Names, filters: SubscribeFilters, viewer: Viewer | undefined): SubscribeFilters {
  if (viewer === undefined) return filters;
  const narrowed: SubscribeFilters = { ...filters };
  for (const name of LIST_NAMES) {
    const allowed = viewerNames(names, viewer, name, filters[LISTS[name]]);
    if (allowed !== undefined) narrowed[LISTS[name]] = [...allowed];
  }
  return narrowed;
}

/** The filters in effect: lists with their names resolved, everything else as requested. */
export function appliedFilters(filters: SubscribeFilters, applied: FilterEcho): SubscribeFilters {
  const { sports: _s, leagues: _l, sportsbooks: _b, markets: _m, eventIds: _e, ...others } = filters;
  const lists: SubscribeFilters = {};
  for (const name of LIST_NAMES) if (applied[name] !== null) lists[LISTS[name]] = applied[name];
  return { ...lists, ...others };
}

/** Throws ApiError for an unknown channel. */
export function channelsIn(text: string): ChannelWord[] {
  const names = splitList(text);
  const known: readonly string[] = CHANNEL_WORDS;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new ApiError('invalid_request', `channels: unknown ${unknown.join(', ')}`);
  return names as ChannelWord[];
}
