// The board's contents from rows: best prices, main lines, holds and consensus as the server computes them; staleness,
// order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrange } from '../../dashboard/model/arrange.js';
import { BestMoves } from '../../dashboard/model/best-moves.js';
import { Board } from '../../dashboard/model/board.js';
import { NOW_MS, row } from './rows.js';

const BOOKS = [
  { id: 'draftkings', commission: null },
  { id: 'fanduel', commission: null },
  { id: 'pinnacle', commission: null },
  { id: 'betfair', commission: { model: 'winnings', rate: 0.05 } as const },
];
const ANY = { leagues: [], sport: '', live: 'all', hours: 0, q: '', edge: 0, sort: 'time' } as const;

function boardOf(...rows: ReturnType<typeof row>[]): Board {
  const board = new Board();
  board.setBooks(BOOKS);
  for (const each of rows) board.put(each);
  return board;
}

const only = (board: Board) => board.view([...board.blocks.values()][0]!, NOW_MS);
const pair = (sportsbook: string, home: number, away: number, more: Partial<ReturnType<typeof row>> = {}) => [
  row({ ...more, sportsbook, odds_decimal: home, selection_type: 'home' }),
  row({ ...more, sportsbook, odds_decimal: away, selection_type: 'away' }),
];

test('the best price is the best after commission, and of equal prices the book listed first is shown', () => {
  const view = only(boardOf(...pair('betfair', 2.04, 1.9), ...pair('fanduel', 2, 1.9), ...pair('draftkings', 2, 1.85)));
  assert.deepEqual(
    view.outcomes.map(({ type, bestBooks }) => [type, bestBooks]),
    [
      ['away', ['fanduel']],
      ['home', ['draftkings', 'fanduel']],
    ],
  );
  assert.ok(Math.abs(view.hold! - (1 / 1.9 + 1 / 2 - 1) * 100) < 1e-9);
});

test('a price is compared after what its own market charges, in place of its book', () => {
  const dear = { model: 'contract', rate: 0.2 } as const;
  const of = (commission: object) =>
    only(boardOf(...pair('betfair', 2.04, 1.9, { commission } as object), ...pair('fanduel', 2, 1.9)));
  const best = (commission: object) => of(commission).outcomes.map(({ type, bestBooks }) => [type, bestBooks]);
  assert.deepEqual(best({ model: 'winnings', rate: 0 }), [
    ['away', ['fanduel', 'betfair']],
    ['home', ['betfair']],
  ]);
  assert.deepEqual(best(dear), [
    ['away', ['fanduel']],
    ['home', ['fanduel']],
  ]);
});

test('outcomes of a market are in the order of the numbers in their names', () => {
  const names = ['Home by 1-2', 'Home by 11-12', 'Home by 3-4'];
  const of = (selection: string, i: number) =>
    row({
      sportsbook: 'fanduel',
      odds_decimal: 9,
      market_type: 'winning_margin',
      selection,
      selection_type: `by_${i}`,
    });
  const view = only(boardOf(...names.map(of)));
  assert.deepEqual(
    view.outcomes.map(({ name }) => name),
    ['Home by 1-2', 'Home by 3-4', 'Home by 11-12'],
  );
});

test('suspended, stale and lay prices are shown and compared with nothing', () => {
  const long = new Date(NOW_MS - 301_000).toISOString();
  const board = boardOf(
    ...pair('fanduel', 1.9, 1.9),
    ...pair('draftkings', 9, 9, { is_active: false }),
    ...pair('pinnacle', 2.05, 2.05, { last_seen_at: long, odds_changed_at: long }),
  );
  const [away] = only(board).outcomes;
  assert.equal(away!.best!.row.sportsbook, 'fanduel');
  assert.deepEqual(
    [...away!.cells].map(([book, { state }]) => [book, state]),
    [
      ['fanduel', 'open'],
      ['draftkings', 'suspended'],
      ['pinnacle', 'stale'],
    ],
  );
  // The server saw the price a moment ago, although it did not change.
  for (const id of ['pinnacle-moneyline-home--', 'pinnacle-moneyline-away--']) board.seenAt(id, NOW_MS - 1_000);
  assert.equal(only(board).outcomes[0]!.best!.row.sportsbook, 'pinnacle');
});

test('a price turns stale by time alone, in play after a minute', () => {
  const board = boardOf(...pair('fanduel', 2, 2, { is_live: true }));
  const [block] = board.blocks.values();
  assert.equal(board.view(block!, NOW_MS + 49_000).outcomes[0]!.cells.get('fanduel')!.state, 'open');
  const later = board.view(block!, NOW_MS + 51_000);
  assert.equal(later.outcomes[0]!.cells.get('fanduel')!.state, 'stale');
  assert.equal(later.hold, null);
});

test('a price that is compared with nothing turns stale by time alone, too', () => {
  const over = (sportsbook: string, line: number, agoMs: number) => {
    const at = new Date(NOW_MS - agoMs).toISOString();
    const more = { market_type: 'player_points', selection_type: 'over', player_name: 'Al One', line };
    return row({ sportsbook, odds_decimal: 2, ...more, last_seen_at: at, odds_changed_at: at });
  };
  // Nobody has an under: the line is the first one's, and the other price is at another.
  const board = boardOf(over('fanduel', 20.5, 1_000), over('draftkings', 22.5, 200_000));
  const [block] = board.blocks.values();
  const stateAt = (nowMs: number) => board.view(block!, nowMs).outcomes[0]!.cells.get('draftkings')!.state;
  assert.deepEqual([stateAt(NOW_MS), stateAt(NOW_MS + 101_000)], ['open', 'stale']);
});

test('the main line is the one most books have; an alternate price at it counts, another main line does not', () => {
  const at = (sportsbook: string, line: number, home: number, away: number, alternate = false) => [
    row({
      sportsbook,
      market_type: 'point_spread',
      selection_type: 'home',
      line,
      odds_decimal: home,
      is_alternate_line: alternate,
    }),
    row({
      sportsbook,
      market_type: 'point_spread',
      selection_type: 'away',
      line: -line,
      odds_decimal: away,
      is_alternate_line: alternate,
    }),
  ];
  const board = boardOf(
    ...at('draftkings', -3.5, 1.91, 1.91),
    ...at('fanduel', -3.5, 1.95, 1.87),
    ...at('pinnacle', -4, 2.05, 1.8),
    ...at('pinnacle', -3.5, 1.97, 1.88, true),
  );
  const view = only(board);
  assert.equal(view.line, -3.5);
  const [away, home] = view.outcomes;
  assert.deepEqual([away!.line, home!.line], [3.5, -3.5]);
  assert.equal(home!.best!.row.id, 'pinnacle-point_spread-home--3.5-alternate');
  const shown = home!.cells.get('pinnacle')!;
  assert.deepEqual([shown.row.line, shown.excluded], [-4, true]);
});

test('two-way prices are never compared with three-way ones', () => {
  const three = (book: string) => [
    ...pair(book, 2.5, 2.9),
    row({ sportsbook: book, odds_decimal: 3.2, selection_type: 'draw' }),
  ];
  const view = only(boardOf(...three('draftkings'), ...three('fanduel'), ...pair('pinnacle', 2.7, 3.1)));
  assert.deepEqual(
    view.outcomes.map(({ type, best }) => [type, best!.net]),
    [
      ['away', 2.9],
      ['home', 2.5],
      ['draw', 3.2],
    ],
  );
  assert.equal(view.outcomes[0]!.cells.get('pinnacle')!.excluded, true);
});

test('the consensus of two books is their mean, of those that price every outcome, without their margin', () => {
  const view = only(
    boardOf(
      ...pair('draftkings', 2, 1.8),
      ...pair('fanduel', 1.9, 1.9),
      row({ sportsbook: 'pinnacle', odds_decimal: 3, selection_type: 'home' }),
    ),
  );
  const fair = view.outcomes.map((outcome) => outcome.fair!);
  assert.ok(Math.abs(fair[0]! + fair[1]! - 1) < 1e-12);
  // By power, as the server: one exponent turns both implied probabilities into fair ones; the other book's are a half.
  const away = 2 * fair[0]! - 0.5;
  const [ofAway, ofHome] = [Math.log(away) / Math.log(1 / 1.8), Math.log(1 - away) / Math.log(1 / 2)];
  assert.ok(Math.abs(ofAway - ofHome) < 1e-9, String(fair[0]));
});

test('one book that is far off moves no consensus of three: it is their median, as the server has it', () => {
  const three = [...pair('draftkings', 1.9, 1.9), ...pair('fanduel', 1.9, 1.9), ...pair('betfair', 9, 1.05)];
  const { outcomes } = only(boardOf(...three));
  assert.deepEqual(
    outcomes.map(({ fair, fairFrom }) => [fair!.toFixed(6), fairFrom]),
    [
      ['0.500000', 'consensus'],
      ['0.500000', 'consensus'],
    ],
  );
});

test('where a sharp book prices every outcome its prices are the reference, as the server has it, and are named', () => {
  const board = new Board();
  board.setBooks([
    { id: 'draftkings', commission: null },
    { id: 'pinnacle', commission: null, is_sharp: true },
  ]);
  for (const one of [...pair('draftkings', 2.4, 1.6), ...pair('pinnacle', 1.95, 1.95)]) board.put(one);
  assert.deepEqual(
    only(board).outcomes.map(({ fair, fairFrom }) => [fair!.toFixed(6), fairFrom]),
    [
      ['0.500000', 'pinnacle'],
      ['0.500000', 'pinnacle'],
    ],
  );
  board.setTerms({ isReference: (book) => book === 'draftkings' });
  assert.equal(only(board).outcomes[0]!.fairFrom, 'draftkings');
  // A reference without prices here leaves no price without a fair one.
  board.setTerms({ isReference: (book) => book === 'circa' });
  assert.equal(only(board).outcomes[0]!.fairFrom, 'pinnacle');
});

test('what is no whole market has no hold and no fair price, and prices that lack a third side are not compared', () => {
  const soccer = { sport: 'soccer', league: 'serie-a', event_id: 'serie-a_roma_lazio_2026-11-20' };
  const roma = only(boardOf(...pair('draftkings', 2.5, 2.9, soccer), ...pair('fanduel', 2.4, 3, soccer)));
  assert.deepEqual(
    [roma.hold, ...roma.outcomes.map(({ best, fair }) => [best!.net, fair])],
    [null, [3, null], [2.5, null]],
  );
  const nba = only(boardOf(...pair('draftkings', 2.5, 2.5), ...pair('fanduel', 1.9, 1.9)));
  assert.deepEqual(
    nba.outcomes.map(({ best, cells }) => [best!.net, cells.get('draftkings')!.excluded]),
    [
      [1.9, true],
      [1.9, true],
    ],
  );
  assert.ok(Math.abs(nba.hold! - 5.263) < 0.001);
  // Nothing is on offer at a price that was only traded, and a price to lay is none to back.
  const traded = only(boardOf(...pair('draftkings', 2.2, 2.2, { indicative: true }), ...pair('fanduel', 1.9, 1.9)));
  assert.deepEqual(
    [traded.outcomes[0]!.best!.net, traded.outcomes[0]!.cells.get('draftkings')!.state],
    [1.9, 'suspended'],
  );
  const laid = only(boardOf(...pair('betfair', 2.1, 2.1, { market_type: 'moneyline_lay' })));
  assert.deepEqual([laid.hold, ...laid.outcomes.map(({ best }) => best)], [null, null, null]);
});

test('a book that showed a draw stays of three results there, whatever became of the draw', () => {
  const draw = row({ sportsbook: 'fanduel', selection_type: 'draw', odds_decimal: 4 });
  const board = boardOf(...pair('draftkings', 2, 1.9), ...pair('fanduel', 2.4, 2.8), draw, ...pair('pinnacle', 1.9, 2));
  board.remove(draw.id);
  assert.deepEqual(
    only(board).outcomes.map(({ best, cells }) => [best!.net, cells.get('fanduel')!.excluded]),
    [
      [2, true],
      [2, true],
    ],
  );
});

test('one player has one row, however books spell him, and two men whom a book tells apart have two', () => {
  const points = (sportsbook: string, player_name: string, over: number, under: number) =>
    (['over', 'under'] as const).map((selection_type) => ({
      ...row({
        ...{ sportsbook, player_name, selection_type, market_type: 'player_points', line: 25.5 },
        odds_decimal: selection_type === 'over' ? over : under,
      }),
      id: [sportsbook, player_name, selection_type].join('|'),
    }));
  const board = boardOf(
    ...points('draftkings', 'Luka Dončić', 1.95, 1.87),
    ...points('fanduel', 'Luka Doncic', 1.87, 1.95),
  );
  assert.equal(board.blocks.size, 1);
  assert.ok(Math.abs(only(board).hold! - 2.564) < 0.001);
  const men = boardOf(
    ...points('draftkings', 'Gary Payton', 1.9, 1.9),
    ...points('fanduel', 'Gary Payton II', 1.9, 1.9),
  );
  assert.equal(men.blocks.size, 1);
  for (const one of points('fanduel', 'Gary Payton', 2, 1.8)) men.put(one);
  assert.deepEqual(
    [...men.blocks.values()].map((block) => [...new Set([...block.rows.values()].map((one) => one.player_name))]),
    [['Gary Payton'], ['Gary Payton II']],
  );
  assert.equal(men.size, 6);
});

test('books of one owner are one opinion, and prices that nobody means are none', () => {
  const skins = ['betrivers', 'ballybet', 'betparx'];
  const board = new Board();
  board.setBooks([...skins.map((id) => ({ id, commission: null, owner: 'kambi' })), ...BOOKS]);
  for (const id of skins) for (const one of pair(id, 1.6, 2.4)) board.put(one);
  for (const id of ['draftkings', 'fanduel']) for (const one of pair(id, 2, 1.87)) board.put(one);
  // An exchange without orders.
  for (const one of pair('betfair', 1.2, 1.3)) board.put(one);
  const home = only(board).outcomes.find(({ type }) => type === 'home')!;
  assert.ok(Math.abs(home.fair! - 0.483) < 0.001, `${home.fair}`);
});

test('the best price is tinted by how it moved itself, whichever book has it now', () => {
  const moves = new BestMoves();
  assert.equal(moves.seen('a', 2.2, null, 0), 0);
  assert.equal(moves.seen('a', 2.1, null, 1_000), -1, 'another book is best now, at a shorter price');
  assert.equal(moves.seen('a', 2.1, null, 2_000), -1);
  assert.equal(moves.seen('a', 2.1, null, 2_600), 0);
  assert.equal(moves.seen('a', 2.3, null, 3_000), 1);
  assert.equal(moves.seen('a', 1.9, -3.5, 3_500), 0, 'another line is another bet');
  assert.equal(moves.seen('a', 2.9, -3.5, 60_000), 0, 'not looked at for long');
});

test('a move is stored with its direction, a repeated price is none', () => {
  const board = boardOf(...pair('fanduel', 2, 1.8));
  const id = 'fanduel-moneyline-home--';
  board.put({ ...board.row(id)! });
  assert.equal(board.move(id), undefined);
  board.put({ ...board.row(id)!, odds_decimal: 2.1 });
  board.put({ ...board.row(id)!, odds_decimal: 2.05 });
  assert.deepEqual([board.move(id)!.direction, board.move(id)!.count], [-1, 2]);
});

test('removed rows leave nothing behind, and a reset keeps the others', () => {
  const board = boardOf(
    ...pair('fanduel', 2, 1.8),
    ...pair('fanduel', 2, 1.8, { event_id: 'other' }).map((each) => ({ ...each, id: `${each.id}-2` })),
  );
  assert.equal(board.blocks.size, 2);
  board.put({ ...board.row('fanduel-moneyline-home--')!, odds_decimal: 2.2 });
  board.reset([board.row('fanduel-moneyline-home--')!]);
  assert.deepEqual([board.blocks.size, board.size], [1, 1]);
  assert.equal(board.move('fanduel-moneyline-home--')!.direction, 1);
  board.remove('fanduel-moneyline-home--');
  assert.deepEqual([board.blocks.size, board.size, board.move('fanduel-moneyline-home--')], [0, 0, undefined]);
});

test('games in play are first, then by start, within their leagues; filters apply', () => {
  const game = (event_id: string, league: string, hours: number, is_live: boolean) =>
    row({
      sportsbook: 'fanduel',
      odds_decimal: 2,
      id: event_id,
      event_id,
      league,
      is_live,
      event_start_time: new Date(NOW_MS + hours * 3_600_000).toISOString(),
    });
  const board = boardOf(game('late', 'nba', 30, false), game('soon', 'nba', 1, false), game('now', 'nhl', -1, true));
  const shown = (wanted: object) =>
    arrange(board, { ...ANY, ...wanted }, NOW_MS).map((item) =>
      item.kind === 'heading' ? item.text : item.block.eventId,
    );
  assert.deepEqual(shown({}), ['nhl', 'now', 'nba', 'soon', 'late']);
  assert.deepEqual(shown({ sort: 'league' }), ['nba', 'soon', 'late', 'nhl', 'now']);
  assert.deepEqual(shown({ hours: 2 }), ['nhl', 'now', 'nba', 'soon']);
  assert.deepEqual(shown({ live: 'prematch', leagues: ['nba'] }), ['nba', 'soon', 'late']);
  assert.deepEqual(shown({ q: 'cel lak nh' }), ['nhl', 'now']);
  assert.deepEqual(shown({ sort: 'hold' }), ['now', 'soon', 'late']);
});

test('by a book, games come in the order of its prices over the consensus, those it cannot be bet at last', () => {
  const game = (event_id: string, home: number, more: object = {}) => [
    ...pair('fanduel', 1.9, 1.9, { event_id }).map((one) => ({ ...one, id: `${event_id} ${one.id}` })),
    ...pair('draftkings', home, 1.8, { event_id, ...more }).map((one) => ({ ...one, id: `${event_id} ${one.id}` })),
  ];
  const board = boardOf(
    ...game('fair', 2),
    ...game('suspended', 3, { is_active: false }),
    ...game('dear', 2.3),
    ...game('cheap', 1.7),
  );
  const items = arrange(board, { ...ANY, sort: 'book:draftkings' }, NOW_MS);
  assert.deepEqual(
    items.map((item) => (item.kind === 'block' ? item.block.eventId : item.text)),
    ['dear', 'fair', 'cheap', 'suspended'],
  );
});
