import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../long.js';
import { interestOf } from './interests.js';
import { TestClient, TRANSPORTS, type Transport } from './wire.js';
import { poll, type Quote, settle, smallSizes, World } from './world.js';

/** Clients of one group: frames that all of them share must reach each, whatever happens to the others meanwhile. */
const CLIENTS = 7;

type Step =
  | { do: 'poll'; book: string; quotes: Quote[] }
  | { do: 'stall' | 'unstall' | 'return' | 'vanish' | 'ask'; who: number }
  /** `who` disconnects in the middle of a write to `at`. */
  | { do: 'die'; who: number; at: number }
  | { do: 'tick' | 'beat' };

const who = fc.nat(CLIENTS - 1);
const quote: fc.Arbitrary<Quote> = fc.record({
  market: fc.constantFrom('moneyline', 'total_points'),
  line: fc.constantFrom(1.5, 2.5),
  price: fc.constantFrom(-120, -115, 105, 110, 150),
  alternate: fc.boolean(),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('poll' as const),
      book: fc.constantFrom('draftkings', 'fanduel'),
      quotes: fc.array(quote, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('tick' as const, 'tick' as const, 'beat' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('stall' as const, 'unstall' as const, 'return' as const, 'vanish' as const, 'ask' as const),
      who,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('die' as const), who, at: who }) },
);

class Run {
  readonly world: World;
  readonly clients: TestClient[];

  constructor(transport: Transport, chunkBytes: number) {
    this.world = new World({
      sizes: smallSizes(2, { snapshotRows: 3, chunkBytes, turnBytes: 4_000 }),
    });
    const { world } = this;
    this.clients = Array.from({ length: CLIENTS }, () => new TestClient(world, transport, interestOf(world)));
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const client of this.clients) client.connect();
    await settle();
    for (const next of steps) await this.#play(next);
    await settle();
    for (const client of this.clients) client.atWrite = null;
    for (const client of this.clients) {
      client.unstall();
      if (!client.connected) client.connect();
    }
    await settle();
    this.check();
    for (const client of this.clients) client.vanish(0);
    assert.equal(this.world.broadcaster.groupCount, 0);
  }

  /** When nothing is pending, every client that reads has the whole table. */
  check(): void {
    const table = this.world.rows().map(priced).sort();
    for (const client of this.clients)
      if (client.connected && !client.stalled)
        assert.deepEqual([...client.table.odds.values()].map(priced).sort(), table);
  }

  async #play(next: Step): Promise<void> {
    const client = 'who' in next ? this.clients[next.who]! : this.clients[0]!;
    switch (next.do) {
      case 'poll':
        this.world.ingest(poll(this.world, next.book, 'nba', 'event', [{ game: 0, quotes: next.quotes }]));
        break;
      case 'stall':
        if (client.connected) client.stall();
        break;
      case 'unstall':
        client.unstall();
        break;
      case 'return':
        if (!client.connected) client.connect();
        break;
      case 'vanish':
        if (client.connected) client.vanish(0);
        break;
      case 'ask':
        client.ask();
        break;
      case 'die':
        this.clients[next.at]!.atWrite = () => {
          if (client.connected) client.vanish(0);
        };
        break;
      case 'beat':
        await settle();
        this.world.beat();
        break;
      case 'tick':
        await settle();
        this.check();
    }
  }
}

function priced(row: object): string {
  const { id, odds_american, line } = row as { id: string; odds_american: number; line: number | null };
  return `${id} ${odds_american} ${line}`;
}

for (const transport of TRANSPORTS)
  test(`${transport}: frames of a group reach each member once, even if others are full, send requests, disconnect or return meanwhile`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(250, 100_000),
        fc.array(step, { minLength: 10, maxLength: 50 }),
        async (chunkBytes, steps) => {
          const run = new Run(transport, chunkBytes);
          try {
            await run.play(steps);
          } finally {
            run.world.broadcaster.close();
          }
        },
      ),
      { numRuns: runs(10) },
    );
  });

test('a member that requested a turn and is up to date by then receives nothing twice', async (t) => {
  const world = new World({ sizes: smallSizes(9, { snapshotRows: 2, chunkBytes: 1_600, turnBytes: 1 }) });
  t.after(() => world.broadcaster.close());
  const quotes = (price: number): Quote[] => [{ market: 'moneyline', line: 0, price }];
  world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: quotes(110) }]));
  const clients = Array.from({ length: 4 }, () => new TestClient(world, 'ws-json', interestOf(world)));
  for (const client of clients) client.connect();
  for (let turn = 0; turn < 30; turn++) {
    world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: quotes(120 + turn) }]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await settle();
  for (const client of clients) {
    assert.deepEqual([...client.table.odds.values()].map(priced).sort(), world.rows().map(priced).sort());
    const received = client.frames.flatMap(({ type, value }) =>
      type === 'odds:update' ? [(value as { global_seq: number }).global_seq] : [],
    );
    assert.deepEqual(received, [...new Set(received)]);
  }
});

test('a client that is closed in the middle of the walk is not written to again, and no client is skipped', async (t) => {
  for (const transport of ['sse', 'ws-json'] as const) {
    const world = new World();
    t.after(() => world.broadcaster.close());
    const clients = Array.from({ length: 6 }, () => new TestClient(world, transport, interestOf(world)));
    for (const client of clients) client.connect();
    world.ingest(
      poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: [{ market: 'moneyline', line: 0, price: 105 }] }]),
    );
    await settle();
    const before = clients.map(({ frames }) => frames.length);
    // During the third client's write, the first (already served), the third itself and the fifth (not served yet)
    // disconnect.
    clients[2]!.atWrite = () => {
      for (const gone of [0, 2, 4]) clients[gone]!.vanish(0);
    };
    world.ingest(
      poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: [{ market: 'moneyline', line: 0, price: 125 }] }]),
    );
    await settle();
    assert.deepEqual(
      clients.map(({ frames }, i) => frames.length - before[i]!),
      [1, 1, 1, 1, 0, 1],
      transport,
    );
    assert.equal(world.broadcaster.subscriberCount, 3);
  }
});

test('a client that a chunk filled does not receive its position again, and one that its own answer filled catches up alone', async (t) => {
  const world = new World();
  t.after(() => world.broadcaster.close());
  const priced = (price: number) => {
    const quotes: Quote[] = [1.5, 2.5, 3.5].map((line) => ({ market: 'total_points', line, price, alternate: true }));
    world.ingest(poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes }]));
    return settle();
  };
  await priced(105);
  const [sse, ws, other] = (['sse', 'ws-json', 'ws-json'] as const).map((transport) => {
    const client = new TestClient(world, transport, interestOf(world));
    client.connect();
    return client;
  }) as [TestClient, TestClient, TestClient];
  await priced(110);
  await priced(115);
  sse.stall();
  for (let price = 120; !sse.full; price++) await priced(price);
  sse.unstall();
  // The client itself checks that ids increase.
  world.beat();
  assert.equal(sse.frames.at(-1)!.type, 'heartbeat');

  ws.stall();
  while (!ws.full) ws.ask();
  assert.equal(world.broadcaster.fullCount, 1);
  const pending = ws.pendingBytesMax;
  await priced(150);
  assert.equal(ws.pendingBytesMax, pending, 'a full socket is not written to');
  world.clock.set(world.clock.now() + 11_000);
  world.broadcaster.sweep();
  assert.deepEqual([ws.failed, sse.failed, other.failed], ['closed', null, null]);
});

test('a member that subscribes again does not go back behind what its group received', async (t) => {
  const world = new World();
  t.after(() => world.broadcaster.close());
  const priced = (price: number) => {
    world.ingest(
      poll(world, 'fanduel', 'nba', 'event', [{ game: 0, quotes: [{ market: 'moneyline', line: 0, price }] }]),
    );
    return settle();
  };
  const [first, second] = [0, 1].map(() => new TestClient(world, 'ws-json', interestOf(world)));
  first!.connect();
  await priced(105);
  second!.connect();
  await priced(110);
  assert.equal(first!.again().at.position, world.table.position);
  await priced(115);
  assert.equal(first!.positions.at(-1), world.table.position);
});
