// What follows from a route's schema and is listed nowhere else: the key of cursors, meta.filters, meta.ignored, the
// client's parameters. A new parameter or route is in all of them, or fails here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Type } from '../../../src/base/model/json-schema.js';
import { TOOLS } from '../../../src/front/mcp/tool-table.js';
import { CLIENT_PARAMS } from '../../../src/schema/client-types.js';
import { requestedParameters } from '../../requested-parameters.js';
import { shared } from '../../shared.js';
import { api, fillWorld, type Json } from '../api.js';
import { ARSENAL, LAKERS } from './serving.js';

/** Parameters that choose the page or the form of an answer, and so are in no key. */
const NOT_IN_KEYS = ['limit', 'offset', 'cursor', 'format', 'fields', 'group_by', 'include', 'state'];

const made = shared(async (t) => {
  const world = await api(t);
  await fillWorld(world);
  await world.ingest({
    source: 'league',
    results: [LAKERS, ARSENAL].map((event_id) => ({ event_id, status: 'live', home_score: 1, away_score: 0 })),
  });
  const key = world.key('enterprise');
  const get = async (path: string): Promise<Json> => {
    const response = await world.fetch(path, { key });
    return { status: response.status, ...((await response.json()) as object) };
  };
  const { paths } = (await (await world.fetch('/openapi.json')).json()) as Json;
  const reads = Object.entries<Json>(paths).flatMap(([path, { get: read }]) =>
    read === undefined ? [] : { path, read },
  );
  return { get, reads: reads.map(({ path, read }) => ({ path, names: namesOf(read), read })) };
});

/** Its own parameters; every route has the two others. */
const namesOf = ({ parameters = [] }: Json): string[] =>
  parameters
    .filter((each: Json) => each.in === 'query' && !['strict', 'min_position'].includes(each.name))
    .map((each: Json) => each.name as string);

test('every parameter of every route is in the key of its cursors, unless it chooses a page or a form', async () => {
  const { reads } = await made();
  for (const { path, names } of reads) {
    const schema = Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.String())])));
    const plain = requestedParameters(schema, {}).filters;
    for (const name of names)
      assert.equal(
        requestedParameters(schema, { [name]: 'x' }).filters !== plain,
        !NOT_IN_KEYS.includes(name),
        `${path} ${name}`,
      );
  }
});

test('a cursor is refused with any other filter than those it was made with, and taken with another form', async () => {
  const { get, reads } = await made();
  const values: Record<string, string> = {
    ...{
      sport: 'basketball',
      league: 'nba',
      sportsbook: 'draftkings',
      market: 'moneyline',
      event: LAKERS,
      live: 'true',
    },
    ...{ event_id: LAKERS, date: '2026-11-20', status: 'live', updated_since: '2026-11-20T00:00:00Z', sort: 'odds' },
    ...{ is_main_line: 'true', is_stale_pregame_price: 'false' },
    ...{ is_active: 'true', team: 'lakers', q: 'heat', min_odds: '-500', max_odds: '500', limit: '3', state: 'nj' },
    ...{ fields: 'id', group_by: 'event', format: 'csv', offset: '0' },
  };
  for (const path of ['/odds', '/results']) {
    const { names } = reads.find((each) => each.path === path)!;
    const cursor = (await get(`${path}?limit=1`)).pagination.next_cursor;
    assert.ok(cursor, path);
    // This server keeps no history for `at`.
    for (const name of names.filter((each) => !['cursor', 'include', 'at'].includes(each))) {
      assert.ok(values[name], `a value of ${name} is needed here`);
      if (name === 'format') continue;
      const { status, error } = await get(
        `${path}?limit=1&cursor=${cursor}&${name}=${values[name]}`.replace(
          'limit=1&',
          name === 'limit' ? '' : 'limit=1&',
        ),
      );
      assert.equal(status, NOT_IN_KEYS.includes(name) ? 200 : 400, `${path} ${name}`);
      if (status === 400) assert.match(error.message, /other filters/);
    }
  }
});

test('meta.filters has every filter of the route by its name, null if not given', async () => {
  const { get, reads } = await made();
  let echoing = 0;
  for (const { path, names, read } of reads) {
    const { meta } = read.responses['200']?.content?.['application/json']?.schema?.properties ?? {};
    if (meta?.properties?.filters === undefined || path.includes('{')) continue;
    const needed = path === '/odds/delta' ? 'since=2026-11-20T17:00:00Z&' : '';
    const { filters } = (await get(`${path}?${needed}limit=1&league=nba`)).meta;
    const wanted = names.filter((name) => name === 'state' || !NOT_IN_KEYS.includes(name));
    assert.deepEqual(Object.keys(filters).sort(), [...wanted].sort(), path);
    assert.equal(filters.league, 'nba', path);
    echoing++;
  }
  assert.ok(echoing >= 8, `${echoing}`);
});

test('every answer with meta names the parameters that its route does not know', async () => {
  const { get, reads } = await made();
  let named = 0;
  for (const { path } of reads) {
    if (path.startsWith('/stream') || path === '/deeplink/{id}') continue;
    const query = { '/odds/delta': 'since=2026-11-20T17:00:00Z&', '/odds/comparison': `event=${LAKERS}&` }[path] ?? '';
    const filled = path
      .replace('{eventId}', LAKERS)
      .replace('{sport}', 'basketball')
      .replace('{sportId}', 'basketball');
    const { status, meta } = await get(`${filled.replace('{bookId}', 'draftkings')}?${query}zzz=1`);
    if (status !== 200 || meta === undefined) continue;
    assert.deepEqual(meta.ignored, ['zzz'], path);
    named++;
  }
  assert.ok(named >= 22, `${named}`);
});

/** Reads for which the client has no method, and why. */
const WITHOUT_METHOD: Record<string, string> = {
  '/deeplink/{id}': 'a redirect for browsers',
  '/asyncapi.json': 'a document',
  '/openapi.json': 'a document',
  '/account/bankroll': 'read by get()',
  '/account/bets/{id}': 'read by get()',
};

test('the client has a method for every read, with the parameters of its route', async () => {
  const { reads } = await made();
  const text = ['client', 'account-client'].map((name) => readFileSync(`src/client/${name}.ts`, 'utf8')).join('');
  const called = new Set(
    [...text.matchAll(/['`](\/[^'`]*)['`]/g)].map(([, path]) => path!.replaceAll(/\$\{[^}]*\}/g, '{}')),
  );
  const typed = new Set(Object.values(CLIENT_PARAMS).map((schema) => Object.keys(schema.properties).sort().join()));
  for (const { path, names } of reads) {
    if (path.startsWith('/stream') || path in WITHOUT_METHOD) continue;
    const form = path.replaceAll(/\{\w+\}/g, '{}');
    const methods = [...called].some(
      (each) => each === form || new RegExp(`^${each.replaceAll('{}', '[^/]+')}$`).test(form),
    );
    assert.ok(methods, `no method of the client reads ${path}`);
    // One parameter may be an argument of the method instead.
    const wanted = [names, ...names.map((name) => names.filter((each) => each !== name))];
    if (names.length > 1)
      assert.ok(
        wanted.some((list) => typed.has([...list].sort().join())),
        `${path} ${names}`,
      );
  }
});

/** Reads that no tool makes, and why. */
const WITHOUT_TOOL = [
  ...[
    '/account/alerts',
    '/account/keys',
    '/account/usage',
    '/ingest/unmatched',
    '/health',
    '/tiers',
    '/teams',
    '/warnings',
  ],
  ...['/asyncapi.json', '/openapi.json', '/deeplink/{id}', '/futures/odds', '/gamestate', '/gamestate/{sport}'],
  ...[
    '/odds/opening',
    '/opportunities/middles/summary',
    '/splits/history',
    '/odds/executable',
    '/historical/predictions',
    '/historical/odds/closing',
  ],
  ...['/account/bankroll', '/account/bets', '/account/bets/summary'],
];

test('every list has a tool, or is named here', async () => {
  const { reads } = await made();
  const tools = new Set<string>(TOOLS.map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}')));
  const without = reads.filter(({ path }) => !path.startsWith('/stream') && !path.includes('{') && !tools.has(path));
  assert.deepEqual(
    without.map(({ path }) => path).filter((path) => !WITHOUT_TOOL.includes(path)),
    [],
  );
});
