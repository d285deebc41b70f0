// A game that is over or called off by a source of results or a venue's settlement, whatever its books go on offering.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TableEvent } from '../../../src/tables/events.js';
import { event, message, moneyline } from '../../intake/ingest/messages.js';
import { type Rig, rig } from './rig.js';

const START = Date.parse('2026-11-20T20:00:00Z');
const MINUTE = 60_000;
const at = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString();

/** Two books whose prices make an arbitrage. */
function offer(shard: Rig, minutes: number, fields: object = {}): void {
  shard.nowMs = Math.max(shard.nowMs, START + minutes * MINUTE);
  const step = Math.round(minutes) % 7;
  const send = (book: string, home: number, away: number): void => {
    shard.send(message([event([moneyline(home, away)], fields)], { book, polled_at: at(minutes) }));
  };
  send('draftkings', 130 + step, -160);
  send('fanduel', -160, 130 + step);
}

function tell(shard: Rig, minutes: number, fields: object, source = 'league'): void {
  shard.nowMs = Math.max(shard.nowMs, START + minutes * MINUTE);
  const result = { event_id: only(shard).id, at: at(minutes), ...fields };
  const { receipt } = shard.send({ source, polled_at: at(minutes), results: [result] });
  assert.deepEqual(receipt.rejected, []);
}

function settle(shard: Rig, minutes: number, fields: object): void {
  shard.nowMs = Math.max(shard.nowMs, START + minutes * MINUTE);
  const settlement = { event_id: only(shard).id, ...fields };
  shard.send({ sportsbook: 'kalshi', polled_at: at(minutes), settlements: [settlement] });
}

function only(shard: Rig): TableEvent {
  const events = shard.table.events.ordered();
  assert.equal(events.length, 1);
  return events[0]!;
}

/** Opportunities that stand. */
function openOf({ writer: { opportunities } }: Rig): number {
  return [...opportunities.universes()].reduce((sum, key) => sum + [...opportunities.of(key)].length, 0);
}

test('a final word of any source ends the game for good, also over a restart, and whatever books go on offering', async (t) => {
  const shard = rig(t);
  offer(shard, 90, { is_live: true });
  assert.ok(openOf(shard) > 0);
  tell(shard, 95, { status: 'live', home_score: 80, away_score: 70 });
  assert.equal(only(shard).status, 'live');
  tell(shard, 150, { status: 'final', home_score: 110, away_score: 104 }, 'another');
  assert.deepEqual([only(shard).status, only(shard).live], ['ended', false]);
  assert.ok([...shard.rows().values()].every((row) => row.status === 'ended' && !row.is_live));
  assert.equal(openOf(shard), 0);
  offer(shard, 151, { is_live: true });
  assert.equal(only(shard).status, 'ended');
  await shard.restart();
  offer(shard, 152, { is_live: true, status: 'live' });
  assert.equal(only(shard).status, 'ended');
  assert.equal(openOf(shard), 0);
});

test('a game that a book ended, called off or postponed is in no opportunity, also when it lists it without a status', (t) => {
  for (const status of ['ended', 'cancelled', 'postponed'] as const) {
    const shard = rig(t);
    offer(shard, -60);
    assert.ok(openOf(shard) > 0);
    const say = (minutes: number, fields: object) =>
      shard.send(message([event([moneyline(130, -160)], fields)], { book: 'draftkings', polled_at: at(minutes) }));
    say(-59, { status });
    assert.equal(openOf(shard), 0);
    say(-58, {});
    assert.deepEqual([only(shard).status, openOf(shard)], [status, 0]);
    offer(shard, -57);
    assert.deepEqual([only(shard).status, openOf(shard)], [status, 0]);
  }
});

test('when books went in play stays over a restart, also where one has postponed a game that is over', async (t) => {
  const shard = rig(t);
  offer(shard, 90, { is_live: true });
  tell(shard, 150, { status: 'final', home_score: 110, away_score: 104 });
  const { liveSince } = only(shard);
  assert.deepEqual(Object.keys(liveSince ?? {}), ['draftkings', 'fanduel']);
  const postpone = (minutes: number, home: number): void => {
    const fields = { status: 'postponed', game_state: { home_score: home, away_score: 104 } };
    shard.nowMs = START + minutes * MINUTE;
    shard.send(message([event([moneyline(130, -160)], fields)], { book: 'fanduel', polled_at: at(minutes) }));
  };
  postpone(151, 110);
  assert.deepEqual([only(shard).status, only(shard).liveSince], ['ended', liveSince]);
  await shard.restart();
  postpone(152, 111);
  assert.deepEqual([only(shard).status, only(shard).liveSince], ['ended', liveSince]);
});

test('an abandoned game has ended, a cancelled one is cancelled', (t) => {
  const shard = rig(t);
  offer(shard, -30);
  tell(shard, -20, { status: 'cancelled' });
  assert.equal(only(shard).status, 'cancelled');
  tell(shard, 20, { status: 'abandoned', home_score: 3, away_score: 9 }, 'another');
  assert.equal(only(shard).status, 'ended');
});

test('a venue that settles a market of the whole game ends it; of a part, a player or a passed line it does not', async (t) => {
  const shard = rig(t);
  offer(shard, 60, { is_live: true });
  settle(shard, 61, { market_type: 'moneyline_1st_half', selection_type: 'home', outcome: 'won' });
  settle(shard, 61, {
    market_type: 'player_points',
    selection_type: 'over',
    player_name: 'A B',
    line: 9.5,
    outcome: 'won',
  });
  settle(shard, 61, { market_type: 'total_points', selection_type: 'over', line: 150.5, outcome: 'won' });
  assert.equal(only(shard).status, 'live');
  settle(shard, 150, { market_type: 'moneyline', selection_type: 'home', outcome: 'won' });
  assert.equal(only(shard).status, 'ended');
  await shard.restart();
  offer(shard, 151, { is_live: true });
  assert.equal(only(shard).status, 'ended');
});

test('a settled winner of a soccer game ends it, too', (t) => {
  const shard = rig(t);
  shard.nowMs = START + 60 * MINUTE;
  const soccer = { league: 'epl', home_team: 'Arsenal', away_team: 'Everton', start_time: at(0) };
  const polled_at = at(60);
  shard.send(message([{ ...event([moneyline(110, 120)]), ...soccer }], { polled_at }));
  settle(shard, 61, { market_type: 'moneyline_1st_half', selection_type: 'home', outcome: 'won' });
  assert.equal(only(shard).status, 'live');
  settle(shard, 120, { market_type: 'moneyline', selection_type: 'draw', outcome: 'won' });
  assert.equal(only(shard).status, 'ended');
});

test('what is postponed by a source of results is on again at a new start only, and has closed nothing', async (t) => {
  const shard = rig(t);
  offer(shard, -60);
  tell(shard, -30, { status: 'postponed' });
  assert.equal(only(shard).status, 'postponed');
  assert.equal(openOf(shard), 0);
  for (const minutes of [-20, 5, 30]) {
    offer(shard, minutes, { is_live: minutes > 0, status: minutes > 0 ? 'live' : 'upcoming' });
    assert.equal(only(shard).status, 'postponed', 'its books go on as if nothing had happened');
    assert.deepEqual(only(shard).liveSince ?? {}, {}, 'nothing closes');
    assert.equal(only(shard).calledOffMs, START);
  }
  await shard.restart();
  shard.tick(START + 40 * MINUTE);
  assert.equal(only(shard).status, 'postponed');
  offer(shard, 50, { start_time: at(5) });
  assert.equal(only(shard).status, 'postponed', 'that is no new start');
  shard.send(message([event([moneyline(110, -130)], { start_time: at(180) })], { book: 'betmgm', polled_at: at(60) }));
  assert.deepEqual([only(shard).status, only(shard).startMs], ['upcoming', START + 180 * MINUTE]);
  tell(shard, 70, { status: 'postponed' });
  assert.equal(only(shard).status, 'upcoming', 'said again it calls nothing else off');
  await shard.restart();
  shard.tick(START + 80 * MINUTE);
  assert.equal(only(shard).status, 'upcoming');
  shard.tick(START + 180 * MINUTE);
  assert.equal(only(shard).status, 'live');
});

test('a later start that a book stated all along is no new one once a source of results has postponed the game', async (t) => {
  const shard = rig(t);
  const say = (minutes: number, book: string, start: number): void => {
    shard.nowMs = START + minutes * MINUTE;
    const game = event([moneyline(110, -130)], { start_time: at(start) });
    shard.send(message([game], { book, polled_at: at(minutes) }));
  };
  const poll = (minutes: number): void => {
    for (const book of ['draftkings', 'fanduel']) say(minutes, book, 0);
    say(minutes, 'betmgm', 30);
  };
  poll(-60);
  tell(shard, -30, { status: 'postponed' });
  for (const minutes of [-20, 40]) {
    poll(minutes);
    assert.deepEqual([only(shard).status, only(shard).startMs], ['postponed', START]);
    await shard.restart();
  }
  // The others take it down.
  for (const book of ['draftkings', 'fanduel'])
    shard.send(message([], { book, scope: 'league', league: 'nba', polled_at: at(41) }));
  say(42, 'betmgm', 30);
  assert.equal(only(shard).status, 'postponed');
  say(43, 'fanduel', 180);
  say(44, 'betmgm', 30);
  assert.deepEqual([only(shard).status, only(shard).startMs], ['upcoming', START + 180 * MINUTE]);
  await shard.restart();
  say(45, 'betmgm', 180);
  assert.deepEqual([only(shard).status, only(shard).startMs], ['upcoming', START + 180 * MINUTE]);
});

test('who called a game off may say that it is on', (t) => {
  const shard = rig(t);
  offer(shard, -60);
  tell(shard, -30, { status: 'postponed' });
  tell(shard, 10, { status: 'live', home_score: 0, away_score: 0 });
  assert.equal(only(shard).status, 'live');
});

test('a game whose result is older than history is over as long as a book lists it', (t) => {
  const shard = rig(t);
  offer(shard, 90, { is_live: true });
  tell(shard, 150, { status: 'final', home_score: 110, away_score: 104 });
  for (let day = 1; day < 12; day++) offer(shard, 24 * 60 * day, { is_live: true });
  assert.equal(only(shard).status, 'ended');
});

test('a venue that takes back the settlement that ended a game lets it go on, before a restart as after it', async (t) => {
  const shard = rig(t);
  offer(shard, 60, { is_live: true });
  const over = { market_type: 'total_points', selection_type: 'over', line: 150.5 };
  settle(shard, 61, { ...over, outcome: 'lost' });
  assert.equal(only(shard).status, 'ended');
  settle(shard, 62, { ...over, outcome: 'won' });
  offer(shard, 63, { is_live: true });
  assert.equal(only(shard).status, 'live');
  await shard.restart();
  offer(shard, 64, { is_live: true });
  assert.equal(only(shard).status, 'live');
  settle(shard, 150, { market_type: 'moneyline', selection_type: 'home', outcome: 'won' });
  settle(shard, 151, { ...over, outcome: 'lost' });
  settle(shard, 152, { ...over, outcome: 'won' });
  assert.equal(only(shard).status, 'ended', 'another one still says that it is over');
});

test('where the log is followed a settlement that is taken back lets its game go on, too', (t) => {
  const [writer, standby] = [rig(t), rig(t)];
  const say = (minutes: number, part: object): object => {
    for (const each of [writer, standby]) each.nowMs = START + minutes * MINUTE;
    return { polled_at: at(minutes), ...part };
  };
  const offered = { book: 'draftkings', scope: 'event', events: [event([moneyline(130, -160)], { is_live: true })] };
  standby.fold(writer.send(say(60, offered)).delta);
  const over = { event_id: only(writer).id, market_type: 'total_points', selection_type: 'over', line: 150.5 };
  for (const outcome of ['lost', 'won'])
    standby.fold(writer.send(say(61, { sportsbook: 'kalshi', settlements: [{ ...over, outcome }] })).delta);
  for (const each of [writer, standby]) {
    each.send(say(62, offered));
    assert.equal(only(each).status, 'live');
  }
});
