// An object that a feed passes twice is read again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rejection } from '../../../src/base/model/normal-message.js';
import { RecentMarkets } from '../../../src/cli/backtest/timeline.js';
import { normalise } from '../../../src/intake/ingest/normalise.js';
import { event, latest, market, message, moneyline, selection } from '../../intake/ingest/messages.js';
import { catalogue } from '../../writer/shard/rig.js';

const memory = new RecentMarkets();
const context = { catalogue, clock: latest, leagueOfEvent: () => ({ league: 'nba', sport: 'basketball' }), memory };

function read(raw: unknown) {
  const rejected: Rejection[] = [];
  return { normal: normalise(raw, '', context, rejected)!, rejected };
}

test('a cached quote is found again at another place of a message, and with that place’s path', () => {
  const game = event([moneyline(-110, -110)]);
  const first = read(message([game])).normal.events[0]!;
  assert.equal(read(message([game])).normal.events[0], first);
  const other = event([moneyline(-120, 100)], { home_team: 'Chicago Bulls' });
  const moved = read(message([other, game])).normal.events[1]!;
  assert.deepEqual(moved, { ...first, path: 'events[1]' });
  assert.equal(moved.markets, first.markets);
});

test('a rejected quote is rejected every time', () => {
  const game = event([market([selection(), selection({ selection_type: 'away', odds_american: 50 })])]);
  assert.equal(read(message([game])).rejected.length, 1);
  assert.equal(read(message([game])).rejected.length, 1);
});

test('selections of different markets are not confused', () => {
  const selections = [selection(), selection({ selection: 'Celtics', selection_type: 'away' })];
  const quotesOf = (type: string) => read(message([event([market(selections, { market_type: type })])]));
  assert.equal(quotesOf('moneyline').rejected.length, 0);
  assert.equal(quotesOf('point_spread').rejected.length, 2);
});

test('an event named by its id is looked up every time', () => {
  const game = event([moneyline(-110, -110)], { event_id: 'nba_lakers_celtics_2026-11-20' });
  assert.equal(read(message([game])).normal.events.length, 1);
  const rejected: Rejection[] = [];
  normalise(message([game]), '', { ...context, leagueOfEvent: () => undefined }, rejected);
  assert.deepEqual(rejected, [{ path: 'events[0].event_id', reason: 'unknown event' }]);
});

test('a quote that two polls did not contain is removed from the cache', () => {
  const game = event([moneyline(-110, -110)]);
  const first = read(message([game])).normal.events[0];
  memory.turn();
  assert.equal(read(message([game])).normal.events[0], first);
  memory.turn();
  memory.turn();
  assert.notEqual(read(message([game])).normal.events[0], first);
});

test('a game of the same teams at another time, or in another league, is parsed again', () => {
  const at = (fields: object) => read(message([event([moneyline(-110, -110)], fields)])).normal.events[0]!;
  assert.equal(at({ start_time: '2026-11-20T20:00:00Z' }).startMs, Date.parse('2026-11-20T20:00:00Z'));
  assert.equal(at({ start_time: '2026-11-20T21:00:00Z' }).startMs, Date.parse('2026-11-20T21:00:00Z'));
  assert.equal(at({ league: 'ncaab' }).league, 'ncaab');
  assert.equal(at({ away_team: 'Chicago Bulls' }).away, 'Chicago Bulls');
});
