// Accepts connections where the system lets us peek at their first bytes. uWebSockets answers HTTP/1.0, which nginx
// uses towards upstream servers by default, and any error in a request's header with pages of its own. So connections
// are accepted here: those of HTTP/1.0 are answered by Node's own server, which forwards to ours, invalid ones are
// refused by us, and all others are passed to uWebSockets untouched, for good.
import type { TemplatedApp } from 'uWebSockets.js';
import { type AddressInfo, createServer, Socket, type SocketConstructorOpts } from 'node:net';
import { ApiError } from '../../model/errors.js';
import { BegunConnections, type Handle } from './begun-connections.js';
import type { Connections } from './connections.js';
import { firstRequest, HEAD_BYTES_MAX } from './first-request.js';
import { Http10Relay } from './http10-relay.js';
import { Http10Unavailable, type Libc } from './libc.js';
import { cannotListen } from './port-free.js';

/** Exists in uWebSockets but not in its types. */
type AdoptingApp = TemplatedApp & { adoptSocket?(fd: number): void };
interface ListeningHandle extends Handle {
  onconnection(error: number, connection: Handle | undefined): void;
}

export interface GateParts {
  app: TemplatedApp;
  libc: Libc;
  connections: Connections;
  /** The complete answer to a refused request, as bytes; it is counted. */
  refusal(error: ApiError): Buffer;
  /** A file descriptor was not found, unlike at the start: the gate is closed. */
  broken(reason: string): void;
  /** How long a first request may take to arrive; by default as long as in uWebSockets. */
  giveUpMs?: number;
}

/** A silent connection costs the system less than us: it is accepted after this long. */
const SILENT_S = 2;
const GIVE_UP_MS = 10_000;
/** What a refused client still sends is read and discarded for this long, so that it can read the answer. */
const LINGER_MS = 2_000;
const NO_DESCRIPTORS = 'this Node does not tell the descriptors of its sockets';

export class Http10Gate {
  readonly #parts: GateParts;
  readonly #peeked = Buffer.alloc(HEAD_BYTES_MAX);
  readonly #begun: BegunConnections;
  readonly #relay: Http10Relay;
  readonly #gate = createServer();
  readonly #refused = new Set<Socket>();

  constructor(parts: GateParts) {
    this.#parts = parts;
    this.#relay = new Http10Relay(parts.refusal);
    this.#begun = new BegunConnections(
      parts.libc,
      parts.giveUpMs ?? GIVE_UP_MS,
      (connection, ended) => {
        const act = this.#decide(connection, ended);
        if (act === undefined) return undefined;
        return () => {
          parts.connections.open--;
          act();
        };
      },
      () => {
        parts.connections.open--;
      },
    );
  }

  /** Resolves to the port; rejects if the address is in use, with Http10Unavailable if this is not supported here. */
  async listen(host: string, port: number): Promise<number> {
    const { app, libc } = this.#parts;
    try {
      if (typeof (app as AdoptingApp).adoptSocket !== 'function')
        throw new Http10Unavailable('uWebSockets.js takes no sockets from others');
      if (!this.#begun.usable) throw new Http10Unavailable('the system has no epoll');
      await this.#open(host, port);
      const handle = (this.#gate as unknown as { _handle?: Partial<ListeningHandle> })._handle;
      if (typeof handle?.fd !== 'number' || handle.fd < 0 || typeof handle.onconnection !== 'function')
        throw new Http10Unavailable(NO_DESCRIPTORS);
      handle.onconnection = (error, connection) => {
        // A failed accept is repeated with the next one.
        if (error === 0 && connection !== undefined) this.#accept(connection);
      };
      if (!libc.acceptWithData(handle.fd, SILENT_S))
        throw new Http10Unavailable('the system does not hold connections back until they say something');
    } catch (error) {
      this.stopListening();
      this.end();
      throw error;
    }
    const { port: bound } = this.#gate.address() as AddressInfo;
    this.#relay.forwardTo(host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, bound);
    return bound;
  }

  /** Accepts no further connections. */
  stopListening(): void {
    this.#gate.close();
    this.#begun.close();
  }

  /** Closes those of HTTP/1.0 and those that are being refused. */
  end(): void {
    this.#begun.close();
    this.#relay.end();
    for (const socket of this.#refused) socket.destroy();
  }

  #open(host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#gate.once('error', () => reject(cannotListen(host, port)));
      this.#gate.listen({ host, port, exclusive: true }, resolve);
    });
  }

  #accept(connection: Handle): void {
    if (!(connection.fd >= 0)) {
      connection.close();
      this.stopListening();
      this.#parts.broken(NO_DESCRIPTORS);
      return;
    }
    const { connections } = this.#parts;
    // Beyond the bound uWebSockets' filter refuses it.
    const act = connections.open < connections.max ? this.#decide(connection, false) : () => this.#handOver(connection);
    if (act !== undefined) act();
    else if (this.#begun.add(connection)) connections.open++;
    else this.#handOver(connection);
  }

  /** What to do with a connection; undefined until more has arrived. */
  #decide(connection: Handle, ended: boolean): (() => void) | undefined {
    const size = this.#parts.libc.peek(connection.fd, this.#peeked);
    if (size <= 0) return size === 0 || ended ? () => connection.close() : undefined;
    const first = firstRequest(this.#peeked.subarray(0, size));
    if (first === 'http/1.1') return () => this.#handOver(connection);
    if (first === 'http/1.0') return () => this.#relay.take(this.#keep(connection));
    if (first !== 'incomplete') return () => this.#refuse(connection, first);
    if (!ended) return undefined;
    return () => this.#refuse(connection, new ApiError('invalid_request', 'the request ended within its headers'));
  }

  #handOver(connection: Handle): void {
    const fd = this.#parts.libc.duplicate(connection.fd);
    // Without a free descriptor the connection can only be closed.
    if (fd >= 0) (this.#parts.app as Required<AdoptingApp>).adoptSocket(fd);
    connection.close();
  }

  /** As a Node socket, counted like uWebSockets' own. */
  #keep(connection: Handle): Socket {
    const { connections } = this.#parts;
    const socket = new Socket({ handle: connection, allowHalfOpen: true } as unknown as SocketConstructorOpts);
    connections.open++;
    socket.once('close', () => {
      connections.open--;
    });
    return socket;
  }

  #refuse(connection: Handle, error: ApiError): void {
    const socket = this.#keep(connection);
    this.#refused.add(socket);
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#refused.delete(socket);
    });
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.destroy());
    socket.resume();
    socket.end(this.#parts.refusal(error));
  }
}
