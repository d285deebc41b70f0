// The replay command against a real HTTP server that answers like an ingest endpoint, with and without errors.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { ManualClock } from '../../src/base/model/clock.js';
import { type ReplayToServerOptions, type ReplayTotals, replayToServer } from '../../src/cli/replay.js';
import type { IngestMessage } from '../../src/intake/ingest/message.js';
import { message, recording } from '../intake/feeds/replay/recordings.js';
import { LEAGUES } from '../intake/feeds/the-odds-api/answers.js';
import { json, type Stage, stage, upstream } from '../intake/feeds/the-odds-api/upstream.js';

const KEY = 'sk_test_0123456789';

interface Received {
  request: IncomingMessage;
  messages: IngestMessage[];
  /** Counted from 1. */
  count: number;
}

type Answer = (response: ServerResponse, received: Received) => void;

const take: Answer = (response, { messages }) => {
  const data = { accepted: messages.length, changed: messages.length, removed: 1, rejected: [] };
  json(response, 200, { success: true, data, updated_at: '2026-05-02T18:00:00Z' });
};

interface Replayed extends Stage {
  received: Received[];
  totals: ReplayTotals | undefined;
  error: Error | undefined;
}

async function replay(file: string, answer: Answer, options: Partial<ReplayToServerOptions> = {}): Promise<Replayed> {
  const received: Received[] = [];
  let open = 0;
  const server = await upstream((request, response) => {
    open++;
    assert.equal(open, 1, 'two requests at once');
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    response.on('close', () => open--);
    request.on('end', () => {
      const lines = body.trim().split('\n');
      const one = {
        request,
        messages: lines.map((line) => JSON.parse(line) as IngestMessage),
        count: received.length + 1,
      };
      received.push(one);
      answer(response, one);
    });
  });
  const played = stage(1_000_000, () => undefined);
  const base = {
    file,
    url: `${server.url}/`,
    key: KEY,
    leagues: LEAGUES,
    clock: played.clock,
    log: played.context.log,
  };
  let totals: ReplayTotals | undefined;
  let error: Error | undefined;
  try {
    totals = await replayToServer({ ...base, wait: played.wait, ...options });
  } catch (caught) {
    error = caught as Error;
  }
  await server.close();
  assert.ok(!JSON.stringify([played.log, error?.message]).includes(KEY), 'the key was shown');
  return { ...played, received, totals, error };
}

const MANY = Array.from({ length: 4_000 }, (_, i) => message('fanduel', i));

test('posts the recording in order, in batches, with the key, and sums up the server’s answers', async () => {
  const progress: number[] = [];
  const { received, totals, log } = await replay(recording(['oops', ...MANY], 'odds.gz'), take, {
    onProgress: (so) => progress.push(so.sent),
  });
  assert.deepEqual(
    received.flatMap((one) => one.messages),
    MANY,
  );
  assert.ok(received.length > 1 && received.length < 10);
  for (const { request } of received) {
    assert.equal(request.url, '/api/v1/ingest');
    assert.equal(request.headers['x-api-key'], KEY);
    assert.equal(request.headers['content-type'], 'application/x-ndjson');
  }
  assert.equal(totals?.polls, 4_000);
  assert.equal(totals.sent, 4_000);
  assert.equal(totals.accepted, 4_000);
  assert.equal(totals.changed, 4_000);
  assert.equal(totals.removed, received.length);
  assert.equal(totals.badLines, 1);
  assert.equal(totals.bytesRead, totals.fileBytes);
  assert.equal(progress.at(-1), 4_000);
  assert.equal(log.at(-1)?.message, 'replay done');
});

test('a recording that is cut short is sent as far as it goes, and that is an error', async () => {
  const file = recording(MANY, 'odds.gz');
  writeFileSync(file, readFileSync(file).subarray(0, -4_000));
  const { received, error, log } = await replay(file, take);
  const sent = received.flatMap((one) => one.messages);
  assert.ok(sent.length > 2_000 && sent.length < 4_000);
  assert.equal(error?.message, `${file} ends early: it is cut short. ${sent.length} messages of it were sent`);
  assert.equal(log.at(-1)?.message, 'replay done');
});

test('with a speed, a poll is sent before the next one is waited for', async () => {
  const file = recording([message('fanduel', 0), message('betus', 0), message('fanduel', 60), message('fanduel', 90)]);
  const { received, waits } = await replay(file, take, { speed: 60 });
  assert.deepEqual(
    received.map((one) => one.messages.length),
    [2, 1, 1],
  );
  assert.deepEqual(waits, [0, 1_000, 500]);
});

test('recorded times can be moved to now', async () => {
  const { received, clock } = await replay(recording([message('fanduel', 7)]), take, { timestamps: 'shift' });
  assert.equal(received[0]?.messages[0]?.polled_at, new Date(clock.now()).toISOString());
});

test('a recording of long ago is pushed with a warning that its prices become the history of today', async () => {
  const file = recording([message('fanduel', 0), message('fanduel', 60)]);
  const atMs = Date.parse(message('fanduel', 0).polled_at);
  const clock = new ManualClock(atMs + 8 * 86_400_000);
  const plain = await replay(file, take, { clock });
  assert.equal(plain.received.flatMap((one) => one.messages).length, 2);
  assert.match(plain.log[0]!.message, /recording of long ago/);
  for (const timestamps of ['recorded', 'shift'] as const) {
    const asked = await replay(file, take, { clock, timestamps });
    assert.deepEqual([asked.error, asked.log.map(({ message }) => message)], [undefined, ['replay done']]);
  }
});

test('a recording of which the server takes nothing ends the replay with one line', async () => {
  const { error } = await replay(recording([message('fanduel', 0)]), (response) =>
    json(response, 400, { error: { code: 'invalid_request', message: 'nothing could be read' } }),
  );
  assert.match(error!.message, /^the server refused all of /);
});

test('while the queue is full it waits as long as the server requires, however often', async () => {
  const { received, waits, totals } = await replay(recording([message('fanduel', 0)]), (response, one) => {
    if (one.count <= 20) json(response, 429, { error: { code: 'ingest_queue_full', message: 'full', retryAfter: 3 } });
    else if (one.count === 21) json(response, 429, {}, { 'retry-after': '2' });
    else take(response, one);
  });
  assert.equal(received.length, 22);
  assert.deepEqual(waits.slice(1), [...Array.from({ length: 20 }, () => 3_000), 2_000]);
  assert.deepEqual([totals?.sent, totals?.retries], [1, 21]);
});

test('errors of the server and lost connections are retried with a growing wait', async () => {
  const { received, waits, totals } = await replay(recording([message('fanduel', 0)]), (response, one) => {
    if (one.count === 1) json(response, 503, {});
    else if (one.count === 2) response.destroy();
    else if (one.count === 3) json(response, 507, { error: { message: 'full', retryAfter: 30 } });
    else take(response, one);
  });
  assert.equal(received.length, 4);
  // With a random number of one half the jitter is three quarters of 250 ms, 500 ms and 1 s; a longer wait requested by
  // the server wins.
  assert.deepEqual(waits.slice(1), [187.5, 375, 30_000]);
  assert.equal(totals?.sent, 1);
});

test('a server that stays away ends the replay with one line', async () => {
  const { error, waits } = await replay(recording([message('fanduel', 0)]), take, { url: 'http://127.0.0.1:1' });
  assert.match(error?.message ?? '', /^the server does not answer: /);
  assert.ok(waits.length > 5 && waits.length < 20);
});

test('a refused key or address ends the replay at once', async () => {
  for (const status of [401, 403, 404, 415]) {
    const { error, received } = await replay(recording(MANY), (response) => json(response, status, {}));
    assert.match(error?.message ?? '', new RegExp(`^HTTP ${status}: `));
    assert.equal(received.length, 1);
  }
  assert.match((await replay(recording(MANY), take, { url: 'nowhere' })).error?.message ?? '', /^url is not/);
  assert.match(
    (await replay('/no/such/file', take)).error?.message ?? '',
    /^\/no\/such\/file cannot be read: there is no such file$/,
  );
  assert.match((await replay(recording(MANY), take, { speed: -1 })).error?.message ?? '', /^speed/);
});

test('a batch that is too large is halved; one that the server cannot parse is counted, and the rest continues', async () => {
  const lines = Array.from({ length: 5 }, (_, i) => message('fanduel', i));
  const { received, totals } = await replay(recording(lines), (response, one) => {
    if (one.messages.length > 2) json(response, 413, { error: { message: 'too large' } });
    else if (one.messages.some((each) => each.polled_at === lines[4]?.polled_at)) json(response, 400, {});
    else take(response, one);
  });
  assert.deepEqual(
    received.map((one) => one.messages.length),
    [5, 3, 2, 1, 2],
  );
  assert.deepEqual([totals?.sent, totals?.accepted, totals?.rejected], [5, 3, 2]);
});

test('rejected quotes are counted and the first is shown', async () => {
  const rejected = [{ path: 'events[0]', reason: 'a bad time' }];
  const { totals, log } = await replay(recording([message('fanduel', 0)]), (response) =>
    json(response, 200, { data: { accepted: 1, changed: 0, removed: 0, rejected } }),
  );
  assert.equal(totals?.rejected, 1);
  assert.deepEqual(log[0]?.fields['first'], rejected[0]);
});

test('the signal ends it between two requests, with the totals so far', async () => {
  const stopping = new AbortController();
  const { totals, received, log } = await replay(recording(MANY), take, {
    signal: stopping.signal,
    onProgress: () => stopping.abort(),
  });
  assert.equal(received.length, 1);
  assert.equal(totals?.sent, received[0]?.messages.length);
  assert.equal(log.at(-1)?.message, 'replay stopped');
});

test('a bar on a terminal, a line every five seconds elsewhere', async () => {
  const file = recording(Array.from({ length: 20 }, (_, i) => message('fanduel', i)));
  const terminal = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 80,
    cursorTo: () => true,
    clearLine: () => true,
  });
  const bar = await replay(file, take, { speed: 1, terminal: terminal as unknown as NodeJS.WriteStream });
  assert.ok(String(terminal.read()).includes('%'));
  assert.deepEqual(
    bar.log.map((entry) => entry.message),
    ['replay done'],
  );
  const lines = await replay(file, take, { speed: 1 });
  assert.deepEqual(
    lines.log.map((entry) => [entry.message, entry.fields['sent']]),
    [
      ['replaying', 6],
      ['replaying', 11],
      ['replaying', 16],
      ['replay done', 20],
    ],
  );
});
