// The control: what uWebSockets alone can do with the same bytes. Pages as one Buffer with one header call; SSE with one
// cork a response outside any callback of its own; WebSocket with app.publish.
import { App, type HttpResponse, us_socket_local_port } from 'uWebSockets.js';
import { announce, givenPages, stamp } from './serving.js';

const TOPIC = 'all';
const app = App();
const streams = new Set<HttpResponse>();

for (const { path, headers, body } of givenPages()) {
  const [[name, value], ...others] = headers as [[string, string], ...[string, string][]];
  const joined = [value, ...others.map(([other, text]) => `${other}: ${text}`)].join('\r\n');
  app.get(path, (response) => {
    response.writeHeader(name, joined);
    response.end(body);
  });
}

app.get('/sse', (response) => {
  response.onAborted(() => streams.delete(response));
  response.writeHeader('Content-Type', 'text/event-stream');
  response.write(':\n\n');
  streams.add(response);
});

app.ws('/ws', { open: (socket) => void socket.subscribe(TOPIC) });

app.post('/publish', (response) => {
  const parts: Buffer[] = [];
  response.onAborted(() => undefined);
  response.onData((part, last) => {
    parts.push(Buffer.from(new Uint8Array(part.slice(0))));
    if (!last) return;
    response.writeStatus('204 No Content').endWithoutBody();
    const message = Buffer.concat(parts);
    setImmediate(() => publish(message));
  });
});

function publish(message: Buffer): void {
  stamp(message);
  for (const response of streams) response.cork(() => void response.write(message));
  if (app.numSubscribers(TOPIC) > 0) app.publish(TOPIC, message, false);
}

app.listen('127.0.0.1', 0, (socket) => {
  if (socket === false) throw new Error('cannot listen');
  announce(us_socket_local_port(socket));
});
process.on('SIGTERM', () => process.exit(0));
