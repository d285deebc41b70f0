import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Consensus } from '../../../src/detection/maths/consensus.js';

// Shared by all tests: no state of one market may affect the next.
const consensus = new Consensus();

/** Four books' fair probabilities. */
const FOUR = [
  [0.5, 0.5],
  [0.52, 0.48],
  [0.55, 0.45],
  [0.6, 0.4],
];

interface Judged {
  out: number[][];
  opinions: number[];
  count: number;
}

function judge(rows: number[][], owners: number[], ranked: Uint16Array, at: number): Judged {
  consensus.begin(rows[0]!.length);
  const fair = Float64Array.from(rows.flat());
  for (const [b, row] of rows.entries()) if (!Number.isNaN(row[0]!)) consensus.add(owners[b]!, fair, b * row.length);
  consensus.settle(ranked, at);
  const out = rows.map((row, b) => row.map((_, i) => consensus.probability(owners[b]!, i)));
  for (const row of out)
    for (const [i, p] of row.entries()) if (!Number.isNaN(p)) assert.ok(p <= consensus.ceiling(i), `${p} of ${i}`);
  return { out, opinions: owners.map((owner) => consensus.opinionsFor(owner)), count: consensus.count };
}

function run(rows: number[][], owners: number[]): Judged {
  const count = new Set(owners.filter((_, b) => !Number.isNaN(rows[b]![0]!))).size;
  const ranked = new Uint16Array(5 + count * 3);
  for (let i = 0; i < count; i++)
    for (let outcome = 0; outcome < 3; outcome++) ranked[5 + i * 3 + outcome] = (i + outcome) % count;
  const judged = judge(rows, owners, ranked, 5);
  // The order left by the first call must not change the result of the second.
  const left = ranked.slice();
  assert.deepEqual(judge(rows, owners, ranked, 5), judged);
  assert.deepEqual(ranked, left);
  return judged;
}

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);
}

test('each book is judged by the median of the others', () => {
  const { out, opinions } = run(FOUR, [1, 2, 3, 4]);
  assert.deepEqual(opinions, [3, 3, 3, 3]);
  near(out[0]![0]!, 0.55);
  near(out[1]![0]!, 0.55);
  near(out[2]![0]!, 0.52);
  near(out[3]![0]!, 0.52);
});

test('with an even number of others the median is the mean of the middle two', () => {
  const { out } = run([...FOUR, [0.7, 0.3]], [1, 2, 3, 4, 5]);
  near(out[0]![0]!, (0.55 + 0.6) / 2);
  near(out[4]![0]!, (0.52 + 0.55) / 2);
});

test('skins of the evaluated book do not count and skins of another are one opinion', () => {
  const rows = [
    [0.9, 0.1],
    [0.9, 0.1],
    [0.5, 0.5],
    [0.5, 0.5],
    [0.52, 0.48],
    [0.54, 0.46],
  ];
  const { out, opinions, count } = run(rows, [7, 7, 8, 8, 9, 10]);
  assert.equal(count, 4);
  assert.deepEqual(opinions, [3, 3, 3, 3, 3, 3]);
  near(out[0]![0]!, 0.52);
  near(out[1]![0]!, 0.52);
  near(out[2]![0]!, 0.54);
});

test('fewer than three other owners make no consensus', () => {
  const { out, opinions } = run(FOUR, [1, 2, 3, 3]);
  assert.deepEqual(opinions, [2, 2, 2, 2]);
  assert.ok(out.flat().every(Number.isNaN));
});

test('a book without a complete market does not count and is evaluated against all others', () => {
  const missing = [Number.NaN, Number.NaN];
  const { out, opinions, count } = run([missing, [0.5, 0.5], [0.52, 0.48], [0.56, 0.44]], [1, 2, 3, 4]);
  assert.equal(count, 3);
  assert.deepEqual(opinions, [3, 2, 2, 2]);
  near(out[0]![0]!, 0.52);
  assert.ok(Number.isNaN(out[1]![0]!));
});

test('three-way medians are normalised to sum one', () => {
  const rows = [
    [0.5, 0.3, 0.2],
    [0.45, 0.25, 0.3],
    [0.4, 0.35, 0.25],
    [0.55, 0.2, 0.25],
    [0.5, 0.2, 0.3],
  ];
  for (const row of run(rows, [1, 2, 3, 4, 5]).out)
    near(
      row.reduce((a, b) => a + b),
      1,
    );
});

const book = fc.record({
  owner: fc.integer({ min: 0, max: 9 }),
  p: fc.option(fc.double({ min: 0.05, max: 0.95, noNaN: true }), { nil: Number.NaN }),
});

test('the consensus agrees with a plain leave-one-owner-out median and does not depend on the order of books', () => {
  fc.assert(
    fc.property(fc.array(book, { minLength: 1, maxLength: 25 }), (books) => {
      const rows = books.map(({ p }) => [p, 1 - p]);
      const { out, opinions } = run(
        rows,
        books.map(({ owner }) => owner),
      );
      for (const [b, judged] of books.entries()) {
        const means = new Map<number, number[]>();
        for (const { owner, p } of books) {
          if (owner === judged.owner || Number.isNaN(p)) continue;
          means.set(owner, [...(means.get(owner) ?? []), p]);
        }
        const values = [...means.values()].map((ps) => ps.reduce((x, y) => x + y) / ps.length).sort((x, y) => x - y);
        assert.equal(opinions[b], values.length);
        const half = values.length >> 1;
        const median = values.length % 2 === 1 ? values[half]! : (values[half - 1]! + values[half]!) / 2;
        if (values.length < 3) assert.ok(Number.isNaN(out[b]![0]!));
        else near(out[b]![0]!, median);
      }
      const reversed = run([...rows].reverse(), books.map(({ owner }) => owner).reverse()).out.reverse();
      for (const [b, row] of out.entries()) {
        if (!Number.isNaN(row[0]!)) near(reversed[b]![0]!, row[0]!);
      }
    }),
    { numRuns: 500 },
  );
});

test('any number of owners is distinguished', () => {
  const rows = Array.from({ length: 300 }, (_, b) => [0.3 + b / 1_000, 0.7 - b / 1_000]);
  const owners = rows.map((_, b) => b * 7);
  const { out, count } = run(rows, owners);
  assert.equal(count, 300);
  near(out[0]![0]!, 0.3 + 150 / 1_000);
  near(out[299]![0]!, 0.3 + 149 / 1_000);
});

test('the ceiling is that of the owner with the lowest opinion, so it is no higher than necessary', () => {
  const { out } = run(
    [
      [0.5, 0.5],
      [0.52, 0.48],
      [0.55, 0.45],
      [0.6, 0.4],
    ],
    [1, 2, 3, 4],
  );
  near(out[0]![0]!, consensus.ceiling(0));
  near(out[3]![1]!, consensus.ceiling(1));
});
