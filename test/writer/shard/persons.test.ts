// Games between persons whose names each book spells in its own way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, message, moneyline } from '../../intake/ingest/messages.js';
import { rig } from './rig.js';

const START = '2026-07-01T15:00:00Z';
const match = (home_team: string, away_team: string, start_time = START) =>
  event([moneyline(-110, 100)], { league: 'atp', home_team, away_team, start_time });
const poll = (book: string, second: number, ...events: ReturnType<typeof match>[]) =>
  message(events, { book, polled_at: `2026-07-01T12:00:0${second}Z` });

test('books that spell players in other ways speak of one game, also with the sides swapped', (t) => {
  const shard = rig(t, '2026-07-01T12:00:00Z');
  shard.send(poll('pinnacle', 0, match('Alexander Zverev', 'Félix Auger-Aliassime')));
  shard.send(poll('bet365', 1, match('Zverev A.', 'Auger Aliassime F.')));
  shard.send(poll('unibet', 2, match('Auger-Aliassime, Felix', 'Zverev, Alexander', '2026-07-01T16:00:00Z')));
  assert.deepEqual(shard.eventIds(), ['atp_alexander-zverev_felix-auger-aliassime_2026-07-01']);
});

test('another person, two games that fit, and a start that is far are games of their own', (t) => {
  const shard = rig(t, '2026-07-01T12:00:00Z');
  shard.send(poll('pinnacle', 0, match('Alexander Zverev', 'Jan Choinski')));
  shard.send(poll('bet365', 1, match('Zverev M.', 'Choinski J.')));
  shard.send(poll('unibet', 2, match('Zverev A.', 'Choinski J.', '2026-07-01T23:00:00Z')));
  assert.equal(shard.eventIds().length, 3);
  const twins = rig(t, '2026-07-01T12:00:00Z');
  twins.send(poll('pinnacle', 0, match('Karolina Pliskova', 'Ana Konjuh'), match('Kristyna Pliskova', 'Ana Konjuh')));
  twins.send(poll('bet365', 1, match('Pliskova K.', 'Konjuh A.')));
  assert.equal(twins.eventIds().length, 3);
});
