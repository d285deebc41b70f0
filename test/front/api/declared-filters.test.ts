// Every filter that a route declares narrows what it answers, beside whatever else is requested, for keys and for viewer
// tokens: the routes and their parameters are read from the served document.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Api, api, documentOf, fillWorld, type Json, type Operation } from '../api.js';
import { LAKERS } from './serving.js';

/** A filter's other value, known to the server, and the fields of answers that state what it is about. */
const OTHERS: Record<string, { value: string; fields: readonly string[] }> = {
  sport: { value: 'football', fields: ['sport'] },
  league: { value: 'nfl', fields: ['league'] },
  event: { value: 'nba_no_such_game_2026-11-21', fields: ['event_id'] },
  sportsbook: { value: 'betrivers', fields: ['sportsbook', 'book'] },
  market: { value: 'player_assists', fields: ['market_type', 'market'] },
};

/** Answers that list the names of everything, whoever asks, and those whose filter selects something else. */
const NAMES = new Set(['/sports', '/leagues', '/sportsbooks', '/markets', '/teams', '/health', '/ingest/unmatched']);

async function made(t: Parameters<typeof api>[0]): Promise<Api> {
  const server = await api(t, { history: '30' });
  await fillWorld(server);
  return server;
}

/** Everything in an answer's data that states one of the fields, as anything but the value. */
function strangers(data: Json, fields: readonly string[], value: string): string[] {
  if (Array.isArray(data)) return data.flatMap((each) => strangers(each, fields, value));
  if (data === null || typeof data !== 'object') return [];
  return Object.entries<Json>(data).flatMap(([name, field]) => {
    if (!fields.includes(name)) return strangers(field, fields, value);
    const stated = typeof field === 'object' && field !== null ? (field.id ?? JSON.stringify(field)) : field;
    return stated === null || stated === value ? [] : [`${name} ${stated}`];
  });
}

async function idOfRow(server: Api, key: string): Promise<string> {
  const { data } = (await (await server.fetch(`/odds?event=${LAKERS}&limit=1`, { key })).json()) as Json;
  return data[0].id;
}

/** The route's path and the parameters without which it answers nothing. */
function addressed({ path, spec }: Operation, oddsId: string): { path: string; needed: Map<string, string> } {
  const needed = new Map<string, string>();
  let at = path;
  for (const { name, in: place, required } of spec.parameters ?? []) {
    const value = /^(event|event_?id)$/i.test(name) ? LAKERS : name === 'league' ? 'nba' : undefined;
    if (place === 'path') at = at.replace(`{${name}}`, value ?? 'x');
    else if (place === 'query' && name === 'odds_id') needed.set(name, oddsId);
    else if (place === 'query' && required && value !== undefined) needed.set(name, value);
  }
  return { path: at, needed };
}

test('a filter that a route declares holds beside every other parameter', async (t) => {
  const server = await made(t);
  const key = server.key('enterprise', { features: ['low_hold'] });
  const oddsId = await idOfRow(server, key);
  const { operations } = await documentOf(server);
  let asked = 0;
  const faults: string[] = [];
  for (const operation of operations) {
    const names = (operation.spec.parameters ?? []).map(({ name }: Json) => name);
    const plain = operation.path.replace('/api/v1', '');
    if (operation.method !== 'get' || NAMES.has(plain) || plain.startsWith('/stream')) continue;
    const { path, needed } = addressed(operation, oddsId);
    for (const [name, { value, fields }] of Object.entries(OTHERS)) {
      if (!names.includes(name) || needed.has(name)) continue;
      const query = new URLSearchParams([...needed, [name, value]]);
      const response = await server.fetch(`${path}?${query}`, { key });
      assert.ok(response.status < 500, `${path}?${query}: ${response.status}`);
      if (response.status !== 200) continue;
      asked++;
      const { data } = (await response.json()) as Json;
      const found = strangers(data, fields, value);
      if (found.length > 0) faults.push(`${path}?${query}: ${found.slice(0, 3)}`);
    }
  }
  assert.deepEqual(faults, []);
  assert.ok(asked > 40, `${asked} questions were answered`);
});

test('the history of one row is cut to every filter beside its id', async (t) => {
  const server = await made(t);
  const key = server.key('enterprise');
  const oddsId = await idOfRow(server, key);
  const row = ((await (await server.fetch(`/odds?event=${LAKERS}&limit=1`, { key })).json()) as Json).data[0];
  const rows = async (query: string, by = key): Promise<number> => {
    const response = await server.fetch(`/odds/history?odds_id=${oddsId}${query}`, { key: by });
    assert.equal(response.status, 200, query);
    return ((await response.json()) as Json).data.length;
  };
  assert.equal(await rows(''), 1);
  assert.equal(await rows(`&event=${LAKERS}&market=${row.market_type}&sportsbook=${row.sportsbook}`), 1);
  assert.equal(await rows(`&event=other,${LAKERS}`), 1);
  for (const query of ['event=other', 'market=player_assists', 'sportsbook=betrivers', 'selection=nobody'])
    assert.equal(await rows(`&${query}`), 0, query);
});

test("a viewer token held to one event or market reads no other event's row by its id", async (t) => {
  const server = await made(t);
  const key = server.key('enterprise');
  const oddsId = await idOfRow(server, key);
  const row = ((await (await server.fetch(`/odds?event=${LAKERS}&limit=1`, { key })).json()) as Json).data[0];
  const token = async (filters: object): Promise<string> => {
    const response = await server.fetch('/account/tokens', {
      key,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ttl_s: 60, filters }),
    });
    return ((await response.json()) as Json).data.token;
  };
  const rows = async (filters: object): Promise<number> => {
    const response = await server.fetch(`/odds/history?odds_id=${oddsId}`, { key: await token(filters) });
    assert.equal(response.status, 200);
    return ((await response.json()) as Json).data.length;
  };
  assert.equal(await rows({ event: ['nba_no_such_game_2026-11-21'] }), 0);
  assert.equal(await rows({ market: ['player_assists'] }), 0);
  assert.equal(await rows({ sportsbook: ['betrivers'] }), 0);
  assert.equal(await rows({ event: [LAKERS, 'nba_no_such_game_2026-11-21'] }), 1);
  assert.equal(await rows({ market: [row.market_type] }), 1);
});
