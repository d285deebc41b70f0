import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../src/base/model/clock.js';
import { mcpRoutes } from '../../../src/front/mcp/endpoint.js';
import { call, connect, GENERATIONS, post, toolCall } from './clients.js';
import { echoing, echoRoutes, READING } from './echoes.js';

const unlisted = (tool: string) => READING.find(({ name }) => name === tool)?.unlisted ?? [];

const NAMES = [
  'get_sports',
  'get_leagues',
  'get_sportsbooks',
  'get_markets',
  'get_events',
  'get_odds',
  'get_odds_delta',
  'get_best_odds',
  'compare_odds',
  'get_odds_history',
  'get_closing_odds',
  'get_clv',
  'find_ev_opportunities',
  'find_arbitrage',
  'find_middles',
  'find_low_hold',
  'get_moves',
  'get_splits',
  'get_futures',
  'get_futures_odds',
  'get_results',
  'get_account_info',
  'get_bets',
  'get_bets_summary',
  'get_predictions',
  'get_alerts',
];

for (const generation of GENERATIONS) {
  test(`${generation}: exactly the documented tools are listed, each with both schemas and a description`, async (t) => {
    const { url, key } = await echoing(t);
    const client = await connect(t, url, key('free'), generation);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      NAMES,
    );
    for (const { name, title, description, inputSchema, outputSchema } of tools) {
      assert.ok(title && description, name);
      assert.deepEqual(
        Object.keys(inputSchema.properties ?? {}),
        ['sport', 'since', 'live', 'min_odds', 'limit'].filter((one) => !unlisted(name).includes(one)),
        name,
      );
      assert.equal(inputSchema.required, undefined, 'a parameter with a default need not be given');
      assert.equal(outputSchema?.['type'], 'object', name);
    }
  });

  test(`${generation}: every tool has its route’s answer as structured content`, async (t) => {
    const { url, key, get } = await echoing(t);
    const enterprise = key('enterprise');
    const client = await connect(t, url, enterprise, generation);
    await client.listTools();
    for (const name of NAMES) {
      const result = await call(client, name, { sport: 'soccer', limit: 3, live: true, min_odds: -110.5 });
      const { path } = result.structuredContent!['data'] as { path: string };
      const rest = await get(`/api/v1${path}?sport=soccer&limit=3&live=true&min_odds=-110.5`, enterprise);
      const { data, updated_at } = (await rest.json()) as Record<string, unknown>;
      assert.deepEqual(result.structuredContent, { data, updated_at }, name);
      assert.equal(result.isError, undefined);
      assert.match(result.content[0]!.text!, /soccer/);
    }
  });

  test(`${generation}: an error of the route is an error result with its code, message and tier`, async (t) => {
    const { url, key } = await echoing(t);
    const client = await connect(t, url, key('free'), generation);
    await client.listTools();
    const refused = await call(client, 'find_ev_opportunities');
    assert.equal(refused.isError, true);
    const { error } = refused.structuredContent as { error: Record<string, unknown> };
    assert.deepEqual([error['code'], error['tier']], ['tier_restricted', 'pro']);
    assert.match(refused.content[0]!.text!, /^tier_restricted: .*\(tier: pro\)$/);
    const bad = await call(client, 'get_odds', { limit: 201 });
    assert.equal(bad.isError, true);
    assert.match(bad.content[0]!.text!, /^invalid_request: limit /);
  });

  test(`${generation}: an unknown tool and a name or arguments of another type are JSON-RPC errors`, async (t) => {
    const { url, key } = await echoing(t);
    const client = await connect(t, url, key('pro'), generation);
    await assert.rejects(call(client, 'get_rich'), { code: -32602, message: /there is no tool get_rich/ });
    await assert.rejects(client.callTool({ name: 'get_odds', arguments: [] as never }), { code: -32602 });
  });
}

test('a tool without its route, or a route without a schema of its answer, stops the start', () => {
  const deps = { clock: new ManualClock(0), version: '0.0.1', host: '127.0.0.1', trustProxy: false };
  const routes = echoRoutes();
  assert.throws(() => mcpRoutes(deps, routes.slice(1)), /get_sports has no route: GET \/api\/v1\/sports/);
  const { response: _, ...mute } = routes[0]!;
  assert.throws(() => mcpRoutes(deps, [mute, ...routes.slice(1)]), /\/sports has no schema of its answer/);
});

test('arguments are read as the route reads its parameters', async (t) => {
  const { url, key } = await echoing(t);
  const client = await connect(t, url, key('pro'));
  const asked = async (args: Record<string, unknown>) => {
    const { structuredContent } = await call(client, 'get_odds', args);
    return structuredContent!['data'] as { query: Record<string, unknown>; ignored: string[] };
  };
  assert.deepEqual((await asked({})).query, { limit: 50, format: 'json' });
  assert.deepEqual((await asked({ limit: '7', live: 'false' })).query, { limit: 7, live: false, format: 'json' });
  assert.equal((await asked({ sport: ['soccer', 'tennis'] })).query['sport'], 'soccer,tennis');
  assert.equal((await asked({ sport: 'A&W = 100% + ü' })).query['sport'], 'A&W = 100% + ü');
  assert.equal((await asked({ since: '2026-11-20T19:00:00+01:00' })).query['since'], '2026-11-20T19:00:00+01:00');
  assert.deepEqual((await asked({ sport: null, limit: null })).query, { limit: 50, format: 'json' });
  assert.deepEqual((await asked({ colour: 'blue' })).ignored, ['colour']);
  assert.deepEqual(await asked({ format: 'csv' }), await asked({}), 'a table as text is no structured content');
});

test('bad arguments are error results that name the argument', async (t) => {
  const { url, key } = await echoing(t);
  const client = await connect(t, url, key('pro'));
  for (const [args, complaint] of [
    [{ limit: 0 }, /limit/],
    [{ limit: 'abc' }, /limit/],
    [{ live: 'maybe' }, /live/],
    [{ since: 'yesterday' }, /since must be an RFC 3339 time/],
    [{ sport: { id: 'soccer' } }, /sport must be text, a number, true or false, or a list of these/],
    [{ sport: [['soccer']] }, /sport must be/],
    [{ sport: 'a\0b' }, /NUL/],
  ] as const) {
    const { isError, structuredContent } = await call(client, 'get_odds', args);
    const { error } = structuredContent as { error: { code: string; message: string } };
    assert.deepEqual([isError, error.code], [true, 'invalid_request']);
    assert.match(error.message, complaint);
  }
});

test('a key in the arguments is ignored: the caller is that of the request', async (t) => {
  const { url, key } = await echoing(t);
  const client = await connect(t, url, key('free'));
  const { structuredContent } = await call(client, 'get_odds', { api_key: key('enterprise') });
  const { tier, ignored } = structuredContent!['data'] as { tier: string; ignored: string[] };
  assert.deepEqual([tier, ignored], ['free', []]);
});

test('an exception in a route is an error result without details, and is logged', async (t) => {
  const { url, key, logged } = await echoing(t);
  const client = await connect(t, url, key('pro'));
  const result = await call(client, 'get_odds', { sport: 'boom' });
  assert.equal(result.isError, true);
  assert.equal(result.content[0]!.text, 'internal_error: internal error');
  assert.equal(logged.filter((line) => line.includes('the secret inside')).length, 1);
});

test('a feature the key lacks is forbidden, and with it the tool answers', async (t) => {
  const { url, key } = await echoing(t);
  const codeOf = async (apiKey: string) => {
    const { structuredContent } = await call(await connect(t, url, apiKey), 'find_low_hold');
    return (structuredContent as { error?: { code: string } }).error?.code;
  };
  assert.equal(await codeOf(key('pro')), 'forbidden');
  assert.equal(await codeOf(key('pro', { features: ['low_hold'] })), undefined);
});

test('each call counts as a request, whichever way it is sent', async (t) => {
  const { url, key, get, usage, accounts } = await echoing(t);
  const free = key('free');
  const client = await connect(t, url, free);
  await client.listTools();
  for (let i = 0; i < 5; i++) assert.equal((await call(client, 'get_odds')).isError, undefined);
  assert.equal((await get('/api/v1/odds', free)).headers.get('x-ratelimit-remaining'), '6');
  const list = await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { 'x-api-key': free });
  assert.equal(list.headers.get('x-ratelimit-remaining'), '6', 'what is no call costs nothing, and tells what is left');
  const batch = await post(
    url,
    Array.from({ length: 5 }, () => toolCall('get_sports')),
    { 'x-api-key': free },
  );
  assert.equal(batch.headers.get('x-ratelimit-remaining'), '1');
  assert.equal(((await batch.json()) as unknown[]).length, 5);
  assert.equal((await call(client, 'find_arbitrage')).isError, true, 'a refusal of the route is a request, too');
  const spent = await call(client, 'get_odds');
  assert.equal(spent.isError, true);
  const { error } = spent.structuredContent as { error: { code: string; message: string; retryAfter: number } };
  assert.deepEqual([error.code, error.retryAfter], ['rate_limited', 30]);
  assert.match(spent.content[0]!.text!, /try again in 30 s/);
  assert.equal((await get('/api/v1/odds', free)).status, 429);
  const { account } = accounts.authenticate(free)!;
  assert.equal(usage.read(account).today, 12, 'what was refused for the limit is no request');
  assert.equal((await client.listTools()).tools.length, NAMES.length, 'the protocol itself goes on');
});

test('some calls of a batch may be over the limit and the others answered', async (t) => {
  const { url, key } = await echoing(t);
  const calls = Array.from({ length: 15 }, () => toolCall('get_odds'));
  const answers = (await (await post(url, calls, { 'x-api-key': key('free') })).json()) as {
    id: number;
    result: { isError?: boolean };
  }[];
  assert.deepEqual(answers.map(({ id }) => id).sort(), calls.map(({ id }) => id).sort());
  assert.equal(answers.filter(({ result }) => result.isError === true).length, 3);
});
