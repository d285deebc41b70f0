// Peer: better-sse, one channel that all clients are in.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createChannel, createSession } from 'better-sse';
import { announce, messagesOf } from './serving.js';

const channel = createChannel();
const server = createServer((request, response) => {
  if (request.url === '/sse') {
    createSession(request, response, { keepAlive: null }).then(
      (session) => channel.register(session),
      () => response.destroy(),
    );
    return;
  }
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    response.writeHead(204).end();
    for (const message of messagesOf(request.url?.split('?')[1], Buffer.concat(parts)))
      channel.broadcast(message.toString(), 'message');
  });
});
server.listen(0, '127.0.0.1', 4096, () => announce((server.address() as AddressInfo).port));
process.on('SIGTERM', () => process.exit(0));
