// OpticOdds' stream from a local service that speaks its protocol, with its faults: the table equals the service's.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { OpticOddsFeed } from '../../../../src/intake/feeds/opticodds/feed.js';
import { isLaySide, marketOf, opticRow } from '../../../../src/intake/feeds/opticodds/rows.js';
import { stopwatch } from '../../../support/own-time.js';
import { eventually } from '../../../support/until.js';
import { feedIn } from '../access.js';
import { catalogue, type Served, served } from '../kit/served.js';
import { GAMES, OpticService } from './optic-service.js';

async function connected(
  t: TestContext,
  checkEveryMs = 400,
): Promise<{ service: OpticService; here: Served; same(): Promise<void> }> {
  const service = new OpticService();
  await service.listen();
  const feed = new OpticOddsFeed({
    url: `${service.url}/api/v3`,
    apiKey: 'secret',
    leagues: [{ id: 'nba', sport: 'basketball', opticId: 'nba' }],
    books: ['dk_us', 'pinnacle'],
    bookId: (name) => catalogue.bookId(name),
    random: Math.random,
    checkEveryMs,
    listEveryMs: 500,
  });
  const here = await served(t, feed);
  t.after(() => service.close());
  const types: Record<string, string> = { '1st_half_race_to_20_points': 'opticodds_1st_half_race_to_20_points' };
  const idOf = new Map(GAMES.map(([id, home]) => [home as string, id]));
  const same = () =>
    eventually(async () => {
      for (const book of ['draftkings', 'pinnacle']) {
        const rows = (await here.rows(book)) as unknown as Record<string, unknown>[];
        const shown = rows.map((row) => {
          const type = Object.entries(types).find(([, ours]) => ours === row['market_type'])?.[0] ?? row['market_type'];
          const side =
            row['line'] !== null && !String(type).includes('spread') ? row['selection_type'] : row['selection'];
          return [
            idOf.get(String(row['home_team'])),
            type,
            side,
            row['line'],
            row['is_active'] === false ? 'locked' : row['odds_american'],
          ].join(' ');
        });
        assert.deepEqual(shown.sort(), service.shown(book));
      }
    });
  return { service, here, same };
}

test('the table equals the service’s, after every fault of its stream', async (t) => {
  const { service, here, same } = await connected(t);
  await same();
  const ids = [...service.odds.keys()];
  const some = (place: number) => ids[place % ids.length]!;
  // Changes and locks, then each fault in turn with changes during it.
  const move = (from: number) => {
    for (let i = 0; i < 12; i++) service.change(some(from + i * 3), 100 + ((from * 7 + i * 11) % 80));
    service.lock(some(from + 1));
    service.lock(some(from + 4));
  };
  move(0);
  await same();
  service.duplicates = true;
  move(5);
  await same();
  service.duplicates = false;
  service.lose = 6;
  move(9);
  await same();
  service.hold();
  service.change(some(3), 150);
  service.change(some(3), 160);
  service.lock(some(8));
  service.change(some(8), 170);
  service.release();
  await same();
  service.cut();
  move(2);
  await same();
  // The place in the stream that the feed names is lost: nothing is repeated, and the odds are read again.
  assert.ok(service.requests.some((request) => request.includes('last_entry_id=')));
  service.fixtures.delete(GAMES[1][0]);
  await same();
  assert.equal(here.log.filter((line) => line.includes('rejected')).length, 0, here.log.join('\n'));
});

test('a list of games that does not end, or is none, is refused, and no game is taken for gone', async (t) => {
  const { service, here, same } = await connected(t);
  await same();
  const page = (no: number) =>
    service.requests.filter((request) => new RegExp(`page=${no}(?!\\d)`).test(request)).length;
  // As a proxy answers for a service that is away.
  service.status = 200;
  const made = page(1);
  await eventually(() => {
    service.emit('ping', 'now');
    assert.ok(page(1) >= made + 3);
  });
  await same();
  service.status = undefined;
  service.endless = true;
  const before = page(1);
  // After two whole lists: a game is removed that two of them lack.
  await eventually(() => assert.ok(page(100) >= 2 && page(1) >= before + 3));
  assert.ok((await here.rows('draftkings')).length > 0);
  await same();
});

test('locked odds, and everything once the stream is gone, are inactive within a second', async (t) => {
  const { service, here, same } = await connected(t);
  await same();
  const active = async () => (await here.rows('draftkings')).filter(({ is_active }) => is_active !== false).length;
  const until = async (count: number): Promise<number> => {
    const passed = stopwatch(t);
    await eventually(async () => assert.equal(await active(), count));
    return passed();
  };
  const all = await active();
  const [id] = service.odds.keys();
  service.lock(id!);
  const lockMs = await until(all - 1);
  service.change(id!, -125);
  await until(all);
  service.status = 503;
  service.cut();
  const lostMs = await until(0);
  t.diagnostic(`locked ${lockMs.toFixed(0)} ms, lost ${lostMs.toFixed(0)} ms`);
  assert.ok(lockMs < 1_000 && lostMs < 1_000, `locked ${lockMs} ms, lost ${lostMs} ms`);
  service.status = undefined;
  await same();
});

test('odds that are dated ahead change, and are locked without a price, before any check', async (t) => {
  const { service, here, same } = await connected(t, 600_000);
  await same();
  const [id, other] = service.odds.keys();
  service.lock(id!, { price: null });
  service.change(other!, 177);
  // Without pings the stream is dead 12 s after its last word.
  await eventually(async () => {
    const rows = (await here.rows('draftkings')) as unknown as Record<string, unknown>[];
    assert.ok(rows.some(({ is_active }) => is_active === false) && rows.some((row) => row['odds_american'] === 177));
  }, 8_000);
});

test('markets that settle as ours have our types, and others their own', () => {
  assert.deepEqual(marketOf('moneyline', 'basketball'), { type: 'moneyline', shape: 'sides' });
  assert.equal(marketOf('1st_half_point_spread', 'basketball').type, 'point_spread_h1');
  assert.equal(marketOf('1st_period_puck_line', 'hockey').type, 'puck_line_p1');
  assert.equal(marketOf('goal_spread', 'soccer').type, 'point_spread');
  assert.deepEqual(marketOf('asian_handicap', 'soccer'), { type: 'point_spread', shape: 'sides' });
  assert.deepEqual(marketOf('moneyline_3-way', 'soccer'), { type: 'moneyline', shape: 'sides' });
  assert.deepEqual(marketOf('1st_half_total_runs', 'baseball'), { type: 'total_runs_1st_5_innings', shape: 'total' });
  assert.deepEqual(marketOf('player_receiving_yards', 'football'), { type: 'player_reception_yds', shape: 'player' });
  assert.equal(marketOf('moneyline_3-way', 'hockey').type, 'moneyline_3way');
  assert.equal(marketOf('player_points_+_rebounds_+_assists', 'basketball').type, 'player_points_rebounds_assists');
  assert.equal(
    marketOf('4th_quarter_moneyline_incl_ot_', 'basketball').type,
    'opticodds_4th_quarter_moneyline_incl_ot_',
  );
  assert.ok(isLaySide('Betfair Exchange (Lay)') && !isLaySide('PlayUp'));
  const game = { id: 'g', sport: 'basketball', home: 'Miami Heat', away: 'Chicago Bulls' };
  const odd = {
    id: '1',
    sportsbook: 'Kalshi',
    market_id: 'moneyline',
    selection: 'Miami Heat',
    price: -123,
    timestamp: 5,
  };
  const bookId = (name: string) => catalogue.bookId(name);
  assert.equal(opticRow({ ...odd, selection: 'Somebody' }, game, bookId, true, 0), undefined);
  const named = { ...odd, selection: 'MIA Heat', team_id: '8BE2' };
  const byId = opticRow(named, { ...game, homeIds: ['8BE2'], awayIds: ['77AA'] }, bookId, true, 0);
  assert.deepEqual([byId?.selection.selection, byId?.selection.selection_type], ['Miami Heat', 'home']);
  const exchange = { ...odd, limits: { max: 46.5 }, order_book: [[-123, 46.5]], source_ids: { selection_id: 'yes' } };
  assert.deepEqual(opticRow(exchange, game, bookId, true, 0)?.selection, {
    selection: 'Miami Heat',
    selection_type: 'home',
    odds_american: -123,
    size: 46.5,
    exchange_token_id: 'yes',
    external_id: 'yes',
  });
});

test('the limit of a price is its own under either of its documented names', () => {
  const game = { id: 'g', sport: 'basketball', home: 'Miami Heat', away: 'Chicago Bulls' };
  const odd = { id: '1', sportsbook: 'Pinnacle', market_id: 'moneyline', selection: 'Miami Heat', price: -123 };
  for (const limits of [{ max: 1000 }, { max_stake: 1000 }])
    assert.equal(opticRow({ ...odd, limits }, game, (name) => catalogue.bookId(name), true, 0)?.market.max_bet, 1000);
});

test('the command line names leagues and books, and the key comes from the environment', async () => {
  const make = (text: string, env: Record<string, string> = { OPTICODDS_KEY: 'k' }) => feedIn(text, env);
  const { name } = await make('opticodds:leagues=nba,epl,books=draftkings,pinnacle');
  assert.equal(name, 'opticodds:leagues=nba,epl');
  // OpticOdds' ids of soccer's leagues, which SharpAPI has too.
  for (const [id, league] of [
    ['uefa_-_champions_league', 'ucl'],
    ['usa_-_major_league_soccer', 'mls'],
    ['portugal_-_primeira_liga', 'primeira-liga'],
    ['spain_-_la_liga', 'la-liga'],
  ])
    assert.equal((await make(`opticodds:leagues=${id},books=pinnacle`)).name, `opticodds:leagues=${league}`);
  await assert.rejects(make('opticodds:leagues=nba,books=fanduel', {}), /OPTICODDS_KEY/);
  await assert.rejects(make('opticodds:leagues=nba'), /books=… are needed/);
  await assert.rejects(make('opticodds:leagues=moonball,books=fanduel'), /does not know/);
});
