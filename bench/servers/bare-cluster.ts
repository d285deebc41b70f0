// What JetStream costs at least between a process that commits and one that serves. As `one` it commits each message that
// is posted in a thread and writes it to its SSE clients; as `writer` it appends what it has committed to a stream (file
// storage, one copy), stating the sequence it expects, instead; a `front` writes what the servers publish of that stream
// once it is stored. A message is told as it came: nothing is detected, matched or decoded in front, there is no input
// in the log by which another engine could take over, and a gap or a refusal ends the program.
// bare-cluster PAGES ROLE NATS_PORT

import { App, type HttpResponse, us_socket_local_port } from 'uWebSockets.js';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { announce, beginStream, stamp } from './serving.js';

const STREAM = 'bare';
const SUBJECT = 'bare.log';
const LIVE = 'bare.live';
const [, , pages = '', role, natsPort] = process.argv;
const app = App();
const streams = new Set<HttpResponse>();

function tell(message: Uint8Array): void {
  for (const response of streams) response.cork(() => void response.write(message));
}

const connection = (): Promise<NatsConnection> => connect({ servers: `127.0.0.1:${natsPort}`, noAsyncTraces: true });

/** Appends to a new stream. */
async function appending(): Promise<(message: Uint8Array) => void> {
  const nats = await connection();
  const { streams } = await jetstreamManager(nats);
  const republish = { src: SUBJECT, dest: LIVE };
  await streams.add({ name: STREAM, subjects: [SUBJECT], storage: 'file', num_replicas: 1, republish });
  const log = jetstream(nats);
  let lastSequence = 0;
  return (message) => void log.publish(SUBJECT, message, { expect: { lastSequence: lastSequence++ } });
}

if (role === 'front')
  (await connection()).subscribe(LIVE, { callback: (_, { data }) => void setImmediate(() => tell(data)) });
else {
  const committed = role === 'writer' ? await appending() : tell;
  const folder = join(dirname(pages), `bare-cluster-${role}`);
  const thread = new Worker(new URL('./committing-thread.js', import.meta.url), { workerData: folder });
  thread.on('message', (message: Uint8Array) => setImmediate(() => committed(message)));
  app.post('/publish', (response) => {
    const parts: Buffer[] = [];
    response.onAborted(() => undefined);
    response.onData((part, last) => {
      parts.push(Buffer.from(new Uint8Array(part.slice(0))));
      if (!last) return;
      response.writeStatus('204 No Content').endWithoutBody();
      thread.postMessage(stamp(Buffer.concat(parts)));
    });
  });
}

app.get('/sse', (response) => beginStream(response, streams));

app.listen('127.0.0.1', 0, (socket) => {
  if (socket === false) throw new Error('cannot listen');
  announce(us_socket_local_port(socket));
});
process.on('SIGTERM', () => process.exit(0));
