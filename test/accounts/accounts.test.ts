import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { trialOf } from '../../src/accounts/access.js';
import { type Accounts, openAccounts } from '../../src/accounts/accounts.js';
import { ManualClock } from '../../src/base/model/clock.js';
import { ApiError } from '../../src/base/model/errors.js';
import {
  hasFeature,
  maxStreamsOf,
  requestsPerMinuteOf,
  TIER_RULES,
  tierAtLeast,
} from '../../src/rules/catalogue/tiers.js';
import { controlPath } from '../../src/store/control-store.js';
import { makeIdentity, writeIdentity } from '../../src/store/data-directory.js';
import { newFolder } from '../temp-folders.js';
import { atOnce } from './keys-at-once.js';

const START = Date.UTC(2026, 10, 20, 18);

function opened(t: TestContext): { accounts: Accounts; clock: ManualClock; path: string } {
  const path = newFolder();
  const clock = new ManualClock(START);
  const accounts = openAccounts(path, clock);
  t.after(() => accounts.close());
  return { accounts, clock, path };
}

test('a created key authenticates, and anything else does not', (t) => {
  const { accounts } = opened(t);
  const { key, record } = atOnce(accounts).create({ tier: 'pro', name: 'desk' });
  assert.match(key, /^sk_live_[A-Za-z0-9_-]{43}$/);
  assert.equal(accounts.authenticate(key)?.id, record.id);
  for (const wrong of ['', 'sk_live_', `${key}x`, key.slice(0, -1), key.toUpperCase(), `${key.slice(0, -1)}\0`]) {
    assert.equal(accounts.authenticate(wrong), undefined, wrong);
  }
  // A key that differs from a cached one in a single character is refused, even right after the right key was compared.
  for (let i = 0; i < key.length; i++) {
    assert.equal(accounts.authenticate(key)?.id, record.id);
    for (const other of ['\0', '\u{ff}', '€', key[i] === '0' ? '1' : '0']) {
      const wrong = key.slice(0, i) + other + key.slice(i + 1);
      assert.equal(accounts.authenticate(wrong), undefined, wrong);
    }
  }
  assert.equal(accounts.authenticate(`sk_live_${'A'.repeat(43)}`), undefined);
});

test('the key itself is stored nowhere on disk', async (t) => {
  const { accounts, path } = opened(t);
  const { key, record } = atOnce(accounts).create({ tier: 'pro' });
  await accounts.close();
  for (const file of readdirSync(controlPath(path))) {
    const bytes = readFileSync(join(controlPath(path), file));
    assert.ok(!bytes.includes(key.slice(12, 40)), file);
    if (file === 'data.mdb') assert.ok(bytes.includes(record.hash));
  }
});

test('a revoked key is refused at once, and stays in the list', (t) => {
  const { accounts } = opened(t);
  const { key, record } = atOnce(accounts).create({ tier: 'hobby' });
  assert.ok(accounts.authenticate(key));
  assert.equal(atOnce(accounts).revoke(record.id)?.active, false);
  assert.equal(accounts.authenticate(key), undefined);
  assert.deepEqual(
    accounts.list().map(({ id, active }) => ({ id, active })),
    [{ id: record.id, active: false }],
  );
  assert.equal(atOnce(accounts).revoke('key_unknown'), undefined);
});

test('a rotated key lives on for its grace period, and the new one has its rights', (t) => {
  const { accounts, clock } = opened(t);
  const old = atOnce(accounts).create({
    tier: 'pro',
    name: 'desk',
    features: ['low_hold'],
    streaming: true,
    maxStreams: 3,
  });
  const rotated = atOnce(accounts).rotate(old.record.id, 2)!;
  assert.notEqual(rotated.key, old.key);
  assert.equal(rotated.previous.expiresAt, START + 2 * 3_600_000);
  const { id, hash, masked, createdAt, updatedAt, ...rights } = rotated.record;
  const { id: _i, hash: _h, masked: _m, createdAt: _c, updatedAt: _u, ...oldRights } = old.record;
  assert.deepEqual(rights, oldRights);
  clock.set(START + 2 * 3_600_000 - 1);
  assert.ok(accounts.authenticate(old.key));
  clock.set(START + 2 * 3_600_000);
  assert.equal(accounts.authenticate(old.key), undefined);
  assert.ok(accounts.authenticate(rotated.key));
  assert.equal(atOnce(accounts).rotate(old.record.id, 0), undefined);
});

test('a trial is stored with its key: the same after a restart, also on the key that replaces it', async (t) => {
  const { accounts, clock, path } = opened(t);
  const { key, record } = atOnce(accounts).create({ tier: 'pro', trialHours: 2, maxStreams: 3 });
  const endMs = START + 2 * 3_600_000;
  await accounts.close();
  clock.set(START + 3_600_000);
  const again = openAccounts(path, clock);
  t.after(() => again.close());
  const cached = again.authenticate(key)!;
  const replaced = atOnce(again).rotate(record.id, 72)!.record;
  for (const each of [cached, replaced]) {
    assert.deepEqual([maxStreamsOf(each, endMs - 1), maxStreamsOf(each, endMs)], [3, 0]);
    assert.equal(trialOf(each, endMs - 1)?.active, true);
    assert.equal(trialOf(each, endMs)?.active, false);
  }
  assert.equal(trialOf(atOnce(again).create({ tier: 'pro', streaming: true }).record, START), undefined);
});

test('rotating again can only shorten the life of the old key', (t) => {
  const { accounts } = opened(t);
  const old = atOnce(accounts).create({ tier: 'pro' });
  atOnce(accounts).rotate(old.record.id, 1);
  assert.equal(atOnce(accounts).rotate(old.record.id, 72)?.previous.expiresAt, START + 3_600_000);
  atOnce(accounts).rotate(old.record.id, 0);
  assert.equal(accounts.authenticate(old.key), undefined);
});

test('each account lists only its own keys', (t) => {
  const { accounts } = opened(t);
  const first = atOnce(accounts).create({ tier: 'pro' }).record;
  const second = atOnce(accounts).create({ tier: 'pro', account: first.account }).record;
  atOnce(accounts).create({ tier: 'pro' });
  assert.deepEqual(new Set(accounts.list(first.account).map((key) => key.id)), new Set([first.id, second.id]));
  assert.equal(accounts.list().length, 3);
});

test('an account can create no more keys than the limit, and old revoked ones are removed', (t) => {
  const { accounts, clock } = opened(t);
  const { account, id } = atOnce(accounts).create({ tier: 'free' }).record;
  clock.set(START + 1);
  for (let made = 1; made < 100; made++) atOnce(accounts).create({ tier: 'free', account });
  assert.throws(() => atOnce(accounts).create({ tier: 'free', account }), /at most 100 active keys/);
  for (const key of accounts.list(account)) atOnce(accounts).revoke(key.id);
  for (let made = 0; made < 60; made++)
    atOnce(accounts).revoke(atOnce(accounts).create({ tier: 'free', account }).record.id);
  assert.ok(accounts.list(account).length <= 101);
  assert.equal(accounts.find(id), undefined);
});

test('test keys are one per tier, the same after a restart, and a revoked one does not return', async (t) => {
  const path = newFolder();
  const clock = new ManualClock(START);
  writeIdentity(path, makeIdentity(1, true, clock));
  const accounts = openAccounts(path, clock, true);
  const keys = accounts.testKeys();
  assert.deepEqual(
    keys.map(({ tier }) => tier),
    ['free', 'hobby', 'pro', 'sharp', 'enterprise'],
  );
  for (const { tier, key } of keys) {
    assert.match(key, /^sk_test_[A-Za-z0-9_-]{43}$/);
    assert.equal(accounts.authenticate(key)?.tier, tier);
  }
  assert.equal(accounts.list().length, 5);
  await accounts.close();
  const again = openAccounts(path, clock, true);
  assert.deepEqual(again.testKeys(), keys);
  assert.equal(again.list().length, 5);
  atOnce(again).revoke(again.authenticate(keys[0]!.key)!.id);
  assert.deepEqual(again.testKeys(), keys.slice(1));
  const bytes = readFileSync(join(controlPath(path), 'data.mdb'), 'latin1');
  for (const { key } of keys) assert.ok(!bytes.includes(key.slice(12, -4)), 'no key lies in the store');
  const pro = again.authenticate(keys[2]!.key)!;
  const rotated = atOnce(again).rotate(pro.id, 1)!.key;
  const viewer = { expiresAt: START + 60_000, channels: null, filters: {}, origin: null };
  const token = again.viewerToken(again.authenticate(rotated)!, viewer);
  const live = atOnce(again).create({ tier: 'pro' }).key;
  const works = (accounts: Accounts) =>
    [keys[2]!.key, rotated, token, live].map((key) => accounts.authenticate(key) !== undefined);
  assert.deepEqual(works(again), [true, true, true, true]);
  await again.close();
  const real = openAccounts(path, clock);
  t.after(() => real.close());
  assert.deepEqual(works(real), [false, false, false, true], 'where odds are real');
});

test('impossible keys are refused with the reason', (t) => {
  const { accounts } = opened(t);
  const bad = [
    { tier: 'gold' as 'pro' },
    { tier: 'pro' as const, name: '' },
    { tier: 'pro' as const, name: 'a\nb' },
    { tier: 'pro' as const, features: ['fly'] },
    { tier: 'pro' as const, scopes: ['admin'] },
    { tier: 'pro' as const, maxStreams: 0 },
    ...[0, -1, 8_761, Number.NaN].map((trialHours) => ({ tier: 'pro' as const, trialHours })),
    { tier: 'free' as const, trialHours: 24 },
    { tier: 'enterprise' as const, trialHours: 24 },
    { tier: 'pro' as const, trialHours: 24, streaming: true },
    { tier: 'pro' as const, requestsPerMinute: 0 },
    { tier: 'pro' as const, requestsPerMinute: 1.5 },
  ];
  for (const options of bad) {
    assert.throws(() => atOnce(accounts).create(options), ApiError, JSON.stringify(options));
  }
  assert.throws(() => atOnce(accounts).rotate('key_x', 73), ApiError);
  assert.throws(() => atOnce(accounts).rotate('key_x', Number.NaN), ApiError);
});

test('tiers are ranked, and features and streams follow tier and key', (t) => {
  const { accounts } = opened(t);
  assert.ok(tierAtLeast('sharp', 'pro') && tierAtLeast('pro', 'pro') && !tierAtLeast('hobby', 'pro'));
  assert.deepEqual(TIER_RULES.enterprise, {
    ...TIER_RULES.enterprise,
    requestsPerMinute: 6000,
    maxStreams: 100,
    batchMax: 100,
  });
  const made = (options: Parameters<Accounts['create']>[0]) => atOnce(accounts).create(options).record;
  assert.equal(hasFeature(made({ tier: 'pro' }), 'low_hold'), false);
  assert.equal(hasFeature(made({ tier: 'pro', features: ['low_hold'] }), 'low_hold'), true);
  assert.equal(hasFeature(made({ tier: 'enterprise' }), 'low_hold'), true);
  assert.equal(maxStreamsOf(made({ tier: 'free', streaming: true, maxStreams: 5 }), START), 0);
  assert.equal(maxStreamsOf(made({ tier: 'pro' }), START), 0);
  assert.equal(maxStreamsOf(made({ tier: 'pro', streaming: true }), START), 10);
  assert.equal(maxStreamsOf(made({ tier: 'pro', streaming: true, maxStreams: 2 }), START), 2);
  assert.equal(maxStreamsOf(made({ tier: 'enterprise' }), START), 100);
  assert.equal(requestsPerMinuteOf(made({ tier: 'hobby' })), 120);
  assert.equal(requestsPerMinuteOf(made({ tier: 'hobby', requestsPerMinute: 7 })), 7);
});
