// The control: what uWebSockets alone can do with the same bytes. Pages as one Buffer with one header call; SSE with one
// cork a response outside any callback of its own; WebSocket with app.publish.

import { App, type HttpRequest, type HttpResponse, us_socket_local_port } from 'uWebSockets.js';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { constants, deflateRawSync } from 'node:zlib';
import { enderOf, writeCorked } from '../../src/front/sse/sse-sink.js';
import { collectOnSignal } from '../collect.js';
import { pagesOfEvents } from './page-of-event.js';
import { announce, beginStream, givenPages, messagesOf, stamp } from './serving.js';

const TOPIC = 'all';
const app = App();
const CHUNKS_AT_ONCE = 16;
const COMMA = 0x2c;
let bulk = Buffer.alloc(0);
const streams = new Set<HttpResponse>();

for (const { path, headers, body, copies, known, fromThread } of givenPages()) {
  const [[name, value], ...others] = headers as [[string, string], ...[string, string][]];
  const joined = [value, ...others.map(([other, text]) => `${other}: ${text}`)].join('\r\n');
  if (fromThread === true) {
    serveFromThread({ path, name, joined, body });
    continue;
  }
  app.get(path, (response) => {
    response.writeHeader(name, joined);
    response.end(body);
  });
  if (known === true) serveKnown({ path, name, joined, body, copies: copies ?? 1 });
  if (copies !== undefined) serveCopies({ path, name, joined, body, copies });
}

/**
 * The least that any server does whose callers have keys and limits: looks up the key and the question, reads the tag
 * that the caller has, counts the request in its minute, and tells its number and what is left. No parsing, no hash. Under
 * `path/event` the same with a page that is made for each request (page-of-event.ts).
 */
function serveKnown(of: { path: string; name: string; joined: string; body: Buffer; copies: number }): void {
  const { path, name, joined, body, copies } = of;
  const callers = new Map<string, { minute: number; requests: number }>();
  const pages = new Map([[`page=${path}`, { bytes: body, tag: 'W/"1"' }]]);
  const pageOfEvent = pagesOfEvents(body, copies);
  let requests = 0;
  const answering =
    (answer: (query: string) => { bytes: Buffer; tag: string }) => (response: HttpResponse, request: HttpRequest) => {
      const key = request.getHeader('x-api-key');
      let caller = callers.get(key);
      if (caller === undefined) {
        caller = { minute: 0, requests: 0 };
        callers.set(key, caller);
      }
      const minute = Math.floor(performance.now() / 60_000);
      if (caller.minute !== minute) Object.assign(caller, { minute, requests: 0 });
      const page = answer(request.getQuery() ?? '');
      if (request.getHeader('if-none-match') === page.tag) throw new Error('the bench asks for whole pages');
      response.writeHeader(name, joined);
      response.writeHeader('X-Request-Number', String(++requests));
      response.writeHeader('X-Requests-Left', String(1_000_000_000 - ++caller.requests));
      response.end(page.bytes);
    };
  app.get(
    `${path}/known`,
    answering((query) => pages.get(query)!),
  );
  app.get(`${path}/event`, answering(pageOfEvent));
}

/**
 * What pages that nobody asked for lately cost at least: ready ones that come from memory and from no cache of the
 * processor's, and the same put together for each request of rows that lie where they came, book by book.
 */
function serveCopies(of: { path: string; name: string; joined: string; body: Buffer; copies: number }): void {
  const { path, name, joined, body, copies } = of;
  const ready = Array.from({ length: copies }, () => Buffer.from(body));
  const { data, ...rest } = JSON.parse(body.toString()) as { data: object[] };
  const rows: Buffer[][] = ready.map(() => []);
  for (const row of data) for (const page of rows) page.push(Buffer.from(JSON.stringify(row)));
  const head = Buffer.from('{"success":true,"data":[');
  const foot = Buffer.from(`],${JSON.stringify(rest).slice(1)}`);
  const page = Buffer.alloc(2 * body.length);
  app.get(`${path}/ready/:no`, (response, request) => {
    response.writeHeader(name, joined);
    response.end(ready[Number(request.getParameter(0))]!);
  });
  app.get(`${path}/joined/:no`, (response, request) => {
    let at = head.copy(page, 0);
    for (const row of rows[Number(request.getParameter(0))]!) {
      if (at > head.length) page[at++] = COMMA;
      page.set(row, at);
      at += row.length;
    }
    at += foot.copy(page, at);
    response.writeHeader(name, joined);
    response.end(page.subarray(0, at));
  });
}

/** The least that an answer costs that another thread has: it is ready there, as text. */
function serveFromThread(of: { path: string; name: string; joined: string; body: Buffer }): void {
  const { path, name, joined, body } = of;
  const waiting: HttpResponse[] = [];
  const gone = new Set<HttpResponse>();
  const thread = new Worker(
    `const { parentPort: port, workerData: text } = require('node:worker_threads'); port.on('message', () => port.postMessage(text));`,
    { eval: true, workerData: body.toString() },
  );
  thread.on('message', (text: string) => {
    const response = waiting.shift()!;
    if (gone.delete(response)) return;
    response.cork(() => {
      response.writeHeader(name, joined);
      response.end(Buffer.from(text));
    });
  });
  app.get(path, (response) => {
    response.onAborted(() => void gone.add(response));
    waiting.push(response);
    thread.postMessage(null);
  });
}

app.get('/sse', (response) => beginStream(response, streams));

// A snapshot of nothing: so many times the same bytes, as the socket takes them. `?CHUNKS,BYTES`
app.get('/bulk', (response, request) => {
  const [chunks, bytes] = (request.getQuery() ?? '').split(',').map(Number) as [number, number];
  if (bulk.length !== bytes) bulk = Buffer.alloc(bytes, '#');
  let left = chunks;
  let gone = false;
  const write = (): boolean => {
    for (let budget = 0; left > 0 && budget < CHUNKS_AT_ONCE; budget++) {
      let taken = false;
      response.cork(() => {
        taken = response.write(--left === 0 ? Buffer.from('\n\nsnapshot:complete\n\n') : bulk);
      });
      if (!taken) return false;
    }
    if (left > 0) setImmediate(() => gone || write());
    return true;
  };
  response.onAborted(() => {
    gone = true;
  });
  response.onWritable(() => {
    response.cork(() => response.write('\n'));
    return write();
  });
  response.writeHeader('Content-Type', 'text/event-stream');
  setImmediate(() => gone || write());
});

app.get('/health', (response) => void response.end('{}'));

app.ws('/ws', { open: (socket) => void socket.subscribe(TOPIC) });

app.post('/publish', (response, request) => {
  const query = request.getQuery();
  posted(response, (body) => setImmediate(() => messagesOf(query, body).forEach(publish)));
});

// SSE as it must be for clients that wait for the end of a chunk, which uWebSockets sends with the next one: a comment
// behind each message, written as our server writes it. Of more than uWebSockets' cork holds that is a second segment.
app.post('/publish-ended', (response) => {
  posted(response, (message) => setImmediate(() => publishEnded(stamp(message), false)));
});

// The same, compressed once for all.
app.post('/publish-compressed', (response) => {
  posted(response, (message) =>
    setImmediate(() => publishEnded(deflateRawSync(stamp(message), { finishFlush: constants.Z_SYNC_FLUSH }), true)),
  );
});

function publishEnded(message: Buffer, packed: boolean): void {
  for (const stream of streams) writeCorked(stream, message, enderOf(packed));
}

// By way of a thread that commits it first: the least that a server does whose publishers and readers are told of nothing
// that is not stored.
publishThrough('/publish-commit', 'committing-thread');
// By way of one that keeps the prices of a post to /ingest, looks for opportunities and commits both first.
publishThrough('/publish-engine', 'plain-engine');

/** Publishes what the thread makes of a post, once it has committed it, and acknowledges the post then. */
function publishThrough(path: string, name: string): void {
  let thread: Worker | undefined;
  /** Posts that the thread has, in order. */
  const waiting: HttpResponse[] = [];
  /** Those of them whose publisher has left. */
  const abandoned = new Set<HttpResponse>();
  const begin = (): Worker =>
    new Worker(new URL(`./${name}.js`, import.meta.url), {
      workerData: join(dirname(process.argv[2] ?? ''), `${name}-store`),
    }).on('message', (message: Uint8Array) => {
      const response = waiting.shift()!;
      if (!abandoned.delete(response))
        response.cork(() => void response.writeStatus('204 No Content').endWithoutBody());
      if (message.length > 0) setImmediate(() => publish(Buffer.from(message)));
    });
  app.post(path, (response) => {
    thread ??= begin();
    bodyOf(response, (body) => {
      response.onAborted(() => void abandoned.add(response));
      waiting.push(response);
      thread?.postMessage(stamp(body));
    });
  });
}

/** Answers a post and hands its body on. */
function posted(response: HttpResponse, read: (body: Buffer) => void): void {
  bodyOf(response, (body) => {
    response.writeStatus('204 No Content').endWithoutBody();
    read(body);
  });
}

function bodyOf(response: HttpResponse, read: (body: Buffer) => void): void {
  const parts: Buffer[] = [];
  response.onAborted(() => undefined);
  response.onData((part, last) => {
    parts.push(Buffer.from(new Uint8Array(part.slice(0))));
    if (last) read(Buffer.concat(parts));
  });
}

function publish(message: Buffer): void {
  for (const response of streams) response.cork(() => void response.write(message));
  if (app.numSubscribers(TOPIC) > 0) app.publish(TOPIC, message, false);
}

app.listen('127.0.0.1', 0, (socket) => {
  if (socket === false) throw new Error('cannot listen');
  announce(us_socket_local_port(socket));
});
collectOnSignal();
process.on('SIGTERM', () => process.exit(0));
