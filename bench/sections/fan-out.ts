// Fan-out: one message to many clients, per second of the server's CPU time, against bare uWebSockets and peers.
import { request } from 'node:http';
import type { Bench, Section } from '../bench.js';
import type { StreamResult } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, Overround, PollBody } from '../overround.js';
import { floorPeer, hasNchan, hasRedis, nchanPeer, nodePeer, redisPeer } from '../peers.js';
import { wait } from '../process.js';
import { RedisClient } from '../redis-client.js';
import { alternate, median, pairedRatio } from '../statistics.js';
import { OpenStream, ourStream, peerStream, redisStream, runStream, type Stream, type Transport } from '../streams.js';

/** One message follows the other as soon as it is taken. */
const PER_SECOND = 5_000;
const BURST = 40;

export const fanOut: Section = {
  name: 'fan-out',
  about: 'messages to many SSE and WebSocket clients',
  underLoad: true,
  run: async (bench) => {
    const market = new Market({ events: BURST, books: 4 }, Date.now());
    const server = await Overround.start({ dataDir: dataFolder(bench.folder, 'fan-out') });
    await server.fill(market);
    for (const transport of ['sse', 'ws'] as const) {
      if (transport === 'ws' && !(await hasWebSocket(server))) {
        bench.skip('WebSocket of overround', 'this build has no /ws');
        continue;
      }
      await small(bench, server, market, transport, 1_000, true);
      if (bench.full) await small(bench, server, market, transport, 5_000, true);
      if (!bench.full && transport === 'ws') continue;
      await real(bench, server, market, transport, bench.full ? 5_000 : 1_000);
      await bursts(bench, server, market, transport);
    }
    await server.stop();
  },
};

function hasWebSocket(server: Overround): Promise<boolean> {
  const headers = {
    ...server.headers,
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'YmVuY2htYXJrLWJlbmNobQ==',
  };
  return new Promise((resolve) => {
    const asked = request({ port: server.port, path: '/ws', headers });
    asked.on('upgrade', (_answer, socket) => {
      socket.destroy();
      resolve(true);
    });
    asked.on('response', (answer) => {
      answer.resume();
      resolve(false);
    });
    asked.on('error', () => resolve(false));
    asked.end();
  });
}

const label: Record<Transport, string> = { sse: 'SSE', ws: 'WebSocket' };

/** About 500 bytes a message: both sides of one market. */
async function small(
  bench: Bench,
  server: Overround,
  market: Market,
  transport: Transport,
  clients: number,
  withPeers: boolean,
): Promise<void> {
  const ours = await ourStream(server, market, transport, 1);
  const bytes = await messageBytes(bench, ours);
  const streams = [{ stream: ours, stop: async () => {} }, ...(await contenders(bench, transport, bytes, withPeers))];
  const title = `${clients.toLocaleString('en-US')} ${label[transport]} clients, ${bytes}-byte messages`;
  bench.say(`  ${title}`);
  const figures = await measure(
    bench,
    streams.map(({ stream }) => stream),
    clients,
  );
  const targets: Record<string, number> =
    transport === 'sse'
      ? { 'bare-uws SSE': 0.9, 'nchan SSE': 1.4, 'node-http SSE': 2, 'better-sse SSE': 3 }
      : { 'bare-uws WebSocket': 0.9, 'nchan WebSocket': 1.2, 'ws WebSocket': 1.7 };
  for (const { stream } of streams.slice(1)) {
    const value = pairedRatio(figures.get(ours.name)!, figures.get(stream.name)!);
    const id = `${transport}-${clients}-to-${stream.name.replace(/\W+/g, '-')}`;
    const target = targets[stream.name];
    const goal = target === undefined ? {} : { target };
    bench.ratio(id, `overround, ${title}`, stream.name, value, goal);
    if (stream.name.startsWith('bare')) aloneRatio(bench, figures, ours.name, stream.name, { id, title });
  }
  bench.bars({
    id: `fan-out-${transport}-${clients}`,
    title,
    unit: 'deliveries per CPU-second',
    bars: streams.map(({ stream }) => ({
      name: stream.name
        .replace(/ (?:SSE|WebSocket)$/, '')
        .replace('bare-uws', 'bare uWebSockets')
        .replace('node-http', 'node:http'),
      value: median(figures.get(stream.name)!),
      own: stream === ours,
      control: stream.name.startsWith('bare'),
    })),
  });
  for (const { stream, stop } of streams) {
    stream.close();
    await stop();
  }
}

/** The same with what taking a message costs taken off on both sides, by the front thread's time: the fan-out alone. */
function aloneRatio(
  bench: Bench,
  figures: ReadonlyMap<string, number[]>,
  ours: string,
  control: string,
  { id, title }: { id: string; title: string },
): void {
  const value = pairedRatio(figures.get(alone(ours))!, figures.get(alone(control))!);
  bench.ratio(`${id}-alone`, `overround's fan-out alone, ${title}`, control, value, { target: 0.9 });
}

interface Contender {
  stream: Stream;
  stop(): Promise<void>;
}

async function contenders(bench: Bench, transport: Transport, bytes: number, withPeers: boolean): Promise<Contender[]> {
  const list: Contender[] = [];
  const add = async (peer: Awaited<ReturnType<typeof nodePeer>>, kind: 'event' | 'json'): Promise<void> => {
    list.push({ stream: await peerStream(peer, transport, kind, bytes), stop: () => peer.stop() });
  };
  await add(await nodePeer('bare-uws', bench.folder), transport === 'sse' ? 'event' : 'json');
  if (!withPeers) return list;
  if (transport === 'sse') {
    await add(await floorPeer(bench.folder), 'event');
    await add(await nodePeer('node-http', bench.folder), 'event');
    await add(await nodePeer('better-sse', bench.folder), 'json');
  } else await add(await nodePeer('ws', bench.folder), 'json');
  if (hasNchan()) await add(await nchanPeer(bench.folder), 'json');
  else bench.skip(`nchan ${label[transport]}`, 'nginx or its nchan module is not installed (--install-peers)');
  if (transport === 'sse') {
    if (hasRedis()) {
      const peer = await redisPeer(bench.folder);
      const stream = redisStream(peer, await RedisClient.open(peer.port), bytes);
      list.push({ stream, stop: () => peer.stop() });
    } else bench.skip('Redis pub/sub', 'redis-server is not installed (--install-peers)');
  }
  return list;
}

const alone = (name: string): string => `${name}, fan-out alone`;
const isJudged = (name: string): boolean => name.startsWith('overround') || name.startsWith('bare');

/** Deliveries per CPU-second of each, a figure a round; prints medians and latencies. */
async function measure(bench: Bench, streams: readonly Stream[], clients: number): Promise<Map<string, number[]>> {
  const rounds = bench.full ? 4 : 3;
  const taking = await takingSeconds(
    bench,
    streams.filter(({ name }) => isJudged(name)),
    rounds,
  );
  const latencies = new Map<string, StreamResult[]>(streams.map(({ name }) => [name, []]));
  const alones = new Map<string, number[]>();
  const run = { perSecond: PER_SECOND, ms: bench.full ? 3_000 : 300 };
  const figures = await inRounds(bench, rounds, streams, clients, async (open) => {
    const { name } = open.stream;
    const result = await open.round(run);
    // Changes that come while a tick runs are told as one: a few fewer messages than were published.
    if (result.messages < 0.8 * result.sent * clients)
      throw new Error(`${name}: ${result.messages} of ${result.sent * clients} messages came`);
    latencies.get(name)!.push(result);
    if (isJudged(name)) {
      const cpu = result.cpu.main - result.sent * taking.get(name)!;
      alones.set(alone(name), [...(alones.get(alone(name)) ?? []), result.messages / cpu]);
    }
    return result.messages / result.cpu.process;
  });
  for (const [name, rates] of alones) {
    figures.set(name, rates);
    bench.figure(`${name}, ${clients} clients`, median(rates), 'deliveries per CPU-second');
  }
  for (const { name } of streams) {
    const of = (pick: (result: StreamResult) => number): number => median(latencies.get(name)!.map(pick)) / 1000;
    bench.figure(`${name}, ${clients} clients`, median(figures.get(name)!), 'deliveries per CPU-second');
    bench.figure(
      `${name}, ${clients} clients: latency p50`,
      of((result) => result.p50),
      'ms',
    );
    bench.figure(
      `${name}, ${clients} clients: latency p99`,
      of((result) => result.p99),
      'ms',
    );
    bench.figure(
      `${name}, ${clients} clients: latency p99.9`,
      of((result) => result.p999),
      'ms',
    );
  }
  return figures;
}

/** Real deltas: a book moves a market of forty events at once. */
async function real(
  bench: Bench,
  server: Overround,
  market: Market,
  transport: Transport,
  clients: number,
): Promise<void> {
  const ours = await ourStream(server, market, transport, BURST);
  const bytes = await messageBytes(bench, ours);
  const streams = [{ stream: ours, stop: async () => {} }, ...(await contenders(bench, transport, bytes, false))];
  const title = `${clients.toLocaleString('en-US')} ${label[transport]} clients, deltas of ${BURST * 2} rows (${bytes} bytes)`;
  bench.say(`  ${title}`);
  const figures = await measure(
    bench,
    streams.map(({ stream }) => stream),
    clients,
  );
  const control = streams[1]!.stream.name;
  const value = pairedRatio(figures.get(ours.name)!, figures.get(control)!);
  const id = `${transport}-${clients}-real`;
  bench.ratio(id, `overround, ${title}`, control, value, { target: 0.9 });
  aloneRatio(bench, figures, ours.name, control, { id, title });
  for (const { stream, stop } of streams) {
    stream.close();
    await stop();
  }
}

/** Forty posts at once, each one price: what is merged costs fewer sends than the floor's one a message. */
async function bursts(bench: Bench, server: Overround, market: Market, transport: Transport): Promise<void> {
  const clients = 1_000;
  const publisher = server.publisher();
  const bodies = [1, 0].flatMap((phase) =>
    Array.from(
      { length: BURST },
      (_, event) => new PollBody(market.message(0, [event], (_e, quote) => (quote === 0 ? phase : 0), 1)),
    ),
  );
  const base = await ourStream(server, market, transport, BURST);
  let burst = 0;
  const ours: Stream = {
    ...base,
    publish: async () => {
      const from = (burst++ % 2) * BURST;
      await Promise.all(bodies.slice(from, from + BURST).map((body) => publisher.post(body.stamped())));
    },
  };
  const peer = await floorPeer(bench.folder);
  const one = await peerStream(peer, 'sse', 'event', 280);
  const floor: Stream = {
    ...one,
    publish: async (index) => {
      for (let i = 0; i < BURST; i++) await one.publish(index);
    },
  };
  const latencies: number[] = [];
  const ms = bench.full ? 3_000 : 600;
  const figures = await inRounds(bench, bench.full ? 4 : 3, [ours, floor], clients, async (open) => {
    if (open.stream !== ours) {
      const run = await open.round({ perSecond: 1, ms });
      return run.messages / run.cpu.process;
    }
    const run = await open.round({ perSecond: 8, ms });
    latencies.push(run.p99 / 1000);
    return run.items / run.cpu.process;
  });
  const title = `bursts of ${BURST} prices to 1,000 ${label[transport]} clients`;
  bench.figure(`${title}: overround`, median(figures.get(ours.name)!), 'prices delivered per CPU-second');
  bench.figure(`${title}: C floor, one send() each`, median(figures.get(floor.name)!), 'messages per CPU-second');
  bench.figure(`${title}: latency p99`, median(latencies), 'ms');
  bench.ratio(
    `${transport}-bursts`,
    title,
    'C floor, one send() each',
    pairedRatio(figures.get(ours.name)!, figures.get(floor.name)!),
    {
      target: 5,
    },
  );
  publisher.close();
  base.close();
  floor.close();
  await peer.stop();
}

/** Opens the clients of all, lets each have its round in turns, and closes them. */
async function inRounds(
  bench: Bench,
  rounds: number,
  streams: readonly Stream[],
  clients: number,
  round: (open: OpenStream) => Promise<number>,
): Promise<Map<string, number[]>> {
  const opened: OpenStream[] = [];
  try {
    for (const stream of streams) opened.push(await OpenStream.open(bench.folder, stream, clients));
    return await alternate(
      rounds,
      opened.map((open) => ({ name: open.stream.name, run: () => round(open) })),
    );
  } finally {
    await Promise.all(opened.map((open) => open.close()));
    await wait(300);
  }
}

/** Seconds of the front thread that taking a message costs: with one client, nearly all is that. */
async function takingSeconds(bench: Bench, streams: readonly Stream[], rounds: number): Promise<Map<string, number>> {
  const figures = await inRounds(bench, rounds, streams, 1, async (open) => {
    const { cpu, sent } = await open.round({ perSecond: PER_SECOND, ms: bench.full ? 400 : 250 });
    return cpu.main / sent;
  });
  return new Map([...figures].map(([name, seconds]) => [name, median(seconds)]));
}

/** Bytes of a message on the wire. */
async function messageBytes(bench: Bench, stream: Stream): Promise<number> {
  const result = await runStream(bench.folder, stream, { connections: 1, perSecond: 20, ms: 300 });
  return Math.round(result.bytes / result.messages);
}
