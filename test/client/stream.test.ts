// How long a stream waits between its connections.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { OverroundError } from '../../src/client/error.js';
import { type Link, LiveStream } from '../../src/client/stream.js';
import { mockTimeouts } from '../mocked-timeouts.js';

test('each loss of a stream that stood is followed by the first wait, and only failures in a row lengthen it', async (t) => {
  mockTimeouts(t);
  let connections = 0;
  /** What each connection comes to: it stands and is lost, or fails. */
  const outcomes = ['stands', 'fails', 'fails', 'fails', 'stands', 'fails', 'fails', 'stands', 'stands', 'fails'];
  const connect = (link: Link): Promise<void> => {
    if (outcomes[connections++] !== 'stands') return Promise.reject(new OverroundError('network', 'refused'));
    // Calm: nothing has changed since the last time.
    link.receive({ events: [{ type: 'complete', channel: 'odds' } as never], position: 7 });
    return Promise.resolve();
  };
  const stream = new LiveStream(connect, { retryMs: 1_000 });
  const waits: number[] = [];
  for (let i = 0; i < outcomes.length; i++) {
    await turn();
    const before = connections;
    let waitedMs = 0;
    for (; connections === before && waitedMs < 60_000; waitedMs += 500) {
      t.mock.timers.tick(500);
      await turn();
    }
    waits.push(waitedMs / 1_000);
  }
  stream.close();
  assert.deepEqual(waits, [1, 1, 2, 4, 1, 1, 2, 1, 1, 1]);
});

test('a wait that is longer than a timer can be is not none', async () => {
  let connections = 0;
  const connect = (): Promise<void> => {
    connections++;
    return Promise.reject(new OverroundError('rate_limited', 'in a month', { status: 429, retryAfter: 3_000_000 }));
  };
  const stream = new LiveStream(connect);
  await pause(50);
  stream.close();
  assert.equal(connections, 1);
});
