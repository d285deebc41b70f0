import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WsSink, wsEncoders } from '../../src/front/ws/ws-sink.js';
import { interestOf } from './interests.js';
import { TestClient, type Transport } from './wire.js';
import { poll, type Quote, settle, smallSizes, World } from './world.js';

const SMALL = smallSizes(2, { snapshotRows: 2, chunkBytes: 1_600, turnBytes: 3_000 }, 12);

function worldOf(t: TestContext, options: ConstructorParameters<typeof World>[0] = {}): World {
  const world = new World(options);
  t.after(() => world.broadcaster.close());
  return world;
}

/** Many lines of one market: twice as many rows. */
function ladder(lines: number, price: number): Quote[] {
  return Array.from({ length: lines }, (_, i) => ({
    market: 'total_points' as const,
    line: i + 0.5,
    price,
    alternate: true,
  }));
}

function rowsOf(client: TestClient): string[] {
  return [...client.table.odds.values()].map((row) => `${row.id} ${row.odds_american} ${row.line}`).sort();
}

function inTable(world: World, league?: string): string[] {
  return world
    .rows()
    .filter((row) => league === undefined || row['league'] === league)
    .map((row) => `${row['id']} ${row['odds_american']} ${row['line']}`)
    .sort();
}

/** A client that has the whole of 40 lines and then stops reading. */
async function stalled(t: TestContext, transport: Transport): Promise<{ world: World; client: TestClient }> {
  const world = worldOf(t, { sizes: SMALL });
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(40, -110) }]));
  const client = new TestClient(world, transport, interestOf(world));
  client.connect();
  await settle();
  client.stall();
  return { world, client };
}

test('a row that reuses the place of one removed during a snapshot is not sent to clients whose filter excludes it', async (t) => {
  const world = worldOf(t, { sizes: SMALL });
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(10, -110) }]));
  const client = new TestClient(world, 'ws-json', interestOf(world, { league: 'nba' }));
  client.connect(true);
  assert.ok(client.full, 'the snapshot is under way');
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(2, -110) }]));
  world.ingest(poll(world, 'fanduel', 'nfl', 'event', [{ game: 0, quotes: ladder(10, -105) }]));
  client.unstall();
  await settle();
  assert.deepEqual(rowsOf(client), inTable(world, 'nba'));
});

test('a tick does not overtake frames that are still being sent to a client', async (t) => {
  const { world, client } = await stalled(t, 'sse');
  for (const book of ['fanduel', 'draftkings']) {
    world.ingest(poll(world, book, 'nba', 'event', [{ game: 0, quotes: ladder(40, -112) }]));
    await settle();
  }
  client.unstall();
  for (let turn = 0; turn < 60; turn++) {
    world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 1, quotes: ladder(1, 130 + turn) }]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await settle();
  assert.deepEqual(rowsOf(client), inTable(world));
});

test('a client that joins a snapshot begun for others receives the changes since then before it is complete', async (t) => {
  for (const transport of ['sse', 'ws-json', 'ws-msgpack'] as const) {
    const world = worldOf(t, { sizes: SMALL });
    world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(10, -110) }]));
    const first = new TestClient(world, transport, interestOf(world));
    first.connect();
    await settle();
    // A changed price, removed rows and added rows.
    world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(7, -125) }]));
    world.ingest(poll(world, 'draftkings', 'nba', 'event', [{ game: 0, quotes: ladder(5, -115) }]));
    await settle();
    const acknowledged = inTable(world);
    const second = new TestClient(world, transport, interestOf(world));
    second.connect();
    await settle();
    const complete = second.frames.findIndex(({ type }) => type === 'snapshot:complete');
    assert.equal(complete, second.frames.length - 1, 'nothing comes after');
    assert.ok(
      second.frames.some(({ type }) => type === 'odds:removed'),
      'it was the first one’s snapshot',
    );
    assert.deepEqual(rowsOf(second), acknowledged);
    assert.equal((second.frames[complete]!.value as { total_odds: number }).total_odds, acknowledged.length);
    assert.deepEqual(second.positions, [world.table.position], 'no position before it is complete');
  }
});

test('a reader is not stuck because its snapshot takes long to write', async (t) => {
  const world = worldOf(t, { sizes: SMALL });
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(60, -110) }]));
  const client = new TestClient(world, 'sse', interestOf(world));
  client.connect();
  for (let turn = 0; turn < 12; turn++) {
    world.clock.set(world.clock.now() + 1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(!client.table.complete, 'it is still being sent');
  client.stall();
  await settle();
  assert.ok(client.full);
  world.broadcaster.sweep();
  assert.equal(client.failed, null, 'it took something a moment ago');
  client.unstall();
  await settle();
  assert.deepEqual(rowsOf(client), inTable(world));
});

test('clients that request snapshots at once are served in turns, a chunk each, and nothing twice', async (t) => {
  const world = worldOf(t, { sizes: SMALL });
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(60, -110) }]));
  const clients = Array.from({ length: 4 }, () => new TestClient(world, 'ws-json', interestOf(world)));
  for (const client of clients) client.connect();
  const rows = () => clients.map((client) => client.table.odds.size);
  assert.ok(rows().every((count) => count < 120));
  for (let budget = 0; rows().some((count) => count < 120); budget++) {
    assert.ok(budget < 500);
    const [least, most] = [Math.min(...rows()), Math.max(...rows())];
    assert.ok(most - least <= 5 * SMALL.snapshotRows, `${rows()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const client of clients) {
    const initial = client.frames.filter(({ type }) => type === 'initial');
    assert.equal(initial.length, 60);
    assert.deepEqual(rowsOf(client), inTable(world));
  }
});

test('the memory for a client that stopped reading is bounded, however much changes, and its final state is exact', async (t) => {
  const world = worldOf(t);
  const everything = (lines: number, price: number) => {
    for (const book of ['fanduel', 'draftkings', 'betmgm'])
      for (const league of ['nba', 'nfl'] as const) {
        const games = ([0, 1] as const).map((game) => ({ game, quotes: ladder(lines, price) }));
        world.ingest(poll(world, book, league, 'event', games));
      }
  };
  everything(14, -110);
  const clients = (['sse', 'ws-json', 'ws-msgpack'] as const).map(
    (transport) => new TestClient(world, transport, interestOf(world)),
  );
  const reader = new TestClient(world, 'sse', interestOf(world));
  reader.connect();
  for (const client of clients) client.connect();
  await settle();
  for (const client of clients) client.stall();
  let before = reader.frames.length;
  for (let round = 0; round < 8; round++) {
    everything(14 - round, -120 - round);
    await settle();
    assert.ok(reader.frames.length > before, 'the others go on');
    before = reader.frames.length;
  }
  for (const client of clients) {
    assert.ok(client.pendingBytesMax <= 64 * 1024, `${client.transport} ${client.pendingBytesMax}`);
    client.unstall();
    await settle();
    assert.deepEqual(rowsOf(client), inTable(world), client.transport);
  }
});

test('a client that accepts nothing for 10 s while data is waiting is sent the reason, if possible, and disconnected', async (t) => {
  const world = worldOf(t);
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(20, -110) }]));
  const stuck = (['sse', 'ws-json'] as const).map((transport) => new TestClient(world, transport, interestOf(world)));
  const slow = new TestClient(world, 'ws-json', interestOf(world, { league: 'nba' }));
  const quiet = new TestClient(world, 'sse', interestOf(world, { league: 'nfl' }));
  for (const client of [...stuck, slow, quiet]) client.connect();
  await settle();
  // Time in which nothing had to be sent does not count.
  world.clock.set(world.clock.now() + 60_000);
  for (const client of [...stuck, slow]) client.stall();
  for (let round = 0; round < 3; round++) {
    world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(20, -111 - round) }]));
    await settle();
  }
  world.broadcaster.sweep();
  world.clock.set(world.clock.now() + 9_900);
  world.broadcaster.sweep();
  assert.deepEqual(
    [...stuck, slow].map((client) => client.failed),
    [null, null, null],
  );
  slow.unstall();
  slow.stall();
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(20, -120) }]));
  await settle();
  world.clock.set(world.clock.now() + 200);
  world.broadcaster.sweep();
  assert.deepEqual(
    [...stuck, slow, quiet].map((client) => client.failed),
    ['closed', 'closed', null, null],
  );
  assert.equal(world.broadcaster.stats.stuckClosed, 2);
  assert.equal(world.broadcaster.subscriberCount, 2);
  for (const client of stuck) {
    client.unstall();
    assert.equal((client.frames.at(-1)!.value as { code: string }).code, 'backpressure');
  }
});

test('a client that is further behind than the log reaches is told to start over', async (t) => {
  const world = worldOf(t);
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(10, -110) }]));
  const client = new TestClient(world, 'ws-json', interestOf(world));
  client.connect();
  await settle();
  client.stall();
  for (const lines of [10, 5, 3]) {
    world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(lines, -120 - lines) }]));
    await settle();
  }
  world.table.tombstones.expire(world.table.position);
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(2, -150) }]));
  client.unstall();
  await settle();
  assert.ok(client.frames.some(({ type }) => type === 'snapshot_required'));
  assert.deepEqual(rowsOf(client), inTable(world));
});

test('a slow client with more changes than one sequence of frames lists gets all of them, whatever changes meanwhile', async (t) => {
  for (const transport of ['sse', 'ws-json', 'ws-msgpack'] as const) {
    const world = worldOf(t, { sizes: SMALL });
    const both = (lines: number, price: number) => {
      for (const book of ['fanduel', 'draftkings'])
        world.ingest(poll(world, book, 'nba', 'event', [{ game: 0, quotes: ladder(lines, price) }]));
    };
    both(30, -110);
    const client = new TestClient(world, transport, interestOf(world));
    client.connect();
    await settle();
    client.stall();
    both(20, -112);
    await settle();
    both(40, -114);
    await settle();
    // One step at a time: rows within the walk change, are removed and are added.
    for (let turn = 0; client.full && turn < 200; turn++) {
      client.unstall(1);
      if (turn % 5 === 0) both(20 + ((turn * 7) % 25), -115 - (turn % 20));
      await settle(1);
    }
    client.unstall();
    await settle();
    assert.deepEqual(rowsOf(client), inTable(world), transport);
    assert.equal(client.position, world.table.position);
    assert.ok(!client.frames.some(({ type }) => type === 'snapshot_required'));
  }
});

test('the last update of a book within a tick is marked, also if its rows are removed before it is sent', async (t) => {
  const world = worldOf(t, { sizes: SMALL });
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(20, -110) }]));
  const client = new TestClient(world, 'sse', interestOf(world));
  client.connect();
  await settle();
  const before = client.frames.length;
  client.stall();
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(20, -112) }]));
  await settle();
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(4, -112) }]));
  client.unstall();
  await settle();
  const partial = client.frames
    .slice(before)
    .filter(({ type }) => type === 'odds:update')
    .map(({ value }) => (value as { partial: boolean }).partial);
  assert.ok(partial.length > 1);
  assert.deepEqual(
    partial,
    partial.map((_, i) => i + 1 < partial.length),
  );
  assert.deepEqual(rowsOf(client), inTable(world));
});

test('a slow client starts over if changes were forgotten before it received them', async (t) => {
  const { world, client } = await stalled(t, 'ws-json');
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(1, -110) }]));
  await settle();
  assert.ok(client.full && client.table.odds.size > 2, 'it is being sent what was removed');
  world.table.tombstones.expire(world.table.position);
  client.unstall();
  await settle();
  assert.ok(client.frames.some(({ type }) => type === 'snapshot_required'));
  assert.deepEqual(rowsOf(client), inTable(world));
});

test('the memory for a client that stopped reading does not grow with the rows it missed', async (t) => {
  const world = worldOf(t);
  const everything = (lines: number, price: number) => {
    for (const book of ['fanduel', 'draftkings', 'betmgm', 'caesars'])
      world.ingest(poll(world, book, 'nba', 'event', [{ game: 0, quotes: ladder(lines, price) }]));
  };
  const lines = 1_500;
  everything(lines, -110);
  const positions: number[] = [];
  for (let i = 0; i < 20; i++) {
    positions.push(world.table.position);
    world.ingest(poll(world, 'pinnacle', 'nba', 'event', [{ game: 1, quotes: ladder(1, -110 - i) }]));
  }
  everything(lines, -112);
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const clients = positions.map(() => new TestClient(world, 'sse', interestOf(world)));
  const join = async (from: number, to: number): Promise<number> => {
    for (let i = from; i < to; i++) {
      // Each client is at another position, so that no two share a sequence of frames.
      clients[i]!.position = positions[i]!;
      assert.ok(clients[i]!.connect(true).resumed);
    }
    await settle();
    gc();
    return process.memoryUsage().heapUsed;
  };
  const before = await join(0, 5);
  const each = ((await join(5, 20)) - before) / 15;
  // The wire of these tests buffers one chunk, as a socket would.
  assert.ok(each < 64 * 1024 + 2 * 1024, `${each} bytes a client`);
  assert.ok(clients.every(({ full }) => full));
});

test('resume is refused beyond the head and before the log, with a snapshot and the reason', async (t) => {
  const world = worldOf(t);
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(2, -110) }]));
  await settle();
  for (const [position, refused] of [
    [world.table.position + 1, 'unknown_position'],
    [Number.NaN, 'unknown_position'],
    [5, 'too_old'],
    [world.table.position, null],
  ] as const) {
    const client = new TestClient(world, 'ws-json', interestOf(world));
    client.position = position;
    const start = client.connect();
    assert.deepEqual([start.refused, start.resumed], [refused, refused === null]);
    client.vanish(0);
  }
});

test('a client that was cut within a sequence of frames removes, on resuming, rows of it that no longer exist', async (t) => {
  for (const transport of ['sse', 'ws-json'] as const) {
    const world = worldOf(t, { sizes: SMALL });
    const client = new TestClient(world, transport, interestOf(world));
    client.connect();
    await settle();
    client.stall();
    world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(10, -110) }]));
    await settle();
    const before = client.table.odds.size;
    assert.ok(before > 0 && before < 20, `${before} rows of the course have come`);
    client.vanish(0);
    world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: [] }]));
    world.ingest(poll(world, 'fanduel', 'nba', 'league', []));
    const start = client.connect();
    await settle();
    assert.equal(start.resumed, true);
    assert.deepEqual(rowsOf(client), inTable(world));
  }
});

test('a client that goes while it is told that another subscription takes the place of one that waits is sent nothing more', async (t) => {
  for (const next of ['move', 'start'] as const) {
    const world = worldOf(t, { mayCome: () => true });
    const { broadcaster } = world;
    const sink = new WsSink(closableSocket(), 'json');
    const subscriber = broadcaster.subscriber(broadcaster.claimGroup(wsEncoders.json, interestOf(world)), sink);
    broadcaster.start(subscriber, world.table.position + 1, () => {
      sink.end(4000, 'backpressure');
      broadcaster.leave(subscriber);
    });
    if (next === 'move') broadcaster.move(subscriber, wsEncoders.json, interestOf(world, { league: 'nba' }));
    broadcaster.start(subscriber, null, () => assert.fail('nobody is there to be told'));
    world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(2, -110) }]));
    await settle();
    world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: ladder(2, -120) }]));
    await settle();
    assert.deepEqual([broadcaster.subscriberCount, broadcaster.groupCount], [0, 0], next);
  }
});

/** As uWebSockets' own: to touch it after its end is an error. */
function closableSocket(): ConstructorParameters<typeof WsSink>[0] {
  let isOpen = true;
  const open = <Result>(result: Result): Result => {
    assert.ok(isOpen, 'the socket is closed');
    return result;
  };
  const close = (): void => {
    isOpen = open(false);
  };
  return {
    send: () => open(1),
    cork: (callback) => open(callback)(),
    getBufferedAmount: () => open(0),
    ping: () => open(1),
    end: close,
    close,
  };
}
