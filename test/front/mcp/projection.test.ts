import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Projection, type Schema } from '../../../src/front/mcp/projection.js';
import { atOnce } from '../../accounts/keys-at-once.js';
import { type AnyClient, call, connect } from './clients.js';
import { marketServer } from './market.js';

const number = { type: 'number' };
const text = { type: 'string' };
const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });

test('the named fields of lists, objects and records are shown in that order; null is omitted', () => {
  const projection = new Projection(['b', 'list.x', 'map.*.y', 'whole']);
  const data = [
    {
      a: 1,
      b: 2,
      list: [{ x: 1, z: 2 }, { x: null }],
      map: { one: { y: 1, z: 2 }, two: { z: 2 } },
      whole: { k: null },
    },
    { b: null },
  ];
  const body = projection.body({ success: true, data, updated_at: 'now' }, false);
  const first = { b: 2, list: [{ x: 1 }, {}], map: { one: { y: 1 }, two: {} }, whole: { k: null } };
  assert.deepEqual(body, { data: [first, {}], updated_at: 'now' });
  assert.deepEqual(Object.keys((body['data'] as object[])[0]!), ['b', 'list', 'map', 'whole']);
  assert.deepEqual(projection.body({ data }, true), { data });
});

test('page and meta show only what the caller does not know', () => {
  const pagination = { limit: 1, offset: 0, count: 1, total: 9, has_more: true, next_offset: 1 };
  const meta = { count: 1, total: 9, pagination, filters: {}, server_time: 't', ignored: ['x'], updated_at: 'now' };
  const body = new Projection([]).body({ data: [], pagination, meta, removed: ['1'] }, false);
  assert.deepEqual(body, {
    data: [],
    pagination: { total: 9, has_more: true, next_offset: 1 },
    removed: ['1'],
    removed_count: 1,
    meta: { server_time: 't', ignored: ['x'] },
  });
  const many = new Projection([]).body({ data: [], removed: Array(9_000).fill('1') }, false);
  assert.deepEqual(many, { data: [], removed: Array(50).fill('1'), removed_count: 9_000 });
  const byCursor = new Projection([]).body({ data: [], pagination: { ...pagination, next_cursor: 'c' } }, false);
  assert.deepEqual(byCursor['pagination'], { total: 9, has_more: true, next_cursor: 'c' });
});

test('the schema is that of the shown fields; alternatives are merged, and an unknown field is an error', () => {
  const rows = {
    anyOf: [
      { type: 'array', items: object({ a: number, line: { anyOf: [number, { type: 'null' }] } }) },
      { type: 'array', items: object({ odds: { type: 'array', items: object({ a: number }) }, word: { const: 'w' } }) },
    ],
  };
  assert.deepEqual(new Projection(['line', 'odds.a', 'word']).schema(rows), {
    type: 'array',
    items: object({ line: number, odds: { type: 'array', items: object({ a: number }) }, word: text }),
  });
  const record = object({ map: { type: 'object', patternProperties: { '^.*$': object({ y: number, z: text }) } } });
  assert.deepEqual(
    new Projection(['map.*.y']).schema(record),
    object({ map: { type: 'object', additionalProperties: object({ y: number }) } }),
  );
  assert.throws(() => new Projection(['colour']).schema(rows), /there is no colour in the schema/);
});

/** A client without validation, to see what is sent. */
async function market(t: Parameters<typeof marketServer>[0]): Promise<AnyClient> {
  const { server, url } = await marketServer(t);
  return await connect(t, url, atOnce(server.accounts).create({ tier: 'enterprise', requestsPerMinute: 10_000 }).key);
}

test("all tools together take less than 8,500 tokens, and an answer a fraction of its route's", async (t) => {
  const client = await market(t);
  const { tools } = await client.listTools();
  const tokens = JSON.stringify(tools).length / 4;
  assert.ok(tokens < 8_500 && tokens > 4_000, `${tokens} tokens`);
  const odds = await call(client, 'get_odds', { limit: 30 });
  const row = JSON.stringify(odds.structuredContent!['data']).length / 30;
  assert.ok(row < 350, `${row} characters a row`);
});

test('compare_odds has every book, for the main markets unless others are requested', async (t) => {
  const client = await market(t);
  const { content, structuredContent } = await call(client, 'compare_odds', { event: 'nba_celtics_lakers_2026-11-20' });
  assert.match(
    content[0]!.text!,
    /^- Boston Celtics fanduel -105, draftkings -120, betrivers -122, betmgm -125, pinnacle -128$/m,
  );
  const { markets } = structuredContent!['data'] as { markets: { market_type: string }[] };
  assert.deepEqual(
    markets.map(({ market_type }) => market_type),
    ['moneyline', 'total_points'],
  );
  const { inputSchema } = (await client.listTools()).tools.find(({ name }) => name === 'compare_odds')!;
  assert.equal((inputSchema.properties!['market'] as { default: unknown }).default, 'main');
});

test('since may be an age, a future is found by its list, and a chosen field is shown though the tool does not', async (t) => {
  const client = await market(t);
  const changed = await call(client, 'get_odds_delta', { since: '5m', limit: 3 });
  assert.match(changed.content[0]!.text!, /^3 of 30; /);
  assert.match((await call(client, 'get_odds_delta', { since: '5 s' })).content[0]!.text!, /^0 of 0/);
  assert.match(
    (await call(client, 'get_odds_delta', { since: '5 days' })).content[0]!.text!,
    /since must be an RFC 3339/,
  );
  const futures = await call(client, 'get_futures');
  const [{ market_id: id }] = futures.structuredContent!['data'] as [{ market_id: string }];
  assert.match((await call(client, 'get_futures_odds', { future_id: id })).content[0]!.text!, /^10 of 10/);
  const { structuredContent } = await call(client, 'get_odds', { fields: 'id,odds_probability', limit: 1 });
  assert.deepEqual(Object.keys((structuredContent!['data'] as object[])[0]!), ['id', 'odds_probability']);
});
