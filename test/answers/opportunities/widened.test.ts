// Thresholds beyond the detection limits: REST evaluates on request, streams have a universe of their own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEYOND_MAX, Universes, WIDENED_MAX } from '../../../src/answers/opportunities/universes.js';
import { ManualClock } from '../../../src/base/model/clock.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { universeOf } from '../../../src/tables/filter/universe.js';
import { NOW_MS, TestSource } from './examples.js';
import { complete, type Followed, GAME, ids, OTHER, served } from './live-server.js';

const active = (client: Followed, prefix: string) =>
  [...client.active.keys()].filter((key) => key.startsWith(`${prefix} `)).sort();

test('a stream with a negative min_ev has what REST lists with it, through changes and ends', async (t) => {
  const { clock, get, poll, follow } = await served(t);
  // Fair is even: -105 has an EV of -2.4 %, -108 of -3.7 %, -115 of -7 %.
  await poll({ pinnacle: [-110, -110], draftkings: [-105, -115], fanduel: [-108, 102] });
  const usual = await follow('channel=opportunities&min_ev=0', 'enterprise');
  const wide = await follow('channel=opportunities&min_ev=-5', 'enterprise');
  await usual.until(() => complete(usual));
  await wide.until(() => complete(wide));
  const agree = async (edges: number[]) => {
    const listed = await get('ev?min_ev=-5', 'enterprise');
    assert.deepEqual(
      listed['data'].map((item: { ev_percentage: number }) => Math.round(10 * item.ev_percentage) / 10),
      edges,
    );
    await wide.until(() => JSON.stringify(active(wide, 'ev')) === JSON.stringify(ids(listed).map((id) => `ev ${id}`)));
    for (const item of listed['data'])
      assert.equal(wide.active.get(`ev ${item.id}`)?.['ev_percentage'], item.ev_percentage);
  };
  await agree([1, -2.4, -3.7]);
  assert.equal(active(usual, 'ev').length, 1);
  clock.set(clock.now() + 2_000);
  await poll({ fanduel: [-108, -104], draftkings: [-112, -108] });
  await agree([-1.9, -3.7, -3.7]);
  assert.equal(active(usual, 'ev').length, 0);
  clock.set(clock.now() + 2_000);
  await poll({ draftkings: [-125, -125], fanduel: [-125, 101] });
  await agree([0.5]);
});

test('streams with holds above the default limit and with quarter-point middles have what REST lists', async (t) => {
  const { get, poll, follow } = await served(t);
  await poll({ draftkings: [-125, -125], fanduel: [-130, -125] });
  await poll({ draftkings: [101, -130] }, { ...OTHER, league: 'epl' }, 2.25);
  await poll({ fanduel: [-130, 101], betmgm: [-110, -110] }, { ...OTHER, league: 'epl' }, 2.5);
  const hold = await follow('channel=opportunities&max_hold=15', 'enterprise');
  const usual = await follow('channel=opportunities', 'enterprise');
  const sized = await follow('channel=opportunities&min_size=0.25', 'enterprise');
  for (const client of [hold, usual, sized]) await client.until(() => complete(client));
  const lists = async (query: string, prefix: string) =>
    ids(await get(query, 'enterprise')).map((id) => `${prefix} ${id}`);
  const listed = await lists('low_hold?max_hold=15', 'low_hold');
  assert.ok(listed.length > (await lists('low_hold', 'low_hold')).length);
  assert.deepEqual(active(hold, 'low_hold'), listed);
  const middles = await get('middles?min_size=0.25', 'enterprise');
  assert.deepEqual(
    middles['data'].map(({ middle_size }: { middle_size: number }) => middle_size),
    [0.25],
  );
  const [{ id }] = middles['data'];
  assert.equal((await get(`middles/${id}?min_size=0.25`, 'enterprise'))['data']?.id, id);
  assert.deepEqual(active(sized, 'middles'), await lists('middles?min_size=0.25', 'middles'));
  assert.deepEqual([active(usual, 'middles'), active(hold, 'middles')], [[], []]);
  assert.equal((await get('middles?min_size=0.5', 'enterprise'))['data'].length, 0);
});

test('a request beyond the detection limits is restricted to its sports, leagues and events', async (t) => {
  const { server, get, poll } = await served(t, 2);
  const asked: object[] = [];
  const evaluate = server.engine.evaluate.bind(server.engine);
  server.engine.evaluate = (question, account) => {
    asked.push(question);
    return evaluate(question, account);
  };
  await poll({ pinnacle: [-110, -110], draftkings: [-105, -115] });
  await poll({ pinnacle: [-110, -110], draftkings: [-105, -115] }, OTHER);
  const total = async (query: string) => (await get(`ev?min_ev=-5${query}`, 'enterprise'))['pagination'].total;
  assert.equal(await total(''), 2);
  assert.equal(await total('&league=NBA'), 1);
  assert.equal(await total('&sport=us_major'), 2);
  assert.equal(await total('&event=nba_celtics_lakers_2026-11-20'), 1);
  const [all, league, sport, event] = asked as Record<string, unknown>[];
  assert.deepEqual([all!['sports'], all!['leagues'], all!['events']], [undefined, undefined, undefined]);
  assert.deepEqual(league!['leagues'], ['nba']);
  assert.deepEqual([...(sport!['sports'] as string[])].sort(), ['baseball', 'basketball', 'football', 'hockey']);
  assert.deepEqual(event!['events'], ['nba_celtics_lakers_2026-11-20']);
  assert.equal(GAME.league, 'nba');
});

test('streams with similar limits share a universe, whose opportunities beyond the default limits are bounded', () => {
  const source = new TestSource();
  const catalogue = loadCatalogue(undefined);
  const universes = new Universes({
    source,
    catalogue,
    clock: new ManualClock(NOW_MS),
    onReady: () => undefined,
    onFailed: () => undefined,
  });
  const everyone = universeOf(catalogue, 'enterprise', undefined, () => true);
  for (const limits of [{ minEv: -1 }, { minEv: -5 }, { minEv: 0, maxHold: 5, minMiddleSize: 0.5 }, { maxHold: 7 }])
    universes.hold(everyone, limits);
  universes.hold(everyone, { minEv: -1_000, maxHold: 1_000, minMiddleSize: 0.25 });
  const widened = source.asked.filter(({ kept }) => kept !== undefined);
  assert.deepEqual(
    widened.map(({ key, kept, beyondMax }) => [key, kept, beyondMax]),
    [
      ['sharp|minEv=-5', { minEv: -5 }, BEYOND_MAX],
      ['sharp|maxHold=10', { maxHold: 10 }, BEYOND_MAX],
      [
        `sharp|minEv=-100|minMiddleSize=0|maxHold=${Number.MAX_VALUE}`,
        { minEv: -100, minMiddleSize: 0, maxHold: Number.MAX_VALUE },
        BEYOND_MAX,
      ],
    ],
  );
  const pairs = catalogue.books.slice(1).map(({ id }) => `${catalogue.books[0]!.id},${id}`);
  const hold = (books: string) =>
    universes.hold(
      universeOf(catalogue, 'enterprise', books, () => true),
      { minEv: -5 },
    );
  for (const books of pairs.slice(0, WIDENED_MAX - widened.length)) hold(books);
  assert.throws(() => hold(pairs.at(-1)!), { code: 'unavailable' });
  hold(pairs[0]!);
});
