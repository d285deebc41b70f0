// Stream servers as the fan-out sections see them: how a client subscribes, how a message is published, what marks it.
import { getRequest, StreamClients, type StreamLoad, type StreamResult, type Target, upgradeRequest } from './load.js';
import type { Market } from './market.js';
import { type Overround, PollBody } from './overround.js';
import type { Peer } from './peers.js';
import { wait } from './process.js';
import { atRate, Publisher } from './publisher.js';
import type { RedisClient } from './redis-client.js';

export type Transport = 'sse' | 'ws';

export interface Stream {
  name: string;
  target: Target;
  load: Omit<StreamLoad, 'connections'>;
  clockAheadUs: number;
  /** Settles when the server has taken it. */
  publish(index: number): Promise<void>;
  close(): void;
}

const EVENT_STREAM = { Accept: 'text/event-stream' };
const STAMP = 'evt_0000000000000000';
const FIRST_WARM_MS = 300;
const WARM_MS = 60;
/** Until what is on its way has come: one message to all. */
const SETTLE_MS = 80;

/** A message of the bench's own servers, as an SSE event or as JSON, of so many bytes. */
export function messageOf(kind: 'event' | 'json', bytes: number): Buffer {
  const [before, after] =
    kind === 'event'
      ? ['event: odds:update\ndata: {"odds":"', `"}\nid: ${STAMP}\n\n`]
      : ['{"type":"odds:update","odds":"', `","id":"${STAMP}"}`];
  return Buffer.from(before + '#'.repeat(Math.max(0, bytes - before.length - after.length)) + after);
}

export async function peerStream(
  peer: Peer,
  transport: Transport,
  kind: 'event' | 'json',
  bytes: number,
): Promise<Stream> {
  const message = messageOf(kind, bytes);
  const publisher = Publisher.open(peer.port, '/publish', { 'Content-Type': 'text/plain' });
  const stampHere = peer.name === 'nchan';
  return {
    name: `${peer.name} ${transport === 'sse' ? 'SSE' : 'WebSocket'}`,
    target: peer,
    load:
      transport === 'sse'
        ? { request: getRequest('/sse', EVENT_STREAM), ready: '\r\n\r\n', marker: 'evt_' }
        : { request: upgradeRequest('/ws'), ready: '\r\n\r\n', marker: 'evt_' },
    clockAheadUs: 0,
    publish: () => publisher.post(stampHere ? stamped(Buffer.from(message)) : message),
    close: () => publisher.close(),
  };
}

export function redisStream(peer: Peer, client: RedisClient, bytes: number): Stream {
  const message = messageOf('json', bytes);
  return {
    name: 'Redis pub/sub',
    target: peer,
    load: { request: 'SUBSCRIBE all\r\n', ready: 'subscribe', marker: 'evt_' },
    clockAheadUs: 0,
    publish: async () => {
      await client.command('PUBLISH', 'all', stamped(Buffer.from(message)));
    },
    close: () => client.close(),
  };
}

/** Where a server cannot be made to write the time itself, the publisher does, one hop earlier. */
function stamped(message: Buffer): Buffer {
  const now = String(Math.round((performance.timeOrigin + performance.now()) * 1000));
  message.write(now, message.indexOf('evt_') + 4, 'latin1');
  return message;
}

/** Our server: each message moves both sides of one market at one book, of so many events. */
export async function ourStream(
  server: Overround,
  market: Market,
  transport: Transport,
  eventsAtOnce: number,
): Promise<Stream> {
  const events = Array.from({ length: eventsAtOnce }, (_, i) => i);
  const publisher = server.publisher();
  const bodies = [1, 0].map(
    (phase) => new PollBody(market.message(0, events, (_, quote) => (quote < 2 ? phase : 0), 1)),
  );
  const filter = eventsAtOnce === 1 ? `event=${market.eventId(0)}` : `sportsbook=${market.books[0]}`;
  return {
    name: `overround ${transport === 'sse' ? 'SSE' : 'WebSocket'}`,
    target: server,
    load: { ...subscription(server, transport, filter), counted: '"odds_changed_at' },
    clockAheadUs: server.clockAheadUs,
    publish: (index) => publisher.post(bodies[index % 2]!.stamped()),
    close: () => publisher.close(),
  };
}

export function subscription(server: Overround, transport: Transport, filter: string): Omit<StreamLoad, 'connections'> {
  return transport === 'sse'
    ? {
        request: getRequest(`/api/v1/stream/odds?${filter}`, { ...server.headers, ...EVENT_STREAM }),
        ready: 'snapshot:complete',
        marker: 'evt_',
      }
    : {
        request: upgradeRequest(`/ws?channels=odds&${filter}`, server.headers),
        ready: 'snapshot:complete',
        marker: '"global_seq":',
      };
}

export interface StreamRun {
  perSecond: number;
  ms: number;
  spin?: boolean;
}

export type StreamRound = StreamResult & { sent: number };

/** Clients that stay from round to round: opening a thousand anew takes longer than what is measured of them. */
export class OpenStream {
  readonly stream: Stream;
  readonly connections: number;
  readonly #clients: StreamClients;
  #index = 0;
  #rounds = 0;

  private constructor(stream: Stream, connections: number, clients: StreamClients) {
    this.stream = stream;
    this.connections = connections;
    this.#clients = clients;
  }

  static async open(folder: string, stream: Stream, connections: number): Promise<OpenStream> {
    const clients = await StreamClients.open(folder, stream.target, { ...stream.load, connections });
    return new OpenStream(stream, connections, clients);
  }

  /** Publishes at the rate, a little while before what counts. */
  async round({ perSecond, ms, spin }: StreamRun): Promise<StreamRound> {
    // One at a time: two that wait together would be told as one.
    const publish = (): Promise<void> => this.stream.publish(this.#index++);
    await atRate(perSecond, this.#rounds++ === 0 ? FIRST_WARM_MS : WARM_MS, publish, 1);
    await wait(SETTLE_MS);
    await this.#clients.begin(this.stream.clockAheadUs, spin);
    const { sent } = await atRate(perSecond, ms, publish, 1);
    // What is still on its way belongs to what was published.
    await wait(SETTLE_MS);
    return { ...(await this.#clients.end()), sent };
  }

  close(): Promise<void> {
    return this.#clients.close();
  }
}

/** Opens the clients, publishes at the rate, and closes them again. */
export async function runStream(
  folder: string,
  stream: Stream,
  { connections, ...run }: StreamRun & { connections: number },
): Promise<StreamRound> {
  const open = await OpenStream.open(folder, stream, connections);
  try {
    return await open.round(run);
  } finally {
    await open.close();
    await wait(100);
  }
}
