// One price by every way to take the margin out of its reference.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Board } from '../../dashboard/model/board.js';
import { judgedByMethods } from '../../dashboard/model/devig-methods.js';
import { fairBy } from '../../dashboard/model/fair.js';
import { DEFAULT_PROFILE, termsOf } from '../../dashboard/model/profile.js';
import { DEVIG_METHODS } from '../../src/base/model/devig-method.js';
import { NOW_MS, row } from './rows.js';

const BOOKS = [
  { id: 'pinnacle', commission: null, is_sharp: true },
  ...['fanduel', 'betmgm', 'caesars', 'draftkings'].map((id) => ({ id, commission: null, is_sharp: false })),
];

function boardOf(prices: Readonly<Record<string, readonly [home: number, away: number]>>): Board {
  const board = new Board();
  board.setBooks(BOOKS);
  for (const [sportsbook, [home, away]] of Object.entries(prices)) {
    board.put(row({ sportsbook, odds_decimal: home }));
    board.put(row({ sportsbook, odds_decimal: away, selection_type: 'away' }));
  }
  return board;
}

test('a price is judged by every method against the sharp book, and the worst case is the least of them', () => {
  const board = boardOf({ pinnacle: [3.4, 1.35], fanduel: [3.7, 1.3] });
  const mine = board.row('fanduel-moneyline-home--')!;
  const judged = judgedByMethods(mine, board, NOW_MS)!;
  assert.equal(judged.from, 'pinnacle');
  assert.deepEqual(
    judged.by.map(({ method }) => method),
    [...DEVIG_METHODS],
  );
  for (const { method, fair, edge } of judged.by) {
    assert.ok(Math.abs(fair - fairBy(method, [1 / 3.4, 1 / 1.35])![0]!) < 1e-9, method);
    assert.ok(Math.abs(edge - (3.7 * fair - 1) * 100) < 1e-9);
  }
  const worst = judged.by.find(({ method }) => method === 'worst_case')!;
  assert.ok(judged.by.every(({ fair }) => fair >= worst.fair - 1e-12));
  assert.equal(judged.worst.fair, worst.fair);
  assert.ok(
    judged.by.some(({ edge }) => edge > worst.edge + 0.1),
    'the choice matters for a long price',
  );
});

test('a consensus leaves the judged book out', () => {
  const prices = { fanduel: [2.3, 1.7], betmgm: [2, 1.9], caesars: [2, 1.9], draftkings: [2, 1.9] } as const;
  const board = boardOf(prices);
  const { by, from } = judgedByMethods(board.row('fanduel-moneyline-home--')!, board, NOW_MS)!;
  assert.equal(from, 'consensus');
  const power = by.find(({ method }) => method === 'power')!;
  assert.ok(Math.abs(power.fair - fairBy('power', [1 / 2, 1 / 1.9])![0]!) < 1e-9);
});

test('a price with a draw is judged by prices with a draw, though without its own book fewer books have one', () => {
  const three = ['fanduel', 'betmgm', 'caesars'];
  const withDraw = three.map((book) => [book, [2.6, 2.6]] as const);
  const without = ['draftkings', 'pinnacle', 'espnbet'].map((book) => [book, [2, 1.9]] as const);
  const board = boardOf(Object.fromEntries([...withDraw, ...without]));
  board.setBooks(BOOKS.map((book) => ({ ...book, is_sharp: false })));
  for (const sportsbook of three)
    board.put(row({ sportsbook, odds_decimal: 4.5, selection_type: 'draw', selection: 'Draw' }));
  const { by } = judgedByMethods(board.row('fanduel-moneyline-home--')!, board, NOW_MS)!;
  const power = by.find(({ method }) => method === 'power')!;
  assert.ok(Math.abs(power.fair - fairBy('power', [1 / 2.6, 1 / 4.5, 1 / 2.6])![0]!) < 1e-9, `${power.fair}`);
});

test("with the worst case as one's own method the board's fair price is that, which does not sum to 1", () => {
  const board = boardOf({ pinnacle: [3.4, 1.35], fanduel: [3.7, 1.3] });
  board.setTerms(termsOf({ ...DEFAULT_PROFILE, devig: 'worst_case' }));
  const [block] = board.blocks.values();
  const fair = board.view(block!, NOW_MS).outcomes.map((outcome) => outcome.fair!);
  const wanted = fairBy('worst_case', [1 / 1.35, 1 / 3.4])!;
  for (const [i, chance] of wanted.entries())
    assert.ok(
      fair.some((one) => Math.abs(one - chance) < 1e-9),
      String(i),
    );
  assert.ok(fair[0]! + fair[1]! < 1);
});

test('where nothing prices every outcome nothing is judged', () => {
  const board = new Board();
  board.setBooks(BOOKS);
  board.put(row({ sportsbook: 'fanduel', odds_decimal: 2 }));
  assert.equal(judgedByMethods(board.row('fanduel-moneyline-home--')!, board, NOW_MS), undefined);
});
