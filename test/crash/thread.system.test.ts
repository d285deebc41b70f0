// A shard's thread that dies during a storm: it is replaced, nothing acknowledged is lost, messages under way are
// answered or refused as a whole, and the readers' table stays exact.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../src/base/model/errors.js';
import type { Engine } from '../../src/engine/engine.js';
import type { LogEntry } from '../../src/log/control/control-queue.js';
import { loadTable } from '../../src/tables/load.js';
import type { Journal } from '../../src/writer/pool/replication.js';
import { openEngine } from '../engine-rig.js';
import { LONG } from '../long.js';
import { until } from '../support/until.js';
import { newFolder } from '../temp-folders.js';
import { newTable, rowsOf, textsOf } from '../writer/shard/rig.js';
import { BOOKS, bookOf, LEAGUES, rowsAt, seqOf, stormMessage } from './storm.js';

const KILLS = LONG ? 12 : 4;

function freshTexts(engine: Engine): Map<string, string> {
  const fresh = newTable();
  for (const env of engine.directory.envs) env.root.resetReadTxn();
  loadTable(fresh, engine.directory.envs);
  return new Map([...textsOf(fresh)].sort());
}

test('threads killed in a storm are replaced and nothing acknowledged is lost', async (t) => {
  const lost: number[] = [];
  let over = false;
  // Hooks run in order: an engine does not end while messages keep coming.
  t.after(() => {
    over = true;
  });
  const engine = openEngine(t, {
    log: { info() {}, warn() {}, error: (fields) => lost.push((fields as { shard: number }).shard) },
  });
  const positions: number[] = [];
  engine.onDelta((_applied, { position }) => positions.push(position));
  const acknowledged = new Map<string, number>();
  let refused = 0;
  let seq = 0;
  const sender = async (): Promise<void> => {
    while (!over) {
      const own = seq++;
      try {
        const receipt = await engine.ingest([stormMessage(own)]);
        assert.deepEqual(receipt.rejected, []);
        acknowledged.set(bookOf(own), Math.max(own, acknowledged.get(bookOf(own)) ?? 0));
      } catch (error) {
        assert.ok(error instanceof ApiError && error.code === 'unavailable', String(error));
        assert.equal(error.detail.retryAfter, 1);
        refused++;
      }
    }
  };
  const senders = Array.from({ length: 6 }, sender);
  for (let kill = 0; kill < KILLS; kill++) {
    const before = seq;
    await until('more batches', () => seq >= before + 15);
    await engine.shards!.kill(kill % 2);
  }
  over = true;
  await Promise.all(senders);

  assert.ok(lost.length >= KILLS / 2, `${lost.length} threads were lost at work`);
  const rows = [...rowsOf(engine.table).values()];
  for (const book of BOOKS)
    for (const league of LEAGUES) {
      const own = rows.filter((row) => row.sportsbook === book && row['league'] === league);
      const seqs = [...new Set(own.map((row) => seqOf(row.odds_american)))];
      assert.equal(seqs.length, 1, `${book} ${league} is half applied: ${seqs}`);
      assert.ok(seqs[0]! >= acknowledged.get(book)!, `${book} ${league} lost message ${acknowledged.get(book)}`);
      assert.equal(own.length, rowsAt(seqs[0]!));
    }
  assert.deepEqual(
    positions,
    [...new Set(positions)].sort((a, b) => a - b),
    'positions rise and are used once',
  );
  assert.deepEqual(new Map([...textsOf(engine.table)].sort()), freshTexts(engine));
  assert.ok(refused < seq / 2);
});

test('an idle thread that dies is replaced unnoticed, whatever happened to the catalogue files', async (t) => {
  const catalogueDir = newFolder();
  const overlay = join(catalogueDir, 'books.overlay.json');
  writeFileSync(overlay, '[]');
  const engine = openEngine(t, { workers: 1, catalogueDir });
  await engine.ingest([stormMessage(0)]);
  writeFileSync(overlay, 'being edited');
  const before = textsOf(engine.table);
  for (let i = 0; i < 3; i++) {
    await engine.shards!.kill(0);
    const { accepted } = await engine.ingest([stormMessage(0)]);
    // Its quotes and its result.
    assert.equal(accepted, rowsAt(0) * LEAGUES.length + 1);
  }
  assert.deepEqual(textsOf(engine.table), before);
});

test('a second engine on the same data continues with the ids and positions of the first', async (t) => {
  const dataDir = newFolder();
  const first = openEngine(t, { dataDir });
  await first.ingest([stormMessage(0)]);
  const texts = textsOf(first.table);
  const { position } = first.table;
  await first.close();
  const second = openEngine(t, { dataDir, workers: 5 });
  assert.deepEqual(textsOf(second.table), texts);
  assert.equal(second.table.position, position);
  let next = 0;
  second.onDelta((_applied, delta) => {
    next = delta.position;
  });
  await second.ingest([stormMessage(BOOKS.length)]);
  assert.ok(next > position);
  assert.ok([...texts.keys()].some((id) => second.table.slotOf(id) !== undefined));
});

test('a batch is committed once the shared log has it: a refused one leaves no trace, whatever its thread did', async (t) => {
  const asked: { entry: LogEntry; take(): void; refuse(): void }[] = [];
  let onEntry = (): void => {};
  const journal: Journal = {
    append: (entry) =>
      new Promise((take, refuse) => {
        asked.push({ entry: { ...entry, message: null }, take, refuse: () => refuse(new Error('fenced')) });
        onEntry();
      }),
    lost: assert.ifError,
  };
  // Hooks run in order: an engine does not end while a batch of it is undecided.
  t.after(() => {
    onEntry = () => asked.at(-1)!.refuse();
    for (const { refuse } of asked) refuse();
  });
  const nextAsked = (): Promise<(typeof asked)[number]> =>
    new Promise((resolve) => {
      onEntry = () => resolve(asked.at(-1)!);
    });
  const engine = openEngine(t, { workers: 1, standby: true });
  const send = (seq: number): Promise<string> =>
    engine.ingest([stormMessage(seq)]).then(
      () => 'taken',
      (error: unknown) => (error as ApiError).code,
    );
  const decided = async (seq: number, how: 'take' | 'refuse'): Promise<string> => {
    const entry = nextAsked();
    const answer = send(seq);
    (await entry)[how]();
    return answer;
  };
  const twin = openEngine(t, { workers: 1 });
  for (const [seq, how] of [
    [0, 'take'],
    [1, 'refuse'],
    [BOOKS.length, 'take'],
  ] as const) {
    // A writer whose log refused something writes no more: its next term begins as another's would.
    engine.shards!.lead(engine.table.position, journal);
    assert.equal(await decided(seq, how), how === 'take' ? 'taken' : 'unavailable');
    if (how === 'take') await twin.ingest([stormMessage(seq)]);
    assert.deepEqual(oddsOf(engine), oddsOf(twin), `after ${seq}`);
    assert.deepEqual(freshTexts(engine), new Map([...textsOf(engine.table)].sort()));
    await engine.shards!.stepDown();
  }

  // What a caller asks of the shard meanwhile is answered without what may be undone.
  engine.shards!.lead(engine.table.position, journal);
  const question = { kind: 'ev', books: null, minEv: -100, method: 'shin' } as const;
  const caller = { account: 'acc', viewer: false };
  const before = await engine.evaluate(question, caller);
  const undecided = nextAsked();
  const told = send(BOOKS.length + 1);
  const { refuse } = await undecided;
  const evaluated = engine.evaluate(question, caller);
  assert.equal(await Promise.race([evaluated, pause(200, 'waits', { ref: false })]), 'waits');
  refuse();
  assert.equal(await told, 'unavailable');
  const edgesOf = ({ opportunities }: typeof before) => opportunities.map(({ id, edge }) => `${id} ${edge}`).sort();
  assert.deepEqual(edgesOf(await evaluated), edgesOf(before));
  await engine.shards!.stepDown();

  // However often it is told that another one writes, it has ended once nothing is under way.
  engine.shards!.lead(engine.table.position, journal);
  const last = nextAsked();
  const refused = send(BOOKS.length + 1);
  const { refuse: refuseLast } = await last;
  const ends = [engine.shards!.stepDown(), engine.shards!.stepDown()];
  assert.equal(await Promise.race([...ends, pause(200, 'waits', { ref: false })]), 'waits');
  refuseLast();
  assert.equal(await refused, 'unavailable');
  await Promise.all(ends);

  // The thread dies while the log stores what its batch changed: the thread after it commits that.
  engine.shards!.lead(engine.table.position, journal);
  const entry = nextAsked();
  const answer = send(1);
  const held = await entry;
  await engine.shards!.kill(0);
  held.take();
  assert.equal(await answer, 'taken');
  await twin.ingest([stormMessage(1)]);
  assert.deepEqual(oddsOf(engine), oddsOf(twin));
  assert.deepEqual(freshTexts(engine), new Map([...textsOf(engine.table)].sort()));
});

function oddsOf(engine: Engine): unknown[] {
  return [...rowsOf(engine.table).values()]
    .map(({ sportsbook, event_id, selection, odds_american }) =>
      [sportsbook, event_id, selection, odds_american].join(),
    )
    .sort();
}
