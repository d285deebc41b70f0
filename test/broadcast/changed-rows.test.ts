// What a change is in the streams: an update of its row always, and in addition odds:locked where it is suspended,
// odds:added where more than its price changed.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { interestOf } from './interests.js';
import { TestClient, type Transport } from './wire.js';
import { poll, type Quote, settle, World } from './world.js';

const LINE: Quote = { market: 'total_points', line: 1.5, price: -110 };

function start(
  t: TestContext,
  transport: Transport,
): { world: World; client: TestClient; show(...quotes: Quote[]): Promise<void> } {
  const world = new World();
  t.after(() => world.broadcaster.close());
  const show = async (...quotes: Quote[]): Promise<void> => {
    world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes }]));
    await settle();
  };
  const client = new TestClient(world, transport, interestOf(world));
  return { world, client, show };
}

for (const transport of ['sse', 'ws-json', 'ws-msgpack'] as const)
  test(`${transport}: a suspension is an update and an odds:locked, an opening an update alone`, async (t) => {
    const { client, show, world } = start(t, transport);
    await show(LINE);
    client.connect();
    await settle();
    const joined = client.frames.length;
    await show({ ...LINE, suspended: true });
    const received = client.frames
      .slice(joined)
      .map(({ type, value }) => ({ type, value: value as Record<string, unknown> }));
    assert.deepEqual(
      received.map(({ type }) => type),
      ['odds:update', 'odds:locked'],
    );
    const rows = world.rows();
    const updates = (received[0]!.value['odds'] ?? received[0]!.value['data']) as Record<string, unknown>[];
    assert.deepEqual(
      updates.map(({ is_active, odds_american_previous }) => [is_active, odds_american_previous]),
      [
        [false, null],
        [false, null],
      ],
    );
    const { ids, count, book } = received[1]!.value;
    assert.deepEqual([[...(ids as string[])].sort(), count, book], [rows.map(({ id }) => id).sort(), 2, 'fanduel']);
    assert.ok([...client.table.odds.values()].every((row) => !row.is_active));
    const before = client.frames.length;
    await show(LINE);
    assert.deepEqual(
      client.frames.slice(before).map(({ type }) => type),
      ['odds:update'],
    );
    assert.ok([...client.table.odds.values()].every((row) => row.is_active));
  });

test('the snapshot of a later client has suspended rows; a row that is new and suspended is added and locked', async (t) => {
  const { client, show } = start(t, 'sse');
  await show({ ...LINE, suspended: true });
  client.connect();
  await settle();
  assert.ok([...client.table.odds.values()].every((row) => !row.is_active));
  assert.ok(!client.frames.some(({ type }) => type === 'odds:locked'));
  const joined = client.frames.length;
  await show({ ...LINE, suspended: true }, { market: 'moneyline', line: 0, price: 120, suspended: true });
  assert.deepEqual(
    client.frames.slice(joined).map(({ type }) => type),
    ['odds:added', 'odds:locked'],
  );
});

test('the previous price is the one that the row had, also if a tick has several changes', async (t) => {
  const { client, show, world } = start(t, 'sse');
  await show(LINE);
  client.connect();
  await settle();
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: [{ ...LINE, price: -115 }] }]));
  await show({ ...LINE, price: -120, suspended: true });
  const over = [...client.table.odds.values()].find((row) => row.selection_type === 'over')!;
  assert.deepEqual([over.odds_american, over.odds_american_previous, over.is_active], [-120, -115, false]);
});

for (const transport of ['sse', 'ws-json', 'ws-msgpack'] as const)
  test(`${transport}: a price that changes together with its link is an update too; one that is new is only added`, async (t) => {
    const { client, show, world } = start(t, transport);
    await show({ ...LINE, link: 'https://sportsbook.fanduel.com/a' });
    client.connect();
    await settle();
    const joined = client.frames.length;
    await show({ ...LINE, price: -120, link: 'https://sportsbook.fanduel.com/b' });
    const received = client.frames.slice(joined);
    assert.deepEqual(
      received.map(({ type }) => type),
      ['odds:added', 'odds:update'],
    );
    const { odds, data } = received[1]!.value as Record<string, Record<string, unknown>[]>;
    const prices = new Map((odds ?? data)!.map((row) => [row['id'], row['odds_american']]));
    assert.deepEqual(prices, new Map(world.rows().map(({ id, odds_american }) => [id, odds_american])));
    const before = client.frames.length;
    await show(
      { ...LINE, price: -120, link: 'https://sportsbook.fanduel.com/b' },
      { ...LINE, line: 3.5, alternate: true },
    );
    assert.deepEqual(
      client.frames.slice(before).map(({ type }) => type),
      ['odds:added'],
    );
  });
