import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Opportunities } from '../../../src/answers/opportunities/opportunities.js';
import { UNUSED_UNIVERSE_MS } from '../../../src/answers/opportunities/universes.js';
import { followResults } from '../../../src/answers/results.js';
import { type Clock, systemClock } from '../../../src/base/model/clock.js';
import { LIMITS } from '../../../src/base/model/limits.js';
import { encode } from '../../../src/base/wire/codec.js';
import { resultItems } from '../../../src/broadcast/keyed-channels.js';
import { Engine } from '../../../src/engine/engine.js';
import type { Evaluated } from '../../../src/engine/engine-options.js';
import { openFrontEngine } from '../../../src/replication/follower/front-engine.js';
import { FRAME, FrameReader, numberedFrameOf, readNumbered } from '../../../src/replication/local/frames.js';
import { LogServer } from '../../../src/replication/local/log-server.js';
import { SocketSource } from '../../../src/replication/local/socket-source.js';
import { RequestHandler } from '../../../src/replication/requests/request-handler.js';
import { decodeAnswer, encodeRequest, LEASE_MS } from '../../../src/replication/requests/requests.js';
import { openDataDirectoryToRead } from '../../../src/store/data-directory.js';
import { DelayedStore } from '../../../src/store/delayed-store.js';
import { engineOptions } from '../../engine-rig.js';
import { event, message, moneyline } from '../../intake/ingest/messages.js';
import { eventually, until } from '../../support/until.js';
import { newFolder } from '../../temp-folders.js';
import { textsOf } from '../../writer/shard/rig.js';

const CALLER = { account: 'acc', viewer: false };

const log = {
  info() {},
  warn() {},
  error: (fields: object, text: string) => assert.fail(`${text} ${JSON.stringify(fields)}`),
};

/** An engine as in the engine process. */
async function startWriter(dataDir: string, clock: Clock = systemClock) {
  let server: LogServer | undefined;
  const engine = new Engine({
    ...engineOptions(dataDir),
    clock,
    onBatch: (batch) => server?.batch(batch),
  });
  const opportunities = new Opportunities(engine, log, () => undefined);
  const handler = new RequestHandler({ engine, universes: opportunities.universes, log });
  server = new LogServer({ engine, handler, log, feeds: () => [] });
  engine.start();
  await opportunities.start();
  await server.listen(join(dataDir, 'log.sock'));
  const close = async (): Promise<void> => {
    handler.close();
    await server.close();
    opportunities.close();
    await engine.close();
  };
  const sweep = (): void => {
    handler.sweep();
    opportunities.universes.sweep(0);
  };
  return { engine, opportunities, server, close, sweep };
}

async function startFront(t: TestContext, dataDir: string, clock: Clock = systemClock) {
  const ended: string[] = [];
  const directory = openDataDirectoryToRead(dataDir);
  const engine = await openFrontEngine({
    directory,
    delayedStore: new DelayedStore(dataDir, true),
    source: new SocketSource({ path: join(dataDir, 'log.sock'), control: directory.control }),
    clock,
    catalogueDir: undefined,
    logSeconds: 900,
    delaySeconds: 60,
    log,
    onEnd: (reason) => ended.push(reason),
  });
  const opportunities = new Opportunities(engine, log, () => undefined);
  engine.start();
  await opportunities.start();
  t.after(async () => {
    opportunities.close();
    await engine.close();
  });
  return { engine, opportunities, ended };
}

const poll = (book: string, home: number, away: number) =>
  message([event([moneyline(home, away)])], { book, polled_at: new Date().toISOString() });

const sorted = (table: Parameters<typeof textsOf>[0]) => [...textsOf(table)].sort();
const active = async ({ universes }: Opportunities, requested: string[] | null) =>
  [...(await universes.use({ tier: 'enterprise', requested }, CALLER)).opportunities()]
    .map(({ id, edge, detectedUs, updatedPosition: updatedAt, item }) => ({ id, edge, detectedUs, updatedAt, item }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));

test('a front shows what the engine shows, from earlier data and from changes', async (t) => {
  const dataDir = newFolder();
  const writer = await startWriter(dataDir);
  t.after(() => writer.close());
  await writer.engine.ingest([poll('draftkings', 110, -130), poll('fanduel', -115, 125)]);
  const front = await startFront(t, dataDir);
  assert.deepEqual(sorted(front.engine.table), sorted(writer.engine.table));
  // What changed a moment ago is published when its time has come, at either.
  const same = (books: string[] | null) =>
    eventually(async () =>
      assert.deepEqual(await active(front.opportunities, books), await active(writer.opportunities, books)),
    );
  await same(null);
  assert.ok((await active(front.opportunities, null)).length > 0);

  const { position, changed } = await front.engine.ingest([poll('draftkings', 150, -170), poll('betmgm', 100, -110)]);
  assert.ok(changed > 0);
  assert.ok(front.engine.table.position >= position, 'who is answered reads what he wrote');
  assert.deepEqual(sorted(front.engine.table), sorted(writer.engine.table));
  await same(null);
  const own = ['betmgm', 'draftkings'];
  await same(own);
  await front.engine.ingest([poll('draftkings', 160, -170), poll('fanduel', -110, 120)]);
  await same(own);
  assert.deepEqual(
    await front.engine.evaluate({ kind: 'ev', books: null, minEv: -50 }, CALLER).then(idsOf),
    await writer.engine.evaluate({ kind: 'ev', books: null, minEv: -50 }, CALLER).then(idsOf),
  );
  assert.deepEqual(front.ended, []);
});

test('while the engine is away a front serves its table, and catches up exactly with the next one', async (t) => {
  const dataDir = newFolder();
  let writer = await startWriter(dataDir);
  t.after(() => writer.close());
  await writer.engine.ingest([poll('draftkings', 110, -130), poll('fanduel', -115, 125)]);
  const front = await startFront(t, dataDir);
  const own = ['draftkings', 'fanduel'];
  const before = await active(front.opportunities, own);
  const positions: number[] = [];
  front.engine.onDelta((applied) => positions.push(applied.position));
  await writer.close();
  await assert.rejects(front.engine.ingest([poll('draftkings', 120, -130)]), /being replaced/);
  assert.deepEqual(await active(front.opportunities, own), before);

  // Committed before the front is connected again.
  const engine = new Engine(engineOptions(dataDir));
  await engine.ingest([poll('draftkings', 135, -150), poll('caesars', 105, -115)]);
  await engine.close();
  writer = await startWriter(dataDir);
  await until('the front to follow', () => front.engine.table.position >= writer.engine.table.position);
  const { position } = await front.engine.ingest([poll('fanduel', -120, 130)]);
  assert.ok(front.engine.table.position >= position);
  assert.deepEqual(sorted(front.engine.table), sorted(writer.engine.table));
  for (const books of [null, own])
    await eventually(async () =>
      assert.deepEqual(await active(front.opportunities, books), await active(writer.opportunities, books)),
    );
  assert.deepEqual(
    positions,
    [...positions].sort((a, b) => a - b),
    'nothing is published out of order',
  );
  assert.deepEqual(front.ended, []);
});

test('a front knows what ended before it used a universe, up to that very position and after a release', async (t) => {
  const dataDir = newFolder();
  const writer = await startWriter(dataDir);
  t.after(() => writer.close());
  const caller = { tier: 'enterprise', requested: ['draftkings', 'fanduel'] } as const;
  const elsewhere = writer.opportunities.universes.hold(caller);
  const arbitrage = async (): Promise<string> => {
    await writer.engine.ingest([poll('draftkings', 110, -130), poll('fanduel', -115, 125)]);
    const found = (await active(writer.opportunities, [...caller.requested])).find(({ item }) => 'legs' in item);
    return found!.id;
  };
  const end = () => writer.engine.ingest([poll('fanduel', -150, -110)]);
  const id = await arbitrage();
  const begun = writer.engine.table.position;
  await end();
  let passedMs = 0;
  const front = await startFront(t, dataDir, { now: () => systemClock.now() + passedMs });
  const endsSince = async (position: number): Promise<string[]> => {
    const lease = front.opportunities.universes.hold(caller);
    while (!lease.ready) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.ok(lease.reaches(position));
    lease.release();
    return [...lease.opportunities.endedSince(position, Number.POSITIVE_INFINITY)].map((ended) => ended.id);
  };
  assert.ok((await endsSince(begun)).includes(id));

  assert.equal(await arbitrage(), id);
  const { position } = await front.engine.ingest([poll('betmgm', -140, 100)]);
  passedMs += UNUSED_UNIVERSE_MS;
  front.opportunities.universes.sweep(0);
  assert.equal(front.opportunities.universes.filteredCount, 0);
  // Another process still watches it.
  await end();
  await front.engine.ingest([poll('betmgm', -145, 100)]);
  assert.ok((await endsSince(position)).includes(id));
  elsewhere.release();
});

function idsOf({ opportunities, ...rest }: Evaluated): object {
  return { ...rest, ids: opportunities.map(({ id }) => id).sort() };
}

test('the universes of an account are counted over all fronts, and free again when a front no longer leases them', async (t) => {
  const dataDir = newFolder();
  let passedMs = 0;
  const clock = { now: () => systemClock.now() + passedMs };
  const writer = await startWriter(dataDir, clock);
  t.after(() => writer.close());
  const fronts = [await startFront(t, dataDir), await startFront(t, dataDir)];
  const books = writer.engine.catalogue.books.map(({ id }) => id);
  const ask = (front: number, no: number, caller = CALLER) =>
    fronts[front]!.engine.ensureUniverse({ key: `set ${no}`, books: [books[no]!] }, caller);
  const most = LIMITS.filteredUniversesOfAccount.max;
  for (let no = 0; no < most; no++) await ask(no % 2, no);
  await ask(1, 0);
  await assert.rejects(ask(0, most), { code: 'rate_limited' });
  await assert.rejects(ask(1, most), { code: 'rate_limited' });
  await ask(1, most + 1, { account: 'other', viewer: false });
  for (let no = 0; no < most; no += 2) fronts[0]!.engine.dropUniverse(`set ${no}`);
  // Those of the first front are not renewed any more; one of them is used at the second one, too.
  passedMs += LEASE_MS + UNUSED_UNIVERSE_MS;
  // First the leases, then what nobody uses any more.
  writer.sweep();
  passedMs += UNUSED_UNIVERSE_MS;
  writer.sweep();
  await ask(1, most);
});

test('results reach a front: those stored before and every change, in an order from which a stream resumes', async (t) => {
  const dataDir = newFolder();
  const writer = await startWriter(dataDir);
  t.after(() => writer.close());
  await writer.engine.ingest([poll('draftkings', 110, -130)]);
  const { id: event_id } = [...writer.engine.table.events.ordered()][0]!;
  const say = (home_score: number, status = 'live', parts: object[] = []) => [
    { source: 'x', results: [{ event_id, status, home_score, away_score: 0, parts, at: new Date().toISOString() }] },
  ];
  await writer.engine.ingest(say(1) as never);
  const front = await startFront(t, dataDir);
  const board = followResults(front.engine, []);
  const items = resultItems(board);
  front.engine.onDelta((applied, delta) => items.apply(applied, delta));
  const shown = () => {
    const { status, home_score, parts, revision } = JSON.parse(items.text(event_id)!);
    return [status, home_score, parts, revision];
  };
  assert.deepEqual(shown(), ['live', 1, [], 1]);
  const before = items.itemsOf('').positionOf(event_id);
  const { position } = await front.engine.ingest(say(2) as never);
  assert.deepEqual(shown(), ['live', 2, [], 2]);
  assert.ok(before < items.itemsOf('').positionOf(event_id) && items.itemsOf('').positionOf(event_id) <= position);
  for (const [revision, home_score] of [
    [3, 30],
    [4, 28],
  ] as const) {
    const parts = [{ part: 'q1', home_score, away_score: 0 }];
    await front.engine.ingest(say(home_score, 'final', parts) as never);
    assert.deepEqual(shown(), ['final', home_score, parts, revision], 'a correction, with its parts');
  }
});

test('what only another release asks is answered so, and the connection stays', async (t) => {
  const dataDir = newFolder();
  const writer = await startWriter(dataDir);
  t.after(() => writer.close());
  const socket = connect(join(dataDir, 'log.sock'));
  t.after(() => socket.destroy());
  const answers = new Map<number, Buffer>();
  const reader = new FrameReader((_kind, frame) => {
    const { no, bytes } = readNumbered(frame);
    answers.set(no, Buffer.from(bytes));
  });
  socket.on('data', (chunk: Buffer) => reader.push(chunk));
  socket.write(numberedFrameOf(FRAME.request, 1, encode([99, null])));
  socket.write(numberedFrameOf(FRAME.request, 2, encodeRequest('position', null)));
  await eventually(() => assert.equal(answers.size, 2));
  assert.throws(() => decodeAnswer(answers.get(1)!), /of another release: a request of an unknown kind \(99\)/);
  assert.equal(typeof decodeAnswer(answers.get(2)!), 'number');
});
