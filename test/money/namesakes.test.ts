// Names that differ in Jr, Sr, II … are one player to books that write them differently, and two once a book lists both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from '../shared.js';
import { type Item, posted } from './posted.js';

const server = shared((t) => posted(t));

const points = (player_name: string, over: number, under: number, line = 20.5) => ({
  market_type: 'player_points',
  player_name,
  selections: [
    { selection: 'Over', selection_type: 'over', line, odds_decimal: over },
    { selection: 'Under', selection_type: 'under', line, odds_decimal: under },
  ],
});

test('a name with and without its suffix is one player where no book lists both', async () => {
  const { post, list } = await server();
  const game = await post(
    { home_team: 'Miami Heat', away_team: 'Chicago Bulls' },
    { fanduel: [points('Tim Hardaway Jr.', 2.1, 1.7)], draftkings: [points('Tim Hardaway', 1.7, 2.1)] },
  );
  assert.equal((await list(`/opportunities/arbitrage?event=${game}`)).length, 1);
});

test('where a book lists both they are two men, for every book and from then on', async () => {
  const { post, list } = await server();
  const teams = { home_team: 'Utah Jazz', away_team: 'Phoenix Suns' };
  const game = await post(teams, {
    fanduel: [points('Gary Payton II', 2.1, 1.7)],
    draftkings: [points('Gary Payton', 1.7, 2.1)],
  });
  assert.equal((await list(`/opportunities/arbitrage?event=${game}`)).length, 1);
  await post(teams, { betmgm: [points('Gary Payton', 1.9, 1.9), points('Gary Payton II', 1.95, 1.85)] });
  assert.deepEqual(await list(`/opportunities/arbitrage?event=${game}`), []);
  const rows = await list(`/odds?event=${game}&sportsbook=betmgm`);
  assert.equal(rows.length, 4);
  const best = await list(`/odds/best?event=${game}`);
  const over = best.filter((row) => row['selection_type'] === 'over').map((row) => row['player_name'] as string);
  assert.deepEqual(over.sort(), ['Gary Payton', 'Gary Payton II']);
  // The one man's prices still meet.
  await post(teams, { caesars: [points('GARY PAYTON, II', 1.7, 2.1)] });
  const [found] = await list(`/opportunities/arbitrage?event=${game}`);
  assert.deepEqual(
    found!['legs'].map((leg: Item) => leg['sportsbook']),
    ['fanduel', 'caesars'],
  );
});

test('a separator of keys in a name or a statistic makes no two selections or markets one', async () => {
  const { post, list } = await server();
  const named = (selection: string, stat_category: string) => ({
    ...{ market_type: 'of_a_name', stat_category },
    selections: [{ selection, selection_type: 'other', odds_decimal: 3 }],
  });
  const total = (over: number, under: number, more: object) => ({ ...points('', over, under), ...more });
  const game = await post(
    { home_team: 'Orlando Magic', away_team: 'Denver Nuggets' },
    {
      fanduel: [named('a|', 'c'), total(2.1, 1.7, { market_type: 'of_a_count', player_name: '|' })],
      draftkings: [
        named('a', '|c'),
        total(1.7, 2.1, { market_type: 'of_a_count', player_name: null, stat_category: '|' }),
      ],
    },
  );
  assert.deepEqual(await list(`/opportunities/arbitrage?event=${game}`), []);
  assert.equal((await list(`/odds/best?event=${game}&market=of_a_name`)).length, 2);
  assert.equal((await list(`/odds/best?event=${game}&market=of_a_count`)).length, 4);
});

test('futures of two leagues are two, however the league and the market are written', async () => {
  const { ingest, list } = await server();
  const future = (league: string, market: string) => ({
    ...{ league, market },
    selections: [{ selection: league, odds_american: 200 }],
  });
  await ingest({ book: 'fanduel', futures: [future('test', 'summer_winner'), future('test_summer', 'winner')] });
  const listed = (await list('/futures')).filter((each) => String(each['league']).startsWith('test'));
  assert.equal(listed.length, 2);
  for (const { market_id, league } of listed) {
    const odds = await list(`/futures/odds?future_id=${market_id}`);
    assert.deepEqual(
      odds.map(({ selection }) => selection),
      [league],
    );
  }
});
