// Best prices: which rows are one bet, whose books count, and how old a price may be.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestRoutes } from '../../../src/front/api/best.js';
import type { IngestEvent } from '../../../src/intake/ingest/message.js';
import { type Ending, shared } from '../../shared.js';
import { type Body, LAKERS, moneyline, NOW, pastOf, serving, WORLD } from './serving.js';

const spread = (home: number, homeOdds: number, awayOdds: number) => ({
  market_type: 'point_spread',
  selections: [
    { selection: 'h', selection_type: 'home', line: home, odds_american: homeOdds },
    { selection: 'a', selection_type: 'away', line: -home, odds_american: awayOdds },
  ],
});

const best = (t: Ending) => serving(t, (deps) => bestRoutes(deps, pastOf(deps)));
/** Only read. */
const world = shared(async (t) => {
  const made = await best(t);
  await made.ingest(...WORLD);
  return made;
});
/** Each test has a day of its own, and the last one passes the time. */
const served = shared(best);
let day = 20;

async function ownDay() {
  const made = await served();
  const path = `/odds/best?date=2026-11-${day}`;
  day++;
  const teams = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers' };
  const start_time = `2026-11-${day}T00:30:00Z`;
  const game = (fields: Partial<IngestEvent> & { markets: IngestEvent['markets'] }): IngestEvent => ({
    ...teams,
    start_time,
    ...fields,
  });
  return { ...made, path, game };
}

interface Shown {
  market_type: string;
  selection_type: string;
  line: number | null;
  best_book: string;
  best_odds: { american: number };
}

/** `moneyline home: fanduel -145`. */
const shown = ({ data }: Body) =>
  (data as Shown[]).map(({ market_type, selection_type, line, best_book, best_odds }) => {
    const at = line === null ? '' : ` ${line}`;
    return `${market_type} ${selection_type}${at}: ${best_book} ${best_odds.american}`;
  });

test('the best price is the best inside the caller’s books, not the best of all', async () => {
  const { ok, refused } = await world();
  const ask = `/odds/best?event=${LAKERS}&market=moneyline`;
  assert.deepEqual(shown(await ok(ask, 'sharp')), ['moneyline home: fanduel -145', 'moneyline away: pinnacle 134']);
  assert.deepEqual(shown(await ok(ask, 'hobby')), ['moneyline home: fanduel -145', 'moneyline away: draftkings 130']);
  assert.deepEqual(shown(await ok(`${ask}&sportsbook=pinnacle`, 'sharp')), [
    'moneyline home: pinnacle -148',
    'moneyline away: pinnacle 134',
  ]);
  assert.deepEqual((await refused(`${ask}&sportsbook=pinnacle`, 'pro')).slice(0, 2), [403, 'tier_restricted']);
  const { data } = await ok(ask, 'sharp');
  assert.deepEqual(
    data[1].all_books.map(({ book, edge }: { book: string; edge: number }) => [book, edge]),
    [
      ['pinnacle', 1.7094],
      ['draftkings', 0.9662],
      ['fanduel', 0],
    ],
  );
});

test('one player is one selection however it is spelled, and each line is one of its own', async () => {
  const { ok } = await world();
  const { data } = await ok(`/odds/best?market=props`, 'pro');
  assert.deepEqual(
    data.map((item: { line: number; selection_type: string; all_books: object[] }) => [
      item.line,
      item.selection_type,
      item.all_books.length,
    ]),
    [
      [25.5, 'over', 2],
      [25.5, 'under', 2],
      [27.5, 'over', 1],
      [27.5, 'under', 1],
    ],
  );
  assert.equal(data[0].player_name, 'LeBron James');
});

test('a two-way price is never compared with a three-way one, and a lay price with none', async () => {
  const { ingest, ok, path, game } = await ownDay();
  await ingest(
    {
      book: 'draftkings',
      events: [
        game({
          league: 'nhl',
          home_team: 'Boston Bruins',
          away_team: 'New York Rangers',
          markets: [moneyline(-150, 130)],
        }),
      ],
    },
    {
      book: 'fanduel',
      events: [
        game({
          league: 'nhl',
          home_team: 'Boston Bruins',
          away_team: 'New York Rangers',
          markets: [moneyline(110, 220, 320)],
        }),
      ],
    },
    { book: 'betmgm', events: [game({ markets: [{ ...moneyline(-150, 130), market_type: 'moneyline_lay' }] })] },
  );
  const { data } = await ok(path, 'pro');
  assert.deepEqual(
    data.map((item: { selection_type: string; best_odds: { american: number }; three_way?: true }) => [
      item.selection_type,
      item.best_odds.american,
      item.three_way,
    ]),
    [
      ['home', -150, undefined],
      ['home', 110, true],
      ['draw', 320, true],
      ['away', 130, undefined],
      ['away', 220, true],
    ],
  );
});

test('of equal prices the book listed first is named, and an ended game has no best price', async () => {
  const { ingest, ok, path, game } = await ownDay();
  await ingest(
    { book: 'fanduel', events: [game({ markets: [spread(-3.5, -110, -110)] })] },
    { book: 'draftkings', events: [game({ markets: [spread(-3.5, -110, -112)] })] },
    { book: 'fanduel', events: [game({ home_team: 'Miami Heat', status: 'ended', markets: [moneyline(100, 101)] })] },
  );
  assert.deepEqual(shown(await ok(path, 'pro')), [
    'point_spread home -3.5: draftkings -110',
    'point_spread away 3.5: fanduel -110',
  ]);
});

test('filters, bounds on the best price, pages and their limits', async () => {
  const { ok, refused } = await world();
  const all = await ok('/odds/best?limit=200', 'enterprise');
  assert.equal(all.meta.total, all.data.length);
  const paged = [];
  for (let offset = 0; ; offset += 3) {
    const page = await ok(`/odds/best?limit=3&offset=${offset}`, 'enterprise');
    paged.push(...page.data);
    assert.equal(page.meta.total, all.meta.total);
    if (!page.pagination.has_more) break;
  }
  assert.deepEqual(paged, all.data);
  assert.deepEqual(
    (await ok('/odds/best?min_odds=%2B120&limit=200', 'enterprise')).data,
    all.data.filter((item: { best_odds: { decimal: number } }) => item.best_odds.decimal >= 2.2),
  );
  assert.deepEqual(shown(await ok('/odds/best?sport=soccer&live=true', 'hobby')), [
    'moneyline home: betmgm -120',
    'moneyline away: betmgm 300',
    'moneyline draw: betmgm 240',
  ]);
  assert.deepEqual((await ok('/odds/best?league=cricket', 'pro')).meta.unknown, ['cricket']);
  assert.deepEqual(await refused('/odds/best?limit=201', 'pro'), [400, 'invalid_request', 'limit must be <= 200']);
  assert.deepEqual((await refused('/odds/best?offset=5001', 'pro')).slice(0, 2), [400, 'invalid_request']);
  assert.deepEqual((await refused('/odds/best')).slice(0, 2), [401, 'unauthorized']);
});

test('best odds are ranked by the price after commission, and show both prices', async () => {
  const { ingest, ok, path, game } = await ownDay();
  const decimals = (home: number, away: number) => ({
    market_type: 'moneyline',
    selections: [
      { selection: 'h', selection_type: 'home', odds_decimal: home },
      { selection: 'a', selection_type: 'away', odds_decimal: away },
    ],
  });
  await ingest(
    { book: 'betfair', events: [game({ markets: [decimals(2.04, 2.08)] })] },
    { book: 'fanduel', events: [game({ markets: [decimals(2, 1.85)] })] },
  );
  const { data } = await ok(path, 'sharp');
  const [home, away] = ['home', 'away'].map((type) => data.find((one: Shown) => one.selection_type === type));
  assert.deepEqual([home.best_book, home.best_odds.decimal_net, home.commission], ['fanduel', 2, null]);
  assert.deepEqual(home.all_books[1].odds, {
    american: 104,
    decimal: 2.04,
    decimal_net: 1.988,
    odds_probability: 0.490196,
    probability: 0.490196,
  });
  assert.deepEqual([away.best_book, away.best_odds.decimal, away.best_odds.decimal_net], ['betfair', 2.08, 2.026]);
  assert.deepEqual(away.commission, { model: 'winnings', rate: 0.05 });
  // Points of implied probability, both net.
  assert.equal(home.all_books[0].edge, 0.3018);
});

test('a moneyline without the draw it once had stays three-way, and one in which the draw must be missing is excluded', async () => {
  const { ingest, ok, path, game } = await ownDay();
  const nhl = { league: 'nhl', home_team: 'Boston Bruins', away_team: 'New York Rangers' };
  const prices = (home: number, away: number, draw?: number) => ({
    market_type: 'moneyline',
    selections: [
      { selection: 'h', selection_type: 'home', odds_decimal: home },
      { selection: 'a', selection_type: 'away', odds_decimal: away },
      ...(draw === undefined ? [] : [{ selection: 'Draw', selection_type: 'draw', odds_decimal: draw }]),
    ],
  });
  const show = (book: string, market: ReturnType<typeof prices>, polled_at: string) =>
    ingest({ book, polled_at, events: [game({ ...nhl, markets: [market] })] });
  await show('draftkings', prices(2.2, 2.2, 4.2), '2026-11-20T17:59:50Z');
  await show('draftkings', prices(2.2, 2.2), '2026-11-20T17:59:55Z');
  await show('fanduel', prices(1.9, 1.9), '2026-11-20T17:59:55Z');
  await show('betmgm', prices(2.4, 3.1), '2026-11-20T17:59:55Z');
  const { data } = await ok(`${path}&market=moneyline`, 'pro');
  const shown = data.map((one: Shown & { three_way?: true; all_books: unknown[] }) => [
    one.selection_type,
    one.three_way ?? false,
    one.best_book,
    one.all_books.length,
  ]);
  assert.deepEqual(shown.sort(), [
    ['away', false, 'fanduel', 1],
    ['away', true, 'draftkings', 1],
    ['home', false, 'fanduel', 1],
    ['home', true, 'draftkings', 1],
  ]);
});

test('two prices of a book at one total that leave `exactly` out are excluded, those that showed it stay three-way', async () => {
  const { ingest, ok, path, game } = await ownDay();
  const total = (over: number, under: number, exactly?: number) => ({
    market_type: 'total_points',
    selections: [
      { selection: 'o', selection_type: 'over', line: 220, odds_decimal: over },
      { selection: 'u', selection_type: 'under', line: 220, odds_decimal: under },
      ...(exactly === undefined
        ? []
        : [{ selection: 'e', selection_type: 'exactly', line: 220, odds_decimal: exactly }]),
    ],
  });
  const show = (book: string, market: ReturnType<typeof total>, polled_at: string) =>
    ingest({ book, polled_at, events: [game({ markets: [market] })] });
  await show('draftkings', total(2.1, 1.9, 15), '2026-11-20T17:59:50Z');
  await show('draftkings', total(2.1, 1.9), '2026-11-20T17:59:55Z');
  await show('fanduel', total(1.9, 1.92), '2026-11-20T17:59:55Z');
  await show('betmgm', total(2.2, 2.2), '2026-11-20T17:59:55Z');
  const { data } = await ok(`${path}&market=total_points`, 'pro');
  const shown = data.map((one: Shown & { three_way?: true; all_books: unknown[] }) => [
    one.selection_type,
    one.three_way ?? false,
    one.best_book,
    one.all_books.length,
  ]);
  assert.deepEqual(shown.sort(), [
    ['over', false, 'fanduel', 1],
    ['over', true, 'draftkings', 1],
    ['under', false, 'fanduel', 1],
    ['under', true, 'draftkings', 1],
  ]);
});

test('a price older than 5 minutes, or 1 minute in play, is out; time alone turns the answer', async () => {
  const { ingest, ok, get, clock, path, game } = await ownDay();
  const now = Date.parse(NOW);
  const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();
  await ingest(
    { book: 'draftkings', polled_at: ago(290), events: [game({ markets: [moneyline(-150, 140)] })] },
    { book: 'fanduel', polled_at: ago(10), events: [game({ markets: [moneyline(-150, 130)] })] },
    {
      book: 'fanduel',
      polled_at: ago(50),
      events: [game({ home_team: 'Miami Heat', is_live: true, markets: [moneyline(100, 101)] })],
    },
  );
  const etag = async () => (await get(path, 'pro')).headers.get('etag');
  const before = await etag();
  assert.deepEqual(shown(await ok(path, 'pro')), [
    'moneyline home: draftkings -150',
    'moneyline away: draftkings 140',
    'moneyline away: fanduel 101',
    'moneyline home: fanduel 100',
  ]);
  clock.set(now + 10_000);
  assert.equal(await etag(), before, 'exactly at the limit a price still counts');
  clock.set(now + 10_001);
  assert.notEqual(await etag(), before);
  assert.deepEqual(shown(await ok(path, 'pro')), ['moneyline home: fanduel -150', 'moneyline away: fanduel 130']);
});
