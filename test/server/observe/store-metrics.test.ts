// What /metrics says of alerts, bets and the disk.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { api, type Json } from '../../front/api.js';
import { ladder } from '../../front/stream-rig.js';
import { until } from '../../support/until.js';

test('alerts, bets, stores and the free disk are in the metrics', async (t) => {
  const made = await api(t);
  await made.ingest(ladder(1, 3, -110));
  const key = made.key('enterprise');
  const figures = async (): Promise<Record<string, number>> => {
    // Metrics are as they were at most a second ago.
    made.clock.set(made.clock.now() + 1_000);
    const text = await (await fetch(`${made.url}/metrics`)).text();
    const found = text.matchAll(/^overround_((?:alert_\w+|bets\w*|store_\w+|disk_\w+)(?:\{\w+="[\w-]+"\})?) (\S+)$/gm);
    return Object.fromEntries([...found].map(([, name, value]) => [name!, Number(value)]));
  };
  const bets = (found: Record<string, number>) =>
    ['waiting', 'open', 'settled'].map((state) => found[`bets{state="${state}"}`]);
  const post = async (path: string, body: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const response = await made.fetch(path, { key, method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(response.status, 201, await response.text());
  };
  const none = await figures();
  assert.equal(none['alert_rules{state="active"}'], 0);
  assert.equal(none['bets_recorded'], 0);
  assert.deepEqual(bets(none), [0, 0, 0]);
  const target = { type: 'webhook', url: 'https://example.com/' };
  await post('/account/alerts', { name: 'a', channel: 'ev', target });
  const { data } = (await (await made.fetch('/odds?limit=1', { key })).json()) as Json;
  const bet = { odds_id: data[0].id, odds_american: -110, stake: 10, mode: 'placed' };
  await post('/account/bets', {
    bets: [
      { client_id: 'one', ...bet },
      { client_id: 'two', ...bet },
    ],
  });
  const some = await figures();
  assert.deepEqual(
    ['alert_rules{state="active"}', 'alert_rules{state="off"}', 'alert_messages_total', 'alert_messages_waiting'].map(
      (name) => some[name],
    ),
    [1, 0, 0, 0],
  );
  assert.deepEqual([some['alert_failed_attempts'], some['bets_recorded']], [0, 2]);
  assert.deepEqual(bets(some), [0, 2, 0]);
  const [{ id }] = ((await (await made.fetch('/account/bets?limit=1', { key })).json()) as Json).data;
  assert.equal((await made.fetch(`/account/bets/${id}`, { key, method: 'DELETE' })).status, 200);
  assert.deepEqual(bets(await figures()), [0, 1, 0]);
  for (const store of ['odds', 'control']) assert.ok(some[`store_bytes{store="${store}"}`]! > 0, store);
  assert.ok(some['disk_free_bytes']! > 0);
});

test('how far history is behind what was committed is in the metrics', async (t) => {
  const made = await api(t, { history: '30' });
  const lag = async (): Promise<number> => {
    made.clock.set(made.clock.now() + 1_000);
    const text = await (await fetch(`${made.url}/metrics`)).text();
    return Number(/^overround_history_lag_seconds (\S+)$/m.exec(text)![1]);
  };
  await made.ingest(ladder(1, 3, -110));
  await until('it is written', async () => (await lag()) === 0);
  // It may write just then.
  let price = -120;
  await until('an hour later in the log than what is written', async () => {
    made.clock.set(made.clock.now() + 3_600_000);
    await made.ingest(ladder(1, 3, price--));
    return (await lag()) > 3_000;
  });
});
