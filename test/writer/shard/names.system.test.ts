// Names of types, books, teams, players and selections: counted before anything is committed, refused with the reason
// beyond the bounds, and given back once nothing uses them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../../src/base/model/limits.js';
import { DAY_MS } from '../../../src/base/model/time.js';
import { UsedNames } from '../../../src/writer/shard/shard-state.js';
import { event, message, moneyline } from '../../intake/ingest/messages.js';
import { catalogue, type Rig, rig, rowsOf } from './rig.js';

const at = (seconds: number): string => new Date(Date.parse('2026-11-20T18:00:00Z') + seconds * 1000).toISOString();
const typed = (name: string) => ({
  market_type: name,
  selections: [{ selection: 'Yes', selection_type: 'yes', odds_american: 120 }],
});
const types = (count: number, prefix: string) => Array.from({ length: count }, (_, i) => typed(`${prefix}_${i}`));

function agrees(shard: Rig): void {
  assert.deepEqual([...rowsOf(shard.freshTable())].sort(), [...rowsOf(shard.table)].sort());
}

test('types beyond the bound are refused with the reason, those of the catalogue never, and others once some are given back', async (t) => {
  const shard = rig(t);
  const max = LIMITS.unlistedTypes.max;
  const first = shard.send(message([event(types(max + 3, 'strange'))]));
  assert.equal(first.receipt.accepted, max);
  assert.deepEqual(
    first.receipt.rejected.map(({ reason }) => reason),
    Array<string>(3).fill(`more than ${max} types of markets that the catalogue lacks`),
  );
  const listed = shard.send(
    message([event([moneyline(-110, 100), typed('one_more')])], { scope: 'none', polled_at: at(1) }),
  );
  assert.deepEqual([listed.receipt.accepted, listed.receipt.rejected.length], [2, 1]);
  await shard.restart();
  assert.equal(shard.table.rowCount, max + 2);
  const again = shard.send(message([event([typed('one_more')])], { scope: 'none', polled_at: at(2) }));
  assert.equal(again.receipt.rejected.length, 1);
  shard.send(message([event([moneyline(-110, 100)])], { polled_at: at(3) }));
  const now = shard.send(message([event([typed('one_more')])], { scope: 'none', polled_at: at(4) }));
  assert.deepEqual([now.receipt.accepted, now.receipt.rejected], [1, []]);
  agrees(shard);
});

test('types that come and go take no more numbers than are in use at once, and every reader agrees about them', (t) => {
  const shard = rig(t);
  for (let round = 0; round < 12; round++) {
    shard.send(message([event(types(1_500, `round${round}`))], { polled_at: at(round) }));
    assert.equal(shard.table.rowCount, 1_500);
    for (const row of shard.rows().values()) assert.match(row.market_type, new RegExp(`^round${round}_`));
  }
  assert.ok(shard.table.markets.names.length < 6_000, String(shard.table.markets.names.length));
  agrees(shard);
});

test('games, teams, leagues, players and selections beyond their bounds are refused before they are added', () => {
  const names = new UsedNames(catalogue);
  const row = { market: 'player_points', selection: 'Over', selectionType: 'over', player: null };
  for (let i = 0; i < LIMITS.players.max; i++) names.countRow({ ...row, player: `p${i}` }, 1);
  assert.equal(names.rowRefusal({ ...row, player: 'p0' }), undefined);
  assert.match(names.rowRefusal({ ...row, player: 'new' })!, /players/);
  names.countRow({ ...row, player: 'p1' }, -1);
  assert.equal(names.rowRefusal({ ...row, player: 'new' }), undefined);
  for (let i = 0; i < LIMITS.selections.max; i++)
    names.countRow({ ...row, selectionType: 'pick', selection: `s${i}` }, 1);
  assert.match(names.rowRefusal({ ...row, selectionType: 'pick', selection: 'new' })!, /selections/);
  assert.equal(names.rowRefusal(row), undefined);
  for (let i = 0; i < LIMITS.unlistedLeagues.max; i++)
    names.countGame({ league: `l${i}`, homeToken: 'a', awayToken: 'b' }, 1);
  assert.match(names.gameRefusal({ league: 'new', homeToken: 'a', awayToken: 'b' })!, /leagues/);
  for (let i = 0; i < LIMITS.teams.max; i += 2)
    names.countGame({ league: 'nba', homeToken: `t${i}`, awayToken: `t${i + 1}` }, 1);
  assert.match(names.gameRefusal({ league: 'nba', homeToken: 'new', awayToken: 't1' })!, /teams/);
});

test('a book beyond the bound is refused, and takes the number of one whose games are gone', async (t) => {
  const shard = rig(t);
  const max = LIMITS.books.max;
  const old = { start_time: '2026-11-18T18:00:00Z' };
  shard.send(
    ...Array.from({ length: max - 1 }, (_, i) => message([event([moneyline(-110, 100)], old)], { book: `b${i}` })),
    message([event([moneyline(-110, 100)], { start_time: '2026-12-20T18:00:00Z' })], { book: 'kept' }),
  );
  const beyond = shard.send(message([event([moneyline(-110, 100)])], { book: 'late', polled_at: at(1) }));
  assert.deepEqual(beyond.receipt.rejected, [{ path: 'book', reason: `more than ${max} books with games` }]);
  shard.tick(shard.nowMs + 2 * DAY_MS);
  assert.equal(shard.table.events.size, 1);
  const later = { polled_at: new Date(shard.nowMs - 1_000).toISOString(), book: 'late' };
  assert.deepEqual(shard.send(message([event([moneyline(-120, 100)])], later)).receipt.rejected, []);
  assert.deepEqual([...shard.rows().values()].map((row) => row.sportsbook).sort(), ['kept', 'kept', 'late', 'late']);
  await shard.restart();
  assert.deepEqual([...shard.rows().values()].map((row) => row.sportsbook).sort(), ['kept', 'kept', 'late', 'late']);
});

test('lists of whole leagues are remembered for two days, and no more of them than the bound', async (t) => {
  const shard = rig(t);
  const max = LIMITS.leaguePolls.max;
  const list = (i: number, seconds = 0) =>
    message([], { book: `b${i}`, scope: 'league', league: 'nba', polled_at: at(seconds) });
  shard.send(...Array.from({ length: max }, (_, i) => list(i)));
  assert.equal(shard.send(list(max)).receipt.rejected.length, 1);
  assert.equal(shard.send(list(1, 1)).receipt.rejected.length, 0);
  await shard.restart();
  assert.equal(shard.send(list(max)).receipt.rejected.length, 1);
  shard.tick(shard.nowMs + 3 * DAY_MS);
  assert.equal(shard.send(list(max)).receipt.rejected.length, 0);
  assert.equal([...shard.env.leaguePolls.getKeys()].length, 1);
});
