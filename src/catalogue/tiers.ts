// What each tier may do: the one table behind limits, delays, features and error texts.
import { TIERS, type Tier } from './types.js';

export const FEATURES = ['ev', 'arbitrage', 'middles', 'low_hold', 'moves', 'game_state'] as const;
export type Feature = (typeof FEATURES)[number];

/** The fields of a key's record that decide its rights. */
export interface KeyRights {
  tier: Tier;
  /** Features in addition to the tier's own. */
  features: readonly string[];
  /** The streaming add-on. */
  streaming: boolean;
  /** Unix ms: until then the key may stream without the add-on. */
  trialEndsAt?: number;
  /** Overrides of the tier's numbers. */
  maxStreams?: number;
  requestsPerMinute?: number;
  /** Set for a viewer token: the channels it is restricted to. */
  viewer?: { readonly channels: readonly string[] | null };
}

export interface TierRules {
  requestsPerMinute: number;
  /** Age of the tier's table in seconds; 0 is real time. */
  delaySeconds: number;
  /** Books of the tier's universe; null means all. */
  maxBooks: number | null;
  /** Open streams with the streaming add-on; 0 if the tier cannot stream at all. */
  maxStreams: number;
  /** True if the tier streams without the add-on. */
  streamingIncluded: boolean;
  /** Maximum number of event ids in one POST /odds/batch. */
  batchMax: number;
  /** How far back the tier may request history, in seconds; 0 not at all, null without limit. */
  historySeconds: number | null;
  /** Features that every key of the tier has; a key may have more (its record's `features`). */
  features: readonly Feature[];
}

export const TIER_RULES: Record<Tier, TierRules> = {
  free: {
    requestsPerMinute: 12,
    delaySeconds: 60,
    maxBooks: 2,
    maxStreams: 0,
    streamingIncluded: false,
    batchMax: 10,
    historySeconds: 0,
    features: [],
  },
  hobby: {
    requestsPerMinute: 120,
    delaySeconds: 0,
    maxBooks: 5,
    maxStreams: 10,
    streamingIncluded: false,
    batchMax: 10,
    historySeconds: 0,
    features: ['arbitrage'],
  },
  pro: {
    requestsPerMinute: 300,
    delaySeconds: 0,
    maxBooks: 15,
    maxStreams: 10,
    streamingIncluded: false,
    batchMax: 50,
    historySeconds: 24 * 3_600,
    features: ['ev', 'arbitrage', 'middles'],
  },
  sharp: {
    requestsPerMinute: 1000,
    delaySeconds: 0,
    maxBooks: null,
    maxStreams: 10,
    streamingIncluded: false,
    batchMax: 50,
    historySeconds: 7 * 24 * 3_600,
    features: ['ev', 'arbitrage', 'middles', 'moves'],
  },
  enterprise: {
    requestsPerMinute: 6000,
    delaySeconds: 0,
    maxBooks: null,
    maxStreams: 100,
    streamingIncluded: true,
    batchMax: 100,
    historySeconds: null,
    features: ['ev', 'arbitrage', 'middles', 'low_hold', 'moves', 'game_state'],
  },
};

/** The lowest tier that may have each feature: a key of a lower one never has it, whatever its record says. */
export const FEATURE_TIERS: Record<Feature, Tier> = {
  ev: 'pro',
  arbitrage: 'hobby',
  middles: 'pro',
  low_hold: 'pro',
  moves: 'sharp',
  game_state: 'enterprise',
};

/** Requests a minute without a key on the reference endpoints, per client address. */
export const ANONYMOUS_REQUESTS_PER_MINUTE = 10;

const OPENINGS_PER_SLOT = 4;
const OPENINGS_PER_MINUTE_LEAST = 60;

const RANK: Record<Tier, number> = Object.fromEntries(TIERS.map((tier, rank) => [tier, rank])) as Record<Tier, number>;

/** True if `tier` is `needed` or above it. */
export function tierAtLeast(tier: Tier, needed: Tier): boolean {
  return RANK[tier] >= RANK[needed];
}

/** Requests the key may make per minute. */
export function requestsPerMinuteOf(key: KeyRights): number {
  return key.requestsPerMinute ?? TIER_RULES[key.tier].requestsPerMinute;
}

export function hasFeature(key: KeyRights, feature: Feature): boolean {
  if (!tierAtLeast(key.tier, FEATURE_TIERS[feature])) return false;
  const channels = key.viewer?.channels;
  if (channels && !channels.includes(feature === 'game_state' ? 'gamestate' : feature)) return false;
  return TIER_RULES[key.tier].features.includes(feature) || key.features.includes(feature);
}

/**
 * Streams the account may open per minute, counted apart from its requests: enough for all of them to reconnect a few
 * times.
 */
export function openingsPerMinute(maxStreams: number): number {
  return Math.max(OPENINGS_PER_MINUTE_LEAST, OPENINGS_PER_SLOT * maxStreams);
}

/**
 * When the key's right to stream ends (Unix ms): Infinity with the add-on or if the tier includes it, at the end of its
 * trial, or -Infinity if it has none of these.
 */
export function streamingEndMs(key: KeyRights): number {
  if (TIER_RULES[key.tier].streamingIncluded || key.streaming) return Number.POSITIVE_INFINITY;
  return key.trialEndsAt ?? Number.NEGATIVE_INFINITY;
}

/** True if the key may stream now: by its tier, the add-on, or a trial that has not ended. */
export function mayStream(key: KeyRights, nowMs: number): boolean {
  return maxStreamsOf(key, nowMs) > 0;
}

/** Streams the key may hold open at once now; 0 if it may not stream. */
export function maxStreamsOf(key: KeyRights, nowMs: number): number {
  const rules = TIER_RULES[key.tier];
  if (rules.maxStreams === 0 || nowMs >= streamingEndMs(key)) return 0;
  return key.maxStreams ?? rules.maxStreams;
}
