// The path /ws: who may connect, in which format, and the open connections. A refused socket is still upgraded and
// closed with its code, since a browser shows no HTTP status of a failed upgrade.

import type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t, WebSocket } from 'uWebSockets.js';
import type { Static } from 'typebox';
import { trialOf } from '../../accounts/access.js';
import { ApiError, type ErrorCode } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import type { Stream, Streams } from '../../broadcast/streams.js';
import { WsQuery } from '../../schema/stream.js';
import { WS_CLOSE } from '../../schema/ws-close.js';
import { QueryReader, refuseUnknown } from '../http/query-reader.js';
import type { UpgradeAdmission } from '../http/server.js';
import { type ConnectionHost, WsConnection } from './connection.js';
import { isPacked, type WsForm, WsSink, wsEncoders } from './ws-sink.js';

const PATH = '/ws';
/** uWebSockets cuts a connection without a code: larger messages than are read still reach us, to be refused. */
const MESSAGE_BYTES_MAX = LIMITS.messageCut.max;
/** More than the broadcaster ever leaves in a socket: only a fault could reach it. */
const BUFFERED_BYTES_MAX = LIMITS.socketBuffered.max;
/**
 * Connections check by themselves whether their clients still answer, as uWebSockets gives a ping 16 s: behind the rest
 * of a large snapshot on a slow link it takes minutes.
 */
const IDLE_S = 960;
const WATCH_MS = 10_000;
const TOO_MANY: ReadonlySet<ErrorCode> = new Set(['stream_limit_exceeded', 'rate_limited']);

const FORMS: ReadonlyMap<string, WsForm> = new Map([
  ['overround.msgpack', 'msgpack'],
  ['overround.json', 'json'],
  ['overround.deflate', 'deflate'],
  ['overround.msgpack.deflate', 'msgpack.deflate'],
]);

export interface WsEndpointOptions extends ConnectionHost {
  app: TemplatedApp;
  streams: Streams;
  /** Where the end of a WebSocket is counted. */
  connections: { open: number };
  admitUpgrade(request: HttpRequest, response: HttpResponse): UpgradeAdmission;
}

interface SocketData {
  form: WsForm;
  admission: UpgradeAdmission;
  connection: WsConnection | undefined;
}

export class WsEndpoint {
  readonly #options: WsEndpointOptions;
  readonly #reader = new QueryReader(WsQuery);
  readonly #connections = new Set<WsConnection>();
  readonly #watch: NodeJS.Timeout;
  #closing = false;

  constructor(options: WsEndpointOptions) {
    this.#options = options;
    options.app.ws<SocketData>(PATH, {
      maxPayloadLength: MESSAGE_BYTES_MAX,
      maxBackpressure: BUFFERED_BYTES_MAX,
      idleTimeout: IDLE_S,
      sendPingsAutomatically: false,
      upgrade: (response, request, context) => this.#upgrade(response, request, context),
      open: (socket) => this.#open(socket),
      message: (socket, message, isBinary) =>
        socket.getUserData().connection?.message(new Uint8Array(message), isBinary),
      drain: (socket) => socket.getUserData().connection?.drain(),
      ping: (socket) => socket.getUserData().connection?.signal(),
      pong: (socket) => socket.getUserData().connection?.signal(),
      close: (socket) => this.#closed(socket.getUserData()),
    });
    this.#watch = setInterval(() => this.watch(), WATCH_MS);
  }

  /** Pings silent clients, and disconnects those that do not answer; called every 10 s. */
  watch(): void {
    for (const connection of [...this.#connections]) connection.watch();
  }

  /** Closes every connection with 1001, and those that come from now on. */
  close(): void {
    this.#closing = true;
    clearInterval(this.#watch);
    for (const connection of [...this.#connections]) connection.shutDown();
  }

  #upgrade(response: HttpResponse, request: HttpRequest, context: us_socket_context_t): void {
    const admission = this.#options.admitUpgrade(request, response);
    const protocol = request
      .getHeader('sec-websocket-protocol')
      .split(',')
      .map((name) => name.trim())
      .find((name) => FORMS.has(name) && (this.#options.streams.compress || !isPacked(FORMS.get(name)!)));
    const data: SocketData = {
      form: protocol === undefined ? 'json' : FORMS.get(protocol)!,
      admission,
      connection: undefined,
    };
    const [key, extensions] = [
      request.getHeader('sec-websocket-key'),
      request.getHeader('sec-websocket-extensions'),
    ] as const;
    const upgrade = (): void => response.upgrade(data, key, protocol ?? '', extensions, context);
    const { pending } = admission;
    if (pending === undefined) {
      upgrade();
      return;
    }
    let isGone = false;
    response.onAborted(() => {
      isGone = true;
    });
    void pending.then(() => {
      if (!isGone) response.cork(upgrade);
    });
  }

  #open(socket: WebSocket<SocketData>): void {
    const data = socket.getUserData();
    const opened = this.#openStream(data);
    if ('code' in opened) {
      socket.end(opened.code, opened.reason);
      return;
    }
    const sink = new WsSink(socket, data.form);
    const connection = new WsConnection(this.#options, data.admission.key!, sink, opened);
    data.connection = connection;
    this.#connections.add(connection);
    connection.open(() => {
      const { query, ignored } = this.#reader.read(data.admission.queryText);
      refuseUnknown(ignored);
      return query as Static<typeof WsQuery>;
    });
  }

  /** Or why the socket is closed at once. */
  #openStream(data: SocketData): Stream | { code: number; reason: string } {
    if (this.#closing) return { code: WS_CLOSE.shutdown, reason: 'unavailable' };
    const { error, key } = data.admission;
    if (error !== undefined)
      return { code: error.code === 'rate_limited' ? WS_CLOSE.tooMany : WS_CLOSE.unauthorized, reason: error.code };
    const { streams, engine } = this.#options;
    try {
      return streams.open(key!, wsEncoders[data.form]);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (TOO_MANY.has(error.code)) return { code: WS_CLOSE.tooMany, reason: error.code };
      const hadTrial = trialOf(key!, engine.clock.now()) !== undefined;
      return { code: WS_CLOSE.noStreaming, reason: hadTrial ? 'trial_expired' : error.code };
    }
  }

  #closed(data: SocketData): void {
    this.#options.connections.open--;
    if (data.connection === undefined) return;
    this.#connections.delete(data.connection);
    data.connection.close();
  }
}
