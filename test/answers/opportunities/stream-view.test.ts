// A client that follows a group's changes has, at every position, exactly the group's active opportunities.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { OpportunityNews, OpportunityView } from '../../../src/answers/opportunities/views.js';
import { BET_KINDS } from '../../../src/base/model/opportunity.js';
import { Pace } from '../../../src/detection/pace.js';
import type { Opportunity } from '../../../src/log/delta/opportunity.js';
import { universeOf } from '../../../src/tables/filter/universe.js';
import { runs } from '../../long.js';
import { example, idOf, NOW_MS, news } from './examples.js';
import { catalogue, made } from './stream-rig.js';

/** A client's state, with the rules it may count on. */
class Client {
  readonly active = new Map<string, string>();

  take(list: readonly OpportunityNews[], view: OpportunityView): void {
    for (const { kind, detected, expired } of list) {
      for (const id of expired) assert.ok(this.active.delete(`${kind} ${id}`), `${id} expired without being detected`);
      for (const id of detected) this.active.set(`${kind} ${id}`, view.text(id)!);
    }
  }
}

function aliveNow(view: OpportunityView): Map<string, string> {
  const client = new Client();
  client.take(view.active(NOW_MS), view);
  return client.active;
}

const KIND_OF = BET_KINDS;
const step = fc.record({
  n: fc.integer({ min: 0, max: 7 }),
  what: fc.constantFrom('detected', 'detected', 'detected', 'expired', 'expired'),
  edge: fc.constantFrom(0.2, 1, 2, 3, 6, 12),
  /** Which of the clients read now. */
  looks: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
});

test('whatever begins, changes, ends and returns, a client that reads now and then ends with the active opportunities', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { table, streams, ask } = made();
      const groups = [ask(), ask({ minEv: 5, minProfit: 2, maxHold: 2 }), ask({ kinds: ['arbitrage'] })];
      const views = groups.map((group) => streams.open(group));
      let position = 1_000;
      const alive = new Map<string, Opportunity>();
      const clients = views.map(() => ({ client: new Client(), at: position }));
      table.apply({ position, shard: 0, opportunities: [news('pro', { from: 0 })] });
      for (const { n, what, edge, looks } of steps) {
        position++;
        const kind = KIND_OF[n % 4]!;
        const id = idOf(n);
        const known = alive.get(id);
        if (what === 'detected') {
          const now = example(kind, { id, edge, updatedPosition: position, detectedUs: known?.detectedUs ?? position });
          alive.set(id, now);
          table.apply({ position, shard: 0, opportunities: [news('pro', { detected: [now] })] });
        } else if (what === 'expired') {
          if (!alive.delete(id)) continue;
          table.apply({ position, shard: 0, opportunities: [news('pro', { expired: [{ kind, id }] })] });
        }
        for (const [i, view] of views.entries()) {
          const follower = clients[i]!;
          if (!looks[i]) continue;
          follower.client.take(view.changesSince(follower.at, NOW_MS), view);
          follower.at = position;
          assert.deepEqual([...follower.client.active].sort(), [...aliveNow(view)].sort());
        }
      }
    }),
    { numRuns: runs(100) },
  );
});

test('a client that reads the active opportunities and their changes piece by piece, while they change, ends with the active ones', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), ([...steps]) => {
      const { table, streams, ask } = made();
      const view = streams.open(ask({ minEv: 2, minProfit: 2, maxHold: 6, minSize: 2 }));
      let position = 1_000;
      const alive = new Map<string, Opportunity>();
      const active = new Map<string, string>();
      table.apply({ position, shard: 0, opportunities: [news('pro', { from: 0 })] });
      let walks = view.activeWalk(position);
      let place = walks[0]!.from;
      let upTo = position;
      const goOn = (): boolean => {
        const walk = walks[0];
        if (walk === undefined) return false;
        assert.ok(!walk.lost(place));
        // A byte: one item at a time.
        const { news: readyCount, next } = walk.take(place, null, 1);
        const again = walk.take(place, next ?? Number.POSITIVE_INFINITY, 1);
        assert.deepEqual(again.news, readyCount, 'between the same places lies the same');
        for (const { kind, detected, expired } of readyCount) {
          for (const id of expired) active.delete(`${kind} ${id}`);
          for (const id of detected) active.set(`${kind} ${id}`, view.text(id)!);
        }
        if (next === null) walks = walks.slice(1);
        place = next ?? walks[0]?.from ?? 0;
        return true;
      };
      for (const { n, what, edge, looks } of steps) {
        position++;
        const kind = KIND_OF[n % 4]!;
        const id = idOf(n);
        const known = alive.get(id);
        let part: Parameters<typeof news>[1];
        if (what === 'detected') {
          const now = example(kind, { id, edge, updatedPosition: position, detectedUs: known?.detectedUs ?? position });
          alive.set(id, now);
          part = { detected: [now] };
        } else {
          alive.delete(id);
          part = { expired: [{ kind, id }] };
        }
        table.apply({ position, shard: 0, opportunities: [news('pro', part)] });
        for (const look of looks)
          if (look && !goOn()) {
            walks = view.changesWalk(upTo, position, false);
            place = walks[0]!.from;
            upTo = position;
          }
      }
      while (goOn());
      for (const { kind, detected, expired } of view.changesSince(upTo, NOW_MS)) {
        for (const id of expired) active.delete(`${kind} ${id}`);
        for (const id of detected) active.set(`${kind} ${id}`, view.text(id)!);
      }
      assert.deepEqual([...active].sort(), [...aliveNow(view)].sort());
    }),
    { numRuns: runs(100) },
  );
});

test('an opportunity below the threshold is detected when it rises above it and expired when it falls, once each', () => {
  const { table, streams, ask } = made();
  const view = streams.open(ask());
  const at = (position: number, edge: number) =>
    table.apply({ position, shard: 0, opportunities: [news('pro', { detected: [example('ev', { edge })] })] });
  table.apply({ position: 10, shard: 0, opportunities: [news('pro', { from: 0 })] });
  at(11, 1.9);
  assert.deepEqual(view.changesSince(10, NOW_MS), []);
  at(12, 2);
  assert.equal(view.changesSince(11, NOW_MS)[0]?.detected.length, 1);
  at(13, 1);
  assert.deepEqual(view.changesSince(12, NOW_MS), [{ kind: 'ev', detected: [], expired: ['00000000000000e1'] }]);
  at(14, 0.5);
  assert.deepEqual(view.changesSince(13, NOW_MS), []);
  assert.deepEqual(
    view.changesSince(10, NOW_MS),
    [],
    'a client that was away since before its rise does not receive it',
  );
});

test('an opportunity that ended and was found again between two reads only changed', () => {
  const { table, streams, ask } = made();
  const view = streams.open(ask());
  const at = (position: number, part: Parameters<typeof news>[1]) =>
    table.apply({ position, shard: 0, opportunities: [news('pro', part)] });
  at(10, { detected: [example('ev')] });
  at(11, { expired: [{ kind: 'ev', id: '00000000000000e1' }] });
  at(12, { detected: [example('ev', { edge: 5 })] });
  assert.deepEqual(
    view.changesSince(10, NOW_MS).map(({ detected, expired }) => [detected.length, expired]),
    [[1, []]],
  );
  at(13, { expired: [{ kind: 'ev', id: '00000000000000e1' }] });
  at(14, { detected: [example('ev', { edge: 1 })] });
  assert.deepEqual(view.changesSince(12, NOW_MS)[0]?.expired, ['00000000000000e1']);
});

test('what the shards have stored keeps its updated positions, so only later changes are sent', () => {
  const { table, streams, ask } = made();
  const view = streams.open(ask());
  const at = (n: number, updatedAt: number) =>
    example('ev', { id: idOf(n), updatedPosition: updatedAt, detectedUs: 5 });
  table.of('pro').restore(0, 60, 50, [at(1, 20), at(2, 40)]);
  table.of('pro').restore(1, 60, 51, [at(3, 30), at(4, 10)]);
  const ids = (after: number) =>
    view
      .changesSince(after, NOW_MS)
      .flatMap(({ detected }) => detected)
      .sort();
  assert.deepEqual(ids(25), [idOf(2), idOf(3)]);
  assert.deepEqual(ids(9), [1, 2, 3, 4].map(idOf));
  assert.ok(view.reaches(51));
  assert.ok(!view.reaches(50), 'what ended before is not known');
});

test('a change that is held is listed at once and sent at its position: once, wherever a reader starts, also after a restart', () => {
  const change = fc.record({
    n: fc.integer({ min: 0, max: 3 }),
    after: fc.integer({ min: 1, max: 700_000 }),
    what: fc.constantFrom('change', 'change', 'change', 'end', 'nothing'),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), fc.nat(40), (changes, restartAt) => {
      let world = made();
      let view = world.streams.open(world.ask());
      const pace = new Pace();
      let position = NOW_MS * 1000;
      const active = new Map<string, Opportunity>();
      /** By id: the positions at which streams are to be sent it. */
      const due = new Map<string, number[]>();
      /** Of the reader that reads at every position. */
      const sent = new Map<string, number[]>();
      world.table.apply({ position, shard: 0, opportunities: [news('pro', { from: 0 })] });
      for (const [at, { n, after, what }] of changes.entries()) {
        const before = position;
        position += after;
        pace.at(position, position / 1000);
        const id = idOf(n);
        const known = active.get(id);
        let part: Parameters<typeof news>[1] | undefined;
        if (what === 'end' && known !== undefined) {
          active.delete(id);
          due.set(
            id,
            due.get(id)!.filter((one) => one <= before),
          );
          part = { expired: [{ kind: 'ev', id }] };
        } else if (what === 'change') {
          const updatedPosition = known === undefined ? position : pace.next(known.updatedPosition);
          const now = example('ev', { id, edge: 2 + (position % 5), updatedPosition, detectedUs: position });
          active.set(id, now);
          const list = due.get(id) ?? [];
          due.set(id, list.includes(updatedPosition) ? list : [...list, updatedPosition]);
          part = { detected: [now] };
        }
        world.table.apply({ position, shard: 0, opportunities: part === undefined ? [] : [news('pro', part)] });
        assert.equal(view.active(NOW_MS)[0]?.detected.length ?? 0, active.size);
        const read = view.changesSince(before, NOW_MS).flatMap(({ detected }) => detected);
        for (const one of read) sent.set(one, [...(sent.get(one) ?? []), position]);
        if (at !== restartAt) continue;
        world = made();
        view = world.streams.open(world.ask());
        world.table.of('pro').restore(0, position, NOW_MS * 1000, [...active.values()]);
        assert.deepEqual(view.changesSince(position, NOW_MS), [], 'a reader that has everything is sent nothing');
      }
      for (const [id, positions] of due) {
        const reached = positions.filter((one) => one <= position);
        const times = sent.get(id) ?? [];
        // One that ended and came back within a reader's step is sent once.
        assert.ok(times.length <= reached.length, `${id} was sent ${times} for ${reached}`);
        for (const one of reached)
          assert.ok(
            times.some((time) => time >= one && time - one <= 700_000),
            `${id} was not sent after ${one}: ${times}`,
          );
      }
    }),
    { numRuns: runs(100) },
  );
});

test('what the log has dropped is dropped here, and reported', () => {
  const { table, universes, streams, ask } = made();
  const view = streams.open(ask());
  const known = example('ev', { updatedPosition: 10, detectedUs: 10 });
  table.apply({ position: 10, shard: 0, opportunities: [news('pro', { from: 0, detected: [known] })] });
  table.apply({
    position: 20,
    shard: 0,
    opportunities: [news('pro', { expired: [{ kind: 'ev', id: '00000000000000e1' }] })],
  });
  assert.ok(view.reaches(10));
  universes.sweep(15);
  assert.equal(view.changesSince(15, NOW_MS)[0]?.expired.length, 1);
  universes.sweep(25);
  assert.deepEqual(view.changesSince(15, NOW_MS), []);
  assert.ok(!view.reaches(24));
});

test('a new client waits until the universe of its filter is ready; then the broadcaster is notified', async () => {
  const { source, universes, streams, ask, ready } = made();
  await universes.start();
  let answer = () => {};
  source.ensure = () => new Promise((resolve) => (answer = resolve));
  const view = streams.open(ask({ universe: universeOf(catalogue, 'pro', 'draftkings,betmgm', () => true) }));
  assert.equal(view.ready, false);
  answer();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(view.ready, true);
  assert.equal(ready(), 1);
});

test('one item is encoded once for all groups that read at the same time', () => {
  const { table, streams, ask } = made();
  const one = streams.open(ask());
  const other = streams.open(ask({ minEv: 1 }));
  let reads = 0;
  const watched = example('ev');
  const { item } = watched;
  Object.defineProperty(watched, 'item', { get: () => [reads++, item][1] });
  table.apply({ position: 10, shard: 0, opportunities: [news('pro', { detected: [watched] })] });
  const texts = (view: OpportunityView) =>
    view.changesSince(9, NOW_MS).flatMap(({ detected }) => detected.map((id) => view.text(id)));
  texts(one);
  const first = reads;
  texts(other);
  assert.ok(first > 0);
  assert.equal(reads, first);
});

test('a client of an earlier run resumes: changes and ends before the restart are stored', () => {
  const change = fc.record({ n: fc.integer({ min: 0, max: 5 }), ends: fc.boolean(), edge: fc.constantFrom(1, 3) });
  const run = fc.record({
    changes: fc.array(change, { maxLength: 30 }),
    stood: fc.nat(30),
    lostAt: fc.nat(5),
    resumed: fc.boolean(),
  });
  fc.assert(
    fc.property(run, ({ changes, stood, lostAt, resumed }) => {
      const ends: { position: number; kind: 'ev'; id: string }[] = [];
      const alive = new Map<string, Opportunity>();
      const clients = new Map<number, Map<string, number>>();
      const meeting = () =>
        new Map(
          [...alive].filter(([, { edge }]) => edge >= 2).map(([id, { updatedPosition: updatedAt }]) => [id, updatedAt]),
        );
      let position = 100;
      clients.set(position, meeting());
      for (const { n, ends: over, edge } of changes) {
        position++;
        const id = idOf(n);
        if (over && alive.delete(id)) ends.push({ position, kind: 'ev', id });
        else if (!over) {
          const detectedUs = alive.get(id)?.detectedUs ?? position;
          alive.set(id, example('ev', { id, edge, updatedPosition: position, detectedUs }));
        }
        clients.set(position, meeting());
      }
      const { table, streams, ask } = made();
      const view = streams.open(ask());
      table.of('pro').restore(0, position, 100, [...alive.values()]);
      table.of('pro').restoreEnds(ends);
      // The new run publishes what ended while nothing ran.
      const expired = alive.delete(idOf(lostAt)) ? [{ kind: 'ev' as const, id: idOf(lostAt) }] : [];
      table.apply({ position: position + 10, shard: 0, opportunities: [news('pro', { from: 0, expired })] });
      const at = 100 + (stood % (position - 99));
      assert.ok(view.reaches(at));
      const active = clients.get(at)!;
      for (const { detected, expired } of view.changesSince(at, NOW_MS, resumed)) {
        for (const id of expired) active.delete(id);
        for (const id of detected) active.set(id, alive.get(id)!.updatedPosition);
      }
      assert.deepEqual([...active].sort(), [...meeting()].sort());
      assert.ok(!view.reaches(99));
    }),
    { numRuns: runs(100) },
  );
});

test('a client that resumes after a restart is told what ceased to meet its limits just before, held or not', () => {
  const begun = NOW_MS * 1_000;
  const position = begun + 200_000;
  for (const updatedPosition of [position, begun + 1_000_000])
    for (const resumed of [false, true]) {
      const { table, streams, ask } = made();
      const view = streams.open(ask());
      // What the store has of one that met them at first.
      const fallen = example('ev', { edge: 1, detectedUs: begun, updatedPosition });
      table.of('pro').restore(0, position, begun, [fallen]);
      const told = view.changesSince(begun + 100_000, NOW_MS, resumed);
      assert.deepEqual(told, [{ kind: 'ev', detected: [], expired: [fallen.id] }], `${updatedPosition} ${resumed}`);
      assert.deepEqual(view.changesSince(position, NOW_MS, resumed), [], 'who was there then knows');
    }
});

test('a universe that its shards have forgotten is empty, and starts anew', () => {
  const { table, streams, ask } = made();
  const view = streams.open(ask());
  for (const shard of [0, 1])
    table.apply({
      position: 10 + shard,
      shard,
      opportunities: [news('pro', { from: 0, detected: [example('ev', { id: idOf(shard) })] })],
    });
  for (const shard of [0, 1]) {
    assert.equal(view.active(NOW_MS)[0]?.detected.length, 2 - shard);
    table.apply({ position: 20 + shard, shard, opportunities: [news('pro', { forgotten: true })] });
  }
  assert.deepEqual(view.active(NOW_MS), []);
  table.apply({ position: 30, shard: 0, opportunities: [news('pro', { from: 30 })] });
  assert.ok(view.reaches(30) && !view.reaches(29));
});
