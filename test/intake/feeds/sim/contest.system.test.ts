import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Contest, type Fair, Fight, TennisMatch } from '../../../../src/intake/feeds/sim/contest.js';
import { type LeagueModel, leagueModel } from '../../../../src/intake/feeds/sim/league-model.js';
import { Random } from '../../../../src/intake/feeds/sim/prng.js';
import { ScoreGame } from '../../../../src/intake/feeds/sim/score-game.js';

const TEAMS = ['Home', 'Away'] as const;
const SPORTS = {
  nba: 'basketball',
  ncaab: 'basketball',
  nfl: 'football',
  nhl: 'hockey',
  mlb: 'baseball',
  epl: 'soccer',
};

const modelOf = (league: keyof typeof SPORTS): LeagueModel => leagueModel(league, SPORTS[league], true)!;

function checkFair(fair: Fair): void {
  assert.ok(fair.home >= 0 && fair.home <= 1 && fair.draw >= 0 && fair.home + fair.draw <= 1 + 1e-9);
}

/** Margins and moneylines have the same distribution; except in tennis, where the loser may win more games. */
function checkMargin({ home, draw, margin }: Fair): void {
  const win = margin!.above(draw > 0 ? 0.5 : 0);
  assert.ok(Math.abs(win - home) < 1e-6, `home ${home}, a margin above 0 ${win}`);
  if (draw > 0) assert.ok(Math.abs(margin!.above(-0.5) - home - draw) < 1e-6);
}

function playOut(contest: Contest, seed: number, seen: (contest: Contest) => void): void {
  const random = new Random(seed);
  for (let second = 0; second < 60_000 && !contest.over; second += 7) {
    contest.play(second, random);
    seen(contest);
    if (!contest.over) checkFair(contest.fair(0, 0));
  }
  assert.ok(contest.over, 'the game has no end');
}

for (const league of Object.keys(SPORTS) as (keyof typeof SPORTS)[])
  test(`${league}: scores never fall, the game ends, and in a tie only if the sport has draws`, () => {
    let draws = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const model = modelOf(league);
      const game = new ScoreGame(model, { margin: 0, total: model.total }, TEAMS);
      let score = 0;
      let remaining = 1;
      playOut(game, seed, ({ state, over, remaining: left }) => {
        const now = state.home_score! + state.away_score!;
        assert.ok(now >= score);
        if (!over) checkMargin(game.fair(0.1, 0));
        assert.ok(over || left <= remaining || left <= 0.12);
        score = now;
        remaining = left;
      });
      assert.equal(game.state.period, 'Final');
      assert.equal(game.remaining, 0);
      if (game.state.home_score === game.state.away_score) draws++;
    }
    assert.ok(league === 'epl' || draws === 0);
  });

test('clocks run as the sport counts: down in basketball, up in soccer, by half innings in baseball', () => {
  const at = (league: keyof typeof SPORTS, second: number) => {
    const game = new ScoreGame(modelOf(league), { margin: 0, total: 5 }, TEAMS);
    game.play(second, new Random(1));
    return [game.state.period, game.state.clock];
  };
  assert.deepEqual(at('nba', 0), ['Q1', '12:00']);
  assert.deepEqual(at('nba', 870), ['Q1', '6:00']);
  assert.deepEqual(at('nba', 1_741), ['Q1 end', '0:00']);
  assert.deepEqual(at('epl', 2_840 + 900 + 1_420), ['H2', '67:30']);
  assert.deepEqual(at('mlb', 1_020 * 2 + 100), ['Top 3', null]);
  assert.deepEqual(at('mlb', 1_020 * 2 + 900), ['Bottom 3', null]);
});

test('a better home side is likelier to win, and a lead makes it likelier the later it is', () => {
  const model = modelOf('nba');
  const home = (margin: number, side: number) => new ScoreGame(model, { margin, total: 226 }, TEAMS).fair(side, 0).home;
  assert.ok(Math.abs(home(0, 0) - 0.5) < 0.001);
  assert.ok(home(6, 0) > 0.65 && home(6, 0) < 0.72);
  assert.ok(home(0, 0.2) > home(0, 0));
});

test('football margins land on 3 and 7 as often as field goals and touchdowns make them', () => {
  const { margin } = new ScoreGame(modelOf('nfl'), { margin: 3, total: 44 }, TEAMS).fair(0, 0);
  const exactly = (k: number) => margin!.above(k - 0.5) - margin!.above(k + 0.5);
  assert.ok(exactly(3) > 0.075 && exactly(3) < 0.105, `by 3: ${exactly(3)}`);
  assert.ok(exactly(7) > 0.05 && exactly(7) < 0.075, `by 7: ${exactly(7)}`);
  assert.ok(exactly(0) < 0.005);
});

test('hockey and baseball have no tied results, and one-goal games have their probability', () => {
  for (const league of ['nhl', 'mlb'] as const) {
    const model = modelOf(league);
    const fair = new ScoreGame(model, { margin: 0, total: model.total }, TEAMS).fair(0, 0);
    assert.equal(fair.draw, 0);
    assert.ok(Math.abs(fair.margin!.above(-0.5) - fair.margin!.above(0.5)) < 1e-9);
    assert.ok(Math.abs(fair.home - 0.5) < 0.001);
  }
});

test('results are as likely as their prices say, and overtime counts in totals', () => {
  for (const league of ['nba', 'ncaab', 'nfl'] as const) {
    const model = modelOf(league);
    const games = 400;
    let overs = 0;
    let squares = 0;
    for (let seed = 1; seed <= games; seed++) {
      const game = new ScoreGame(model, { margin: 3, total: model.total }, TEAMS);
      const random = new Random(seed);
      for (let second = 0; !game.over; second += 5) game.play(second, random);
      const { home_score: home, away_score: away } = game.result;
      if (home + away > model.total) overs++;
      squares += (home - away - 3) ** 2;
    }
    assert.ok(Math.abs(overs / games - 0.5) < 0.1, `${league}: ${overs} of ${games} over`);
    const deviation = Math.sqrt(squares / games) / model.marginDeviation;
    assert.ok(
      Math.abs(deviation - 1) < 0.15,
      `${league}: margins scatter ${deviation} times as much as their prices say`,
    );
  }
  const { total } = modelOf('nhl');
  const hockey = new ScoreGame(modelOf('nhl'), { margin: 0, total }, TEAMS).fair(0, 0);
  assert.ok(
    hockey.total.mean - total > 0.1 && hockey.total.mean - total < 0.2,
    'a goal more in a game of six or seven',
  );
});

test('tennis: sets follow games, the score shows them, and an even match is even', () => {
  const even = new TennisMatch({ margin: 0, total: 0 });
  assert.ok(Math.abs(even.fair(0, 0).home - 0.5) < 1e-9);
  assert.ok(even.fair(0, 0).total.mean > 20 && even.fair(0, 0).total.mean < 27);
  for (let seed = 1; seed <= 8; seed++) {
    const match = new TennisMatch({ margin: 0.03, total: 0 });
    playOut(match, seed, () => {});
    const { home_score: home, away_score: away, last_play: sheet } = match.state;
    assert.equal(Math.max(home!, away!), 2);
    assert.ok(Math.min(home!, away!) < 2);
    assert.equal(sheet!.split(' ').length, home! + away!);
  }
});

test('a fight that has lasted so long is over that line, and lasts three rounds at most', () => {
  for (let seed = 1; seed <= 8; seed++) playOut(new Fight({ margin: 0, total: 0 }, 0.3), seed, () => {});
  const fight = new Fight({ margin: 0.4, total: 0 }, 0.0001);
  assert.ok(fight.fair(0, 0).home > 0.55);
  fight.play(361, new Random(5));
  assert.equal(fight.state.period, 'R2');
  assert.equal(fight.fair(0, 0).total.above(0.5), 1);
  fight.play(1_020, new Random(5));
  assert.equal(fight.over, true);
  assert.equal(fight.state.period, 'Final');
  assert.equal(fight.fair(0, 0).total.above(3.5), 0);
});
