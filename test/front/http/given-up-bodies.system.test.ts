// Thousands of bodies that wait to be unpacked when their clients leave: the ones after them are unpacked, and nothing ends.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { route } from '../../../src/front/http/context.js';
import { fileLimit } from '../../../src/server/process-limits.js';
import { until } from '../../support/until.js';
import { running } from './harness.js';

const LARGEST = 8 * 1024 * 1024;
/** Both ends of every connection are in this process. */
const FILES = 17_000;
const { limit } = fileLimit();

test('bodies whose clients have left are passed over, however many', {
  skip: limit !== null && limit < FILES ? `needs ${FILES} open files (ulimit -n)` : false,
}, async (t) => {
  let answered = 0;
  const push = route({
    method: 'POST',
    path: '/push',
    auth: 'public',
    rawBody: ['application/json'],
    largeBody: true,
    handler: async (context) => {
      answered++;
      context.sendJson({});
    },
  });
  const { port, url } = await running(t, [push]);
  const uncaught: Error[] = [];
  const note = (error: Error): number => uncaught.push(error);
  process.on('uncaughtExceptionMonitor', note);
  t.after(() => process.off('uncaughtExceptionMonitor', note));
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const sent = async (body: Buffer): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    await once(socket, 'connect');
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST /push HTTP/1.1\r\nhost: x\r\n${head.join('')}content-length: ${body.length}\r\n\r\n`);
    socket.write(body);
    return socket;
  };
  const all = (count: number, body: Buffer) => Promise.all(Array.from({ length: count }, () => sent(body)));
  const first = await all(300, gzipSync(Buffer.alloc(LARGEST - 1)));
  const waiting: Socket[] = [];
  for (let i = 0; i < 8; i++) waiting.push(...(await all(1_000, gzipSync('{}'))));
  for (const socket of waiting) socket.resetAndDestroy();
  await until('the first are unpacked', () => answered >= 250, 400_000);
  const response = await fetch(`${url}/push`, { method: 'POST', headers, body: new Uint8Array(gzipSync('{}')) });
  assert.equal(response.status, 200);
  assert.deepEqual(uncaught, []);
  for (const socket of first) socket.destroy();
});
