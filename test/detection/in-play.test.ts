// Middles of games in play: the variance of results follows from what is left of the game.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startUniverses } from '../../src/detection/detection-limits.js';
import { normalBetween, poisson } from '../../src/detection/maths/counts.js';
import { market, message, event as messageEvent, selection } from '../intake/ingest/messages.js';
import { catalogue } from '../writer/shard/rig.js';
import { comparable, type PublishedOpportunity } from './published.js';
import { ShardInMemory } from './shard-in-memory.js';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');
const BEGUN = new Date(NOW_MS - 3_600_000).toISOString();

function show(shard: ShardInMemory, fields: object, lines: Record<string, [type: string, line: number]>, ms = 0): void {
  const polled_at = new Date(NOW_MS + ms).toISOString();
  const messages = Object.entries(lines).map(([book, [market_type, line]]) => {
    const side = (type: string) => selection({ selection: type, selection_type: type, line, odds_american: 100 });
    const markets = [market([side('over'), side('under')], { market_type })];
    return message([messageEvent(markets, { start_time: BEGUN, ...fields })], { book, polled_at });
  });
  shard.apply(messages, NOW_MS + ms);
  assert.deepEqual(shard.rejected, []);
}

function only(shard: ShardInMemory): PublishedOpportunity {
  const middles = shard.published.of('sharp').filter(({ kind }) => kind === 'middle');
  assert.equal(middles.length, 1);
  return middles[0]!;
}

const world = () => new ShardInMemory(NOW_MS, startUniverses(catalogue));
const shown = ({ item }: PublishedOpportunity) =>
  [item['middle_probability'] as number, item['warnings'] as string[]] as const;
const TOTALS = { draftkings: ['total_points', 219.5], fanduel: ['total_points', 223.5] } satisfies Record<
  string,
  [string, number]
>;

/** P(220..223) where the centre is 221.5. */
const between = (share: number) => normalBetween(220, 223, 221.5, 17.68 * Math.sqrt(share));

test('as the game progresses a middle around the centre becomes more likely, without any change of prices', () => {
  const shard = world();
  show(shard, { is_live: true }, TOTALS);
  const [unknown, warnings] = shown(only(shard));
  assert.ok(Math.abs(unknown - between(1)) < 1e-4, `${unknown}`);
  assert.deepEqual(warnings, ['WHOLE_GAME_DISTRIBUTION']);
  for (const [i, [period, clock, share]] of (
    [
      ['Q1', '12:00', 1],
      ['Halftime', null, 0.5],
      ['Q4', '12:00', 0.25],
      ['Q4', '6:00', 8 / 60],
      ['Q4', '0:30', 3 / 60],
      ['OT', '5:00', 1],
    ] as const
  ).entries()) {
    const game_state = { period, clock, home_score: 60, away_score: 58 };
    show(shard, { is_live: true, game_state }, { draftkings: TOTALS.draftkings }, 2_000 * (i + 1));
    const [probability, said] = shown(only(shard));
    assert.ok(
      Math.abs(probability - between(share)) < 2e-4,
      `${period} ${clock}: ${probability}, not ${between(share)}`,
    );
    assert.deepEqual(said, period === 'OT' ? ['WHOLE_GAME_DISTRIBUTION'] : [], period);
    shard.flush();
    const scratch = shard.fromScratch(startUniverses(catalogue));
    assert.deepEqual(comparable(shard.published.of('sharp')), comparable(scratch.of('sharp')));
  }
});

test('goals scored are certain: further ones are Poisson distributed around what the market still expects', () => {
  const fields = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea', is_live: true };
  const lines = { draftkings: ['total_goals', 3.5], fanduel: ['total_goals', 4.5] } satisfies Record<
    string,
    [string, number]
  >;
  const shard = world();
  show(shard, { ...fields, game_state: { period: '2nd Half', clock: '70:00', home_score: 2, away_score: 1 } }, lines);
  const middle = only(shard);
  const [probability, warnings] = shown(middle);
  assert.deepEqual(warnings, []);
  // Even odds for one more goal at 3.5 and for two more at 4.5: means of 0.69 and 1.68, and the centre between them.
  const mean = (Math.LN2 + 1.6783) / 2;
  assert.ok(Math.abs(probability - poisson(1, mean)) < 0.005, `${probability}, not ${poisson(1, mean)}`);
  const silent = world();
  show(silent, { ...fields, game_state: { period: '2nd Half', clock: '70:00' } }, lines);
  const [whole, said] = shown(only(silent));
  assert.deepEqual(said, ['WHOLE_GAME_DISTRIBUTION'], 'goals without a score are of the whole game');
  assert.ok(whole < probability);
});

test('a half is a game of its own: in the second half the score of the game says nothing about its points', () => {
  const lines = { draftkings: ['total_points_h2', 109.5], fanduel: ['total_points_h2', 113.5] } satisfies Record<
    string,
    [string, number]
  >;
  const half = 17.68 * Math.SQRT1_2;
  for (const [period, clock, share] of [
    ['Q2', '3:00', 1],
    ['Q3', '12:00', 1],
    ['Q4', '12:00', 0.5],
  ] as const) {
    const shard = world();
    show(shard, { is_live: true, game_state: { period, clock, home_score: 80, away_score: 70 } }, lines);
    const [probability, warnings] = shown(only(shard));
    const expected = normalBetween(110, 113, 111.5, half * Math.sqrt(share));
    assert.ok(Math.abs(probability - expected) < 2e-4, `${period}: ${probability}, not ${expected}`);
    assert.deepEqual(warnings, []);
  }
});

test('before the start no event is in play, whatever its state says', () => {
  const shard = world();
  const fields = {
    start_time: new Date(NOW_MS + 3_600_000).toISOString(),
    game_state: { period: 'Q4', clock: '1:00' },
  };
  show(shard, fields, TOTALS);
  const [probability, warnings] = shown(only(shard));
  assert.ok(Math.abs(probability - between(1)) < 1e-4);
  assert.deepEqual(warnings, []);
});

test('prices at a line that the score has reached have an edge all the same', () => {
  const shard = world();
  const fields = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea', is_live: true };
  const game_state = { period: '2nd Half', clock: '70:00', home_score: 2, away_score: 1 };
  const priced = (book: string, over: number, under: number) => {
    const side = (type: string, odds_american: number) =>
      selection({ selection: type, selection_type: type, line: 3, odds_american });
    const markets = [market([side('over', over), side('under', under)], { market_type: 'total_goals' })];
    const event = messageEvent(markets, { start_time: BEGUN, ...fields, game_state });
    return message([event], { book, polled_at: new Date(NOW_MS).toISOString() });
  };
  shard.apply([priced('pinnacle', -110, -110), priced('draftkings', 110, -130), priced('fanduel', -130, 110)], NOW_MS);
  const edges = shard.published.of('sharp').flatMap(({ kind, edge }) => (kind === 'ev' ? [edge] : []));
  assert.deepEqual(edges, [5, 5]);
});

test('handicaps that count from the bet begin level, whatever the score is', () => {
  const chanceAt = (home_score: number) => {
    const shard = world();
    const fields = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea', is_live: true };
    const game_state = { period: '2nd Half', clock: '60:00', home_score, away_score: 0 };
    const priced = (book: string, line: number, home: number, away: number) => {
      const side = (type: string, at: number, odds_decimal: number) =>
        selection({ selection: type, selection_type: type, line: at, odds_decimal });
      const markets = [
        market([side('home', line, home), side('away', 0 - line, away)], { market_type: 'point_spread' }),
      ];
      const event = messageEvent(markets, { start_time: BEGUN, ...fields, game_state });
      return message([event], { book, polled_at: new Date(NOW_MS).toISOString() });
    };
    shard.apply([priced('pinnacle', -0.5, 2.3, 1.65), priced('bet365', -1.5, 3.4, 1.35)], NOW_MS);
    shard.apply([priced('bet365', -1.5, 1.9, 1.95)], NOW_MS + 1);
    const [found] = shard.published.of('sharp').filter(({ kind }) => kind === 'middle');
    assert.equal(found!.item['market_type'], 'point_spread_rest');
    return found!.item['middle_probability'] as number;
  };
  assert.equal(chanceAt(3), chanceAt(0));
  assert.ok(chanceAt(0) > 0.05);
});
