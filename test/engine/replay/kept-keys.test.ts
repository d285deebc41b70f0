// Keys that were made before a recording is served, at a later time than any of it: they are kept, and change nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAccounts } from '../../../src/accounts/accounts.js';
import { ManualClock } from '../../../src/base/model/clock.js';
import { atOnce } from '../../accounts/keys-at-once.js';
import { newFolder } from '../../temp-folders.js';
import { at, BEGIN_MS, wandering } from './recordings.js';
import { eventsOf, replayed } from './rig.js';

const DAY_MS = 86_400_000;

test('a recording served with keys made later than it is as it was then, and a bet at a message’s instant is told', async (t) => {
  const data = newFolder('overround-');
  const accounts = openAccounts(data, new ManualClock(BEGIN_MS + 30 * DAY_MS));
  const made = atOnce(accounts).create({ tier: 'pro' }).key;
  await accounts.close();
  const server = await replayed(t, { replay: wandering(7, 100), lockstep: 'yes', data });
  const { text } = await server.stream('channel=bets');
  await server.act({ action: 'step', until: at(30) });
  const response = await fetch(`${server.running.url}/api/v1/odds?limit=200`, { headers: { 'x-api-key': made } });
  assert.equal(response.status, 200);
  const { data: rows, updated_at } = (await response.json()) as {
    data: { id: string; odds_american: number; is_live: boolean }[];
    updated_at: string;
  };
  assert.equal(updated_at, at(30));
  assert.ok(rows.length > 0 && rows.every(({ is_live }) => !is_live), 'no game has begun');
  const { id, odds_american } = rows[0]!;
  const bet = { client_id: 'a', odds_id: id, stake: 1, odds_american, mode: 'paper' };
  const placed = await fetch(`${server.running.url}/api/v1/account/bets`, {
    method: 'POST',
    headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
    body: JSON.stringify({ bets: [bet] }),
  });
  assert.equal(placed.status, 201);
  // Without a message: what was told before is written.
  await server.act({ action: 'step', until: at(31) });
  await server.running.close();
  assert.deepEqual(
    eventsOf(await text).flatMap(({ event, at: time }) => (event === 'bets:filled' ? [time] : [])),
    [at(30)],
  );
});
