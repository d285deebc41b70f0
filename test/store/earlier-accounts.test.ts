// A data directory of an earlier release keeps its keys, usage, ended sessions and tokens.
import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Accounts, openAccounts } from '../../src/accounts/accounts.js';
import { UsageCounters } from '../../src/accounts/usage.js';
import { signViewerToken } from '../../src/accounts/viewer-tokens.js';
import { soleControl } from '../../src/control/control.js';
import { sharedSessions } from '../../src/mcp/ended-sessions.js';
import { ManualClock } from '../../src/model/clock.js';
import { openDataDirectory } from '../../src/store/data-directory.js';
import { tempDir } from '../accounts/temp-dir.js';
import { earlierStore } from './earlier-store.js';

const START = Date.UTC(2026, 10, 20, 18);

test('what an earlier release stored of accounts is moved once, and is there after any number of starts', async (t) => {
  const dataDir = tempDir(t);
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

test('a command without a server moves them, too', async (t) => {
  const dataDir = tempDir(t);
  await earlierStore(dataDir, {
    keys: { ab: { id: 'key_a', account: 'acc_a', hash: 'ab', active: true, createdAt: 1 } },
  });
  const accounts = openAccounts(dataDir, new ManualClock(START));
  t.after(() => accounts.close());
  assert.equal(accounts.here.revoke('key_a')?.active, false);
  assert.deepEqual(
    accounts.list().map(({ id, active }) => [id, active]),
    [['key_a', false]],
  );
});
