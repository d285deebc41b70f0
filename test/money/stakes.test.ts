// What can be staked, in which currency, and on which results a listed profit does not hold: as a server lists it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from '../shared.js';
import { type Item, posted, spread, total, winner } from './posted.js';

const server = shared((t) => posted(t, { fx: 'GBP=1.31', commission: 'kalshi=contract:0.07:cent_up' }));

test('min_stake leaves out what cannot be staked, and keeps what nobody limits', async () => {
  const { post, list, get } = await server();
  const thin = await post(
    { home_team: 'Miami Heat', away_team: 'Chicago Bulls' },
    { novig: [winner(2.1, 1.9, [0.5, 500])], fanduel: [winner(1.8, 2.1)] },
  );
  const [found] = await list(`/opportunities/arbitrage?event=${thin}`);
  assert.equal(found!['max_stake'], 1);
  assert.deepEqual(await list(`/opportunities/arbitrage?event=${thin}&min_stake=1.01`), []);
  assert.equal((await list(`/opportunities/arbitrage?event=${thin}&min_stake=1`)).length, 1);
  const free = await post(
    { home_team: 'Utah Jazz', away_team: 'Phoenix Suns' },
    { betmgm: [winner(2.1, 1.9)], fanduel: [winner(1.8, 2.1)] },
  );
  assert.equal((await list(`/opportunities/arbitrage?event=${free}&min_stake=1000000`)).length, 1);
  assert.equal((await get('/opportunities/arbitrage?min_stake=-1')).status, 400);
});

test('what rounding to contracts turns into a loss is not listed, nor what does not reach a minimum', async () => {
  const { post, list } = await server();
  const game = async (home_team: string, away_team: string, size: number, stake = 2.08) =>
    list(
      `/opportunities/arbitrage?min_profit=0&event=${await post(
        { home_team, away_team },
        // 50 cents a contract and a fee of two cents for one, 1.75 for a hundred.
        { kalshi: [winner(2, 1.9, [size, 500])], fanduel: [winner(1.8, stake)] },
      )}`,
    );
  // 1 / 0.5175 + 2.08: 0.16 % a hundred contracts, but one costs 0.52 and pays less than both bets.
  assert.equal((await game('Denver Nuggets', 'Dallas Mavericks', 50)).length, 1);
  assert.deepEqual(await game('Atlanta Hawks', 'Orlando Magic', 0.5), []);
  // Not even one contract can be had.
  assert.deepEqual(await game('Toronto Raptors', 'Houston Rockets', 0.4, 2.3), []);
  // Betfair takes no bet below one pound: three dollars on the other side leave it less than that.
  const small = await post(
    { home_team: 'Detroit Pistons', away_team: 'Indiana Pacers' },
    { betfair: [winner(8, 1.1)], novig: [winner(6, 1.17, [100, 3])] },
  );
  assert.deepEqual(await list(`/opportunities/arbitrage?event=${small}`), []);
  await post({ home_team: 'Detroit Pistons', away_team: 'Indiana Pacers' }, { novig: [winner(6, 1.17, [100, 30])] });
  assert.equal((await list(`/opportunities/arbitrage?event=${small}`)).length, 1);
});

test('rows and legs have their currency, and stakes of several are weighed by value', async () => {
  const { post, list, get } = await server();
  const game = await post(
    { home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers' },
    { betfair: [winner(2.2, 1.9, [100, 100])], fanduel: [winner(1.8, 2.1)], onexbet: [winner(1.7, 2.0)] },
  );
  const rows = await list(`/odds?event=${game}`);
  assert.deepEqual(Object.fromEntries(rows.map((row) => [row['sportsbook'], row['currency']])), {
    betfair: 'GBP',
    fanduel: 'USD',
    onexbet: 'EUR',
  });
  const [dollars] = await list(`/opportunities/arbitrage?event=${game}`);
  const [home] = dollars!['legs'] as Item[];
  assert.deepEqual([home!['currency'], home!['max_stake']], ['GBP', 100]);
  // A hundred pounds are worth 131 dollars on their share of the total.
  assert.equal(dollars!['max_stake'], Math.floor((131 / (home!['stake_percent'] / 100)) * 100) / 100);
  const [pounds] = await list(`/opportunities/arbitrage?event=${game}&currency=gbp`);
  assert.equal(pounds!['max_stake'], Math.floor((100 / (home!['stake_percent'] / 100)) * 100) / 100);
  const [euros] = await list(`/opportunities/arbitrage?event=${game}&currency=EUR`);
  assert.equal(euros!['max_stake'], null);
  assert.ok(euros!['warnings'].includes('CURRENCIES_DIFFER'));
  assert.equal(dollars!['warnings'].includes('CURRENCIES_DIFFER'), false);
  // An unknown maximum passes.
  assert.equal((await list(`/opportunities/arbitrage?event=${game}&currency=EUR&min_stake=5000`)).length, 1);
  assert.equal((await list(`/opportunities/arbitrage?event=${game}&currency=GBP&min_stake=250`)).length, 0);
  assert.equal((await list(`/opportunities/arbitrage?event=${game}&min_stake=250`)).length, 1);
  assert.equal((await get('/opportunities/arbitrage?currency=XYZ')).status, 400);
});

test('a tied NFL game pays half at a contract venue: the row says so, and guaranteed=true leaves it out where that loses', async () => {
  const { post, list } = await server();
  const nfl = { league: 'nfl', start_time: '2026-11-22T18:00:00Z' };
  const game = await post(
    { ...nfl, home_team: 'Dallas Cowboys', away_team: 'New York Giants' },
    { kalshi: [winner(4.6, 1.2)], fanduel: [winner(3.5, 1.35)] },
  );
  const [found] = await list(`/opportunities/arbitrage?event=${game}`);
  const [kalshi, fanduel] = found!['legs'] as Item[];
  assert.ok(found!['warnings'].includes('TIE_SETTLES_HALF') && found!['warnings'].includes('VOID_DIFFERS'));
  const half = (kalshi!['stake_percent'] * kalshi!['odds_decimal_net']) / 2;
  const [exception] = found!['exceptions'] as Item[];
  assert.equal(exception!['result'], 'tie');
  assert.ok(Math.abs(exception!['profit_percent'] - (half + fanduel!['stake_percent'] - 100)) < 1e-3);
  assert.ok(exception!['profit_percent'] > 0, 'the tie wins');
  const [kept] = await list(`/opportunities/arbitrage?event=${game}&guaranteed=true`);
  assert.equal(kept!['id'], found!['id']);
  const lost = await post(
    { ...nfl, home_team: 'Denver Broncos', away_team: 'Las Vegas Raiders' },
    { kalshi: [winner(1.9, 1.5)], fanduel: [winner(1.3, 2.4)] },
  );
  const [losing] = await list(`/opportunities/arbitrage?event=${lost}`);
  assert.ok(losing!['exceptions'][0].profit_percent < 0);
  assert.deepEqual(await list(`/opportunities/arbitrage?event=${lost}&guaranteed=true`), []);
  const books = await post(
    { ...nfl, home_team: 'Chicago Bears', away_team: 'Green Bay Packers' },
    { betmgm: [winner(2.1, 1.8)], fanduel: [winner(1.8, 2.1)] },
  );
  const [plain] = await list(`/opportunities/arbitrage?event=${books}&guaranteed=true`);
  assert.deepEqual(plain!['exceptions'], []);
  const low = await post(
    { ...nfl, home_team: 'Miami Dolphins', away_team: 'Buffalo Bills' },
    { kalshi: [winner(2.05, 1.8)], fanduel: [winner(1.8, 2.02)] },
  );
  const [hold] = await list(`/opportunities/low_hold?event=${low}`);
  assert.ok(hold!['warnings'].includes('TIE_SETTLES_HALF'));
  assert.equal(hold!['exceptions'][0].result, 'tie');
  assert.deepEqual(await list(`/opportunities/low_hold?event=${low}&guaranteed=true`), []);
});

test('where no tie can be, a contract venue differs only on games that are not played', async () => {
  const { post, list } = await server();
  const game = await post(
    { home_team: 'Brooklyn Nets', away_team: 'New York Knicks' },
    { kalshi: [winner(2.2, 1.8)], fanduel: [winner(1.8, 2.1)] },
  );
  const [found] = await list(`/opportunities/arbitrage?event=${game}&guaranteed=true`);
  assert.deepEqual(found!['exceptions'], []);
  assert.deepEqual(found!['warnings'], ['VOID_DIFFERS', 'NET_OF_COMMISSION']);
});

test('a quarter line that pays half the printed profit on the next number says so', async () => {
  const { post, list } = await server();
  const epl = { league: 'epl', start_time: '2026-11-22T15:00:00Z' };
  const game = await post(
    { ...epl, home_team: 'Arsenal', away_team: 'Chelsea' },
    { pinnacle: [spread(-0.25, 2.2, 1.8)], fanduel: [spread(-0.25, 1.8, 2.1)] },
  );
  const [found] = await list(`/opportunities/arbitrage?event=${game}`);
  const [exception, ...others] = found!['exceptions'] as Item[];
  assert.deepEqual([exception!['result'], others], ['draw', []]);
  assert.ok(Math.abs(exception!['profit_percent'] - found!['profit_percent'] / 2) < 0.01);
  // Every result still wins.
  assert.equal((await list(`/opportunities/arbitrage?event=${game}&guaranteed=true`)).length, 1);
});

test('an unlisted book whose prices leave too little margin warns that its commission is unknown', async () => {
  const { post, list } = await server();
  const game = await post(
    { home_team: 'San Antonio Spurs', away_team: 'Memphis Grizzlies' },
    { new_exchange: [winner(2.1, 1.91)], fanduel: [winner(1.8, 2.1)], corner_shop: [winner(1.7, 2.1)] },
  );
  const [found] = await list(`/opportunities/arbitrage?event=${game}`);
  assert.ok(found!['warnings'].includes('UNKNOWN_COMMISSION'));
  // With another price on its other side it looks like a bookmaker.
  await post({ home_team: 'San Antonio Spurs', away_team: 'Memphis Grizzlies' }, { new_exchange: [winner(2.1, 1.85)] });
  const [later] = await list(`/opportunities/arbitrage?event=${game}`);
  assert.equal(later!['warnings'].includes('UNKNOWN_COMMISSION'), false);
});

test('middles and low holds have their currencies as well', async () => {
  const { post, list } = await server();
  const game = await post(
    { home_team: 'Portland Trail Blazers', away_team: 'Sacramento Kings' },
    { skybet: [total(210.5, 2.05, 1.8)], fanduel: [total(220.5, 1.8, 2.05)], betmgm: [total(215.5, 1.91, 1.91)] },
  );
  const [middle] = await list(`/opportunities/middles?event=${game}`);
  assert.deepEqual([middle!['side1'].currency, middle!['side2'].currency], ['GBP', 'USD']);
  assert.deepEqual(middle!['exceptions'], []);
  const [sure] = await list(`/opportunities/middles?event=${game}&guaranteed=true&sort=ev`);
  assert.equal(sure!['is_guaranteed_profit'], true);
});

test('the edge of a contract that pays half on a tie takes the tie into account', async () => {
  const { post, list } = await server();
  const game = await post(
    { league: 'nfl', start_time: '2026-11-22T18:00:00Z', home_team: 'Denver Broncos', away_team: 'Las Vegas Raiders' },
    { pinnacle: [winner(10, 1.1)], kalshi: [winner(13, 1.1)], fanduel: [winner(12, 1.09)] },
  );
  const rows = await list(`/opportunities/ev?event=${game}&min_ev=0`);
  const of = (book: string) => rows.find((row) => row['sportsbook'] === book && row['selection'] !== 'away')!;
  const [venue, book] = [of('kalshi'), of('fanduel')];
  const gross = (row: Item) => 100 * (row['fair_probability'] * row['odds_decimal_net'] - 1);
  // A book refunds the tie, which costs a part of the edge; the venue pays six times the stake.
  assert.ok(book['ev_percentage'] < gross(book), JSON.stringify(book));
  assert.ok(venue['ev_percentage'] > gross(venue), JSON.stringify(venue));
});

test('what rests on a distribution that nobody measured is listed only on request: middles, edges, counts, other methods', async () => {
  const { post, list, get } = await server();
  const afl = await post(
    { league: 'afl', start_time: '2026-11-22T15:00:00Z', home_team: 'Geelong Cats', away_team: 'Collingwood Magpies' },
    {
      pinnacle: [total(160.5, 2.1, 1.8), spread(-7.5, 2.1, 1.8)],
      fanduel: [total(170.5, 1.8, 2.1), spread(-9.5, 1.8, 2.1)],
    },
  );
  const middles = async (more: string) =>
    (await list(`/opportunities/middles?event=${afl}&min_ev=-50${more}`)).map((one) => [
      one['market_type'],
      one['warnings'].includes('ASSUMED_DISTRIBUTION'),
    ]);
  // Margins have a measured one: -7.5 and +9.5.
  assert.deepEqual(await middles(''), [['point_spread', false]]);
  assert.deepEqual((await middles('&include_assumed=true')).sort(), [
    ['point_spread', false],
    ['total_points', true],
  ]);
  const summary = async (more: string) =>
    (await get(`/opportunities/middles/summary?event=${afl}&min_ev=-50${more}`)).body['data']['total'];
  assert.deepEqual([await summary(''), await summary('&include_assumed=true')], [1, 2]);
  const prop = { market_type: 'player_points', player_name: 'Al Jones' };
  const game = await post(
    { home_team: 'Sacramento Kings', away_team: 'Memphis Grizzlies' },
    {
      pinnacle: [
        { ...total(24, 1.95, 1.95), ...prop },
        { ...total(8.5, 1.95, 1.95), ...prop, market_type: 'player_rebounds' },
      ],
      fanduel: [
        { ...total(24, 2.2, 1.7), ...prop },
        { ...total(8.5, 2.2, 1.7), ...prop, market_type: 'player_rebounds' },
      ],
    },
  );
  for (const method of ['', '&devig=shin']) {
    const edges = async (more: string) =>
      (await list(`/opportunities/ev?event=${game}${method}${more}`)).map((one) => [
        one['market_type'],
        one['warnings'].includes('ASSUMED_DISTRIBUTION'),
      ]);
    // Whether 24 points push nobody measured; half a rebound cannot push.
    assert.deepEqual(await edges(''), [['player_rebounds', false]]);
    assert.deepEqual((await edges('&include_assumed=true')).sort(), [
      ['player_points', true],
      ['player_rebounds', false],
    ]);
  }
});
