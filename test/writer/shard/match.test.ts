// Which event a book means, and the ids of events and prices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, market, message, moneyline, selection, spread, total } from '../../intake/ingest/messages.js';
import { type Rig, rig } from './rig.js';

const HOUR = 3_600_000;
const mlb = (start: string, fields: object = {}) =>
  event([moneyline(-110, 100)], {
    league: 'mlb',
    home_team: 'New York Yankees',
    away_team: 'Boston Red Sox',
    start_time: start,
    ...fields,
  });
const plus = (time: string, hours: number): string => new Date(Date.parse(time) + hours * HOUR).toISOString();

function ids(shard: Rig): string[] {
  return shard.eventIds().map((id) => id.replace('mlb_yankees_red-sox_', ''));
}

test('the event id is league, home, away and the day in the league’s own zone', (t) => {
  const shard = rig(t, '2026-07-01T12:00:00Z');
  // 22:10 in New York is the next day in UTC.
  shard.send(message([mlb('2026-07-02T02:10:00Z')], { polled_at: '2026-07-01T12:00:00Z' }));
  assert.deepEqual(shard.eventIds(), ['mlb_yankees_red-sox_2026-07-01']);
});

test('two games that share a UTC day but not a local one stay two', (t) => {
  const shard = rig(t, '2026-07-01T12:00:00Z');
  // 20:10 on the 1st and 19:10 on the 2nd in New York are both the 2nd in UTC.
  const games = [mlb('2026-07-02T00:10:00Z'), mlb('2026-07-02T23:10:00Z')];
  shard.send(message(games, { polled_at: '2026-07-01T12:00:00Z' }));
  assert.deepEqual(ids(shard), ['2026-07-01', '2026-07-02']);
});

test('a start that moves by less than 18 hours keeps the event, and by more makes another', (t) => {
  const start = '2026-07-05T17:00:00Z';
  for (const hours of [-17.9, -2, 0.25, 3, 17.9]) {
    const shard = rig(t, '2026-07-01T12:00:00Z');
    shard.send(message([mlb(start)], { polled_at: '2026-07-01T12:00:00Z' }));
    const before = [...shard.rows().keys()];
    shard.send(message([mlb(plus(start, hours))], { polled_at: '2026-07-01T12:01:00Z' }));
    assert.deepEqual(ids(shard), ['2026-07-05'], `${hours} h`);
    assert.deepEqual([...shard.rows().keys()], before);
    assert.equal(shard.rows().get(before[0]!)!.event_start_time, plus(start, hours));
  }
  const shard = rig(t, '2026-07-01T12:00:00Z');
  shard.send(message([mlb(start)], { polled_at: '2026-07-01T12:00:00Z' }));
  shard.send(message([mlb(plus(start, 18.1))], { polled_at: '2026-07-01T12:01:00Z' }));
  assert.deepEqual(ids(shard), ['2026-07-05', '2026-07-06']);
});

test('a start may be postponed repeatedly: each step is measured from the event’s present start', (t) => {
  const shard = rig(t, '2026-07-01T12:00:00Z');
  for (let step = 0; step < 5; step++)
    shard.send(
      message([mlb(plus('2026-07-05T17:00:00Z', step * 12))], { polled_at: plus('2026-07-01T12:00:00Z', step / 60) }),
    );
  assert.deepEqual(ids(shard), ['2026-07-05']);
});

test('a doubleheader is two events, the second with _g2, however often and by whichever book it is listed', (t) => {
  const shard = rig(t, '2026-07-01T12:00:00Z');
  const first = '2026-07-04T17:05:00Z';
  const second = '2026-07-04T23:05:00.000Z';
  shard.send(message([mlb(first), mlb(second)], { polled_at: '2026-07-01T12:00:00Z' }));
  assert.deepEqual(ids(shard), ['2026-07-04', '2026-07-04_g2']);
  const rows = new Set(shard.rows().keys());
  shard.send(message([mlb(second), mlb(first)], { polled_at: '2026-07-01T12:01:00Z' }));
  shard.send(message([mlb(plus(second, 0.1)), mlb(plus(first, 0.1))], { book: 'fanduel' }));
  assert.deepEqual(ids(shard), ['2026-07-04', '2026-07-04_g2']);
  for (const id of rows) assert.ok(shard.rows().has(id));
  const starts = [...shard.rows().values()].filter((row) => row.event_id.endsWith('_g2'));
  assert.equal(starts.length, 4);
  assert.ok(starts.every((row) => row.event_start_time === second || row.event_start_time === plus(second, 0.1)));
});

test('the second game of a day is the one that starts later, in whatever order a message lists them', (t) => {
  const shard = rig(t, '2026-07-01T12:00:00Z');
  const [first, second] = ['2026-07-04T17:05:00Z', '2026-07-04T23:05:00Z'];
  shard.send(message([mlb(second), mlb(first), mlb(second)]));
  assert.deepEqual(ids(shard), ['2026-07-04', '2026-07-04_g2']);
  for (const [id, start] of [
    ['mlb_yankees_red-sox_2026-07-04', first],
    ['mlb_yankees_red-sox_2026-07-04_g2', second],
  ] as const)
    assert.equal(shard.table.events.get(id)!.startMs, Date.parse(start));
});

test('the second game of a day is _g2 even if the books swap home and away', (t) => {
  const shard = rig(t, '2026-07-01T12:00:00Z');
  const turned = { home_team: 'Boston Red Sox', away_team: 'New York Yankees' };
  shard.send(
    message([mlb('2026-07-04T17:05:00Z'), mlb('2026-07-04T23:05:00Z', turned)], { polled_at: '2026-07-01T12:00:00Z' }),
  );
  assert.deepEqual(shard.eventIds(), ['mlb_yankees_red-sox_2026-07-04', 'mlb_red-sox_yankees_2026-07-04_g2']);
});

test('the next day’s game of a series is another one, once the first has begun', (t) => {
  const shard = rig(t, '2026-07-04T22:00:00Z');
  shard.send(message([mlb('2026-07-04T23:05:00Z')], { polled_at: '2026-07-04T22:00:00Z' }));
  shard.nowMs = Date.parse('2026-07-05T01:00:00Z');
  // 17 hours later, and the book no longer lists the running game.
  shard.send(
    message([mlb('2026-07-05T16:05:00Z')], { polled_at: '2026-07-05T01:00:00Z', scope: 'league', league: 'mlb' }),
  );
  assert.deepEqual(ids(shard), ['2026-07-04', '2026-07-05']);
});

test('a suspended game that is resumed the next day is the same event for a book without ids, as another book says by its id', (t) => {
  const shard = rig(t, '2026-07-01T12:00:00Z');
  const [first, resumed, regular] = ['2026-07-01T23:10:00Z', '2026-07-02T16:05:00Z', '2026-07-02T23:40:00Z'];
  const poll = (polled_at: string, book: string, ...games: object[]) => {
    shard.nowMs = Date.parse(polled_at);
    shard.send(message(games, { book, polled_at, scope: 'event' }));
  };
  const stopped = { suspended: true, is_live: true, status: 'live' };
  poll('2026-07-01T20:00:00Z', 'draftkings', mlb(first, { external_id: 'A1' }));
  poll('2026-07-01T20:01:00Z', 'fanduel', mlb(first));
  poll('2026-07-01T23:55:00Z', 'draftkings', mlb(first, { external_id: 'A1', ...stopped }));
  poll('2026-07-01T23:55:30Z', 'fanduel', mlb(first, { ...stopped, markets: [] }));
  const next = [mlb(resumed, { external_id: 'A1' }), mlb(regular, { external_id: 'A2' })];
  poll('2026-07-02T12:00:00Z', 'draftkings', ...next);
  poll('2026-07-02T12:01:00Z', 'fanduel', mlb(resumed), mlb(regular));
  poll('2026-07-02T12:02:00Z', 'betmgm', mlb(resumed), mlb(regular));
  assert.deepEqual(ids(shard), ['2026-07-01', '2026-07-02']);
  const booksOf = (day: string): string[] => {
    const rows = [...shard.rows().values()].filter(({ event_id }) => event_id.endsWith(day));
    return [...new Set(rows.map(({ sportsbook }) => sportsbook))].sort();
  };
  assert.deepEqual(booksOf('07-01'), ['betmgm', 'draftkings', 'fanduel']);
  assert.deepEqual(booksOf('07-02'), ['betmgm', 'draftkings', 'fanduel']);
});

test('a game at the time of one that ended is another, whatever a third book says of a fourth', (t) => {
  const shard = rig(t, '2026-07-01T12:00:00Z');
  const [first, second] = ['2026-07-01T20:10:00Z', '2026-07-02T16:05:00Z'];
  shard.send(message([mlb(first)], { book: 'draftkings', polled_at: '2026-07-01T12:00:00Z' }));
  shard.send(message([mlb(first)], { book: 'fanduel', polled_at: '2026-07-01T12:00:10Z' }));
  shard.nowMs = Date.parse('2026-07-02T12:00:00Z');
  shard.send(message([mlb(second)], { book: 'fanduel', polled_at: '2026-07-02T12:00:00Z' }));
  shard.send(message([mlb(second)], { book: 'draftkings', polled_at: '2026-07-02T12:00:10Z' }));
  assert.deepEqual(ids(shard), ['2026-07-01', '2026-07-02']);
});

test('a book’s own id identifies its game if teams and starts do not', (t) => {
  const shard = rig(t, '2026-07-01T12:00:00Z');
  const first = '2026-07-04T17:05:00Z';
  const second = '2026-07-04T20:05:00Z';
  shard.send(
    message([mlb(first, { external_id: 'one' }), mlb(second, { external_id: 'two' })], {
      polled_at: '2026-07-01T12:00:00Z',
    }),
  );
  // The first game is delayed beyond the start of the second.
  shard.send(
    message([mlb('2026-07-04T20:30:00Z', { external_id: 'one' }), mlb(second, { external_id: 'two' })], {
      polled_at: '2026-07-01T12:01:00Z',
    }),
  );
  assert.equal(shard.table.events.get('mlb_yankees_red-sox_2026-07-04')!.startMs, Date.parse('2026-07-04T20:30:00Z'));
  assert.deepEqual(shard.table.events.get('mlb_yankees_red-sox_2026-07-04')!.externalIds, { draftkings: 'one' });
  assert.equal(shard.table.events.get('mlb_yankees_red-sox_2026-07-04_g2')!.startMs, Date.parse(second));
});

test('a book’s id means one event: a new id replaces the old one, and one given to another game leaves the first', (t) => {
  const shard = rig(t, '2026-07-01T12:00:00Z');
  const first = '2026-07-04T17:05:00Z';
  const next = '2026-07-06T17:05:00Z';
  const poll = (minute: number, ...games: object[]) =>
    shard.send(message(games, { polled_at: plus('2026-07-01T12:00:00Z', minute / 60) }));
  const idsOf = (date: string) => shard.table.events.get(`mlb_yankees_red-sox_${date}`)!.externalIds;
  poll(0, mlb(first, { external_id: 'one' }), mlb(next, { external_id: 'two' }));
  poll(1, mlb(first, { external_id: 'three' }));
  assert.deepEqual([idsOf('2026-07-04'), idsOf('2026-07-06')], [{ draftkings: 'three' }, { draftkings: 'two' }]);
  poll(2, mlb(next, { external_id: 'three' }));
  assert.deepEqual([idsOf('2026-07-04'), idsOf('2026-07-06')], [{}, { draftkings: 'three' }]);
  const links = [...shard.rows().values()].map((row) => `${row.event_id.slice(-10)} ${row['deep_link']}`);
  assert.ok(
    links.every((link) => link.includes('three') === link.startsWith('2026-07-06')),
    links.join('\n'),
  );
});

test('an id that a book has given up no longer names the game it named', (t) => {
  const shard = rig(t, '2026-07-01T12:00:00Z');
  const first = '2026-07-04T17:05:00Z';
  const poll = (minute: number, ...games: object[]) =>
    shard.send(message(games, { polled_at: plus('2026-07-01T12:00:00Z', minute / 60) }));
  poll(0, mlb(first, { external_id: 'one' }));
  poll(1, mlb(first, { external_id: 'three' }));
  poll(2, mlb(plus(first, 5), { external_id: 'one' }));
  assert.deepEqual(ids(shard), ['2026-07-04', '2026-07-04_g2']);
});

test('matching survives a restart: ids of books, teams and starts', async (t) => {
  const shard = rig(t, '2026-07-01T12:00:00Z');
  const games = [
    mlb('2026-07-04T17:05:00Z', { external_id: 'one' }),
    mlb('2026-07-04T23:05:00Z', { external_id: 'two' }),
  ];
  shard.send(message(games, { polled_at: '2026-07-01T12:00:00Z' }));
  const before = shard.rows();
  await shard.restart();
  shard.send(
    message([mlb('2026-07-04T21:00:00Z', { external_id: 'one' }), games[1]], { polled_at: '2026-07-01T12:01:00Z' }),
  );
  assert.deepEqual([...shard.rows().keys()].sort(), [...before.keys()].sort());
  assert.deepEqual(ids(shard).sort(), ['2026-07-04', '2026-07-04_g2']);
});

test('home and away swapped by one book is the same event, its quotes turned round', (t) => {
  const shard = rig(t);
  const own = { inning: 7, outs: 2, on_second: true, home_sets: 1, away_points: '40', server: 'away' };
  const state = { home_score: 7, away_score: 3, possession: 'home', power_play: 'away', fouls_home: 1, ...own };
  shard.send(message([event([moneyline(-150, 130), spread(-3.5, -105, -115)])]));
  shard.send(
    message(
      [
        event(
          [
            moneyline(125, -145),
            spread(3.5, -112, -108),
            market([selection({ selection: 'over', selection_type: 'over', line: 110.5 })], {
              market_type: 'team_total',
              team: 'home',
            }),
          ],
          { home_team: 'Celtics', away_team: 'LA Lakers', game_state: state },
        ),
      ],
      { book: 'fanduel' },
    ),
  );
  assert.deepEqual(shard.eventIds(), ['nba_lakers_celtics_2026-11-20']);
  const home = shard.row('fanduel', 'moneyline', 'home')!;
  assert.equal(home.odds_american, -145);
  assert.equal(home.selection, 'Los Angeles Lakers');
  const spreadHome = shard.row('fanduel', 'point_spread', 'home')!;
  assert.deepEqual([spreadHome.line, spreadHome.odds_american], [-3.5, -108]);
  const team = shard.row('fanduel', 'team_total', 'over')!;
  assert.deepEqual([team['team'], team['team_name']], ['away', 'Boston Celtics']);
  assert.deepEqual(shard.table.events.get('nba_lakers_celtics_2026-11-20')!.state, {
    home_score: 3,
    away_score: 7,
    score_home: 3,
    score_away: 7,
    fouls_away: 1,
    possession: 'away',
    power_play: 'home',
    ...{ inning: 7, outs: 2, on_second: true, away_sets: 1, home_points: '40', server: 'home' },
  });
});

test('a book that swaps home and away between polls keeps its rows', (t) => {
  const shard = rig(t);
  shard.send(message([event([moneyline(-150, 130)])]));
  const before = shard.rows();
  const turned = { home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers' };
  const { receipt } = shard.send(message([event([moneyline(130, -150)], turned)]));
  assert.deepEqual([receipt.changed, receipt.removed], [0, 0]);
  assert.deepEqual(shard.rows(), before);
  // With our own id, home is our home team, whatever the book stated before.
  const named = { event_id: 'nba_lakers_celtics_2026-11-20', markets: [moneyline(-160, 140)] };
  shard.send(message([named]));
  assert.equal(shard.row('draftkings', 'moneyline', 'home')!.odds_american, -160);
});

test('aliases of one team are one event, unknown names are slugged', (t) => {
  const shard = rig(t);
  for (const [book, home] of [
    ['draftkings', 'LA Lakers'],
    ['fanduel', 'LAL'],
    ['betmgm', 'Los Angeles Lakers'],
  ] as const)
    shard.send(message([event([moneyline(-150, 130)], { home_team: home })], { book }));
  const town = { league: 'moon-cup', home_team: 'Ålesund FK!', away_team: 'São Paulo' };
  shard.send(message([event([moneyline(-150, 130)], town)]));
  assert.deepEqual(shard.eventIds().sort(), [
    'moon-cup_alesund-fk_sao-paulo_2026-11-20',
    'nba_lakers_celtics_2026-11-20',
  ]);
});

test('a main line that moves keeps its id, alternates have one for each line', (t) => {
  const shard = rig(t);
  const lines = (main: number, ...alternates: number[]) => [
    total(main, -110, -110),
    ...alternates.map((line) => total(line, -105, -115, true)),
  ];
  shard.send(message([event(lines(220.5, 218.5, 220.5, 222.5))]));
  const before = shard.rows();
  assert.equal(before.size, 8);
  const main = [...before.values()].find((row) => row.selection_type === 'over' && !row.is_alternate_line)!;
  shard.send(message([event(lines(222.5, 218.5, 220.5, 224.5))], { polled_at: '2026-11-20T18:00:01Z' }));
  const after = shard.rows();
  const moved = [...after.values()].filter((row) => !row.is_alternate_line && row.selection_type === 'over');
  assert.deepEqual(
    moved.map((row) => [row.id, row.line]),
    [[main.id, 222.5]],
  );
  for (const [id, row] of after)
    if (row.is_alternate_line) {
      const same = [...before.values()].find(
        (old) => old.is_alternate_line && old.line === row.line && old.selection_type === row.selection_type,
      );
      assert.equal(same?.id, row.line === 224.5 ? undefined : id);
    }
});

test('one player under several spellings is one row, players of one market are several', (t) => {
  const shard = rig(t);
  const prop = (player_name: string, price: number) =>
    market([selection({ selection: 'Over', selection_type: 'over', line: 24.5, odds_american: price })], {
      market_type: 'player_points',
      stat_category: 'points',
      player_name,
    });
  shard.send(message([event([prop('LaMonte Wade Jr.', -110), prop('T.J. Watt', -120)])]));
  const before = shard.rows();
  shard.send(
    message([event([prop('Lamonte Wade', 100), prop('TJ Watt', 105)])], { polled_at: '2026-11-20T18:00:01Z' }),
  );
  assert.deepEqual([...shard.rows().keys()], [...before.keys()]);
  assert.deepEqual(
    [...shard.rows().values()].map((row) => row.odds_american),
    [100, 105],
  );
});

test('free words that look like a key do not run two rows together', (t) => {
  const shard = rig(t);
  const quote = (name: string, line: number | null, alternate: boolean) =>
    selection({ selection: name, selection_type: 'yes', line, is_alternate_line: alternate });
  const { receipt } = shard.send(
    message([event([market([quote('a', 5, true), quote('a|5', null, false)], { market_type: 'special' })])]),
  );
  assert.deepEqual(receipt.rejected, []);
  assert.equal(shard.rows().size, 2);
});
