// Clients that wait for the line break at the end of a chunk (urllib3 and everything based on it) see only closed
// chunks.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { shared } from '../shared.js';
import { until } from '../support/until.js';
import { type Api, api } from './api.js';
import { HAS_PYTHON, python } from './python-client.js';
import { ladder } from './stream-rig.js';

/** Of the first two tests, of which the second shuts it down. */
const served = shared((t) => api(t));

interface ClosedChunks {
  /** The text of all chunks that have ended. */
  text: string;
  /** The chunk of length 0 has arrived. */
  over: boolean;
  closed: boolean;
}

function open(t: TestContext, server: Api, path: string, headers: Record<string, string>): ClosedChunks {
  const seen: ClosedChunks = { text: '', over: false, closed: false };
  let rest = Buffer.alloc(0);
  let inBody = false;
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  t.after(() => socket.destroy());
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET /api/v1${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`);
  socket.on('close', () => {
    seen.closed = true;
  });
  socket.on('data', (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    if (!inBody) {
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      inBody = true;
      rest = rest.subarray(end + 4);
    }
    for (;;) {
      const sizeEnd = rest.indexOf('\r\n');
      if (sizeEnd < 0) return;
      const size = Number.parseInt(rest.toString('latin1', 0, sizeEnd), 16);
      const end = sizeEnd + 2 + size;
      if (rest.length < end + 2) return;
      assert.equal(rest.toString('latin1', end, end + 2), '\r\n');
      if (size === 0) seen.over = true;
      seen.text += rest.toString('utf8', sizeEnd + 2, end);
      rest = rest.subarray(end + 2);
    }
  });
  return seen;
}

test('every event is in a chunk that has ended, also the last one before it is quiet', async (t) => {
  const server = await served();
  await server.ingest(ladder(1, 3, -110));
  const key = server.key('enterprise');
  const stream = open(t, server, '/stream/odds', { 'x-api-key': key });
  await until('the snapshot', () => stream.text.includes('event: snapshot:complete'));
  await server.ingest(ladder(2, 3, -120));
  await until('an update', () => stream.text.includes('event: odds:update'));
  // More than the cork buffer of a socket.
  await server.ingest(ladder(3, 60, -130));
  await until('a large tick', () => stream.text.split('event: odds:update').length > 2);
  server.server.broadcaster.beat();
  await until('a heartbeat', () => stream.text.includes('event: heartbeat'));
  const id = /id: (evt_\d+)\n\n(?!.*\nid: )/s.exec(stream.text)![1]!;
  const back = open(t, server, '/stream/odds?resume=true', { 'x-api-key': key, 'last-event-id': id });
  await until('who missed nothing is greeted', () => back.text.includes('"resumed":true'));
});

test('a snapshot of many pieces ends its chunks once, behind its last event', async (t) => {
  const server = await served();
  await server.ingest(ladder(4, 900, -110));
  const stream = open(t, server, '/stream/odds', { 'x-api-key': server.key('enterprise') });
  await until('the snapshot', () => stream.text.includes('event: snapshot:complete'));
  const [body = ''] = stream.text.split('event: snapshot:complete', 1);
  assert.ok(body.length > 4 * 48 * 1024, 'several pieces');
  // One follows the greeting; a full socket asks for one each time it is writable again, and this one never is full.
  const comments = body.split('\n\n:\n\n').length - 1;
  assert.ok(comments <= 2, `${comments} comment lines`);
});

test('a shutdown ends the bodies of streams, and closes connections that do not accept the end', async (t) => {
  const server = await served();
  const headers = { 'x-api-key': server.key('enterprise') };
  const streams = [open(t, server, '/stream/odds', headers), open(t, server, '/stream/opportunities', headers)];
  for (const stream of streams) await until('the snapshot', () => stream.text.includes('event: snapshot:complete'));
  await server.close();
  for (const stream of streams) {
    await until('the connection is closed', () => stream.closed);
    assert.ok(stream.over, 'the body has its end');
  }
});

test('http.client of Python reads each event as it arrives, and the end of the body', {
  skip: !HAS_PYTHON,
}, async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 3, -110));
  const port = Number(new URL(server.url).port);
  const read = python(port, server.key('enterprise'), "print(json.dumps([e for e, _ in sse('/stream/odds')]))");
  await until('it is there', () => server.server.broadcaster.subscriberCount === 1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await server.close();
  assert.deepEqual(await read, ['connected', 'snapshot', 'snapshot:complete']);
});
