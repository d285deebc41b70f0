// An API key as stored: everything but the key itself, of which only the hash is stored; which other keys it may manage; and
// for whom its use is counted.

import { ApiError } from '../base/model/errors.js';
import { FEATURES, hasFeature, maxStreamsOf, requestsPerMinuteOf, tierAtLeast } from '../rules/catalogue/tiers.js';
import type { Tier } from '../rules/catalogue/types.js';
import type { Viewer } from './viewer-tokens.js';

export const SCOPES = ['read', 'ingest', 'backup'] as const;
export type Scope = (typeof SCOPES)[number];

export interface KeyRecord {
  /** `key_…`, public. */
  id: string;
  /** `acc_…`: keys of one account see and manage each other. */
  account: string;
  name: string;
  tier: Tier;
  /** SHA-256 of the key, lowercase hex. */
  hash: string;
  /** `sk_live_abcd…wxyz`, for lists. */
  masked: string;
  /** Features in addition to the tier's own (`low_hold`). */
  features: string[];
  /** The streaming add-on. */
  streaming: boolean;
  /** Unix ms: until then the key may stream without the add-on. */
  trialEndsAt?: number;
  scopes: Scope[];
  /** Open streams, overriding the tier's number. */
  maxStreams?: number;
  /** Requests per minute, overriding the tier's number. */
  requestsPerMinute?: number;
  /** The account created it itself, through the API; not set for the operator's. */
  selfMade?: boolean;
  active: boolean;
  /** Unix ms, as the next two. */
  createdAt: number;
  updatedAt: number;
  /** Set by a rotation: the key ends here. */
  expiresAt?: number;
  /** Never stored: the caller uses a viewer token of the key, and may see no more than this. */
  viewer?: Viewer;
}

export function isActive(key: KeyRecord, nowMs: number): boolean {
  return key.active && (key.expiresAt === undefined || key.expiresAt > nowMs);
}

// Which keys of its account a key may end or replace. Otherwise a key with few rights, such as one in somebody else's
// hands, could get itself one with more.

/** Throws ApiError `forbidden` for a key in its grace period: it was replaced, and only goes on reading. */
export function checkManages(caller: KeyRecord): void {
  if (caller.expiresAt !== undefined)
    throw new ApiError('forbidden', 'this key was replaced and ends soon: manage keys with the one that replaced it');
}

/** Throws ApiError `forbidden` unless the caller may revoke the key. */
export function checkRevokes(caller: KeyRecord, target: KeyRecord, nowMs: number): void {
  checkManages(caller);
  if (!covers(caller, target, nowMs))
    throw new ApiError('forbidden', `the key ${target.id} has rights that this key does not have`);
}

/** Throws ApiError `forbidden` unless the caller may rotate the key: the operator's keys rotate themselves only. */
export function checkRotates(caller: KeyRecord, target: KeyRecord, nowMs: number): void {
  checkRevokes(caller, target, nowMs);
  if (target.id !== caller.id && target.selfMade !== true)
    throw new ApiError('forbidden', `the key ${target.id} is the operator's: rotate it with itself`);
}

function covers(caller: KeyRecord, target: KeyRecord, nowMs: number): boolean {
  return (
    tierAtLeast(caller.tier, target.tier) &&
    target.scopes.every((scope) => caller.scopes.includes(scope)) &&
    FEATURES.every((feature) => hasFeature(caller, feature) || !hasFeature(target, feature)) &&
    maxStreamsOf(caller, nowMs) >= maxStreamsOf(target, nowMs) &&
    requestsPerMinuteOf(caller) >= requestsPerMinuteOf(target)
  );
}

// Whose use of something limited is counted: an account's, over all its keys, and apart from it that of its viewer
// tokens. A token stands in a web page: whoever copies it must leave something to the account.

export interface Caller {
  account: string;
  /** It uses a viewer token. */
  viewer: boolean;
}

export function callerOf({ account, viewer }: Pick<KeyRecord, 'account' | 'viewer'>): Caller {
  return { account, viewer: viewer !== undefined };
}

/** The account whose private books the caller may name: not by a viewer token, which stands in a web page. */
export function bookOwnerOf(key: Pick<KeyRecord, 'account' | 'viewer'> | undefined): string | undefined {
  return key?.viewer === undefined ? key?.account : undefined;
}

export function isSameCaller(one: Caller | undefined, other: Caller): boolean {
  return one?.account === other.account && one.viewer === other.viewer;
}

/** The part of an account's limits that its viewer tokens have together. */
const VIEWERS_PART = 3 / 4;

/** The names that a caller is counted by, each with its maximum, at least 1; the account's is first. */
export function countedAs({ account, viewer }: Caller, max: number): readonly (readonly [name: string, max: number])[] {
  const own = [account, max] as const;
  return viewer ? [own, [`viewers of ${account}`, Math.max(1, Math.floor(max * VIEWERS_PART))]] : [own];
}
