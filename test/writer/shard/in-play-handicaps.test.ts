// Handicaps in play of books that count from the score at the bet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, market, message, selection, spread } from '../../intake/ingest/messages.js';
import { type Rig, rig } from './rig.js';

const START = Date.parse('2026-11-20T20:00:00Z');
const GAME = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea', start_time: new Date(START).toISOString() };
const NBA = {
  league: 'nba',
  home_team: 'Los Angeles Lakers',
  away_team: 'Boston Celtics',
  start_time: GAME.start_time,
};

function send(
  shard: Rig,
  minutes: number,
  book: string,
  markets: readonly unknown[],
  fields: object,
  scope: 'event' | 'none' = 'event',
): void {
  shard.nowMs = Math.max(shard.nowMs, START + minutes * 60_000);
  const polled_at = new Date(START + minutes * 60_000).toISOString();
  const { receipt } = shard.send(message([event(markets, fields)], { book, polled_at, scope }));
  assert.deepEqual(receipt.rejected, []);
}

const typesOf = (shard: Rig, book: string): string[] =>
  [
    ...new Set([...shard.rows().values()].filter((row) => row.sportsbook === book).map((row) => row.market_type)),
  ].sort();

test('in play they are a type of their own, which no other book’s handicap joins', (t) => {
  const shard = rig(t);
  const both = (minutes: number, fields: object) => {
    send(shard, minutes, 'pinnacle', [spread(-0.25, 300, -600)], fields);
    send(shard, minutes, 'bet365', [spread(-0.25, 300, -600)], fields);
    send(shard, minutes, 'draftkings', [spread(-0.25, -600, 300)], fields);
  };
  const legs = () =>
    [...shard.writer.opportunities.universes()].flatMap((key) => [...shard.writer.opportunities.of(key)]);
  both(-30, GAME);
  for (const book of ['pinnacle', 'bet365', 'draftkings'])
    assert.deepEqual(typesOf(shard, book), ['point_spread'], book);
  assert.ok(legs().length > 0, 'of the same handicap');
  both(30, { ...GAME, is_live: true });
  assert.deepEqual(typesOf(shard, 'pinnacle'), ['point_spread_rest']);
  assert.deepEqual(typesOf(shard, 'bet365'), ['point_spread_rest']);
  assert.deepEqual(typesOf(shard, 'draftkings'), ['point_spread']);
  both(31, { ...GAME, is_live: true });
  assert.equal(shard.rows().size, 6, 'the same rows again');
  assert.equal(legs().length, 0, 'of different ones');
});

test('a removal in play is of the row from before the game, and of the one in play unless that is listed then', (t) => {
  const live = { ...GAME, is_live: true };
  const rest = { ...spread(-0.5, 320, -650), market_type: 'point_spread_rest' };
  const sides = [
    ['home', -0.25],
    ['away', 0.25],
  ] as const;
  const gone = market(
    sides.map(([type, line]) => ({ selection: type, selection_type: type, line, is_removed: true })),
    { market_type: 'point_spread' },
  );
  // As an export of history has it, in any order.
  for (const parts of [[[rest, gone]], [[gone, rest]], [[rest], [gone]]]) {
    const shard = rig(t);
    send(shard, -30, 'bet365', [spread(-0.25, 300, -600)], GAME);
    for (const part of parts) send(shard, 30, 'bet365', part, live, 'none');
    assert.deepEqual(typesOf(shard, 'bet365'), ['point_spread_rest']);
    assert.equal(shard.rows().size, 2);
    // As a book says it, to which it is one market.
    send(shard, 31, 'bet365', [gone], live, 'none');
    assert.equal(shard.rows().size, 0);
  }
});

test('parts keep their suffix; three-way handicaps, other markets and other sports are as they are', (t) => {
  const shard = rig(t);
  const half = { ...spread(-0.25, 120, -140), market_type: 'point_spread_h1' };
  const corners = { ...spread(-1.5, 120, -140), market_type: 'corners_spread' };
  const live = { ...GAME, is_live: true };
  send(shard, 30, 'pinnacle', [half, corners], live);
  assert.deepEqual(typesOf(shard, 'pinnacle'), ['corners_spread', 'point_spread_rest_h1']);
  const sides = [
    ['home', -1],
    ['draw', -1],
    ['away', 1],
  ] as const;
  const three = market(
    sides.map(([type, line]) => selection({ selection: type, selection_type: type, line, odds_american: 200 })),
    { market_type: 'point_spread' },
  );
  send(shard, 31, 'bet365', [three], live);
  assert.deepEqual(typesOf(shard, 'bet365'), ['point_spread']);
  // Two of three results, while the draw is not offered.
  send(shard, 32, 'bet365', [{ ...three, selections: three.selections.filter((_, i) => i !== 1) }], live);
  assert.deepEqual(typesOf(shard, 'bet365'), ['point_spread']);
  assert.equal([...shard.rows().values()].filter(({ sportsbook }) => sportsbook === 'bet365').length, 2);
  send(shard, 33, 'pinnacle', [spread(-3.5, -110, -110)], { ...NBA, is_live: true });
  assert.ok(typesOf(shard, 'pinnacle').includes('point_spread'));
});

test('the game is in play by all that is known of it when a book states its prices', (t) => {
  const LATE = { ...GAME, start_time: new Date(START + 3_600_000).toISOString() };
  const spreads = [spread(-0.25, -110, -110)];
  const first = rig(t);
  send(first, 30, 'pinnacle', spreads, GAME);
  assert.deepEqual(typesOf(first, 'pinnacle'), ['point_spread_rest'], 'first seen half an hour after its start');
  const moved = rig(t);
  send(moved, 30, 'pinnacle', spreads, LATE);
  assert.deepEqual(typesOf(moved, 'pinnacle'), ['point_spread']);
  send(moved, 31, 'pinnacle', spreads, GAME);
  assert.deepEqual(typesOf(moved, 'pinnacle'), ['point_spread_rest'], 'its start was moved to one that has passed');
  const denied = rig(t);
  send(denied, 30, 'draftkings', spreads, { ...GAME, is_live: true });
  send(denied, 31, 'pinnacle', spreads, { ...GAME, is_live: false });
  assert.deepEqual(
    typesOf(denied, 'pinnacle'),
    ['point_spread_rest'],
    'its "not live" after the start is not believed',
  );
  const early = rig(t);
  send(early, -5, 'draftkings', spreads, { ...GAME, is_live: true });
  send(early, -4, 'pinnacle', spreads, { ...GAME, is_live: false });
  assert.deepEqual(typesOf(early, 'pinnacle'), ['point_spread'], 'before the start that it states, it is');
  const delayed = rig(t);
  send(delayed, 5, 'pinnacle', spreads, { ...GAME, is_live: false });
  assert.deepEqual(typesOf(delayed, 'pinnacle'), ['point_spread'], 'nothing else says that it has begun');
});

test('what a book showed before the game is on offer no more once it states the market in play', (t) => {
  const live = { ...GAME, is_live: true };
  const stated = (shard: Rig) =>
    [...shard.rows().values()]
      .map((row) => `${row.market_type} ${row.selection_type} ${row.line} ${row['is_active'] ?? true}`)
      .sort();
  const shard = rig(t);
  const before = [spread(-0.25, -110, -110), { ...spread(-0.25, -110, -110), market_type: 'point_spread_h1' }];
  send(shard, -1, 'bet365', before, GAME, 'none');
  send(
    shard,
    1,
    'bet365',
    [market([spread(-0.5, 105, -125).selections[0]], { market_type: 'point_spread' })],
    live,
    'none',
  );
  const half = ['point_spread_h1 away 0.25 true', 'point_spread_h1 home -0.25 true'];
  assert.deepEqual(stated(shard), [...half, 'point_spread_rest home -0.5 true']);
  // A closed market: whatever it is called here.
  send(shard, 2, 'bet365', [market([], { market_type: 'point_spread_h1', is_active: false })], live, 'none');
  assert.deepEqual(stated(shard), [
    'point_spread_h1 away 0.25 false',
    'point_spread_h1 home -0.25 false',
    'point_spread_rest home -0.5 true',
  ]);
});

test('a game that is found not to have begun has no rest: its rows go with the next word on the market, in any scope', (t) => {
  const later = { ...GAME, start_time: new Date(START + 3_600_000).toISOString() };
  const spreads = [spread(-0.25, -110, -110)];
  const closed = market([], { market_type: 'point_spread', is_active: false });
  for (const word of [spreads, [closed]]) {
    const shard = rig(t);
    send(shard, 5, 'pinnacle', spreads, GAME, 'none');
    assert.deepEqual(typesOf(shard, 'pinnacle'), ['point_spread_rest']);
    send(shard, 6, 'pinnacle', word, later, 'none');
    assert.deepEqual(typesOf(shard, 'pinnacle'), word === spreads ? ['point_spread'] : []);
  }
  // As an export of history has both.
  const both = [...spreads, { ...spread(-0.5, 320, -650), market_type: 'point_spread_rest' }];
  const shard = rig(t);
  send(shard, -5, 'pinnacle', both, GAME, 'none');
  assert.deepEqual(typesOf(shard, 'pinnacle'), ['point_spread', 'point_spread_rest']);
});
