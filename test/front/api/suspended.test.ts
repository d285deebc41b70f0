// Suspended prices over HTTP: marked wherever rows are shown, and never a best price or part of a hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchRoutes } from '../../../src/front/api/batch.js';
import { bestRoutes, comparisonRoutes } from '../../../src/front/api/best.js';
import { costlyQueue } from '../../../src/front/api/cost.js';
import { deltaRoutes } from '../../../src/front/api/delta.js';
import { oddsRoutes } from '../../../src/front/api/odds.js';
import { shared } from '../../shared.js';
import { type Body, moneyline, pastOf, serving } from './serving.js';

const lakers = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers' };

const served = shared((t) =>
  serving(t, (deps) => {
    return [
      ...oddsRoutes(deps, pastOf(deps)),
      ...deltaRoutes(deps),
      ...bestRoutes(deps, pastOf(deps)),
      ...comparisonRoutes(deps, pastOf(deps)),
      ...batchRoutes(deps, costlyQueue()),
    ];
  }),
);

let day = 20;
/** A game of its own for each test, on another day, with prices of two books. */
async function world() {
  const server = await served();
  const id = `nba_celtics_lakers_2026-11-${day}`;
  day++;
  const game = { ...lakers, start_time: `2026-11-${day}T00:30:00Z` };
  const poll = async (book: string, event: object): Promise<void> => {
    server.clock.set(server.clock.now() + 1_000);
    const polled_at = new Date(server.clock.now()).toISOString();
    await server.ingest({ book, polled_at, events: [{ ...game, markets: [], ...event }] });
  };
  await poll('draftkings', { markets: [moneyline(150, -140)] });
  await poll('fanduel', { markets: [moneyline(120, -130)] });
  return { ...server, poll, id };
}

const statusOf = ({ data }: Body): string[] =>
  (data as Record<string, unknown>[])
    .map((row) => `${row['sportsbook']} ${row['selection_type']} ${row['is_active'] === true ? 'open' : 'suspended'}`)
    .sort();

test('rows show whether they are active, and is_active selects active or suspended ones, page by page', async () => {
  const { ok, poll, refused, id } = await world();
  const ask = (query = '') => ok(`/odds?event=${id}${query}`, 'pro');
  const all = await ask();
  assert.deepEqual([all.pagination.total, all.meta.filters.is_active], [4, null]);
  await poll('draftkings', { suspended: true });
  const marked = await ask();
  assert.deepEqual(statusOf(marked), [
    'draftkings away suspended',
    'draftkings home suspended',
    'fanduel away open',
    'fanduel home open',
  ]);
  const suspended = await ask('&is_active=false');
  assert.deepEqual(statusOf(suspended), ['draftkings away suspended', 'draftkings home suspended']);
  assert.deepEqual([suspended.pagination.total, suspended.meta.filters.is_active], [2, false]);
  const first = await ask('&is_active=true&limit=1&sort=-odds_decimal');
  assert.deepEqual([first.pagination.total, statusOf(first)], [2, ['fanduel home open']]);
  const second = await ask(`&is_active=true&limit=1&sort=-odds_decimal&cursor=${first.pagination.next_cursor}`);
  assert.deepEqual(statusOf(second), ['fanduel away open']);
  const ofEvent = await ok(`/events/${id}/odds?is_active=false`, 'pro');
  assert.deepEqual(statusOf(ofEvent), ['draftkings away suspended', 'draftkings home suspended']);
  assert.deepEqual((await refused(`/odds?is_active=maybe`, 'pro')).slice(0, 2), [400, 'invalid_request']);
  await poll('draftkings', { markets: [moneyline(150, -140)] });
  assert.equal((await ask('&is_active=true')).pagination.total, 4, 'no total of before');
});

test('rows name their book, their last sight as timestamp and the price before, on every list of them', async () => {
  const { ok, poll, get, clock, id } = await world();
  await poll('draftkings', { markets: [moneyline(155, -145)] });
  const lists = [
    (await ok(`/odds?event=${id}&sportsbook=draftkings`, 'pro')).data,
    (await ok(`/odds?event=${id}&sportsbook=draftkings&group_by=event`, 'pro')).data[0].odds,
    (await ok(`/events/${id}/odds?sportsbook=draftkings`, 'pro')).data,
    (await ok(`/odds/delta?since=2026-11-20T17:59:59Z&event=${id}&sportsbook=draftkings`, 'pro')).data,
    (
      await ok(
        `/odds?event=${id}&sportsbook=draftkings&fields=sportsbook_name,timestamp,last_seen_at,is_active,odds_american_previous`,
        'pro',
      )
    ).data,
  ] as Record<string, unknown>[][];
  for (const rows of lists) {
    assert.deepEqual(rows.map((row) => row['odds_american_previous']).sort(), [-140, 150]);
    for (const row of rows)
      assert.deepEqual(
        [row['sportsbook_name'], row['timestamp'], row['is_active']],
        ['DraftKings', row['last_seen_at'], true],
      );
  }
  const csv = await (await get(`/odds?event=${id}&sportsbook=draftkings&format=csv`, 'pro')).text();
  const [head = '', first = ''] = csv.split('\r\n');
  const column = (name: string) => first.split(',')[head.split(',').indexOf(name)];
  assert.deepEqual(
    [column('sportsbook_name'), column('is_active'), column('timestamp')],
    ['DraftKings', 'true', new Date(clock.now()).toISOString()],
  );
});

test('a suspended price is not the best one, nor among the books that are weighed', async () => {
  const { ok, poll, id } = await world();
  const best = async () => {
    const { data } = await ok(`/odds/best?event=${id}`, 'pro');
    return (data as Body[])
      .map(({ selection_type, best_book, all_books }) => [selection_type, best_book, all_books.length])
      .sort();
  };
  assert.deepEqual(await best(), [
    ['away', 'fanduel', 2],
    ['home', 'draftkings', 2],
  ]);
  await poll('draftkings', { suspended: true });
  assert.deepEqual(await best(), [
    ['away', 'fanduel', 1],
    ['home', 'fanduel', 1],
  ]);
  await poll('fanduel', { markets: [{ ...moneyline(120, -130), is_active: false }] });
  assert.deepEqual(await best(), []);
});

test('a comparison shows a suspended price as such, and computes without it', async () => {
  const { ok, poll, id } = await world();
  const whole = (await ok(`/odds/comparison?event=${id}`, 'pro')).data.markets[0];
  assert.deepEqual(Object.keys(whole.hold.by_book), ['draftkings', 'fanduel']);
  await poll('draftkings', { markets: [{ ...moneyline(150, -140), is_active: false }] });
  const { markets, books_available } = (await ok(`/odds/comparison?event=${id}`, 'pro')).data;
  assert.deepEqual(books_available, ['draftkings', 'fanduel']);
  const [{ hold, selections }] = markets;
  assert.deepEqual(Object.keys(hold.by_book), ['fanduel']);
  assert.equal(hold.best_available, hold.by_book.fanduel);
  const home = selections.find((each: Body) => each['selection_type'] === 'home');
  assert.deepEqual([home.best_book, home.worst_book, home.best_odds], ['fanduel', 'fanduel', 120]);
  const { is_active, odds_american, possibly_stale } = home.books.draftkings;
  assert.deepEqual([is_active, odds_american, possibly_stale], [false, 150, false]);
  assert.equal(home.books.fanduel.is_active, true);
});

test('a delta has suspensions and reopenings, and removes rows that is_active no longer selects', async () => {
  const { ok, poll, id } = await world();
  let since = (await ok(`/odds?event=${id}`, 'pro')).meta.server_time as string;
  const ask = (query = '') => ok(`/odds/delta?since=${since}${query}`, 'pro');
  await poll('draftkings', { suspended: true });
  const changes = await ask();
  assert.deepEqual(statusOf(changes), ['draftkings away suspended', 'draftkings home suspended']);
  const open = await ask('&is_active=true');
  assert.deepEqual([open.data, open.removed.sort()], [[], changes.data.map(({ id }: Body) => id).sort()]);
  since = changes.meta.server_time;
  await poll('draftkings', { suspended: true });
  assert.deepEqual((await ask()).data, [], 'said again it is no news');
  await poll('draftkings', { markets: [moneyline(150, -140)] });
  assert.deepEqual(statusOf(await ask('&is_active=true')), ['draftkings away open', 'draftkings home open']);
});
