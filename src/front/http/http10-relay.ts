// Answers requests of HTTP/1.0 on the connections it is given: Node's own server reads them and forwards them to ours.

import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '../../model/errors.js';
import { LIMITS } from '../../model/limits.js';
import { HEAD_BYTES_MAX } from './first-request.js';

const FORWARDED_AT_ONCE_MAX = LIMITS.http10Requests.max;
/** From the header to the end of the body. */
const REQUEST_MS_MAX = LIMITS.http10Request.max;
/** Headers of one connection, which are not forwarded. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

export class Http10Relay {
  readonly #refusal: (error: ApiError) => Buffer;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: FORWARDED_AT_ONCE_MAX, maxFreeSockets: 8 });
  readonly #server = createServer({ maxHeaderSize: 2 * HEAD_BYTES_MAX }, (from, to) => this.#forward(from, to));
  // A server that does not listen does not track its connections or timeouts.
  readonly #sockets = new Map<Socket, NodeJS.Timeout>();
  #host = '';
  #port = 0;

  /** @param refusal the complete answer to a refused request, as bytes */
  constructor(refusal: (error: ApiError) => Buffer) {
    this.#refusal = refusal;
    this.#server.on('clientError', (error, socket) => this.#refuse(error, socket));
  }

  forwardTo(host: string, port: number): void {
    this.#host = host;
    this.#port = port;
  }

  take(socket: Socket): void {
    this.#sockets.set(
      socket,
      setTimeout(() => socket.destroy(), REQUEST_MS_MAX),
    );
    socket.once('close', () => {
      clearTimeout(this.#sockets.get(socket));
      this.#sockets.delete(socket);
    });
    this.#server.emit('connection', socket);
  }

  end(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
    this.#agent.destroy();
  }

  #refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    // Node's message for its parser's error.
    const reason = error.code?.startsWith('HPE_')
      ? error.message.replace(/^Parse Error: /, '')
      : 'it did not come whole';
    socket.end(this.#refusal(new ApiError('invalid_request', `this is no request of HTTP/1.0: ${reason}`)), () =>
      socket.destroy(),
    );
  }

  #forward(from: IncomingMessage, to: ServerResponse): void {
    const forwarded = request(
      {
        host: this.#host,
        port: this.#port,
        agent: this.#agent,
        method: from.method,
        path: from.url,
        headers: { host: 'localhost', ...passedOn(from.headers) },
      },
      (answer) => {
        to.writeHead(answer.statusCode ?? 502, { ...passedOn(answer.headers), connection: 'close' });
        answer.pipe(to);
        answer.on('error', () => to.destroy());
      },
    );
    forwarded.on('error', () => {
      if (to.headersSent) to.destroy();
      else to.socket?.end(this.#refusal(new ApiError('upstream_error', 'the server did not answer')));
    });
    // Once its answer is complete its connection may belong to another request already.
    to.on('close', () => {
      if (!to.writableFinished) forwarded.destroy();
    });
    from.on('end', () => clearTimeout(this.#sockets.get(from.socket)));
    from.pipe(forwarded);
  }
}

function passedOn(headers: NodeJS.Dict<string | string[]>): NodeJS.Dict<string | string[]> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
}
