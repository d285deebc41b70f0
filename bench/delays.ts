// Shared by the sections on delays: their size, their control, and the position from which streams start.
import type { Bench } from './bench.js';
import { getRequest, StreamClients, type StreamResult } from './load.js';
import type { Market } from './market.js';
import type { Overround, PollBody } from './overround.js';
import { nodePeer, type Peer } from './peers.js';
import { wait } from './process.js';
import { atRate, type Publisher } from './publisher.js';
import { alternate, median, pairedRatio, quantile } from './statistics.js';
import { OpenStream, peerStream, type Stream } from './streams.js';

export const CLIENTS = 200;
export const CHANGES_PER_POST = 50;
export const BOOKS = 10;
/** Targets on a quiet machine: odds p50 under 5 ms, p99 under 25 ms; opportunities p99 under 10 ms. */
export const JUDGED_RATE = 5_000;
const ROUNDS_SHORT = 3;
const ROUNDS_FULL = 5;
/** Of which the size of the control's messages is taken. */
const FIRST_MS = 300;
/** Waits until everything published has arrived. */
const SETTLE_MS = 100;
/** A stream of it has a greeting and nothing else. */
const NO_EVENT = 'nba_none_none_2026-01-01';

/** Location of the server's data folder: memory separates the program from the disk. */
export interface Where {
  /** Ends the names of figures. */
  name: string;
  /** Ends the ids of ratios. */
  id: string;
}

export const ON_DISK: Where = { name: '', id: '' };
export const IN_MEMORY: Where = { name: ', data folder in memory', id: '-in-memory' };

/** In ms; of several rounds, one each. */
export interface Delays {
  p50: number[];
  p99: number[];
}

const noDelays = (): Delays => ({ p50: [], p99: [] });

/** A control of the bench's own: as many messages of the same size to as many clients. */
export class Control {
  readonly name: string;
  readonly #open: OpenStream;
  readonly #peers: readonly Peer[];
  readonly delays: Delays = noDelays();

  private constructor(name: string, open: OpenStream, peers: readonly Peer[]) {
    this.name = name;
    this.#open = open;
    this.#peers = peers;
  }

  /** Bare uWebSockets, free to use every core, as the server it is compared with: the machine's own cost. */
  static async start(bench: Bench, bytes: number): Promise<Control> {
    const peer = await nodePeer('bare-uws', bench.folder, [], [], null);
    return Control.of('control', await peerStream(peer, 'sse', 'event', bytes), { bench, peers: [peer] });
  }

  /** `peers` are stopped with it. */
  static async of(
    name: string,
    stream: Stream,
    { bench, peers }: { bench: Bench; peers: readonly Peer[] },
  ): Promise<Control> {
    return new Control(name, await OpenStream.open(bench.folder, stream, CLIENTS), peers);
  }

  async round(perSecond: number, ms: number): Promise<number> {
    const { p50, p99 } = await this.#open.round({ perSecond, ms, spin: false });
    this.delays.p50.push(p50 / 1000);
    this.delays.p99.push(p99 / 1000);
    return p50;
  }

  async stop(): Promise<void> {
    await this.#open.close();
    this.#open.stream.close();
    for (const peer of this.#peers) await peer.stop();
  }
}

export function tellControl(bench: Bench, title: string, { p50, p99 }: Delays): void {
  bench.figure(`${title}, bare uWebSockets with as many bytes: p50`, median(p50), 'ms');
  bench.figure(`${title}, bare uWebSockets with as many bytes: p99`, median(p99), 'ms');
}

/**
 * The control's delay relative to ours, round by round: more is better. The tail is the noisiest figure; the median of the
 * same code differs by a factor of three between machines.
 */
export function inverseRatios(
  bench: Bench,
  { id, title, where }: { id: string; title: string; where: Where },
  ours: Delays,
  control: Delays,
): void {
  for (const [of, tolerance] of [
    ['p50', 0.8],
    ['p99', 0.8],
  ] as const)
    bench.ratio(
      `${id}${of}${where.id}`,
      `delay (inverse), ${title}${where.name}, ${of}`,
      'bare uWebSockets',
      pairedRatio(control[of], ours[of]),
      { tolerance },
    );
}

/** A server with its data folder, and what it was filled with. */
export interface Served {
  where: Where;
  server: Overround;
  market: Market;
}

export interface RoundResult {
  result: StreamResult;
  /** Posts sent, and how long each waited for its answer (ms). */
  sent: number;
  answeredMs: number[];
}

/** Clients of one of the server's streams, which stay from round to round, and the posts they receive. */
export class Listeners {
  readonly served: Served;
  readonly #clients: StreamClients;
  readonly #publisher: Publisher;
  readonly #posts: readonly PollBody[];
  #index = 0;

  private constructor(served: Served, clients: StreamClients, posts: readonly PollBody[]) {
    this.served = served;
    this.#clients = clients;
    this.#publisher = served.server.publisher();
    this.#posts = posts;
  }

  /** A path has a query; of several, the clients take one each in turn. `counted`: what else is counted in the messages. */
  static async open(
    bench: Bench,
    served: Served,
    {
      path,
      posts,
      counted,
      connections = CLIENTS,
    }: { path: string | readonly string[]; posts: readonly PollBody[]; counted?: string; connections?: number },
  ): Promise<Listeners> {
    const { server } = served;
    const headers = {
      ...server.headers,
      Accept: 'text/event-stream',
      'Last-Event-ID': `evt_${await newestPosition(server)}`,
    };
    const clients = await StreamClients.open(bench.folder, server, {
      connections,
      // Resumed from the newest position: two hundred snapshots of the whole table are not to be measured.
      request: [path].flat().map((one) => getRequest(`${one}&resume=true`, headers)),
      ready: 'event: connected',
      marker: 'evt_',
      ...(counted === undefined ? {} : { counted }),
    });
    return new Listeners(served, clients, posts);
  }

  /** Changes at a rate for this long, after `warmMs` of uncounted ones. */
  async round(changesPerSecond: number, { ms, warmMs }: { ms: number; warmMs: number }): Promise<RoundResult> {
    const post = (): Promise<void> => this.#publisher.post(this.#posts[this.#index++ % this.#posts.length]!.stamped());
    const perSecond = changesPerSecond / CHANGES_PER_POST;
    await atRate(perSecond, warmMs, post);
    await this.#clients.begin(this.served.server.clockAheadUs, false);
    const { sent, answeredMs } = await atRate(perSecond, ms, post);
    await wait(SETTLE_MS);
    return { result: await this.#clients.end(), sent, answeredMs };
  }

  async close(): Promise<void> {
    await this.#clients.close();
    this.#publisher.close();
  }
}

export const roundsOf = (bench: Bench): number => (bench.full ? ROUNDS_FULL : ROUNDS_SHORT);

export const roundTimes = (bench: Bench): { ms: number; warmMs: number } =>
  bench.full ? { ms: 3_000, warmMs: 500 } : { ms: 800, warmMs: 150 };

export interface Judged {
  /** As the listeners given. */
  ours: { delays: Delays; answered: Delays; rounds: RoundResult[] }[];
  control: Delays;
}

export interface JudgedOptions {
  /** Called when all servers are warmed up. */
  warm?(): Promise<void>;
  /** Further controls, which are sent messages of so many bytes; stopped with the rounds. */
  controls?(bytes: number): Promise<readonly Control[]>;
}

/** Rounds at the judged rate in which every server and the control take turns, each server warmed up (ms) before. */
export async function judgedRounds(
  bench: Bench,
  all: readonly Listeners[],
  warmMs: number,
  { warm, controls }: JudgedOptions = {},
): Promise<Judged> {
  const times = roundTimes(bench);
  const ours: Judged['ours'] = all.map(() => ({ delays: noDelays(), answered: noDelays(), rounds: [] }));
  let first: StreamResult | undefined;
  for (const listeners of all) first = (await listeners.round(JUDGED_RATE, { ms: FIRST_MS, warmMs })).result;
  if (first === undefined || first.messages === 0) throw new Error('no client received any change');
  await warm?.();
  const messagesPerSecond = first.messages / CLIENTS / first.seconds;
  const bytes = Math.round(first.bytes / first.messages);
  const control = await Control.start(bench, bytes);
  const every = [control, ...((await controls?.(bytes)) ?? [])];
  await alternate(roundsOf(bench), [
    ...all.map((listeners, i) => ({
      name: listeners.served.where.name,
      run: async () => {
        const result = await listeners.round(JUDGED_RATE, times);
        const { delays, answered } = ours[i]!;
        ours[i]!.rounds.push(result);
        for (const [of, share] of [
          ['p50', 0.5],
          ['p99', 0.99],
        ] as const) {
          delays[of].push(result.result[of] / 1000);
          answered[of].push(quantile(result.answeredMs, share));
        }
        return result.result.p50;
      },
    })),
    ...every.map((each) => ({ name: each.name, run: () => each.round(messagesPerSecond, times.ms) })),
  ]);
  for (const each of every) await each.stop();
  return { ours, control: control.delays };
}

/** From the greeting of a stream that is closed at once. */
export async function newestPosition(server: Overround): Promise<number> {
  const path = `/api/v1/stream/odds?event=${NO_EVENT}`;
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: server.headers });
  let text = '';
  for await (const part of answer.body!) {
    text += Buffer.from(part as Uint8Array).toString();
    const position = /"position":(\d+)/.exec(text)?.[1];
    // Leaving the loop ends the stream.
    if (position !== undefined) return Number(position);
  }
  throw new Error('a stream ended without a greeting');
}
