// Accounts and their API keys. A key is 256 random bits, shown once and stored as its SHA-256: no slow hash is needed
// for what cannot be guessed. Keys in use are cached, in memory only, so that a request costs no hash. Every
// authenticate() sees what this process committed before it, and within milliseconds what others did.

import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { FEATURE_TIERS, FEATURES, TIER_RULES, tierAtLeast } from '../catalogue/tiers.js';
import { TIERS, type Tier } from '../catalogue/types.js';
import type { Clock } from '../model/clock.js';
import { compareText } from '../model/compare.js';
import { ApiError } from '../model/errors.js';
import { LIMITS } from '../model/limits.js';
import { HOUR_MS } from '../model/time.js';
import { AccountsStore, type AccountsWriter } from '../store/accounts-store.js';
import { type KeyRecord, SCOPES, type Scope } from './key-record.js';
import { isViewerToken, readViewerToken, signViewerToken, type Viewer } from './viewer-tokens.js';

const ACTIVE_KEYS_MAX = LIMITS.activeKeys.max;
/** Maximum number of keys that an account creates itself; a rotated key in its grace period does not count. */
const SELF_MADE_KEYS_MAX = LIMITS.selfMadeKeys.max;
/** Revoked and expired keys that an account's list still shows. */
const INACTIVE_KEYS_MAX = LIMITS.inactiveKeys.max;
const TRIAL_HOURS_MAX = LIMITS.trialHours.max;
const REMEMBERED_MAX = LIMITS.cachedKeys.max;
const KEY_LENGTH = 'sk_live_'.length + 43;
/** Keys in use are found by this many characters (96 random bits) and compared whole, in constant time. */
const BEGINNING = 'sk_live_'.length + 16;

const COMPARED_BYTES = Math.ceil(KEY_LENGTH / 4) * 4;

interface Remembered {
  /** The key, four characters per word. */
  words: Int32Array;
  record: KeyRecord;
}

/** `test`: for simulated odds only. */
export type KeyKind = 'live' | 'test';

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

export interface CreatedKey {
  /** The key itself: not stored anywhere, so this is the only time it can be shown. */
  key: string;
  record: KeyRecord;
}

export class Accounts {
  readonly store: AccountsStore;
  readonly #clock: Clock;
  readonly #testKeysWork: boolean;
  /** By the beginning of the key. */
  readonly #remembered = new Map<string, Remembered>();
  readonly #comparison = Buffer.alloc(COMPARED_BYTES);
  readonly #comparisonWords = wordsOf(this.#comparison);
  readonly #offered = Buffer.alloc(64);
  readonly #stored = Buffer.alloc(64);
  #generation = -1;
  #byId: ReadonlyMap<string, KeyRecord> = new Map();
  #byIdGeneration = -1;
  /** If keys are shared with other processes: settles when they have this process's changes. */
  #shared: (() => Promise<void>) | undefined;

  /** @param testKeysWork whether the odds are simulated: keys that were made for those open nothing else */
  constructor(store: AccountsStore, clock: Clock, testKeysWork = false) {
    this.store = store;
    this.#clock = clock;
    this.#testKeysWork = testKeysWork;
  }

  /** Publishes this process's changes elsewhere too. */
  shareBy(shared: () => Promise<void>): void {
    this.#shared = shared;
  }

  /** Settles when every process that shares these keys has the changes. Rejects with `unavailable`. */
  async published(): Promise<void> {
    await this.#shared?.();
  }

  /** Throws ApiError `invalid_request` for invalid values. */
  create(options: NewKey): CreatedKey {
    checkNewKey(options);
    return this.store.change((writer) => this.#add(writer, randomKey('live'), options));
  }

  /** Keys of the account, or all, oldest first. */
  list(account?: string): KeyRecord[] {
    return sorted(this.store.keys() as KeyRecord[]).filter((key) => account === undefined || key.account === account);
  }

  find(id: string): KeyRecord | undefined {
    return this.list().find((key) => key.id === id);
  }

  /** Ends a key at once; undefined if there is none with this id. */
  revoke(id: string): KeyRecord | undefined {
    return this.store.change((writer) => {
      const record = (writer.keys() as KeyRecord[]).find((key) => key.id === id);
      if (record === undefined) return undefined;
      const revoked = { ...record, active: false, updatedAt: Math.floor(this.#clock.now()) };
      writer.putKey(revoked.hash, revoked);
      return revoked;
    });
  }

  /**
   * A new key with the rights of an active one, which ends after the grace period (0-72 hours; 0 is at once). Undefined
   * if there is no active key with this id.
   */
  rotate(id: string, gracePeriodHours: number, name?: string): (CreatedKey & { previous: KeyRecord }) | undefined {
    if (!(gracePeriodHours >= 0 && gracePeriodHours <= 72)) invalid('gracePeriodHours must be from 0 to 72');
    if (name !== undefined) checkName(name);
    return this.store.change((writer) => {
      const now = Math.floor(this.#clock.now());
      const old = (writer.keys() as KeyRecord[]).find((key) => key.id === id);
      if (old === undefined || !isActive(old, now)) return undefined;
      const expiresAt = Math.min(now + gracePeriodHours * HOUR_MS, old.expiresAt ?? Number.POSITIVE_INFINITY);
      const previous = { ...old, active: expiresAt > now, expiresAt, updatedAt: now };
      writer.putKey(previous.hash, previous);
      return {
        ...this.#add(writer, randomKey(isTestKey(old) ? 'test' : 'live'), { ...old, name: name ?? old.name }),
        previous,
      };
    });
  }

  /** The record of a key, or of a viewer token's key, that is active now, else undefined. */
  authenticate(rawKey: string): KeyRecord | undefined {
    if (isViewerToken(rawKey)) return this.#authenticateToken(rawKey);
    if (rawKey.length !== KEY_LENGTH || !rawKey.startsWith('sk_')) return undefined;
    if (!this.#testKeysWork && rawKey.startsWith(TEST_PREFIX)) return undefined;
    const generation = this.store.generation();
    if (generation !== this.#generation || this.#remembered.size >= REMEMBERED_MAX) {
      this.#remembered.clear();
      this.#generation = generation;
    }
    const remembered = this.#remembered.get(rawKey.slice(0, BEGINNING));
    const record = remembered !== undefined && this.#is(rawKey, remembered) ? remembered.record : this.#find(rawKey);
    return record !== undefined && isActive(record, this.#clock.now()) ? record : undefined;
  }

  /** Signs texts of a kind with the directory's secret, the same in every process. */
  signer(kind: string): (text: string) => string {
    return (text) => createHmac('sha256', this.store.tokenSecret()).update(`${kind} ${text}`).digest('base64url');
  }

  /** A token that lets pages see the part of the key's data that `viewer` allows. */
  viewerToken(key: KeyRecord, viewer: Viewer): string {
    return signViewerToken(this.store.tokenSecret(), key.id, viewer);
  }

  /** The record of the key whose token this is, with the token's restrictions; undefined if either has ended. */
  #authenticateToken(token: string): KeyRecord | undefined {
    const read = readViewerToken(this.store.tokenSecret(), token);
    const nowMs = this.#clock.now();
    if (read === undefined || read.viewer.expiresAt <= nowMs) return undefined;
    const record = this.#ofId(read.keyId);
    return record !== undefined && isActive(record, nowMs) && (this.#testKeysWork || !isTestKey(record))
      ? { ...record, scopes: ['read'], viewer: read.viewer }
      : undefined;
  }

  #ofId(id: string): KeyRecord | undefined {
    const generation = this.store.generation();
    if (generation !== this.#byIdGeneration) {
      this.#byIdGeneration = generation;
      this.#byId = new Map((this.store.keys() as KeyRecord[]).map((record) => [record.id, record]));
    }
    return this.#byId.get(id);
  }

  /** When a key that was authenticated before ends (Unix ms), as of now; Infinity if no end is set. */
  endOf({ hash }: KeyRecord): number {
    const record = this.store.key(hash) as KeyRecord | undefined;
    return record?.active ? (record.expiresAt ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY;
  }

  #find(rawKey: string): KeyRecord | undefined {
    const keyHash = hash('sha256', rawKey, 'hex');
    const record = this.store.key(keyHash) as KeyRecord | undefined;
    if (record === undefined) return undefined;
    this.#offered.write(keyHash, 'latin1');
    this.#stored.write(record.hash, 'latin1');
    if (!timingSafeEqual(this.#offered, this.#stored)) return undefined;
    const bytes = Buffer.alloc(COMPARED_BYTES);
    bytes.write(rawKey, 'latin1');
    this.#remembered.set(rawKey.slice(0, BEGINNING), { words: wordsOf(bytes), record });
    return record;
  }

  /** Compares every word, whichever differ. */
  #is(rawKey: string, { words }: Remembered): boolean {
    // One byte per character, whatever it is: nothing of a key compared before may remain behind it.
    this.#comparison.write(rawKey, 'latin1');
    const offered = this.#comparisonWords;
    let differences = 0;
    for (let i = 0; i < words.length; i++) differences |= words[i]! ^ offered[i]!;
    return differences === 0;
  }

  /**
   * One `sk_test_` key per tier, the same at each start; revoked ones are omitted. For a server with simulated prices,
   * so that a newcomer can try every tier.
   */
  testKeys(): { tier: Tier; key: string }[] {
    return TIERS.flatMap((tier) => {
      const key = this.directoryKey('test', tier);
      return key === undefined ? [] : { tier, key };
    });
  }

  /**
   * A key that the directory has by itself: made once, the same at each start, and stored as a hash like all others, as
   * it follows from the directory's secret. Undefined if it was revoked.
   */
  directoryKey(kind: KeyKind, tier: Tier): string | undefined {
    const from = (part: string): Buffer =>
      createHmac('sha256', this.store.tokenSecret()).update(`${kind} key ${tier} ${part}`).digest();
    const key = `sk_${kind}_${from('key').toString('base64url')}`;
    const known = this.store.key(hash('sha256', key, 'hex')) as KeyRecord | undefined;
    if (known !== undefined) return known.active ? key : undefined;
    const streaming = TIER_RULES[tier].maxStreams > 0;
    const features = tierAtLeast(tier, FEATURE_TIERS.low_hold) ? ['low_hold'] : [];
    const scopes = tier === 'enterprise' ? ['ingest'] : [];
    const [id, account] = [from('id'), from('account')].map((bytes) => bytes.toString('hex', 0, 8));
    const options = { tier, name: `${kind === 'test' ? 'test' : 'own'} ${tier}`, streaming, features, scopes };
    // Several nodes of a cluster may make it at once: it must be the same record.
    this.store.change((writer) => this.#add(writer, key, { ...options, account: `acc_${account}` }, `key_${id}`));
    return key;
  }

  async close(): Promise<void> {
    await this.store.close();
  }

  #add(writer: AccountsWriter, key: string, options: NewKey, id = `key_${randomBytes(8).toString('hex')}`): CreatedKey {
    const now = Math.floor(this.#clock.now());
    const account = options.account ?? `acc_${randomBytes(8).toString('hex')}`;
    const siblings = sorted(writer.keys() as KeyRecord[]).filter((key) => key.account === account);
    const inactive = siblings.filter((key) => !isActive(key, now));
    if (siblings.length - inactive.length >= ACTIVE_KEYS_MAX) {
      invalid(`an account has at most ${ACTIVE_KEYS_MAX} active keys; revoke one first`);
    }
    const selfMade = siblings.filter((key) => key.selfMade && isActive(key, now) && key.expiresAt === undefined);
    if (options.selfMade && selfMade.length >= SELF_MADE_KEYS_MAX) {
      invalid(`an account makes at most ${SELF_MADE_KEYS_MAX} active keys itself; delete one first`);
    }
    for (const key of inactive.slice(0, -INACTIVE_KEYS_MAX)) writer.removeKey(key.hash);
    const record: KeyRecord = {
      id,
      account,
      name: options.name ?? options.tier,
      tier: options.tier,
      hash: hash('sha256', key, 'hex'),
      masked: `${key.slice(0, 12)}…${key.slice(-4)}`,
      features: [...new Set(options.features)],
      streaming: options.streaming ?? false,
      scopes: [...new Set(['read', ...(options.scopes ?? [])])] as Scope[],
      active: true,
      createdAt: now,
      updatedAt: now,
    };
    const trialEndsAt =
      options.trialHours === undefined ? options.trialEndsAt : Math.round(now + options.trialHours * HOUR_MS);
    if (options.selfMade) record.selfMade = true;
    if (trialEndsAt !== undefined) record.trialEndsAt = trialEndsAt;
    if (options.maxStreams !== undefined) record.maxStreams = options.maxStreams;
    if (options.requestsPerMinute !== undefined) record.requestsPerMinute = options.requestsPerMinute;
    writer.putKey(record.hash, record);
    return { key, record };
  }
}

/** Path of the accounts of a data directory. */
export function accountsPath(dataDir: string): string {
  return join(dataDir, 'accounts');
}

/** Opens the accounts in this directory, creating it if there is none. */
export function openAccounts(path: string, clock: Clock, testKeysWork = false): Accounts {
  return new Accounts(new AccountsStore(path), clock, testKeysWork);
}

const TEST_PREFIX = 'sk_test_';

function isTestKey({ masked }: KeyRecord): boolean {
  return masked.startsWith(TEST_PREFIX);
}

function randomKey(kind: KeyKind): string {
  return `sk_${kind}_${randomBytes(32).toString('base64url')}`;
}

function wordsOf(bytes: Buffer): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

export function isActive(key: KeyRecord, nowMs: number): boolean {
  return key.active && (key.expiresAt === undefined || key.expiresAt > nowMs);
}

function sorted(keys: KeyRecord[]): KeyRecord[] {
  return keys.sort((a, b) => a.createdAt - b.createdAt || compareText(a.id, b.id));
}

function checkNewKey(options: NewKey): void {
  if (!TIERS.includes(options.tier)) invalid(`tier must be one of ${TIERS.join(', ')}`);
  if (options.name !== undefined) checkName(options.name);
  for (const feature of options.features ?? []) {
    if (!(FEATURES as readonly string[]).includes(feature)) invalid(`feature must be one of ${FEATURES.join(', ')}`);
  }
  for (const scope of options.scopes ?? []) {
    if (!(SCOPES as readonly string[]).includes(scope)) invalid(`scope must be one of ${SCOPES.join(', ')}`);
  }
  if (options.trialHours !== undefined) checkTrial(options);
  const streams = options.maxStreams;
  if (streams !== undefined && !(Number.isInteger(streams) && streams >= 1 && streams <= 100_000)) {
    invalid('max streams must be a whole number from 1 to 100000');
  }
  const requests = options.requestsPerMinute;
  if (requests !== undefined && !(Number.isInteger(requests) && requests >= 1 && requests <= 1_000_000_000)) {
    invalid('requests per minute must be a whole number from 1 to 1000000000');
  }
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
