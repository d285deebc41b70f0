// Peer: node:http with ready pages, pages made of rows in memory, and SSE.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announce, givenPages, messagesOf } from './serving.js';

const pages = new Map(givenPages().map((page) => [page.path, page]));
const streams = new Set<ServerResponse>();
const rows = new Map(
  [...pages].map(([path, { body }]) => [`/rows${path}`, (JSON.parse(body.toString()) as { data: unknown[] }).data]),
);

const server = createServer((request, response) => {
  const path = request.url ?? '';
  const page = pages.get(path);
  if (page !== undefined) {
    response.writeHead(200, { ...Object.fromEntries(page.headers), 'Content-Length': page.body.length });
    response.end(page.body);
    return;
  }
  const data = rows.get(path);
  if (data !== undefined) {
    const body = JSON.stringify({ success: true, data, updated_at: new Date().toISOString() });
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
    response.end(body);
    return;
  }
  if (path === '/sse') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(':\n\n');
    streams.add(response);
    response.on('close', () => streams.delete(response));
    return;
  }
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    response.writeHead(204).end();
    for (const message of messagesOf(path.split('?')[1], Buffer.concat(parts)))
      for (const stream of streams) stream.write(message);
  });
});
server.listen(0, '127.0.0.1', 4096, () => announce((server.address() as AddressInfo).port));
process.on('SIGTERM', () => process.exit(0));
