// Who may see what, for REST, SSE, WebSocket, MCP, alerts and history alike: whether a caller may, and if not, which
// error. It answers from the table of rights (rules/catalogue/tiers.ts), the key's record, and the viewer token if it uses
// one.

import { ApiError } from '../base/model/errors.js';
import type { ChannelName } from '../base/model/stream-channels.js';
import { formatMs, formatUs } from '../base/model/time.js';
import { aboveTier } from '../rules/catalogue/tier-refusals.js';
import {
  CHANNEL_RIGHTS,
  hasFeature,
  isFeature,
  mayStream,
  RIGHT_TIERS,
  type Right,
  streamingEndMs,
  TIER_RULES,
  tierAtLeast,
} from '../rules/catalogue/tiers.js';
import { TIERS, type Tier } from '../rules/catalogue/types.js';
import { noHistory } from '../store/history/queries.js';
import type { KeyRecord, Scope } from './key-record.js';
import { checkViewer, type ViewedRoute, viewerHasChannel } from './viewer-access.js';

/** What a caller's key must have. */
export interface NeededRights {
  right?: Right | undefined;
  /** To read or stream what the channel shows. */
  channel?: ChannelName | undefined;
  scope?: Scope | undefined;
  /** To open streams. */
  streaming?: true | undefined;
}

/** Throws ApiError: `tier_restricted` if the tier is too low, `forbidden` if only an add-on, feature or scope is missing. */
export function checkAccess(key: KeyRecord, asked: NeededRights, nowMs: number): void {
  const { right, channel, scope } = asked;
  if (asked.streaming) checkStreaming(key, nowMs);
  if (channel !== undefined) checkChannel(key, channel);
  if (right !== undefined) checkRight(key, right);
  if (scope !== undefined && !key.scopes.includes(scope))
    throw new ApiError('forbidden', `the key does not have the scope ${scope}`);
}

/** Throws ApiError unless the caller, with a viewer token or the key itself, may call the route. */
export function checkRoute(key: KeyRecord, route: NeededRights & ViewedRoute, nowMs: number): void {
  checkViewer(route, key);
  checkAccess(key, route, nowMs);
}

/**
 * Throws ApiError unless openings can be shown: `not_found` if the server stores no history (`hasHistory` is false),
 * `tier_restricted` if the tier is too low.
 */
export function checkOpenings(hasHistory: boolean, tier: Tier): void {
  if (!hasHistory) throw noHistory();
  checkTier(tier, RIGHT_TIERS.openings, 'include=opening');
}

/** Whether the caller may see the channel, streams aside. */
export function seesChannel(key: KeyRecord, channel: ChannelName): boolean {
  return viewerHasChannel(key.viewer, channel) && hasRight(key, CHANNEL_RIGHTS[channel]);
}

/** Whether an account's rules on the channel may go by the key. */
export function mayAlert(key: KeyRecord, channel: ChannelName): boolean {
  return alertRulesOf(key.tier) > 0 && seesChannel(key, channel);
}

/** Rules of alerts that an account may have. */
export function alertRulesOf(tier: Tier): number {
  return TIER_RULES[tier].alertRules;
}

/** How old what the tier sees is, in seconds; 0 is the present. */
export function delaySecondsOf(tier: Tier): number {
  return TIER_RULES[tier].delaySeconds;
}

/** The earliest instant (Unix µs) whose history the tier sees. */
export function historyFromUs(tier: Tier, nowUs: number): number {
  const seconds = TIER_RULES[tier].historySeconds;
  return seconds === null ? 0 : nowUs - seconds * 1e6;
}

/** Throws ApiError `tier_restricted` if the tier's history does not reach back to `atUs`. */
export function checkHistory(tier: Tier, atUs: number, nowUs: number): void {
  const fromUs = historyFromUs(tier, nowUs);
  if (atUs >= fromUs) return;
  const needed = TIERS.find((other) => tierAtLeast(other, tier) && historyFromUs(other, nowUs) <= atUs)!;
  throw aboveTier(`at before ${formatUs(fromUs)}`, needed);
}

function checkRight(key: KeyRecord, right: Right): void {
  const needed = RIGHT_TIERS[right];
  if (!tierAtLeast(key.tier, needed))
    throw new ApiError('tier_restricted', `this needs the ${needed} tier; the key has ${key.tier}`, { tier: needed });
  if (isFeature(right) && !hasFeature(key, right))
    throw new ApiError('forbidden', `the key does not have the feature ${right}`);
}

function checkChannel(key: KeyRecord, channel: ChannelName): void {
  if (seesChannel(key, channel)) return;
  const right = CHANNEL_RIGHTS[channel];
  if (right === null || !viewerHasChannel(key.viewer, channel))
    throw new ApiError('forbidden', `channel ${channel}: the viewer token does not have it`);
  checkTier(key.tier, RIGHT_TIERS[right], `channel ${channel}`);
  throw new ApiError('forbidden', `channel ${channel}: the key does not have the feature ${right}`);
}

function hasRight(key: KeyRecord, right: Right | null): boolean {
  if (right === null) return true;
  return isFeature(right) ? hasFeature(key, right) : tierAtLeast(key.tier, RIGHT_TIERS[right]);
}

function checkStreaming(key: KeyRecord, nowMs: number): void {
  if (!tierAtLeast(key.tier, RIGHT_TIERS.streaming))
    throw new ApiError('tier_restricted', 'streams need a paid tier', { tier: RIGHT_TIERS.streaming });
  if (mayStream(key, nowMs)) return;
  const trial = trialOf(key, nowMs);
  const why = trial === undefined ? '' : `: its streaming trial ended at ${trial.expires_at}`;
  throw new ApiError('forbidden', `the key does not have the streaming add-on${why}`);
}

function checkTier(tier: Tier, needed: Tier, named: string): void {
  if (!tierAtLeast(tier, needed)) throw aboveTier(named, needed);
}

/** The streaming trial of a key as shown to callers: in /account and in the `connected` event of its streams. */
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
