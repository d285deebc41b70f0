// The delayed table is filled from its own store after the start, in pieces between which other work runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ManualClock } from '../../../src/base/model/clock.js';
import { encode } from '../../../src/base/wire/codec.js';
import { DelayedStore, type EncodedSlab } from '../../../src/store/delayed-store.js';
import { DelayedTable } from '../../../src/tables/delayed/delayed-table.js';
import { catalogue, rig } from '../../writer/shard/rig.js';

const START = '2026-11-20T18:00:01Z';
/** Far more than are read before the first look at the log. */
const SLABS = 40_000;

test('filling continues if it takes longer than the time between two reads of the log', async (t) => {
  const { dir, env } = rig(t, START);
  const store = new DelayedStore(dir);
  const slabs = Array.from({ length: SLABS }, (_, event): EncodedSlab => {
    const slab = { shard: 0, event, book: 'fanduel', polledMs: 1, rows: [] };
    return [`0|${event}|fanduel`, encode(slab)];
  });
  await store.write({ position: 1, events: [], droppedEvents: [], slabs });
  let read = 0;
  const counted = new Proxy(store, {
    get: (of, name) => {
      if (name === 'slab')
        return (key: string) => {
          read++;
          // As slow as reading a slab with many rows.
          const untilMs = performance.now() + 0.02;
          while (performance.now() < untilMs);
          return of.slab(key);
        };
      const value: unknown = Reflect.get(of, name, of);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
  const table = new DelayedTable({
    clock: new ManualClock(Date.parse(START)),
    envs: [env],
    store: counted,
    delaySeconds: 60,
    logSeconds: 900,
    keepBook: () => true,
    catalogue,
    completeTo: () => Number.POSITIVE_INFINITY,
    createdPosition: 0,
    fellBack: false,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  t.after(() => table.close());
  table.start();
  for (let i = 0; i < 600 && read < SLABS; i++) await sleep(50);
  assert.equal(read, SLABS, 'nobody has asked for it');
});
