// Suspensions by a book: its rows stay with their prices, marked, and reopen with the next statement.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, market, message, moneyline, selection, total } from '../../intake/ingest/messages.js';
import { type Rig, rig } from './rig.js';

/** Each poll is newer than the last. */
function send(shard: Rig, events: readonly unknown[], fields: object = {}) {
  shard.nowMs += 1_000;
  return shard.send(message(events, { polled_at: new Date(shard.nowMs).toISOString(), ...fields })).receipt;
}

function standing(shard: Rig): Record<string, string> {
  const rows: Record<string, string> = {};
  for (const row of shard.rows().values()) {
    const line = row.line === null ? '' : ` ${row.line}`;
    rows[`${row.market_type} ${row.selection_type}${line}`] =
      `${row.odds_american}${row['is_active'] === true ? '' : ' suspended'}`;
  }
  return rows;
}

const side = (type: string, fields: object) => selection({ selection: type, selection_type: type, ...fields });

test('a suspended selection stays with its price, and opens again at the same one', (t) => {
  const shard = rig(t);
  send(shard, [event([moneyline(-110, 100)])]);
  const before = shard.row('draftkings', 'moneyline', 'home')!;
  assert.equal(before['is_active'], true);
  const locked = send(shard, [
    event([market([side('home', { odds_american: -110, is_active: false }), side('away', { odds_american: 100 })])]),
  ]);
  assert.deepEqual(
    { ...locked, rejected: locked.rejected.length },
    { accepted: 2, changed: 1, removed: 0, stale: 0, rejected: 0 },
  );
  assert.deepEqual(standing(shard), { 'moneyline home': '-110 suspended', 'moneyline away': '100' });
  const during = shard.row('draftkings', 'moneyline', 'home')!;
  assert.equal(during.id, before.id);
  assert.ok(during.odds_changed_at > before.odds_changed_at, 'who compares odds_changed_at must see it');
  assert.equal(during['odds_american_previous'], null, 'no price has changed');
  const again = send(shard, [event([moneyline(-110, 100)])]);
  assert.equal(again.changed, 1);
  const after = shard.row('draftkings', 'moneyline', 'home')!;
  assert.equal(after['is_active'], true);
  assert.ok(after.odds_changed_at > during.odds_changed_at);
  assert.equal(send(shard, [event([moneyline(-110, 100)])]).changed, 0);
});

test('the price of a suspended selection may be omitted if it is known, otherwise it is rejected with the reason', (t) => {
  const shard = rig(t);
  send(shard, [event([moneyline(-110, 100), total(220.5, -105, -115)])]);
  const bare = (type: string, fields: object = {}) => ({
    selection: type,
    selection_type: type,
    is_active: false,
    ...fields,
  });
  const receipt = send(shard, [
    event([
      market([bare('home'), bare('away'), bare('draw')]),
      market([bare('over', { line: 221.5 }), bare('under', { line: 221.5, odds_american: -120 })], {
        market_type: 'total_points',
      }),
    ]),
  ]);
  assert.deepEqual(receipt.rejected, [{ path: 'events[0]', reason: 'moneyline draw: no price, and none is known' }]);
  assert.deepEqual(standing(shard), {
    'moneyline home': '-110 suspended',
    'moneyline away': '100 suspended',
    // Its last price is one at its last line.
    'total_points over 220.5': '-105 suspended',
    'total_points under 221.5': '-120 suspended',
  });
  const open = send(shard, [event([market([{ selection: 'home', selection_type: 'home' }])])]);
  assert.match(open.rejected[0]!.reason, /no price/, 'only a suspended selection may leave it out');
});

test('a suspended market or event suspends the selections it lists or, if it lists none, all of them', (t) => {
  const shard = rig(t);
  const everything = () => event([moneyline(-110, 100), total(220.5, -105, -115)]);
  send(shard, [everything()]);
  send(shard, [event([moneyline(-110, 100), { ...total(220.5, -105, -115), is_active: false }])]);
  const totalLocked = {
    'moneyline home': '-110',
    'moneyline away': '100',
    'total_points over 220.5': '-105 suspended',
    'total_points under 220.5': '-115 suspended',
  };
  assert.deepEqual(standing(shard), totalLocked);
  send(shard, [everything()]);
  send(shard, [event([market([], { market_type: 'total_points', is_active: false }), moneyline(-110, 100)])]);
  assert.deepEqual(standing(shard), totalLocked, 'a market without selections keeps its rows');
  const all = Object.fromEntries(
    Object.entries(totalLocked).map(([name, price]) => [name, `${price.split(' ')[0]} suspended`]),
  );
  for (const scope of ['event', 'none', 'league']) {
    send(shard, [everything()]);
    const receipt = send(shard, [event([], { suspended: true })], { scope, league: 'nba' });
    assert.deepEqual([receipt.changed, receipt.removed], [4, 0], scope);
    assert.deepEqual(standing(shard), all, scope);
  }
  send(shard, [everything()]);
  const listed = send(shard, [event([moneyline(-120, 100)], { suspended: true })]);
  assert.equal(listed.removed, 2, 'a list that is complete is complete, suspended or not');
  assert.deepEqual(standing(shard), { 'moneyline home': '-120 suspended', 'moneyline away': '100 suspended' });
  const last = send(shard, [event([])]);
  assert.equal(last.removed, 2, 'without the word an empty event has no prices');
});

test('a suspended list that omits a market with lines does not remove those that other books have', (t) => {
  const shard = rig(t);
  const alternate = total(230.5, 250, -320, true);
  send(shard, [event([total(220.5, -105, -115), alternate])]);
  send(shard, [event([market([], { market_type: 'total_points', is_active: false }), alternate])]);
  assert.deepEqual(standing(shard), {
    'total_points over 220.5': '-105 suspended',
    'total_points under 220.5': '-115 suspended',
    'total_points over 230.5': '250',
    'total_points under 230.5': '-320',
  });
});

test('a suspended list of a player suspends his market, whether or not it names the statistic', (t) => {
  const shard = rig(t);
  const props = (player_name: string, fields: object) => ({
    ...total(20.5, -105, -115),
    market_type: 'player_points',
    player_name,
    stat_category: 'points',
    ...fields,
  });
  send(shard, [event([props('Al Jones Jr.', {}), props('Bo Smith', {})])]);
  send(
    shard,
    [
      event([
        props('al jones', { selections: [], is_active: false, stat_category: undefined }),
        props('Bo Smith', { selections: [], is_active: false, stat_category: 'rebounds' }),
      ]),
    ],
    { scope: 'none' },
  );
  const open = [...shard.rows().values()].map((row) => `${row['player_name']} ${row['is_active']}`);
  assert.deepEqual([...new Set(open)].sort(), ['Al Jones Jr. false', 'Bo Smith true']);
});

test('the previous price is that before the last change of price or line, whatever happened since', (t) => {
  const shard = rig(t);
  const previous = () => shard.row('draftkings', 'total_points', 'over')!['odds_american_previous'];
  send(shard, [event([total(220.5, -105, -115)])]);
  assert.equal(previous(), null);
  send(shard, [event([total(220.5, -108, -112)])]);
  assert.equal(previous(), -105);
  send(shard, [event([], { suspended: true })]);
  send(shard, [event([total(220.5, -108, -112)], { is_live: true })]);
  assert.equal(previous(), -105, 'neither a suspension nor a start is a price');
  send(shard, [event([total(221.5, -108, -112)], { is_live: true })]);
  assert.equal(previous(), -108, 'the line moved: that was the price at the other line');
});

test('suspensions and prices before outlive a restart', async (t) => {
  const shard = rig(t);
  send(shard, [event([moneyline(-110, 100)])]);
  send(shard, [event([moneyline(-112.5, 102)])]);
  send(shard, [event([], { suspended: true })]);
  const before = [...shard.rows()].sort();
  await shard.restart();
  assert.deepEqual([...shard.rows()].sort(), before);
  assert.deepEqual(
    before.map(([, row]) => [row.odds_american, row['odds_american_previous'], row['is_active']]).sort(),
    [
      [-112.5, -110, false],
      [102, 100, false],
    ],
  );
  assert.equal(send(shard, [event([], { suspended: true })]).changed, 0);
  assert.equal(send(shard, [event([moneyline(-112.5, 102)])]).changed, 2);
});

test('an older poll neither suspends nor opens', (t) => {
  const shard = rig(t);
  send(shard, [event([moneyline(-110, 100)])]);
  const late = { polled_at: '2026-11-20T17:59:00Z' };
  assert.equal(send(shard, [event([], { suspended: true })], late).stale, 1);
  assert.deepEqual(standing(shard), { 'moneyline home': '-110', 'moneyline away': '100' });
});

test('a value that is neither true nor false is rejected, not guessed', (t) => {
  const shard = rig(t);
  send(shard, [event([moneyline(-110, 100)])]);
  const { rejected } = send(
    shard,
    [
      event([market([side('home', { odds_american: -110, is_active: 'false' })])]),
      event([market([], { is_active: 0 })]),
      event([], { suspended: 'yes' }),
      event([{ ...moneyline(-110, 100), is_active: null }], { suspended: null }),
    ],
    { scope: 'none' },
  );
  assert.deepEqual(
    rejected.map(({ path }) => path),
    ['events[0].markets[0].selections[0].is_active', 'events[1].markets[0].is_active', 'events[2].suspended'],
  );
  assert.deepEqual(standing(shard), { 'moneyline home': '-110', 'moneyline away': '100' });
});

test('every row has its book’s display name, and its time in two fields', (t) => {
  const shard = rig(t);
  send(shard, [event([moneyline(-110, 100)])]);
  send(shard, [event([moneyline(-110, 100)])], { book: 'corner_shop' });
  for (const row of shard.rows().values()) {
    assert.equal(row['sportsbook_name'], row.sportsbook === 'draftkings' ? 'DraftKings' : 'corner_shop');
    assert.equal(row['timestamp'], row.last_seen_at);
  }
});
