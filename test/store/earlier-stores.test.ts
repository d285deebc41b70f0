// A data directory of an earlier release keeps its keys, usage, ended sessions, tokens and alerts.
import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Accounts, openAccounts } from '../../src/accounts/accounts.js';
import { AlertStore } from '../../src/accounts/outbox/alert-store.js';
import { UsageCounters } from '../../src/accounts/usage.js';
import { signViewerToken } from '../../src/accounts/viewer-tokens.js';
import { NEW_DELIVERY } from '../../src/base/model/alert.js';
import { ManualClock } from '../../src/base/model/clock.js';
import { sharedSessions } from '../../src/front/mcp/sessions.js';
import { soleControl } from '../../src/log/control/control.js';
import { openDataDirectory } from '../../src/store/data-directory.js';
import { atOnce } from '../accounts/keys-at-once.js';
import { ruleFor } from '../accounts/outbox/rules.js';
import { newFolder } from '../temp-folders.js';
import { earlierAlerts, earlierStore } from './earlier-store.js';

const START = Date.UTC(2026, 10, 20, 18);

test('what an earlier release stored of accounts is moved once, and is there after any number of starts', async () => {
  const dataDir = newFolder();
  const clock = new ManualClock(START);
  const keyOf = (kind: string): string => `sk_${kind}_${randomBytes(32).toString('base64url')}`;
  const [live, readable] = [keyOf('live'), keyOf('test')];
  const recordOf = (key: string, id: string) => ({
    id,
    account: 'acc_a',
    name: 'desk',
    tier: 'pro',
    hash: hash('sha256', key, 'hex'),
    masked: `${key.slice(0, 12)}…`,
    features: [],
    streaming: false,
    scopes: ['read'],
    active: true,
    createdAt: START - 1,
    updatedAt: START - 1,
  });
  const secret = randomBytes(32);
  const day = Math.floor(START / 86_400_000);
  const records = [recordOf(live, 'key_live'), recordOf(readable, 'key_test')];
  await earlierStore(dataDir, {
    keys: Object.fromEntries(records.map((record) => [record.hash, record])),
    usage: { acc_a: { day, week: day - 4, month: day - 19, today: 3, thisWeek: 4, thisMonth: 5 } },
    sessions: ['000-ended'],
    secret,
    readable: { pro: readable },
  });
  const viewer = { expiresAt: START + 60_000, channels: null, filters: {}, origin: null };
  const token = signViewerToken(secret, 'key_live', viewer);
  for (let start = 0; start < 2; start++) {
    const directory = openDataDirectory(dataDir, 1, clock, { simulated: true });
    const control = soleControl(directory.control, clock);
    const accounts = new Accounts(control, clock, directory.idSecret, true);
    assert.equal(accounts.authenticate(live)?.id, 'key_live');
    assert.equal(accounts.authenticate(readable), undefined, 'whoever read the file has it');
    assert.equal(accounts.authenticate(token)?.id, 'key_live');
    const usage = new UsageCounters(control, clock, assert.ifError);
    assert.deepEqual(usage.read('acc_a'), { today: 3, thisWeek: 4, thisMonth: 5 });
    await usage.close();
    const sessions = sharedSessions(accounts);
    assert.deepEqual([sessions.hasEnded('000-ended'), sessions.hasEnded('000-other')], [true, false]);
    await accounts.close();
    await directory.close();
    assert.ok(!existsSync(join(dataDir, 'accounts')));
  }
});

test('a command without a server moves keys, and leaves alerts as release 0.2.0 reads them', async (t) => {
  const dataDir = newFolder();
  await earlierAlerts(dataDir, { rules: {}, progress: {}, deliveries: {}, queue: {}, told: ['al_1|opp_1'] });
  await earlierStore(dataDir, {
    keys: { ab: { id: 'key_a', account: 'acc_a', hash: 'ab', active: true, createdAt: 1 } },
  });
  const accounts = openAccounts(dataDir, new ManualClock(START));
  t.after(() => accounts.close());
  assert.equal(atOnce(accounts).revoke('key_a')?.active, false);
  assert.deepEqual(
    accounts.list().map(({ id, active }) => [id, active]),
    [['key_a', false]],
  );
  assert.ok(existsSync(join(dataDir, 'alerts', 'data.mdb')));
});

test('alerts of an earlier release continue: rules, what they reported, waiting messages, deliveries', async () => {
  const dataDir = newFolder();
  const clock = new ManualClock(START);
  const rule = ruleFor('https://example.com/');
  const progress = { position: 7, seq: 2 };
  const delivery = { ...NEW_DELIVERY, delivered: 1 };
  const message = { seq: 2, queuedMs: START, body: Buffer.from('{}') };
  await earlierAlerts(dataDir, {
    rules: { [rule.id]: rule },
    progress: { [rule.id]: progress },
    deliveries: { [rule.id]: delivery },
    queue: { [`${rule.id}|000000000002`]: message },
    told: [`${rule.id}|opp_1`, `${rule.id}|opp_2`],
  });
  for (let start = 0; start < 2; start++) {
    const directory = openDataDirectory(dataDir, 1, clock);
    const store = new AlertStore(directory.control, () => assert.fail('nothing is changed'));
    assert.deepEqual([store.rules(), store.progress(rule.id), store.delivery(rule.id)], [[rule], progress, delivery]);
    assert.deepEqual(store.reported(rule.id), ['opp_1', 'opp_2']);
    assert.deepEqual(store.queue(rule.id, 10), [message]);
    await directory.close();
  }
});
