// Every route and every message of a WebSocket stands in the table of what bounds it, and is counted, or is owed little.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PingMessage, SubscribeMessage, UnsubscribeMessage } from '../../src/schema/stream.js';
import { api, documentOf } from './api.js';

/** Beside the documented ones. */
const OTHERS = [
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /metrics/recent',
  'GET /docs',
  'GET /dashboard',
  'POST /mcp',
  'GET /ws',
];
/** What answers without a key, and counts for nobody. */
const UNCOUNTED = new Set(['/openapi.json', '/asyncapi.json']);

interface Row {
  routes: string[];
  cells: string[];
}

function rows(): Row[] {
  const page = readFileSync('docs/project/limits.md', 'utf8');
  const table = /<!-- bounds -->\n([\s\S]*?)\n<!-- \/bounds -->/.exec(page)![1]!;
  return table
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .map((cells) => ({ cells, routes: [...cells[0]!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!) }));
}

test('the table of bounds has every route and every message once, each with its cost and its bound', async (t) => {
  const document = await documentOf(await api(t));
  const routes = document.operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  const messages = [SubscribeMessage, UnsubscribeMessage, PingMessage].map(({ properties }) => properties.type.const);
  const shown = rows();
  assert.deepEqual(shown.flatMap((row) => row.routes).sort(), [...routes, ...OTHERS, ...messages].sort());
  for (const { cells } of shown) {
    assert.equal(cells.length, 4, cells[0]);
    assert.ok(cells[2] !== '' && cells[3] !== '', cells[0]);
  }
});

test('every route needs a key or counts for the caller’s address, but for the documents', async (t) => {
  const made = await api(t);
  const { operations } = await documentOf(made);
  for (const { method, path, spec } of operations) {
    if (method !== 'get' || UNCOUNTED.has(path)) continue;
    const response = await made.fetch(path.replace(/\{\w+\}/g, 'x'), { redirect: 'manual' });
    await response.body?.cancel();
    const counts = response.status === 401 || response.headers.has('x-ratelimit-limit');
    // Deep links and probes count for addresses other than this machine's.
    assert.ok(counts || ['/deeplink/{id}', '/health'].includes(path), `${path}: ${response.status} ${spec.summary}`);
  }
});

test('every body is bounded in bytes and its lists in length', async (t) => {
  const made = await api(t);
  const key = made.key('enterprise', { scopes: ['ingest'] });
  const { operations } = await documentOf(made);
  for (const { method, path, spec } of operations) {
    const types = Object.keys(spec.requestBody?.content ?? {});
    if (types.length === 0 || path === '/ingest') continue;
    const response = await made.fetch(path.replace(/\{\w+\}/g, 'x'), {
      key,
      method: method.toUpperCase(),
      headers: { 'content-type': types[0]! },
      body: `[${'1,'.repeat(150_000)}1]`,
    });
    await response.body?.cancel();
    assert.equal(response.status, 413, `${method} ${path}`);
  }
});
