// Shared byte strings are stored once, whatever comes and goes, and their memory is reused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BytePool } from '../../../src/base/memory/byte-pool.js';

/** Few different texts, so that they recur; some longer than the space of others. */
const text = fc.tuple(fc.nat(40), fc.constantFrom(1, 20, 31, 32, 33, 700)).map(([no, times]) => `${no}é`.repeat(times));
const steps = fc.array(fc.record({ takes: fc.boolean(), text, which: fc.nat() }), { maxLength: 300 });

test('a byte string exists until each of its uses is released, is stored once, and is read back unchanged', () => {
  fc.assert(
    fc.property(steps, (plan) => {
      const pool = new BytePool();
      const taken: { no: number; text: string }[] = [];
      for (const { takes, text, which } of plan) {
        if (takes) {
          const source = Buffer.from(`before${text}after`);
          taken.push({ no: pool.take(source, 6, source.length - 5), text });
        } else if (taken.length > 0) pool.giveBack(taken.splice(which % taken.length, 1)[0]!.no);
        assert.equal(pool.count, new Set(taken.map((each) => each.text)).size);
        assert.equal(new Set(taken.map(({ no }) => no)).size, pool.count);
        for (const { no, text } of taken) {
          assert.equal(pool.text(no), text);
          const into = Buffer.alloc(pool.length(no) + 2);
          assert.equal(pool.copy(no, into, 2), into.length);
          assert.equal(into.toString('utf8', 2), text);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test('memory of released byte strings is reused, and many byte strings are found', () => {
  const pool = new BytePool();
  const take = (no: number): number => {
    const source = Buffer.from(`https://book.example/betslip/${String(no).padStart(9, '0')}`);
    return pool.take(source, 0, source.length);
  };
  const numbers = Array.from({ length: 5_000 }, (_, no) => take(no));
  for (const [no, number] of numbers.entries()) assert.equal(take(no), number);
  const { bytes } = pool;
  for (let round = 1; round <= 20; round++) {
    for (const number of numbers) for (let uses = round === 1 ? 2 : 1; uses > 0; uses--) pool.giveBack(number);
    assert.equal(pool.count, 0);
    for (let no = 0; no < numbers.length; no++) numbers[no] = take(round * 10_000 + no);
  }
  assert.equal(pool.bytes, bytes);
});
