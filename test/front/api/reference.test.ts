import assert from 'node:assert/strict';
import { test } from 'node:test';
import { referenceRoutes } from '../../../src/front/api/reference.js';
import { shared } from '../../shared.js';
import { type Body, moneyline, NOW, serving, WORLD } from './serving.js';

const ids = (body: Body): string[] => body['data'].map((item: { id: string }) => item.id);
const find = (body: Body, id: string): Body => body['data'].find((item: { id: string }) => item.id === id);

/** Read only. */
const world = shared(async (t) => {
  const made = await serving(t, referenceRoutes);
  await made.ingest(...WORLD);
  return made;
});

test('sports show the events, live games and leagues in the table, and all others only on request', async (t) => {
  const { ok, ingest } = await serving(t, referenceRoutes);
  assert.deepEqual((await ok('/sports')).data, []);
  await ingest(...WORLD);
  const body = await ok('/sports');
  const pagination = { limit: 4, offset: 0, count: 4, total: 4, has_more: false, next_offset: null };
  assert.deepEqual(body, {
    success: true,
    data: [
      {
        id: 'basketball',
        slug: 'basketball',
        name: 'Basketball',
        active: true,
        event_count: 2,
        live_count: 0,
        leagues: ['nba'],
      },
      {
        id: 'baseball',
        slug: 'baseball',
        name: 'Baseball',
        active: true,
        event_count: 1,
        live_count: 1,
        leagues: ['mlb'],
      },
      { id: 'soccer', slug: 'soccer', name: 'Soccer', active: true, event_count: 1, live_count: 1, leagues: ['epl'] },
      {
        id: 'other',
        slug: 'other',
        name: 'Other',
        active: true,
        event_count: 1,
        live_count: 0,
        leagues: ['street-league'],
      },
    ],
    pagination,
    meta: { count: 4, total: 4, pagination, updated_at: NOW },
    updated_at: NOW,
  });
  const all = await ok('/sports?include_empty=true');
  const hockey = find(all, 'hockey');
  assert.deepEqual([hockey['event_count'], hockey['active']], [0, false]);
  assert.ok(hockey['leagues'].includes('nhl'));
});

test('one sport is found by its id or another name of it, and needs a key', async () => {
  const { ok, refused } = await world();
  assert.deepEqual(await ok('/sports/soccer?x=1', 'free'), {
    success: true,
    data: {
      id: 'soccer',
      slug: 'soccer',
      name: 'Soccer',
      active: true,
      event_count: 1,
      live_count: 1,
      leagues: ['epl'],
    },
    meta: { ignored: ['x'], updated_at: NOW },
    updated_at: NOW,
  });
  assert.equal((await ok('/sports/icehockey', 'free')).data.id, 'hockey');
  assert.deepEqual((await refused('/sports/quidditch', 'free')).slice(0, 2), [404, 'not_found']);
  assert.deepEqual((await refused('/sports/us_major', 'free')).slice(0, 2), [404, 'not_found']);
  assert.deepEqual((await refused('/sports/soccer')).slice(0, 2), [401, 'unauthorized']);
});

test('leagues are narrowed by sport, by its categories too; an unknown sport is named', async () => {
  const { ok } = await world();
  assert.deepEqual(ids(await ok('/leagues')), ['nba', 'mlb', 'epl', 'street-league']);
  const nba = {
    id: 'nba',
    slug: 'nba',
    name: 'NBA',
    sport: 'basketball',
    active: true,
    event_count: 2,
    live_count: 0,
  };
  assert.deepEqual((await ok('/leagues?sport=basketball')).data, [nba]);
  assert.deepEqual(ids(await ok('/leagues?sport=us_major')), ['nba', 'mlb']);
  const both = await ok('/leagues?sport=soccer,curling&colour=red');
  assert.deepEqual(ids(both), ['epl']);
  assert.deepEqual([both['meta'].unknown, both['meta'].ignored], [['curling'], ['colour']]);
  const nhl = find(await ok('/leagues?sport=hockey&include_empty=1'), 'nhl');
  assert.deepEqual([nhl['event_count'], nhl['live_count'], nhl['active']], [0, 0, false]);
});

test('a sportsbook shows its place in the catalogue and its present counts', async () => {
  const { ok, refused, engine } = await world();
  const [fanduelRule] = engine.catalogue.houseRules.ofBook('fanduel');
  const fanduel = {
    id: 'fanduel',
    slug: 'fanduel',
    name: 'FanDuel',
    display_name: 'FanDuel Sportsbook',
    owner: 'flutter',
    kind: 'sportsbook',
    is_sharp: false,
    commission: null,
    currency: 'USD',
    usd_rate: 1,
    min_stake: null,
    stake_step: null,
    contracts: null,
    settles: {},
    rules: ['mlb', 'mlb-preseason'].map((league) => ({
      sport: 'baseball',
      league,
      postponed_hours: 'same_day',
      source: fanduelRule!.source,
    })),
    has_live_odds: true,
    has_player_props: true,
    regions: ['US'],
    requires_tier: 'free',
    status: 'active',
    active: true,
    event_count: 1,
    last_update: '2026-11-20T17:59:58.500Z',
    unlisted: false,
  };
  assert.deepEqual((await ok('/sportsbooks/fanduel', 'free')).data, fanduel);
  assert.deepEqual(find(await ok('/sportsbooks'), 'fanduel'), fanduel);
  assert.equal((await ok('/sportsbooks/williamhill_us', 'free')).data.id, 'caesars');
  const { currency, usd_rate } = (await ok('/sportsbooks/betfair', 'free')).data;
  assert.deepEqual([currency, usd_rate], ['GBP', null], 'no rate was stated');
  assert.equal((await ok('/sportsbooks/Corner_Store', 'free')).data.unlisted, true);
  assert.deepEqual((await refused('/sportsbooks/nobody', 'free')).slice(0, 2), [404, 'not_found']);
  assert.deepEqual((await refused('/sportsbooks/fanduel')).slice(0, 2), [401, 'unauthorized']);
});

test('sportsbooks are those with events; the rest of the catalogue, inactive and unlisted ones only on request', async () => {
  const { ok, refused, engine } = await world();
  assert.deepEqual(ids(await ok('/sportsbooks', 'free')).sort(), ['betmgm', 'draftkings', 'fanduel', 'pinnacle']);
  const whole = engine.catalogue.books.map((book) => book.id);
  const catalog = await ok('/sportsbooks?catalog=true', 'free');
  assert.deepEqual(ids(catalog), whole);
  assert.deepEqual(ids(await ok('/sportsbooks?include_inactive=true', 'free')), whole);
  const bovada = find(catalog, 'bovada');
  assert.deepEqual(
    [bovada['status'], bovada['active'], bovada['event_count'], bovada['last_update']],
    ['inactive', false, 0, null],
  );
  assert.deepEqual(ids(await ok('/sportsbooks?sharp=true', 'free')), ['pinnacle']);
  assert.deepEqual(ids(await ok('/sportsbooks?sharp=false&region=US', 'free')).sort(), [
    'betmgm',
    'draftkings',
    'fanduel',
  ]);
  const unlisted = await ok('/sportsbooks?include_unlisted=true', 'free');
  assert.deepEqual(find(unlisted, 'corner_store'), {
    id: 'corner_store',
    slug: 'corner_store',
    name: 'corner_store',
    display_name: 'corner_store',
    owner: 'corner_store',
    kind: 'sportsbook',
    is_sharp: false,
    commission: null,
    currency: 'USD',
    usd_rate: 1,
    min_stake: null,
    stake_step: null,
    contracts: null,
    settles: {},
    rules: [],
    has_live_odds: false,
    has_player_props: false,
    regions: [],
    requires_tier: 'sharp',
    status: 'active',
    active: true,
    event_count: 1,
    last_update: NOW,
    unlisted: true,
  });
  const wrong = await refused('/sportsbooks?region=MARS', 'free');
  assert.deepEqual(wrong.slice(0, 2), [400, 'invalid_request']);
  assert.match(wrong[2], /region/);
  assert.equal((await refused('/sportsbooks?sharp=maybe', 'free'))[0], 400);
});

test('a book is inactive once it has no odds and was not polled for five minutes', async (t) => {
  const { ok, ingest, clock } = await serving(t, referenceRoutes);
  await ingest(WORLD[3]!);
  clock.set(Date.parse(NOW) + 1_000);
  await ingest({ book: 'betmgm', scope: 'league', league: 'epl', polled_at: '2026-11-20T18:00:01Z', events: [] });
  clock.set(Date.parse(NOW) + 301_000);
  const polled = (await ok('/sportsbooks/betmgm', 'free')).data;
  assert.deepEqual([polled.event_count, polled.status, polled.active], [0, 'active', true]);
  clock.set(Date.parse(NOW) + 301_001);
  const silent = (await ok('/sportsbooks/betmgm', 'free')).data;
  assert.deepEqual([silent.status, silent.active], ['inactive', false]);
});

test('market types count events and selections; a selection with several prices counts once', async () => {
  const { ok } = await world();
  const body = await ok('/markets');
  const moneyline = find(body, 'moneyline');
  assert.deepEqual(Object.keys(moneyline).sort(), [
    'by_sport',
    'description',
    'event_count',
    'examples',
    'family',
    'hasLine',
    'id',
    'line',
    'line_step',
    'model',
    'name',
    'overtime',
    'part',
    'selection_count',
    'sides',
    'sports',
    'statistic',
    'subject',
    'tie',
  ]);
  assert.deepEqual(moneyline['by_sport'].basketball, { tie: 'cannot_happen' });
  assert.deepEqual(
    [moneyline['event_count'], moneyline['selection_count'], moneyline['hasLine'], moneyline['name']],
    [3, 7, false, 'Moneyline'],
  );
  assert.ok(moneyline['sports'].includes('basketball') && moneyline['examples'].length > 0);
  // 220.5 at one book and 221.5 at the other; LeBron and Lebron are the same player.
  assert.equal(find(body, 'total_points')['selection_count'], 4);
  assert.equal(find(body, 'player_points')['selection_count'], 4);
  assert.deepEqual(find(body, 'coin_toss'), {
    id: 'coin_toss',
    name: 'Coin Toss',
    description: '',
    hasLine: false,
    family: 'other',
    sides: 'by_book',
    part: 'game',
    subject: 'game',
    line: 'none',
    line_step: null,
    statistic: null,
    tie: 'cannot_happen',
    overtime: 'counts',
    model: null,
    derived: true,
    examples: [],
    event_count: 1,
    selection_count: 2,
    sports: ['other'],
  });
  assert.equal(find(body, 'puck_line')['event_count'], 0);
});

test('counts follow added and removed rows and ended games', async (t) => {
  const { ok, ingest } = await serving(t, referenceRoutes);
  await ingest(...WORLD);
  const game = { league: 'nba', home_team: 'Heat', away_team: 'Bulls', start_time: '2026-11-21T01:00:00Z' };
  const moneylines = async () => find(await ok('/markets', 'pro'), 'moneyline')['event_count'];
  const games = async () => (await ok('/sports/basketball', 'pro')).data.event_count;
  const polled_at = (seconds: number) => ({ polled_at: `2026-11-20T18:00:0${seconds}Z` });
  assert.deepEqual([await moneylines(), await games()], [3, 2]);
  await ingest({ book: 'pinnacle', ...polled_at(1), events: [{ ...game, markets: [] }] });
  assert.deepEqual([await moneylines(), await games()], [2, 1]);
  await ingest({ book: 'bovada', ...polled_at(1), events: [{ ...game, markets: [moneyline(-110, -110)] }] });
  assert.deepEqual([await moneylines(), await games()], [3, 2]);
  await ingest({ book: 'bovada', ...polled_at(2), scope: 'none', events: [{ ...game, status: 'ended', markets: [] }] });
  assert.deepEqual([await moneylines(), await games()], [2, 1]);
});

test('teams are found by league, sport and any of their names, those of leagues without a list too', async () => {
  const { ok, refused } = await world();
  const lakers = (await ok('/teams?league=nba&q=lal', 'free')).data;
  assert.equal(lakers.length, 1);
  assert.deepEqual(lakers[0], {
    id: 'lakers',
    name: 'Los Angeles Lakers',
    league: 'nba',
    leagues: ['nba'],
    sport: 'basketball',
    aliases: ['LA Lakers', 'LAL Lakers', 'LAL'],
    event_count: 1,
    live_count: 0,
  });
  assert.deepEqual(ids(await ok('/teams?league=nba&q=los+ang', 'free')), ['clippers', 'lakers']);
  assert.deepEqual(ids(await ok('/teams?sport=basketball&league=street-league,nba&q=north', 'free')), []);
  const street = await ok('/teams?league=street-league,fog-league', 'free');
  assert.deepEqual(street['data'][0], {
    id: 'north',
    name: 'North',
    league: 'street-league',
    leagues: ['street-league'],
    sport: 'other',
    aliases: [],
    event_count: 1,
    live_count: 0,
  });
  assert.deepEqual([ids(street), street['meta'].unknown], [['north', 'south'], ['fog-league']]);
  assert.ok((await ok('/teams', 'hobby')).pagination.total > 100);
  assert.equal((await refused('/teams'))[0], 401);
});
