// The channel `results` from outside: what became of games over SSE and WebSocket, updates, resume, a restart.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../support/until.js';
import { newFolder } from '../temp-folders.js';
import { LAKERS } from './api/serving.js';
import { type Api, api, fillWorld, type Json } from './api.js';
import { RawSse } from './stream-rig.js';
import { RawWs } from './ws/raw-ws.js';

async function world(t: TestContext, flags: Record<string, string> = {}): Promise<Api> {
  const made = await api(t, flags);
  await fillWorld(made);
  return made;
}

const say = (made: Api, home_score: number, status = 'live', event_id = LAKERS, at = home_score) =>
  made.ingest({
    source: 'league',
    results: [
      { event_id, status, home_score, away_score: 0, at: new Date(Date.UTC(2026, 10, 20, 17, at)).toISOString() },
    ],
  });

const listed = async (made: Api, key: string, query = ''): Promise<Json[]> =>
  ((await (await made.fetch(`/results?limit=200${query}`, { key })).json()) as Json).data;

const heatOf = async (made: Api, key: string): Promise<string> =>
  ((await (await made.fetch('/events?q=heat', { key })).json()) as Json).data[0].event_id;

test('a stream of results begins with those there are, follows every change, and is what GET /results shows', async (t) => {
  const made = await world(t);
  const key = made.key('hobby', { streaming: true });
  await say(made, 1);
  const sse = new RawSse(made, '/stream?channel=results', key);
  const ws = new RawWs(made, { api_key: key, channels: 'results' });
  const packed = new RawWs(made, { api_key: key, channels: 'results' }, ['overround.msgpack']);
  const others = new RawWs(made, { api_key: key, channels: 'results', league: 'nfl' });
  const tables = [sse.table, ws.table, packed.table];
  for (const each of [sse, ws, packed, others]) await until('complete', () => each.table.complete);
  const same = async () => {
    const wanted = await listed(made, key);
    for (const { results } of tables)
      await until('the same as the list', () =>
        wanted.every((item) => JSON.stringify(results.get(item.event_id)) === JSON.stringify(item)),
      );
    assert.deepEqual(
      tables.map(({ results }) => results.size),
      tables.map(() => wanted.length),
    );
  };
  await same();
  const heat = await heatOf(made, key);
  await say(made, 2);
  await say(made, 3, 'final', heat);
  await same();
  assert.equal(ws.table.results.get(heat)?.status, 'final');
  const sent = ws.types.length;
  await say(made, 3, 'final', heat, 4);
  await say(made, 5);
  await same();
  assert.deepEqual(ws.types.slice(sent), ['results:updated'], 'the same again is no news');
  assert.equal(others.table.results.size, 0, 'another league');
  sse.vanish();
  for (const { socket } of [ws, packed, others]) socket.terminate();
});

test('a stream of results resumes with what changed since, also after a restart of the server', async (t) => {
  const data = newFolder();
  const before = await world(t, { data });
  const key = before.key('enterprise');
  const heat = await heatOf(before, key);
  await say(before, 1);
  const ws = new RawWs(before, { api_key: key, channels: 'results' });
  const sse = new RawSse(before, '/stream/results', key);
  await until('complete', () => ws.table.complete && sse.table.complete);
  await say(before, 2);
  await until('the second', () => [ws, sse].every(({ table }) => table.results.get(LAKERS)?.home_score === 2));
  const [from_seq, id] = [String(ws.position), sse.ids.at(-1)!];
  sse.vanish();
  ws.socket.terminate();
  await say(before, 3, 'live', heat);
  await before.close();

  const after = await api(t, { data });
  await say(after, 4, 'final', heat);
  const again = new RawWs(after, { api_key: key, channels: 'results', resume: 'true', from_seq });
  await again.frame('snapshot:complete');
  assert.equal((await again.frame('subscribed'))['resumed'], true);
  assert.deepEqual(
    [...again.table.results.values()].map(({ event_id, home_score, status }) => [event_id, home_score, status]),
    [[heat, 4, 'final']],
    'only what changed since',
  );
  const resumed = new RawSse(after, '/stream/results?resume=true', key, { 'last-event-id': `evt_${id}` });
  await until('the missed result', () => resumed.table.results.size > 0);
  assert.deepEqual([...resumed.table.results.keys()], [heat]);
  resumed.vanish();
  again.socket.terminate();
  // Before its folder is removed.
  await after.close();
});
