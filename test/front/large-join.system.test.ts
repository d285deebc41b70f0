// Snapshots larger than all buffers on the way, over links slower than the server. Six seconds; with
// OVERROUND_LONG_TESTS=1 at the guaranteed size and speed (48 MB over 1 Mbit/s: about seven minutes).
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { WebSocket as UndiciWebSocket } from 'undici';
import { decode } from '../../src/base/wire/codec.js';
import { RawWebSocket } from '../client/ws-package.js';
import { LONG } from '../long.js';
import { type Api, api } from './api.js';
import { HAS_PYTHON, python } from './python-client.js';
import { slowLink } from './slow-link.js';
import { ladder } from './stream-rig.js';

/** Two leagues, two sides. */
const LINES = LONG ? 20_000 : 2_800;
const BYTES_A_SECOND = LONG ? 125_000 : 4_000_000;

/** Rows and bytes received before `snapshot:complete`. */
interface Joined {
  rows: number;
  bytes: number;
}

type Join = (port: number, key: string) => Promise<Joined>;

interface Frame {
  type: string;
  count: number;
  total_odds: number;
}

const CLIENTS: Record<string, Join> = {
  'SSE, node:http': (port, key) =>
    new Promise((resolve, reject) => {
      const joined = { rows: 0, bytes: 0 };
      let rest = '';
      const asked = request({ port, path: '/api/v1/stream/odds', headers: { 'x-api-key': key } }, (answer) => {
        answer.setEncoding('utf8');
        answer.on('data', (text: string) => {
          joined.bytes += text.length;
          const events = (rest + text).split('\n\n');
          rest = events.pop()!;
          for (const event of events) {
            joined.rows += Number(/^event: snapshot\n.*"count":(\d+),"total"/.exec(event)?.[1] ?? 0);
            if (!event.startsWith('event: snapshot:complete')) continue;
            asked.destroy();
            resolve(joined);
          }
        });
        answer.on('close', () => reject(new Error(`ended after ${joined.bytes} bytes`)));
      });
      asked.on('error', reject);
      asked.end();
    }),
  'WebSocket, ws': (port, key) => overWs(port, key, 'overround.json'),
  'MessagePack, ws': (port, key) => overWs(port, key, 'overround.msgpack'),
  'WebSocket, undici': (port, key) =>
    new Promise((resolve, reject) => {
      const joined = { rows: 0, bytes: 0 };
      const socket = new UndiciWebSocket(address(port, key), ['overround.json']);
      socket.addEventListener('message', ({ data }) => {
        joined.bytes += (data as string).length;
        if (!count(joined, JSON.parse(data as string) as Frame)) return;
        socket.close();
        resolve(joined);
      });
      socket.addEventListener('close', ({ code }) => reject(new Error(`closed ${code} after ${joined.bytes} bytes`)));
    }),
};

const PYTHON: Record<string, string> = {
  'SSE, Python': `
rows = size = 0
for event, data in sse('/stream/odds'):
    size += len(data)
    if event == 'snapshot': rows += json.loads(data)['count']
    if event == 'snapshot:complete': break
print(json.dumps({'rows': rows, 'bytes': size}))
`,
  'WebSocket, Python': `
rows = size = 0
for payload in ws('channels=odds', 'overround.json'):
    size += len(payload)
    frame = json.loads(payload)
    if frame['type'] == 'initial': rows += frame['count']
    if frame['type'] == 'snapshot:complete': break
print(json.dumps({'rows': rows, 'bytes': size}))
`,
};

function address(port: number, key: string): string {
  return `ws://127.0.0.1:${port}/ws?channels=odds&api_key=${key}`;
}

/** True once the snapshot is complete. */
function count(joined: Joined, frame: Frame): boolean {
  if (frame.type === 'initial') joined.rows += frame.count;
  return frame.type === 'snapshot:complete';
}

function overWs(port: number, key: string, protocol: string): Promise<Joined> {
  return new Promise((resolve, reject) => {
    const joined = { rows: 0, bytes: 0 };
    const socket = new RawWebSocket(address(port, key), [protocol]);
    socket.on('message', (data, isBinary) => {
      joined.bytes += data.length;
      if (!count(joined, (isBinary ? decode(data) : JSON.parse(data.toString())) as Frame)) return;
      socket.terminate();
      resolve(joined);
    });
    socket.on('error', reject);
    socket.on('close', (code) => reject(new Error(`closed ${code} after ${joined.bytes} bytes`)));
  });
}

async function filled(t: TestContext): Promise<Api> {
  const server = await api(t);
  // Time passes, so that a client that counts as stuck is disconnected.
  const timer = setInterval(() => server.clock.set(server.clock.now() + 100), 100);
  t.after(() => clearInterval(timer));
  await server.ingest(ladder(1, LINES, -110));
  return server;
}

test('a snapshot larger than all buffers on the way reaches every kind of client over a slow link', async (t) => {
  const server = await filled(t);
  const link = await slowLink(t, Number(new URL(server.url).port), BYTES_A_SECOND);
  const clients = { ...CLIENTS };
  if (HAS_PYTHON)
    for (const [name, script] of Object.entries(PYTHON))
      clients[name] = (port, key) => python(port, key, script) as Promise<Joined>;
  else t.diagnostic('no python3 here: its clients are left out');
  const key = server.key('enterprise', { maxStreams: 100 });
  await Promise.all(
    Object.entries(clients).map(async ([name, join]) => {
      const { rows, bytes } = await join(link, key);
      assert.equal(rows, 4 * LINES, name);
      assert.ok(bytes > 500 * rows, `${name}: ${bytes} bytes`);
    }),
  );
});
