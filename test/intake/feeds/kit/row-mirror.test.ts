// The copy of another service's rows, and the table that its messages make: what the service no longer offers is not shown.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { present } from '../../../../src/base/model/present.js';
import type { GameFacts } from '../../../../src/intake/feeds/kit/market-ids.js';
import { takeChanges } from '../../../../src/intake/feeds/kit/publisher.js';
import { type MirroredRow, RowMirror } from '../../../../src/intake/feeds/kit/row-mirror.js';
import { rig } from '../../../writer/shard/rig.js';

const GAME: GameFacts = {
  id: 'g1',
  league: 'nba',
  home: 'Los Angeles Lakers',
  away: 'Boston Celtics',
  startMs: Date.parse('2026-11-20T23:00:00Z'),
};

type Change = Partial<Omit<MirroredRow, 'market' | 'selection'>> & {
  market?: Partial<MirroredRow['market']>;
  selection?: Partial<MirroredRow['selection']>;
};

/** Over 220.5 at -110. */
function row(id: string, { market, selection, ...change }: Change = {}): MirroredRow {
  return {
    ...{ id, book: 'fanduel', gameId: 'g1', active: true, changedAt: 1, ...change },
    market: { market_type: 'total_points', ...market },
    selection: { selection: 'Over', selection_type: 'over', line: 220.5, odds_american: -110, ...selection },
  };
}

/** The rows of the table, once what changed is sent. */
function mirrored(t: TestContext) {
  const mirror = new RowMirror();
  const table = rig(t);
  mirror.putGame(GAME);
  const shown = () => {
    table.nowMs += 1_000;
    const polledAt = new Date(table.nowMs).toISOString();
    for (const message of takeChanges(mirror, 'service', polledAt).messages)
      assert.deepEqual(table.send(message).receipt.rejected, []);
    return [...table.rows().values()]
      .map((read) => {
        const alternate = read.is_alternate_line ? ' alternate' : '';
        const inactive = read['is_active'] === false ? ' inactive' : '';
        return `${read.selection_type} ${read.line} ${read.odds_american}${alternate}${inactive}`;
      })
      .sort();
  };
  /** All of every game, as it is said again at intervals. */
  const again = () => {
    for (const game of mirror.values()) {
      game.whole = true;
      mirror.changed.add(game);
    }
    return shown();
  };
  return { mirror, table, shown, again };
}

test('a main line that moves to another row is the main line, whichever of the two came first', (t) => {
  for (const first of ['220.5', '221.5']) {
    const { mirror, shown, again } = mirrored(t);
    const at = (line: number, active: boolean, changedAt: number, alternate?: true) =>
      row(String(line), {
        ...{ active, changedAt },
        selection: { line, ...(alternate === undefined ? {} : { is_alternate_line: alternate }) },
      });
    if (first === '221.5') mirror.put(at(221.5, true, 1, true));
    mirror.put(at(220.5, true, 1));
    shown();
    mirror.put(at(220.5, false, 2));
    mirror.put(at(221.5, true, 2));
    const moved = ['over 220.5 -110 alternate inactive', 'over 221.5 -110'];
    assert.deepEqual(shown(), moved, `first ${first}`);
    assert.deepEqual(again(), moved);
    // Both are told as main ones: a book has one.
    mirror.put(at(220.5, true, 3));
    assert.deepEqual(again(), ['over 220.5 -110', 'over 221.5 -110 alternate']);
    mirror.put(at(221.5, false, 4));
    assert.deepEqual(shown(), ['over 220.5 -110', 'over 221.5 -110 alternate inactive']);
  }
});

test('main rows of a market are told at one number, the others as alternates', (t) => {
  const { mirror, shown, again } = mirrored(t);
  const at = (id: string, side: 'Over' | 'Under', line: number) =>
    mirror.put(row(id, { changedAt: 1, selection: { selection: side, selection_type: side.toLowerCase(), line } }));
  at('a', 'Over', 220.5);
  at('b', 'Over', 221.5);
  at('c', 'Under', 221.5);
  at('d', 'Under', 220.5);
  const main220 = ['over 220.5 -110', 'over 221.5 -110 alternate', 'under 220.5 -110', 'under 221.5 -110 alternate'];
  assert.deepEqual(shown(), main220);
  mirror.remove('a');
  const main221 = ['over 221.5 -110', 'under 220.5 -110 alternate', 'under 221.5 -110'];
  assert.deepEqual([shown(), again()], [main221, main221]);
});

test('a handicap whose two sides are stated with one sign is refused, and what it was goes', (t) => {
  const { mirror, table, shown } = mirrored(t);
  const at = (id: string, line: number, odds_american = -110) =>
    mirror.put(
      row(id, {
        market: { market_type: 'point_spread' },
        selection: { selection: id, selection_type: id, line, odds_american },
      }),
    );
  at('home', -1.5);
  assert.deepEqual(shown(), ['home -1.5 -110']);
  const send = () => {
    table.nowMs += 1_000;
    const { messages } = takeChanges(mirror, 'service', new Date(table.nowMs).toISOString());
    return messages.flatMap((message) => table.send(message).receipt.rejected).length;
  };
  at('away', -1.5);
  assert.ok(send() > 0);
  at('home', -1.5, 120);
  assert.ok(send() > 0);
  assert.equal(table.rows().size, 0);
  at('away', 1.5);
  assert.deepEqual(shown(), ['away 1.5 -110', 'home -1.5 120']);
});

test('a game is in play at the books whose rows are, whatever those of others say', (t) => {
  const { mirror } = mirrored(t);
  const live = () =>
    takeChanges(mirror, 'service', '2026-11-20T23:10:00Z').messages.map(({ book, events }) => [
      book,
      events?.map(({ is_live }) => is_live),
    ]);
  mirror.put(row('a', { live: true }));
  mirror.put(row('b', { live: false, selection: { selection: 'Under', selection_type: 'under' } }));
  mirror.put(row('c', { live: false, book: 'betmgm' }));
  assert.deepEqual(live(), [
    ['fanduel', [true]],
    ['betmgm', [false]],
  ]);
  mirror.put(row('a', { live: false, changedAt: 2 }));
  assert.deepEqual(live(), [['fanduel', [false]]]);
});

test('a row that yields is told only while no other has its place, in whichever order they came', (t) => {
  const { mirror, shown } = mirrored(t);
  const at = (id: string, odds_american: number, yields: boolean) =>
    mirror.put(
      row(id, {
        ...{ yields, market: { market_type: 'moneyline' } },
        selection: { selection: 'Home', selection_type: 'home', line: undefined as never, odds_american },
      }),
    );
  at('two ways', -260, true);
  assert.deepEqual(shown(), ['home null -260']);
  at('three ways', -110, false);
  assert.deepEqual(shown(), ['home null -110']);
  mirror.remove('two ways');
  at('two ways', -270, true);
  assert.deepEqual(shown(), ['home null -110']);
  mirror.remove('three ways');
  assert.deepEqual(shown(), ['home null -270']);
});

test('the sides of a handicap with its draw stay as they are written', (t) => {
  const { mirror, shown } = mirrored(t);
  for (const selection_type of ['home', 'draw', 'away']) {
    const selection = { selection: selection_type, selection_type, line: -1 };
    mirror.put(row(selection_type, { market: { market_type: 'point_spread_3way' }, selection }));
  }
  assert.deepEqual(shown(), ['away -1 -110', 'draw -1 -110', 'home -1 -110']);
});

test('a price that is said again is as new as its last statement', (t) => {
  const { mirror, shown } = mirrored(t);
  const at = (changedAt: number, odds_american: number) => row('a', { changedAt, selection: { odds_american } });
  mirror.put(at(1, -110));
  mirror.put(at(5, -110));
  mirror.put(at(3, -120));
  assert.deepEqual(shown(), ['over 220.5 -110']);
  // An answer that was asked for before it is older, too.
  const before = mirror.touches;
  mirror.put(at(6, -110));
  mirror.put(at(4, -120), before);
  assert.deepEqual(shown(), ['over 220.5 -110']);
});

test('an answer that was asked for before a row was removed does not bring it back, a later one does', (t) => {
  const { mirror, shown } = mirrored(t);
  for (const remove of [() => mirror.remove('a'), () => mirror.removeGame('g1')]) {
    mirror.putGame(GAME);
    mirror.put(row('a'));
    assert.equal(shown().length, 1);
    const before = mirror.touches;
    remove();
    mirror.putGame(GAME);
    assert.equal(mirror.put(row('a'), before), true, 'nothing is wrong with it');
    assert.deepEqual(shown(), []);
    mirror.put(row('a'), mirror.touches);
    assert.equal(shown().length, 1);
  }
});

test('what becomes the last price traded, or another limit, is sent', (t) => {
  const { mirror, table, shown } = mirrored(t);
  mirror.put(row('a', { market: { max_bet: 500 } }));
  mirror.put(row('b', { market: { max_bet: 100 }, selection: { selection: 'Under', selection_type: 'under' } }));
  shown();
  const limits = () => [...table.rows().values()].map((read) => [read.selection_type, read['max_bet']]).sort();
  assert.deepEqual(limits(), [
    ['over', 500],
    ['under', 100],
  ]);
  mirror.put(row('a', { changedAt: 2, market: { max_bet: 500 }, selection: { indicative: true } }));
  shown();
  assert.equal(table.row('fanduel', 'total_points', 'over')!['indicative'], true);
});

test('a row that is of another game from now on is shown there alone', (t) => {
  const { mirror, table, shown } = mirrored(t);
  mirror.putGame({ ...GAME, id: 'g2', home: 'Miami Heat', away: 'Chicago Bulls' });
  mirror.put(row('a'));
  shown();
  mirror.put(row('a', { gameId: 'g2', changedAt: 2, selection: { odds_american: 150 } }));
  assert.deepEqual(shown(), ['over 220.5 150']);
  assert.match([...table.rows().values()][0]!.event_id, /heat/);
});

test('a game that has another id from now on is the same event', (t) => {
  const { mirror, table, shown } = mirrored(t);
  mirror.put(row('a'));
  shown();
  mirror.putGame({ ...GAME, id: 'g2' });
  mirror.removeGame('g1');
  mirror.put(row('b', { gameId: 'g2', selection: { odds_american: 105 } }));
  assert.deepEqual(shown(), ['over 220.5 105']);
  assert.equal(table.eventIds().length, 1);
});

test('a game that begins later under another id is the same event by the book’s own id, whichever is told first', (t) => {
  for (const isPutFirst of [false, true]) {
    const { mirror, table, shown } = mirrored(t);
    const externalGameId = 'fd-77';
    mirror.put(row('a', { externalGameId }));
    shown();
    const [id] = table.eventIds();
    mirror.putGame({ ...GAME, id: 'g2', startMs: GAME.startMs + 70 * 60_000 });
    const moved = row('b', { externalGameId, gameId: 'g2', selection: { odds_american: 105 } });
    if (isPutFirst) {
      mirror.put(moved);
      shown();
    }
    mirror.remove('a');
    if (!isPutFirst) shown();
    mirror.put(moved);
    assert.deepEqual(shown(), ['over 220.5 105'], `put first: ${isPutFirst}`);
    assert.deepEqual(table.eventIds(), [id]);
  }
});

test('a game of which a book lists nothing any more is neither kept nor said again', (t) => {
  const { mirror, shown } = mirrored(t);
  mirror.put(row('a'));
  mirror.put(row('b', { book: 'draftkings' }));
  assert.equal(shown().length, 2);
  mirror.remove('a');
  assert.equal(shown().length, 1);
  assert.deepEqual(
    [...mirror.values()].map(({ book }) => book),
    ['draftkings'],
  );
  mirror.put(row('a', { changedAt: 2 }));
  assert.equal(shown().length, 2);
});

test('what changes alone says is what all of it says, whatever happened', (t) => {
  const where = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    line: fc.constantFrom(220.5, 221.5),
    is_alternate_line: fc.constantFrom(undefined, true),
    side: fc.constantFrom('over', 'under'),
    price: fc.constantFrom(-110, 100, 120),
    active: fc.boolean(),
    changedAt: fc.nat(9),
  });
  const step = fc.oneof(
    { weight: 6, arbitrary: where },
    fc.constantFrom('send' as const, 'fail' as const, 'doubt' as const, 'answer' as const),
    fc.record({ remove: fc.constantFrom('a', 'b', 'c', 'd') }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const { mirror, table, shown, again } = mirrored(t);
      let before: number | undefined;
      for (const each of steps) {
        if (each === 'send') shown();
        else if (each === 'fail') takeChanges(mirror, 'service', '2026-11-20T18:00:00Z').putBack();
        else if (each === 'doubt') mirror.doubt();
        else if (each === 'answer') {
          mirror.begin();
          before = mirror.touches;
        } else if ('remove' in each) {
          mirror.remove(each.remove);
        } else {
          const { id, line, is_alternate_line, side, price, active, changedAt } = each;
          const one = row(id, {
            ...{ active, changedAt },
            selection: present({
              selection: side,
              selection_type: side,
              line,
              odds_american: price,
              is_alternate_line,
            }),
          });
          mirror.put(one, before);
          before = undefined;
        }
      }
      mirror.begin();
      for (const game of mirror.values())
        for (const { row: one } of game.rows.values()) mirror.put(one, mirror.touches);
      mirror.complete(
        () => true,
        () => assert.fail('all were stated'),
      );
      const parts = shown();
      assert.deepEqual(again(), parts);
      // Every price on offer is one that the service offers.
      const offered = [...mirror.values()].flatMap((game) => [...game.rows.values()]).filter((held) => held.row.active);
      for (const read of table.rows().values())
        assert.ok(
          read['is_active'] === false ||
            offered.some(
              ({ row: { selection } }) =>
                selection.selection_type === read.selection_type &&
                selection.line === read.line &&
                selection.odds_american === read.odds_american,
            ),
          JSON.stringify(read),
        );
    }),
    { numRuns: 60 },
  );
});
