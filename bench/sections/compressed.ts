// Streams that are compressed once for all their clients: the server's CPU time, the bytes and the delay of a delivery
// over SSE and WebSocket, against the same streams uncompressed, against bare uWebSockets that ends its chunks and commits
// nothing, and against servers that compress for each connection.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, Section } from '../bench.js';
import { format } from '../bench.js';
import { getRequest, type Target, upgradeRequest } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, Overround, PollBody } from '../overround.js';
import { gzipProxy, hasNginx, nodePeer, type Peer } from '../peers.js';
import { type Child, cpuTime, LOAD_CORE, start, wait } from '../process.js';
import type { Publisher } from '../publisher.js';
import { alternate, median, pairedRatio } from '../statistics.js';
import { ourStream, warmUp, warmUpServer } from '../streams.js';

const CLIENTS = 1_000;
/** One for each way of being told the same: a change of its games is told to its clients alone. */
const LEAGUES = 8;
const GAMES = 40;
/** Both sides of one market move in so many games: rows of a tick. */
const TICKS = [
  { id: 'small', events: 1, target: 1 / 1.2 },
  { id: '80-rows', events: GAMES, target: 1 / 0.6 },
] as const;
/** More than plain, of a compressed delivery (ms). */
const LATER = { p50: 0.5, p99: 1 } as const;
const MESSAGES = { short: 20, full: 40 } as const;
/** Of those that compress for each connection: they take a hundred times as long. */
const MESSAGES_EACH = 5;
const WARM_MESSAGES = 400;
/** Between messages: the next one waits until all have had this one, usually. */
const PAUSE_MS = 20;
const QUIET_MS = 80;
/** Of those that compress for each connection, in threads of their own. */
const QUIET_EACH_MS = 400;
const GZIP = { 'Accept-Encoding': 'gzip' };
const ROUNDS = { short: 3, full: 5 } as const;
/** How ours are asked for; the compressed ones with the plain one that they are compared with. */
const WAYS = [
  { id: 'plain', name: 'SSE' },
  { id: 'compressed', name: 'SSE, compressed', plain: 0 },
  { id: 'ws', name: 'WebSocket', protocol: 'overround.json' },
  { id: 'ws-compressed', name: 'WebSocket, compressed', protocol: 'overround.deflate', plain: 2 },
  { id: 'ws-msgpack', name: 'WebSocket, MessagePack compressed', protocol: 'overround.msgpack.deflate', plain: 2 },
] as const;
const BARE = 'SSE, bare uWebSockets that ends its chunks';
const BARE_COMPRESSED = 'SSE, bare uWebSockets that compresses once and ends its chunks';

const program = fileURLToPath(new URL('../byte-sinks.js', import.meta.url));

export const compressed: Section = {
  name: 'compressed',
  about: 'streams that are compressed once for all their clients',
  underLoad: true,
  run: async (bench) => {
    const market = new Market({ events: GAMES * LEAGUES, books: 2 }, Date.now());
    const server = await Overround.start({ dataDir: dataFolder(bench.folder, 'compressed') });
    await server.fill(market);
    for (const transport of ['sse', 'ws'] as const) await warmUpServer(bench.folder, server, market, transport);
    const stream = await ourStream(server, market, 'sse', GAMES);
    await server.unmeasured(() => warmUp(bench.folder, stream, WARM_MESSAGES));
    stream.close();
    const peer = await nodePeer('bare-uws', bench.folder);
    const each = await compressingEach(bench, peer);
    const publisher = server.publisher();
    const receivers: Receivers[] = [];
    for (const [league, way] of WAYS.entries())
      receivers.push(
        await Receivers.open(bench, server, { name: way.name, request: requestOf(server, market, league, way) }),
      );
    const bare = await Receivers.open(bench, peer, { name: BARE, request: getRequest('/sse') });
    for (const tick of TICKS) await compare({ bench, server, market, publisher, peer, each, receivers, bare }, tick);
    for (const one of [...receivers, bare]) await one.close();
    publisher.close();
    for (const { peer } of each) await peer.stop();
    await peer.stop();
    await server.stop();
  },
};

interface Each {
  id: string;
  name: string;
  transport: 'sse' | 'ws';
  peer: Peer;
  request: string;
  /** Where its messages are published. */
  to: Peer;
}

async function compressingEach(bench: Bench, behind: Peer): Promise<Each[]> {
  const node = await nodePeer('gzip-each', bench.folder);
  const ws = await nodePeer('ws', bench.folder, [], ['deflate']);
  const offering = upgradeRequest('/ws', { 'Sec-WebSocket-Extensions': 'permessage-deflate' });
  const request = getRequest('/sse', GZIP);
  const each: Each[] = [
    {
      id: 'gzip-each',
      name: 'the compression middleware of node:http',
      transport: 'sse',
      peer: node,
      request,
      to: node,
    },
    { id: 'ws-each', name: 'ws with permessage-deflate', transport: 'ws', peer: ws, request: offering, to: ws },
  ];
  if (hasNginx()) {
    const name = 'nginx that compresses each connection, its own CPU time alone';
    const peer = await gzipProxy(bench.folder, behind.port);
    each.push({ id: 'nginx', name, transport: 'sse', peer, request, to: behind });
  } else bench.skip('nginx that compresses each connection', 'nginx is not installed (--install-peers)');
  return each;
}

/** A second book's rows do not move: a snapshot is small beside the ticks. */
const filterOf = (market: Market, league: number): string =>
  `league=${market.league(league)}&sportsbook=${market.books[0]!}`;

function requestOf(server: Overround, market: Market, league: number, way: (typeof WAYS)[number]): string {
  const filter = filterOf(market, league);
  if ('protocol' in way)
    return upgradeRequest(`/ws?channels=odds&${filter}`, {
      ...server.headers,
      'Sec-WebSocket-Protocol': way.protocol,
    });
  const coding = 'plain' in way ? GZIP : {};
  return getRequest(`/api/v1/stream/odds?${filter}`, { ...server.headers, Accept: 'text/event-stream', ...coding });
}

interface Round {
  /** µs a delivery. */
  cpu: number;
  bytes: number;
  /** From before the post to a client's first bytes (ms). */
  p50: number;
  p99: number;
}

interface Servers {
  bench: Bench;
  server: Overround;
  market: Market;
  publisher: Publisher;
  peer: Peer;
  each: readonly Each[];
  /** As `WAYS`. */
  receivers: readonly Receivers[];
  bare: Receivers;
}

async function compare(servers: Servers, { id, events, target }: (typeof TICKS)[number]): Promise<void> {
  const { bench, market, publisher, peer, receivers, bare } = servers;
  const title = `ticks of ${events * 2} rows to ${format(CLIENTS)} clients`;
  const changes = WAYS.map((_, league) => changesOf(market, publisher, league, events));
  const message = await tickOf(servers.server, market, changes[0]!);
  const rounds = new Map<string, Round[]>();
  const contender = (of: Receivers, name: string, send: () => Promise<unknown>) => ({
    name,
    run: async () => {
      const round = await of.round(send, MESSAGES[bench.profile]);
      rounds.set(name, [...(rounds.get(name) ?? []), round]);
      return round.cpu;
    },
  });
  const cpu = await alternate(ROUNDS[bench.profile], [
    ...receivers.map((of, league) => contender(of, of.name, changes[league]!)),
    contender(bare, BARE, posting(peer, 'publish-ended', message)),
    contender(bare, BARE_COMPRESSED, posting(peer, 'publish-compressed', message)),
  ]);
  bench.say(`  ${title}`);
  const of = (name: string, pick: (round: Round) => number) => median(rounds.get(name)!.map(pick));
  for (const name of rounds.keys()) tell(bench, `${title}, ${name}`, rounds.get(name)!);
  const against = (name: string, one: string) => pairedRatio(cpu.get(name)!, cpu.get(one)!);
  for (const way of WAYS) {
    if (!('plain' in way)) continue;
    const [name, plain] = [`${title}, ${way.name}`, WAYS[way.plain].name];
    bench.ratio(`${way.id}-${id}`, `${name}, CPU`, `${plain} uncompressed`, against(plain, way.name), { target });
    const share = of(way.name, ({ bytes }) => bytes) / of(plain, ({ bytes }) => bytes);
    bench.figure(`${name}: share of the plain bytes`, 100 * share, '%', 20);
    for (const [share, most] of Object.entries(LATER) as [keyof typeof LATER, number][]) {
      const later = rounds.get(way.name)!.map((round, i) => round[share] - rounds.get(plain)![i]![share]);
      bench.figure(`${name}: delay ${share}, more than uncompressed`, median(later), 'ms', most);
    }
  }
  const limit = `the limit of ${title}, compressed, CPU: bare uWebSockets that compresses once`;
  bench.ratio(`compressed-${id}-limit`, limit, 'the same uncompressed', against(BARE, BARE_COMPRESSED), {
    judged: false,
  });
  const ended = 'bare uWebSockets that ends its chunks, as many plain bytes';
  for (const { id: way, name } of WAYS.slice(0, 2))
    bench.ratio(`${way}-${id}-bare`, `${title}, ${name}, CPU`, ended, against(BARE, name));
  // What a small tick costs is a write, whoever compressed it.
  for (const one of bench.full || events > 1 ? servers.each : []) {
    const own = WAYS[one.transport === 'sse' ? 1 : 3];
    const theirs = await roundOfEach(bench, one, message);
    const name = `${title}, ${own.name}`;
    tell(bench, `${title}, ${one.name}`, [theirs]);
    const ratio = theirs.cpu / of(own.name, ({ cpu }) => cpu);
    bench.ratio(`compressed-${id}-to-${one.id}`, `${name}, CPU`, one.name, ratio, { target: 10 });
  }
}

function tell(bench: Bench, name: string, rounds: readonly Round[]): void {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick));
  const figures = [
    ['CPU a delivery', of(({ cpu }) => cpu), 'µs'],
    ['size', of(({ bytes }) => bytes), 'bytes'],
    ['delay p50', of(({ p50 }) => p50), 'ms'],
    ['delay p99', of(({ p99 }) => p99), 'ms'],
  ] as const;
  for (const [what, value, unit] of figures) bench.figure(`${name}: ${what}`, value, unit);
}

/** Moves prices of so many games of a league, and the next time back. */
function changesOf(market: Market, publisher: Publisher, league: number, events: number): () => Promise<unknown> {
  const games = Array.from({ length: events }, (_, i) => i * LEAGUES + league);
  const bodies = [1, 0].map(
    (phase) => new PollBody(market.message(0, games, (_, quote) => (quote < 2 ? phase : 0), 1)),
  );
  let turn = 0;
  return () => publisher.post(bodies[turn++ % 2]!.stamped());
}

/** To the clients of one that compresses for each connection, the same bytes. */
async function roundOfEach(bench: Bench, { name, peer, request, to }: Each, message: string): Promise<Round> {
  const receivers = await Receivers.open(bench, peer, { name, request, quietMs: QUIET_EACH_MS });
  const publish = posting(to, 'publish', message);
  await receivers.round(publish, 1);
  const round = await receivers.round(publish, MESSAGES_EACH);
  await receivers.close();
  return round;
}

const posting = (to: Target, path: string, body: string) => async (): Promise<void> => {
  const response = await fetch(`http://127.0.0.1:${to.port}/${path}`, { method: 'POST', body });
  await response.arrayBuffer();
};

/** What an SSE client of the first league is sent for a change. */
async function tickOf(server: Overround, market: Market, change: () => Promise<unknown>): Promise<string> {
  // Whatever moved some of them before.
  await change();
  const url = `http://127.0.0.1:${server.port}/api/v1/stream/odds?${filterOf(market, 0)}`;
  const answer = await fetch(url, { headers: server.headers });
  const decoder = new TextDecoder();
  let text = '';
  let from = -1;
  for await (const part of answer.body!) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    if (from < 0) {
      const complete = text.indexOf('event: snapshot:complete');
      if (complete < 0 || text.indexOf('\n\n', complete) < 0) continue;
      from = text.indexOf('\n\n', complete) + 2;
      await change();
    }
    const begun = text.indexOf('event: odds:update', from);
    const id = text.indexOf('\nid: evt_', begun);
    const end = text.indexOf('\n\n', id);
    // Leaving the loop ends the stream.
    if (begun >= 0 && id >= 0 && end >= 0) return text.slice(begun, end + 2);
  }
  throw new Error('a stream ended without a tick');
}

/** Clients that stay from round to round, and decode nothing. */
class Receivers {
  readonly name: string;
  readonly #sinks: Child;
  readonly #target: Target;
  readonly #quietMs: number;

  private constructor(name: string, sinks: Child, target: Target, quietMs: number) {
    this.name = name;
    this.#sinks = sinks;
    this.#target = target;
    this.#quietMs = quietMs;
  }

  static async open(
    bench: Bench,
    target: Target,
    { name, request, quietMs = QUIET_MS }: { name: string; request: string; quietMs?: number },
  ): Promise<Receivers> {
    const file = join(bench.folder, 'sink-request');
    writeFileSync(file, request);
    const sinks = start(process.execPath, [program, String(target.port), String(CLIENTS), file], LOAD_CORE);
    await sinks.line();
    const receivers = new Receivers(name, sinks, target, quietMs);
    await receivers.quiet();
    return receivers;
  }

  /** CPU time, bytes and delay of a delivery. */
  async round(publish: () => Promise<unknown>, messages: number): Promise<Round> {
    // The first tick after a snapshot refers to nothing.
    await publish();
    const { bytes: before } = await this.quiet();
    const { pid, others } = this.#target;
    const begun = cpuTime(pid, others).process;
    for (let i = 0; i < messages; i++) {
      this.#sinks.process.stdin!.write(`sent ${performance.timeOrigin + performance.now()}\n`);
      await publish();
      await wait(PAUSE_MS);
    }
    const { bytes, p50, p99 } = await this.quiet();
    const cpu = cpuTime(pid, others).process - begun;
    const count = messages * CLIENTS;
    return { cpu: (cpu * 1e6) / count, bytes: (bytes - before) / count, p50, p99 };
  }

  /** Bytes so far, once no more come, and the delays meanwhile. */
  async quiet(): Promise<{ bytes: number; p50: number; p99: number }> {
    let first: { p50: number; p99: number } | undefined;
    for (let last = -1; ; ) {
      await wait(this.#quietMs);
      this.#sinks.process.stdin!.write('\n');
      const [bytes, p50, p99] = (await this.#sinks.line()).split(' ').map(Number) as [number, number, number];
      first ??= { p50, p99 };
      if (bytes === last) return { bytes, ...first };
      last = bytes;
    }
  }

  close(): Promise<void> {
    return this.#sinks.stop();
  }
}
