import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, message, moneyline } from '../intake/ingest/messages.js';
import { stopwatch } from '../support/own-time.js';
import { NOW } from './api/serving.js';
import { api } from './api.js';

const poll = (home: number) => message([event([moneyline(home, -130)])], { book: 'draftkings', polled_at: NOW });

test('a write returns a position, and a read with that min_position shows what was written and its own position', async (t) => {
  const { server, key, fetch, ingest } = await api(t);
  const [own, free] = [key('enterprise', { scopes: ['ingest'] }), key('free')];
  const post = async (home: number): Promise<number> => {
    const body = JSON.stringify(poll(home));
    const response = await fetch('/ingest', {
      method: 'POST',
      key: own,
      body,
      headers: { 'content-type': 'application/json' },
    });
    return ((await response.json()) as { position: number }).position;
  };
  const position = await post(110);
  assert.equal(position, server.engine.table.position);
  const read = await fetch(`/odds?min_position=${position}`, { key: own });
  assert.equal(read.status, 200);
  assert.equal(read.headers.get('x-position'), String(position));
  assert.equal(((await read.json()) as { meta: { ignored?: string[] } }).meta.ignored, undefined);
  const nothing = await post(110);
  assert.ok(nothing >= position, 'also where nothing changed');

  const early = fetch(`/odds?min_position=${nothing + 1}`, { key: own });
  await ingest(poll(-150));
  const late = await early;
  assert.equal(late.status, 200, 'it waits for what is to come');
  assert.ok(Number(late.headers.get('x-position')) > position);

  const [never, delayed] = await Promise.all([
    fetch(`/odds?min_position=${Number.MAX_SAFE_INTEGER}`, { key: own }),
    fetch(`/odds?min_position=${position}`, { key: free }),
  ]);
  for (const response of [never, delayed]) {
    assert.equal(response.status, 503);
    assert.equal(response.headers.get('retry-after'), '1');
    assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'behind');
  }
  assert.ok(Number(delayed.headers.get('x-position')) < position, 'the Free tier reads a table that is late');
  const keyless = await fetch(`/sports?min_position=${position}`);
  assert.equal(keyless.status, 200, 'what is read without a key is not late');
  const passed = stopwatch(t);
  const ahead = await Promise.all(
    ['/sports', '/deeplink/1'].map((path) => fetch(`${path}?min_position=${Number.MAX_SAFE_INTEGER}`)),
  );
  assert.ok(passed() < 1_500, 'nothing waits without a key');
  for (const response of ahead) assert.equal(response.status, 503);
  assert.equal((await fetch('/odds?min_position=soon', { key: own })).status, 400);
});

test('health shows the position of this process in the log', async (t) => {
  const { server, fetch, ingest } = await api(t);
  await ingest(poll(110));
  const { cluster } = (await (await fetch('/health')).json()) as { cluster: Record<string, unknown> };
  const { writer, ...rest } = cluster;
  assert.deepEqual(rest, { role: 'all', position: server.engine.table.position, lag_ms: 0, fronts: 0 });
  assert.equal(typeof writer, 'string');
});
