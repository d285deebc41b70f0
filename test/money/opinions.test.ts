// What counts as an opinion about a price, as posted to a server: thin and empty exchanges are none, skins are one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from '../shared.js';
import { type Posted, posted, spread, total, winner } from './posted.js';

const server = shared((t) => posted(t));

const SOFT = { fanduel: [winner(1.95, 1.9)], draftkings: [winner(1.94, 1.92)], bovada: [winner(1.93, 1.93)] };

test('exchanges without orders make no edge', async () => {
  const { post, list } = await server();
  const game = await post(
    { home_team: 'Miami Heat', away_team: 'Chicago Bulls' },
    { fanduel: [winner(2.8, 1.45)], betmgm: [winner(2.75, 1.47)], kalshi: [winner(1.01, 1.01)] },
  );
  assert.deepEqual(await list(`/opportunities/ev?event=${game}&min_ev=-50`), []);
  const full = { kalshi: [winner(1.01, 1.01)], polymarket: [winner(1.01, 1.01)], novig: [winner(1.02, 1.02)] };
  await post({ home_team: 'Miami Heat', away_team: 'Chicago Bulls' }, full);
  // Three owners, but one of them means its price.
  assert.deepEqual(await list(`/opportunities/ev?event=${game}&min_ev=-50`), []);
  await post(
    { home_team: 'Miami Heat', away_team: 'Chicago Bulls' },
    { caesars: [winner(2.7, 1.48)], betus: SOFT.bovada },
  );
  const rows = await list(`/opportunities/ev?event=${game}&min_ev=-50`);
  assert.ok(rows.length > 0);
  // Books are still counted.
  assert.equal(rows[0]!['book_count'], 7);
});

test('a sharp book that suspends its margin is no reference', async () => {
  const { post, list } = await server();
  const teams = { home_team: 'Utah Jazz', away_team: 'Phoenix Suns' };
  const game = await post(teams, { fanduel: [winner(2.2, 1.7)], pinnacle: [winner(1.7, 1.7)] });
  // 17.6 % of margin: nobody means both prices.
  assert.deepEqual(await list(`/opportunities/ev?event=${game}&min_ev=-50`), []);
  await post(teams, { pinnacle: [winner(2, 1.75)] });
  assert.equal((await list(`/opportunities/ev?event=${game}`)).length, 1);
});

test('an exchange’s prices are an opinion once 20 units can be had on each side', async () => {
  const { post, list } = await server();
  const teams = { home_team: 'Denver Nuggets', away_team: 'Dallas Mavericks' };
  const { fanduel, draftkings } = SOFT;
  const thin = (sizes: [number, number]) => ({ fanduel, draftkings, kalshi: [winner(2.2, 1.75, sizes)] });
  const game = await post(teams, thin([500, 19]));
  const source = async () =>
    (await list(`/opportunities/ev?event=${game}&min_ev=-50`)).map((row) => [row['sportsbook'], row['sharp_book']]);
  await post(teams, { bovada: [winner(1.93, 1.93)] });
  // Kalshi itself is judged by the three others; they have too few to be judged by.
  assert.deepEqual([...new Set((await source()).map(([book]) => book))], ['kalshi']);
  await post(teams, thin([500, 20]));
  assert.deepEqual([...new Set((await source()).map(([book]) => book))].sort(), [
    'bovada',
    'draftkings',
    'fanduel',
    'kalshi',
  ]);
  await post(teams, thin([12, 20]));
  assert.deepEqual([...new Set((await source()).map(([book]) => book))], ['kalshi']);
});

test('empty exchanges are no centre: middles are not made of them', async () => {
  const { post, list } = await server();
  const teams = { home_team: 'Atlanta Hawks', away_team: 'Orlando Magic' };
  const game = await post(teams, {
    fanduel: [total(215.5, 1.91, 1.91)],
    draftkings: [total(219.5, 1.91, 1.91)],
    kalshi: [total(240.5, 1.01, 1.01)],
    polymarket: [total(241.5, 1.01, 1.01)],
    novig: [total(239.5, 1.02, 1.02)],
  });
  const [middle] = await list(`/opportunities/middles?event=${game}&min_ev=-10`);
  // The centre is 217.5, between the two lines that are meant, not 239.5.
  assert.ok(Math.abs(middle!['side1'].odds.fair_probability - middle!['side2'].odds.fair_probability) < 0.01);
});

test('skins of one owner are one opinion in a middle’s centre', async () => {
  const { post, list } = await server();
  const kambi = { betrivers: 0, ballybet: 0, betparx: 0, unibet: 0 };
  const game = await post(
    { home_team: 'Toronto Raptors', away_team: 'Houston Rockets' },
    {
      ...Object.fromEntries(Object.keys(kambi).map((book) => [book, [spread(-8.5, 1.91, 1.91)]])),
      fanduel: [spread(-3.5, 1.91, 1.91)],
      draftkings: [spread(-3.5, 1.91, 1.91)],
    },
  );
  const [middle] = await list(`/opportunities/middles?event=${game}&min_ev=-10`);
  // Two of three owners have -3.5: the favourite's cover of it is even, of -8.5 it is not.
  assert.equal(middle!['side1'].line, -3.5);
  assert.ok(Math.abs(middle!['side1'].odds.fair_probability - 0.5) < 0.02, JSON.stringify(middle!['side1']));
});

test('confidence counts owners, also with a sharp reference; book_count counts books', async () => {
  const { post, list } = await server();
  const ev = async (home_team: string, away_team: string, others: readonly string[]) => {
    const books = Object.fromEntries(others.map((book) => [book, [winner(1.9, 1.9)]]));
    const game = await post(
      { home_team, away_team },
      { pinnacle: [winner(1.95, 1.95)], fanduel: [winner(2.2, 1.7)], ...books },
    );
    const [row] = await list(`/opportunities/ev?event=${game}`);
    return [row!['book_count'], row!['confidence_score']] as [number, number];
  };
  const skins = await ev('Boston Celtics', 'Los Angeles Lakers', ['betrivers', 'ballybet', 'betparx', 'unibet']);
  const owners = await ev('Golden State Warriors', 'Memphis Grizzlies', ['betrivers', 'caesars', 'betus', 'bovada']);
  const alone = await ev('Sacramento Kings', 'New York Knicks', ['betrivers']);
  assert.deepEqual([skins[0], owners[0], alone[0]], [6, 6, 3]);
  assert.equal(skins[1], alone[1]);
  assert.ok(owners[1] > skins[1]);
});

async function moved({ post, clock }: Posted, teams: object, books: readonly string[]): Promise<string> {
  const game = await post(
    teams,
    Object.fromEntries([...books, 'bovada', 'betparx'].map((book) => [book, [winner(1.91, 1.91)]])),
  );
  for (const book of books) {
    clock.set(clock.now() + 2_000);
    await post(teams, { [book]: [winner(1.8, 2.03)] });
  }
  return game;
}

test('a steam needs three owners, and a skin of one that moved is no laggard', async () => {
  const made = await server();
  const { list } = made;
  const skins = await moved(made, { home_team: 'Detroit Pistons', away_team: 'Indiana Pacers' }, [
    'betrivers',
    'ballybet',
    'unibet',
    'fanduel',
  ]);
  assert.deepEqual(await list(`/moves?event=${skins}&kind=steam`), []);
  const owners = await moved(made, { home_team: 'Milwaukee Bucks', away_team: 'Charlotte Hornets' }, [
    'betrivers',
    'draftkings',
    'fanduel',
  ]);
  const steams = await list(`/moves?event=${owners}&kind=steam`);
  assert.equal(steams.length, 2);
  for (const steam of steams)
    assert.deepEqual(
      steam['laggards'].map(({ book }: { book: string }) => book),
      steam['direction'] === 'up' ? ['bovada'] : steam['laggards'].length === 0 ? [] : ['bovada'],
    );
  assert.ok(steams.some((steam) => steam['laggards'].length === 1));
});
