import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, message, moneyline, total } from '../intake/ingest/messages.js';
import { NOW_MS, of, show, sides, three, world } from './one-game.js';

test('a Hobby caller gets the arbitrage of two Hobby books that a better price outside hides', () => {
  const shard = world();
  show(shard, {
    draftkings: [moneyline(110, -130)],
    fanduel: [moneyline(-130, 105)],
    bovada: [moneyline(120, -140)],
  });
  assert.deepEqual(
    of(shard, 'arbitrage', 'hobby').map(({ books }) => books),
    [['draftkings', 'fanduel']],
  );
  assert.deepEqual(
    of(shard, 'arbitrage', 'pro').map(({ books }) => books),
    [['bovada', 'fanduel']],
  );
});

test('a two-way and a three-way moneyline are never one market', () => {
  const shard = world();
  show(shard, { draftkings: [three(150, 240, 200)], fanduel: [moneyline(-200, 210)], betmgm: [three(140, 250, 210)] });
  assert.deepEqual(of(shard, 'arbitrage'), []);
  for (const { item } of of(shard, 'low_hold'))
    assert.ok(item['side3'] === null ? (item['all_books'] as string[]).join() === 'fanduel' : true);
});

test('a draw makes all prices of the book three-way for good: after its removal they are incomplete', () => {
  const shard = world();
  const fanduel = [moneyline(-120, 115)];
  show(shard, { draftkings: [moneyline(130, -140)], fanduel });
  assert.equal(of(shard, 'arbitrage').length, 1);
  show(shard, { draftkings: [three(130, 300, -140)] });
  assert.equal(of(shard, 'arbitrage').length, 0);
  show(shard, { draftkings: [moneyline(130, -140)] });
  assert.equal(of(shard, 'arbitrage').length, 0);
  // The same holds for a shard that starts from stored prices.
  const anew = shard.fromScratch([{ key: 'sharp', books: null }]).of('sharp');
  assert.deepEqual(
    anew.map(({ kind, books }) => [kind, books]),
    [['low_hold', ['fanduel', 'fanduel']]],
  );
});

test('in soccer a moneyline without a draw is never a two-way market', () => {
  const shard = world();
  const epl = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea' };
  show(shard, { draftkings: [moneyline(150, -110)], fanduel: [moneyline(-110, 150)] }, epl);
  assert.deepEqual(shard.published.of('sharp'), []);
  show(
    shard,
    { draftkings: [three(200, 320, 220)], fanduel: [three(150, 250, 260)], betmgm: [three(180, 290, 230)] },
    epl,
  );
  // DraftKings has both the best home price and the best draw, so the draw is taken at another book.
  assert.deepEqual(
    of(shard, 'arbitrage').map(({ books }) => books),
    [['draftkings', 'fanduel', 'betmgm']],
  );
});

test('spreads pair opposite handicaps alone: the same sign has a hole or a middle, and a gap loses', () => {
  const spread = (home: number, homeOdds: number, away: number, awayOdds: number) =>
    sides('point_spread', [
      { selection_type: 'home', line: home, odds_american: homeOdds },
      { selection_type: 'away', line: away, odds_american: awayOdds },
    ]);
  const shard = world();
  show(shard, { draftkings: [spread(-3.5, 130, 3.5, -150)], fanduel: [spread(-2.5, -120, 2.5, 115)] });
  // Home -3.5 with away +2.5 loses both bets on a win by 3.
  assert.deepEqual(of(shard, 'arbitrage'), []);
  show(shard, { betmgm: [spread(-3.5, -160, 3.5, -105)] });
  const [found] = of(shard, 'arbitrage');
  assert.deepEqual(found?.books, ['draftkings', 'betmgm']);
  assert.equal(found?.item['line'], -3.5);
});

test('lay prices, one-sided markets, races and lines without a partner make no opportunities', () => {
  const shard = world();
  const lay = (home: number, away: number) => ({ ...moneyline(home, away), market_type: 'moneyline_lay' });
  const race = sides('race_to_points', [
    { selection_type: 'home', line: 20, odds_american: 150 },
    { selection_type: 'away', line: 20, odds_american: 150 },
  ]);
  const scorer = sides('player_first_basket', [{ selection_type: 'yes', odds_american: 500 }], {
    player_name: 'Al Jones',
  });
  const books = ['draftkings', 'fanduel', 'betmgm', 'pinnacle'];
  show(shard, Object.fromEntries(books.map((book) => [book, [lay(150, 150), race, scorer]])));
  assert.deepEqual(shard.published.of('sharp'), []);
});

test('props are one market however the player is spelled, and two if their type names no statistic and theirs differ', () => {
  const prop = (player_name: string, stat_category: string, over: number, under: number) => ({
    ...total(24.5, over, under),
    market_type: 'player_prop',
    player_name,
    stat_category,
  });
  const shard = world();
  show(shard, {
    draftkings: [prop('LaMonte Wade Jr', 'points', 120, -150)],
    fanduel: [prop('Lamonte Wade, Jr.', 'points', -130, 110)],
    betmgm: [prop('LaMonte Wade Jr', 'first half points', 140, 140)],
  });
  assert.deepEqual(
    of(shard, 'arbitrage').map(({ books, item }) => [books, item['is_player_prop']]),
    [[['draftkings', 'fanduel'], true]],
  );
});

test('an arbitrage above 10 % is published as suspicious; legs of one owner are marked as such', () => {
  const shard = world();
  show(shard, { draftkings: [moneyline(145, -130)], bovada: [moneyline(-130, 140)] });
  const [phantom] = of(shard, 'arbitrage');
  assert.equal(phantom?.suspicious, true);
  assert.deepEqual(phantom?.item['warnings'], ['SUSPICIOUS_PROFIT']);
  // Twice 2.2 is 10 % and a little float noise.
  const limit = world();
  show(limit, { draftkings: [moneyline(120, -150)], bovada: [moneyline(-150, 120)] });
  const [exact] = of(limit, 'arbitrage');
  assert.deepEqual([exact?.edge, exact?.suspicious, exact?.item['warnings']], [10, false, []]);
  const other = world();
  show(other, { betrivers: [moneyline(110, -120)], unibet: [moneyline(-115, 105)] });
  assert.deepEqual(of(other, 'arbitrage')[0]?.item['warnings'], ['SAME_OWNER']);
});

test('ties go to the book listed first, and a low hold names every book at the best price', () => {
  const shard = world();
  show(shard, {
    betmgm: [total(220.5, -105, -112)],
    fanduel: [total(220.5, -105, -115)],
    draftkings: [total(220.5, -110, -112)],
  });
  const [hold] = of(shard, 'low_hold');
  const { side1, side2 } = hold!.item as Record<string, { books: string[] }>;
  assert.deepEqual(side1!.books, ['fanduel', 'betmgm']);
  assert.deepEqual(side2!.books, ['draftkings', 'betmgm']);
  assert.equal(hold!.item['hold_percentage'], 4.0497);
});

test('EV follows the sharp book if it has every side, otherwise at least three other owners', () => {
  const shard = world();
  const soft = [moneyline(105, -125)];
  show(shard, { draftkings: soft, pinnacle: [moneyline(-115, 105)] });
  const [row] = of(shard, 'ev', 'hobby');
  assert.equal(row?.item['sharp_book'], 'pinnacle');
  assert.deepEqual(row?.books, ['draftkings']);
  assert.ok(row!.edge > 5 && row!.edge < 8, String(row?.edge));
  const alone = world();
  const even = [moneyline(-110, -110)];
  // Kambi's skins count as one opinion: with FanDuel's that makes only two, which is not enough.
  show(alone, { draftkings: [moneyline(110, -130)], betrivers: even, ballybet: even, betparx: even, fanduel: even });
  assert.deepEqual(of(alone, 'ev'), []);
  show(alone, { betmgm: even });
  const [judged] = of(alone, 'ev');
  assert.deepEqual(judged?.books, ['draftkings']);
  assert.equal(judged?.item['sharp_book'], 'consensus');
  assert.equal(judged?.item['ev_percentage'], 5);
  assert.equal(judged?.item['no_vig_odds'], 100);
});

test('an edge on an integer line is smaller by the probability of a push', () => {
  const edgeAt = (line: number) => {
    const shard = world();
    show(shard, { draftkings: [total(line, 110, -130)], pinnacle: [total(line, -108, -108)] });
    return of(shard, 'ev')[0]!.edge;
  };
  assert.equal(edgeAt(220.5), 5);
  assert.ok(edgeAt(220) < 5 && edgeAt(220) > 4.8);
});

test('alternate lines pair with main lines of the same number', () => {
  const shard = world();
  show(shard, { draftkings: [total(221.5, -150, 130, true)], fanduel: [total(221.5, -105, -115)] });
  const [found] = of(shard, 'arbitrage');
  assert.deepEqual(found?.books, ['fanduel', 'draftkings']);
  assert.equal(found?.item['is_alternate_line'], true);
});

const atLine = (type: string, line: number, home: number, away: number) =>
  sides(type, [
    { selection_type: 'home', line, odds_american: home },
    { selection_type: 'away', line: -line, odds_american: away },
  ]);

test('a push chance lifts a price below fair over a negative limit that it misses without', () => {
  const shard = world();
  const fields = { league: 'nfl', home_team: 'Buffalo Bills', away_team: 'Miami Dolphins' };
  const at = (home: number, away: number) => [atLine('point_spread', -3, home, away)];
  // The fair price is even: -112 gives 0.5 x 1.8929 - 1 = -5.36 %; nearly one game in eleven ends by exactly three.
  show(shard, { pinnacle: at(-110, -110), draftkings: at(-112, -130) }, fields);
  const ask = { kind: 'ev', books: ['draftkings'], minEv: -5 } as const;
  const [row, ...others] = shard.evaluate(ask);
  assert.deepEqual(others, []);
  assert.ok(row !== undefined && row.edge > -5 && row.edge < -4.7, String(row?.edge));
});

test('the edge on a quarter line counts the half of the stake that is returned on the number', () => {
  const shard = world();
  const fields = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea' };
  const edgeAt = (line: number) => {
    const at = (home: number, away: number) => [atLine('point_spread', line, home, away)];
    show(shard, { pinnacle: at(-110, -110), draftkings: at(120, -150) }, fields);
    const [row] = of(shard, 'ev').filter(({ item }) => item['line'] === line);
    return row!.edge;
  };
  // The fair price is even: +120 gains 10 % of the stake at risk on any line. Two teams that expect 2.6 goals in all
  // draw in about a quarter of the games: the stake is then returned at 0, half of it at -0.25, none at -0.5.
  assert.ok(Math.abs(edgeAt(-0.5) - 10) < 1e-6);
  const drawn = 1 - edgeAt(0) / 10;
  assert.ok(drawn > 0.24 && drawn < 0.27, String(drawn));
  const half = 1 - edgeAt(-0.25) / 10;
  assert.ok(Math.abs(half - drawn / 2) < 0.005, `${half} of ${drawn}`);
});

test('an edge is marked as part of an arbitrage if one is listed, not if the prices are suspicious', () => {
  const arbOf = (home: number) => {
    const shard = world();
    show(shard, {
      pinnacle: [moneyline(-110, -110)],
      draftkings: [moneyline(home, -140)],
      fanduel: [moneyline(-140, 100)],
    });
    const [row] = of(shard, 'ev').filter(({ books }) => books[0] === 'draftkings');
    return [row!.item['arb_available'], of(shard, 'arbitrage')[0]!.suspicious];
  };
  assert.deepEqual(arbOf(110), [true, false]);
  assert.deepEqual(arbOf(155), [false, true]);
});

test('a mark in place of a line takes the earlier line of the book away, and makes no middle', () => {
  const ofDraftkings = (shard: ReturnType<typeof world>) =>
    shard.published.of('sharp').filter(({ books }) => books.includes('draftkings'));
  for (const line of [0.0001, -220.5, 22.05, 0]) {
    const shard = world();
    const at = (number: number) => total(number, -110, -110);
    show(shard, { pinnacle: [at(220.5)], fanduel: [at(220.5)], draftkings: [at(221.5)] });
    assert.equal(ofDraftkings(shard).length, 1);
    shard.apply([message([event([at(line)])], { book: 'draftkings' })], NOW_MS);
    assert.equal(shard.rejected.length, 2);
    assert.deepEqual(ofDraftkings(shard), []);
    assert.deepEqual(of(shard, 'middle'), []);
  }
});

test('a handicap of one sign for both sides is part of nothing', () => {
  const shard = world();
  const at = (home: number, away: number, homeOdds: number, awayOdds: number) =>
    sides('point_spread', [
      { selection_type: 'home', line: home, odds_american: homeOdds },
      { selection_type: 'away', line: away, odds_american: awayOdds },
    ]);
  const fields = { league: 'epl', home_team: 'Liverpool', away_team: 'Everton' };
  show(shard, { fanduel: [at(-0.25, 0.25, -125, 112)] }, fields);
  shard.apply([message([event([at(-0.25, -0.25, 110, 105)], fields)], { book: 'draftkings' })], NOW_MS);
  assert.equal(shard.rejected.length, 1);
  assert.deepEqual(of(shard, 'arbitrage'), []);
});
