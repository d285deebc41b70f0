// The control store's log of changes is bounded in bytes, whatever is stored.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LIMITS } from '../../src/base/model/limits.js';
import { decode, encode } from '../../src/base/wire/codec.js';
import type { ControlChange } from '../../src/log/control/entries.js';
import { LmdbControlStore } from '../../src/store/control-store.js';
import { bytesOf } from '../../src/store/lmdb-table.js';

const SECOND_US = 1e6;

async function withStore(work: (store: LmdbControlStore, path: string) => void | Promise<void>): Promise<void> {
  const path = mkdtempSync(join(tmpdir(), 'overround-control-'));
  const store = new LmdbControlStore(path);
  try {
    await work(store, path);
  } finally {
    await store.close();
    rmSync(path, { recursive: true, force: true });
  }
}

const logBytes = ({ root }: LmdbControlStore): number =>
  bytesOf(root.openDB<Buffer, number>({ name: 'log', encoding: 'binary' }));
const valuesOf = (store: LmdbControlStore, from: number): [string, unknown][] =>
  [...store.changesAfter(from)].flatMap(([, changes]) =>
    changes.map(([entry, value]): [string, unknown] => [entry, value === null ? null : decode(value)]),
  );

test('messages that wait for a target are not in the log a second time', () =>
  withStore((store) => {
    const message = 'x'.repeat(100_000);
    for (let no = 1; no <= 50; no++) {
      store.commit(no * SECOND_US, [[`queue|a|${no}`, encode({ no, message })]]);
      store.commit(no * SECOND_US + 1, [[`queue|a|${no}`, null]]);
    }
    store.commit(60 * SECOND_US, [
      ['queue|a|51', encode({ no: 51, message })],
      ['bet|1', encode({ stake: 5 })],
    ]);
    assert.ok(logBytes(store) < 100_000, `${logBytes(store)} bytes`);
    // Whoever reads the log sees what there is now.
    assert.deepEqual(valuesOf(store, 59 * SECOND_US), [
      ['queue|a|51', { no: 51, message }],
      ['bet|1', { stake: 5 }],
    ]);
    assert.deepEqual(valuesOf(store, 0).filter(([, value]) => value !== null).length, 2);
  }));

test('another reader is told of a long value as of a short one', () =>
  withStore(async (store, path) => {
    store.commit(1, [['short', encode(1)]]);
    const reader = new LmdbControlStore(path, 'read');
    const told: (readonly ControlChange[] | null)[] = [];
    reader.onChange((changes) => told.push(changes));
    const long = 'x'.repeat(LIMITS.controlLogged.max + 1);
    store.commit(2, [['long', encode(long)]]);
    reader.refresh();
    assert.deepEqual(
      told.map((changes) => changes?.map(([entry, value]) => [entry, decode(value!)])),
      [[['long', long]]],
    );
    await reader.close();
  }));

test('a log that grows past its bound loses its oldest changes, never the newest', () =>
  withStore((store) => {
    const value = encode('y'.repeat(LIMITS.controlLogged.max - 16));
    const changes = Array.from({ length: 1_000 }, (_, i): ControlChange => [`bet|${i}`, value]);
    for (let no = 1; no <= 40; no++) store.commit(no * SECOND_US, changes);
    assert.ok(logBytes(store) < 1.2 * LIMITS.controlLog.max, `${logBytes(store)} bytes`);
    assert.ok(store.changesFrom > SECOND_US);
    assert.ok(store.hasChange(40 * SECOND_US));
    // A single change may be larger than all of the log may be.
    store.commit(41 * SECOND_US, Array.from({ length: 20 }, () => changes).flat());
    assert.ok(store.hasChange(41 * SECOND_US));
  }));
