// Commits of LMDB's own thread: until one has ended, every read is as it will be then.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { REPORT_FAILURES } from '../../src/base/model/storage-error.js';
import { openStore, tableOf } from '../../src/store/open-store.js';
import { ReservedSpace } from '../../src/store/reserved-space.js';
import { BufferedTable, WriteBehind } from '../../src/store/write-behind.js';
import { runs } from '../long.js';
import { newFolder } from '../temp-folders.js';

function opened(t: TestContext) {
  const path = newFolder();
  const store = openStore(path, REPORT_FAILURES, (root) => ({
    numbers: new BufferedTable(tableOf<number>(root, 'numbers')),
    bytes: new BufferedTable(tableOf<Buffer>(root, 'bytes', { keyEncoding: 'binary' })),
  }));
  const space = new ReservedSpace(path);
  t.after(() => {
    space.close();
    return store.root.close();
  });
  return { path, space, ...store };
}

const NUMBER = fc.integer({ min: 0, max: 300 });
const key = (no: number): Buffer => Buffer.from([no >> 8, no & 0xff, 7]);
const bytesOf = (text: string): Buffer => Buffer.from(text);

test('while it is written a table is read as it will be, by key and in ranges of either direction', async (t) => {
  const { path, root, space, numbers, bytes } = opened(t);
  const commits = new WriteBehind();
  const model = new Map<number, string>();
  const write = fc.tuple(NUMBER, fc.option(fc.string(), { freq: 2 }));
  const range = fc.record({
    start: fc.option(NUMBER, { nil: undefined }),
    end: fc.option(NUMBER, { nil: undefined }),
    reverse: fc.boolean(),
    limit: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 40 }), fc.array(range, { maxLength: 8 }), async (writes, ranges) => {
      for (const [no, text] of writes)
        if (text === null) model.delete(no);
        else model.set(no, text);
      const asWritten = writes.flatMap(([no, text]) => {
        const value = text === null ? undefined : bytesOf(text);
        return [[numbers, no, value] as const, [bytes, key(no), value] as const];
      });
      commits.commit({ path, root, writes: asWritten.map((of) => [...of]), count: asWritten.length, space }, true);
      const agree = (): void => {
        for (const [no] of writes) assert.equal(numbers.get(no)?.toString(), model.get(no));
        for (const { start, end, reverse, limit } of ranges) {
          const inOrder = [...model].sort(([a], [b]) => (reverse ? b - a : a - b));
          const expected = inOrder
            .filter(([no]) => start === undefined || (reverse ? no <= start : no >= start))
            .filter(([no]) => end === undefined || (reverse ? no > end : no < end))
            .slice(0, limit);
          const bounds = { reverse, ...(limit === undefined ? {} : { limit }) };
          const of = <K>(at: (no: number) => K) => ({
            ...bounds,
            ...(start === undefined ? {} : { start: at(start) }),
            ...(end === undefined ? {} : { end: at(end) }),
          });
          const byNumber = of((no) => no);
          assert.deepEqual(
            [...numbers.range(byNumber)].map(({ key: no, value }) => [no, value.toString()]),
            expected,
          );
          assert.deepEqual(
            [...bytes.range(of(key))].map(({ key: at, value }) => [at.readUInt16BE(0), value.toString()]),
            expected,
          );
          assert.deepEqual(
            [...numbers.keys(byNumber)],
            expected.map(([no]) => no),
          );
        }
      };
      agree();
      await commits.ended();
      agree();
    }),
    { numRuns: runs(60) },
  );
});

test('commits of several stores end in the order in which they were given, and a store has one at a time', async (t) => {
  const [first, second] = [opened(t), opened(t)];
  const commits = new WriteBehind();
  const many = Array.from({ length: 3_000 }, (_, no) => no);
  const commit = ({ path, root, space, numbers }: typeof first, value: string) => ({
    path,
    root,
    count: many.length,
    space,
    writes: many.map((no): [typeof numbers, number, Buffer] => [numbers, no, bytesOf(value)]),
  });
  const stored = ({ root }: typeof first): string | undefined => {
    root.resetReadTxn();
    return tableOf<number>(root, 'numbers').getBinary(2_999)?.toString();
  };
  commits.commit(commit(first, 'a'), true);
  commits.commit(commit(second, 'b'), true);
  const ended = commits.ended();
  assert.equal(commits.isWriting, true);
  for (const behind of [true, false])
    assert.throws(() => commits.commit(commit(first, 'c'), behind), /is being written/);
  assert.throws(() => commits.commit(commit(second, 'c'), false), /is being written/);
  while (stored(second) === undefined) await new Promise(setImmediate);
  assert.equal(stored(first), 'a');
  await ended;
  assert.equal(commits.isWriting, false);
  commits.commit(commit(first, 'c'), false);
  assert.equal(stored(first), 'c');
});
