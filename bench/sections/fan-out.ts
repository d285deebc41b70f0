// Fan-out: one message to many clients, per second of the server's CPU time, against bare uWebSockets and peers.
import { request } from 'node:http';
import type { Bench, Section } from '../bench.js';
import { barName, contenders, inRounds, LABELS, PEER_TARGETS, PEERS, ratioId } from '../contenders.js';
import type { StreamResult } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, Overround } from '../overround.js';
import { nodePeer } from '../peers.js';
import { median, pairedRatio } from '../statistics.js';
import {
  engineStream,
  ourStream,
  runStream,
  type Stream,
  type Transport,
  WARM_MESSAGES_PEER,
  warmUp,
  warmUpServer,
} from '../streams.js';
import { BURST, bursts } from './bursts.js';

/** One message follows the other as soon as it is taken. */
const PER_SECOND = 5_000;
/** Of overround's deliveries to each other's. */
const TARGETS: Readonly<Record<string, number>> = { ...PEER_TARGETS, 'bare-uws SSE': 0.9, 'bare-uws WebSocket': 0.9 };

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
      const to = { bench, server, market, transport };
      await warmUpServer(bench.folder, server, market, transport);
      await small(to, 1_000);
      if (bench.full) await small(to, 5_000);
      if (bench.full || transport === 'sse') await real(to, bench.full ? 5_000 : 1_000);
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

interface FanOut {
  bench: Bench;
  server: Overround;
  market: Market;
  transport: Transport;
}

async function closeAll(streams: readonly { stream: Stream; stop(): Promise<void> }[]): Promise<void> {
  for (const { stream, stop } of streams) {
    stream.close();
    await stop();
  }
}

/** About 500 bytes a message: both sides of one market. */
async function small({ bench, server, market, transport }: FanOut, clients: number): Promise<void> {
  const ours = await ourStream(server, market, transport, 1);
  const bytes = await messageBytes(bench, ours);
  const peers = await contenders(bench, transport, PEERS[transport], bytes);
  // What a server does at least that tells of nothing it has not stored: how far that control comes is said, too.
  peers.push(...(await contenders(bench, transport, ['bare-uws'], bytes, { way: 'committed' })));
  const engine = await nodePeer('bare-uws', bench.folder);
  peers.push({ stream: await engineStream(engine, transport, market), stop: () => engine.stop() });
  for (const { stream } of peers) await warmUp(bench.folder, stream, WARM_MESSAGES_PEER);
  const streams = [{ stream: ours, stop: async () => {} }, ...peers];
  const title = `${clients.toLocaleString('en-US')} ${LABELS[transport]} clients, ${bytes}-byte messages`;
  bench.say(`  ${title}`);
  const figures = await measure(
    bench,
    streams.map(({ stream }) => stream),
    clients,
  );
  for (const { stream } of streams.slice(1)) {
    const value = pairedRatio(figures.get(ours.name)!, figures.get(stream.name)!);
    const id = ratioId(`${transport}-${clients}`, stream.name);
    const target = TARGETS[stream.name];
    const goal = target === undefined ? {} : { target };
    bench.ratio(id, `overround, ${title}`, stream.name, value, goal);
  }
  const control = streams[1]!.stream.name;
  aloneRatio(bench, figures, ours.name, control, { id: ratioId(`${transport}-${clients}`, control), title });
  for (const [id, { stream }] of [
    ['committed', streams.at(-2)!],
    ['engine', streams.at(-1)!],
  ] as const) {
    const limit = pairedRatio(figures.get(stream.name)!, figures.get(control)!);
    bench.ratio(`${transport}-${clients}-${id}-limit`, `${stream.name}, ${title}`, control, limit, { judged: false });
  }
  bench.bars({
    id: `fan-out-${transport}-${clients}`,
    title,
    unit: 'deliveries per CPU-second',
    bars: streams.map(({ stream }) => ({
      name: barName(stream.name),
      value: median(figures.get(stream.name)!),
      own: stream === ours,
      control: stream.name.startsWith('bare'),
    })),
  });
  await closeAll(streams);
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
    // Others may still be sending on a busy machine, and what came is what counts.
    if (name.startsWith('overround') && result.messages < 0.8 * result.sent * clients)
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
async function real({ bench, server, market, transport }: FanOut, clients: number): Promise<void> {
  const ours = await ourStream(server, market, transport, BURST);
  const bytes = await messageBytes(bench, ours);
  const controls = await contenders(bench, transport, ['bare-uws'], bytes);
  // What ends its chunks needs a second segment here: how far that control comes is said, too.
  if (transport === 'sse')
    controls.push(...(await contenders(bench, transport, ['bare-uws'], bytes, { way: 'ended' })));
  const streams = [{ stream: ours, stop: async () => {} }, ...controls];
  const title = `${clients.toLocaleString('en-US')} ${LABELS[transport]} clients, deltas of ${BURST * 2} rows (${bytes} bytes)`;
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
  for (const { stream } of streams.slice(2)) {
    const own = pairedRatio(figures.get(alone(ours.name))!, figures.get(alone(stream.name))!);
    bench.ratio(`${id}-ended-alone`, `overround's fan-out alone, ${title}`, stream.name, own);
    const limit = pairedRatio(figures.get(alone(stream.name))!, figures.get(alone(control))!);
    bench.ratio(`${id}-ended-limit`, `${stream.name}, ${title}`, control, limit, { judged: false });
  }
  await closeAll(streams);
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
