// Stream servers from the fan-out sections' point of view: how a client subscribes, how a message is published, what
// marks it.
import { getRequest, StreamClients, type StreamLoad, type StreamResult, type Target, upgradeRequest } from './load.js';
import type { Market } from './market.js';
import { movingPosts, type Overround, PollBody } from './overround.js';
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
  /** One message, or one burst of them; settles when the server has accepted it. */
  publish(index: number): Promise<void>;
  close(): void;
}

const EVENT_STREAM = { Accept: 'text/event-stream' };
const STAMP = 'evt_0000000000000000';
const FIRST_WARM_MS = 300;
const WARM_MS = 60;
const WARM_AT_ONCE = 16;
/** Of our server, before anything is measured, and once more for each further transport. */
const WARM_MESSAGES = 6_000;
const WARM_EVENTS = 40;
export const WARM_MESSAGES_PEER = 2_000;
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

export interface Published {
  /** Messages at once, none waiting for the one before: 1 without it. */
  burst?: number;
  /** Each in a post of its own, side by side, as servers of their own get them: not by a loop of the library's program. */
  posted?: boolean;
  /**
   * Of bare uWebSockets: each SSE message with the end of its chunk, which some clients wait for; or each by way of a
   * thread that parses and commits it first.
   */
  way?: keyof typeof WAYS;
}

const WAYS = {
  ended: { path: '/publish-ended', name: ', chunks ended' },
  committed: { path: '/publish-commit', name: ', each committed in a thread' },
} as const;

export async function peerStream(
  peer: Peer,
  transport: Transport,
  kind: 'event' | 'json',
  bytes: number,
  { burst = 1, posted = false, way }: Published = {},
): Promise<Stream> {
  const message = messageOf(kind, bytes);
  const looped = peer.library && !posted && burst > 1;
  const path = looped ? `/publish?${burst}` : way === undefined ? '/publish' : WAYS[way].path;
  const posts = looped ? 1 : burst;
  const publisher = Publisher.open(peer.port, path, { 'Content-Type': 'text/plain' });
  const stampHere = peer.name === 'nchan';
  return {
    name: `${peer.name} ${transport === 'sse' ? 'SSE' : 'WebSocket'}${posted ? ', each posted' : ''}${way === undefined ? '' : WAYS[way].name}`,
    target: peer,
    load: peerLoad(transport),
    clockAheadUs: 0,
    publish: async () => {
      const bodies = Array.from({ length: posts }, () => (stampHere ? stamped(Buffer.from(message)) : message));
      await Promise.all(bodies.map((body) => publisher.post(body)));
    },
    close: () => publisher.close(),
  };
}

/** A plain odds engine before bare uWebSockets is posted all prices of the market, as our server was. */
export async function fillEngine(peer: Target, market: Market): Promise<void> {
  const publisher = enginePublisher(peer);
  for (const message of market.whole(20)) await publisher.post(new PollBody(message).stamped());
  publisher.close();
}

/** As `ourStream`, of a plain odds engine before bare uWebSockets. */
export async function engineStream(peer: Peer, transport: Transport, market: Market): Promise<Stream> {
  await fillEngine(peer, market);
  const publisher = enginePublisher(peer);
  const bodies = movingBodies(market, 1);
  return {
    name: `${peer.name} ${transport === 'sse' ? 'SSE' : 'WebSocket'}, a plain odds engine before it`,
    target: peer,
    load: peerLoad(transport),
    clockAheadUs: 0,
    publish: (index) => publisher.post(bodies[index % 2]!.stamped()),
    close: () => publisher.close(),
  };
}

export function enginePublisher({ port }: Target): Publisher {
  return Publisher.open(port, '/publish-engine', { 'Content-Type': 'text/plain' });
}

/** How a client of one of the bench's own servers subscribes. */
export function peerLoad(transport: Transport): Omit<StreamLoad, 'connections'> {
  const request = transport === 'sse' ? getRequest('/sse', EVENT_STREAM) : upgradeRequest('/ws');
  return { request, ready: '\r\n\r\n', marker: 'evt_' };
}

export function redisStream(peer: Peer, client: RedisClient, bytes: number, burst = 1): Stream {
  const message = messageOf('json', bytes);
  return {
    name: 'Redis pub/sub',
    target: peer,
    load: { request: 'SUBSCRIBE all\r\n', ready: 'subscribe', marker: 'evt_' },
    clockAheadUs: 0,
    publish: async () => {
      const bodies = Array.from({ length: burst }, () => stamped(Buffer.from(message)));
      await client.commands(bodies.map((body) => ['PUBLISH', 'all', body]));
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
  const publisher = server.publisher();
  const bodies = movingBodies(market, eventsAtOnce);
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

function movingBodies(market: Market, eventsAtOnce: number): PollBody[] {
  const events = Array.from({ length: eventsAtOnce }, (_, i) => i);
  return [1, 0].map((phase) => new PollBody(market.message(0, events, (_, quote) => (quote < 2 ? phase : 0), 1)));
}

/** As `ourStream`, one market of each event in turn: many messages may be on their way at once. */
export function turningStream(
  server: Overround,
  market: Market,
  transport: Transport,
  posts = movingPosts(market, 2),
): Stream {
  const publisher = server.publisher();
  return {
    name: `overround ${transport}, one market after the other`,
    target: server,
    load: subscription(server, transport, `sportsbook=${market.books.join(',')}`),
    clockAheadUs: server.clockAheadUs,
    publish: (index) => publisher.post(posts[index % posts.length]!.stamped()),
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

/** Until every client had all of each burst, from when it was published (ms). */
export type BurstRound = StreamRound & { wholeMs: number[] };

/** Clients that stay from round to round: opening a thousand again takes longer than the measurement. */
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
    // One at a time: two that wait together would be merged into one.
    const publish = (): Promise<void> => this.stream.publish(this.#index++);
    await atRate(perSecond, this.#rounds++ === 0 ? FIRST_WARM_MS : WARM_MS, publish, 1);
    await wait(SETTLE_MS);
    await this.#clients.begin(this.stream.clockAheadUs, spin);
    const { sent } = await atRate(perSecond, ms, publish, 1);
    // What is still on its way belongs to what was published.
    await wait(SETTLE_MS);
    return { ...(await this.#clients.end()), sent };
  }

  /**
   * Publishes bursts of `size` items, each once every client has all of the one before, and at the rate at most. Rejects
   * where one item too few or too many came.
   */
  async bursts({ perSecond, ms, spin }: StreamRun, size: number): Promise<BurstRound> {
    const some = async (forMs: number): Promise<number[]> => {
      await this.#clients.begin(this.stream.clockAheadUs, spin);
      const wholeMs: number[] = [];
      const burst = async (): Promise<void> => {
        const begun = performance.now();
        const due = (wholeMs.length + 1) * size * this.connections;
        await Promise.all([this.#clients.arrived(due), this.stream.publish(this.#index++)]);
        wholeMs.push(performance.now() - begun);
      };
      await atRate(perSecond, forMs, burst, 1);
      return wholeMs;
    };
    if (this.#rounds++ === 0) await some(FIRST_WARM_MS);
    const wholeMs = await some(ms);
    await wait(SETTLE_MS);
    const result = await this.#clients.end();
    const came = this.stream.load.counted === undefined ? result.messages : result.items;
    const due = wholeMs.length * size * this.connections;
    if (came !== due) throw new Error(`${this.stream.name}: ${came} of ${due} came`);
    return { ...result, sent: wholeMs.length, wholeMs };
  }

  close(): Promise<void> {
    return this.#clients.close();
  }
}

/**
 * Publishes so many messages to one client, some at once: what a server runs is compiled then. One that was only filled
 * takes three times the CPU time a message, and a third of that is the compiler's.
 */
export async function warmUp(folder: string, stream: Stream, messages: number): Promise<void> {
  const open = await OpenStream.open(folder, stream, 1);
  let index = 0;
  const some = async (): Promise<void> => {
    while (index < messages) await stream.publish(index++);
  };
  await Promise.all(Array.from({ length: WARM_AT_ONCE }, some));
  await open.close();
}

/** Warms up our server by one market after the other, told to a client of this transport. Prices end as they were. */
export async function warmUpServer(
  folder: string,
  server: Overround,
  market: Market,
  transport: Transport,
): Promise<void> {
  const posts = movingPosts(market, 2, Math.min(WARM_EVENTS, market.size.events));
  const stream = turningStream(server, market, transport, posts);
  const messages = Math.ceil(WARM_MESSAGES / posts.length) * posts.length;
  await server.unmeasured(() => warmUp(folder, stream, messages));
  stream.close();
}

type OneRun = StreamRun & { connections: number };

/** Opens the clients, publishes at the rate, and closes them again. */
export function runStream(folder: string, stream: Stream, { connections, ...run }: OneRun): Promise<StreamRound> {
  return openFor(folder, stream, connections, (open) => open.round(run));
}

/** As `runStream`, in bursts of `size` items. */
export function runBursts(
  folder: string,
  stream: Stream,
  { connections, ...run }: OneRun,
  size: number,
): Promise<BurstRound> {
  return openFor(folder, stream, connections, (open) => open.bursts(run, size));
}

async function openFor<T>(
  folder: string,
  stream: Stream,
  connections: number,
  run: (open: OpenStream) => Promise<T>,
): Promise<T> {
  const open = await OpenStream.open(folder, stream, connections);
  try {
    return await run(open);
  } finally {
    await open.close();
    await wait(100);
  }
}
