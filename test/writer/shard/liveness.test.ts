// Start, status, liveness and score of an event, derived from its books' statements, and by time alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TableEvent } from '../../../src/tables/events.js';
import { event, message, moneyline } from '../../intake/ingest/messages.js';
import { type Rig, rig, type Sent } from './rig.js';

const START = Date.parse('2026-11-20T20:00:00Z');
const MINUTE = 60_000;
const at = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString();

function say(shard: Rig, minutes: number, book: string, fields: object = {}, price = -110) {
  shard.nowMs = Math.max(shard.nowMs, START + minutes * MINUTE);
  return shard.send(message([event([moneyline(price, 100)], fields)], { book, polled_at: at(minutes) }));
}

/** Nothing in the table has changed (opportunities may have, because prices become stale). */
function isQuiet({ delta }: Sent): boolean {
  return delta === null || (delta.books.length === 0 && delta.events.length === 0 && delta.dropped.length === 0);
}

function only(shard: Rig): TableEvent {
  const events = shard.table.events.ordered();
  assert.equal(events.length, 1);
  return events[0]!;
}

test('time alone makes an event live at its start, once, and every row shows it', (t) => {
  const shard = rig(t);
  say(shard, -120, 'draftkings');
  say(shard, -119, 'fanduel');
  assert.equal(isQuiet(shard.tick(START - 1)), true);
  const before = shard.rows();
  const { applied } = shard.tick(START);
  assert.deepEqual([only(shard).live, only(shard).status], [true, 'live']);
  assert.equal(applied!.books.flatMap((book) => book.restated).length, 4);
  for (const row of shard.rows().values()) {
    assert.deepEqual([row.is_live, row.status], [true, 'live']);
    assert.equal(row.odds_changed_at, '2026-11-20T20:00:00.000000000Z');
    assert.equal(row.last_seen_at, before.get(row.id)!.last_seen_at);
    assert.equal(row.odds_american, before.get(row.id)!.odds_american);
  }
  assert.equal(isQuiet(shard.tick(START + MINUTE)), true);
});

test('an event whose start has passed is live from its first message on', (t) => {
  const shard = rig(t);
  say(shard, 30, 'draftkings');
  assert.equal(only(shard).live, true);
  assert.equal(shard.row('draftkings', 'moneyline', 'home')!.is_live, true);
});

test('a book that states live makes the event live before its start, and not live again when it withdraws that', (t) => {
  const shard = rig(t);
  say(shard, -20, 'draftkings');
  say(shard, -10, 'fanduel', { is_live: true });
  assert.equal(only(shard).live, true);
  say(shard, -9, 'draftkings', { is_live: false });
  assert.equal(only(shard).live, true, 'one book that says live is enough');
  say(shard, -8, 'fanduel', { is_live: false });
  assert.equal(only(shard).live, false);
  shard.tick(START);
  assert.equal(only(shard).live, true, '"not live" said before the start says nothing of what comes after it');
});

test('"not live" stated after the start applies: the game is delayed', (t) => {
  const shard = rig(t);
  say(shard, -20, 'draftkings', { is_live: false });
  shard.tick(START);
  assert.equal(only(shard).live, true);
  say(shard, 2, 'draftkings', { is_live: false });
  assert.deepEqual([only(shard).live, only(shard).status], [false, 'upcoming']);
  assert.equal(isQuiet(shard.tick(START + 30 * MINUTE)), true);
});

test('an end applies until the book that stated it states something else, whatever others go on offering', (t) => {
  const shard = rig(t);
  say(shard, 30, 'draftkings');
  say(shard, 31, 'fanduel');
  for (const status of ['postponed', 'cancelled', 'ended'] as const) {
    say(shard, 150, 'draftkings', { status });
    assert.deepEqual([only(shard).live, only(shard).status], [false, status]);
    assert.ok([...shard.rows().values()].every((row) => row.status === status && !row.is_live));
  }
  say(shard, 155, 'fanduel');
  assert.equal(only(shard).status, 'ended', 'a book that says nothing does not contradict');
  shard.send(message([], { polled_at: at(160), scope: 'league', league: 'nba' }));
  assert.equal(only(shard).status, 'ended', 'nor does taking the prices down');
  for (const status of ['live', 'upcoming', 'live'] as const) {
    say(shard, 165, 'fanduel', { status });
    assert.equal(only(shard).status, 'ended', 'nor does another book that goes on');
  }
  say(shard, 170, 'draftkings', { status: 'live' });
  assert.equal(only(shard).status, 'live', 'it corrects itself');
});

test('a book that says nothing of the status after an end takes nothing back', async (t) => {
  for (const status of ['postponed', 'cancelled', 'ended'] as const) {
    const shard = rig(t);
    say(shard, -40, 'draftkings');
    say(shard, -30, 'fanduel', { status });
    const silent = async (fields: object, minutes: number): Promise<void> => {
      say(shard, minutes, 'fanduel', fields);
      const what = `${status}, then ${JSON.stringify(fields)}`;
      assert.deepEqual([only(shard).live, only(shard).status], [false, status], what);
      assert.ok([...shard.rows().values()].every((row) => row.status === status));
    };
    await silent({}, -29);
    await silent({ is_live: false }, -28);
    await silent({ start_time: at(10) }, -27);
    await silent({ start_time: at(0), external_id: 'f1', game_state: { home_score: 0, away_score: 0 } }, -26);
    await shard.restart();
    await silent({ start_time: at(0) }, 1);
    if (status !== 'postponed') await silent({ is_live: true }, 2);
    assert.deepEqual(only(shard).liveSince ?? {}, {}, 'and nothing closes');
    const state = { league: 'nba', home_team: 'Lakers', away_team: 'Celtics', start_time: at(0), home_score: 2 };
    shard.send(message([], { book: 'fanduel', polled_at: at(3), game_states: [state] }));
    assert.equal(only(shard).status, status);
    say(shard, 4, 'fanduel', status === 'postponed' ? { is_live: true } : { status: 'live' });
    assert.equal(only(shard).status, 'live', 'its own word does');
  }
});

test('the start that a book stated all along is no new one, even if most books state an earlier one', (t) => {
  const shard = rig(t);
  for (const book of ['draftkings', 'betmgm']) say(shard, -60, book);
  say(shard, -59, 'fanduel', { start_time: at(30) });
  say(shard, -50, 'fanduel', { start_time: at(30), status: 'postponed' });
  say(shard, -49, 'fanduel', { start_time: at(30) });
  assert.deepEqual([only(shard).status, only(shard).startMs], ['postponed', START]);
  say(shard, -48, 'fanduel', { start_time: at(90) });
  assert.equal(only(shard).status, 'upcoming');
});

test('a later start of the book that stated an end is its own next word', (t) => {
  for (const status of ['postponed', 'cancelled', 'ended'] as const) {
    const shard = rig(t);
    say(shard, -30, 'fanduel', { status });
    say(shard, -20, 'fanduel', { start_time: at(120) });
    assert.deepEqual([only(shard).status, only(shard).startMs], ['upcoming', START + 120 * MINUTE], status);
    say(shard, -10, 'fanduel', { start_time: at(120) });
    assert.equal(only(shard).status, 'upcoming', 'also when it is repeated');
    say(shard, 0, 'fanduel', { start_time: at(120), status });
    assert.equal(only(shard).status, status, 'and it may be called off again');
    say(shard, 1, 'fanduel', { start_time: at(120) });
    assert.equal(only(shard).status, status);
  }
});

test('a game that one book postponed is on again at the new start that another states', async (t) => {
  const shard = rig(t);
  say(shard, -40, 'draftkings');
  say(shard, -30, 'fanduel', { status: 'postponed' });
  say(shard, -20, 'draftkings', { start_time: at(10) });
  assert.equal(only(shard).status, 'postponed', 'a start within a quarter of an hour is none');
  shard.send(message([], { book: 'fanduel', polled_at: at(-15), scope: 'league', league: 'nba' }));
  assert.equal(only(shard).status, 'postponed', 'nor is taking the prices down a word');
  say(shard, -10, 'draftkings', { start_time: at(300) });
  assert.deepEqual([only(shard).status, only(shard).startMs], ['upcoming', START + 300 * MINUTE]);
  await shard.restart();
  shard.tick(START + MINUTE);
  assert.equal(only(shard).status, 'upcoming');
  shard.tick(START + 300 * MINUTE);
  assert.equal(only(shard).status, 'live');
});

test('a start that was called off makes no event live, until it is told again or moved', async (t) => {
  const shard = rig(t);
  say(shard, -30, 'draftkings');
  say(shard, -20, 'fanduel', { status: 'postponed' });
  say(shard, -10, 'fanduel');
  shard.tick(START);
  assert.deepEqual([only(shard).live, only(shard).status], [false, 'postponed'], 'silence is no word');
  await shard.restart();
  shard.tick(START + MINUTE);
  assert.deepEqual([only(shard).live, only(shard).status], [false, 'postponed'], 'also after a restart');
  say(shard, 2, 'fanduel', { status: 'upcoming' });
  assert.equal(only(shard).live, true, 'it is on after all');
  say(shard, 3, 'fanduel', { status: 'postponed', start_time: at(60) });
  say(shard, 4, 'draftkings', { start_time: at(60) });
  say(shard, 5, 'fanduel', { start_time: at(60) });
  assert.deepEqual([only(shard).live, only(shard).startMs], [false, START + 60 * MINUTE]);
  shard.tick(START + 60 * MINUTE);
  assert.equal(only(shard).live, true, 'at the new one');
});

test('the start that most books state counts, and the newest statement if they tie', (t) => {
  const shard = rig(t);
  const start = (minutes: number) => ({ start_time: at(minutes) });
  say(shard, -120, 'draftkings', start(0));
  say(shard, -119, 'fanduel', start(5));
  assert.equal(only(shard).startMs, START, 'of two that tie the one that stands');
  say(shard, -118, 'betmgm', start(5));
  assert.equal(only(shard).startMs, START + 5 * MINUTE);
  say(shard, -117, 'betmgm', start(10));
  say(shard, -116, 'fanduel', start(15));
  assert.equal(only(shard).startMs, START + 15 * MINUTE, 'three ways: none stands, so the newest');
  for (const row of shard.rows().values()) assert.equal(row.event_start_time, at(15));
});

test('a start that is moved past now makes a live event upcoming again', (t) => {
  const shard = rig(t);
  say(shard, -20, 'draftkings');
  shard.tick(START + MINUTE);
  assert.equal(only(shard).live, true);
  say(shard, 2, 'draftkings', { start_time: at(45) });
  assert.deepEqual(
    [only(shard).live, only(shard).status, only(shard).startMs],
    [false, 'upcoming', START + 45 * MINUTE],
  );
  shard.tick(START + 45 * MINUTE);
  assert.equal(only(shard).live, true);
});

test('a start that passed while the program was down takes effect at the next tick', async (t) => {
  const shard = rig(t);
  say(shard, -20, 'draftkings');
  await shard.restart();
  assert.equal(only(shard).live, false);
  shard.tick(START + MINUTE);
  assert.equal(only(shard).live, true);
});

test('the score furthest in the game counts, its gaps filled by the other books', (t) => {
  const shard = rig(t);
  const state = (game_state: object) => ({ is_live: true, game_state });
  say(shard, 30, 'draftkings', state({ home_score: 50, away_score: 48, period: 'Q2', clock: '1:00' }));
  say(shard, 31, 'fanduel', state({ home_score: 40, away_score: 41, period: '3', possession: 'home' }));
  assert.deepEqual(only(shard).state, {
    home_score: 40,
    away_score: 41,
    score_home: 40,
    score_away: 41,
    period: '3',
    clock: '1:00',
    possession: 'home',
  });
  const game = {
    league: 'nba',
    home_team: 'Lakers',
    away_team: 'Celtics',
    start_time: at(0),
    home_score: 61,
    away_score: 60,
  };
  shard.send(message([], { book: 'betmgm', polled_at: at(32), game_states: [{ ...game, period: 'Q3' }] }));
  assert.equal(only(shard).state!.home_score, 61);
  assert.equal(shard.rows().size, 4, 'a game state says nothing of prices');
});

test('overtime, pauses and the end are later than numbered periods, and a score alone counts if it is higher', (t) => {
  const shard = rig(t);
  const state = (game_state: object) => ({ is_live: true, game_state });
  const shown = () => [only(shard).state!.period, only(shard).state!.home_score];
  say(shard, 30, 'draftkings', state({ home_score: 50, away_score: 48, period: 'Q2', clock: '0:12' }));
  say(shard, 31, 'fanduel', state({ home_score: 50, away_score: 48, period: 'Halftime' }));
  assert.deepEqual(shown(), ['Halftime', 50]);
  say(shard, 60, 'draftkings', state({ home_score: 100, away_score: 100, period: 'Q4', clock: '0:00' }));
  say(shard, 61, 'fanduel', state({ home_score: 100, away_score: 100, period: 'OT' }));
  say(shard, 62, 'draftkings', state({ home_score: 100, away_score: 100, period: 'End of 4th' }));
  assert.deepEqual(shown(), ['OT', 100]);
  say(shard, 63, 'betmgm', state({ home_score: 104, away_score: 100 }));
  assert.deepEqual(shown(), ['OT', 104], 'more points than any period tells of, its gaps filled');
  say(shard, 64, 'draftkings', state({ home_score: 110, away_score: 108, period: '2OT' }));
  say(shard, 70, 'fanduel', state({ home_score: 110, away_score: 109, period: 'Final/2OT' }));
  say(shard, 71, 'draftkings', state({ home_score: 110, away_score: 109, period: '2OT', clock: '0:00' }));
  assert.deepEqual(shown(), ['Final/2OT', 110]);
});

test('a book’s score counts even without prices', (t) => {
  const shard = rig(t);
  say(shard, 30, 'draftkings', { is_live: true });
  const game = { league: 'nba', home_team: 'Lakers', away_team: 'Celtics', start_time: at(0), is_live: true };
  const suspended = { scope: 'league', league: 'nba', polled_at: at(31), game_states: [{ ...game, home_score: 5 }] };
  const { receipt } = shard.send(message([], suspended));
  assert.equal(receipt.removed, 2);
  assert.deepEqual([only(shard).live, only(shard).state], [true, { home_score: 5, score_home: 5 }]);
});

test('a game long over is forgotten, although its book is still polled', (t) => {
  const shard = rig(t);
  say(shard, 30, 'draftkings');
  const poll = (hours: number) => {
    shard.nowMs = START + hours * 60 * MINUTE;
    return shard.send(message([], { scope: 'league', league: 'nba', polled_at: at(hours * 60) }));
  };
  poll(3);
  assert.equal(shard.rows().size, 0);
  for (let hours = 4; hours < 40; hours++) poll(hours);
  assert.equal(shard.table.events.size, 0);
  assert.equal(shard.freshTable().events.size, 0);
});

test('a game long over that a book still lists stays', (t) => {
  const shard = rig(t);
  for (let hours = 1; hours < 60; hours++) say(shard, hours * 60, 'draftkings');
  assert.equal(shard.rows().size, 2);
  say(shard, 61 * 60, 'fanduel', { start_time: at(61 * 60) });
  shard.tick(START + 90 * 60 * MINUTE);
  assert.equal(shard.table.events.size, 1, 'silent for a day: gone with its rows');
  assert.equal(shard.rows().size, 2);
});

test('"not live" stated after the settled start counts until the start that its book states, and no longer', (t) => {
  const shard = rig(t);
  const own = { start_time: at(30) };
  say(shard, -20, 'draftkings');
  say(shard, -19, 'fanduel');
  say(shard, 10, 'betmgm', { ...own, is_live: false });
  assert.deepEqual([only(shard).live, only(shard).startMs], [false, START]);
  shard.tick(START + 30 * MINUTE - 1);
  assert.equal(only(shard).live, false);
  shard.tick(START + 30 * MINUTE);
  assert.equal(only(shard).live, true, 'what was said before the start says nothing of what comes after it');
  say(shard, 31, 'betmgm', { ...own, is_live: false });
  assert.equal(only(shard).live, false, 'said again after it: the game is delayed');
});

test('"not live" after the start is ignored once a score or a clock shows that the game is in play', (t) => {
  const game = { league: 'nba', home_team: 'Lakers', away_team: 'Celtics', start_time: at(0) };
  for (const game_state of [{ home_score: 0, away_score: 0 }, { away_score: 2 }, { clock: '11:40' }]) {
    const shard = rig(t);
    say(shard, -20, 'draftkings');
    say(shard, 2, 'fanduel', { is_live: false });
    assert.equal(only(shard).live, false);
    shard.send(message([], { polled_at: at(3), game_states: [{ ...game, ...game_state }] }));
    assert.equal(only(shard).live, true, JSON.stringify(game_state));
    say(shard, 4, 'fanduel', { is_live: false });
    assert.equal(only(shard).live, true);
  }
  const shard = rig(t);
  say(shard, 2, 'fanduel', { is_live: false, game_state: { period: 'Pregame', last_play: 'none' } });
  assert.equal(only(shard).live, false, 'a state without score and clock says neither');
});

test('a score before the start does not end "not live" before it', (t) => {
  const shard = rig(t);
  say(shard, -20, 'draftkings', { is_live: false, game_state: { home_score: 0, away_score: 0 } });
  assert.equal(only(shard).live, false);
  shard.tick(START);
  assert.equal(only(shard).live, true);
});

test('a future start that one book states survives a restart', async (t) => {
  const shard = rig(t);
  say(shard, -20, 'draftkings');
  say(shard, -19, 'fanduel');
  say(shard, 10, 'betmgm', { start_time: at(30), is_live: false });
  await shard.restart();
  assert.equal(only(shard).live, false);
  shard.tick(START + 30 * MINUTE);
  assert.equal(only(shard).live, true);
});

test('a price is from before the game unless it moved after its start, or by the word that the game is on', (t) => {
  const stale = (shard: Rig): unknown[] =>
    ['home', 'away'].map((side) => shard.row('draftkings', 'moneyline', side)!['is_stale_pregame_price']);
  const told =
    (minutes: number, home: number, fields: object, polled = minutes) =>
    (shard: Rig) => {
      shard.nowMs = START + minutes * MINUTE;
      const polled_at = new Date(START + polled * MINUTE).toISOString();
      shard.send(message([event([moneyline(home, -150)], fields)], { book: 'draftkings', polled_at }));
    };
  const later = { start_time: new Date(START + 60 * MINUTE).toISOString() };
  const now = { start_time: new Date(START).toISOString() };
  for (const [first, then, expected] of [
    [told(-5, 130, now), told(-1, 135, { ...now, is_live: true }), [false, true]],
    // Its start is moved into the past.
    [told(5, 130, later), told(6, 135, now), [false, true]],
    [told(5, 130, later), told(6, 130, now), [true, true]],
    // It arrives after the start, and was seen before it.
    [told(-5, 130, now), told(0.1, 135, now, -0.1), [true, true]],
    [told(-5, 130, now), told(0.2, 135, now, 0.1), [false, true]],
  ] as const) {
    const shard = rig(t);
    first(shard);
    then(shard);
    assert.deepEqual(stale(shard), expected);
  }
});
