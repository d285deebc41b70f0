// From ingest to REST and streams with real parts: shard thread, store, server, sockets; only the clock is the test's.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { ManualClock } from '../../../src/base/model/clock.js';
import { OPEN_ID_SECRET } from '../../../src/base/model/identity.js';
import type { Tier } from '../../../src/rules/catalogue/types.js';
import {
  ArbitrageOpportunity,
  EvOpportunity,
  LowHoldOpportunity,
  MiddleOpportunity,
} from '../../../src/schema/opportunities-items.js';
import { readIdentity } from '../../../src/store/data-directory.js';
import { schemaErrors } from '../../schema-errors.js';
import { NOW_MS } from './examples.js';
import { type Body, complete, GAME, ids, OTHER, served, serverIn } from './live-server.js';

const SHAPES = {
  ev: EvOpportunity,
  arb: ArbitrageOpportunity,
  middles: MiddleOpportunity,
  low_hold: LowHoldOpportunity,
};

test('a Hobby caller gets the arbitrage between two Hobby books that a better outside price would hide', async (t) => {
  const { get, poll } = await served(t);
  // bet365 (Pro) has the best home price, pinnacle (Sharp) the best away price: among all books these two make the
  // arbitrage.
  await poll({ draftkings: [120, -140], fanduel: [-150, -105], bet365: [130, -160], pinnacle: [-150, 105] });
  const legs = async (tier: Tier, query = '') =>
    (await get(`arbitrage?${query}`, tier))['data'].map((item: Body) =>
      item['legs'].map((leg: Body) => `${leg['sportsbook']} ${leg['odds_american']}`),
    );
  assert.deepEqual(await legs('hobby'), [['draftkings 120', 'fanduel -105']]);
  assert.deepEqual(await legs('pro'), [['bet365 130', 'fanduel -105']]);
  assert.deepEqual(await legs('sharp', 'include_suspicious=true'), [['bet365 130', 'pinnacle 105']]);
  assert.deepEqual(await legs('enterprise', 'sportsbook=draftkings,fanduel'), [['draftkings 120', 'fanduel -105']]);
  assert.deepEqual(await legs('enterprise', 'sportsbook=draftkings,pinnacle&include_suspicious=true'), [
    ['draftkings 120', 'pinnacle 105'],
  ]);
});

test('the id of an opportunity leads to the event at one of its books, in the requested state', async (t) => {
  const { get, poll, redirect } = await served(t);
  await poll({ draftkings: [120, -140], fanduel: [-150, -105] });
  const [{ id }] = (await get('arbitrage', 'hobby'))['data'];
  assert.deepEqual(await redirect(id, 'book=fanduel&state=nj'), [
    302,
    'https://nj.sportsbook.fanduel.com/',
    'homepage',
  ]);
  assert.deepEqual(await redirect(id, ''), [302, 'https://sportsbook.draftkings.com/', 'homepage']);
  assert.equal((await redirect('0000000000000000', ''))[0], 404);
});

test('the id of an opportunity is the same after a restart, another in another directory, and nobody can compute it', async (t) => {
  type Live = Awaited<ReturnType<typeof serverIn<ManualClock>>>;
  const play = async ({ clock, poll, get }: Live) => {
    clock.set(clock.now() + 1_000);
    await poll({ draftkings: [120, -140], fanduel: [-150, -105] });
    return (await get('arbitrage', 'hobby'))['data'][0] as Body;
  };
  const first = await served(t);
  const { id, event_id } = await play(first);
  const legs = ['home', null, 'draftkings', 'away', null, 'fanduel'];
  const parts = ['arbitrage', event_id, 'moneyline', null, null, null, ...legs];
  const computed = (...secret: string[]) =>
    createHash('sha256')
      .update([...secret, ...parts].join('\n'))
      .digest('hex')
      .slice(0, 16);
  assert.equal(computed(readIdentity(first.dataDir)!.idSecret!), id);
  for (const other of [computed(), computed(OPEN_ID_SECRET), computed('')])
    assert.equal((await first.redirect(other, ''))[0], 404);
  await first.close();
  const again = await serverIn(t, first.dataDir, first.clock);
  again.clock.set(again.clock.now() + 1_000);
  await again.poll({ draftkings: [-140, -140] });
  assert.deepEqual((await again.get('arbitrage', 'hobby'))['data'], []);
  assert.equal((await play(again))['id'], id, 'detected anew');
  assert.notEqual((await play(await served(t)))['id'], id);
});

test('a stream has what REST lists, through detection, changes, thresholds and ends', async (t) => {
  const { clock, get, poll, follow } = await served(t, 2);
  await poll({ draftkings: [120, -140], fanduel: [-150, -105] });
  await poll({ draftkings: [115, -140], fanduel: [-150, -104] }, OTHER);
  const loose = await follow('channel=opportunities', 'hobby');
  const strict = await follow('channel=opportunities&min_profit=4', 'hobby');
  await loose.until(() => complete(loose));
  await strict.until(() => complete(strict));
  const before = loose.events.findIndex(({ type }) => type === 'arb:detected');
  assert.ok(before >= 0 && before < loose.events.findIndex(({ type }) => type === 'snapshot:complete'));
  const agree = async () => {
    for (const [client, query] of [
      [loose, ''],
      [strict, 'min_profit=4'],
    ] as const) {
      const listed = await get(`arbitrage?${query}`, 'hobby');
      await client.until(
        () => JSON.stringify([...client.active.keys()].sort()) === JSON.stringify(ids(listed).map((id) => `arb ${id}`)),
      );
      for (const item of listed['data'])
        assert.equal(client.active.get(`arb ${item.id}`)?.['profit_percent'], item.profit_percent);
    }
  };
  await agree();
  for (const prices of [
    [125, -105],
    [108, -105],
    [100, -110],
    [140, -102],
    [120, -120],
  ] as const) {
    clock.set(clock.now() + 2_000);
    await poll({ draftkings: [prices[0], -150], fanduel: [-150, prices[1]] });
    await agree();
  }
  assert.ok(strict.events.some(({ type }) => type === 'arb:expired'));
  const last = loose.events.at(-1)!;
  assert.match(last.id ?? '', /^evt_\d+$/);
});

test('within a second of the last change lists show the newest prices, and what falls below a threshold is removed everywhere', async (t) => {
  const { clock, get, poll, follow } = await served(t);
  await poll({ draftkings: [120, -140], fanduel: [-150, -105] });
  const loose = await follow('channel=opportunities', 'hobby');
  const strict = await follow('channel=opportunities&min_profit=4', 'hobby');
  await loose.until(() => complete(loose) && complete(strict) && loose.active.size === 1);
  const home = async (query: string) =>
    (await get(`arbitrage?${query}`, 'hobby'))['data'].map((item: Body) => item['legs'][0]['odds_american']);
  for (const [ms, price, holds] of [
    [100, 125, true],
    [200, 110, false],
    [300, 124, true],
    [400, 108, false],
  ] as const) {
    clock.set(NOW_MS + ms);
    await poll({ draftkings: [price, -140] });
    assert.deepEqual([await home(''), await home('min_profit=4')], [[price], holds ? [price] : []], `${ms} ms`);
    await strict.until(() => (strict.active.size === 1) === holds);
  }
  assert.equal(loose.events.filter(({ type }) => type === 'arb:detected').length, 1, 'once a second over streams');
  clock.set(NOW_MS + 1_100);
  await poll({ betmgm: [-200, -150] });
  await loose.until(() => [...loose.active.values()][0]?.['legs'][0].odds_american === 108);
  assert.equal(loose.events.filter(({ type }) => type === 'arb:detected').length, 2, 'and the last state always');
});

test('time alone expires: five minutes without a poll end opportunities of its prices', async (t) => {
  const { server, clock, get, poll, follow } = await served(t);
  await poll({ draftkings: [120, -140], fanduel: [-150, -105] });
  const client = await follow('channel=opportunities', 'hobby');
  await client.until(() => complete(client));
  assert.equal(client.active.size, 1);
  clock.set(NOW_MS + 299_000);
  server.engine.tick();
  assert.equal((await get('arbitrage', 'hobby'))['data'][0].oldest_odds_age_seconds, 299);
  clock.set(NOW_MS + 301_000);
  server.engine.tick();
  await client.until(() => client.active.size === 0);
  assert.deepEqual((await get('arbitrage', 'hobby'))['data'], []);
});

test('a poll that shows the same prices makes an opportunity younger and is not sent again', async (t) => {
  const { server, clock, get, poll, follow } = await served(t);
  await poll({ draftkings: [120, -140], fanduel: [-150, -105] });
  const client = await follow('channel=opportunities', 'hobby');
  await client.until(() => complete(client));
  clock.set(NOW_MS + 100_000);
  await poll({ draftkings: [120, -140], fanduel: [-150, -105] });
  clock.set(NOW_MS + 102_000);
  server.engine.tick();
  assert.equal((await get('arbitrage', 'hobby'))['data'][0].oldest_odds_age_seconds, 2);
  assert.equal(client.events.filter(({ type }) => type === 'arb:detected').length, 1);
});

test('a stream that requests holds above the default limit has them, as REST does', async (t) => {
  const { get, poll, follow } = await served(t);
  await poll({ draftkings: [-120, -120], fanduel: [-120, -120] });
  const usual = await follow('channel=opportunities', 'enterprise');
  const wide = await follow('channel=opportunities&max_hold=10', 'enterprise');
  await usual.until(() => complete(usual));
  await wide.until(() => complete(wide));
  const listed = ids(await get('low_hold?max_hold=10', 'enterprise'));
  assert.equal(listed.length, 1);
  assert.deepEqual(
    [...wide.active.keys()],
    listed.map((id) => `low_hold ${id}`),
  );
  assert.equal(usual.active.size, 0);
});

test('a stream that is the first with its sportsbooks receives changes from its snapshot on, and needs no second snapshot', async (t) => {
  const { clock, poll, follow } = await served(t);
  await poll({ draftkings: [120, -140], fanduel: [-150, -105], bet365: [130, -160] });
  const client = await follow('channel=all&sportsbook=draftkings,bet365', 'enterprise');
  await client.until(() => complete(client));
  clock.set(clock.now() + 2_000);
  await poll({ draftkings: [120, -110], fanduel: [-150, -101] });
  await client.until(() => [...client.active.keys()].some((key) => key.startsWith('arb ')));
  const types = client.events.map(({ type }) => type);
  assert.ok(types.includes('odds:update') && !types.includes('snapshot_required'), types.join(' '));
  assert.equal(types.filter((type) => type === 'snapshot:complete').length, 1);
});

test('every kind is found and listed for Enterprise, low hold with its summary, and sent on streams', async (t) => {
  const { get, poll, follow } = await served(t, 2);
  await poll({ pinnacle: [-105, -105], draftkings: [112, -130], fanduel: [-125, -102], betmgm: [-110, -110] });
  await poll({ draftkings: [-105, -115] }, OTHER, 5.5);
  await poll(
    { pinnacle: [-110, -110], draftkings: [-108, -112] },
    { ...GAME, home_team: 'Miami Heat', away_team: 'Chicago Bulls' },
    220.5,
  );
  await poll(
    { fanduel: [-112, 105], betmgm: [-110, -110] },
    { ...GAME, home_team: 'Miami Heat', away_team: 'Chicago Bulls' },
    226.5,
  );
  const client = await follow('channel=opportunities&min_ev=0&max_hold=5', 'enterprise');
  await client.until(() => complete(client));
  const lists = {
    ev: await get('ev', 'enterprise'),
    arb: await get('arbitrage', 'enterprise'),
    middles: await get('middles', 'enterprise'),
    low_hold: await get('low_hold', 'enterprise'),
  };
  for (const [prefix, body] of Object.entries(lists)) {
    assert.ok(body['data'].length > 0, prefix);
    assert.deepEqual(
      [...client.active.keys()].filter((key) => key.startsWith(`${prefix} `)).sort(),
      ids(body).map((id) => `${prefix} ${id}`),
    );
  }
  for (const [prefix, schema] of Object.entries(SHAPES))
    for (const item of lists[prefix as keyof typeof lists]['data'])
      assert.deepEqual(schemaErrors(schema, item), [], JSON.stringify(item));
  assert.equal(lists.low_hold['meta'].summary.count, lists.low_hold['data'].length);
  const [middle] = lists.middles['data'];
  assert.deepEqual((await get(`middles/${middle.id}`, 'enterprise'))['data'].side1, middle.side1);
  const widest = lists.middles['data'].find(
    (one: Body) => one['side1'].book === 'draftkings' && one['side2'].book === 'fanduel',
  );
  const others = [[{ book: 'pinnacle', odds: -110 }], [{ book: 'betmgm', odds: -110 }]];
  assert.deepEqual([widest.alt_side1, widest.alt_side2], others, 'who else offers each side at its line');
  assert.deepEqual((await get(`middles/${widest.id}`, 'enterprise'))['data'].alt_side1, others[0]);
  const sent = client.active.get(`middles ${widest.id}`) as Body | undefined;
  assert.deepEqual([sent?.['alt_side1'], sent?.['alt_side2']], others);
  // Among fewer books fewer are named.
  const few = (await get('middles?sportsbook=draftkings,fanduel', 'enterprise'))['data'];
  for (const one of few) assert.deepEqual([one.alt_side1, one.alt_side2], [[], []]);
  const negative = await get('ev?min_ev=-50&limit=200', 'enterprise');
  assert.ok(negative['pagination'].total > lists.ev['pagination'].total);
  assert.ok(
    (await get('ev?devig=shin&devig_book=betmgm&min_ev=-50', 'enterprise'))['data'].every(
      (item: Body) => item['devig_method'] === 'shin' && item['sharp_book'] === 'betmgm',
    ),
  );
});

test('after a restart active opportunities are loaded before the first answer, with their first detection, and streams resume', async (t) => {
  const first = await served(t, 2);
  await first.poll({ draftkings: [120, -140], fanduel: [-150, -105] });
  await first.poll({ draftkings: [120, -140], fanduel: [-150, -105] }, OTHER);
  const client = await first.follow('channel=opportunities', 'hobby');
  await client.until(() => complete(client));
  const [known] = (await first.get('arbitrage?league=nba', 'hobby'))['data'];
  const lastId = client.events.findLast(({ id }) => id !== undefined)!.id!;
  client.close();
  first.clock.set(NOW_MS + 5_000);
  await first.poll({ draftkings: [-120, -140] }, OTHER);
  await first.close();
  const clock = new ManualClock(NOW_MS + 20_000);
  const second = await serverIn(t, first.dataDir, clock, 2);
  const listed = await second.get('arbitrage', 'hobby');
  assert.deepEqual(ids(listed), [known.id]);
  assert.equal(listed['data'][0].detected_at, known.detected_at);
  const again = await second.follow('channel=opportunities&resume=true', 'hobby', lastId);
  for (const [key, item] of client.active) again.active.set(key, item);
  await again.until(() => again.events.some(({ type }) => type === 'arb:expired'));
  assert.deepEqual([...again.active.keys()], [`arb ${known.id}`]);
  const types = again.events.map(({ type }) => type);
  assert.ok(!types.includes('snapshot_required') && !types.includes('snapshot'), types.join(' '));
});
