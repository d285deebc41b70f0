// Peer: the `compression` middleware over node:http, one gzip stream a response, flushed after each message as its
// documentation shows it for server-sent events.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { announce, messagesOf } from './serving.js';

type Packed = ServerResponse & { flush(): void };
type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

// It is CommonJS and has no types of its own.
const compression = createRequire(import.meta.url)('compression') as (options: object) => Middleware;
const packing = compression({ threshold: 0, filter: () => true });
const streams = new Set<Packed>();

const server = createServer((request, response) => {
  const [path, query] = (request.url ?? '').split('?');
  if (path === '/sse') {
    packing(request, response, () => {
      const stream = response as Packed;
      stream.writeHead(200, { 'Content-Type': 'text/event-stream' });
      stream.write(':\n\n');
      stream.flush();
      streams.add(stream);
      response.on('close', () => streams.delete(stream));
    });
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
