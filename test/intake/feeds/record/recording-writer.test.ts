// Recordings contain all acknowledged messages, complete and in order, and the replay reads them back.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { RecordingWriter } from '../../../../src/intake/feeds/record/recording-writer.js';
import { readRecording } from '../../../../src/intake/feeds/replay/recording.js';
import type { IngestMessage } from '../../../../src/intake/ingest/message.js';
import { newFolder } from '../../../temp-folders.js';
import { message } from '../replay/recordings.js';

async function messagesIn(path: string): Promise<IngestMessage[]> {
  const messages: IngestMessage[] = [];
  for await (const poll of readRecording(path, { onBadLine: (bad) => assert.fail(bad.reason) })) {
    messages.push(...poll.messages);
  }
  return messages;
}

const MANY = Array.from({ length: 300 }, (_, i) => message(`book${i % 7}`, i));

test('a recording is read back as written, plain and compressed, also without waits between writes', async () => {
  for (const name of ['odds.ndjson', 'odds.ndjson.gz']) {
    const recorder = await RecordingWriter.open({ path: join(newFolder('overround-'), name) });
    const writes = Promise.all(MANY.map((each) => recorder.write([each])));
    await recorder.close();
    await writes;
    await recorder.close();
    assert.deepEqual(await messagesIn(recorder.path), MANY);
    assert.equal(recorder.messages, MANY.length);
    assert.equal(readFileSync(recorder.path)[0] === 0x1f, name.endsWith('.gz'));
  }
});

test('a full file is followed by the next, and no message is cut', async () => {
  const path = join(newFolder('overround-'), 'odds.ndjson');
  const recorder = await RecordingWriter.open({ path, rotateBytes: 20_000 });
  for (const each of MANY) await recorder.write([each]);
  await recorder.close();
  const files = readdirSync(join(path, '..'));
  assert.ok(files.length > 3 && files.includes('odds.1.ndjson'), files.join(' '));
  const all: IngestMessage[] = [];
  for (let i = 0; i < files.length; i++) {
    const part = join(path, '..', i === 0 ? 'odds.ndjson' : `odds.${i}.ndjson`);
    assert.ok(readFileSync(part).length <= 20_000);
    all.push(...(await messagesIn(part)));
  }
  assert.deepEqual(all, MANY);
});

test('an existing file is never written to', async () => {
  const path = join(newFolder('overround-'), 'odds.ndjson.gz');
  writeFileSync(path, 'mine');
  const recorder = await RecordingWriter.open({ path });
  await recorder.write(MANY);
  await recorder.close();
  assert.equal(readFileSync(path, 'utf8'), 'mine');
  assert.equal(recorder.path, path.replace('odds.', 'odds.1.'));
});

test('a pipe or a device is written as it is', { skip: !existsSync('/dev/null') && 'no /dev/null here' }, async () => {
  const recorder = await RecordingWriter.open({ path: '/dev/null' });
  await recorder.write(MANY);
  await recorder.close();
  assert.equal(recorder.path, '/dev/null');
});

test('what waits for the disk is bounded: beyond it a batch is left out with a log line, and the rest is complete', async () => {
  const recorder = await RecordingWriter.open({
    path: join(newFolder('overround-'), 'odds.ndjson'),
    queueBytesMax: 2_000,
  });
  const results = await Promise.allSettled(MANY.map((each) => recorder.write([each])));
  const refused = results.filter((result) => result.status === 'rejected');
  assert.ok(refused.length > 0);
  assert.match(String(refused[0]?.reason), /behind/);
  await recorder.write(MANY);
  await recorder.close();
  assert.equal((await messagesIn(recorder.path)).length, 2 * MANY.length - refused.length);
});

test('a compressed recording can be read up to the last flush while it is still written', async () => {
  const recorder = await RecordingWriter.open({ path: join(newFolder('overround-'), 'odds.gz') });
  for (let i = 0; i < 3; i++) await recorder.write(MANY);
  const { length } = await messagesIn(recorder.path);
  assert.ok(length >= 2 * MANY.length, `${length} messages`);
  await recorder.close();
});

test('a failing disk ends the recording', async () => {
  await assert.rejects(RecordingWriter.open({ path: join(newFolder('overround-'), 'no', 'such', 'folder') }), /ENOENT/);
  const path = join(newFolder('overround-'), 'odds.ndjson');
  const recorder = await RecordingWriter.open({ path, rotateBytes: 100 });
  await recorder.write([message('fanduel', 0)]);
  // The next file cannot be opened.
  rmSync(join(path, '..'), { recursive: true });
  for (let i = 0; i < 3; i++) await assert.rejects(recorder.write([message('fanduel', i)]), /ENOENT/);
  await assert.rejects(recorder.close(), /ENOENT/);
});
