import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EventReader } from '../../../src/answers/event-list.js';
import { eventsRoutes } from '../../../src/front/api/events.js';
import { TIERS } from '../../../src/rules/catalogue/types.js';
import { universeOf } from '../../../src/tables/filter/universe.js';
import { shared } from '../../shared.js';
import {
  ARSENAL,
  ARSENAL_STATE,
  type Body,
  BRUINS,
  BULLS,
  engineFor,
  LAKERS,
  moneyline,
  NOW,
  overUnder,
  STREET,
  servingUndelayed,
  WORLD,
  YANKEES,
} from './serving.js';

const ids = (body: Body): string[] => body['data'].map((item: { id: string }) => item.id);

/** Only read. */
const world = shared(async (t) => {
  const made = await servingUndelayed(t, eventsRoutes);
  await made.ingest(...WORLD);
  return made;
});

/** The fields of a game that both the list and the detail contain. */
const LAKERS_EVENT = {
  id: LAKERS,
  event_id: LAKERS,
  external_ids: { draftkings: 'dk-1', fanduel: 'fd-1' },
  sport: 'basketball',
  league: 'nba',
  home_team: 'Boston Celtics',
  away_team: 'Los Angeles Lakers',
  event_name: 'Los Angeles Lakers @ Boston Celtics',
  start_time: '2026-11-21T00:30:00.000Z',
  status: 'upcoming',
  is_live: false,
  book_count: 2,
};

test('an event of the list has its names, books and markets inside the caller’s universe', async () => {
  const { ok } = await world();
  const body = await ok('/events?league=nba&limit=1', 'free');
  const pagination = { limit: 1, offset: 0, count: 1, total: 1, has_more: false, next_offset: null };
  const none = {
    sport: null,
    sportsbook: null,
    live: null,
    has_score: null,
    date: null,
    team: null,
    q: null,
    sort: null,
  };
  assert.deepEqual(body, {
    success: true,
    data: [
      {
        ...LAKERS_EVENT,
        markets: ['moneyline', 'player_points', 'total_points'],
        books: ['draftkings', 'fanduel'],
      },
    ],
    pagination,
    meta: { count: 1, total: 1, filters: { ...none, league: 'nba' }, pagination, updated_at: NOW },
    updated_at: NOW,
  });
  const sharp = await ok('/events?league=nba&limit=1', 'sharp');
  assert.deepEqual(sharp['data'][0].books.sort(), ['draftkings', 'fanduel', 'pinnacle']);
  assert.deepEqual(sharp['pagination'], { ...pagination, total: 2, has_more: true, next_offset: 1 });
  const live = (await ok('/events?live=true&league=epl', 'hobby')).data[0];
  assert.deepEqual([live.status, live.is_live], ['live', true]);
  assert.deepEqual(live.game_state, { ...live.game_state, ...ARSENAL_STATE });
});

test('each tier is listed the events its books price; unpriced ones only with a score and before their end', async () => {
  const { ok } = await world();
  assert.deepEqual(ids(await ok('/events', 'free')), [YANKEES, LAKERS]);
  assert.deepEqual(ids(await ok('/events', 'hobby')), [YANKEES, ARSENAL, LAKERS]);
  assert.deepEqual(ids(await ok('/events', 'pro')), [YANKEES, ARSENAL, LAKERS]);
  assert.deepEqual(ids(await ok('/events', 'sharp')), [YANKEES, ARSENAL, LAKERS, BULLS, STREET]);
});

test('an ended event is listed while a book has odds on it, and is found by its id after that', async (t) => {
  const { ok, ingest } = await servingUndelayed(t, eventsRoutes);
  await ingest(...WORLD);
  assert.deepEqual(ids(await ok('/events?league=nhl', 'enterprise')), []);
  const ended = (await ok(`/events/${BRUINS}`, 'free')).data;
  assert.deepEqual([ended.status, ended.book_count, ended.books, ended.markets], ['ended', 0, [], []]);
  const market = moneyline(-200, 170);
  await ingest({ book: 'fanduel', events: [{ event_id: BRUINS, status: 'ended', markets: [market] }] });
  assert.deepEqual(ids(await ok('/events?league=nhl', 'free')), [BRUINS]);
});

test('the filters of the list', async () => {
  const { ok } = await world();
  const found = async (query: string) => ids(await ok(`/events?${query}`, 'sharp'));
  assert.deepEqual(await found('sport=soccer,baseball'), [YANKEES, ARSENAL]);
  assert.deepEqual(await found('sport=us_major'), [YANKEES, LAKERS, BULLS]);
  assert.deepEqual(await found('sportsbook=fanduel'), [LAKERS]);
  assert.deepEqual(await found('live=true'), [YANKEES, ARSENAL]);
  assert.deepEqual(await found('is_live=false'), [LAKERS, BULLS, STREET]);
  assert.deepEqual(await found('has_score=true'), [YANKEES, ARSENAL]);
  assert.deepEqual(await found('has_score=false'), [LAKERS, BULLS, STREET]);
  // Half past midnight in London is still the evening before in New York; a league without a known place has UTC days.
  assert.deepEqual(await found('date=2026-11-20'), [YANKEES, ARSENAL, LAKERS, BULLS]);
  assert.deepEqual(await found('date=2026-11-21'), [STREET]);
  assert.deepEqual(await found('team=LAL'), [LAKERS]);
  assert.deepEqual(await found('team=red+sox,bulls'), [YANKEES, BULLS]);
  assert.deepEqual(await found('team=angeles'), [LAKERS]);
  assert.deepEqual(await found('team=ulls'), []);
  assert.deepEqual(await found('q=lak+bos'), [LAKERS]);
  assert.deepEqual(await found('q=premier'), [ARSENAL]);
  assert.deepEqual(await found('q=LAL'), [LAKERS]);
  assert.deepEqual(await found('sport=basketball&team=heat&date=2026-11-20'), [BULLS]);
});

test('unknown values match nothing and are named, unknown parameters are passed over and named', async () => {
  const { ok } = await world();
  const body = await ok('/events?sport=curling&league=xyz&sportsbook=nobody&colour=red', 'sharp');
  assert.deepEqual([body['data'], body['pagination'].total], [[], 0]);
  assert.deepEqual([...body['meta'].unknown].sort(), ['curling', 'nobody', 'xyz']);
  assert.deepEqual(body['meta'].ignored, ['colour']);
  const half = await ok('/events?league=epl,xyz', 'sharp');
  assert.deepEqual([ids(half), half['meta'].unknown], [[ARSENAL], ['xyz']]);
  const detail = await ok(`/events/${LAKERS}?sportsbook=nobody`, 'sharp');
  assert.deepEqual([detail['data'].book_count, detail['meta'].unknown], [0, ['nobody']]);
});

test('parameters out of their range are refused by name, books above the tier with the tier', async () => {
  const { refused, ok } = await world();
  for (const [name, value] of Object.entries({
    limit: '0',
    offset: '-1',
    live: 'maybe',
    has_score: 'yes',
    date: '2026-02-30',
  })) {
    const [status, code, message] = await refused(`/events?${name}=${value}`, 'sharp');
    assert.deepEqual([status, code], [400, 'invalid_request'], name);
    assert.match(message, new RegExp(name));
  }
  assert.equal((await refused('/events?limit=201', 'sharp'))[0], 400);
  assert.equal((await ok('/events?limit=200', 'sharp')).pagination.limit, 200);
  for (const path of ['/events', `/events/${LAKERS}`, `/events/${LAKERS}/markets`]) {
    assert.deepEqual((await refused(`${path}?sportsbook=pinnacle`, 'pro')).slice(0, 2), [403, 'tier_restricted']);
    assert.equal((await refused(path))[0], 401);
  }
  assert.deepEqual((await refused('/events/nba_no_body_2026-11-20', 'pro')).slice(0, 2), [404, 'not_found']);
  assert.deepEqual((await refused('/events/nba_no_body_2026-11-20/markets', 'pro')).slice(0, 2), [404, 'not_found']);
});

test('an event shows how many odds each book and market type has for it', async () => {
  const { ok } = await world();
  assert.deepEqual(await ok(`/events/${LAKERS}`, 'free'), {
    success: true,
    data: {
      ...LAKERS_EVENT,
      markets: [
        { type: 'moneyline', selection_count: 2, book_count: 2 },
        { type: 'player_points', selection_count: 4, book_count: 2 },
        { type: 'total_points', selection_count: 4, book_count: 2 },
      ],
      books: [
        { id: 'draftkings', name: 'DraftKings', market_count: 3, last_update: NOW },
        { id: 'fanduel', name: 'FanDuel', market_count: 3, last_update: '2026-11-20T17:59:58.500Z' },
      ],
    },
    meta: { updated_at: NOW },
    updated_at: NOW,
  });
  const live = (await ok(`/events/${ARSENAL}`, 'sharp')).data;
  assert.deepEqual(live.game_state, { ...live.game_state, ...ARSENAL_STATE });
  const narrowed = (await ok(`/events/${LAKERS}?sportsbook=pinnacle`, 'sharp')).data;
  assert.deepEqual([narrowed.book_count, narrowed.external_ids], [1, { pinnacle: 'p-1' }]);
  const hidden = (await ok(`/events/${BULLS}`, 'free')).data;
  assert.deepEqual([hidden.home_team, hidden.book_count, hidden.external_ids], ['Miami Heat', 0, {}]);
});

test('the markets of an event have their selections, each line its own', async () => {
  const { ok } = await world();
  const body = await ok(`/events/${LAKERS}/markets?market=moneyline,props`, 'free');
  const prop = { player_name: 'LeBron James', stat_category: 'points' };
  const far = { player_name: 'Lebron James', stat_category: 'points' };
  assert.deepEqual(body['data'], [
    {
      type: 'moneyline',
      market_type: 'moneyline',
      selection_count: 2,
      book_count: 2,
      selections: [
        { name: 'Boston Celtics', type: 'home', book_count: 2 },
        { name: 'Los Angeles Lakers', type: 'away', book_count: 2 },
      ],
    },
    {
      type: 'player_points',
      market_type: 'player_points',
      selection_count: 4,
      book_count: 2,
      selections: [
        { name: 'Over', type: 'over', line: 25.5, ...prop, book_count: 2 },
        { name: 'Under', type: 'under', line: 25.5, ...prop, book_count: 2 },
        { name: 'Over', type: 'over', line: 27.5, ...far, book_count: 1 },
        { name: 'Under', type: 'under', line: 27.5, ...far, book_count: 1 },
      ],
    },
  ]);
  assert.equal(body['pagination'].total, 2);
  assert.deepEqual((await ok(`/events/${BULLS}/markets`, 'free')).data, []);
  assert.equal((await ok(`/events/${LAKERS}/markets?market=moneyline`, 'sharp')).data[0].book_count, 3);
});

test('the totals of the two teams are distinguished', async (t) => {
  const { ok, ingest } = await servingUndelayed(t, eventsRoutes);
  const game = { league: 'nba', home_team: 'Heat', away_team: 'Bulls', start_time: '2026-11-21T01:00:00Z' };
  const markets = (['home', 'away'] as const).map((team) => overUnder('team_total', 110.5, { team }));
  await ingest(
    { book: 'draftkings', events: [{ ...game, markets }] },
    { book: 'fanduel', events: [{ ...game, markets }] },
  );
  const [totals] = (await ok(`/events/${BULLS}/markets`, 'free')).data;
  assert.deepEqual(totals.selections.map((s: Body) => [s['name'], s['team_name'], s['book_count']]).sort(), [
    ['Over', 'Chicago Bulls', 2],
    ['Over', 'Miami Heat', 2],
    ['Under', 'Chicago Bulls', 2],
    ['Under', 'Miami Heat', 2],
  ]);
});

test('pages of any size, one behind the other, are the whole list', async (t) => {
  const { engine } = engineFor(t);
  const books = ['draftkings', 'fanduel', 'betmgm', 'bovada', 'pinnacle', 'corner_store'];
  const leagues = ['nba', 'epl', 'nhl', 'street-league'];
  await engine.ingest(
    books.map((book, b) => ({
      book,
      polled_at: NOW,
      scope: 'none',
      events: Array.from({ length: 80 }, (_, i) => i)
        .filter((i) => (i + b) % (b + 2) === 0)
        .map((i) => ({
          league: leagues[i % 4],
          home_team: `Home ${i}`,
          away_team: `Away ${i}`,
          // Some start together: then the id decides.
          start_time: new Date(Date.parse(NOW) + Math.floor(i / 3) * 900_000).toISOString(),
          is_live: i % 5 === 0,
          markets: [moneyline(-110, -110)],
        })),
    })),
  );
  const reader = new EventReader(engine.catalogue, engine.table, engine.table);
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  fc.assert(
    fc.property(
      fc.record(
        {
          sport: fc.constantFrom('basketball', 'us_major', 'soccer', 'other'),
          league: fc.constantFrom('nba', 'epl,nhl', 'xyz'),
          live: fc.boolean(),
          date: fc.constantFrom('2026-11-20', '2026-11-21'),
          q: fc.constantFrom('home', 'away 1', '7'),
        },
        { requiredKeys: [] },
      ),
      fc.constantFrom(...TIERS),
      maybe(fc.constantFrom('draftkings', 'draftkings,fanduel')),
      fc.integer({ min: 1, max: 90 }),
      (params, tier, sportsbook, limit) => {
        const universe = universeOf(engine.catalogue, tier, sportsbook, () => true);
        const all = reader.list(universe, { ...params, limit: 1000, offset: 0 });
        const paged: unknown[] = [];
        for (let offset = 0; offset < all.total; offset += limit) {
          const page = reader.list(universe, { ...params, limit, offset });
          assert.equal(page.total, all.total);
          assert.equal(page.items.length, Math.min(limit, all.total - offset));
          paged.push(...page.items);
        }
        assert.deepEqual(paged, all.items);
        const order = all.items.map((event) => `${event.start_time} ${event.id}`);
        assert.deepEqual(order, [...order].sort());
        for (const event of all.items) assert.equal(event.book_count, event.books.length);
      },
    ),
    { numRuns: 200 },
  );
});
