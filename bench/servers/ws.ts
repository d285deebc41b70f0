// Peer: the `ws` package, the same message to every client, as its documentation shows it. With `deflate`
// as argument each connection that offers permessage-deflate has its messages compressed for itself.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { announce, messagesOf } from './serving.js';

const deflate = process.argv[3] === 'deflate';
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    response.writeHead(204).end();
    for (const message of messagesOf(request.url?.split('?')[1], Buffer.concat(parts)))
      for (const client of sockets.clients) client.send(message, { binary: false });
  });
});
const sockets = new WebSocketServer({ server, path: '/ws', perMessageDeflate: deflate && { threshold: 0 } }) as {
  clients: Set<{ send(message: Buffer, options: object): void }>;
};
server.listen(0, '127.0.0.1', 4096, () => announce((server.address() as AddressInfo).port));
process.on('SIGTERM', () => process.exit(0));
