import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keptOf, netDecimal } from '../../../src/base/model/commission.js';
import { type GameResult, OUTCOMES, type PartScore, type PlayerResult } from '../../../src/base/model/result.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { type BetQuestion, gradeBet } from '../../../src/rules/grading/grade.js';
import { gradeOfOutcome, laidReturns, type Returns, returnsOf } from '../../../src/rules/grading/returns.js';
import { grade } from '../../../src/rules/grading/verdict.js';
import { type PlayedGame, type TrueBet, trueReturn } from './second-grader.js';

const { types, houseRules } = loadCatalogue();
const DECIMAL = 2.5;

const EMPTY: GameResult = { status: 'final', score: null, parts: [], regulation: null, stats: {}, players: {} };

function bet(type: string, sport: string, selection: string, rest: Partial<BetQuestion> = {}): BetQuestion {
  const rules = types.of(type, sport);
  return {
    rules,
    sport,
    selection,
    line: null,
    team: null,
    player: null,
    threeWay: false,
    house: houseRules.of('draftkings', sport, ''),
    ...rest,
  };
}

function final(home: number, away: number, rest: Partial<GameResult> = {}): GameResult {
  return { ...EMPTY, score: { home, away }, ...rest };
}

function part(name: string, home: number, away: number, over = false): PartScore {
  return { part: name, home, away, final: over };
}

const said = (question: BetQuestion, result: GameResult | null, closed = false): string => {
  const { result: ended, reason } = gradeBet(question, result, closed);
  return reason === null ? ended : `${ended} ${reason}`;
};

test('a tie is a push, a loss, a draw that wins, or half, as the type, the book and the sport say', () => {
  const tied = final(20, 20);
  assert.equal(said(bet('moneyline', 'football', 'home'), tied), 'push');
  assert.equal(said(bet('moneyline', 'football', 'home', { threeWay: true }), tied), 'lost');
  assert.equal(said(bet('moneyline', 'football', 'draw', { threeWay: true }), tied), 'won');
  assert.equal(
    said(bet('moneyline', 'football', 'home', { house: houseRules.of('kalshi', 'football', 'nfl') }), tied),
    'half',
  );
  assert.equal(said(bet('moneyline', 'soccer', 'home'), final(1, 1)), 'lost');
  assert.equal(said(bet('draw_no_bet', 'soccer', 'home'), final(1, 1)), 'push');
  assert.equal(said(bet('double_chance', 'soccer', 'home_or_draw'), final(1, 1)), 'won');
  assert.equal(said(bet('moneyline', 'basketball', 'home'), final(90, 90)), 'push', 'told all the same');
});

test('whole, half and quarter lines', () => {
  const result = final(2, 1);
  const home = (line: number): string => said(bet('point_spread', 'soccer', 'home', { line }), result);
  assert.deepEqual([-0.5, -0.75, -1, -1.25, -1.5].map(home), ['won', 'half_won', 'push', 'half_lost', 'lost']);
  const over = (line: number): string => said(bet('total_goals', 'soccer', 'over', { line }), result);
  assert.deepEqual([2.5, 2.75, 3, 3.25, 3.5].map(over), ['won', 'half_won', 'push', 'half_lost', 'lost']);
  const under = (line: number): string => said(bet('total_goals', 'soccer', 'under', { line }), result);
  assert.deepEqual([2.5, 2.75, 3, 3.25, 3.5].map(under), ['lost', 'half_lost', 'push', 'half_won', 'won']);
});

test('tennis: spreads and totals are of games, in a set or in all of them; handicaps of sets are not', () => {
  const sets = [part('set_1', 4, 6), part('set_2', 6, 1), part('set_3', 7, 6)];
  const result = final(2, 1, { parts: sets });
  const of = (type: string, selection: string, line: number): string =>
    said(bet(type, 'tennis', selection, { line }), result);
  assert.deepEqual([-3.5, -4, -4.5].map((line) => of('point_spread', 'home', line)), ['won', 'push', 'lost']); // biome-ignore format: one line
  assert.deepEqual([of('total_games', 'over', 29.5), of('total_games', 'over', 30.5)], ['won', 'lost']);
  assert.deepEqual([of('point_spread_set_1', 'away', -1.5), of('total_games_set_2', 'under', 7)], ['won', 'push']);
  assert.deepEqual([of('set_handicap', 'home', -1.5), of('total_sets', 'over', 2.5)], ['lost', 'won']);
});

test('a contract on a whole or quarter line has no refund', () => {
  const type = types.contract('total_points', 'kalshi');
  const result = final(110, 114);
  const of = (selection: string, line: number): string => said(bet(type, 'basketball', selection, { line }), result);
  assert.deepEqual(
    [of('over', 224), of('under', 224), of('over', 223.75), of('under', 223.75)],
    ['lost', 'won', 'won', 'lost'],
  );
});

test('a contract on a handicap: who gives points must win by more, and level at 0 loses for both', () => {
  const type = types.contract('point_spread', 'kalshi');
  const of = (selection: string, line: number, result: GameResult): string =>
    said(bet(type, 'basketball', selection, { line }), result);
  const byFour = final(104, 100);
  assert.deepEqual([of('home', -4, byFour), of('away', 4, byFour), of('home', -3.5, byFour)], ['lost', 'won', 'won']);
  const level = final(100, 100);
  assert.deepEqual([of('home', 0, level), of('away', 0, level)], ['lost', 'lost']);
});

test('a three-way handicap: the draw wins on the number, at the line of the home team', () => {
  const of = (selection: string, line: number, home: number, away: number): string =>
    said(bet('point_spread', 'soccer', selection, { line, threeWay: true }), final(home, away));
  assert.deepEqual([of('home', -1, 2, 1), of('draw', -1, 2, 1), of('away', 1, 2, 1)], ['lost', 'won', 'lost']);
  assert.deepEqual([of('home', -1, 3, 1), of('draw', -1, 3, 1), of('draw', -1, 1, 2)], ['won', 'lost', 'lost']);
});

test('parts follow from others, extra time counts where the type says so, and what is not told is pending, then ungradeable', () => {
  const quarters = [part('q1', 20, 30), part('q2', 30, 20), part('q3', 25, 25), part('q4', 25, 25), part('ot', 10, 4)];
  const told = final(110, 104, { parts: quarters });
  assert.equal(said(bet('moneyline_h1', 'basketball', 'home'), told), 'push');
  assert.equal(said(bet('moneyline_h2', 'basketball', 'home'), told), 'won');
  assert.equal(said(bet('moneyline_q2', 'basketball', 'away'), told), 'lost');
  assert.equal(said(bet('moneyline_3way', 'basketball', 'draw'), told), 'won');
  assert.equal(said(bet('overtime', 'basketball', 'yes'), told), 'won');
  const untold = final(110, 104);
  assert.equal(said(bet('moneyline_3way', 'basketball', 'draw'), untold), 'pending regulation_not_told');
  assert.equal(said(bet('moneyline_3way', 'basketball', 'draw'), untold, true), 'ungradeable not_told');
  assert.equal(
    said(bet('moneyline', 'soccer', 'home'), final(3, 2, { parts: [part('et', 1, 0)] })),
    'pending regulation_not_told',
  );
  assert.equal(
    said(
      bet('moneyline', 'soccer', 'home'),
      final(3, 2, { parts: [part('h1', 1, 1), part('h2', 1, 1), part('et', 1, 0)] }),
    ),
    'lost',
  );
  assert.equal(said(bet('moneyline', 'soccer', 'home'), final(3, 2, { regulation: { home: 2, away: 2 } })), 'lost');
  const extra = final(3, 2, { parts: [part('h1', 1, 1), part('et', 1, 0)] });
  assert.equal(
    said(bet('moneyline_h2', 'soccer', 'home'), extra),
    'pending part_not_told',
    'goals of extra time are in it',
  );
  const shootOut = final(5, 4, { parts: [part('pens', 4, 3)] });
  assert.equal(said(bet('moneyline', 'soccer', 'home'), shootOut), 'pending regulation_not_told');
  const tied = { home: 20, away: 20 };
  const extraTime = (sport: string, result: GameResult): string => said(bet('overtime', sport, 'yes'), result);
  assert.equal(extraTime('football', final(20, 20, { regulation: tied })), 'won');
  assert.equal(extraTime('football', final(20, 20, { parts: [part('q1', 7, 0)] })), 'won', 'and it stayed a tie');
  for (const sport of ['soccer', 'handball', 'rugby', 'aussie_rules'])
    for (const result of [final(20, 20), final(20, 20, { regulation: tied })])
      assert.equal(extraTime(sport, result), 'pending regulation_not_told', 'a tie may stand');
  const [first, ...others] = quarters.slice(0, 4);
  assert.equal(extraTime('basketball', final(110, 104, { parts: [first!] })), 'pending regulation_not_told');
  assert.equal(extraTime('basketball', final(110, 104, { parts: [first!, ...others] })), 'won', 'more than these');
  assert.equal(extraTime('basketball', final(101, 100, { parts: [part('q1', 21, 30), ...others] })), 'lost');
  const innings = Array.from({ length: 9 }, (_, i) =>
    part(`innings_${i + 1}_${i + 1}`, i === 4 ? 2 : 0, i === 0 ? 1 : 0),
  );
  assert.equal(said(bet('moneyline_1st_5_innings', 'baseball', 'home'), final(2, 1, { parts: innings })), 'won');
  assert.equal(said(bet('moneyline_1st_3_innings', 'baseball', 'home'), final(2, 1, { parts: innings })), 'lost');
  // A range that ends before it begins, or begins before the first inning, is no part of a game: it has no score of 0.
  for (const name of ['9_1', '5_4', '0_3', '0_0'])
    for (const side of ['over', 'under'])
      assert.match(
        said(bet(`total_runs_innings_${name}`, 'baseball', side, { line: 0.5 }), final(2, 1, { parts: innings })),
        /^(pending|ungradeable)/,
        name,
      );
});

test('a game that is not played or not finished', () => {
  const over = bet('total_goals', 'soccer', 'over', { line: 2.5 });
  assert.equal(said(over, null), 'pending no_result');
  for (const [status, expected] of [
    ['live', 'pending not_final'],
    ['postponed', 'pending postponed'],
    ['cancelled', 'void cancelled'],
  ] as const)
    assert.equal(said(over, final(3, 0, { status })), expected);
  const abandoned = final(3, 0, { status: 'abandoned', parts: [part('h1', 2, 0), part('h2', 1, 0)] });
  assert.equal(said(over, abandoned), 'won', 'decided already');
  assert.equal(said(bet('total_goals', 'soccer', 'under', { line: 2.5 }), abandoned), 'lost');
  assert.equal(said(bet('total_goals', 'soccer', 'over', { line: 2.75 }), abandoned), 'half_won abandoned');
  assert.equal(said(bet('total_goals', 'soccer', 'over', { line: 3.5 }), abandoned), 'void abandoned');
  assert.equal(said(bet('moneyline', 'soccer', 'home'), abandoned), 'void abandoned');
  assert.equal(said(bet('moneyline_h1', 'soccer', 'home'), abandoned), 'won', 'the first half is over');
  assert.equal(
    said(bet('moneyline_h1', 'soccer', 'home'), { ...abandoned, parts: [part('h1', 2, 0)] }),
    'void abandoned',
  );
  assert.equal(said(bet('moneyline_h1', 'soccer', 'home'), { ...abandoned, parts: [part('h1', 2, 0, true)] }), 'won');
  assert.equal(said(bet('both_teams_to_score', 'soccer', 'yes'), abandoned), 'void abandoned');
  const both = (selection: string) =>
    said(bet('both_teams_to_score', 'soccer', selection), final(1, 1, { status: 'abandoned' }));
  assert.deepEqual([both('yes'), both('no')], ['won', 'lost'], 'decided already');
  const sets = final(1, 0, { status: 'abandoned', parts: [part('set_1', 6, 4), part('set_2', 5, 4)] });
  const setsOver = (line: number) => said(bet('total_sets', 'tennis', 'over', { line }), sets);
  assert.deepEqual([setsOver(0.5), setsOver(1.5)], ['won', 'won'], 'a match has at least two sets');
  assert.equal(setsOver(2.5), 'void abandoned');
});

test('players: who did not play is void, who is not told of is pending, sums and doubles follow', () => {
  const stats = { points: 30, rebounds: 9, assists: 10, blocks: 0, steals: 1 };
  const players = {
    'player one': { name: 'Player One', played: true, stats },
    'player two': { name: 'Player Two', played: false, stats: {} },
    'player four': { name: 'Player Four', played: true, stats: { points: 30, rebounds: 9 } },
  };
  const result = final(100, 90, { players });
  const of = (type: string, player: string, selection: string, line: number | null, threeWay = false): string =>
    said(bet(type, 'basketball', selection, { player, line, threeWay }), result);
  assert.equal(of('player_points', 'player one', 'over', 29.5), 'won');
  assert.equal(of('player_points', 'player one', 'under', 30), 'push');
  assert.equal(of('player_points', 'player one', 'under', 30, true), 'lost', 'its book offers `exactly` too');
  assert.equal(of('player_points_rebounds_assists', 'player one', 'over', 49.5), 'lost');
  assert.equal(of('player_double_double', 'player one', 'yes', null), 'won');
  assert.equal(of('player_triple_double', 'player one', 'yes', null), 'lost');
  assert.equal(of('player_points', 'player two', 'over', 0.5), 'void did_not_play');
  assert.equal(of('player_points', 'player three', 'under', 40.5), 'pending player_not_told');
  assert.equal(of('player_threes', 'player one', 'under', 40.5), 'pending statistic_not_told');
  assert.equal(
    of('player_double_double', 'player four', 'yes', null),
    'pending statistic_not_told',
    'perhaps ten assists',
  );
});

test('both halves, exact counts, sets by the score alone, and statistics of a part', () => {
  const turned = final(1, 2, { parts: [part('h1', 1, 0), part('h2', 0, 2)] });
  const of = (selection: string) => said(bet('half_time_full_time', 'soccer', selection), turned);
  assert.deepEqual([of('home/away'), of('away/home'), of('home/home')], ['won', 'lost', 'lost']);
  const exactly = (line: number) => said(bet('total_goals', 'soccer', 'exactly', { line }), turned);
  assert.deepEqual([2, 3, 4].map(exactly), ['lost', 'won', 'lost']);
  // Beside it the two others lose on the number, at a book that offers it.
  const beside = (selection: string, line: number, threeWay: boolean) =>
    said(bet('total_goals', 'soccer', selection, { line, threeWay }), turned);
  assert.deepEqual([beside('over', 3, true), beside('under', 3, true)], ['lost', 'lost']);
  assert.deepEqual(
    [beside('over', 3, false), beside('over', 2.5, true), beside('under', 3.25, true)],
    ['push', 'won', 'half_won'],
  );
  assert.equal(said(bet('total_sets', 'tennis', 'over', { line: 2.5 }), final(2, 1)), 'won');
  const level = final(1, 1, { status: 'abandoned' });
  assert.equal(said(bet('double_chance', 'soccer', 'home_or_draw'), level), 'void abandoned');
  const stats = { points: 30, points_q1: 4, goals: 1 };
  const result = final(100, 90, { players: { one: { name: 'One', played: true, stats } } });
  const first = (line: number) => said(bet('player_points_q1', 'basketball', 'over', { line, player: 'one' }), result);
  assert.deepEqual([first(3.5), first(4.5)], ['won', 'lost']);
  assert.equal(said(bet('player_goal_scorer_anytime', 'soccer', 'yes', { player: 'one' }), result), 'won');
  const none = gradeBet(bet('method_of_victory', 'mma', 'ko'), final(1, 0), false);
  assert.deepEqual(returnsOf(none, 2, 1), { profit_units: null, return_units: null }, none.result);
});

test('an outright is shared by those who share the first place', () => {
  const at = (position: number) => ({ name: '', played: true, stats: { position } });
  const players: Record<string, PlayerResult> = {
    a: at(1),
    b: at(1),
    c: at(3),
    d: { name: 'd', played: false, stats: {} },
  };
  const won = gradeBet(bet('outrights', 'golf', 'a', { player: 'a' }), final(0, 0, { players }), false);
  assert.deepEqual([won.result, won.reason, returnsOf(won, 9, 1).return_units], ['won', 'dead_heat', 4.5]);
  assert.equal(said(bet('outrights', 'golf', 'c', { player: 'c' }), final(0, 0, { players })), 'lost');
  assert.equal(said(bet('outrights', 'golf', 'd', { player: 'd' }), final(0, 0, { players })), 'void did_not_play');
});

test('commission is of net winnings: a share that loses counts before it, and a loss in all pays none', () => {
  const half = gradeOfOutcome('half');
  const charge = { model: 'winnings', rate: 0.05 } as const;
  const back = (decimal: number) => returnsOf(half, netDecimal(decimal, charge), keptOf(charge));
  const lay = (decimal: number) =>
    laidReturns(half, netDecimal(decimal / (decimal - 1), charge), decimal - 1, keptOf(charge));
  const profit = (of: Returns) => Number(of.profit_units!.toFixed(9));
  assert.deepEqual([3, 1.9].map(back).map(profit), [0.475, -0.05]);
  assert.deepEqual([1.9, 3].map(lay).map(profit), [0.0475, -0.5]);
  fc.assert(
    fc.property(
      fc.record({ decimal: fc.integer({ min: 101, max: 5_000 }), rate: fc.integer({ min: 0, max: 99 }) }),
      fc.tuple(...[0, 1].map(() => fc.integer({ min: 0, max: 12 }))),
      ({ decimal: cents, rate }, [one, other]) => {
        const decimal = cents / 100;
        const [won, refunded] = [Math.min(one!, other!) / 12, Math.abs(one! - other!) / 12];
        const lost = 1 - won - refunded;
        const of = { model: 'winnings', rate: rate / 100 } as const;
        const net = (gross: number) => (gross > 0 ? gross * (1 - of.rate) : gross);
        const ended = grade('half', won, refunded);
        const backed = returnsOf(ended, netDecimal(decimal, of), keptOf(of));
        const laid = laidReturns(ended, netDecimal(decimal / (decimal - 1), of), decimal - 1, keptOf(of));
        const near = (units: number | null, due: number) => assert.ok(Math.abs(units! - due) < 1e-6, `${units} ${due}`);
        near(backed.profit_units, net(won * (decimal - 1) - lost));
        near(laid.profit_units, net(lost - won * (decimal - 1)));
        near(backed.return_units, 1 + backed.profit_units!);
      },
    ),
  );
});

test('profit is per unit staked and net: what does not win pays no commission', () => {
  const units = OUTCOMES.map((outcome) => returnsOf(gradeOfOutcome(outcome), 1.98, 1).profit_units);
  assert.deepEqual(units, [0.98, -1, -0.010000000000000009, 0]);
  assert.deepEqual(returnsOf(gradeBet(bet('moneyline', 'soccer', 'home'), null, false), 2, 1), {
    profit_units: null,
    return_units: null,
  });
});

const PERIODS = { football: 4, basketball: 4, hockey: 3, soccer: 2, baseball: 9 } as const;
const NAMES = {
  football: (i: number) => `q${i + 1}`,
  basketball: (i: number) => `q${i + 1}`,
  hockey: (i: number) => `p${i + 1}`,
  soccer: (i: number) => `h${i + 1}`,
  baseball: (i: number) => `innings_${i + 1}_${i + 1}`,
} as const;
const points = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }));
const games: fc.Arbitrary<PlayedGame> = fc
  .constantFrom(...(Object.keys(PERIODS) as PlayedGame['sport'][]))
  .chain((sport) =>
    fc.record({
      sport: fc.constant(sport),
      periods: fc.array(points, { minLength: PERIODS[sport], maxLength: PERIODS[sport] }),
      extra: fc.option(points),
    }),
  )
  .map(withLevelEnd);

/** More is played only where regular time ended level; in soccer also where two games together are. */
function withLevelEnd(game: PlayedGame): PlayedGame {
  const { sport, periods, extra } = game;
  if (sport === 'soccer' || extra === null) return game;
  const behind = periods.reduce((sum, [home, away]) => sum + home - away, 0);
  const [home, away] = periods.at(-1)!;
  const last: [number, number] = behind > 0 ? [home, away + behind] : [home - behind, away];
  return { ...game, periods: [...periods.slice(0, -1), last] };
}

/** The market types of a sport with what they truly are about. */
function marketsOf({
  sport,
  periods,
}: PlayedGame): { type: string; bet: Omit<TrueBet, 'selection' | 'line' | 'team'>; team?: true; threeWay?: true }[] {
  const all = periods.map((_, i) => i);
  const soccer = sport === 'soccer';
  const whole = { periods: all, extra: !soccer };
  const total = {
    football: 'total_points',
    basketball: 'total_points',
    hockey: 'total_goals',
    soccer: 'total_goals',
    baseball: 'total_runs',
  }[sport];
  const spread = {
    football: 'point_spread',
    basketball: 'point_spread',
    hockey: 'puck_line',
    soccer: 'point_spread',
    baseball: 'run_line',
  }[sport];
  const level = soccer ? 'third' : 'refund';
  const list: ReturnType<typeof marketsOf> = [
    { type: spread, bet: { family: 'handicap', ...whole, tie: 'refund' } },
    { type: total, bet: { family: 'total', ...whole, tie: 'refund' } },
    { type: 'team_total', bet: { family: 'total', ...whole, tie: 'refund' }, team: true },
    { type: types.contract(total, 'kalshi'), bet: { family: 'total', ...whole, tie: 'loses' } },
  ];
  if (sport === 'football' || soccer) list.push({ type: 'moneyline', bet: { family: 'winner', ...whole, tie: level } });
  const regular = { periods: all, extra: false, tie: 'third' } as const;
  list.push({ type: 'moneyline', bet: { family: 'winner', ...regular }, threeWay: true });
  list.push({ type: 'double_chance', bet: { family: 'double_chance', ...regular } });
  list.push({ type: 'draw_no_bet', bet: { family: 'winner', ...regular, tie: 'refund' } });
  list.push({ type: 'moneyline_3way', bet: { family: 'winner', periods: all, extra: false, tie: 'third' } });
  if (soccer) {
    list.push({ type: 'both_teams_to_score', bet: { family: 'both_score', ...whole, tie: 'refund' } });
    list.push({ type: 'correct_score', bet: { family: 'correct_score', ...whole, tie: 'refund' } });
  }
  list.push({ type: 'odd_even', bet: { family: 'odd_even', ...whole, tie: 'refund' } });
  const half = all.length / 2;
  if (sport === 'football' || sport === 'basketball' || soccer) {
    list.push({
      type: 'moneyline_h1',
      bet: { family: 'winner', periods: all.slice(0, half), extra: false, tie: level },
    });
    list.push({
      type: 'moneyline_h2',
      bet: { family: 'winner', periods: all.slice(half), extra: !soccer, tie: level },
    });
    list.push({
      type: 'team_total_h1',
      bet: { family: 'total', periods: all.slice(0, half), extra: false, tie: 'refund' },
      team: true,
    });
  }
  if (sport === 'baseball')
    list.push({
      type: 'run_line_1st_5_innings',
      bet: { family: 'handicap', periods: all.slice(0, 5), extra: false, tie: 'refund' },
    });
  if (sport === 'hockey')
    list.push({ type: 'puck_line_p2', bet: { family: 'handicap', periods: [1], extra: false, tie: 'refund' } });
  return list;
}

const SELECTIONS: Readonly<Record<TrueBet['family'], readonly string[]>> = {
  winner: ['home', 'away', 'draw'],
  handicap: ['home', 'away'],
  total: ['over', 'under'],
  odd_even: ['odd', 'even'],
  both_score: ['yes', 'no'],
  double_chance: ['home_or_draw', 'away_or_draw', 'home_or_away'],
  correct_score: ['0-0', '2-1', '1-2', '4-4'],
};

/** What a source tells of a game: its final score and as many of its periods and scores as it likes. */
function toldOf(game: PlayedGame, { parts, regulation }: { parts: boolean; regulation: boolean }): GameResult {
  const sum = (list: readonly (readonly [number, number])[]) =>
    list.reduce((all, [home, away]) => ({ home: all.home + home, away: all.away + away }), { home: 0, away: 0 });
  const score = sum(game.extra === null ? game.periods : [...game.periods, game.extra]);
  const periods = game.periods.map(([home, away], i) => part(NAMES[game.sport](i), home, away));
  const extra = game.extra === null ? [] : [part(game.sport === 'soccer' ? 'et' : 'ot', ...game.extra)];
  return final(score.home, score.away, {
    parts: parts ? [...periods, ...extra] : game.sport === 'soccer' ? extra : [],
    regulation: regulation ? sum(game.periods) : null,
  });
}

test('random games: every bet returns what a second reading of the rules says, or waits for what is not told', () => {
  let settled = 0;
  let waiting = 0;
  fc.assert(
    fc.property(
      games,
      fc.boolean(),
      fc.boolean(),
      fc.integer({ min: -12, max: 40 }),
      (game, parts, regulation, quarters) => {
        const told = toldOf(game, { parts, regulation });
        for (const { type, bet: about, team, threeWay = false } of marketsOf(game))
          for (const selection of SELECTIONS[about.family])
            for (const whose of team === true ? (['home', 'away'] as const) : [null]) {
              // Who takes bets on a draw shows one.
              if (selection === 'draw' && about.tie === 'refund') continue;
              const line =
                about.family === 'handicap' ? quarters / 4 : about.family === 'total' ? Math.abs(quarters) / 4 : null;
              const found = gradeBet(bet(type, game.sport, selection, { line, team: whose, threeWay }), told, false);
              if (found.result === 'pending') {
                assert.ok(!parts, `${type} ${selection} of ${JSON.stringify(game)} waits although all is told`);
                waiting++;
                continue;
              }
              settled++;
              const returned = trueReturn(game, { ...about, selection, line, team: whose }, DECIMAL);
              const units = returnsOf(found, DECIMAL, 1).return_units;
              assert.equal(
                units,
                returned,
                `${type} ${selection} ${line} ${whose} of ${JSON.stringify(game)}: ${found.result}`,
              );
            }
      },
    ),
    { numRuns: 400 },
  );
  assert.ok(settled > 1_000 && waiting > 100, `${settled} settled, ${waiting} waiting`);
});
