// What a book charges and whose prices it shows, as posted to a server and listed by it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from '../shared.js';
import { posted, winner } from './posted.js';

const server = shared((t) => posted(t));

test('an exchange outside the 28 books is charged: what loses after commission is not listed', async () => {
  const { post, list } = await server();
  const game = await post(
    { home_team: 'Miami Heat', away_team: 'Chicago Bulls' },
    { smarkets: [winner(2.04, 1.9)], fanduel: [winner(1.9, 2)] },
  );
  // 2.04 at 2 % pays 2.0192, with 2.00 against it +0.48 %: gross it would be +1 %.
  const [low] = await list(`/opportunities/arbitrage?event=${game}&min_profit=0`);
  assert.equal(low!['profit_percent'], 0.4777);
  assert.deepEqual(low!['legs'][0].commission, { model: 'winnings', rate: 0.02 });
  const other = await post(
    { home_team: 'Utah Jazz', away_team: 'Phoenix Suns' },
    { betopenly: [winner(2.04, 1.9)], fanduel: [winner(1.9, 1.98)] },
  );
  assert.deepEqual(await list(`/opportunities/arbitrage?event=${other}&min_profit=0`), []);
});

test('Betfair’s bookmaker is no exchange: no commission, and a book of its own', async () => {
  const { post, list, get } = await server();
  const game = await post(
    { home_team: 'Denver Nuggets', away_team: 'Dallas Mavericks' },
    { betfair_sb_uk: [winner(2.1, 1.8)], betfair_ex_uk: [winner(1.9, 2.05)] },
  );
  const rows = await list(`/odds?event=${game}`);
  assert.deepEqual([...new Set(rows.map((row) => row['sportsbook']))].sort(), ['betfair', 'betfair_sb_uk']);
  const [found] = await list(`/opportunities/arbitrage?event=${game}`);
  assert.deepEqual(
    found!['legs'].map((leg: Record<string, unknown>) => [leg['sportsbook'], leg['commission']]),
    [
      ['betfair_sb_uk', null],
      ['betfair', { model: 'winnings', rate: 0.05 }],
    ],
  );
  assert.deepEqual(found!['warnings'].includes('SAME_OWNER'), false);
  const book = (await get('/sportsbooks/betfair_sb_uk')).body['data'];
  assert.deepEqual([book.unlisted, book.owner, book.currency, book.requires_tier], [true, 'flutter', 'GBP', 'sharp']);
  const kalshi = (await get('/sportsbooks/kalshi')).body['data'];
  assert.deepEqual([kalshi.contracts, kalshi.settles], [1, { tie: 'half', void: 'last_price' }]);
});

test('skins of one owner are named as such', async () => {
  const { post, list } = await server();
  const game = await post(
    { home_team: 'Atlanta Hawks', away_team: 'Orlando Magic' },
    { coral: [winner(2.1, 1.8)], ladbrokes_uk: [winner(1.8, 2.1)] },
  );
  const [found] = await list(`/opportunities/arbitrage?event=${game}`);
  assert.ok(found!['warnings'].includes('SAME_OWNER'));
});
