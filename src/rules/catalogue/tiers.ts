// Who may see what: the one table behind limits, delays, features, channels and error texts. `GET /tiers` serves it;
// accounts/access.ts answers from it.
import { CHANNEL_NAMES, type ChannelName } from '../../base/model/stream-channels.js';
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
  /** Rules of alerts of one account; 0 if the tier has no alerts. */
  alertRules: number;
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
    alertRules: 0,
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
    alertRules: 0,
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
    alertRules: 10,
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
    alertRules: 50,
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
    alertRules: 500,
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

/** What keys have from a tier on, and no key below it; streaming needs an add-on where the tier does not include it. */
const AREA_TIERS = {
  streaming: 'hobby',
  deep_links: 'hobby',
  grading: 'hobby',
  history: 'pro',
  openings: 'pro',
  alerts: 'pro',
  bets: 'pro',
  closing_day: 'sharp',
  clv: 'enterprise',
} as const satisfies Record<string, Tier>;

/** What a route or a parameter may need: a feature, which a key can lack, or an area, which only the tier decides. */
export const RIGHT_TIERS = { ...FEATURE_TIERS, ...AREA_TIERS };
export type Right = keyof typeof RIGHT_TIERS;
export const RIGHTS = Object.keys(RIGHT_TIERS) as readonly Right[];

/** The right that shows a channel; null if every key that streams has it. */
export const CHANNEL_RIGHTS: Record<ChannelName, Right | null> = {
  odds: null,
  ev: 'ev',
  arbitrage: 'arbitrage',
  middles: 'middles',
  low_hold: 'low_hold',
  moves: 'moves',
  gamestate: 'game_state',
  results: null,
  bets: 'bets',
};

/** The lowest tier that sees books outside the catalogue. */
export const UNLISTED_TIER: Tier = 'sharp';

/** Requests a minute without a key on the reference endpoints, per client address. */
export const ANONYMOUS_REQUESTS_PER_MINUTE = 10;

const OPENINGS_PER_SLOT = 4;
const OPENINGS_PER_MINUTE_LEAST = 60;

const RANK: Record<Tier, number> = Object.fromEntries(TIERS.map((tier, rank) => [tier, rank])) as Record<Tier, number>;

/** True if `tier` is `needed` or above it. */
export function tierAtLeast(tier: Tier, needed: Tier): boolean {
  return RANK[tier] >= RANK[needed];
}

/** True for a tier that reads the delayed table. */
export function isDelayed(tier: Tier): boolean {
  return TIER_RULES[tier].delaySeconds > 0;
}

/** Requests the key may make per minute. */
export function requestsPerMinuteOf(key: KeyRights): number {
  return key.requestsPerMinute ?? TIER_RULES[key.tier].requestsPerMinute;
}

/** Whether every key of the tier has it, or a key of the tier can have it in addition, or none can. */
export function holdingOf(tier: Tier, right: Right): 'included' | 'add-on' | 'none' {
  const { features, streamingIncluded } = TIER_RULES[tier];
  if (!tierAtLeast(tier, RIGHT_TIERS[right])) return 'none';
  const included = right === 'streaming' ? streamingIncluded : !isFeature(right) || features.includes(right);
  return included ? 'included' : 'add-on';
}

/** The channels that streams of the tier have without an add-on for the channel itself. */
export function channelsOf(tier: Tier): ChannelName[] {
  if (TIER_RULES[tier].maxStreams === 0) return [];
  return CHANNEL_NAMES.filter((channel) => {
    const right = CHANNEL_RIGHTS[channel];
    return right === null || holdingOf(tier, right) === 'included';
  });
}

export function isFeature(right: Right): right is Feature {
  return right in FEATURE_TIERS;
}

export function hasFeature(key: KeyRights, feature: Feature): boolean {
  if (!tierAtLeast(key.tier, FEATURE_TIERS[feature])) return false;
  const channels = key.viewer?.channels;
  if (channels && !channels.some((channel) => CHANNEL_RIGHTS[channel as ChannelName] === feature)) return false;
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
