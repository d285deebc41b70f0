import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../src/base/model/clock.js';
import type { FeedContext, IngestReceipt } from '../../../../src/intake/feeds/feed.js';
import { SimFeed } from '../../../../src/intake/feeds/sim/feed.js';
import type { IngestMessage } from '../../../../src/intake/ingest/message.js';
import { EVENING_MS, SMALL_CATALOGUE } from './small-catalogue.js';

const TAKEN: IngestReceipt = { accepted: 1, changed: 0, removed: 0, rejected: [] };
const OPTIONS = { seed: 5, events: 12, rate: 400 };

/** A feed on a clock of its own: every wait moves it, and the feed ends once it reads `endS` seconds. */
function setUp(endS: number, sink: (batch: IngestMessage[]) => Promise<IngestReceipt>) {
  const clock = new ManualClock(EVENING_MS);
  const warnings: string[] = [];
  const feed = new SimFeed(OPTIONS, SMALL_CATALOGUE, async (ms, signal) => {
    clock.set(clock.now() + ms);
    if (clock.now() >= EVENING_MS + endS * 1_000) feed.stop();
    return !signal.aborted;
  });
  const log = { info: () => {}, warn: (_: object, message: string) => warnings.push(message), error: () => {} };
  const context: FeedContext = { clock, sink, log };
  return { feed, context, warnings, clock };
}

test('the feed shows all its options and that it is simulated', () => {
  const { feed } = setUp(1, async () => TAKEN);
  assert.equal(feed.name, 'sim:seed=5,books=28,events=12,rate=400');
  assert.equal(feed.simulated, true);
});

test('it runs by the clock until it is stopped, and two runs send the same', async () => {
  const runs: string[] = [];
  for (let i = 0; i < 2; i++) {
    const sent: IngestMessage[] = [];
    const { feed, context } = setUp(30, async (batch) => {
      sent.push(...batch);
      return TAKEN;
    });
    await feed.run(context);
    runs.push(JSON.stringify(sent));
  }
  assert.ok(runs[0]!.length > 50_000);
  assert.equal(runs[0], runs[1]);
});

test('it waits for a batch to be committed before it makes the next', async () => {
  let open = 0;
  let most = 0;
  const { feed, context } = setUp(5, async () => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setImmediate(resolve));
    open--;
    return TAKEN;
  });
  await feed.run(context);
  assert.equal(most, 1);
});

test('a refused batch is sent again until it is accepted, and nothing is lost', async () => {
  const sent: string[] = [];
  let refusals = 0;
  const { feed, context, warnings } = setUp(20, async (batch) => {
    if (sent.length === 3 && refusals < 2) {
      refusals++;
      throw new Error('the queue is full');
    }
    sent.push(JSON.stringify(batch));
    return TAKEN;
  });
  await feed.run(context);
  assert.equal(refusals, 2);
  assert.equal(warnings.length, 2);
  assert.equal(new Set(sent).size, sent.length);
  assert.ok(sent.length > 10);
});

test('rejected quotes are warned of, but not at every batch', async () => {
  const { feed, context, warnings } = setUp(20, async () => ({ ...TAKEN, rejected: [{ path: 'x', reason: 'y' }] }));
  await feed.run(context);
  assert.equal(warnings.length, 1);
});

test('hours of the market come at once, with their games’ results and no time later than now, and the feed ends', async () => {
  const sent: IngestMessage[] = [];
  const sink = async (batch: IngestMessage[]) => {
    sent.push(...batch);
    return TAKEN;
  };
  const clock = new ManualClock(EVENING_MS);
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const wait = () => Promise.reject(new Error('it waits'));
  await new SimFeed({ ...OPTIONS, hours: 3 }, SMALL_CATALOGUE, wait).run({ clock, sink, log });
  const times = sent.map(({ polled_at }) => Date.parse(polled_at));
  assert.equal(times[0], EVENING_MS - 3 * 3_600_000);
  assert.ok(times.every((ms, i) => ms >= (times[i - 1] ?? 0) && ms <= EVENING_MS));
  assert.ok(times.at(-1)! > EVENING_MS - 60_000);
  assert.match(JSON.stringify(sent), /"status":"final"/);
});
