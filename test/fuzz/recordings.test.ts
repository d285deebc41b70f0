// Recordings of unknown origin: invalid lines are reported and skipped, a damaged file is one error, and nothing else
// happens.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readRecording } from '../../src/intake/feeds/replay/recording.js';
import { message } from '../intake/feeds/replay/recordings.js';
import { newFolder } from '../temp-folders.js';
import { garbled, runs, spoilt } from './hostile.js';

const folder = newFolder('overround-fuzz-');
const path = join(folder, 'odds.ndjson');

const good = message('fanduel', 0);

async function read(bytes: Uint8Array): Promise<{ polls: number; bad: number }> {
  writeFileSync(path, bytes);
  let bad = 0;
  let polls = 0;
  for await (const { atMs, messages } of readRecording(path, { onBadLine: () => bad++ })) {
    assert.ok(Number.isFinite(atMs) && messages.length > 0);
    polls++;
  }
  return { polls, bad };
}

test('a spoilt line costs itself and not the good ones before and after it', async () => {
  await fc.assert(
    fc.asyncProperty(spoilt([good]), async (value) => {
      const lines = [good, value, message('draftkings', 60)].map((each) => JSON.stringify(each) ?? '');
      const { polls, bad } = await read(Buffer.from(lines.join('\n')));
      assert.ok(polls >= 2 && polls + bad <= 3, `${polls} polls, ${bad} bad lines`);
    }),
    { numRuns: runs(2) },
  );
});

test('a damaged file, plain or compressed, is read as far as it goes or ends in one error', async () => {
  const text = Array.from({ length: 20 }, (_, i) => JSON.stringify(message('fanduel', i))).join('\n');
  await fc.assert(
    fc.asyncProperty(garbled([Buffer.from(text), gzipSync(text)]), async (bytes) => {
      try {
        await read(bytes);
      } catch (error) {
        assert.ok(
          error instanceof Error && /header|invalid|incorrect|data|unknown|distance|code|block/i.test(error.message),
          String(error),
        );
      }
    }),
    { numRuns: runs(3) },
  );
});
