// Recorded answers of the real API: nothing of them is lost. The data is private and lies beside the project, if
// present.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { readRecording } from '../../../../src/intake/feeds/replay/recording.js';

const POLLS = join(process.cwd(), '..', 'shared', 'data', 'mlb_us_polls', 'polls.ndjson.gz');
const skip = existsSync(POLLS) ? false : 'no recorded data beside the project';

interface Payload {
  last_updated: string;
  odds: { bookmakers: { key: string; markets: { key: string; last_update: string; outcomes: unknown[] }[] }[] }[];
}

test('every outcome of every recorded poll becomes a selection with its market’s time', { skip }, async () => {
  const lines = gunzipSync(readFileSync(POLLS)).toString('utf8').trim().split('\n');
  const payloads = lines.map((line) => (JSON.parse(line) as { payload: Payload }).payload);
  const skipped: unknown[] = [];
  let index = 0;
  let withClearing = 0;
  const recording = readRecording(POLLS, {
    onSkipped: (_line, parts) => skipped.push(...parts),
    onBadLine: (bad) => assert.fail(bad.reason),
  });
  for await (const poll of recording) {
    const payload = payloads[index++]!;
    const expected = payload.odds.flatMap((event) =>
      event.bookmakers.flatMap((book) => book.markets.flatMap((each) => each.outcomes.map(() => each.last_update))),
    );
    const markets = poll.messages.flatMap((message) => message.events ?? []).flatMap((event) => event.markets);
    const seen = markets.flatMap((each) => each.selections.map(() => each.last_seen_at));
    assert.deepEqual(seen.sort(), expected.sort());
    // last_updated has no zone and is UTC.
    assert.ok(Math.abs(poll.atMs - Date.parse(`${payload.last_updated.slice(0, 23)}Z`)) < 1);
    const polledAt = /Z|\+/.test(payload.last_updated) ? payload.last_updated : `${payload.last_updated}Z`;
    assert.ok(poll.messages.every((message) => message.polled_at === polledAt));
    const books = new Set(payload.odds.flatMap((event) => event.bookmakers.map((book) => book.key)));
    assert.ok(poll.messages.length >= books.size);
    if (poll.messages.length > books.size) withClearing++;
  }
  assert.equal(index, payloads.length);
  assert.deepEqual(skipped, []);
  assert.ok(withClearing > 0, 'no recorded poll had a book vanish');
});
