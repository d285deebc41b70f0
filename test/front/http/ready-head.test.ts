import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ReadyHead, requestIdText } from '../../../src/front/http/answer-headers.js';

const FIXED = '\r\nX-Tier: pro\r\nX-RateLimit-Limit: 300';

test('whatever was written before, the headers belong to this answer', () => {
  const whole = (max: number) => fc.nat({ max });
  const answer = fc.record({
    no: fc.oneof(
      whole(36),
      whole(2 ** 31),
      fc.maxSafeNat().map((no) => no % 36 ** 8),
    ),
    remaining: fc.oneof(whole(9), whole(100), whole(1_000_000), fc.maxSafeNat()),
    resetUnixS: fc.integer({ min: 1_700_000_000, max: 4_102_444_800 }),
    counted: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 20 }), (answers) => {
      const counted = new ReadyHead('abc-', FIXED, true);
      const uncounted = new ReadyHead('abc-', FIXED, false);
      for (const one of answers) {
        const id = requestIdText('abc-', one.no);
        if (one.counted)
          assert.equal(
            counted.counted(one.no, one.remaining, one.resetUnixS).toString(),
            `${id}${FIXED}\r\nX-RateLimit-Reset: ${one.resetUnixS}\r\nX-RateLimit-Remaining: ${one.remaining}`,
          );
        else assert.equal(uncounted.uncounted(one.no).toString(), `${id}${FIXED}`);
      }
    }),
  );
});
