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
  const told = rig(t, '2026-07-01T12:00:00Z');
  told.send(poll('pinnacle', 0, match('Karolina Pliskova', 'Ana Konjuh'), match('Kristyna Pliskova', 'Ana Konjuh')));
  told.send(poll('unibet', 1, match('Pliskova Kr.', 'Konjuh A.'), match('Pliskova Ka.', 'Konjuh An.')));
  assert.equal(told.eventIds().length, 2);
});

test('a rematch is one game too, whichever spelling the first had', (t) => {
  const shard = rig(t, '2026-07-01T12:00:00Z');
  const listed = (name: 'short' | 'long', start: string) =>
    name === 'short' ? match('Machac T.', 'Lehecka J.', start) : match('Tomas Machac', 'Jiri Lehecka', start);
  shard.send(poll('fanduel', 0, listed('short', START)));
  shard.send(poll('draftkings', 1, listed('long', START)));
  assert.deepEqual(shard.eventIds(), ['atp_machac-t_lehecka-j_2026-07-01']);
  const next = '2026-07-02T15:00:00Z';
  shard.send(poll('draftkings', 2, listed('long', next)));
  shard.send(poll('fanduel', 3, listed('short', START), listed('short', next)));
  assert.deepEqual(shard.eventIds().length, 2);
  const ofDay = (day: string) =>
    [...shard.rows().values()].filter((row) => row.event_start_time.startsWith(day)).map((row) => row.sportsbook);
  assert.deepEqual([...new Set(ofDay('2026-07-02'))].sort(), ['draftkings', 'fanduel']);
  // Further games of a day: which one it is, is told by its start.
  const third = '2026-07-02T18:00:00Z';
  shard.send(poll('draftkings', 4, listed('long', next), listed('long', third)));
  shard.send(poll('fanduel', 5, listed('short', next), listed('short', third)));
  assert.equal(shard.eventIds().length, 3);
});

test('a book that moves a game whose persons it spells otherwise stays with it', (t) => {
  const shard = rig(t, '2026-07-01T12:00:00Z');
  shard.send(poll('pinnacle', 0, match('Tomas Machac', 'Jiri Lehecka')));
  shard.send(poll('bet365', 1, match('Lehecka J.', 'Machac T.')));
  shard.send(poll('bet365', 2, match('Lehecka J.', 'Machac T.', '2026-07-02T01:00:00Z')));
  assert.equal(shard.eventIds().length, 1);
});
