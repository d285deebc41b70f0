// The door for connections where the system lets us look at their first bytes. uWebSockets answers HTTP/1.0, which nginx
// speaks to the servers behind it unless it is told otherwise, and whatever is wrong with a request's head with pages of
// its own. So connections are accepted here: those of HTTP/1.0 are answered by Node's own server, which asks ours in their
// place, what can't be answered is refused by us, and all others are handed to uWebSockets untouched, for good.
import type { TemplatedApp } from 'uWebSockets.js';
import { type AddressInfo, createServer, Socket, type SocketConstructorOpts } from 'node:net';
import { ApiError } from '../../model/errors.js';
import { BegunConnections, type Handle } from './begun.js';
import type { Connections } from './connections.js';
import { firstRequest, HEAD_BYTES_MAX } from './first-request.js';
import { Http10Relay } from './http10-relay.js';
import { Http10Unavailable, type Libc } from './libc.js';
import { cannotListen } from './port-free.js';

/** uWebSockets has it; its typings don't. */
type AdoptingApp = TemplatedApp & { adoptSocket?(fd: number): void };
interface ListeningHandle extends Handle {
  onconnection(error: number, connection: Handle | undefined): void;
}

export interface GateParts {
  app: TemplatedApp;
  libc: Libc;
  connections: Connections;
  /** The whole answer to a request that is refused, as bytes; it is counted. */
  refusal(error: ApiError): Buffer;
  /** What was looked for in a connection is not there, against what was seen at the start: the gate is shut. */
  broken(reason: string): void;
  /** How long a first request may take to come whole; as long as uWebSockets waits for one where not given. */
  giveUpMs?: number;
}

/** A connection that says nothing costs the system less than it does us: it is accepted after this long. */
const SILENT_S = 2;
const GIVE_UP_MS = 10_000;
/** What a refused client still sends is read and forgotten for so long, so that it can read the answer. */
const LINGER_MS = 2_000;
const NO_DESCRIPTORS = 'this Node does not tell the descriptors of its sockets';

export class Http10Gate {
  readonly #parts: GateParts;
  readonly #looked = Buffer.alloc(HEAD_BYTES_MAX);
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

  /** Resolves to the port; rejects where the address is taken, with Http10Unavailable where this can't be done here. */
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
        // An accept that failed is tried again with the next one.
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
    this.#relay.askAt(host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, bound);
    return bound;
  }

  /** No further connections. */
  stopListening(): void {
    this.#gate.close();
    this.#begun.close();
  }

  /** Cuts those of HTTP/1.0 and those that are being refused. */
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

  /** What to do with a connection; undefined until more has come. */
  #decide(connection: Handle, ended: boolean): (() => void) | undefined {
    const size = this.#parts.libc.peek(connection.fd, this.#looked);
    if (size <= 0) return size === 0 || ended ? () => connection.close() : undefined;
    const first = firstRequest(this.#looked.subarray(0, size));
    if (first === 'http/1.1') return () => this.#handOver(connection);
    if (first === 'http/1.0') return () => this.#relay.take(this.#keep(connection));
    if (first !== 'incomplete') return () => this.#refuse(connection, first);
    if (!ended) return undefined;
    return () => this.#refuse(connection, new ApiError('invalid_request', 'the request ended within its headers'));
  }

  #handOver(connection: Handle): void {
    const fd = this.#parts.libc.duplicate(connection.fd);
    // Without a descriptor left the connection is closed: that is all that can be said to it.
    if (fd >= 0) (this.#parts.app as Required<AdoptingApp>).adoptSocket(fd);
    connection.close();
  }

  /** As Node's socket, counted as uWebSockets' own are. */
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
