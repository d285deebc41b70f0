import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../src/base/model/clock.js';
import type { Feed, FeedContext, IngestReceipt } from '../../../src/intake/feeds/feed.js';
import { FeedWatch } from '../../../src/intake/feeds/feed-watch.js';

const NOW = Date.parse('2026-11-20T18:00:00Z');
const log = { info: () => {}, warn: () => {}, error: () => {} };
const receipt = { accepted: 1, changed: 1, removed: 0, rejected: [] };
const POLL = { book: 'b', polled_at: '2026-11-20T17:59:58Z', scope: 'event' };
const message = { ...POLL, events: [{ markets: [{ selections: [{}] }] }] } as never;

/** A feed controlled by the test. */
class Puppet implements Feed {
  readonly name = 'puppet:x';
  readonly simulated = false;
  context!: FeedContext;
  end!: () => void;
  fail!: (error: Error) => void;

  run(context: FeedContext): Promise<void> {
    this.context = context;
    return new Promise((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
    });
  }

  stop(): void {}
}

function watched(answer: IngestReceipt = receipt) {
  const clock = new ManualClock(NOW);
  const feed = new Puppet();
  const watch = new FeedWatch(feed, clock);
  let taken = true;
  const sink = () => (taken ? Promise.resolve(answer) : Promise.reject(new Error('the disk is full')));
  const running = watch.run({ clock, sink, log });
  return { clock, feed, watch, running, take: (yes: boolean) => (taken = yes) };
}

test('an accepted message is a success, with the lag of its poll; a refused one is an error until the next success', async () => {
  const { clock, feed, watch, take } = watched();
  assert.deepEqual(watch.info, {
    name: 'puppet:x',
    simulated: false,
    state: 'starting',
    lastSuccessMs: null,
    error: null,
    lagMs: null,
    counts: {},
    unknownFields: {},
  });
  await feed.context.sink([message]);
  assert.deepEqual([watch.info.state, watch.info.lastSuccessMs, watch.info.lagMs], ['running', NOW, 2_000]);
  take(false);
  clock.set(NOW + 5_000);
  await assert.rejects(feed.context.sink([message]));
  assert.deepEqual(
    [watch.info.state, watch.info.lastSuccessMs, watch.info.error],
    ['failing', NOW, 'the disk is full'],
  );
  take(true);
  await feed.context.sink([message]);
  assert.deepEqual([watch.info.state, watch.info.error, watch.info.lastSuccessMs], ['running', null, NOW + 5_000]);
});

test('what the engine refuses of a feed’s messages is counted, whichever feed it is', async () => {
  const rejected = [
    { path: 'events[0].markets[0]', reason: 'no price' },
    { path: 'events[1]', reason: 'unknown event' },
  ];
  const { feed, watch } = watched({ ...receipt, rejected });
  await feed.context.sink([message]);
  await feed.context.sink([message]);
  assert.deepEqual(watch.info.counts, { refused_parts: 4 });
  feed.context.report!.counted!('refused_parts');
  assert.deepEqual(watch.info.counts, { refused_parts: 5 });
});

test('what only removes is no success: a feed that has reached nothing has no last one', async () => {
  const { feed, watch } = watched();
  await feed.context.sink([{ ...POLL, events: [] } as never, { ...POLL, events: [{ markets: [] }] } as never]);
  assert.deepEqual([watch.info.state, watch.info.lastSuccessMs], ['starting', null]);
  for (const bad of [{}, { events: 1 }, { events: [null] }, { events: [{ markets: [null] }] }])
    await feed.context.sink([{ ...POLL, ...bad } as never]);
  assert.equal(watch.info.lastSuccessMs, null);
  await feed.context.sink([{ ...POLL, futures: [{}] } as never]);
  assert.deepEqual([watch.info.state, watch.info.lastSuccessMs], ['running', NOW]);
});

test('a part counts as failing until that part succeeds, whatever others do', () => {
  const { feed, watch } = watched();
  const { report } = feed.context;
  report!.succeeded('nba');
  report!.failed('nfl', 'HTTP 500');
  report!.succeeded('nba');
  assert.deepEqual([watch.info.state, watch.info.error], ['failing', 'HTTP 500']);
  report!.succeeded('nfl');
  assert.deepEqual([watch.info.state, watch.info.error], ['running', null]);
});

test('a feed that ends is ended; one that gives up is failed, and its error names no file and no parameter', async () => {
  const ended = watched();
  ended.feed.end();
  await ended.running;
  assert.equal(ended.watch.info.state, 'ended');
  const failed = watched();
  failed.feed.fail(new Error("replay: cannot read '/srv/private/day.ndjson' nor https://x.example/v4?apiKey=secret1"));
  await assert.rejects(failed.running);
  const { state, error } = failed.watch.info;
  assert.equal(state, 'failed');
  assert.equal(error, "replay: cannot read '…' nor https://x.example/v4?…");
});

test('unknown fields are counted by name, so many of them, and what is no name is shown to nobody', async () => {
  const { feed, watch, running } = watched();
  const note = (name: string) => feed.context.report?.unknownField?.(name);
  note('market.fee');
  note('market.fee');
  for (const name of ['market.<script>', `market.${'x'.repeat(200)}`, 'market.a b']) note(name);
  for (let i = 0; i < 1_000; i++) note(`market.id${i}`);
  const { unknownFields } = watch.info;
  assert.equal(unknownFields['market.fee'], 2);
  assert.equal(unknownFields['market.id0'], 1);
  assert.equal(Object.keys(unknownFields).length, 40);
  const all = Object.values(unknownFields).reduce((sum, times) => sum + times, 0);
  assert.equal(all, 1_005, 'none is lost from the sum');
  feed.end();
  await running;
});
