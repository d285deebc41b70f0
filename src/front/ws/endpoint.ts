// The path /ws: who may connect, in which format, and the open connections. A refused socket is still upgraded and
// closed with its code, since a browser shows no HTTP status of a failed upgrade.

import type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t, WebSocket } from 'uWebSockets.js';
import type { Static } from 'typebox';
import { checkAccess } from '../../accounts/access.js';
import type { KeyRecord } from '../../accounts/key-record.js';
import type { StreamSlot, StreamSlots } from '../../accounts/stream-slots.js';
import { trialOf } from '../../accounts/trial.js';
import type { WsForm } from '../../broadcast/ws-encoder.js';
import { ApiError } from '../../model/errors.js';
import { LIMITS } from '../../model/limits.js';
import { WS_CLOSE } from '../../schema/ws-close.js';
import { WsQuery } from '../../schema/ws-messages.js';
import { QueryReader, refuseUnknown } from '../http/query-reader.js';
import type { UpgradeAdmission } from '../http/server.js';
import { Connection, type ConnectionHost } from './connection.js';
import { WsSink } from './ws-sink.js';

const PATH = '/ws';
const MESSAGE_BYTES_MAX = LIMITS.messageBytes.max;
/** More than the broadcaster ever leaves in a socket: only a fault could reach it. */
const BUFFERED_BYTES_MAX = LIMITS.socketBuffered.max;
/**
 * Connections check by themselves whether their clients still answer, as uWebSockets gives a ping 16 s: behind the rest
 * of a large snapshot on a slow link it takes minutes.
 */
const IDLE_S = 960;
const WATCH_MS = 10_000;

const FORMS: ReadonlyMap<string, WsForm> = new Map([
  ['overround.msgpack', 'msgpack'],
  ['overround.json', 'json'],
]);

export interface WsEndpointOptions extends ConnectionHost {
  app: TemplatedApp;
  slots: StreamSlots;
  /** Where the end of a WebSocket is counted. */
  connections: { open: number };
  admitUpgrade(request: HttpRequest, response: HttpResponse): UpgradeAdmission;
}

interface SocketData {
  form: WsForm;
  admission: UpgradeAdmission;
  slot: StreamSlot | undefined;
  connection: Connection | undefined;
}

export class WsEndpoint {
  readonly #options: WsEndpointOptions;
  readonly #reader = new QueryReader(WsQuery);
  readonly #connections = new Set<Connection>();
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
      pong: (socket) => socket.getUserData().connection?.noteActivity(),
      close: (socket) => this.#closed(socket.getUserData()),
    });
    this.#watch = setInterval(() => this.watch(), WATCH_MS);
  }

  get connectionCount(): number {
    return this.#connections.size;
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
      .find((name) => FORMS.has(name));
    const data: SocketData = {
      form: protocol === undefined ? 'json' : FORMS.get(protocol)!,
      admission,
      slot: undefined,
      connection: undefined,
    };
    response.upgrade(
      data,
      request.getHeader('sec-websocket-key'),
      protocol ?? '',
      request.getHeader('sec-websocket-extensions'),
      context,
    );
  }

  #open(socket: WebSocket<SocketData>): void {
    const data = socket.getUserData();
    const refused = this.#refusal(data);
    if (refused !== null) {
      socket.end(refused.code, refused.reason);
      return;
    }
    const sink = new WsSink(socket, data.form);
    const connection = new Connection(this.#options, data.admission.key!, sink);
    data.connection = connection;
    data.slot!.onKeyEnd(() => connection.endKey());
    this.#connections.add(connection);
    connection.open(() => {
      const { query, ignored } = this.#reader.read(data.admission.queryText);
      refuseUnknown(ignored);
      return query as Static<typeof WsQuery>;
    });
  }

  /** Why a socket is closed at once; if it is not, takes its stream slot. */
  #refusal(data: SocketData): { code: number; reason: string } | null {
    if (this.#closing) return { code: WS_CLOSE.shutdown, reason: 'unavailable' };
    const { error, key } = data.admission;
    if (error !== undefined)
      return { code: error.code === 'rate_limited' ? WS_CLOSE.tooMany : WS_CLOSE.unauthorized, reason: error.code };
    const nowMs = this.#options.engine.clock.now();
    const refused = streamingError(key!, nowMs);
    if (refused !== null) {
      const reason = trialOf(key!, nowMs) === undefined ? refused.code : 'trial_expired';
      return { code: WS_CLOSE.noStreaming, reason };
    }
    try {
      data.slot = this.#options.slots.acquire(key!);
      return null;
    } catch (error) {
      if (error instanceof ApiError) return { code: WS_CLOSE.tooMany, reason: error.code };
      throw error;
    }
  }

  #closed(data: SocketData): void {
    this.#options.connections.open--;
    data.slot?.release();
    if (data.connection === undefined) return;
    this.#connections.delete(data.connection);
    data.connection.close();
  }
}

function streamingError(key: KeyRecord, nowMs: number): ApiError | null {
  try {
    checkAccess(key, { streaming: true }, nowMs);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
