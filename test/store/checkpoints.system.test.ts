// A loss of power: of what was written since the last checkpoint the disk may have any part. The store is restored to
// exactly that checkpoint, and readers learn that later positions are invalid.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { Transaction } from 'lmdb';
import { checkHealth } from '../../src/answers/health.js';
import { ManualClock } from '../../src/base/model/clock.js';
import { bootId, Checkpoints, restoreCheckpoint } from '../../src/store/checkpoints.js';
import { openDataDirectory } from '../../src/store/data-directory.js';
import { readMeta } from '../../src/store/shard-env.js';
import { PowerLoss } from '../../torture/power.js';
import { SystemFaults } from '../../torture/shim.js';
import { LONG } from '../long.js';
import { newFolder } from '../temp-folders.js';
import { Random } from '../world/random.js';
import { Rig, textsOf } from '../writer/shard/rig.js';
import { play } from './play.js';

const START_MS = Date.parse('2026-11-20T18:00:00Z');
const PAGE_BYTES = 4_096;
const ROWS_OF = fileURLToPath(new URL('rows-of.js', import.meta.url));
const FAILING_FLUSH = fileURLToPath(new URL('failing-flush.js', import.meta.url));
const linux = { skip: bootId() === null ? 'this system has no boot id' : false };

/** A shard with checkpoints of its own, taken when the test says so. */
function safeRig(t: TestContext, logSeconds = 900): { rig: Rig; points: Checkpoints } {
  const path = newFolder('overround-power-');
  const rig = new Rig(START_MS, { logSeconds }, path);
  const points = new Checkpoints(join(path, 'shard-0'), rig.env.root, { boot: 'boot 1', onFailed: assert.fail });
  t.after(async () => {
    await points.close();
    await rig.close();
    rmSync(path, { recursive: true });
  });
  return { rig, points };
}

/** Before it, an earlier read transaction would retain the pages, not the checkpoint. */
async function readsEnd(rig: Rig): Promise<void> {
  rig.env.root.resetReadTxn();
  await new Promise((resolve) => setTimeout(resolve, 1));
}

interface Image {
  data: Buffer;
  checkpoint: Buffer;
}

function imageOf(rig: Rig): Image {
  const dir = join(rig.dir, 'shard-0');
  return { data: readFileSync(join(dir, 'data.mdb')), checkpoint: readFileSync(join(dir, 'safe-point')) };
}

/** Every page of the file as it was at the one time or at the other. */
function torn(before: Buffer, after: Buffer, isNew: (page: number) => boolean): Buffer {
  const mixed = Buffer.alloc(Math.max(before.length, after.length));
  before.copy(mixed);
  for (let at = 0; at < after.length; at += PAGE_BYTES)
    if (isNew(at / PAGE_BYTES)) after.copy(mixed, at, at, at + PAGE_BYTES);
  return mixed;
}

function laidDown(image: Image): string {
  const dir = newFolder('overround-power-');
  mkdirSync(join(dir, 'shard-0'));
  writeFileSync(join(dir, 'shard-0', 'data.mdb'), image.data);
  writeFileSync(join(dir, 'shard-0', 'safe-point'), image.checkpoint);
  return dir;
}

function isNew(seed: number, page: number): boolean {
  return (Math.imul(seed * 31 + page, 0x9e3779b1) & 0x10000) !== 0;
}

async function rowsIn(dir: string): Promise<Map<string, string>> {
  const rig = new Rig(START_MS, {}, dir);
  const rows = textsOf(rig.freshTable());
  await rig.close();
  return rows;
}

test(
  'whatever part of the later pages the disk has, the store is restored to its last checkpoint',
  linux,
  async (t) => {
    const { rig, points } = safeRig(t, 120);
    let played = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1 }),
        async (before, after, seed) => {
          play(rig, played, before);
          await points.take();
          const image = imageOf(rig);
          const rows = textsOf(rig.freshTable());
          await readsEnd(rig);
          play(rig, played + before, after);
          played += before + after;
          const data = torn(image.data, imageOf(rig).data, (page) => isNew(seed, page));
          const dir = laidDown({ data, checkpoint: image.checkpoint });
          try {
            assert.equal(restoreCheckpoint(join(dir, 'shard-0'), 'boot 1'), false);
            assert.equal(restoreCheckpoint(join(dir, 'shard-0'), 'boot 2'), true);
            const found = new Rig(rig.nowMs, {}, dir);
            try {
              await found.restart();
              assert.deepEqual(textsOf(found.table), rows);
              play(found, played, 20);
              assert.deepEqual(textsOf(found.freshTable()), textsOf(found.table));
            } finally {
              await found.close();
            }
          } finally {
            rmSync(dir, { recursive: true });
          }
        },
      ),
      { numRuns: LONG ? 40 : 6 },
    );
  },
);

test('without being put back, such a store is not as it was, or cannot be read at all', linux, async (t) => {
  const { rig, points } = safeRig(t);
  play(rig, 0, 30);
  await points.take();
  const image = imageOf(rig);
  const rows = JSON.stringify([...textsOf(rig.freshTable())]);
  await readsEnd(rig);
  play(rig, 30, 60);
  const after = imageOf(rig).data;
  const found = [1, 2, 3].map((seed) => {
    const dir = laidDown({ data: torn(image.data, after, (page) => isNew(seed, page)), checkpoint: image.checkpoint });
    t.after(() => rmSync(dir, { recursive: true }));
    const { status, stdout } = spawnSync(process.execPath, [ROWS_OF, dir], { encoding: 'utf8', maxBuffer: 1e9 });
    return status === 0 && stdout === rows;
  });
  assert.deepEqual(found, [false, false, false]);
});

test('pages retained for checkpoints are reused once there is a later one', linux, async (t) => {
  const { rig, points } = safeRig(t, 120);
  const grown = async (): Promise<number> => {
    const before = statSync(join(rig.dir, 'shard-0', 'data.mdb')).size;
    for (let round = 0; round < 10; round++) {
      play(rig, round * 20, 20);
      await points.take();
    }
    return statSync(join(rig.dir, 'shard-0', 'data.mdb')).size - before;
  };
  const first = await grown();
  await grown();
  assert.ok((await grown()) < first / 4, `${first} bytes at first`);
});

test('a checkpoint that finds no reader slot is reported, and the next one is taken', linux, async (t) => {
  const path = newFolder('overround-power-');
  const rig = new Rig(START_MS, {}, path);
  const failed: unknown[] = [];
  const points = new Checkpoints(join(path, 'shard-0'), rig.env.root, {
    boot: 'boot 1',
    onFailed: (error) => failed.push(error),
  });
  t.after(async () => {
    await points.close();
    await rig.close();
    rmSync(path, { recursive: true });
  });
  const views: Transaction[] = [];
  try {
    for (let i = 0; ; i++) {
      play(rig, i, 1);
      rig.env.root.resetReadTxn();
      views.push(rig.env.root.useReadTransaction());
    }
  } catch {
    // Each view of a different state needs a slot of its own.
    assert.ok(views.length > 50);
  }
  await points.take();
  assert.equal(failed.length, 1);
  for (const view of views) view.done();
  await readsEnd(rig);
  await points.take();
  assert.equal(failed.length, 1);
  const rows = textsOf(rig.freshTable());
  const dir = laidDown(imageOf(rig));
  t.after(() => rmSync(dir, { recursive: true }));
  assert.equal(restoreCheckpoint(join(dir, 'shard-0'), 'boot 2'), true);
  assert.deepEqual(await rowsIn(dir), rows);
});

test(
  'a directory whose machine lost power opens with the state of its last second and a new epoch',
  linux,
  async () => {
    const path = newFolder('overround-power-');
    const clock = new ManualClock(START_MS);
    const first = openDataDirectory(path, 1, clock);
    const rig = new Rig(START_MS, {}, path);
    play(rig, 0, 30);
    const rows = textsOf(rig.table);
    await rig.close();
    await first.close();

    const same = openDataDirectory(path, 1, clock);
    assert.deepEqual([same.fellBack, same.epoch, same.createdPosition], [false, first.epoch, first.createdPosition]);
    await same.close();

    const file = join(path, 'shard-0', 'safe-point');
    const started = (): void => {
      const bytes = readFileSync(file);
      bytes.write('another boot', bytes.indexOf(bootId()!), 'latin1');
      writeFileSync(file, bytes);
    };
    started();
    clock.set(START_MS + 60_000);
    const again = openDataDirectory(path, 1, clock);
    assert.equal(again.fellBack, true);
    assert.notEqual(again.epoch, first.epoch);
    assert.equal(again.createdPosition, clock.now() * 1000);
    assert.deepEqual([first.beganEmpty, again.beganEmpty], [true, false]);
    await again.close();
    // On close everything was flushed: nothing is missing.
    assert.deepEqual(await rowsIn(path), rows);
    const after = openDataDirectory(path, 1, clock);
    assert.deepEqual([after.fellBack, after.epoch, after.beganEmpty], [false, again.epoch, false]);
    const { position } = readMeta(after.envs[0]!);
    await after.close();

    // The clock is behind what clients were told.
    started();
    clock.set(position / 1000 - 60_000);
    const setBack = openDataDirectory(path, 1, clock);
    assert.ok(setBack.createdPosition > position);
    await setBack.close();
  },
);

/** The worst disk: it lost everything it may have lost. */
class Worst extends Random {
  override int(from: number): number {
    return from;
  }
}

test(
  'after a flush that failed everything is written again: by the same process, and by the next one',
  linux,
  async (t) => {
    const dir = newFolder('overround-power-');
    const system = SystemFaults.build('torture/shim.c', dir);
    if (system === null) return t.skip('there is no C compiler here');
    t.after(() => system.close());
    const data = join(dir, 'data');
    mkdirSync(data);
    const power = new PowerLoss(dir, data);
    const run = (...steps: string[]): { seen: string[]; rows: [string, string][] } => {
      const env = { ...process.env, ...system.env, ...power.env };
      const { stdout, stderr } = spawnSync(process.execPath, [FAILING_FLUSH, data, ...steps], {
        env,
        encoding: 'utf8',
      });
      assert.equal(stderr, '');
      return JSON.parse(stdout) as ReturnType<typeof run>;
    };
    const afterLoss = (): Promise<Map<string, string>> => {
      power.lose(new Worst(0));
      assert.equal(restoreCheckpoint(join(data, 'shard-0'), 'another boot'), true);
      return rowsIn(data);
    };
    const same = run('fails', 'recovers');
    assert.deepEqual(same.seen, [
      '0 failed, 0 recovered, safe',
      '1 failed, 0 recovered, unsafe',
      '1 failed, 0 recovered, unsafe',
      '1 failed, 1 recovered, safe',
    ]);
    assert.deepEqual(await afterLoss(), new Map(same.rows));
    run('fails');
    const next = run();
    assert.deepEqual(next.seen, ['0 failed, 0 recovered, safe']);
    assert.deepEqual(await afterLoss(), new Map(next.rows));

    // The end does not wait for a large file: what was not written again is left to the next start.
    run('fails', 'closes');
    assert.equal(existsSync(join(data, 'shard-0', 'flush-failed')), true);
  },
);

test('a file that was not written again is at the next start, with whatever durability', linux, async () => {
  const path = newFolder('overround-power-');
  const clock = new ManualClock(START_MS);
  await openDataDirectory(path, 1, clock).close();
  const mark = join(path, 'shard-0', 'flush-failed');
  for (const durability of ['flush', 'commit'] as const) {
    writeFileSync(mark, '');
    const { size } = statSync(join(path, 'shard-0', 'data.mdb'));
    const rewritten: [number, number][] = [];
    const onRewriting = (...file: [number, number]): unknown => rewritten.push(file);
    await openDataDirectory(path, 1, clock, { durability, onRewriting }).close();
    assert.deepEqual(rewritten, [[0, size]]);
    assert.equal(existsSync(mark), false);
  }
});

test('closed twice is closed once: another file may have its handle by then', linux, async () => {
  const path = newFolder('overround-power-');
  const directory = openDataDirectory(path, 1, new ManualClock(START_MS));
  await Promise.all([directory.close(), directory.close()]);
  const handle = openSync(join(path, 'overround.json'), 'r');
  await directory.close();
  assert.ok(readFileSync(handle).length > 0);
  closeSync(handle);
});

test('a checkpoint of another store, or of one that flushes each commit, is not restored', linux, async () => {
  const path = newFolder('overround-power-');
  const clock = new ManualClock(START_MS);
  await openDataDirectory(path, 1, clock).close();
  const rig = new Rig(START_MS, {}, path);
  play(rig, 0, 30);
  const rows = textsOf(rig.table);
  await rig.close();
  const dir = join(path, 'shard-0');
  const other = newFolder('overround-power-');
  const longer = openDataDirectory(other, 1, clock);
  const otherRig = new Rig(START_MS, {}, other);
  play(otherRig, 0, 60);
  await otherRig.close();
  await longer.close();
  writeFileSync(join(dir, 'safe-point'), readFileSync(join(other, 'shard-0', 'safe-point')));
  assert.equal(restoreCheckpoint(dir, 'another boot'), false);
  assert.deepEqual(await rowsIn(path), rows);

  const flushing = openDataDirectory(path, 1, clock, { durability: 'flush' });
  await flushing.close();
  assert.equal(restoreCheckpoint(dir, 'another boot'), false);
  const back = openDataDirectory(path, 1, clock);
  assert.equal(back.fellBack, false);
  await back.close();
  assert.deepEqual(await rowsIn(path), rows);
});

test(
  'while the disk refuses writes, health shows what a loss of power would lose; once it accepts them again health is ok',
  linux,
  async () => {
    const path = newFolder('overround-power-');
    const clock = new ManualClock(START_MS);
    const directory = openDataDirectory(path, 1, clock);
    const rig = new Rig(START_MS, {}, path);
    const failures: unknown[] = [];
    const onFailed = (error: unknown): void => void failures.push(error);
    const dir = join(path, 'shard-0');
    const points = new Checkpoints(dir, rig.env.root, { boot: 'boot 1', onFailed });
    const health = () => {
      const seen = { ...directory, unsafe: points.failure };
      return checkHealth({ clock, directory: seen, table: rig.table, shards: undefined }, []).checks.lmdb;
    };
    play(rig, 0, 3);
    mkdirSync(join(dir, 'safe-point.new'));
    await points.take();
    await points.take();
    assert.equal(failures.length, 1, 'as long as the reason is the same');
    assert.equal(health().status, 'degraded');
    assert.match(health().message!, /a loss of power now would lose more than a second \(EISDIR/);
    rmSync(join(dir, 'safe-point.new'), { recursive: true });
    await points.take();
    assert.deepEqual([failures.length, points.failure, health().status], [1, null, 'ok']);
    await points.close();
    await rig.close();
    await directory.close();
    assert.equal(directory.unsafe, null);
  },
);

test('where no more files can be opened, a boot that cannot be read is an error, and not another boot', linux, () => {
  const checkpoints = new URL('../../src/store/checkpoints.js', import.meta.url).href;
  const script = `
    import { openSync } from 'node:fs';
    import { bootId } from ${JSON.stringify(checkpoints)};
    try { for (;;) openSync('/dev/null', 'r'); } catch {}
    bootId();`;
  const limited = ['-c', 'ulimit -n 60 && exec "$0" "$@"', process.execPath, '--input-type=module', '-e', script];
  const { status, stderr } = spawnSync('sh', limited, { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /EMFILE/);
});
