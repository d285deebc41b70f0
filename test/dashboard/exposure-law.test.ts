// What the desk says that open bets make on each result is what grading pays on it: for any bets of a game and any end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exposureOf } from '../../dashboard/model/exposure.js';
import { playedResults } from '../../dashboard/model/results.js';
import { type Commission, keptOf, netDecimal } from '../../src/base/model/commission.js';
import type { GameResult } from '../../src/base/model/result.js';
import type { AccountBet } from '../../src/client/client.js';
import { loadCatalogue } from '../../src/rules/catalogue/load.js';
import { gradeBet } from '../../src/rules/grading/grade.js';
import { laidReturns, returnsOf } from '../../src/rules/grading/returns.js';
import { isThirdSide } from '../../src/rules/markets/sides.js';

const { types, houseRules } = loadCatalogue();
const CHARGE: Commission = { model: 'winnings', rate: 0.03 };

interface Made {
  type: string;
  selection: string;
  line: number | null;
  decimal: number;
  stake: number;
  book: string;
}

let last = 0;
function betOf({ type, selection, line, decimal, stake, book }: Made, sport: string, showsDraw = false): AccountBet {
  const is_lay = type.endsWith('_lay');
  return {
    ...{ id: `bet_${++last}`, status: 'filled', profit: null, result: null, event_id: 'game', event_name: 'A @ H' },
    ...{ market_type: type, selection_type: selection, selection, line, player_name: null, team_name: null, sport },
    ...{ sportsbook: book, odds_decimal: decimal, is_lay, stake_filled: stake },
    ...(showsDraw ? { three_way: true } : {}),
    exposure: is_lay ? stake * (decimal - 1) : stake,
    fills: [{ odds_decimal: decimal, stake, at: '' }],
  } as unknown as AccountBet;
}

/** Books that show a draw in every market, as the server noted with the bet. */
const SHOWS_DRAW: ReadonlySet<string> = new Set(['three']);

/** As the server grades it: its book shows a draw, at the latest where one of the bets is on it. */
function profitOf(made: Made, all: readonly Made[], sport: string, result: GameResult): number {
  const rules = types.of(made.type, sport);
  const threeWay =
    SHOWS_DRAW.has(made.book) ||
    all.some(
      ({ type, selection, book }) =>
        isThirdSide(selection) && book === made.book && types.of(type, sport).backed === rules.backed,
    );
  const house = houseRules.of('draftkings', sport, '');
  const graded = gradeBet(
    {
      ...{ rules: types.of(rules.backed, sport), sport, selection: made.selection, line: made.line },
      ...{ team: null, player: null, threeWay, house },
    },
    result,
    true,
  );
  const kept = keptOf(CHARGE);
  const { decimal, stake } = made;
  const { profit_units } = rules.lay
    ? laidReturns(graded, netDecimal(decimal / (decimal - 1), CHARGE), decimal - 1, kept)
    : returnsOf(graded, netDecimal(decimal, CHARGE), kept);
  assert.ok(profit_units !== null, `${made.type} ${made.selection}: ${graded.result} ${graded.reason}`);
  return profit_units * stake;
}

const price = fc.integer({ min: 110, max: 600 }).map((cents) => cents / 100);
const stake = fc.integer({ min: 100, max: 20_000 }).map((cents) => cents / 100);
const book = fc.constantFrom('one', 'other', 'three');
const madeOf = (shape: Record<'type' | 'selection' | 'line', fc.Arbitrary<unknown>>) =>
  fc.record({ ...shape, decimal: price, stake, book }) as fc.Arbitrary<Made>;

const step = (least: number, most: number, by: number) =>
  fc.integer({ min: least / by, max: most / by }).map((n) => n * by + 0);
const winner = (...of: string[]) =>
  madeOf({ type: fc.constantFrom(...of), selection: fc.constantFrom('home', 'away', 'draw'), line: fc.constant(null) });
const handicap = (type: string, by: number) =>
  fc.tuple(fc.constantFrom('home', 'away', 'draw'), step(-3, 3, by)).chain(([selection, at]) =>
    madeOf({
      type: fc.constant(type),
      selection: fc.constant(selection),
      // A draw is stated at a whole number of goals.
      line: fc.constant(selection === 'draw' ? Math.round(at) + 0 : at),
    }),
  );
const total = (type: string, by: number) =>
  madeOf({ type: fc.constant(type), selection: fc.constantFrom('over', 'under'), line: step(1, 6, by) });
/** A book with a third side has it at whole numbers. */
const exactly = (type: string) =>
  madeOf({ type: fc.constant(type), selection: fc.constant('exactly'), line: step(1, 6, 1) });

const SPORTS = {
  soccer: [
    winner('moneyline', 'moneyline_lay', 'draw_no_bet'),
    handicap('point_spread', 0.25),
    total('total_goals', 0.25),
    total('total_goals_contract_kalshi', 1),
  ],
  hockey: [
    winner('moneyline', 'moneyline_lay', 'moneyline_3_way'),
    handicap('puck_line', 0.5),
    handicap('point_spread_contract_kalshi', 1),
    total('total_goals', 0.5),
  ],
  football: [
    winner('moneyline', 'moneyline_lay'),
    handicap('point_spread', 0.5),
    total('total_points', 0.5),
    exactly('total_points'),
  ],
};
type Sport = keyof typeof SPORTS;

/** Every end of a game of few goals: of hockey, a game that is level after regular time is decided by one. */
function endsOf(sport: Sport): GameResult[] {
  const ends: GameResult[] = [];
  for (let home = 0; home <= 7; home++)
    for (let away = 0; away <= 7; away++) {
      const regulation = { home, away };
      const at = (score: { home: number; away: number }, ended: 'normal' | 'overtime'): void => {
        ends.push({ status: 'final', score, regulation, parts: [], stats: {}, players: {}, ended });
      };
      if (sport !== 'hockey' || home !== away) at(regulation, 'normal');
      else for (const more of [0, 1]) at({ home: home + more, away: away + 1 - more }, 'overtime');
    }
  return ends;
}

const NOISE = 0.02;

for (const sport of Object.keys(SPORTS) as Sport[])
  test(`no end of a game of ${sport} is beyond the worst and the best that the desk tells`, () => {
    const ends = endsOf(sport);
    fc.assert(
      fc.property(fc.array(fc.oneof(...SPORTS[sport]), { minLength: 1, maxLength: 6 }), (all) => {
        const [game] = exposureOf(
          all.map((made) => betOf(made, sport, SHOWS_DRAW.has(made.book))),
          () => CHARGE,
        );
        for (const end of ends) {
          const made = all.reduce((sum, one) => sum + profitOf(one, all, sport, end), 0);
          const { score } = end;
          assert.ok(
            made >= game!.worst - NOISE && made <= game!.best + NOISE,
            `${score!.home}-${score!.away}: ${made} is not within ${game!.worst} to ${game!.best}`,
          );
        }
      }),
      { numRuns: 60 },
    );
  });

test('of one question every end makes what its result says, and every result is an end', () => {
  const one = fc
    .constantFrom(...(['soccer', 'football'] as const))
    .chain((sport) =>
      fc
        .integer({ min: 0, max: SPORTS[sport].length - 1 })
        .chain((at) => fc.tuple(fc.constant(sport), fc.array(SPORTS[sport][at]!, { minLength: 1, maxLength: 4 }))),
    );
  fc.assert(
    fc.property(one, ([sport, made]) => {
      // What a book shows a draw in is about regular time, and another question at a book that does not.
      const all = made.map((bet) => ({ ...bet, book: 'one' }));
      const [game] = exposureOf(
        all.map((bet) => betOf(bet, sport)),
        () => CHARGE,
      );
      assert.equal(game!.on.length, 1);
      const told = game!.on[0]!.results.map(({ profit }) => profit);
      const paid = endsOf(sport).map((end) => all.reduce((sum, bet) => sum + profitOf(bet, all, sport, end), 0));
      const isNear = (list: readonly number[], value: number): boolean =>
        list.some((other) => Math.abs(other - value) < NOISE);
      for (const value of paid) assert.ok(isNear(told, value), `${value} is not told among ${told}`);
      for (const value of told) assert.ok(isNear(paid, value), `${value} is told, and no end of ${paid}`);
    }),
    { numRuns: 60 },
  );
});

test('the results of a price on a line are those by which it is graded, contracts and three-way handicaps as well', () => {
  const market = { home_team: 'H', away_team: 'A' };
  const said = (type: string, selection: string, line: number, threeWay = false) =>
    playedResults([{ selection, line }], { market_type: type, ...market }, threeWay)!.map(
      ({ name, grades }) => `${name}: ${grades.join()}`,
    );
  assert.deepEqual(said('total_points', 'Over', 221), ['220 or less: -1', '221: 0', '222 or more: 1']);
  assert.deepEqual(said('total_points_contract_kalshi', 'Over', 221), ['221 or less: -1', '222 or more: 1']);
  assert.deepEqual(said('total_points_contract_kalshi', 'Under', 221), ['221 or less: 1', '222 or more: -1']);
  assert.deepEqual(said('point_spread', 'H', -1), ['H by 0 or less: -1', 'H by 1: 0', 'H by 2 or more: 1']);
  assert.deepEqual(said('point_spread', 'H', -1, true), ['H by 1 or less: -1', 'H by 2 or more: 1']);
  assert.deepEqual(said('point_spread', 'Draw', -1, true), ['H by 0 or less: -1', 'H by 1: 1', 'H by 2 or more: -1']);
  assert.deepEqual(said('point_spread', 'A', 1, true), ['H by 0 or less: 1', 'H by 1 or more: -1']);
});
