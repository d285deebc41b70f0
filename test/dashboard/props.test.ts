// Props, splits, futures, the history beside a price and the freshness of books: what needs no browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULTS } from '../../dashboard/model/address.js';
import { Board } from '../../dashboard/model/board.js';
import { freshnessOf } from '../../dashboard/model/freshness.js';
import { futureGroups } from '../../dashboard/model/futures.js';
import { lineHistoryOf } from '../../dashboard/model/price-history.js';
import { arrangeProps, LineBlocks, SEARCHED_GAMES_MAX, searchedGames } from '../../dashboard/model/props.js';
import { SparkPoints } from '../../dashboard/model/spark-points.js';
import { sidesOf } from '../../dashboard/model/splits.js';
import type { FutureOdds, SplitsGame } from '../../src/client/client.js';
import { NOW_MS, row } from './rows.js';

const WANTED = { ...DEFAULTS, view: 'props' as const };

function prop(player: string, line: number, more: Parameters<typeof row>[0] | object = {}) {
  return (['over', 'under'] as const).map((side) => {
    const made = row({
      sportsbook: 'fanduel',
      odds_decimal: 1.9,
      market_type: 'player_points',
      selection_type: side,
      line,
      player_name: player,
      ...more,
    });
    return { ...made, id: [player, made.event_id, made.market_type, made.sportsbook, side, line].join('|') };
  });
}

function boardOf(...rows: ReturnType<typeof row>[]): Board {
  const board = new Board();
  for (const one of rows) board.put(one);
  return board;
}

const shown = (board: Board, wanted: object = {}, linesOf?: Parameters<typeof arrangeProps>[3]): string[] =>
  arrangeProps(board, { ...WANTED, ...wanted }, NOW_MS, linesOf).map((item) =>
    item.kind === 'heading'
      ? `${item.text} ${item.count}`
      : `${item.block.who} ${item.block.market}${item.block.atLine === undefined ? '' : ` ${item.block.atLine}`}`,
  );

test('players are under their game, by name and bet; the markets of the game are not among them', () => {
  const board = boardOf(
    ...prop('Zed', 20.5),
    ...prop('Ann', 8.5, { market_type: 'player_rebounds' }),
    ...prop('Ann', 12.5),
    row({ sportsbook: 'fanduel', odds_decimal: 2 }),
  );
  assert.deepEqual(shown(board), [
    'Boston Celtics @ Los Angeles Lakers 3',
    'Ann player_points',
    'Ann player_rebounds',
    'Zed player_points',
  ]);
  assert.deepEqual(shown(board, { prop: 'player_rebounds' }).slice(1), ['Ann player_rebounds']);
  assert.deepEqual(shown(board, { q: 'ann reb' }).slice(1), ['Ann player_rebounds']);
  assert.equal(shown(board, { q: 'celtics' }).length, 4);
  assert.deepEqual(shown(board, { sort: 'edge' }).length, 3, 'an order has no headings');
});

test('a name finds every line of the player, each in a row of its own, and a moved price stays in its row', () => {
  const main = prop('Ann', 12.5);
  const [over, under] = prop('Ann', 15.5, { is_alternate_line: true, odds_decimal: 1.5 });
  const alternate = [{ ...over!, odds_decimal: 2.6 }, under!];
  const board = boardOf(...main, ...alternate, ...prop('Bob', 9.5));
  const lines = new LineBlocks();
  const linesOf = lines.of.bind(lines);
  assert.deepEqual(shown(board, { q: 'ann' }, linesOf).slice(1), ['Ann player_points 12.5', 'Ann player_points 15.5']);
  const block = board.blockOf(main[0]!.id)!;
  const [low, high] = lines.of(block);
  assert.deepEqual([low!.isAlternate, high!.isAlternate], [false, true]);
  assert.equal(board.view(high!, NOW_MS).outcomes[0]!.best!.row.odds_decimal, 2.6);
  board.put({ ...alternate[0]!, odds_decimal: 3 });
  assert.deepEqual([...lines.take(board.takeChanges().blocks)].includes(high!), true);
  assert.equal(lines.of(block)[1], high, 'the same row');
  assert.equal(board.view(high!, NOW_MS).outcomes[0]!.best!.row.odds_decimal, 3);
  for (const { id } of alternate) board.remove(id);
  lines.take(board.takeChanges().blocks);
  assert.equal(lines.of(block).length, 1, 'a line without prices has no row');
});

test('a search of few games shows them whole, one of many does not', () => {
  const games = Array.from({ length: SEARCHED_GAMES_MAX + 1 }, (_, i) =>
    prop(`Ann ${i}`, 12.5, { event_id: `game${i}` }),
  );
  const board = boardOf(...games.flat());
  assert.deepEqual(searchedGames(board, { ...WANTED, q: 'ann 3' }, NOW_MS), ['game3']);
  assert.deepEqual(searchedGames(board, { ...WANTED, q: 'ann' }, NOW_MS), []);
  assert.deepEqual(searchedGames(board, { ...WANTED, q: '' }, NOW_MS), []);
});

function future(
  selection: string,
  sportsbook: string,
  odds_decimal: number,
  more: Partial<FutureOdds> = {},
): FutureOdds {
  return {
    ...{ selection, sportsbook, odds_decimal, odds_american: 0, odds_probability: 1 / odds_decimal },
    ...{ probability: 1 / odds_decimal, future_type: 'TEAM', future_market_id: 'm', future_market_name: 'M' },
    ...{ sport: 'basketball', league: 'nba', event_start_time: null, timestamp: new Date(NOW_MS).toISOString() },
    ...more,
  } as FutureOdds;
}

test('futures: the best price of each outcome, the favourite first, and what the probabilities add up to', () => {
  const [group] = futureGroups([
    future('A', 'fanduel', 2),
    future('A', 'betmgm', 2.1),
    future('B', 'fanduel', 1.8),
    future('B', 'betmgm', 1.8),
    future('C', 'betmgm', 9),
  ]);
  assert.deepEqual(
    group!.outcomes.map(({ name, best, bestBooks }) => [name, best.decimal, bestBooks.join()]),
    [
      ['B', 1.8, 'fanduel,betmgm'],
      ['A', 2.1, 'betmgm'],
      ['C', 9, 'betmgm'],
    ],
  );
  assert.ok(Math.abs(group!.sum! - (1 / 1.8 + 1 / 2.1 + 1 / 9)) < 1e-12);
  assert.deepEqual([...group!.sums.keys()], ['betmgm'], 'a book without a price of each outcome has no hold');
  const [mine] = futureGroups([future('A', 'fanduel', 2), future('A', 'betmgm', 2.1)], (book) => book === 'fanduel');
  assert.equal(mine!.outcomes[0]!.best.decimal, 2, 'best of the books one has');
});

test('futures: over and under add up line by line', () => {
  const wins = (selection: string, line: number, price: number) =>
    future(selection, 'fanduel', price, { future_type: 'OVER_UNDER', line });
  const groups = futureGroups([wins('Over', 50.5, 2), wins('Under', 50.5, 1.8), wins('Over', 9.5, 1.9)]);
  assert.deepEqual(
    groups.map(({ line, outcomes, sum }) => [line, outcomes.length, sum === null ? null : Math.round(sum * 1e4)]),
    [
      ['9.5', 1, null],
      ['50.5', 2, 10_556],
    ],
  );
});

test('splits: the line of each side, shares in percent, and where the money is not with the tickets', () => {
  const game = {
    spread: {
      away_odds: 3.5,
      home_odds: -3.5,
      handle_pct: { away: 0.7, home: 0.3 },
      bets_pct: { away: 0.42, home: 0.58 },
    },
    total: { line: 221.5, handle_pct: null, bets_pct: { over: 0.5, under: null } },
    moneyline: null,
  } as SplitsGame;
  assert.deepEqual(sidesOf(game, 'spread'), [
    { at: '+3.5', tickets: 42, money: 70, more: 28 },
    { at: '-3.5', tickets: 58, money: 30, more: 0 },
  ]);
  assert.deepEqual(sidesOf(game, 'total'), [
    { at: 'o221.5', tickets: 50, money: null, more: 0 },
    { at: 'u221.5', tickets: null, money: null, more: 0 },
  ]);
  assert.equal(sidesOf(game, 'moneyline'), undefined);
});

test('history beside a price: open, high, low, now and the last moves, without the time it was suspended', () => {
  const at = (second: number): string => new Date(NOW_MS + second * 1_000).toISOString();
  const point = (second: number, odds_decimal: number, is_active = true) => ({
    at: at(second),
    odds_decimal,
    line: null,
    is_active,
  });
  const of = (...points: ReturnType<typeof point>[]) =>
    lineHistoryOf({ odds_id: 'x', sportsbook: 'fanduel', selection: 'A', line: null, points }, 2);
  const history = of(point(9, 2.2), point(0, 2), point(3, 1.8), point(6, 9, false), point(7, 1.8), point(12, 2.1));
  assert.deepEqual([history!.open, history!.high, history!.low, history!.now], [2, 2.2, 1.8, 2.1]);
  assert.deepEqual(
    history!.moves.map(({ from, to }) => [from, to]),
    [
      [2.2, 2.1],
      [1.8, 2.2],
    ],
  );
  assert.equal(of(point(0, 2), point(1, 2, false))!.now, null);
  assert.equal(of(point(1, 2, false)), undefined);
});

test('a book is fresh for a minute, slow for five, then old; the board knows its newest poll', () => {
  assert.deepEqual(
    [30, 60, 61, 300, 301].map((s) => freshnessOf(s * 1_000)),
    ['fresh', 'fresh', 'slow', 'slow', 'old'],
  );
  const board = boardOf(...prop('Ann', 12.5));
  assert.equal(board.newestMs('fanduel'), NOW_MS - 10_000);
  board.seenAt(prop('Ann', 12.5)[0]!.id, NOW_MS - 2_000);
  assert.equal(board.newestMs('fanduel'), NOW_MS - 2_000);
  assert.equal(board.newestMs('betmgm'), 0);
});

test('the last hour of a market is of one book: where its past is known, no fair price is drawn behind it', () => {
  const board = new Board();
  board.setBooks([{ id: 'pinnacle', commission: null, is_sharp: true }]);
  const price = (type: string, odds_decimal: number) =>
    board.put(row({ sportsbook: 'pinnacle', selection_type: type, odds_decimal }));
  price('home', 1.9);
  price('away', 1.9);
  const [block] = board.blocks.values();
  const at = (minutes: number) => NOW_MS + minutes * 60_000;
  const first = () => board.view(block!, NOW_MS).outcomes[0];
  const sparks = new SparkPoints();
  sparks.sample('one', first(), at(0));
  assert.deepEqual(sparks.of('one'), [[at(0), 0.5]], 'fair');
  sparks.takePast('one', 'pinnacle', [
    [at(-30), 1 / 1.95],
    [at(-10), 1 / 1.9],
  ]);
  sparks.sample('one', first(), at(1));
  price('away', 1.8);
  sparks.sample('one', first(), at(1.5));
  sparks.sample('one', first(), at(2));
  assert.deepEqual(
    sparks.of('one').map(([, value]) => (1 / value).toFixed(2)),
    ['1.95', '1.90', '1.90', '1.80'],
  );
});
