import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../src/base/model/clock.js';
import { noWriter } from '../../src/base/model/errors.js';
import { createKey, type KeysContext, listKeys } from '../../src/cli/keys.js';
import { parseConfig } from '../../src/config/config.js';
import { FRAME, FrameReader, numberedFrameOf, readNumbered } from '../../src/replication/local/frames.js';
import { LOG_SOCKET } from '../../src/replication/local/log-server.js';
import { decodeRequest, encodeAnswer, encodeFailure } from '../../src/replication/requests/requests.js';
import { localSocketPath } from '../../src/store/directory-lock.js';
import { earlierStore } from '../store/earlier-store.js';
import { newFolder } from '../temp-folders.js';

function contextOf(data: string): { context: KeysContext; notes: string[] } {
  const notes: string[] = [];
  const config = parseConfig({ data }, {});
  return {
    context: { config, clock: systemClock, print: () => undefined, note: (line) => void notes.push(line) },
    notes,
  };
}

test('what root makes in the directory of a service is the service’s', {
  skip: process.getuid?.() === 0 ? false : 'only root gives files away',
}, async () => {
  const data = newFolder('overround-');
  chownSync(data, 12_345, 12_346);
  const { context, notes } = contextOf(data);
  await createKey(context, { tier: 'pro' });
  assert.match(notes.join('\n'), /no server has used .* --data \S+$/);
  for (const name of readdirSync(data, { recursive: true, encoding: 'utf8' })) {
    const { uid, gid } = lstatSync(join(data, name));
    assert.deepEqual([uid, gid], [12_345, 12_346], name);
  }
  assert.ok(existsSync(join(data, 'control', 'data.mdb')));
  const { context: rootly, notes: said } = contextOf(newFolder('overround-'));
  await createKey(rootly, { tier: 'pro' });
  assert.match(said.join('\n'), /by root, or by whom you give it to/);
});

test('keys of an earlier release are moved with one line that says so', async () => {
  const data = newFolder('overround-');
  await earlierStore(data, { keys: {}, usage: {}, sessions: [], secret: randomBytes(32), readable: {} });
  const { context, notes } = contextOf(data);
  await listKeys(context);
  assert.equal(notes.length, 1);
  assert.match(notes[0]!, /keys of an earlier release are moved to .*control: it cannot read them any more/);
  await listKeys(context);
  assert.equal(notes.length, 1);
});

test('a key is made at a server that listens and does not lead yet', async (t) => {
  const dataDir = newFolder('overround-');
  let asked = 0;
  const server = createServer((socket) => {
    const reader = new FrameReader((kind, frame) => {
      assert.equal(kind, FRAME.request);
      const { no, bytes } = readNumbered(frame);
      const { name } = decodeRequest(Uint8Array.from(bytes)).body as { name: string };
      asked++;
      // It does not lead yet; its connection ends without an answer; a change of writer between two questions.
      if (asked === 2) return void socket.destroy();
      const reply = name === 'keys.list' ? [] : { id: 'key_1', tier: 'pro' };
      const answer = asked === 1 || asked === 4 ? encodeFailure(noWriter()) : encodeAnswer({ reply, position: 1 });
      socket.write(numberedFrameOf(FRAME.answer, no, answer));
    });
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
  });
  await new Promise<void>((resolve) => server.listen(localSocketPath(dataDir, LOG_SOCKET), resolve));
  t.after(() => server.close());
  const printed: string[] = [];
  const context = {
    config: parseConfig({ data: dataDir }, {}),
    clock: systemClock,
    print: (line: string) => void printed.push(line),
    note: () => undefined,
  };
  await createKey(context, { tier: 'pro' });
  assert.match(printed.join(), /^\{"id":"key_1","key":"sk_live_.*","tier":"pro"\}$/);
  assert.equal(asked, 5);
});
