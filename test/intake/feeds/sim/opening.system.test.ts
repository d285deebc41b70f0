// A simulated market that starts on the data of an earlier one, as after a restart.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../src/base/model/clock.js';
import type { Engine } from '../../../../src/engine/engine.js';
import { SimMarket } from '../../../../src/intake/feeds/sim/market.js';
import { openEngine } from '../../../engine-rig.js';
import { EVENING_MS } from './small-catalogue.js';

const OPTIONS = { events: 12, rate: 1_000 };
const MINUTE_MS = 60_000;

/** Runs a market for some minutes from now on. */
async function run(engine: Engine, clock: ManualClock, seed: number, minutes: number): Promise<void> {
  const market = new SimMarket({ ...OPTIONS, seed }, engine.catalogue, clock.now());
  await engine.ingest(market.opening());
  const endMs = clock.now() + minutes * MINUTE_MS;
  while (clock.now() < endMs) {
    clock.set(clock.now() + 1_000);
    const messages = market.step(clock.now());
    if (messages.length > 0) assert.deepEqual((await engine.ingest(messages)).rejected, []);
  }
}

function standing(engine: Engine): Map<string, number> {
  const { table } = engine;
  const rows = new Map<string, number>();
  for (const { rows: ofEvent } of table.events.ordered())
    for (const slot of ofEvent.unsorted()) rows.set(table.columns.id.at(slot), table.columns.seenMs[slot]!);
  return rows;
}

test('no price of an earlier market remains beside those of this one', async (t) => {
  const clock = new ManualClock(EVENING_MS);
  const engine = openEngine(t, { clock, workers: 1 });
  await run(engine, clock, 4, 0.5);
  assert.ok(standing(engine).size > 1_000);
  clock.set(clock.now() + 5_000);
  const openedMs = clock.now();
  await run(engine, clock, 5, 0.5);
  const rows = standing(engine);
  assert.ok(rows.size > 1_000);
  const old = [...rows.values()].filter((seenMs) => seenMs < openedMs);
  assert.equal(old.length, 0, `${old.length} of ${rows.size} rows are of the market before`);
});
