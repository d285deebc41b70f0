// The plainest front: follows the engine's batches over the local socket and tells each, as soon as it is read, to all
// its clients, over WebSocket with each connection's own number. It has no table, so a row goes by its number and not by
// its id, and the message is filled up to as many bytes as the front's; no keys, filters or groups, no snapshot or
// resume, no opportunities, no metrics; and a client that does not read is not noticed.
// bare-front PAGES SOCKET BYTES

import { App, type HttpResponse, us_socket_local_port, type WebSocket } from 'uWebSockets.js';
import { connect } from 'node:net';
import { patchSeq } from '../../src/front/ws/ws-sink.js';
import { decodeDelta } from '../../src/log/delta/delta.js';
import { FRAME, FrameReader, frameOf } from '../../src/replication/local/frames.js';
import { collectOnSignal } from '../collect.js';
import { announce, beginStream } from './serving.js';

const [, , , socketPath = '', size = '0'] = process.argv;
const app = App();
const streams = new Set<HttpResponse>();
const sockets: WebSocket<unknown>[] = [];
/** The last number of each socket. */
const numbers: number[] = [];

function publish(position: number, changes: string): void {
  const filled = (bytes: number): string => '#'.repeat(Math.max(0, Number(size) - bytes));
  if (streams.size > 0) {
    const [head, foot] = [`event: odds:update\ndata: {"data":[${changes}],"fill":"`, `"}\nid: evt_${position}\n\n`];
    const message = Buffer.from(head + filled(head.length + foot.length) + foot);
    for (const response of streams) response.cork(() => void response.write(message));
  }
  if (sockets.length === 0) return;
  const head = `{"seq":            ,"type":"odds:update","id":"evt_${position}","data":[${changes}],"fill":"`;
  const frame = Buffer.from(`${head}${filled(head.length + 2)}"}`);
  for (let i = 0; i < sockets.length; i++) {
    numbers[i]!++;
    patchSeq('json', frame, numbers[i]!);
    sockets[i]!.send(frame, false);
  }
}

const reader = new FrameReader((kind, bytes) => {
  if (kind !== FRAME.message) return;
  const { position, books } = decodeDelta(bytes);
  const changes: string[] = [];
  for (const [, book, , , , rows] of books)
    for (const [no, , american, decimal] of rows)
      changes.push(`{"row":${no},"book":"${book}","odds_american":${american},"odds_decimal":${decimal}}`);
  if (changes.length > 0) publish(position, changes.join());
});
const engine = connect(socketPath);
engine.on('connect', () => engine.write(frameOf(FRAME.follow, new Uint8Array(0))));
engine.on('data', (bytes: Buffer) => reader.push(bytes));

app.get('/sse', (response) => beginStream(response, streams));

app.ws('/ws', {
  open: (socket) => {
    sockets.push(socket);
    numbers.push(0);
  },
  close: (socket) => {
    const index = sockets.indexOf(socket);
    sockets.splice(index, 1);
    numbers.splice(index, 1);
  },
});

app.listen('127.0.0.1', 0, (socket) => {
  if (socket === false) throw new Error('cannot listen');
  announce(us_socket_local_port(socket));
});
collectOnSignal();
process.on('SIGTERM', () => process.exit(0));
