import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SortedTexts, type TimedText } from '../../../../src/intake/feeds/files/sorted-texts.js';

test('texts come in the order of their times, those of one time as they were added, in memory or on disk', async () => {
  const text = fc.record({
    atMs: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constant(0.125)),
    text: fc.string({ unit: 'grapheme', maxLength: 40 }).map((each) => `x${each.replace(/[\s\ufeff]/g, '')}`),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 120 }),
      fc.integer({ min: 1, max: 3_000 }),
      async (texts, bytesMax) => {
        const sorted = new SortedTexts(bytesMax);
        for (const each of texts) await sorted.add(each);
        const read: TimedText[] = [];
        for await (const each of sorted.inOrder()) read.push(each);
        await sorted.close();
        assert.deepEqual(
          read,
          [...texts].sort((a, b) => a.atMs - b.atMs).map((each) => ({ ...each })),
        );
      },
    ),
    { numRuns: 60 },
  );
});
