// HTTP/1.0, which uWebSockets refuses with a 505 before we hear of it, and which nginx speaks to the servers behind it
// unless it is told otherwise. Connections are accepted here and looked at: those whose first line says HTTP/1.0 are answered
// by Node's own server, which asks ours in their place; all others are handed to uWebSockets untouched, for good.
import type { TemplatedApp } from 'uWebSockets.js';
import { randomUUID } from 'node:crypto';
import { Agent, createServer as createHttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, Socket, type SocketConstructorOpts } from 'node:net';
import { ApiError } from '../../model/errors.js';
import type { Connections } from './connections.js';
import type { Libc } from './libc.js';

/** uWebSockets has it; its typings don't. */
type AdoptingApp = TemplatedApp & { adoptSocket(fd: number): void };
/** What Node keeps of a socket: its own object for a connection costs more than all else here, and most need none. */
interface Handle {
  fd: number;
  close(): void;
}
interface ListeningHandle extends Handle {
  onconnection(error: number, connection: Handle | undefined): void;
}

/** A connection that says nothing is handed on after this long. */
const SILENT_S = 2;
/** A first line with its version is looked for in so much. */
const LOOKED_AT_BYTES = 20 * 1024;
const RELAYED_AT_ONCE_MAX = 256;
/** Of one connection, not of what passes through it. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];
const VERSION_1_0 = ' HTTP/1.0';

export class Http10Gate {
  readonly #app: AdoptingApp;
  readonly #libc: Libc;
  readonly #connections: Connections;
  readonly #looked = Buffer.alloc(LOOKED_AT_BYTES);
  readonly #agent = new Agent({ keepAlive: true, maxSockets: RELAYED_AT_ONCE_MAX, maxFreeSockets: 8 });
  readonly #relay = createHttpServer({ keepAlive: false }, (from, to) => this.#ask(from, to));
  readonly #gate = createServer();
  #host = '';
  #port = 0;

  constructor(app: TemplatedApp, libc: Libc, connections: Connections) {
    this.#connections = connections;
    this.#app = app as AdoptingApp;
    this.#libc = libc;
  }

  /** Resolves to the port; rejects where the address is taken. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#gate.once('error', () =>
        reject(new Error(`cannot listen on ${host}:${port}: the port is in use or the address is not this machine's`)),
      );
      this.#gate.listen({ host, port, exclusive: true }, () => {
        const handle = (this.#gate as unknown as { _handle: ListeningHandle })._handle;
        handle.onconnection = (error, connection) => {
          // An accept that failed is tried again with the next one.
          if (error === 0 && connection !== undefined) this.#sort(connection);
        };
        if (!this.#libc.acceptWithData(handle.fd, SILENT_S)) {
          reject(new Error('the system does not hold connections back until they say something'));
          return;
        }
        this.#port = (this.#gate.address() as AddressInfo).port;
        this.#host = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
        resolve(this.#port);
      });
    });
  }

  /** No further connections; those of HTTP/1.0 are cut once `end` is called. */
  stopListening(): void {
    this.#gate.close();
  }

  end(): void {
    this.#relay.closeAllConnections();
    this.#agent.destroy();
  }

  #sort(connection: Handle): void {
    const size = this.#libc.peek(connection.fd, this.#looked);
    if (size > 0 && saysHttp10(this.#looked.subarray(0, size))) {
      this.#take(new Socket({ handle: connection } as SocketConstructorOpts));
      return;
    }
    const fd = this.#libc.duplicate(connection.fd);
    // Without a descriptor left the connection is closed: that is all that can be said to it.
    if (fd >= 0) this.#app.adoptSocket(fd);
    connection.close();
  }

  /** Counted as uWebSockets' own are. */
  #take(socket: Socket): void {
    if (this.#connections.open >= this.#connections.max) {
      this.#connections.refused++;
      socket.destroy();
      return;
    }
    this.#connections.open++;
    socket.once('close', () => {
      this.#connections.open--;
    });
    this.#relay.emit('connection', socket);
  }

  #ask(from: IncomingMessage, to: ServerResponse): void {
    const asked = request(
      {
        host: this.#host,
        port: this.#port,
        agent: this.#agent,
        method: from.method,
        path: from.url,
        headers: { host: 'localhost', ...passedOn(from.headers) },
      },
      (answer) => {
        to.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
        answer.pipe(to);
        answer.on('error', () => to.destroy());
      },
    );
    asked.on('error', () => {
      if (to.headersSent) to.destroy();
      else fail(to, new ApiError('upstream_error', 'the server did not answer'));
    });
    // Once its answer is whole its connection may be another one's already.
    to.on('close', () => {
      if (!to.writableFinished) asked.destroy();
    });
    from.pipe(asked);
  }
}

/** By its first line, where that is whole: a method, an address and the version. */
export function saysHttp10(bytes: Buffer): boolean {
  const end = bytes.indexOf(0x0a);
  if (end === -1) return false;
  return bytes.toString('latin1', 0, end).trimEnd().endsWith(VERSION_1_0);
}

function passedOn(headers: NodeJS.Dict<string | string[]>): NodeJS.Dict<string | string[]> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
}

function fail(to: ServerResponse, error: ApiError): void {
  to.writeHead(error.status, { 'Content-Type': 'application/json', 'X-Request-Id': randomUUID() });
  to.end(JSON.stringify(error.toBody()));
}
