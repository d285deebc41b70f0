import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { createKey } from '../../src/cli/keys.js';
import { parseConfig } from '../../src/config/config.js';
import { systemClock } from '../../src/model/clock.js';
import { noWriter } from '../../src/model/errors.js';
import { FRAME, FrameReader, numberedFrameOf, readNumbered } from '../../src/replication/local/frames.js';
import { LOG_SOCKET } from '../../src/replication/local/log-server.js';
import { decodeRequest, encodeAnswer, encodeFailure } from '../../src/replication/requests/requests.js';
import { localSocketPath } from '../../src/store/directory-lock.js';
import { newFolder } from '../temp-folders.js';

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
