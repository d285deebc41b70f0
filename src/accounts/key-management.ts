// Which keys of its account a key may end or replace. Otherwise a key with few rights, such as one in somebody else's
// hands, could get itself one with more.

import { ApiError } from '../base/model/errors.js';
import { FEATURES, hasFeature, maxStreamsOf, requestsPerMinuteOf, tierAtLeast } from '../rules/catalogue/tiers.js';
import type { KeyRecord } from './key-record.js';

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
