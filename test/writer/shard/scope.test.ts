// What a message removes (its scope), what it repeats, and what arrives too late.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, market, message, moneyline, selection, spread, total } from '../../intake/ingest/messages.js';
import { rig } from './rig.js';

const KNICKS = { home_team: 'New York Knicks', away_team: 'Miami Heat', start_time: '2026-11-21T00:00:00Z' };
const at = (seconds: number): string => new Date(Date.parse('2026-11-20T18:00:00Z') + seconds * 1000).toISOString();

test('scope event removes the book’s prices that are no longer listed for the listed events, and nothing else', (t) => {
  const shard = rig(t);
  shard.send(message([event([moneyline(-110, 100), total(220.5, -110, -110)]), event([moneyline(120, -140)], KNICKS)]));
  shard.send(message([event([moneyline(-110, 100)])], { book: 'fanduel' }));
  assert.equal(shard.rows().size, 8);
  const { receipt, applied } = shard.send(message([event([moneyline(-110, 100)])], { polled_at: at(1) }));
  assert.deepEqual(receipt, { accepted: 2, changed: 0, removed: 2, stale: 0, rejected: [] });
  assert.equal(applied!.books.flatMap((book) => book.removed).length, 2);
  assert.equal(shard.rows().size, 6);
  assert.equal(shard.row('draftkings', 'total_points', 'over'), undefined);
  const none = shard.send(message([event([])], { polled_at: at(2) }));
  assert.equal(none.receipt.removed, 2);
  assert.deepEqual([...shard.rows().values()].map((row) => row.sportsbook).sort(), [
    'draftkings',
    'draftkings',
    'fanduel',
    'fanduel',
  ]);
});

test('scope league also removes the events the book no longer lists, in that league and at that book', (t) => {
  const shard = rig(t);
  const wnba = { league: 'wnba', home_team: 'Aces', away_team: 'Liberty' };
  shard.send(
    message([
      event([moneyline(-110, 100)]),
      event([moneyline(120, -140)], KNICKS),
      event([moneyline(-105, -105)], wnba),
    ]),
    message([event([moneyline(-110, 100)])], { book: 'fanduel' }),
  );
  const league = { scope: 'league', league: 'nba' };
  const { receipt } = shard.send(message([event([moneyline(120, -140)], KNICKS)], { ...league, polled_at: at(1) }));
  assert.equal(receipt.removed, 2);
  assert.equal(shard.rows().size, 6);
  const empty = shard.send(message([], { ...league, polled_at: at(2) }));
  assert.equal(empty.receipt.removed, 2);
  assert.deepEqual([...shard.rows().values()].map((row) => `${row.sportsbook} ${row['league']}`).sort(), [
    'draftkings wnba',
    'draftkings wnba',
    'fanduel nba',
    'fanduel nba',
  ]);
});

test('scope none only adds and changes', (t) => {
  const shard = rig(t);
  shard.send(message([event([moneyline(-110, 100), total(220.5, -110, -110)])]));
  const { receipt } = shard.send(message([event([moneyline(-120, 110)])], { scope: 'none', polled_at: at(1) }));
  assert.deepEqual([receipt.changed, receipt.removed], [2, 0]);
  assert.equal(shard.rows().size, 4);
  assert.equal(shard.row('draftkings', 'total_points', 'over')!.last_seen_at, '2026-11-20T18:00:00.000Z');
});

test('a removed selection takes its own row away, in any scope, needs no price, and can come back', (t) => {
  const shard = rig(t);
  const alternate = selection({ selection: 'Over', selection_type: 'over', line: 230.5, is_alternate_line: true });
  const { odds_american: _, ...named } = alternate;
  const totals = (...selections: object[]) => market(selections, { market_type: 'total_points' });
  shard.send(message([event([spread(-3.5, -110, -110), total(220.5, -110, -110), totals(alternate)])]));
  const home = { selection: 'Lakers', selection_type: 'home', is_removed: true };
  const gone = [
    totals({ ...named, is_removed: true }),
    market([{ ...home, line: -2.5 }], { market_type: 'point_spread' }),
  ];
  const { receipt, applied } = shard.send(message([event(gone)], { scope: 'none', polled_at: at(1) }));
  assert.deepEqual(receipt, { accepted: 0, changed: 0, removed: 2, stale: 0, rejected: [] });
  assert.equal(applied!.books.flatMap((book) => book.removed).length, 2);
  assert.equal(shard.rows().size, 3);
  assert.equal(shard.row('draftkings', 'point_spread', 'home'), undefined);
  // What is gone already is taken back once; of a game that nobody has nothing is.
  const again = shard.send(message([event(gone), event(gone, KNICKS)], { scope: 'none', polled_at: at(2) }));
  assert.deepEqual(again.receipt, { accepted: 0, changed: 0, removed: 0, stale: 0, rejected: [] });
  assert.equal(shard.eventIds().length, 1);
  const back = shard.send(message([event([totals(alternate)])], { scope: 'none', polled_at: at(3) }));
  assert.deepEqual([back.receipt.changed, shard.rows().size], [1, 4]);
  // Its line is the one that was, beside the other side's new one.
  const moved = [{ ...home, line: -3.5 }, selection({ selection: 'Celtics', selection_type: 'away', line: 4.5 })];
  const one = message([event([market(moved, { market_type: 'point_spread' })])], { scope: 'event', polled_at: at(4) });
  assert.deepEqual(shard.send(one).receipt, { accepted: 1, changed: 1, removed: 3, stale: 0, rejected: [] });
});

test('a main line is removed by its side alone, whichever it is, and alternate lines stay', (t) => {
  const shard = rig(t);
  const over = { selection: 'Over', selection_type: 'over' };
  const totals = (...selections: object[]) => market(selections, { market_type: 'total_points' });
  const other = totals(selection({ ...over, line: 230.5, is_alternate_line: true }));
  const gone = message([event([totals({ ...over, is_removed: true })])], { scope: 'none', polled_at: at(1) });
  shard.send(message([event([total(220.5, -110, -110), other])]));
  assert.deepEqual(shard.send(gone).receipt, { accepted: 0, changed: 0, removed: 1, stale: 0, rejected: [] });
  assert.equal(shard.row('draftkings', 'total_points', 'over')!.line, 230.5);
  // A contract venue's whole strike is a market of its own.
  shard.send(message([event([total(220, -110, -110)])], { book: 'kalshi' }));
  assert.equal(shard.send({ ...gone, book: 'kalshi' }).receipt.removed, 1);
  const unnamed = totals({ ...over, is_alternate_line: true, is_removed: true });
  const { rejected } = shard.send(message([event([unnamed])], { scope: 'none', polled_at: at(2) })).receipt;
  assert.deepEqual(rejected, [
    { path: 'events[0].markets[0].selections[0].line', reason: 'total_points needs a line' },
  ]);
});

test('a message sent again changes nothing but last_seen_at', (t) => {
  const shard = rig(t);
  const state = { home_score: 10, away_score: 8, period: 'Q1', is_timeout: false };
  const one = message([
    event([moneyline(-110, 100), spread(-3.5, -110, -110), total(220.5, -110, -110)], {
      is_live: true,
      external_id: 'dk-1',
      game_state: state,
    }),
  ]);
  shard.send(one);
  const before = shard.rows();
  shard.nowMs += 5_000;
  const again = shard.send(one);
  assert.deepEqual(again.receipt, { accepted: 6, changed: 0, removed: 0, stale: 0, rejected: [] });
  assert.deepEqual(shard.rows(), before);
  assert.deepEqual(again.applied?.events ?? [], []);
  assert.deepEqual(shard.table.recency.since(shard.position - 1), []);
  const later = shard.send({ ...one, polled_at: at(7) });
  assert.deepEqual(later.applied!.events, []);
  for (const book of later.applied!.books)
    assert.deepEqual([book.updated, book.restated, book.added, book.removed], [[], [], [], []]);
  for (const row of shard.rows().values())
    assert.deepEqual(row, {
      ...before.get(row.id)!,
      last_seen_at: '2026-11-20T18:00:07.000Z',
      timestamp: '2026-11-20T18:00:07.000Z',
    });
});

test('a message older than what is stored for the book and event changes nothing and is counted', (t) => {
  const shard = rig(t);
  shard.send(message([event([moneyline(-110, 100)])], { polled_at: at(10) }));
  const before = shard.rows();
  const { receipt } = shard.send(
    message([event([moneyline(-200, 170), total(220.5, -110, -110)], { is_live: true })], { polled_at: at(9.999) }),
  );
  assert.deepEqual(receipt, { accepted: 0, changed: 0, removed: 0, stale: 1, rejected: [] });
  assert.deepEqual(shard.rows(), before);
  const other = shard.send(message([event([moneyline(-200, 170)])], { book: 'fanduel', polled_at: at(1) }));
  assert.equal(other.receipt.accepted, 2, 'another book has a time of its own');
});

test('after a poll of the whole league nothing older than it brings anything back, not even a new event', async (t) => {
  const shard = rig(t);
  const league = { scope: 'league', league: 'nba' };
  shard.send(message([event([moneyline(-110, 100)])], { ...league, polled_at: at(5) }));
  shard.send(message([], { ...league, polled_at: at(10) }));
  assert.equal(shard.rows().size, 0);
  const late = [
    message([event([moneyline(-110, 100)]), event([moneyline(120, -140)], KNICKS)], { ...league, polled_at: at(9) }),
    message([event([moneyline(-110, 100)]), event([moneyline(120, -140)], KNICKS)], { polled_at: at(8) }),
  ];
  for (const after of ['at once', 'after a restart']) {
    const { receipt } = shard.send(...late);
    assert.deepEqual([receipt.stale, receipt.accepted], [4, 0], after);
    assert.equal(shard.rows().size, 0);
    assert.equal(shard.eventIds().length, 1, 'a late message must not make an event');
    await shard.restart();
  }
  const older = shard.send(message([], { ...league, polled_at: at(7) }));
  assert.equal(older.receipt.removed, 0);
  shard.send(message([event([moneyline(-110, 100)])], { ...league, polled_at: at(11) }));
  assert.equal(shard.rows().size, 2);
});

test('a league poll that found nothing at all is remembered over a restart', async (t) => {
  const shard = rig(t);
  shard.send(message([], { scope: 'league', league: 'nba', polled_at: at(10) }));
  await shard.restart();
  const { receipt } = shard.send(message([event([moneyline(-110, 100)])], { polled_at: at(9) }));
  assert.deepEqual([receipt.stale, receipt.accepted], [1, 0]);
});

test('a row that is removed and returns within one batch keeps its id and is not reported as removed', (t) => {
  const shard = rig(t);
  shard.send(message([event([moneyline(-110, 100), total(220.5, -110, -110)])]));
  const before = shard.row('draftkings', 'total_points', 'over')!;
  const { applied } = shard.send(
    message([event([moneyline(-110, 100)])], { polled_at: at(1) }),
    message([event([moneyline(-110, 100), total(221.5, -105, -115)])], { polled_at: at(2) }),
  );
  assert.deepEqual(
    applied!.books.flatMap((book) => [...book.removed, ...book.added]),
    [],
  );
  const after = shard.row('draftkings', 'total_points', 'over')!;
  assert.equal(after.id, before.id);
  assert.equal(after.line, 221.5);
  assert.deepEqual(shard.table.tombstones.since(0), []);
});

test('a row that is added and removed within one batch is not reported', (t) => {
  const shard = rig(t);
  shard.send(message([event([moneyline(-110, 100)])]));
  const { applied } = shard.send(
    message([event([moneyline(-110, 100), total(220.5, -110, -110)])], { polled_at: at(1) }),
    message([event([moneyline(-110, 100)])], { polled_at: at(2) }),
  );
  assert.deepEqual(
    applied!.books.flatMap((book) => [...book.removed, ...book.added]),
    [],
  );
  assert.equal(shard.rows().size, 2);
  assert.deepEqual(shard.table.tombstones.since(0), []);
});

test('a repeated selection is rejected, the first one is accepted', (t) => {
  const shard = rig(t);
  const { receipt } = shard.send(message([event([moneyline(-110, 100), moneyline(-150, 130)])]));
  assert.equal(receipt.accepted, 2);
  assert.match(receipt.rejected[0]!.reason, /the same selection twice/);
  assert.equal(shard.row('draftkings', 'moneyline', 'home')!.odds_american, -110);
  const many = Array.from({ length: 5_000 }, () => moneyline(-110, 100));
  const flood = shard.send(message([event(many)], { polled_at: at(1) }));
  assert.equal(flood.receipt.rejected.length, 1_001);
});

test('links follow the ids a book gives its selections and events', (t) => {
  const shard = rig(t);
  const sent = (event_id: string, selection_id: string, seconds: number) =>
    message(
      [
        event([{ market_type: 'moneyline', selections: [selection({ external_id: selection_id })] }], {
          external_id: event_id,
        }),
      ],
      { polled_at: at(seconds) },
    );
  const linkAfter = (...args: Parameters<typeof sent>): unknown => {
    shard.send(sent(...args));
    const link = shard.row('draftkings', 'moneyline', 'home')!['deep_link'];
    assert.deepEqual(shard.freshTable().rowCount, 1);
    return link;
  };
  const links = [linkAfter('e1', 's1', 0), linkAfter('e1', 's2', 1), linkAfter('e2', 's2', 2)];
  assert.match(String(links[0]), /s1/);
  assert.match(String(links[1]), /s2/);
  assert.ok(links.every((link) => link !== null));
});

/** What a list can be written as by mistake. */
const NO_LISTS = [{}, 'x', 5, true, [5], [null], ['x', []]];

test('a list that cannot be read says nothing: what it is a list of stays', (t) => {
  const shard = rig(t);
  const league = { scope: 'league', league: 'nba' };
  const all = message([event([moneyline(-110, 100), total(220.5, -110, -110)]), event([moneyline(120, -140)], KNICKS)]);
  shard.send(all);
  const before = [...shard.rows().keys()];
  let seconds = 0;
  const stays = (raw: unknown, fields: object, what: string): void => {
    const { receipt } = shard.send({ ...(raw as object), polled_at: at(++seconds), ...fields });
    assert.deepEqual([receipt.removed, receipt.stale], [0, 0], what);
    assert.deepEqual([...shard.rows().keys()], before, what);
    assert.ok(receipt.rejected.length > 0, what);
  };
  const state = { game_states: [{ ...event([]), markets: undefined, home_score: 1, away_score: 2 }] };
  for (const list of [...NO_LISTS, [{}]]) {
    const what = JSON.stringify(list);
    const market = { market_type: 'moneyline', selections: list };
    for (const scope of [league, { scope: 'event' }]) {
      stays({ ...all, events: list }, scope, what);
      stays({ ...all, ...state, events: list }, scope, `${what} beside a game state`);
      stays(message([event([], { markets: list }), all.events![1]]), scope, `markets ${what}`);
      if (what !== '[{}]') stays(message([event([market]), all.events![1]]), scope, `selections ${what}`);
    }
  }
  stays(message([5, all.events![1]]), league, 'one that is no object beside others');
  stays(message([event([moneyline(-110, 100), 5]), all.events![1]]), league, 'a market that is no object');
  const half = market([selection({ selection: 'Lakers' }), 5]);
  stays(message([event([half]), all.events![1]]), league, 'a selection that is no object');
  shard.send(message([], { ...league, polled_at: at(++seconds) }));
  assert.equal(shard.rows().size, 0, 'an empty list is one');
});

test('only a list that is stated can be empty', (t) => {
  const shard = rig(t);
  shard.send(message([event([moneyline(-110, 100)])]));
  const { markets: _none, ...unlisted } = event([]);
  const league = { scope: 'league', league: 'nba' };
  const state = { ...unlisted, home_score: 1, away_score: 2 };
  const silent = [
    { ...message([]), ...league, events: undefined, game_states: [state], polled_at: at(1) },
    { ...message([]), ...league, events: null, results: [], polled_at: at(2) },
    message([unlisted], { ...league, polled_at: at(3) }),
  ];
  for (const raw of silent) assert.deepEqual(shard.send(raw).receipt.removed, 0, JSON.stringify(raw));
  assert.equal(shard.rows().size, 2);
  assert.equal(shard.send(message([event([])], { ...league, polled_at: at(4) })).receipt.removed, 2);
});
