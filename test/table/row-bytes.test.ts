import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatMs } from '../../src/model/time.js';
import { Columns } from '../../src/table/columns.js';
import { type LaterRows, RowBytes } from '../../src/table/row-bytes.js';

interface Parts {
  head: string;
  delta: string;
  rest: string;
  probability: string;
  seenMs: number;
}

const part = (letter: string, max: number) => fc.nat(max).map((length) => letter.repeat(length + 1));
const parts: fc.Arbitrary<Parts> = fc.record({
  head: part('é', 60),
  delta: part('d', 200),
  probability: part('p', 10),
  rest: part('r', 300),
  seenMs: fc.nat(1_000_000).map((ms) => Date.UTC(2026, 0, 1) + ms),
});
const steps = fc.array(
  fc.record({
    slot: fc.integer({ min: 1, max: 12 }),
    act: fc.constantFrom('put', 'put', 'price', 'touch', 'drop'),
    parts,
  }),
  { maxLength: 120 },
);

/** No row is composed later: all are present from the start. */
const NONE_LATER: LaterRows = {
  put: () => {},
  take: () => assert.fail('no row was added for later'),
  drop: () => {},
  makeSome: () => false,
};

function textOf({ head, delta, probability, rest, seenMs }: Parts): string {
  return `${head}${delta}${probability},"last_seen_at":"${formatMs(seenMs)}","timestamp":"${formatMs(seenMs)}"${rest}`;
}

test('rows that grow, shrink, move and are removed never overlap', () => {
  fc.assert(
    fc.property(steps, (plan) => {
      const bytes = new RowBytes(new Columns(), NONE_LATER);
      const rows = new Map<number, Parts>();
      for (const { slot, act, parts: fresh } of plan) {
        const known = rows.get(slot);
        const delta = Buffer.byteLength(fresh.delta);
        const price = delta + Buffer.byteLength(fresh.probability);
        if (act === 'drop') {
          if (known === undefined) continue;
          bytes.remove(slot);
          rows.delete(slot);
        } else if (act === 'touch') {
          if (known === undefined) continue;
          bytes.touch(slot, fresh.seenMs);
          rows.set(slot, { ...known, seenMs: fresh.seenMs });
        } else if (known === undefined) {
          const source = Buffer.from(`before${fresh.head}${fresh.delta}${fresh.probability}${fresh.rest}after`);
          const head = Buffer.byteLength(fresh.head);
          const lengths = { head, price, delta, rest: Buffer.byteLength(fresh.rest) };
          bytes.add(slot, { source, at: 6, lengths }, fresh.seenMs);
          rows.set(slot, fresh);
        } else {
          const rest = act === 'price' ? '' : fresh.rest;
          const source = Buffer.from(`before${fresh.delta}${fresh.probability}${rest}after`);
          bytes.update(slot, { source, at: 6, lengths: { head: 0, price, delta, rest: Buffer.byteLength(rest) } });
          const { head, seenMs } = known;
          rows.set(slot, { ...fresh, head, seenMs, rest: rest === '' ? known.rest : rest });
        }
        for (const [each, wanted] of rows) {
          assert.equal(bytes.text(each), textOf(wanted));
          const copy = Buffer.alloc(2_000);
          assert.equal(bytes.copyRow(each, copy, 3), 3 + bytes.length(each));
          assert.equal(copy.toString('utf8', 3, 3 + bytes.length(each)), textOf(wanted));
          assert.equal(copy.toString('utf8', 0, bytes.copyDelta(each, copy, 0)), wanted.delta);
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('places of removed rows are reused', () => {
  const bytes = new RowBytes(new Columns(), NONE_LATER);
  const source = Buffer.alloc(500, 'x');
  const lengths = { head: 100, price: 200, delta: 150, rest: 200 };
  for (let i = 0; i < 50_000; i++) {
    bytes.add(1, { source, at: 0, lengths }, 1_000);
    bytes.remove(1);
  }
  assert.equal(bytes.bytes, 8 * 1024 * 1024);
});
