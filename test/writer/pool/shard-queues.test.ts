import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../src/base/model/clock.js';
import { ApiError } from '../../../src/base/model/errors.js';
import type { NormalEvent, NormalMessage, NormalQuote } from '../../../src/base/model/normal-message.js';
import type { LogEntry } from '../../../src/log/control/control-queue.js';
import type { LogBatch } from '../../../src/writer/pool/protocol.js';
import { type Journal, Replication } from '../../../src/writer/pool/replication.js';
import { PositionSequencer, ShardQueues, shardOfLeague } from '../../../src/writer/pool/shard-queues.js';
import type { ShardThread } from '../../../src/writer/pool/shard-thread.js';
import { batchOf, FakeThread } from './fake-thread.js';

function quote(): NormalQuote {
  return ['Over', 'over', 200, -110, 1.909, false, null, null, null, true, null];
}

function eventOf(league: string, quotes: number): NormalEvent {
  return {
    league,
    sport: 'basketball',
    eventId: null,
    home: 'A',
    away: 'B',
    startMs: 0,
    externalId: null,
    live: null,
    status: null,
    state: null,
    quoted: true,
    startEstimated: false,
    suspended: false,
    path: '',
    markets: [
      {
        type: 't',
        player: null,
        stat: null,
        team: null,
        maxBet: null,
        seenMs: null,
        active: true,
        quotes: Array.from({ length: quotes }, quote),
      },
    ],
  };
}

function messageOf(book: string, ...events: NormalEvent[]): NormalMessage {
  return { book, polledUs: 1, scope: 'none', league: null, events, splits: [], futures: [] };
}

function setUp(shards: number, queueQuotesMax = 1_000, journal?: Journal) {
  const threads = Array.from({ length: shards }, (_, shard) => new FakeThread(shard));
  const delivered: LogBatch[] = [];
  const lost: number[] = [];
  const missedUpTo: number[] = [];
  const queues = new ShardQueues({
    threads: threads as unknown as ShardThread[],
    positions: new PositionSequencer(new ManualClock(1_000), 0),
    queueQuotesMax,
    deliver: (batch) => delivered.push(batch),
    replication: journal && new Replication(journal),
    source: threads,
    missed: (shard, upTo) => {
      missedUpTo.push(upTo);
      return [batchOf(shard, 99)];
    },
    reached: () => undefined,
    onThreadLost: (shard) => lost.push(shard),
  });
  return { threads, queues, delivered, lost, missedUpTo };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
/** Two leagues that two shards share out. */
const LEAGUES = ['nba', 'mlb', 'nfl', 'nhl', 'wnba', 'epl'];
const FIRST = LEAGUES.find((league) => shardOfLeague(league, 2) === 0)!;
const SECOND = LEAGUES.find((league) => shardOfLeague(league, 2) === 1)!;

test('a full queue refuses all messages of a call', async () => {
  const { threads, queues } = setUp(2, 50);
  const running = queues.submit([messageOf('a', eventOf(FIRST, 10))]);
  await turn();
  const waiting = queues.submit([messageOf('a', eventOf(FIRST, 30))]);
  const before = queues.depths;
  const calls = messageOf('a', eventOf(SECOND, 5), eventOf(FIRST, 30));
  await assert.rejects(queues.submit([calls]), (error: unknown) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, 'ingest_queue_full');
    assert.equal(error.status, 429);
    assert.equal(error.detail.retryAfter, 1);
    return true;
  });
  await turn();
  assert.deepEqual(queues.depths, before);
  assert.equal(threads[1]!.calls.length, 0, 'the other shard had room and must not have taken its part');
  threads[0]!.calls[0]!.answer();
  await running;
  await turn();
  threads[0]!.calls[1]!.answer();
  await waiting;
  await queues.idle();
  assert.deepEqual(queues.depths, [0, 0]);
});

test('a message larger than the whole queue is accepted when nothing waits', async () => {
  const { threads, queues } = setUp(1, 50);
  const done = queues.submit([messageOf('a', eventOf('nba', 500))]);
  await turn();
  await assert.rejects(queues.submit([messageOf('a', eventOf('nba', 1))]), /queue is full/);
  threads[0]!.calls[0]!.answer();
  assert.equal((await done).accepted, 1);
});

test('messages that arrive together are one batch, those that arrive meanwhile the next, in order', async () => {
  const { threads, queues } = setUp(1);
  const first = [
    queues.submit([messageOf('a', eventOf('nba', 1))]),
    queues.submit([messageOf('b', eventOf('nba', 1))]),
  ];
  await turn();
  const later = [
    queues.submit([messageOf('c', eventOf('nba', 1))]),
    queues.submit([messageOf('d', eventOf('nba', 1))]),
  ];
  const { calls } = threads[0]!;
  await turn();
  assert.equal(calls.length, 1, 'a shard has one batch at a time');
  assert.deepEqual(
    calls[0]!.messages.map((message) => message.book),
    ['a', 'b'],
  );
  calls[0]!.answer();
  await Promise.all(first);
  await turn();
  assert.deepEqual(
    calls[1]!.messages.map((message) => message.book),
    ['c', 'd'],
  );
  assert.ok(calls[1]!.position > calls[0]!.position);
  calls[1]!.answer();
  await Promise.all(later);
});

test('a batch is bounded: a long queue is sent in several', async () => {
  const { threads, queues } = setUp(1, 1e6);
  const done = Promise.all(
    Array.from({ length: 5 }, (_, i) => queues.submit([messageOf(`b${i}`, eventOf('nba', 9_000))])),
  );
  for (const expected of [2, 2, 1]) {
    await turn();
    const call = threads[0]!.calls.at(-1)!;
    assert.equal(call.messages.length, expected);
    call.answer();
    await turn();
  }
  await done;
});

test('new games that a batch has no room for go into the next one, before what came after them', async () => {
  const { threads, queues } = setUp(1, 1e6);
  const games = Array.from({ length: 6_000 }, () => eventOf('nba', 1));
  const done = Promise.all([
    queues.submit([messageOf('a', ...games)]),
    queues.submit([messageOf('b', eventOf('nba', 1))]),
  ]);
  await turn();
  const [first] = threads[0]!.calls;
  assert.deepEqual(
    first!.messages.map(({ events }) => events.length),
    [6_000, 1],
  );
  const receipt = { accepted: 5_998, changed: 5_998, removed: 1, stale: 0, rejected: [] };
  first!.answer({ receipts: [{ ...receipt, rest: [5_999, 4_000] }] });
  await turn();
  const second = threads[0]!.calls[1]!;
  assert.deepEqual(
    second.messages.map(({ book, events }) => [book, events.length]),
    [
      ['a', 2],
      ['b', 1],
    ],
  );
  assert.deepEqual(second.messages[0]!.events, [games[4_000], games[5_999]]);
  const last = { accepted: 2, changed: 1, removed: 0, stale: 0, rejected: [] };
  second.answer({ receipts: [last, last] });
  const [a, b] = await done;
  assert.deepEqual(a, { accepted: 6_000, changed: 5_999, removed: 1, stale: 0, rejected: [] });
  assert.deepEqual(b, last);
  assert.deepEqual(queues.depths, [0]);
});

test("a message's events go to the shards that own their leagues, and its receipt is the sum of theirs", async () => {
  const { threads, queues } = setUp(2);
  const done = queues.submit([messageOf('a', eventOf(FIRST, 1), eventOf(SECOND, 1), eventOf(FIRST, 2))]);
  await turn();
  assert.deepEqual(
    threads[0]!.calls[0]!.messages[0]!.events.map((event) => event.league),
    [FIRST, FIRST],
  );
  assert.deepEqual(
    threads[1]!.calls[0]!.messages[0]!.events.map((event) => event.league),
    [SECOND],
  );
  threads[1]!.calls[0]!.answer({
    receipts: [{ accepted: 1, changed: 0, removed: 3, stale: 1, rejected: [{ path: 'x', reason: 'y' }] }],
  });
  threads[0]!.calls[0]!.answer();
  assert.deepEqual(await done, {
    accepted: 3,
    changed: 2,
    removed: 3,
    stale: 1,
    rejected: [{ path: 'x', reason: 'y' }],
  });
});

test('deltas are delivered in the order of their positions, and answers only after them', async () => {
  const { threads, queues, delivered } = setUp(2);
  const answered: string[] = [];
  const slow = queues.submit([messageOf('a', eventOf(FIRST, 1))]).then(() => answered.push('slow'));
  await turn();
  const quick = queues.submit([messageOf('a', eventOf(SECOND, 1))]).then(() => answered.push('quick'));
  await turn();
  threads[1]!.calls[0]!.answer();
  await turn();
  assert.deepEqual([delivered.length, answered], [0, []], 'a later position waits for the earlier one');
  threads[0]!.calls[0]!.answer();
  await Promise.all([slow, quick]);
  assert.deepEqual(
    delivered.map(({ delta }) => delta[0]),
    [0, 1],
  );
  assert.deepEqual(answered, ['slow', 'quick']);
});

test('a shared log has what a batch changed before that is committed, and it is acknowledged after both, in order', async () => {
  const entries: { entry: LogEntry; take(): void; refuse(): void }[] = [];
  const lost: unknown[] = [];
  const journal: Journal = {
    append: (entry) =>
      new Promise((take, refuse) => entries.push({ entry, take, refuse: () => refuse(new Error('fenced')) })),
    lost: (error) => lost.push(error),
  };
  const { threads, queues, delivered } = setUp(2, 1_000, journal);
  const answered: string[] = [];
  const submit = (name: string, league: string) =>
    queues.submit([messageOf('a', eventOf(league, 1))]).then(
      () => answered.push(name),
      (error: ApiError) => answered.push(`${name} ${error.code}`),
    );
  const all = [submit('first', FIRST), submit('second', SECOND)];
  await turn();
  for (const thread of threads) thread.calls[0]!.answer();
  await turn();
  assert.equal(entries.length, 2, 'the second does not wait until the first was accepted');
  const committed = () => threads.map((thread) => thread.committed.length);
  assert.deepEqual(committed(), [0, 0], 'nothing is committed before the log has it');
  entries[1]!.take();
  await turn();
  assert.deepEqual([committed(), delivered.length, answered], [[0, 1], 0, []]);
  entries[0]!.take();
  await Promise.all(all);
  assert.deepEqual(answered, ['first', 'second']);
  assert.deepEqual(
    delivered.map(({ delta }) => delta[0]),
    [0, 1],
  );

  const later = [submit('third', FIRST), submit('fourth', SECOND)];
  await turn();
  for (const thread of threads) thread.calls[1]!.answer();
  await turn();
  entries[2]!.refuse();
  entries[3]!.refuse();
  await Promise.all(later);
  assert.deepEqual(answered.slice(2).sort(), ['fourth unavailable', 'third unavailable']);
  assert.equal(delivered.length, 2, 'nothing is shown behind a hole in the log');
  assert.deepEqual(
    [committed(), threads.map(({ undone }) => undone.length)],
    [
      [1, 1],
      [1, 1],
    ],
  );

  const refused = submit('fifth', FIRST);
  await turn();
  threads[0]!.calls[2]!.answer();
  await refused;
  assert.equal(answered.at(-1), 'fifth unavailable');
  assert.deepEqual([committed(), threads[0]!.undone.length], [[1, 1], 2], 'what the log refused is not committed');
  assert.equal(threads[0]!.calls.length, 3, 'and not tried again');
  assert.equal(entries.length, 4, 'nor is anything published behind the hole');
  assert.deepEqual(lost, []);
});

test('what the log has is committed though the thread that held it died; where it cannot be, this store is given up', async () => {
  const lost: unknown[] = [];
  const journal: Journal = { append: async () => undefined, lost: (error) => lost.push(error) };
  const { threads, queues, delivered, lost: threadsLost } = setUp(1, 1_000, journal);
  const [thread] = threads;
  const submit = () => queues.submit([messageOf('a', eventOf('nba', 1))]);
  for (const onCommit of [
    () => null,
    () => {
      throw new Error('thread gone');
    },
  ]) {
    thread!.onCommit = onCommit;
    const answer = submit();
    await turn();
    thread!.calls.at(-1)!.answer();
    await answer;
  }
  assert.deepEqual(
    thread!.folded.map((delta) => [...delta]),
    [
      [0, 1],
      [0, 2],
    ],
  );
  assert.deepEqual([delivered.length, threadsLost], [2, [0]]);
  thread!.fold = async () => ({ failure: 'the disk is full', release: () => undefined });
  const refused = submit();
  await turn();
  thread!.calls.at(-1)!.answer();
  await assert.rejects(refused, { code: 'unavailable' });
  assert.match(String(lost[0]), /no room for what the log has: the disk is full/);
  assert.equal(delivered.length, 2);
});

test('a shard without room refuses its batch and nothing is delivered', async () => {
  const { threads, queues, delivered } = setUp(1);
  const done = queues.submit([messageOf('a', eventOf('nba', 1))]);
  await turn();
  threads[0]!.calls[0]!.answer({ batch: null, receipts: [], failure: 'storage is full' });
  await assert.rejects(done, (error: unknown) => error instanceof ApiError && error.code === 'storage_full');
  assert.equal(delivered.length, 0);
  assert.equal(threads[0]!.calls.length, 1, 'what has no room now is not tried again at once');
});

test('a batch whose thread died is sent again once, after the thread’s earlier commits are delivered', async () => {
  const { threads, queues, delivered, lost, missedUpTo } = setUp(1);
  const done = queues.submit([messageOf('a', eventOf('nba', 1))]);
  await turn();
  threads[0]!.calls[0]!.die();
  await turn();
  threads[0]!.calls[1]!.answer();
  assert.equal((await done).accepted, 1);
  assert.deepEqual(lost, [0]);
  assert.deepEqual(missedUpTo, [threads[0]!.calls[0]!.position], 'not beyond the batch that was lost');
  assert.deepEqual(
    delivered.map(({ delta }) => delta[1]),
    [99, 2],
  );

  const refused = queues.submit([messageOf('a', eventOf('nba', 1))]);
  for (const call of [2, 3]) {
    await turn();
    threads[0]!.calls[call]!.die();
  }
  await assert.rejects(refused, (error: unknown) => error instanceof ApiError && error.code === 'unavailable');
});

test('an idle shard gets the tick of the clock, one at work does not', async () => {
  const { threads, queues } = setUp(1);
  queues.tick();
  queues.tick();
  await turn();
  const { calls } = threads[0]!;
  assert.equal(calls.length, 1);
  assert.deepEqual(calls[0]!.messages, []);
  const waiting = queues.submit([messageOf('a', eventOf('nba', 1))]);
  calls[0]!.answer({ batch: null });
  await turn();
  queues.tick();
  await turn();
  assert.equal(calls.length, 2);
  calls[1]!.answer();
  await waiting;
});

test('a league is always owned by the same shard', () => {
  for (const shards of [1, 2, 3, 7])
    for (const league of LEAGUES) {
      const shard = shardOfLeague(league, shards);
      assert.ok(shard >= 0 && shard < shards);
      assert.equal(shardOfLeague(league, shards), shard);
    }
  // Fixed: with another number a league would go to a shard that does not store its odds.
  assert.deepEqual(
    LEAGUES.map((league) => shardOfLeague(league, 4)),
    [0, 2, 3, 1, 1, 0],
  );
});
