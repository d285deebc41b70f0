// How bets end where books differ, and where a game ends otherwise than by its full time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GameResult, PartScore } from '../../../src/base/model/result.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { type BetQuestion, gradeBet, isGradeable, type Timing } from '../../../src/rules/grading/grade.js';
import { returnsOf } from '../../../src/rules/grading/returns.js';
import { restType } from '../../../src/rules/markets/derive.js';

const { types, houseRules, localDate } = (() => {
  const catalogue = loadCatalogue();
  return { ...catalogue, localDate: (league: string, ms: number) => catalogue.localDate(league, ms) };
})();

interface RequestedParameters extends Partial<BetQuestion> {
  book?: string;
  league?: string;
}

function bet(type: string, sport: string, selection: string, asked: RequestedParameters = {}): BetQuestion {
  const { book = 'nobody', league = '', ...rest } = asked;
  const about = { line: null, team: null, player: null, threeWay: false };
  return {
    ...about,
    rules: types.of(type, sport, league),
    sport,
    selection,
    house: houseRules.of(book, sport, league),
    ...rest,
  };
}

const EMPTY: GameResult = { status: 'final', score: null, parts: [], regulation: null, stats: {}, players: {} };
const result = (home: number | null, away: number, rest: Partial<GameResult> = {}): GameResult => ({
  ...EMPTY,
  score: home === null ? null : { home, away },
  ...rest,
});
const part = (name: string, home: number, away: number, rest: Partial<PartScore> = {}): PartScore => ({
  part: name,
  home,
  away,
  final: false,
  ...rest,
});
const sets = (...scores: [number, number][]) => scores.map(([home, away], i) => part(`set_${i + 1}`, home, away));

function said(question: BetQuestion, told: GameResult | null, closed = false, timing?: Timing): string {
  const { result: ended, reason } = gradeBet(question, told, closed, timing);
  return reason === null ? ended : `${ended} ${reason}`;
}

test('a winner shown with a draw, double chance and draw no bet are of regular time in every sport', () => {
  const told = result(3, 2, { regulation: { home: 2, away: 2 } });
  for (const sport of ['hockey', 'handball', 'rugby', 'football', 'basketball', 'soccer']) {
    const three = (selection: string) => said(bet('moneyline', sport, selection, { threeWay: true }), told);
    assert.deepEqual(['home', 'draw', 'away'].map(three), ['lost', 'won', 'lost'], sport);
    assert.equal(said(bet('double_chance', sport, 'draw_or_away'), told), 'won', sport);
    assert.equal(said(bet('double_chance', sport, 'home_or_away'), told), 'lost', sport);
    assert.equal(said(bet('draw_no_bet', sport, 'home'), told), 'push', sport);
  }
  assert.equal(said(bet('moneyline', 'hockey', 'home'), told), 'won', 'a two-way one counts overtime');
  const house = { ...houseRules.of('x', 'hockey', 'nhl') };
  const counts = { ...house, winner: { ...house.winner, overtime: 'counts' as const } };
  assert.equal(said(bet('moneyline', 'hockey', 'home', { threeWay: true, house: counts }), told), 'won');
});

test('how a game ended says what its regular time was', () => {
  const draw = (told: GameResult) => said(bet('moneyline', 'hockey', 'draw', { threeWay: true }), told);
  assert.equal(draw(result(3, 2)), 'pending regulation_not_told');
  assert.equal(
    said(bet('moneyline', 'hockey', 'draw', { threeWay: true }), result(3, 2), true),
    'ungradeable not_told',
  );
  assert.equal(draw(result(3, 2, { ended: 'overtime' })), 'won');
  assert.equal(draw(result(3, 2, { ended: 'penalties' })), 'won');
  assert.equal(draw(result(3, 2, { ended: 'normal' })), 'lost');
  assert.equal(said(bet('moneyline', 'hockey', 'home', { threeWay: true }), result(3, 2, { ended: 'normal' })), 'won');
  const total = bet('total_goals_regulation', 'hockey', 'over', { line: 4.5 });
  assert.equal(said(total, result(3, 2, { ended: 'normal' })), 'won');
  assert.equal(said(total, result(3, 2, { ended: 'overtime' })), 'pending regulation_not_told');
  assert.equal(said(bet('overtime', 'hockey', 'yes'), result(3, 2, { ended: 'penalties' })), 'won');
});

test('a game that was abandoned in overtime keeps what regular time had decided', () => {
  const told = result(90, 88, { status: 'abandoned', regulation: { home: 88, away: 88 } });
  assert.equal(said(bet('moneyline', 'basketball', 'draw', { threeWay: true }), told), 'won');
  assert.equal(said(bet('moneyline', 'basketball', 'home'), told), 'void abandoned');
  assert.equal(said(bet('total_points_regulation', 'basketball', 'under', { line: 180.5 }), told), 'won');
});

test('handicaps counted from the score at the bet', () => {
  assert.equal(restType('point_spread'), 'point_spread_rest');
  assert.equal(restType('point_spread_h1'), 'point_spread_rest_h1');
  assert.equal(types.of('point_spread_rest_h1', 'soccer').part, 'h1');
  const rest = (scored: BetQuestion['scored']) =>
    said(bet('point_spread_rest', 'soccer', 'home', { line: -0.25, scored: scored ?? null }), result(1, 2));
  assert.equal(rest({ home: 0, away: 2 }), 'won');
  assert.equal(rest({ home: 1, away: 1 }), 'lost');
  assert.equal(rest({ home: 1, away: 2 }), 'half_lost');
  assert.equal(rest(null), 'pending score_not_told');
  assert.equal(said(bet('point_spread', 'soccer', 'home', { line: -0.25 }), result(1, 2)), 'lost');
  // A second half begins level, whatever the first one was; a bet made in it counts from there.
  const second = (scored: BetQuestion['scored'], told = result(2, 2, { parts: [part('h1', 1, 0)] })) =>
    said(bet('point_spread_rest_h2', 'soccer', 'home', { line: 0, scored: scored ?? null }), told);
  assert.equal(second({ home: 1, away: 0 }), 'lost', 'at half time: 1-2 since');
  assert.equal(second({ home: 0, away: 0 }), 'lost', 'in the first half: the same half');
  assert.equal(second({ home: 1, away: 2 }), 'won', 'in the second: 1-0 since');
  assert.equal(second({ home: 1, away: 0 }, result(2, 2)), 'pending part_not_told');
  // Corners are not counted from a score of goals.
  const corners = result(2, 0, { stats: { corners: { home: 5, away: 4 } } });
  const ofCorners = bet('corners_spread', 'soccer', 'home', {
    line: -0.5,
    book: 'bet365',
    scored: { home: 2, away: 0 },
  });
  assert.equal(said(ofCorners, corners), 'won');
  // At the same book, one with a draw counts the whole match.
  const atPinnacle = (fields: Partial<BetQuestion>) =>
    said(
      bet('point_spread', 'soccer', 'home', { line: -1, book: 'pinnacle', scored: { home: 0, away: 1 }, ...fields }),
      result(2, 1),
    );
  assert.equal(atPinnacle({}), 'won');
  assert.equal(atPinnacle({ threeWay: true }), 'lost');
});

test('a match that a player gives up, by the rules of each book', () => {
  const retired = (...scores: [number, number][]) =>
    result(null, 0, { parts: sets(...scores), ended: 'retired', winner: 'away' });
  const winner = (book: string, told: GameResult) =>
    ['home', 'away'].map((side) => said(bet('moneyline', 'tennis', side, { book, league: 'atp' }), told));
  const second = retired([6, 4], [1, 3]);
  const first = retired([4, 3]);
  assert.deepEqual(winner('pinnacle', second), ['lost', 'won']);
  assert.deepEqual(winner('pinnacle', first), ['void retired', 'void retired']);
  assert.deepEqual(winner('betfair', second), ['lost', 'won']);
  assert.deepEqual(winner('bet365', first), ['lost', 'won']);
  assert.deepEqual(winner('draftkings', second), ['void retired', 'void retired']);
  assert.deepEqual(winner('bet365', { ...first, ended: 'walkover' }), ['void walkover', 'void walkover']);
  assert.deepEqual(winner('pinnacle', { ...second, ended: 'disqualified' }), ['lost', 'won']);
  const { winner: _winner, ...untold } = second;
  assert.deepEqual(winner('pinnacle', { ...untold, advanced: 'away' }), ['lost', 'won']);
  assert.deepEqual(winner('pinnacle', untold), ['pending winner_not_told', 'pending winner_not_told']);
  assert.deepEqual(winner('pinnacle', { ...second, parts: [] }), ['pending sets_not_told', 'pending sets_not_told']);
  // In a fight it is a way to lose.
  const fight = result(null, 0, { ended: 'retired', winner: 'home' });
  assert.deepEqual(
    [said(bet('moneyline', 'mma', 'home'), fight), said(bet('moneyline', 'mma', 'away'), fight)],
    ['won', 'lost'],
  );
});

test('of a match that was given up, what any natural end needed is decided, and an unfinished set is won by nobody', () => {
  const of = (type: string, selection: string, line: number, ...scores: [number, number][]) =>
    said(
      bet(type, 'tennis', selection, { line, book: 'pinnacle', league: 'atp' }),
      result(null, 0, { parts: sets(...scores), ended: 'retired', winner: 'home' }),
    );
  // 4-4 needs ten games at least.
  assert.equal(of('total_games_set_1', 'over', 9.5, [4, 4]), 'won');
  assert.equal(of('total_games_set_1', 'under', 9.5, [4, 4]), 'lost');
  assert.equal(of('total_games_set_1', 'over', 10.5, [4, 4]), 'void retired');
  assert.equal(of('total_games_set_1', 'over', 12.5, [6, 6]), 'won');
  // At least 6-4 6-0: sixteen games.
  assert.equal(of('total_games', 'over', 15.5, [4, 4]), 'won');
  assert.equal(of('total_games', 'over', 16.5, [4, 4]), 'void retired');
  assert.equal(of('total_games', 'over', 20.5, [6, 4], [6, 7], [1, 0]), 'won');
  assert.equal(of('total_sets', 'over', 2.5, [6, 4], [2, 6]), 'won');
  assert.equal(of('total_sets', 'over', 2.5, [6, 4], [2, 5]), 'void retired');
  assert.equal(of('set_handicap', 'home', -1.5, [4, 6], [1, 0]), 'void retired', 'it may be the best of five');
  assert.equal(of('set_handicap', 'home', -2.5, [4, 6], [1, 0]), 'lost');
  assert.equal(of('set_handicap', 'away', 2.5, [4, 6], [1, 0]), 'won');
  assert.equal(of('point_spread', 'home', -22.5, [4, 6], [1, 0]), 'lost');
  assert.equal(of('point_spread', 'home', -3.5, [6, 1], [5, 0]), 'void retired');
  const winnerOf = (no: number) =>
    said(
      bet(`moneyline_set_${no}`, 'tennis', 'away'),
      result(null, 0, { parts: sets([4, 6], [0, 5]), ended: 'retired', winner: 'home' }),
    );
  assert.deepEqual([winnerOf(1), winnerOf(2), winnerOf(3)], ['won', 'void retired', 'void retired']);
});

test('a match tie-break is one set and one game', () => {
  const told = (last: PartScore, rest: Partial<GameResult> = {}) =>
    result(2, 1, { parts: [...sets([6, 4], [3, 6]), last], ...rest });
  const games = (last: PartScore, pairs = false) => [
    said(bet('total_games', 'tennis', 'over', { line: 19.5, pairs }), told(last)),
    said(bet('total_games', 'tennis', 'over', { line: 20.5, pairs }), told(last)),
  ];
  assert.deepEqual(games(part('set_3', 10, 8, { tieBreak: true })), ['won', 'lost']);
  assert.deepEqual(games(part('set_3', 1, 0)), ['won', 'lost']);
  assert.deepEqual(games(part('set_3', 10, 8), true), ['won', 'lost']);
  assert.deepEqual(games(part('set_3', 12, 10)), ['won', 'won'], 'a long set of one against one');
  assert.equal(
    said(bet('total_sets', 'tennis', 'over', { line: 2.5 }), told(part('set_3', 10, 8, { tieBreak: true }))),
    'won',
  );
});

test('who goes on to the next round is never told by the score of the game', () => {
  const of = (told: GameResult, closed = false) => said(bet('to_qualify', 'soccer', 'home'), told, closed);
  assert.equal(of(result(0, 1, { advanced: 'home' })), 'won');
  assert.equal(of(result(2, 1, { advanced: 'away' })), 'lost');
  assert.equal(of(result(1, 1, { parts: [part('pens', 4, 3)] })), 'won');
  assert.equal(of(result(1, 1, { ended: 'penalties', winner: 'home' })), 'won');
  assert.equal(of(result(2, 1)), 'pending advanced_not_told');
  assert.equal(of(result(2, 1), true), 'ungradeable not_told');
  assert.equal(said(bet('to_advance', 'hockey', 'away'), result(2, 1)), 'pending advanced_not_told');
});

test('points of volleyball, table tennis and badminton are counted from their sets, maps and legs from the score', () => {
  const volleyball = result(3, 1, { parts: sets([25, 20], [23, 25], [25, 18], [25, 22]) });
  const of = (type: string, selection: string, line: number, sport = 'volleyball', told = volleyball) =>
    said(bet(type, sport, selection, { line }), told);
  assert.deepEqual([of('total_points', 'over', 182.5), of('total_points', 'over', 183.5)], ['won', 'lost']);
  assert.deepEqual([of('point_spread', 'home', -12.5), of('point_spread', 'home', -13.5)], ['won', 'lost']);
  assert.equal(said(bet('team_total', 'volleyball', 'under', { line: 85.5, team: 'away' }), volleyball), 'won');
  assert.equal(of('total_points_set_2', 'over', 47.5), 'won');
  assert.equal(of('set_handicap', 'home', -1.5), 'won');
  assert.equal(of('total_points', 'over', 80.5, 'badminton', result(2, 0)), 'pending sets_not_told');
  assert.equal(
    of('total_points', 'over', 40.5, 'table_tennis', result(3, 0, { parts: sets([11, 4], [11, 5], [11, 2]) })),
    'won',
  );
  for (const what of ['map', 'leg']) {
    assert.equal(of(`total_${what}s`, 'over', 2.5, 'other', result(2, 1)), 'won');
    assert.equal(of(`${what}_handicap`, 'home', -1.5, 'other', result(2, 1)), 'lost');
  }
});

test('a tie pays what the league, the book and the sport say', () => {
  const tied = result(5, 5);
  const of = (sport: string, league: string, book: string, told = tied) =>
    said(bet('moneyline', sport, 'home', { league, book }), told);
  for (const league of ['npb', 'kbo', 'mlb-preseason']) assert.equal(of('baseball', league, 'pinnacle'), 'push');
  assert.equal(of('basketball', 'euroleague', 'pinnacle'), 'push');
  assert.equal(of('football', 'ncaaf', 'draftkings'), 'push');
  assert.equal(of('football', 'nfl', 'kalshi'), 'half');
  assert.equal(of('aussie_rules', 'afl', 'sportsbet'), 'half dead_heat');
  assert.equal(
    returnsOf(gradeBet(bet('moneyline', 'rugby', 'away', { book: 'tab', league: 'nrl' }), tied, false), 1.85, 1)
      .return_units,
    0.925,
  );
  assert.equal(said(bet('draw_no_bet', 'aussie_rules', 'home', { book: 'sportsbet' }), tied), 'push');
  assert.equal(
    said(bet('moneyline_q1', 'football', 'home', { book: 'kalshi' }), { ...tied, parts: [part('q1', 3, 3)] }),
    'push',
  );
});

test('a super over decides a tied cricket match where the book counts it; rain makes the score say nothing', () => {
  const tied = result(180, 180, { winner: 'away' });
  const of = (told: GameResult, does = true) => {
    const house = houseRules.of('x', 'cricket', 'ipl');
    const rules = does ? house : { ...house, winner: { ...house.winner, super_over: 'does_not' as const } };
    return said(bet('moneyline', 'cricket', 'away', { house: rules }), told);
  };
  assert.equal(of(tied), 'won');
  assert.equal(of(result(180, 180, { parts: [part('so', 7, 12)] })), 'won');
  assert.equal(of(tied, false), 'half dead_heat');
  assert.equal(of(result(180, 180)), 'half dead_heat');
  assert.equal(of(result(180, 101, { winner: 'away' })), 'won', 'with fewer overs');
  assert.equal(of(result(180, 101, { winner: 'none' })), 'void no_contest');
  assert.equal(
    said(bet('moneyline', 'cricket', 'draw', { threeWay: true }), result(410, 230, { winner: 'draw' })),
    'won',
  );
});

test('a shortened baseball game stands by its innings', () => {
  const winner = (innings: number, home: number, away: number, rest: Partial<GameResult> = {}) =>
    said(
      bet('moneyline', 'baseball', 'home', { league: 'mlb' }),
      result(home, away, { ended: 'shortened', innings, ...rest }),
    );
  assert.deepEqual(
    [winner(5, 1, 2), winner(4.5, 2, 1), winner(4.5, 1, 2), winner(4, 2, 1)],
    ['lost', 'won', 'void shortened', 'void shortened'],
  );
  const abandoned = (innings: number, home: number, away: number) => {
    const { ended: _ended, ...told } = result(home, away, { status: 'abandoned', innings });
    return said(bet('moneyline', 'baseball', 'home', { league: 'mlb' }), told);
  };
  assert.deepEqual([abandoned(6, 3, 1), abandoned(3, 3, 1)], ['won', 'void shortened']);
  const total = (type: string, selection: string, line: number, innings: number, rest: Partial<BetQuestion> = {}) =>
    said(bet(type, 'baseball', selection, { line, ...rest }), result(5, 2, { ended: 'shortened', innings }));
  assert.equal(total('total_runs', 'over', 6.5, 6), 'won', 'decided');
  assert.equal(total('total_runs', 'over', 7.5, 6), 'void shortened');
  assert.equal(total('total_runs', 'under', 7.5, 8.5), 'won');
  assert.equal(total('run_line', 'home', -1.5, 8), 'void shortened');
  assert.equal(total('run_line', 'home', -1.5, 8.5), 'won');
  assert.equal(total('team_total', 'under', 2.5, 6, { team: 'away' }), 'void shortened');
  assert.equal(
    said(bet('moneyline', 'baseball', 'home'), result(5, 2, { ended: 'shortened' })),
    'pending innings_not_told',
  );
  const five = Array.from({ length: 6 }, (_, i) => part(`innings_${i + 1}_${i + 1}`, 1, 0));
  const told = result(6, 0, { ended: 'shortened', innings: 6, parts: five });
  assert.equal(said(bet('moneyline_1st_5_innings', 'baseball', 'home'), told), 'won');
  assert.equal(said(bet('total_runs_innings_1_7', 'baseball', 'under', { line: 9.5 }), told), 'void shortened');
  assert.equal(
    said(bet('moneyline', 'baseball', 'home'), result(5, 2, { innings: 7, ended: 'normal' })),
    'won',
    'of a double header',
  );
});

test('a bet whose part was played waits for its score in a game that was broken off, and is void where the part was not', () => {
  const five = (
    rest: Partial<GameResult>,
    type = 'moneyline_1st_5_innings',
    selection = 'home',
    line: number | null = null,
  ) => said(bet(type, 'baseball', selection, { line, league: 'mlb' }), result(5, 4, rest));
  const early = { ended: 'shortened', innings: 6 } as const;
  assert.equal(five(early), 'pending part_not_told');
  assert.equal(five(early, 'moneyline_1st_1_innings'), 'pending part_not_told');
  assert.equal(five({ ...early, innings: 4 }), 'void shortened');
  assert.equal(five({ status: 'abandoned', innings: 6 }), 'pending part_not_told');
  assert.equal(five({ status: 'abandoned', parts: [part('innings_6_6', 0, 1)] }), 'pending part_not_told');
  assert.equal(five({ ...early, parts: [part('innings_1_5', 3, 1)] }), 'won');
  const first = { ...early, parts: [part('innings_1_1', 3, 0)] };
  assert.equal(five(first, 'total_runs_1st_5_innings', 'over', 2.5), 'won', 'no fewer were scored');
  assert.equal(five(first, 'total_runs_1st_5_innings', 'over', 4.5), 'pending part_not_told');
  assert.equal(
    five(first, 'total_runs_1st_7_innings', 'over', 4.5),
    'pending part_not_told',
    'of which six were played',
  );
  const soccer = (parts: PartScore[], selection: string) =>
    said(bet('total_goals_h1', 'soccer', selection, { line: 0.5 }), result(2, 1, { status: 'abandoned', parts }));
  const second = [part('h2', 1, 0)];
  assert.deepEqual(
    [soccer(second, 'over'), soccer(second, 'under')],
    ['won', 'lost'],
    'the score less the second half',
  );
  assert.equal(soccer([], 'over'), 'void abandoned', 'nothing says that the half was over');
  const corners = (rest: Partial<GameResult>) =>
    said(
      bet('total_corners_h1', 'soccer', 'under', { line: 5.5 }),
      result(2, 1, { status: 'abandoned', parts: second, ...rest }),
    );
  assert.equal(corners({ stats: { corners_h1: { home: 3, away: 1 } } }), 'won');
  assert.equal(corners({}), 'pending statistic_not_told');
  const tennis = (type: string, selection: string, line: number | null, parts: PartScore[] = []) =>
    said(
      bet(type, 'tennis', selection, { line, book: 'pinnacle', league: 'atp' }),
      result(1, 0, { ended: 'retired', winner: 'home', parts }),
    );
  assert.deepEqual([tennis('moneyline_set_1', 'home', null), tennis('moneyline_set_1', 'away', null)], ['won', 'lost']);
  assert.equal(tennis('moneyline_set_2', 'home', null), 'void retired');
  assert.equal(tennis('total_sets', 'over', 1.5), 'won');
  assert.equal(tennis('total_sets', 'over', 2.5), 'void retired');
  assert.equal(tennis('total_games', 'over', 5.5), 'pending sets_not_told');
  assert.equal(tennis('total_games_set_1', 'over', 9.5), 'pending sets_not_told');
  assert.equal(tennis('moneyline', 'home', null, [part('set_2', 3, 2)]), 'won', 'a first set was complete');
});

test('an awarded game and one without contest decide nothing more than play had', () => {
  const awarded = result(3, 0, { ended: 'awarded', winner: 'home', parts: [part('h1', 0, 1, { final: true })] });
  assert.equal(said(bet('moneyline', 'soccer', 'home'), awarded), 'void awarded');
  assert.equal(said(bet('moneyline_h1', 'soccer', 'away'), awarded), 'won');
  assert.equal(said(bet('moneyline', 'mma', 'home'), result(1, 0, { winner: 'none' })), 'void no_contest');
});

test('a game that is not begun in time is void, by the hours or the day of the book', () => {
  const startMs = Date.parse('2026-06-01T23:00:00Z');
  const hours = (count: number) => startMs + count * 3_600_000;
  const timing = (newStart: number, now: number, calledOff = false): Timing => ({
    betOnMs: startMs,
    startMs: hours(newStart),
    calledOff,
    nowMs: hours(now),
    dayOf: (ms) => localDate('mlb', ms),
  });
  const of = (book: string, told: GameResult | null, at: Timing, league = 'epl', sport = 'soccer') =>
    said(bet('moneyline', sport, 'home', { book, league }), told, false, at);
  const postponed = result(null, 0, { status: 'postponed' });
  assert.equal(of('pinnacle', postponed, timing(0, 35)), 'pending postponed');
  assert.equal(of('pinnacle', postponed, timing(0, 37)), 'void postponed');
  assert.equal(of('pinnacle', null, timing(0, 37)), 'pending no_result');
  assert.equal(of('pinnacle', null, timing(0, 37, true)), 'void postponed');
  assert.equal(of('pinnacle', null, timing(72, 35)), 'pending no_result', 'it may be brought forward');
  assert.equal(of('pinnacle', null, timing(72, 37)), 'void postponed');
  assert.equal(of('pinnacle', result(2, 0), timing(35, 60)), 'won');
  assert.equal(of('pinnacle', result(2, 0), timing(37, 60)), 'void postponed');
  // 19:00 in New York: the next afternoon is 17.5 h later.
  assert.equal(of('draftkings', result(2, 0), timing(17.5, 30), 'mlb', 'baseball'), 'void postponed');
  assert.equal(of('pinnacle', result(2, 0), timing(17.5, 30), 'mlb', 'baseball'), 'won');
  assert.equal(of('draftkings', result(2, 0), timing(3, 30), 'mlb', 'baseball'), 'won');
  // A recording is graded at the end of all time.
  const never = { ...timing(0, 0), nowMs: Number.POSITIVE_INFINITY };
  assert.equal(of('draftkings', null, never, 'mlb', 'baseball'), 'pending no_result');
  assert.equal(of('draftkings', postponed, never, 'mlb', 'baseball'), 'void postponed');
  assert.equal(of('draftkings', postponed, timing(0, 4), 'mlb', 'baseball'), 'pending postponed');
  assert.equal(of('draftkings', postponed, timing(0, 6), 'mlb', 'baseball'), 'void postponed');
});

test('who scored first, a race and a winning margin are graded where the scores of parts tell them', () => {
  const halves = result(2, 1, { parts: [part('h1', 1, 0), part('h2', 1, 1)] });
  const first = (selection: string, told: GameResult) => said(bet('first_team_to_score', 'soccer', selection), told);
  assert.deepEqual([first('home', halves), first('away', halves), first('no_goal', halves)], ['won', 'lost', 'lost']);
  assert.equal(first('home', result(2, 1)), 'pending part_not_told');
  const second = result(2, 1, { parts: [part('h2', 1, 0)] });
  assert.equal(first('home', second), 'pending part_not_told', 'both may have scored before');
  assert.equal(first('home', { ...second, status: 'abandoned' }), 'pending part_not_told');
  assert.equal(first('home', result(2, 0)), 'won');
  assert.equal(first('no_goal', result(0, 0)), 'won');
  assert.equal(first('away', result(2, 1, { stats: { first_to_score: { home: 0, away: 1 } } })), 'won');
  const quarters = result(50, 60, { parts: [part('q1', 15, 18), part('q2', 15, 18)] });
  const race = (selection: string, line: number) =>
    said(bet('race_to_points', 'basketball', selection, { line }), quarters);
  assert.deepEqual([race('away', 16), race('home', 16), race('away', 10)], ['won', 'lost', 'pending part_not_told']);
  const overlapping = result(50, 60, {
    parts: [part('h1', 10, 12), part('q1', 4, 9), part('q2', 6, 3), part('h2', 40, 48)],
  });
  const raced = (told: GameResult, line: number) => said(bet('race_to_points', 'basketball', 'away', { line }), told);
  assert.equal(raced(overlapping, 11), 'won');
  assert.equal(raced(overlapping, 13), 'pending part_not_told', 'no point counts twice');
  assert.equal(raced(result(50, 60, { parts: [part('q2', 6, 16)] }), 16), 'pending part_not_told');
  assert.equal(raced(result(50, 60, { parts: [part('q2', 6, 16)] }), 55), 'won');
  const margin = (selection: string) => said(bet('winning_margin', 'soccer', selection), halves);
  assert.deepEqual(['home by 1-6', 'home_1_6', 'home by 2+', 'away by 1-6', 'draw'].map(margin), [
    'won',
    'won',
    'lost',
    'lost',
    'lost',
  ]);
  assert.deepEqual(
    ['moneyline', 'winning_margin', 'method_of_victory', 'player_points', 'fight_goes_distance'].map((type) =>
      isGradeable(types.of(type, 'mma')),
    ),
    [true, true, false, true, false],
  );
});

test('a statistic is never found among the members that every object has', () => {
  const players = { one: { name: 'One', played: true, stats: {} } };
  const told = result(1, 0, { players });
  for (const name of ['constructor', 'to_string', 'valueof']) {
    const types_ = [`player_${name}`, `total_${name}`, `${name}_handicap`];
    for (const type of types_)
      assert.match(
        said(
          bet(type, 'soccer', type.startsWith('total') || type.startsWith('player') ? 'over' : 'home', {
            line: 0.5,
            player: 'one',
          }),
          told,
        ),
        /^pending/,
        type,
      );
  }
  assert.equal(
    said(bet('player_points', 'basketball', 'over', { line: 0.5, player: 'constructor' }), told),
    'pending player_not_told',
  );
});
