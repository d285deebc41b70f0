// Opening prices in snapshots, from a history that answers when the test lets it, while other streams continue.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { LIMITS } from '../../src/base/model/limits.js';
import { subscriptionKey } from '../../src/broadcast/subscription.js';
import type { AskHistory } from '../../src/store/clv/queries.js';
import type { OpeningFields } from '../../src/store/history/answers.js';
import { interestOf } from './interests.js';
import { TestClient, type Transport } from './wire.js';
import { poll, type Quote, settle, World } from './world.js';

const LINE: Quote = { market: 'total_points', line: 1.5, price: -110 };
const AT = '2026-11-20T17:00:00.000123000Z';

interface Question {
  ids: readonly string[];
  answer(found: Map<string, OpeningFields>): void;
  fail(): void;
}

class DelayedHistory {
  readonly questions: Question[] = [];

  readonly ask = ((_: 'openings', ids: readonly string[]) =>
    new Promise<unknown>((answer, reject) => {
      this.questions.push({ ids, answer, fail: () => reject(new Error('the thread died')) });
    })) as AskHistory;
}

/** Different for each row. */
const openingOf = (id: string): OpeningFields => ({
  odds_american: 100 + Number(id.slice(-3)),
  odds_decimal: 2.5,
  line: Number(id.slice(-1)) % 2 === 0 ? null : 1.5,
  at: AT,
});
const openingsOf = (ids: readonly string[]) => new Map(ids.map((id) => [id, openingOf(id)]));

function start(t: TestContext, quotes: readonly Quote[]) {
  const history = new DelayedHistory();
  const world = new World({ history: history.ask });
  t.after(() => world.broadcaster.close());
  const show = async (shown: readonly Quote[], book = 'fanduel'): Promise<void> => {
    world.ingest(poll(world, book, 'nba', 'event', [{ game: 0, quotes: shown }]));
    await settle();
  };
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes }]));
  const client = (transport: Transport, openings: boolean, words = {}) =>
    new TestClient(world, transport, { ...interestOf(world, words), openings });
  return { history, world, show, client };
}

/**
 * Compares the client's ids, prices and lines with the server's. `last_seen_at` is left out: it is sent only with a
 * change.
 */
function assertHolds(client: TestClient, world: World): void {
  const shown = (rows: Iterable<object>) =>
    [...(rows as Iterable<Record<string, unknown>>)].map(
      (row) => `${row['id']} ${row['odds_american']} ${row['line']}`,
    );
  assert.deepEqual(shown(client.table.odds.values()).sort(), shown(world.rows()).sort());
}

const LADDER = Array.from({ length: 600 }, (_, i): Quote => ({ ...LINE, line: i + 0.5, alternate: i > 0 }));

for (const transport of ['sse', 'ws-json', 'ws-msgpack'] as const)
  test(`${transport}: a snapshot waits for its openings and no other stream does`, async (t) => {
    const { history, world, show, client } = start(t, LADDER);
    const opened = client(transport, true);
    const plain = client(transport, false);
    opened.connect();
    plain.connect();
    await settle();
    assert.ok(plain.table.complete);
    assert.equal(opened.table.odds.size, 0);
    // Changes in the meantime reach one client at once, and the other after its snapshot.
    await show([{ ...LINE, line: 0.5, price: -125 }, ...LADDER.slice(1)]);
    assertHolds(plain, world);
    assert.equal(opened.table.odds.size, 0);
    const asked: string[] = [];
    for (let i = 0; i < history.questions.length; i++) {
      assert.equal(history.questions.length, i + 1, 'one question at a time');
      const { ids, answer } = history.questions[i]!;
      assert.ok(ids.length <= LIMITS.openingsRequested.max);
      asked.push(...ids);
      answer(openingsOf(ids));
      await settle();
    }
    assert.ok(opened.table.complete);
    assert.deepEqual([asked.length, new Set(asked).size], [1_200, 1_200], 'each row once');
    assert.ok(history.questions.length < 6, `${history.questions.length} questions`);
    assertHolds(opened, world);
    for (const row of opened.table.odds.values()) assert.deepEqual(row.opening, openingOf(row.id));
    for (const row of plain.table.odds.values()) assert.equal(row.opening, undefined);
    // Another group's snapshot of the same rows is there at once.
    const later = client(transport, true, { league: 'nba' });
    later.connect();
    await settle();
    assert.deepEqual([later.table.complete, history.questions.flatMap(({ ids }) => ids).length], [true, 1_200]);
    // Rows sent after a snapshot have no opening; a row that is sent again keeps the one it had.
    await show([{ ...LINE, line: 0.5, price: -130 }, ...LADDER.slice(1), { ...LINE, line: 2_000.5, alternate: true }]);
    assertHolds(opened, world);
    assert.equal([...opened.table.odds.values()].filter((row) => row.opening === undefined).length, 2);
  });

test('rows that are removed while their openings are requested leave nothing to the rows that reuse their places', async (t) => {
  const other: Quote = { market: 'moneyline', line: 0, price: -140 };
  const { history, world, show, client } = start(t, [LINE, other]);
  const slots = () => {
    const { columns } = world.table;
    return world
      .rows()
      .map(({ id }) => Array.from({ length: columns.limit }, (_, i) => i).find((i) => columns.id.is(i, String(id))));
  };
  const before = slots();
  const opened = client('sse', true);
  opened.connect();
  await settle();
  const { ids, answer } = history.questions[0]!;
  await show([other]);
  await show([other, { market: 'point_spread', line: 2.5, price: -105 }]);
  assert.deepEqual(slots(), before, 'others stand in their places');
  answer(openingsOf(ids));
  await settle();
  assertHolds(opened, world);
  const again = client('ws-json', true);
  again.connect();
  await settle();
  const asked = history.questions[1]!;
  const strangers = world
    .rows()
    .map(({ id }) => String(id))
    .filter((id) => !ids.includes(id));
  assert.deepEqual([...asked.ids].sort(), strangers.sort());
  asked.answer(openingsOf(asked.ids));
  await settle();
  for (const row of again.table.odds.values()) assert.deepEqual(row.opening, openingOf(row.id));
});

test('an opening that history does not have is null, and is requested again by a later snapshot', async (t) => {
  const { history, world, show, client } = start(t, [LINE]);
  const first = client('sse', true);
  first.connect();
  await settle();
  history.questions[0]!.answer(new Map());
  await settle();
  assert.deepEqual(
    [...first.table.odds.values()].map((row) => row.opening),
    [null, null],
  );
  await show([{ ...LINE, price: -120 }]);
  const second = client('ws-json', true);
  second.connect();
  await settle();
  const { ids, answer } = history.questions[1]!;
  answer(openingsOf(ids));
  await settle();
  for (const row of second.table.odds.values()) assert.deepEqual(row.opening, openingOf(row.id));
  assertHolds(second, world);
});

test('if history does not answer, snapshots are sent without openings, and it is asked again after 5 s', async (t) => {
  const { history, world, client } = start(t, LADDER);
  const first = client('sse', true);
  first.connect();
  await settle();
  history.questions[0]!.fail();
  await settle();
  assert.ok(first.table.complete);
  assert.ok([...first.table.odds.values()].every((row) => row.opening === null));
  assertHolds(first, world);
  assert.equal(history.questions.length, 1);
  world.clock.set(world.clock.now() + 5_000);
  world.ingest(poll(world, 'draftkings', 'nba', 'event', [{ game: 0, quotes: [LINE] }]));
  const second = client('ws-json', true);
  second.connect();
  await settle();
  assert.equal(second.table.complete, false);
  assert.equal(history.questions.length, 2);
});

test('streams with openings are a group of their own, unless they have no odds', (t) => {
  const { world } = start(t, [LINE]);
  const keys = (channels: ('odds' | 'ev')[]) =>
    [true, false].map((openings) => subscriptionKey({ ...interestOf(world, {}, channels), openings }));
  assert.equal(new Set(keys(['odds'])).size, 2);
  assert.equal(new Set(keys(['ev'])).size, 1);
});
