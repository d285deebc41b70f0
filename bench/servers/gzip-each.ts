// Control: SSE compressed for each connection on its own, as a middleware of node:http does: one gzip stream a response,
// flushed after each message.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip, type Gzip } from 'node:zlib';
import { announce, messagesOf } from './serving.js';

const streams = new Set<Gzip>();

const server = createServer((request, response) => {
  const [path, query] = (request.url ?? '').split('?');
  if (path === '/sse') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Content-Encoding': 'gzip' });
    const gzip = createGzip();
    gzip.pipe(response);
    gzip.write(':\n\n');
    gzip.flush();
    streams.add(gzip);
    response.on('close', () => streams.delete(gzip));
    return;
  }
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    response.writeHead(204).end();
    for (const message of messagesOf(query, Buffer.concat(parts)))
      for (const stream of streams) {
        stream.write(message);
        stream.flush();
      }
  });
});
server.listen(0, '127.0.0.1', 4096, () => announce((server.address() as AddressInfo).port));
process.on('SIGTERM', () => process.exit(0));
