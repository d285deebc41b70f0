import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bet, BetSubject } from '../../../src/accounts/bets/bet.js';
import { OpenStakes } from '../../../src/answers/opportunities/portfolio.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';

const catalogue = loadCatalogue();
const NAMESAKES = ['larrynance'];

function bet(status: Bet['status'], cents: number, decimal: number, lay: boolean, of: Partial<BetSubject> = {}): Bet {
  const market = lay ? 'moneyline_lay' : 'moneyline';
  const subject = {
    ...{ oddsId: market, event: 'game', eventName: 'Away @ Home', sport: 'soccer', league: 'epl', market },
    ...{ selection: 'Home', selectionType: 'home', player: null, team: null, teamName: null, line: null },
    ...{ sportsbook: 'betfair', currency: 'USD' },
    ...(lay ? { lay } : {}),
    ...of,
  };
  const fill = { decimal, cents, home: cents, atMs: 0 };
  const fills = [lay ? { ...fill, liability: Math.round(cents * (decimal - 1)) } : fill];
  return {
    ...{ no: 1, tier: 'pro', clientId: 'a', oddsId: market, mode: 'paper', cents, decimal, american: 100 },
    ...{ tag: null, note: null, subject, status, reason: null, fills: status === 'filled' ? fills : [] },
    ...{ bound: null, live: false, rate: 1, recordedMs: 0, judgeMs: null, grading: null },
  };
}

test('a lay has its liability at stake, and wins the backer’s stake less commission', () => {
  for (const status of ['filled', 'pending'] as const) {
    const open = new OpenStakes(
      [bet(status, 1_000, 3.5, true), bet(status, 400, 2, false)],
      'USD',
      'USD',
      catalogue,
      () => NAMESAKES,
    );
    assert.equal(open.total, 25 + 4, status);
    assert.deepEqual(
      ['event game', 'book betfair', 'row moneyline_lay'].map((group) => open.of(group)),
      [29, 29, 25],
    );
    const [lay, back] = open.outcomes;
    assert.ok(Math.abs(lay!.returns - (25 + 9.5)) < 1e-6, `${lay!.returns}`);
    assert.ok(Math.abs(back!.returns - (4 + 3.8)) < 1e-6, `${back!.returns}`);
  }
});

test('bets that the same result may settle differently are different outcomes, and each pays its own market’s commission', () => {
  const held = (...subjects: Partial<BetSubject>[]) =>
    new OpenStakes(
      subjects.map((subject) => bet('filled', 1_000, 2, false, subject)),
      'USD',
      'USD',
      catalogue,
      () => NAMESAKES,
    ).outcomes;
  const rest = { market: 'point_spread_rest', line: -0.25 };
  assert.equal(held({}, {}).length, 1);
  assert.equal(held({ sport: 'hockey' }, { sport: 'hockey', threeWay: true }).length, 2, 'regular time');
  assert.equal(held({ ...rest, scored: { home: 0, away: 0 } }, { ...rest, scored: { home: 1, away: 0 } }).length, 2);
  const whole = { market: 'point_spread', line: -0.25 };
  assert.equal(held({ ...whole, scored: { home: 0, away: 0 } }, { ...whole, scored: { home: 1, away: 0 } }).length, 1);
  const points = { market: 'player_points', line: 25.5, selectionType: 'over' };
  assert.equal(held({ ...points, player: 'Luka Dončić' }, { ...points, player: 'Luka Doncic' }).length, 1);
  const [jr, father] = ['Larry Nance, Jr', 'Larry Nance'].map((player) => ({ ...points, player }));
  assert.equal(held(jr!, father!, { ...points, player: 'Larry Nance Jr.' }).length, 2);
  const exact = { market: 'correct_score', selectionType: 'score' };
  assert.equal(held({ ...exact, selection: '2-1' }, { ...exact, selection: '0-0' }).length, 2);
  const scorers = ['Luka Dončić', 'Luka Doncic'].map((player) => ({ ...exact, player, selection: player }));
  assert.equal(held(...scorers).length, 1);
  const prop = { market: 'player_props', line: 5.5, selectionType: 'over', player: 'Luka Doncic' };
  assert.equal(
    held({ ...prop, stat: 'Rebounds' }, { ...prop, stat: 'rebounds' }, { ...prop, stat: 'Assists' }).length,
    2,
  );
  assert.equal(held({ ...points, stat: 'Points' }, points).length, 1, 'its type says it');
  const [free] = held({ commission: { model: 'winnings', rate: 0 } });
  assert.equal(free!.returns, 20);
});
