// What every list parses the same way: names in singular and plural, lists given several times, unknown parameters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from '../../shared.js';
import { api, documentOf, fillWorld, type Json } from '../api.js';
import { ARSENAL, BULLS, LAKERS } from './serving.js';

/** Read only. */
const made = shared(async (t) => {
  const world = await api(t);
  await fillWorld(world);
  const key = world.key('enterprise');
  const get = async (path: string, headers: Record<string, string> = {}): Promise<Json> => {
    const response = await world.fetch(path, { key, headers });
    return { status: response.status, ...((await response.json()) as object) };
  };
  return { ...world, key, get };
});

const eventsOf = ({ data }: Json): string[] => [...new Set<string>(data.map((row: Json) => row.event_id))].sort();

test('a list given several times, in singular and in plural, means all its values', async () => {
  const { get } = await made();
  for (const query of [
    `event=${LAKERS}&event=${ARSENAL}`,
    `eventIds=${LAKERS},${ARSENAL}`,
    `event_id=${LAKERS}&events=${ARSENAL}`,
    'league=nba&league=epl&sportsbook=draftkings&sportsbooks=betmgm&market=moneyline',
    'leagues=nba,epl&sports=basketball&sport=soccer&sportsbooks=draftkings,betmgm&markets=moneyline',
  ]) {
    const body = await get(`/odds?limit=200&${query}`);
    assert.deepEqual(eventsOf(body), [ARSENAL, LAKERS], query);
    assert.equal(body.meta.ignored, undefined, query);
  }
  assert.deepEqual(eventsOf(await get(`/odds/best?events=${LAKERS}&events=${BULLS}`)), [BULLS, LAKERS].sort());
  const { data, meta } = await get('/odds?limit=200&market_type=moneyline');
  assert.deepEqual([...new Set(data.map((row: Json) => row.market_type))], ['moneyline'], 'as rows name it');
  assert.equal(meta.filters.market, 'moneyline');
  assert.deepEqual((await get('/odds?leagues=nba&leagues=epl')).meta.filters.league, 'nba,epl');
  assert.deepEqual(
    (await get('/odds?fields=id&fields=league&limit=1')).data.map((row: Json) => Object.keys(row)),
    [['id', 'league']],
  );
});

test('a parameter with one value that is given twice is refused by its name', async () => {
  const { get } = await made();
  for (const path of ['/odds?limit=1&limit=2', '/odds/best?limit=1&limit=2', '/opportunities/ev?limit=1&limit=2']) {
    const { status, error } = await get(path);
    assert.deepEqual([status, error.code], [400, 'invalid_request'], path);
    assert.match(error.message, /^limit is given several times/);
  }
  assert.equal((await get('/odds?live=true&is_live=false')).status, 400);
  assert.equal((await get('/odds?live=false&is_live=false')).status, 200);
});

test('an unknown filter is reported, and refused if the request is strict', async () => {
  const { get } = await made();
  const paths = ['/odds', '/odds/best', '/events', '/opportunities/arbitrage', '/futures', '/sports', '/splits'];
  for (const path of paths) {
    assert.deepEqual((await get(`${path}?leage=nba`)).meta.ignored, ['leage'], path);
    for (const answer of [
      await get(`${path}?leage=nba&strict=true`),
      await get(`${path}?leage=nba`, { prefer: 'respond-async, handling=strict; x=1' }),
    ]) {
      assert.deepEqual([answer.status, answer.error?.code], [400, 'invalid_request'], path);
      assert.match(answer.error.message, /leage/);
    }
    assert.equal((await get(path, { prefer: 'handling=strict' })).status, 200, path);
    const lenient = await get(`${path}?leage=nba&strict=false`, { prefer: 'handling=lenient' });
    assert.deepEqual(lenient.meta?.ignored, ['leage'], path);
  }
});

test('rows grouped by event have the requested fields, as without groups', async () => {
  const { get } = await made();
  const { data } = await get(`/odds?event=${LAKERS}&group_by=event&fields=id,status,probability&limit=3`);
  assert.deepEqual([data.length, data[0].event_id, data[0].odds.length], [1, LAKERS, 3]);
  for (const row of data[0].odds) assert.deepEqual(Object.keys(row), ['id', 'status', 'probability']);
  const { status, error } = await get('/odds?group_by=event&fields=price');
  assert.deepEqual([status, error.message], [400, 'fields: an odds item has no field price']);
});

test('a body is parsed like a query: alternative names of lists, unknown fields, strict mode', async () => {
  const world = await made();
  const batch = async (body: object, query = '', headers: Record<string, string> = {}): Promise<Json> => {
    const response = await world.fetch(`/odds/batch${query}`, {
      method: 'POST',
      key: world.key,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, ...((await response.json()) as object) };
  };
  const proper = await batch({ event_ids: [LAKERS, ARSENAL], sportsbook: 'draftkings,betmgm', market: 'moneyline' });
  assert.deepEqual(
    proper.data.events.map((event: Json) => event.odds.length),
    [2, 3],
  );
  for (const body of [
    { eventIds: [LAKERS, ARSENAL], sportsbooks: ['draftkings', 'betmgm'], markets: ['moneyline'] },
    {
      events: [LAKERS],
      event_ids: [ARSENAL, LAKERS],
      sportsbook: 'draftkings',
      sportsbooks: 'betmgm',
      market: 'moneyline',
    },
  ]) {
    const { data, meta } = await batch(body);
    const byId = (events: Json[]) => [...events].sort((a, b) => (a.event_id < b.event_id ? -1 : 1));
    assert.deepEqual(byId(data.events), byId(proper.data.events), JSON.stringify(body));
    assert.deepEqual([meta.requested, meta.found, meta.missing, meta.ignored], [2, 2, 0, undefined]);
  }
  const besides = { event_ids: [LAKERS], league: 'nba' };
  assert.deepEqual((await batch(besides, '?x=1')).meta.ignored, ['x', 'league']);
  for (const { status, error } of [
    await batch(besides, '?strict=true'),
    await batch(besides, '', { prefer: 'handling=strict' }),
  ]) {
    assert.deepEqual([status, error.code], [400, 'invalid_request']);
    assert.match(error.message, /league/);
  }
  assert.equal((await batch({ event_ids: [LAKERS] }, '?strict=true', { prefer: 'handling=strict' })).status, 200);
});

test('scores and chances have both names that clients read', async () => {
  const { get } = await made();
  const live = (await get(`/events/${ARSENAL}`)).data.game_state;
  assert.deepEqual([live.home_score, live.score_home, live.away_score, live.score_away], [1, 1, 0, 0]);
  const states = (await get('/gamestate/soccer')).data[ARSENAL];
  assert.deepEqual([states.home_score, states.score_home, states.away_score, states.score_away], [1, 1, 0, 0]);
  const priced: Json[] = [
    ...(await get('/opportunities/ev?min_ev=-100')).data,
    ...(await get('/opportunities/arbitrage?min_profit=-100')).data.flatMap((item: Json) => item.legs),
    ...(await get('/opportunities/middles?min_ev=-100')).data.flatMap((item: Json) => [
      item.side1.odds,
      item.side2.odds,
    ]),
    ...(await get('/opportunities/low_hold?max_hold=1000')).data.flatMap((item: Json) => [
      item.side1.odds,
      item.side2.odds,
    ]),
  ];
  assert.ok(priced.length > 8);
  for (const { probability, implied_probability, decimal, odds_decimal } of priced) {
    assert.equal(probability, implied_probability);
    assert.ok(Math.abs(probability - 1 / (decimal ?? odds_decimal)) < 1e-5);
  }
});

test('an answer to a long name that nothing has shows its beginning alone', async () => {
  const server = await made();
  const long = 'x'.repeat(8_000);
  const { operations } = await documentOf(server);
  let missing = 0;
  for (const { method, path, spec } of operations) {
    const { parameters = [], requestBody } = spec;
    const at = path.replaceAll(/\{\w+\}/g, long);
    const queries = parameters.flatMap(({ name, in: place }: Json) => (place === 'query' ? [`?${name}=${long}`] : []));
    const paths = [
      ...(at === path ? [] : [at]),
      ...(method === 'get' ? queries.map((query: string) => at + query) : []),
    ];
    for (const asked of paths) {
      const body = requestBody === undefined ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
      const response = await server.fetch(asked, { key: server.key, method: method.toUpperCase(), ...body });
      const text = response.headers.get('content-type')?.includes('json') ? await response.text() : '';
      await response.body?.cancel().catch(() => undefined);
      const name = `${method} ${path} ${asked.slice(-8_020, -7_990)}`;
      assert.ok(response.status < 500, name);
      if (response.status >= 400) assert.ok(text.length < 1_500, `${name}: ${text.slice(0, 200)}`);
      if (response.status === 404) missing++;
    }
  }
  assert.ok(missing > 10, `${missing}`);
});
