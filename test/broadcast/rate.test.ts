// Chosen rates: what clients of a group with `max_hz` get, when, and that nothing of it is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ManualClock } from '../../src/base/model/clock.js';
import { until } from '../support/until.js';
import { type FilterWords, interestOf } from './interests.js';
import { TestClient, type Transport } from './wire.js';
import { poll, settle, smallSizes, World } from './world.js';

const at = (world: World, price: number, line = 1.5) =>
  poll(world, 'draftkings', 'nba', 'event', [{ game: 0, quotes: [{ market: 'moneyline', line, price }] }]);

const client = (world: World, transport: Transport, maxHz?: number, words: FilterWords = {}) =>
  new TestClient(world, transport, { ...interestOf(world, words), maxHz });

function passes(world: World, ms: number): void {
  (world.clock as ManualClock).set(world.clock.now() + ms);
  world.broadcaster.changed();
}

const updates = (one: TestClient) => one.frames.filter(({ type }) => type === 'odds:update').length;
const priced = (rows: Iterable<object>) =>
  [...rows].map((row) => `${(row as { id: string }).id} ${(row as { odds_american: number }).odds_american}`).sort();

for (const transport of ['sse', 'ws-json', 'sse-gzip', 'ws-deflate'] as const)
  test(`${transport}: a group with a rate gets its first change at once and merges those that follow`, async () => {
    const world = new World();
    world.ingest(at(world, -110));
    const all = client(world, transport);
    const slow = [1, 2].map(() => client(world, transport, 2));
    for (const one of [all, ...slow]) one.connect();
    await settle();
    assert.equal(world.broadcaster.groupCount, 2, 'clients with the same rate share a group');
    passes(world, 600);
    await settle();
    const before = [all, ...slow].map(updates);
    for (const price of [-111, -112, -113, -114]) {
      world.ingest(at(world, price));
      await settle();
    }
    const seen = () => [all, ...slow].map((one, i) => updates(one) - before[i]!);
    assert.deepEqual(seen(), [4, 1, 1]);
    passes(world, 400);
    await settle();
    assert.deepEqual(seen(), [4, 1, 1], 'half a second has not passed');
    passes(world, 100);
    await settle();
    assert.deepEqual(seen(), [4, 2, 2]);
    for (const one of [all, ...slow]) {
      assert.deepEqual(priced(one.table.odds.values()), priced(world.rows()));
      assert.equal(one.position, world.table.position);
    }
    passes(world, 10_000);
    await settle();
    assert.deepEqual(seen(), [4, 2, 2], 'nothing has changed');
    world.broadcaster.close();
  });

type Step = { do: 'poll' | 'join' | 'stall' | 'unstall' | 'vanish' | 'beat' | 'tick'; n: number };
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('poll', 'poll', 'poll', 'join', 'stall', 'unstall', 'vanish', 'beat', 'tick', 'tick'),
  n: fc.nat(5),
});

test('whoever joins, stalls or resumes in a group with a rate has the whole table in the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<Transport>('sse', 'sse-gzip', 'ws-deflate', 'ws-msgpack'),
      fc.array(step, { maxLength: 40 }),
      async (transport, steps) => {
        const world = new World({ sizes: smallSizes(2, { snapshotRows: 3, chunkBytes: 400, turnBytes: 4_000 }) });
        const clients = Array.from({ length: 4 }, () => client(world, transport, 5));
        for (const next of steps) {
          const one = clients[next.n % clients.length]!;
          if (next.do === 'poll') world.ingest(at(world, 100 + next.n, 1.5 + (next.n % 3)));
          else if (next.do === 'join') one.connected || one.connect();
          else if (next.do === 'stall') one.connected && one.stall();
          else if (next.do === 'unstall') one.unstall();
          else if (next.do === 'vanish') one.connected && one.vanish(0);
          else if (next.do === 'beat') world.beat();
          else {
            passes(world, 70 * next.n);
            await settle(20);
          }
        }
        for (const one of clients) {
          one.unstall();
          if (!one.connected) one.connect();
        }
        for (let i = 0; i < 3; i++) {
          await settle(20);
          passes(world, 250);
        }
        await settle();
        for (const one of clients) assert.deepEqual(priced(one.table.odds.values()), priced(world.rows()));
        world.broadcaster.close();
      },
    ),
    { numRuns: 60 },
  );
});

test('a group that is behind ticks by itself once it has rested', async () => {
  const world = new World();
  const one = client(world, 'ws-json', 20);
  one.connect();
  await settle();
  world.ingest(at(world, -110));
  await settle();
  world.ingest(at(world, -120));
  await settle();
  assert.notEqual(one.position, world.table.position);
  // The timer is real, and the test's clock stands still: it is due too early until that goes on.
  await new Promise((resolve) => setTimeout(resolve, 120));
  assert.notEqual(one.position, world.table.position);
  (world.clock as ManualClock).set(world.clock.now() + 50);
  await until('it ticks', () => one.position === world.table.position);
  world.broadcaster.close();
});
