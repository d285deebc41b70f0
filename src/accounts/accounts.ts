// Accounts and their API keys. A key is 256 random bits, shown once and stored as its SHA-256: no slow hash is needed
// for what cannot be guessed. Keys in use are cached, in memory only, so that a request costs no hash. Every
// authenticate() sees the control store as this process has it.

import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../base/model/clock.js';
import { LIMITS } from '../base/model/limits.js';
import { type Control, soleControl } from '../log/control/control.js';
import { EVERY_ENTRY } from '../log/control/entries.js';
import { FEATURE_TIERS, TIER_RULES, tierAtLeast } from '../rules/catalogue/tiers.js';
import { TIERS, type Tier } from '../rules/catalogue/types.js';
import { openControlAlone, readIdentity } from '../store/data-directory.js';
import {
  addKey,
  isKeyEntry,
  type KeyKind,
  keyEntry,
  keysIn,
  type NewKey,
  namesOf,
  newKey,
  type Rotation,
  revokeKey,
  rotateKey,
} from './key-commands.js';
import { isActive, type KeyRecord } from './key-record.js';
import { isViewerToken, readViewerToken, signViewerToken, type Viewer } from './viewer-tokens.js';

const REMEMBERED_MAX = LIMITS.cachedKeys.max;
const KEY_LENGTH = 'sk_live_'.length + 43;
/** Keys in use are found by this many characters (96 random bits) and compared whole, in constant time. */
const BEGINNING = 'sk_live_'.length + 16;

const COMPARED_BYTES = Math.ceil(KEY_LENGTH / 4) * 4;
/** What signs tokens, if an earlier release made it: later ones derive it from the directory's secret. */
const TOKEN_SECRET = 'secret|token';

interface Remembered {
  /** The key, four characters per word. */
  words: Int32Array;
  record: KeyRecord;
}

export interface CreatedKey {
  /** The key itself: not stored anywhere, so this is the only time it can be shown. */
  key: string;
  record: KeyRecord;
}

export interface RotatedKey extends CreatedKey {
  previous: KeyRecord;
}

export class Accounts {
  readonly control: Control;
  readonly #clock: Clock;
  readonly #testKeysWork: boolean;
  readonly #ownSecret: string;
  /** By the beginning of the key. */
  readonly #remembered = new Map<string, Remembered>();
  readonly #comparison = Buffer.alloc(COMPARED_BYTES);
  readonly #comparisonWords = wordsOf(this.#comparison);
  readonly #offered = Buffer.alloc(64);
  readonly #stored = Buffer.alloc(64);
  #byId: ReadonlyMap<string, KeyRecord> | undefined;
  #secret: Buffer | undefined;
  #generation = 0;
  readonly #unlisten: () => void;

  /**
   * @param ownSecret of the data directory, or of the cluster: what it signs is valid at all its processes
   * @param testKeysWork whether the odds are simulated: keys that were made for those open nothing else
   */
  constructor(control: Control, clock: Clock, ownSecret: string, testKeysWork = false) {
    this.control = control;
    this.#clock = clock;
    this.#ownSecret = ownSecret;
    this.#testKeysWork = testKeysWork;
    this.#unlisten = control.store.onChange((changes) => {
      if (changes?.some(([entry]) => entry === EVERY_ENTRY || isKeyEntry(entry)) === false) return;
      this.#generation++;
      this.#remembered.clear();
      this.#byId = undefined;
    });
  }

  /** Changes whenever a key does. */
  get generation(): number {
    return this.#generation;
  }

  /** Rejects with ApiError: `invalid_request` for invalid values, `unavailable` while there is no writer. */
  async create(options: NewKey): Promise<CreatedKey> {
    const { key, names } = newKey('live');
    return { key, record: await this.control.run(addKey, { names, options }) };
  }

  /** Keys of the account, or all, oldest first. */
  list(account?: string): KeyRecord[] {
    return keysIn(this.control.store, account);
  }

  find(id: string): KeyRecord | undefined {
    return this.list().find((key) => key.id === id);
  }

  /** Ends a key at once; undefined if there is none with this id. Rejects with ApiError `unavailable`. */
  revoke(id: string): Promise<KeyRecord | undefined> {
    return this.control.run(revokeKey, { id });
  }

  /**
   * A new key with the rights of an active one, which ends after the grace period (0-72 hours; 0 is at once). Undefined
   * if there is no active key with this id. Rejects as create().
   */
  async rotate(id: string, gracePeriodHours: number, name?: string): Promise<RotatedKey | undefined> {
    const { key, names } = newKey(this.#kindOf(id));
    const rotation: Rotation = { id, hours: gracePeriodHours, name, names };
    const rotated = await this.control.run(rotateKey, rotation);
    return rotated == null ? undefined : { key, ...rotated };
  }

  #kindOf(id: string): KeyKind {
    const key = this.find(id);
    return key !== undefined && isTestKey(key) ? 'test' : 'live';
  }

  /** The record of a key, or of a viewer token's key, that is active now, else undefined. */
  authenticate(rawKey: string): KeyRecord | undefined {
    if (isViewerToken(rawKey)) return this.#authenticateToken(rawKey);
    if (rawKey.length !== KEY_LENGTH || !rawKey.startsWith('sk_')) return undefined;
    if (!this.#testKeysWork && rawKey.startsWith(TEST_PREFIX)) return undefined;
    if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear();
    const remembered = this.#remembered.get(rawKey.slice(0, BEGINNING));
    const record = remembered !== undefined && this.#is(rawKey, remembered) ? remembered.record : this.#find(rawKey);
    return record !== undefined && isActive(record, this.#clock.now()) ? record : undefined;
  }

  #tokenSecret(): Buffer {
    const stored = this.control.store.value(TOKEN_SECRET) as Uint8Array | undefined;
    this.#secret ??= createHmac('sha256', this.#ownSecret).update('tokens').digest();
    return stored === undefined ? this.#secret : Buffer.from(stored);
  }

  /** Signs texts of a kind with the directory's secret, the same in every process. */
  signer(kind: string): (text: string) => string {
    return (text) => createHmac('sha256', this.#tokenSecret()).update(`${kind} ${text}`).digest('base64url');
  }

  /** A token that lets pages see the part of the key's data that `viewer` allows. */
  viewerToken(key: KeyRecord, viewer: Viewer): string {
    return signViewerToken(this.#tokenSecret(), key.id, viewer);
  }

  /** The record of the key whose token this is, with the token's restrictions; undefined if either has ended. */
  #authenticateToken(token: string): KeyRecord | undefined {
    const read = readViewerToken(this.#tokenSecret(), token);
    const nowMs = this.#clock.now();
    if (read === undefined || read.viewer.expiresAt <= nowMs) return undefined;
    const record = this.#ofId(read.keyId);
    return record !== undefined && isActive(record, nowMs) && (this.#testKeysWork || !isTestKey(record))
      ? { ...record, scopes: ['read'], viewer: read.viewer }
      : undefined;
  }

  #ofId(id: string): KeyRecord | undefined {
    this.#byId ??= new Map(this.list().map((record) => [record.id, record]));
    return this.#byId.get(id);
  }

  /** When a key that was authenticated before ends (Unix ms), as of now; Infinity if no end is set. */
  endOf({ hash }: KeyRecord): number {
    const record = this.#ofHash(hash);
    return record?.active ? (record.expiresAt ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY;
  }

  #ofHash(keyHash: string): KeyRecord | undefined {
    return this.control.store.value(keyEntry(keyHash)) as KeyRecord | undefined;
  }

  #find(rawKey: string): KeyRecord | undefined {
    const keyHash = hash('sha256', rawKey, 'hex');
    const record = this.#ofHash(keyHash);
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
      createHmac('sha256', this.#tokenSecret()).update(`${kind} key ${tier} ${part}`).digest();
    const key = `sk_${kind}_${from('key').toString('base64url')}`;
    const known = this.#ofHash(hash('sha256', key, 'hex'));
    if (known !== undefined) return known.active ? key : undefined;
    const streaming = TIER_RULES[tier].maxStreams > 0;
    const features = tierAtLeast(tier, FEATURE_TIERS.low_hold) ? ['low_hold'] : [];
    const scopes = tier === 'enterprise' ? ['ingest'] : [];
    const [id, account] = [from('id'), from('account')].map((bytes) => bytes.toString('hex', 0, 8));
    const options = { tier, name: `${kind === 'test' ? 'test' : 'own'} ${tier}`, streaming, features, scopes };
    this.control.soon(addKey, { names: namesOf(key, id!, account!), options });
    return key;
  }

  async close(): Promise<void> {
    this.#unlisten();
  }
}

class SoleAccounts extends Accounts {
  override async close(): Promise<void> {
    await super.close();
    await this.control.close();
    await this.control.store.close();
  }
}

/** Opens the accounts of a data directory that no server uses. */
export function openAccounts(dataDir: string, clock: Clock, testKeysWork = false): Accounts {
  const store = openControlAlone(dataDir);
  // Of a directory that no server has used nothing was signed.
  const secret = readIdentity(dataDir)?.idSecret ?? randomBytes(32).toString('hex');
  return new SoleAccounts(soleControl(store, clock), clock, secret, testKeysWork);
}

const TEST_PREFIX = 'sk_test_';

function isTestKey({ masked }: KeyRecord): boolean {
  return masked.startsWith(TEST_PREFIX);
}

function wordsOf(bytes: Buffer): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}
