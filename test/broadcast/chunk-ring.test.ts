import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ChunkRing, type StoredChunk } from '../../src/broadcast/change-frames.js';

const SIZE = 400;

/** A chunk with frames of these lengths, whose bytes identify it. */
function piece(no: number, lengths: readonly number[]): { bytes: Buffer; frames: Buffer[] } {
  const bytes = Buffer.alloc(
    lengths.reduce((sum, length) => sum + length, 0),
    no,
  );
  let at = 0;
  const frames = lengths.map((length) => {
    at += length;
    return bytes.subarray(at - length, at);
  });
  return { bytes, frames };
}

test('a retained chunk is unchanged, and an overwritten one is not returned', () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(lengths, { minLength: 1, maxLength: 60 }), (pieces) => {
      const ring = new ChunkRing(SIZE);
      const chunks: { made: ReturnType<typeof piece>; stored: StoredChunk | null; no: number }[] = [];
      for (const [no, frames] of pieces.entries()) {
        const made = piece(no, frames);
        chunks.push({ made, stored: ring.keep(made, no), no });
        let since = 0;
        for (const each of chunks.toReversed()) {
          assert.equal(each.stored === null, each.made.bytes.length > SIZE / 4);
          if (each.stored === null) continue;
          since += each.made.bytes.length;
          const read = ring.read(each.stored);
          // At most a quarter of the ring may be skipped at its end.
          if (since <= SIZE - SIZE / 4) assert.ok(read !== undefined, 'overwritten too early');
          if (read === undefined) continue;
          assert.deepEqual([read.rows, read.bytes, read.frames], [each.no, each.made.bytes, each.made.frames]);
        }
      }
    }),
  );
});
