// Every operation, channel, tool and kind of alert with every tier, compared with what GET /tiers states. One without an
// entry here fails.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { NewKey } from '../../src/accounts/key-commands.js';
import { ALERT_CHANNELS } from '../../src/base/model/alert.js';
import { CHANNEL_NAMES } from '../../src/base/model/stream-channels.js';
import { TOOLS } from '../../src/front/mcp/tool-table.js';
import { FEATURES } from '../../src/rules/catalogue/tiers.js';
import { TIERS, type Tier } from '../../src/rules/catalogue/types.js';
import type { TierRights } from '../../src/schema/reference.js';
import { atOnce } from '../accounts/keys-at-once.js';
import { until } from '../support/until.js';
import { type Api, api, type Json } from './api.js';
import { RawWs } from './ws/raw-ws.js';

/** `open`: without a key; a list: the rights it needs, in the order in which they are checked; `ingest`: the scope. */
type Need = 'open' | 'ingest' | readonly string[];
const KEY: Need = [];

const ROUTES: Record<string, Need> = {
  'GET /asyncapi.json': 'open',
  'GET /deeplink/{id}': 'open',
  'GET /health': 'open',
  'GET /leagues': 'open',
  'GET /markets': 'open',
  'GET /openapi.json': 'open',
  'GET /sports': 'open',
  'GET /sportsbooks': 'open',
  'GET /tiers': 'open',
  'GET /warnings': 'open',
  'POST /ingest': 'ingest',
  'GET /ingest/unmatched': 'ingest',
  'DELETE /account/alerts/{id}': ['alerts'],
  'PATCH /account/alerts/{id}': ['alerts'],
  'POST /account/alerts/{id}/test': ['alerts'],
  'DELETE /account/bets/{id}': ['bets'],
  'GET /account/bankroll': ['bets'],
  'GET /account/bets': ['bets'],
  'GET /account/bets/summary': ['bets'],
  'GET /account/bets/{id}': ['bets'],
  'PATCH /account/bets/{id}': ['bets'],
  'POST /account/bets': ['bets'],
  'POST /account/bets/csv': ['bets'],
  'PUT /account/bankroll': ['bets'],
  'DELETE /account/keys/{keyId}': KEY,
  'GET /account': KEY,
  'GET /account/alerts': ['alerts'],
  'GET /account/keys': KEY,
  'GET /account/usage': KEY,
  'GET /events': KEY,
  'GET /events/{eventId}': KEY,
  'GET /events/{eventId}/markets': KEY,
  'GET /events/{eventId}/odds': KEY,
  'GET /futures': KEY,
  'GET /futures/odds': KEY,
  'GET /gamestate': ['game_state'],
  'GET /gamestate/{sport}': ['game_state'],
  'GET /historical/clv': ['clv'],
  'GET /historical/odds/closing': ['closing_day'],
  'GET /historical/predictions': ['clv'],
  'GET /leagues/{leagueId}': KEY,
  'GET /moves': ['moves'],
  'GET /odds': KEY,
  'GET /odds/best': KEY,
  'GET /odds/closing': ['history'],
  'GET /odds/comparison': KEY,
  'GET /odds/delta': KEY,
  'GET /odds/executable': KEY,
  'GET /odds/history': ['history'],
  'GET /odds/opening': ['history'],
  'GET /opportunities/arbitrage': ['arbitrage'],
  'GET /opportunities/ev': ['ev'],
  'GET /opportunities/low_hold': ['low_hold'],
  'GET /opportunities/middles': ['middles'],
  'GET /opportunities/middles/summary': ['middles'],
  'GET /opportunities/middles/{id}': ['middles'],
  'GET /results': KEY,
  'GET /splits': KEY,
  'GET /splits/history': KEY,
  'GET /sports/{sportId}': KEY,
  'GET /sportsbooks/{bookId}': KEY,
  'GET /stream': ['streaming'],
  'GET /stream/events/{eventId}': ['streaming'],
  'GET /stream/gamestate': ['streaming', 'game_state'],
  'GET /stream/moves': ['streaming', 'moves'],
  'GET /stream/odds': ['streaming'],
  'GET /stream/bets': ['streaming', 'bets'],
  'GET /stream/opportunities': ['streaming'],
  'GET /stream/results': ['streaming'],
  'GET /teams': KEY,
  'POST /account/alerts': ['alerts'],
  'POST /account/keys': KEY,
  'POST /account/keys/{keyId}/rotate': KEY,
  'POST /account/tokens': KEY,
  'POST /clv': ['clv'],
  'POST /deeplinks/batch': ['deep_links'],
  'POST /grade': ['grading'],
  'POST /odds/batch': KEY,
  'POST /replay': 'ingest',
};

const CHANNELS: Record<(typeof CHANNEL_NAMES)[number], readonly string[]> = {
  odds: [],
  ev: ['ev'],
  arbitrage: ['arbitrage'],
  middles: ['middles'],
  low_hold: ['low_hold'],
  moves: ['moves'],
  gamestate: ['game_state'],
  results: [],
  bets: ['bets'],
};
/** Words for several channels: those of them that the key may see. */
const SEVERAL = ['opportunities', 'all'];

let made: Api;
let tiers: TierRights[];
let operations: Json;
const endings: (() => Promise<void> | void)[] = [];

before(async () => {
  made = await api({ after: (end: () => Promise<void> | void) => void endings.push(end) } as never);
  tiers = ((await (await made.fetch('/tiers')).json()) as Json).data;
  operations = ((await (await made.fetch('/openapi.json')).json()) as Json).paths;
});
after(async () => {
  for (const end of endings) await end();
});

const KEYS: Record<string, Partial<NewKey>> = {
  plain: {},
  streaming: { streaming: true },
  full: { streaming: true, features: [...FEATURES], scopes: ['read', 'ingest'] },
};

/** `ok`, or the error as the table has it: the code and the lowest tier with the right. */
function expected(tier: Tier, addons: Partial<NewKey>, needs: readonly string[]): string {
  const row = tiers.find(({ id }) => id === tier)!;
  for (const need of needs) {
    if (row.features.includes(need as never)) continue;
    const has = need === 'streaming' ? addons.streaming : addons.features?.includes(need as never);
    if (row.addons.includes(need as never)) {
      if (has) continue;
      return 'forbidden';
    }
    const lowest = tiers.find(({ features, addons }) => [...features, ...addons].includes(need as never));
    return `tier_restricted ${lowest!.id}`;
  }
  return 'ok';
}

function outcome(error: { code: string; tier?: string } | undefined): string {
  if (error?.code === 'tier_restricted') return `tier_restricted ${error.tier}`;
  const refusals = ['forbidden', 'unauthorized', 'rate_limited', 'stream_limit_exceeded'];
  return error !== undefined && refusals.includes(error.code) ? error.code : 'ok';
}

async function ask(method: string, path: string, key?: string, body?: object): Promise<string> {
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) };
  const response = await made.fetch(path, { method, key, ...(method === 'POST' ? json : {}) });
  if (response.status < 400) {
    await response.body?.cancel();
    return 'ok';
  }
  return outcome(((await response.json()) as Json).error);
}

test('the table states every tier as it is', () => {
  const shown = tiers.map(({ id, requests_per_minute, data_delay_seconds, max_books, stream_slots, limits }) => [
    id,
    requests_per_minute,
    data_delay_seconds,
    max_books,
    stream_slots,
    limits['batch_events'],
    limits['alert_rules'],
    limits['history_seconds'],
  ]);
  assert.deepEqual(shown, [
    ['free', 12, 60, 2, 0, 10, 0, 0],
    ['hobby', 120, 0, 5, 10, 10, 0, 0],
    ['pro', 300, 0, 15, 10, 50, 10, 86_400],
    ['sharp', 1000, 0, null, 10, 50, 50, 604_800],
    ['enterprise', 6000, 0, null, 100, 100, 500, null],
  ]);
  const rights = new Set(tiers.flatMap(({ features, addons }) => [...features, ...addons]));
  const needed = [...Object.values(ROUTES).filter((need) => typeof need === 'object'), ...Object.values(CHANNELS)];
  assert.deepEqual([...rights].sort(), [...new Set([...needed.flat(), 'openings'])].sort());
});

test('every operation is open to exactly the tiers and keys of the table', async () => {
  const listed = Object.entries(operations).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(listed.sort(), Object.keys(ROUTES).sort());
  for (const tier of TIERS)
    for (const [name, addons] of Object.entries(KEYS)) {
      const key = made.key(tier, addons);
      for (const [operation, need] of Object.entries(ROUTES)) {
        const [method, path] = operation.split(' ') as [string, string];
        const scoped = addons.scopes?.includes('ingest') ? 'ok' : 'forbidden';
        const wanted = need === 'ingest' ? scoped : need === 'open' ? 'ok' : expected(tier, addons, need);
        const asked = path.replaceAll(/\{\w+\}/g, '0123456789abcdef');
        assert.equal(await ask(method, asked, key), wanted, `${operation} with ${tier}, ${name}`);
      }
    }
  for (const [operation, need] of Object.entries(ROUTES)) {
    const [method, path] = operation.split(' ') as [string, string];
    const answered = await ask(method, path.replaceAll(/\{\w+\}/g, 'x'));
    assert.equal(answered === 'unauthorized', need !== 'open', operation);
  }
});

test('every channel is open by SSE and by WebSocket to exactly the tiers and keys of the table', async () => {
  const { parameters } = operations['/stream'].get;
  const inQuery = parameters.find(({ name }: Json) => name === 'channel').schema;
  const bySse: string[] = inQuery.enum ?? inQuery.anyOf.map((each: Json) => each.const);
  assert.deepEqual([...bySse].sort(), [...CHANNEL_NAMES, ...SEVERAL].sort());
  assert.deepEqual(Object.keys(CHANNELS), [...CHANNEL_NAMES]);
  for (const tier of TIERS)
    for (const addons of [KEYS['streaming']!, KEYS['full']!]) {
      const key = made.key(tier, addons);
      for (const name of bySse) {
        const needs = ['streaming', ...(SEVERAL.includes(name) ? [] : CHANNELS[name as 'odds'])];
        assert.equal(
          await ask('GET', `/stream?channel=${name}`, key),
          expected(tier, addons, needs),
          `${tier} ${name}`,
        );
      }
      const { channels } = tiers.find(({ id }) => id === tier)!;
      const socket = new RawWs(made, { api_key: key });
      if (expected(tier, addons, ['streaming']) !== 'ok') {
        await until('refused', () => socket.closed !== null);
        assert.equal(socket.reason, 'tier_restricted');
        assert.deepEqual(channels, []);
        continue;
      }
      await socket.frame('connected');
      const open: string[] = [];
      for (const [i, name] of [...CHANNEL_NAMES, ...SEVERAL].entries()) {
        const from = socket.frames.length;
        socket.say({ type: 'subscribe', id: i + 1, channels: [name] });
        const wanted = expected(tier, addons, SEVERAL.includes(name) ? [] : CHANNELS[name as 'odds']);
        if (wanted === 'ok') await socket.frame('subscribed', from);
        else assert.equal((await socket.frame('error', from))['code'], wanted.split(' ')[0], `${tier} ${name}`);
        if (wanted === 'ok' && !SEVERAL.includes(name)) open.push(name);
      }
      if (addons === KEYS['streaming']) assert.deepEqual(channels, open);
      socket.socket.terminate();
    }
});

test('every tool and every kind of alert is open to exactly the tiers and keys of the table', async () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const call = async (key: string, name: string): Promise<Json> => {
    const params = { name, arguments: {} };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const response = await fetch(`${made.url}/mcp`, {
      method: 'POST',
      body,
      headers: { ...headers, 'x-api-key': key },
    });
    return ((await response.json()) as Json).result;
  };
  for (const tier of TIERS)
    for (const addons of [KEYS['plain']!, KEYS['full']!]) {
      const key = made.key(tier, addons);
      for (const { name, path } of TOOLS) {
        const need = ROUTES[`GET ${path.replaceAll(/:(\w+)/g, '{$1}')}`];
        assert.ok(need !== undefined, name);
        const wanted = typeof need === 'string' ? 'ok' : expected(tier, addons, need);
        const { isError, structuredContent } = await call(key, name);
        assert.equal(outcome(isError ? structuredContent.error : undefined), wanted, `${name} with ${tier}`);
      }
      for (const channel of ALERT_CHANNELS) {
        // Without a bot, so that none is made.
        const rule = { name: 'x', channel, target: { type: 'telegram', chat: 'x' } };
        const wanted = expected(tier, addons, ['alerts', ...CHANNELS[channel]]);
        assert.equal(await ask('POST', '/account/alerts', key, rule), wanted, `${channel} with ${tier}`);
      }
    }
});

test('requests, delay, books and batches are those of the table', async () => {
  const listed = ((await (await made.fetch('/sportsbooks?catalog=true')).json()) as Json).data;
  for (const row of tiers) {
    const key = atOnce(made.server.accounts).create({ tier: row.id }).key;
    const { headers } = await made.fetch('/odds', { key });
    assert.equal(headers.get('x-ratelimit-limit'), `${row.requests_per_minute}`, row.id);
    assert.equal(headers.get('x-data-delay'), `${row.data_delay_seconds}`, row.id);
    const unlimited = made.key(row.id);
    const open: string[] = [];
    for (const { id } of listed)
      if ((await ask('GET', `/odds?limit=1&sportsbook=${id}`, unlimited)) === 'ok') open.push(id);
    assert.deepEqual(open.sort(), [...(row.books ?? listed.map(({ id }: Json) => id))].sort(), row.id);
    if (row.books !== null) assert.equal(row.books.length, row.max_books);
    const batch = async (count: number) => {
      const body = { event_ids: Array.from({ length: count }, (_, i) => `nba_x_${i}`) };
      const { status } = await made.fetch('/odds/batch', {
        key: unlimited,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return status;
    };
    const most = row.limits['batch_events']!;
    assert.deepEqual([await batch(most), await batch(most + 1)], [200, 400], row.id);
  }
});
