// Which answers a cache between server and client may keep: none that depends on a key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAKERS } from './api/serving.js';
import { api, fillWorld, type Json } from './api.js';

/** Documents and pages that are the same for everybody. */
const PUBLIC = ['/openapi.json', '/asyncapi.json'];

test('no answer to a key may be kept for others, and neither may errors and new keys', async (t) => {
  const made = await api(t);
  await fillWorld(made);
  const key = made.key('enterprise', { streaming: true, features: ['low_hold'] });
  const document = (await (await made.fetch('/openapi.json')).json()) as { paths: Record<string, Json> };
  const query = 'event=x&event_id=x&future_id=x&since=2026-11-20T17:00:00Z';
  for (const path of Object.keys(document.paths)) {
    if (document.paths[path]['get'] === undefined || PUBLIC.includes(path)) continue;
    const filled = path.replace(/\{eventId\}/, LAKERS).replace(/\{\w+\}/, 'x');
    for (const by of [key, undefined, 'sk_live_nonsense']) {
      const stop = new AbortController();
      const response = await made.fetch(`${filled}?${query}`, { key: by, signal: stop.signal });
      const caching = response.headers.get('cache-control') ?? '';
      const what = `${path} ${response.status} ${caching}`;
      assert.match(caching, /\b(?:no-store|private)\b|^no-cache, no-transform$/, what);
      if (by === key && response.headers.get('x-tier') !== null)
        assert.equal(response.headers.get('vary'), 'X-API-Key, Authorization, Accept-Encoding', what);
      stop.abort();
    }
  }
  const created = await made.fetch('/account/keys', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json' },
    body: '{"name":"x"}',
  });
  assert.deepEqual([created.status, created.headers.get('cache-control')], [201, 'no-store']);
  const csv = await made.fetch('/odds?format=csv', { key });
  assert.match(csv.headers.get('cache-control')!, /private/);
  const etag = (await made.fetch('/odds', { key })).headers.get('etag')!;
  const same = await made.fetch('/odds', { key, headers: { 'if-none-match': etag } });
  assert.deepEqual([same.status, same.headers.get('vary')], [304, 'X-API-Key, Authorization, Accept-Encoding']);
});
