// Invalid input derived from valid input: a sample with parts replaced, omitted, duplicated or renamed, and texts with
// changed bytes. Short in the suite; OVERROUND_LONG_TESTS=1 runs a hundred times as many.
import fc from 'fast-check';
import { LONG } from '../long.js';

/** Number of runs of a property that takes about `ms` each. */
export function runs(ms: number): number {
  const short = Math.max(40, Math.min(400, Math.round(400 / ms)));
  return LONG ? short * 100 : short;
}

let deep: unknown = 1;
for (let i = 0; i < 60; i++) deep = i % 2 === 0 ? [deep] : { a: deep };

const SENSELESS: readonly unknown[] = [
  null,
  true,
  false,
  '',
  ' ',
  0,
  -0,
  -1,
  0.1 + 0.2,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 53 + 2,
  '0',
  '-0',
  'NaN',
  '1e999',
  '0x10',
  '−110',
  '٣',
  '__proto__',
  'constructor',
  'toString',
  'a|b',
  'a\u0000b',
  'a\nb',
  '\ud800',
  '\u202e',
  '../../etc/passwd',
  '%00',
  'x'.repeat(70_000),
  '2026-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '1969-12-31T23:59:59Z',
  [],
  {},
  [[]],
  [null],
  { length: 1e9 },
  deep,
];

/** A value of a type that does not belong there. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...SENSELESS) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
);

type Parent = Record<string, unknown> | unknown[];

function* placesIn(value: unknown): Iterable<[parent: Parent, key: string]> {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    yield [value as Parent, key];
    yield* placesIn((value as Record<string, unknown>)[key]);
  }
}

const HOW = ['replace', 'replace', 'leave out', 'double', 'rename', 'empty', 'swap'] as const;

interface Edit {
  at: number;
  how: (typeof HOW)[number];
  value: unknown;
  other: number;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom(...HOW),
  value: hostile,
  other: fc.nat(),
});

function apply(root: { sample: unknown }, { at, how, value: given, other }: Edit): void {
  // A copy: the next edit may change this value, and shared parts must stay as they are.
  const value = structuredClone(given);
  const places = [...placesIn(root)];
  const [parent, key] = places[at % places.length]!;
  const [elsewhere, otherKey] = places[other % places.length]!;
  const holder = parent as Record<string, unknown>;
  const old = holder[key];
  if (how === 'replace' || parent === (root as unknown)) holder[key] = value;
  else if (how === 'leave out') delete holder[key];
  else if (how === 'empty') holder[key] = Array.isArray(old) ? [] : typeof old === 'object' ? {} : '';
  // A copy of a value from elsewhere: a reference to a parent would make a cycle.
  else if (how === 'swap') holder[key] = structuredClone((elsewhere as Record<string, unknown>)[otherKey]);
  else if (how === 'rename') {
    delete holder[key];
    if (!Array.isArray(parent)) holder[`${key}s`] = old;
  } else if (Array.isArray(parent)) parent.push(structuredClone(old));
  else holder[`${key}_2`] = old;
}

/** One of the samples with one to four of its parts made invalid. */
export function spoilt(samples: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([sample, edits]) => {
      const root = { sample: structuredClone(sample) };
      for (const each of edits) apply(root, each);
      return root.sample;
    });
}

/** The bytes with some of them changed, cut off, doubled or put in. */
export function garbled(samples: readonly Uint8Array[]): fc.Arbitrary<Buffer> {
  const change = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('change', 'cut', 'double', 'insert'),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
  });
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([sample, changes]) => {
      let bytes = Buffer.from(sample);
      for (const { at, how, bytes: given } of changes) {
        const place = at % (bytes.length + 1);
        const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
        if (how === 'cut') bytes = before;
        else if (how === 'double') bytes = Buffer.concat([before, after, after]);
        else if (how === 'insert') bytes = Buffer.concat([before, given, after]);
        else bytes = Buffer.concat([before, given, after.subarray(given.length)]);
      }
      return bytes;
    });
}

/** Whatever was thrown is one of these and nothing else. */
export function throwsOnly(run: () => unknown, isExpected: (error: unknown) => boolean): void {
  try {
    run();
  } catch (error) {
    if (!isExpected(error)) throw error;
  }
}
