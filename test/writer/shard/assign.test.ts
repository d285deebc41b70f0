// Games of the same teams: to which stored event each game of a message is assigned, and the effects of a change.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { event, message, moneyline } from '../../intake/ingest/messages.js';
import { type Rig, rig } from './rig.js';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-07-04T12:00:00Z');
const TEAMS = { league: 'mlb', home_team: 'New York Yankees', away_team: 'Boston Red Sox' };
const TURNED = { league: 'mlb', home_team: 'Boston Red Sox', away_team: 'New York Yankees' };
const at = (hours: number): string => new Date(NOON + hours * HOUR).toISOString();

interface Game {
  /** Hours after noon. */
  start: number;
  /** Identifies the game: the home price is 200 + no. */
  no: number;
  id?: string;
  turned?: boolean;
  league?: string;
}

function listing(games: readonly Game[]): object[] {
  return games.map(({ start, no, id, turned, league = 'mlb' }) => {
    const price = 200 + no;
    return event([turned ? moneyline(-price, price) : moneyline(price, -price)], {
      ...(league === 'mlb' ? (turned ? TURNED : TEAMS) : { league, home_team: 'Lakers', away_team: 'Celtics' }),
      start_time: at(start),
      ...(id === undefined ? {} : { external_id: id }),
    });
  });
}

function poll(shard: Rig, minute: number, book: string, games: readonly Game[], fields: object = {}) {
  return shard.send(message(listing(games), { book, polled_at: at(minute / 60), ...fields }));
}

/** By event: `book game` of each home price; an event must not have prices of two games. */
function games(shard: Rig): string[] {
  const byEvent = new Map<string, string[]>();
  for (const row of shard.rows().values()) {
    if (row.selection_type !== 'home') continue;
    const list = byEvent.get(row.event_id) ?? [];
    byEvent.set(row.event_id, [...list, `${row.sportsbook} ${Math.abs(row.odds_american) - 200}`]);
  }
  return [...byEvent.values()].map((list) => list.sort().join(', ')).sort();
}

/** Both books list the two games of a day. */
function doubleHeader(t: TestContext): Rig {
  const shard = rig(t, at(0));
  for (const book of ['fanduel', 'draftkings'])
    poll(shard, 0, book, [
      { start: 1, no: 1 },
      { start: 6, no: 2 },
    ]);
  return shard;
}

function orders<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) =>
    orders([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  );
}

test('a book that lists both games of a day does not merge its first with another book’s second, in any order', (t) => {
  for (const ids of [
    [undefined, undefined, undefined],
    ['f2', 'd1', 'd2'],
    ['s2', 's1', 's2'],
    [undefined, 'd1', 'd2'],
    ['f2', undefined, undefined],
    ['s2', undefined, 's2'],
  ])
    for (const turned of [false, true])
      for (const listed of orders([
        { start: 5, no: 1, id: ids[1], turned },
        { start: 9, no: 2, id: ids[2] },
      ] as Game[])) {
        const shard = rig(t, at(0));
        poll(shard, 0, 'fanduel', [{ start: 9, no: 2, id: ids[0] } as Game]);
        for (const minute of [1, 2]) {
          poll(shard, minute, 'draftkings', listed);
          assert.deepEqual(games(shard), ['draftkings 1', 'draftkings 2, fanduel 2'], JSON.stringify(listed));
        }
      }
});

test('games are assigned to events by nearest start together, even if each alone would take another’s', (t) => {
  // Both games of a day are three hours late: the first is then nearer to the original start of the second.
  for (const listed of orders([
    { start: 4, no: 1 },
    { start: 9, no: 2 },
  ])) {
    const shard = doubleHeader(t);
    poll(shard, 1, 'draftkings', listed);
    assert.deepEqual(games(shard), ['draftkings 1, fanduel 1', 'draftkings 2, fanduel 2']);
  }
});

test('a list that no longer has its first game is not one whose games were all moved', (t) => {
  for (const listed of orders([
    { start: 6, no: 2 },
    { start: 11, no: 3 },
  ])) {
    const shard = doubleHeader(t);
    poll(shard, 1, 'draftkings', listed, { scope: 'league', league: 'mlb' });
    assert.deepEqual(games(shard), ['draftkings 2, fanduel 2', 'draftkings 3', 'fanduel 1']);
  }
});

test('another book’s first sighting joins within 4 hours, in baseball within 2.5, or by an id the event has', (t) => {
  const joins = (league: string, hours: number, ids: [string?, string?] = []) => {
    const shard = rig(t, at(0));
    const game = (start: number, id: string | undefined) => ({ start, no: 1, league, id }) as Game;
    poll(shard, 0, 'fanduel', [game(30, ids[0])]);
    poll(shard, 1, 'draftkings', [game(30 + hours, ids[1])]);
    return games(shard).length === 1;
  };
  for (const side of [1, -1]) {
    assert.deepEqual(
      [3.9, 4, 4.1, 17].map((hours) => joins('nba', side * hours)),
      [true, true, false, false],
    );
    assert.deepEqual(
      [2.4, 2.5, 2.6, 17].map((hours) => joins('mlb', side * hours)),
      [true, true, false, false],
    );
    assert.deepEqual(
      [2.6, 17.9, 18].map((hours) => joins('mlb', side * hours, ['shared', 'shared'])),
      [true, true, false],
    );
    assert.equal(joins('mlb', side * 2.4, ['own', 'another']), true);
  }
});

test('for a book that shares ids with another, another id means another game', (t) => {
  const shard = rig(t, at(0));
  const elsewhere = { league: 'mlb', home_team: 'Chicago Cubs', away_team: 'New York Mets', start_time: at(3) };
  const other = event([moneyline(-110, 100)], { ...elsewhere, external_id: 'aggregate 9' });
  for (const book of ['fanduel', 'draftkings']) shard.send(message([other], { book, polled_at: at(0) }));
  poll(shard, 1, 'fanduel', [{ start: 7, no: 2, id: 'aggregate 2' }]);
  poll(shard, 1, 'draftkings', [{ start: 5, no: 1, id: 'aggregate 1' }]);
  assert.deepEqual(games(shard).slice(1), ['draftkings 1', 'fanduel 2']);
});

test('a book that removed a game and lists one five hours later means another game if other books still have the first', (t) => {
  const shard = rig(t, at(0));
  for (const book of ['fanduel', 'draftkings']) poll(shard, 0, book, [{ start: 3, no: 1 }]);
  poll(shard, 1, 'draftkings', [], { scope: 'league', league: 'mlb' });
  poll(shard, 2, 'draftkings', [{ start: 8, no: 2 }]);
  assert.deepEqual(games(shard), ['draftkings 2', 'fanduel 1']);
});

test('a start that was assigned to the first game moves to the second with the book’s prices once that is known', (t) => {
  for (const scope of ['event', 'league'] as const) {
    const shard = rig(t, at(0));
    for (const book of ['fanduel', 'draftkings']) poll(shard, 0, book, [{ start: 3, no: 1 }]);
    // No second game is known: the first one was moved, according to the 18 hour rule.
    poll(shard, 1, 'draftkings', [{ start: 8, no: 2 }]);
    assert.deepEqual(games(shard), ['draftkings 2, fanduel 1']);
    poll(shard, 2, 'fanduel', [
      { start: 8.1, no: 2 },
      { start: 3, no: 1 },
    ]);
    const { receipt } = poll(shard, 3, 'draftkings', [{ start: 8, no: 2 }], { scope, league: 'mlb' });
    assert.deepEqual(games(shard), ['draftkings 2, fanduel 2', 'fanduel 1']);
    assert.equal(receipt.removed, 2);
  }
});

test('both games of a book get their events although the one that was listed first alone had joined the other’s', (t) => {
  const shard = rig(t, at(0));
  const nba = (start: number, no: number): Game => ({ start, no, league: 'nba' });
  poll(shard, 0, 'fanduel', [nba(3, 1)]);
  poll(shard, 1, 'draftkings', [nba(6.5, 2)]);
  poll(shard, 2, 'draftkings', [nba(6.5, 2), nba(3.1, 1)]);
  assert.deepEqual(games(shard), ['draftkings 1, fanduel 1', 'draftkings 2']);
});

test('a book whose starts differ by hours from the others’ keeps its events, listed together or one at a time', (t) => {
  const shard = rig(t, at(0));
  const nba = (start: number, no: number): Game => ({ start, no, league: 'nba' });
  for (const book of ['fanduel', 'betmgm']) poll(shard, 0, book, [nba(20, 1), nba(25, 2)]);
  poll(shard, 1, 'draftkings', [nba(28, 2), nba(23, 1)]);
  for (const game of [nba(23, 1), nba(28, 2), nba(23.2, 1), nba(28, 2)]) {
    poll(shard, 2, 'draftkings', [game]);
    assert.deepEqual(games(shard), ['betmgm 1, draftkings 1, fanduel 1', 'betmgm 2, draftkings 2, fanduel 2']);
  }
});

test('an id that is given to a game 18 hours away means that game from then on, and removes its book’s prices from the first', (t) => {
  for (const scope of ['event', 'league', 'none'] as const) {
    const shard = rig(t, at(0));
    const first: Game = { start: 3, no: 1, id: 'd1' };
    poll(shard, 0, 'fanduel', [{ start: 3, no: 1 }]);
    poll(shard, 0, 'draftkings', [first]);
    const { receipt } = poll(shard, 1, 'draftkings', [{ start: 27, no: 2, id: 'd1' }], { scope, league: 'mlb' });
    const stays = scope === 'none';
    assert.deepEqual(games(shard), stays ? ['draftkings 1, fanduel 1', 'draftkings 2'] : ['draftkings 2', 'fanduel 1']);
    assert.equal(receipt.removed, stays ? 0 : 2);
    poll(shard, 2, 'draftkings', [{ start: 28, no: 2, id: 'd1' }], { scope, league: 'mlb' });
    assert.equal(games(shard).length, 2);
  }
});

test('an id that moves to another game leaves the prices that the same message lists at the first game, under another id or none', (t) => {
  for (const id of ['d9', undefined])
    for (const swap of [false, true]) {
      const shard = rig(t, at(0));
      poll(shard, 0, 'draftkings', [{ start: 3, no: 1, id: 'd1' }]);
      const listed = [{ start: 27, no: 2, id: 'd1' }, { start: 3, no: 1, id } as Game];
      const { receipt } = poll(shard, 1, 'draftkings', swap ? listed.reverse() : listed);
      assert.deepEqual(games(shard), ['draftkings 1', 'draftkings 2']);
      assert.equal(receipt.removed, 0);
    }
});

test('parts of one game in several entries are one game, with its id in one of them only', (t) => {
  const shard = rig(t, at(0));
  const parts = (ids: (string | undefined)[], minute: number) => {
    const entries = ids.map((id, i) =>
      event([{ ...moneyline(201, -201), market_type: `part_${i}` }], {
        ...TEAMS,
        start_time: at(3),
        ...(id === undefined ? {} : { external_id: id }),
      }),
    );
    const scores = [{ ...TEAMS, start_time: at(3.1), home_score: 1 }];
    return shard.send(message(entries, { polled_at: at(minute / 60), game_states: scores }));
  };
  parts([undefined, undefined], 0);
  parts(['d1', undefined], 1);
  parts([undefined, 'd1', undefined], 2);
  assert.equal(shard.eventIds().length, 1);
  assert.equal(shard.rows().size, 6);
});

test('two games at one time are two if their ids differ', (t) => {
  const shard = rig(t, at(0));
  const listed: Game[] = [
    { start: 3, no: 1, id: 'd1' },
    { start: 3, no: 2, id: 'd2' },
  ];
  for (const minute of [0, 1]) poll(shard, minute, 'draftkings', minute === 0 ? listed : listed.toReversed());
  assert.deepEqual(games(shard), ['draftkings 1', 'draftkings 2']);
});

test('no message lists a hundred games of the same teams: the rest are refused with their path', (t) => {
  const shard = rig(t, at(0));
  const many = Array.from({ length: 103 }, (_, i): Game => ({ start: 3 + i * 20, no: i }));
  const { receipt } = poll(shard, 0, 'draftkings', many);
  assert.deepEqual(
    receipt.rejected.map(({ path, reason }) => `${path} ${reason}`),
    [100, 101, 102].map((i) => `events[${i}] too many games of these teams`),
  );
  assert.equal(shard.eventIds().length, 100);
});
