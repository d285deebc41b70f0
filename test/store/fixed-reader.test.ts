// Fixed slabs read one after the other: each as if it were alone, whatever texts it shares with the one before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Interner } from '../../src/memory/interner.js';
import type { Row } from '../../src/model/row.js';
import type { BookQuotes } from '../../src/model/state.js';
import { FixedReader } from '../../src/store/fixed-reader.js';
import { type FixedRow, packFixed } from '../../src/store/fixed-slab.js';

const PLAIN = { noNullPrototype: true };
const word: fc.Arbitrary<string> = fc.constantFrom(
  'Over',
  'Under',
  'Ovér',
  'total_points',
  'player_points',
  'Nikola Jokić',
  'Nikola Jokic',
  '',
);
const percent = fc.option(fc.double({ min: 0, max: 100, noNaN: true, noDefaultInfinity: true }));
const exchange = fc.option(
  fc.tuple(fc.integer({ min: 1 }), fc.constant(null), fc.constant(null), fc.option(fc.string())),
);
const row = fc.record(
  {
    no: fc.nat(),
    id: fc.bigInt(10n ** 18n, 10n ** 19n - 1n).map(String),
    market: word,
    selection: word,
    selectionType: word,
    player: fc.option(word),
    stat: fc.option(word),
    team: fc.constantFrom('home' as const, 'away' as const, null),
    alternate: fc.boolean(),
    link: fc.option(fc.webUrl()),
    details: fc.record({ maxBet: fc.option(fc.integer()), publicBetPct: percent, exchange }, PLAIN),
  },
  PLAIN,
);
type Stored = typeof row extends fc.Arbitrary<infer T> ? T : never;

function slabOf(rows: readonly Stored[]): Buffer {
  const stored = rows.map((each, i) => [`key ${i}`, { ...each, key: `key ${i}`, deepLink: null, externalId: null }]);
  const quotes = { rows: new Map(stored as never) } as unknown as BookQuotes;
  return packFixed(quotes, (each) => (each as Row & { link: string | null }).link);
}

function readAll(reader: FixedReader, slab: Buffer): FixedRow[] {
  const rows: FixedRow[] = [];
  const count = reader.read(slab, (each, i) => {
    assert.equal(i, rows.length);
    rows.push({ ...each });
  });
  assert.equal(count, rows.length);
  return rows;
}

test('slabs are read as they were packed, one after the other', () => {
  fc.assert(
    fc.property(fc.array(fc.array(row, { maxLength: 40 }), { maxLength: 6 }), (slabs) => {
      const interner = new Interner(100);
      const reader = new FixedReader((text) => interner.intern(text));
      for (const rows of slabs) assert.deepEqual(readAll(reader, slabOf(rows)), rows);
    }),
  );
});

test('a text is interned once for slabs that have it at the same place', () => {
  const [sample] = fc.sample(row, { numRuns: 1, seed: 1 });
  const rows = [
    { ...sample!, market: 'moneyline', selection: 'Over', selectionType: 'over', player: null, stat: null },
  ];
  let asked = 0;
  const reader = new FixedReader((text) => {
    asked++;
    return text;
  });
  const slab = slabOf(rows);
  readAll(reader, slab);
  // The memory of a slab may be used for the next.
  const first = readAll(reader, slab);
  slab.fill(0);
  assert.deepEqual(readAll(reader, slabOf(rows)), first);
  assert.equal(asked, 3);
});

test('a slab that was cut short is refused', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), fc.nat(), (rows, at) => {
      const slab = slabOf(rows);
      const tableBytes = slab.readUInt32LE(0);
      const cut = Buffer.from(slab);
      cut.writeUInt32LE(at % tableBytes, 0);
      assert.throws(() => readAll(new FixedReader((text) => text), cut));
    }),
  );
});

test('a text that moved within its slab is compared where it stands now', () => {
  const [sample] = fc.sample(row, { numRuns: 1, seed: 1 });
  const reader = new FixedReader((text) => text);
  // The bytes of "Unde" stand in the second slab where those of "Over" stood in the first.
  for (const [market, text] of [
    ['x', 'Over'],
    ['xUnde', 'Over'],
    ['x', 'Unde'],
  ] as const) {
    const rows = [{ ...sample!, market, selection: text, selectionType: text, player: null, stat: null }];
    assert.deepEqual(readAll(reader, slabOf(rows)), rows);
  }
});
