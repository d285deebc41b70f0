// Keys as entries of the control store, and the commands that change them. A key itself never leaves the process that
// made it: the log has its hash.
import { hash, randomBytes } from 'node:crypto';
import { compareText } from '../base/model/compare.js';
import { ApiError } from '../base/model/errors.js';
import { LIMITS } from '../base/model/limits.js';
import { HOUR_MS } from '../base/model/time.js';
import { command, type Draft } from '../log/control/command.js';
import type { ControlReader } from '../log/control/entries.js';
import { FEATURES, TIER_RULES } from '../rules/catalogue/tiers.js';
import { TIERS, type Tier } from '../rules/catalogue/types.js';
import { isActive, type KeyRecord, SCOPES, type Scope } from './key-record.js';

const ACTIVE_KEYS_MAX = LIMITS.activeKeys.max;
/** Maximum number of keys that an account creates itself; a rotated key in its grace period does not count. */
const SELF_MADE_KEYS_MAX = LIMITS.selfMadeKeys.max;
/** Revoked and expired keys that an account's list still shows. */
const INACTIVE_KEYS_MAX = LIMITS.inactiveKeys.max;
const TRIAL_HOURS_MAX = LIMITS.trialHours.max;
const KEYS = 'key';

export interface NewKey {
  tier: Tier;
  name?: string;
  /** An existing account; a new one by default. */
  account?: string;
  streaming?: boolean;
  /** A streaming trial of this many hours from now, in place of the add-on. */
  trialHours?: number;
  /** The end (Unix ms) of a trial that another key of the account has: in place of trialHours. */
  trialEndsAt?: number | undefined;
  features?: readonly string[];
  /** In addition to `read`, which every key has. */
  scopes?: readonly string[];
  maxStreams?: number;
  requestsPerMinute?: number;
  /** The account creates it itself: it may have ten of these. */
  selfMade?: boolean;
}

/** What is stored of a key in place of itself, and the names it is given. */
export interface KeyNames {
  id: string;
  /** If it is of a new account. */
  account: string;
  hash: string;
  masked: string;
}

/** `test`: for simulated odds only. */
export type KeyKind = 'live' | 'test';

/** A random key, and what is stored in place of it. */
export function newKey(kind: KeyKind): { key: string; names: KeyNames } {
  const key = `sk_${kind}_${randomBytes(32).toString('base64url')}`;
  const [id, account] = [randomBytes(8).toString('hex'), randomBytes(8).toString('hex')];
  return { key, names: namesOf(key, id, account) };
}

export function namesOf(key: string, id: string, account: string): KeyNames {
  const masked = `${key.slice(0, 12)}…${key.slice(-4)}`;
  return { id: `key_${id}`, account: `acc_${account}`, hash: hash('sha256', key, 'hex'), masked };
}

export function keyEntry(hash: string): string {
  return `${KEYS}|${hash}`;
}

export function isKeyEntry(entry: string): boolean {
  return entry.startsWith(`${KEYS}|`);
}

/** Of an account, or all; oldest first. */
export function keysIn(stored: ControlReader, account?: string): KeyRecord[] {
  const keys: KeyRecord[] = [];
  for (const [, value] of stored.entries(KEYS)) {
    const key = value as KeyRecord;
    if (account === undefined || key.account === account) keys.push(key);
  }
  return keys.sort((a, b) => a.createdAt - b.createdAt || compareText(a.id, b.id));
}

/** Throws ApiError `invalid_request` for invalid values, and if the account has too many. The same key again is not made anew. */
export const addKey = command('keys.add', (draft, { names, options }: { names: KeyNames; options: NewKey }) => {
  checkNewKey(options);
  return add(draft, names, options);
});

/** The records of an account, or all. */
export const listKeys = command('keys.list', (draft, { account }: { account?: string | undefined }) =>
  keysIn(draft, account),
);

/** Undefined if there is none with this id. */
export const revokeKey = command('keys.revoke', (draft, { id }: { id: string }): KeyRecord | undefined => {
  const record = keysIn(draft).find((key) => key.id === id);
  if (record === undefined) return undefined;
  const revoked = { ...record, active: false, updatedAt: draft.nowMs };
  draft.put(keyEntry(revoked.hash), revoked);
  return revoked;
});

export interface Rotation {
  id: string;
  hours: number;
  name?: string | undefined;
  names: KeyNames;
}

/** Undefined if there is no active key with this id. */
export const rotateKey = command('keys.rotate', (draft, { id, hours, name, names }: Rotation) => {
  if (!(hours >= 0 && hours <= 72)) invalid('gracePeriodHours must be from 0 to 72');
  if (name !== undefined) checkName(name);
  const { nowMs } = draft;
  const old = keysIn(draft).find((key) => key.id === id);
  if (old === undefined || !isActive(old, nowMs)) return undefined;
  const expiresAt = Math.min(nowMs + hours * HOUR_MS, old.expiresAt ?? Number.POSITIVE_INFINITY);
  const previous: KeyRecord = { ...old, active: expiresAt > nowMs, expiresAt, updatedAt: nowMs };
  draft.put(keyEntry(previous.hash), previous);
  return { record: add(draft, names, { ...old, name: name ?? old.name }), previous };
});

function add(draft: Draft, names: KeyNames, options: NewKey): KeyRecord {
  const known = draft.value(keyEntry(names.hash)) as KeyRecord | undefined;
  if (known !== undefined) return known;
  const { nowMs } = draft;
  const account = options.account ?? names.account;
  const siblings = keysIn(draft, account);
  const inactive = siblings.filter((key) => !isActive(key, nowMs));
  if (siblings.length - inactive.length >= ACTIVE_KEYS_MAX)
    invalid(`an account has at most ${ACTIVE_KEYS_MAX} active keys; revoke one first`);
  const selfMade = siblings.filter((key) => key.selfMade && isActive(key, nowMs) && key.expiresAt === undefined);
  if (options.selfMade && selfMade.length >= SELF_MADE_KEYS_MAX)
    invalid(`an account makes at most ${SELF_MADE_KEYS_MAX} active keys itself; delete one first`);
  for (const key of inactive.slice(0, -INACTIVE_KEYS_MAX)) draft.remove(keyEntry(key.hash));
  const record: KeyRecord = {
    id: names.id,
    account,
    name: options.name ?? options.tier,
    tier: options.tier,
    hash: names.hash,
    masked: names.masked,
    features: [...new Set(options.features)],
    streaming: options.streaming ?? false,
    scopes: [...new Set(['read', ...(options.scopes ?? [])])] as Scope[],
    active: true,
    createdAt: nowMs,
    updatedAt: nowMs,
  };
  const trialEndsAt =
    options.trialHours === undefined ? options.trialEndsAt : Math.round(nowMs + options.trialHours * HOUR_MS);
  if (options.selfMade) record.selfMade = true;
  if (trialEndsAt != null) record.trialEndsAt = trialEndsAt;
  if (options.maxStreams !== undefined) record.maxStreams = options.maxStreams;
  if (options.requestsPerMinute !== undefined) record.requestsPerMinute = options.requestsPerMinute;
  draft.put(keyEntry(record.hash), record);
  return record;
}

function checkNewKey(options: NewKey): void {
  if (!TIERS.includes(options.tier)) invalid(`tier must be one of ${TIERS.join(', ')}`);
  if (options.name !== undefined) checkName(options.name);
  checkNames('feature', options.features, FEATURES);
  checkNames('scope', options.scopes, SCOPES);
  if (options.trialHours !== undefined) checkTrial(options);
  checkWhole('max streams', options.maxStreams, 100_000);
  checkWhole('requests per minute', options.requestsPerMinute, 1_000_000_000);
}

function checkNames(what: string, names: readonly string[] = [], known: readonly string[]): void {
  if (!names.every((name) => known.includes(name))) invalid(`${what} must be one of ${known.join(', ')}`);
}

function checkWhole(what: string, value: number | undefined, most: number): void {
  if (value !== undefined && !(Number.isInteger(value) && value >= 1 && value <= most))
    invalid(`${what} must be a whole number from 1 to ${most}`);
}

function checkTrial({ tier, streaming, trialHours }: NewKey): void {
  if (!(trialHours! > 0 && trialHours! <= TRIAL_HOURS_MAX)) {
    invalid(`trial hours must be more than 0 and at most ${TRIAL_HOURS_MAX}`);
  }
  const rules = TIER_RULES[tier];
  if (rules.maxStreams === 0) invalid(`the ${tier} tier has no streams to try`);
  if (rules.streamingIncluded || streaming) invalid('a key that may stream anyway can have no trial');
}

function checkName(name: string): void {
  if (name.trim() === '' || name.length > 100 || /\p{Cc}/u.test(name)) {
    invalid('name must be 1 to 100 characters without control characters');
  }
}

function invalid(message: string): never {
  throw new ApiError('invalid_request', message);
}
