// Streams that are compressed once for all their clients: the server's CPU time and the bytes of a delivery, against
// the same stream uncompressed, and against bare uWebSockets that ends its chunks and commits nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, Section } from '../bench.js';
import { format } from '../bench.js';
import { getRequest, type Target } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, Overround, PollBody } from '../overround.js';
import { nodePeer } from '../peers.js';
import { type Child, cpuTime, LOAD_CORE, start, wait } from '../process.js';
import { alternate, median, pairedRatio } from '../statistics.js';
import { messageOf } from '../streams.js';

const CLIENTS = 1_000;
const LEAGUES = 8;
/** Both sides of one market move in so many games: rows of a tick. */
const TICKS = [
  { id: 'small', events: 1, target: 1 / 1.2 },
  { id: '80-rows', events: 40, target: 1 / 0.6 },
] as const;
const MESSAGES = 25;
const PAUSE_MS = 25;
const QUIET_MS = 150;
const ROUNDS = { short: 2, full: 5 } as const;

const program = fileURLToPath(new URL('../byte-sinks.js', import.meta.url));

export const compressed: Section = {
  name: 'compressed',
  about: 'streams that are compressed once for all their clients',
  underLoad: true,
  run: async (bench) => {
    const market = new Market({ events: 40 * LEAGUES, books: 2 }, Date.now());
    const server = await Overround.start({ dataDir: dataFolder(bench.folder, 'compressed') });
    await server.fill(market);
    const peer = await nodePeer('bare-uws', bench.folder);
    for (const tick of TICKS) await compare(bench, server, peer, market, tick);
    await peer.stop();
    await server.stop();
  },
};

interface Round {
  cpu: number;
  bytes: number;
}

async function compare(
  bench: Bench,
  server: Overround,
  peer: Target,
  market: Market,
  { id, events, target }: (typeof TICKS)[number],
): Promise<void> {
  const games = Array.from({ length: events }, (_, i) => i * LEAGUES);
  const bodies = [1, 0].map(
    (phase) => new PollBody(market.message(0, games, (_, quote) => (quote < 2 ? phase : 0), 1)),
  );
  const publisher = server.publisher();
  let turn = 0;
  const change = () => publisher.post(bodies[turn++ % 2]!.stamped());
  await change();
  // A second book's rows do not move: a snapshot is small beside the ticks.
  const path = `/api/v1/stream/odds?league=${market.league(0)}&sportsbook=${market.books[0]!}`;
  const accepts = (coding: Record<string, string>) =>
    getRequest(path, { ...server.headers, Accept: 'text/event-stream', ...coding });
  const rounds: Record<string, Round[]> = { plain: [], gzip: [], bare: [] };
  const contender = (name: string, of: Target, request: string, publish: () => Promise<unknown>) => ({
    name,
    run: async () => {
      const round = await deliveries(bench.folder, of, request, publish);
      rounds[name]!.push(round);
      return round.cpu;
    },
  });
  const plain = contender('plain', server, accepts({}), change);
  const { bytes } = await deliveries(bench.folder, server, accepts({}), change);
  const message = messageOf('event', Math.round(bytes));
  const publishBare = async (): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${peer.port}/publish-ended`, { method: 'POST', body: message });
    await response.arrayBuffer();
  };
  const cpu = await alternate(ROUNDS[bench.full ? 'full' : 'short'], [
    plain,
    contender('gzip', server, accepts({ 'Accept-Encoding': 'gzip' }), change),
    contender('bare', peer, getRequest('/sse'), publishBare),
  ]);
  publisher.close();
  const title = `ticks of ${events * 2} rows to ${format(CLIENTS)} SSE clients`;
  bench.say(`  ${title}`);
  for (const [name, what] of [
    ['plain', title],
    ['gzip', `${title}, compressed`],
    ['bare', `${title}, bare uWebSockets that ends its chunks`],
  ] as const) {
    bench.figure(`${what}: CPU a delivery`, median(cpu.get(name)!), 'µs');
    bench.figure(`${what}: size`, median(rounds[name]!.map((round) => round.bytes)), 'bytes');
  }
  const against = (name: string) => pairedRatio(cpu.get(name)!, cpu.get('gzip')!);
  bench.ratio(`compressed-${id}`, `${title}, compressed, CPU`, 'the same uncompressed', against('plain'), { target });
  bench.ratio(
    `compressed-${id}-bare`,
    `${title}, compressed, CPU`,
    'bare uWebSockets with as many plain bytes',
    against('bare'),
    {},
  );
  const share =
    median(rounds['gzip']!.map((round) => round.bytes)) / median(rounds['plain']!.map((round) => round.bytes));
  bench.figure(`${title}, compressed: share of the plain bytes`, share * 100, '%');
}

/** CPU time (µs) and bytes of a delivery: many messages to clients that are all live. */
async function deliveries(
  folder: string,
  target: Target,
  request: string,
  publish: () => Promise<unknown>,
): Promise<Round> {
  const file = join(folder, 'sink-request');
  writeFileSync(file, request);
  const sinks = start(process.execPath, [program, String(target.port), String(CLIENTS), file], LOAD_CORE);
  await sinks.line();
  // The first tick after they joined is no one's later one.
  await quiet(sinks);
  await publish();
  const before = { bytes: await quiet(sinks), cpu: cpuTime(target.pid, target.others) };
  for (let i = 0; i < MESSAGES; i++) {
    await publish();
    await wait(PAUSE_MS);
  }
  const bytes = await quiet(sinks);
  const cpu = cpuTime(target.pid, target.others);
  await sinks.stop();
  const count = MESSAGES * CLIENTS;
  return { cpu: ((cpu.process - before.cpu.process) * 1e6) / count, bytes: (bytes - before.bytes) / count };
}

/** Bytes so far, once no more come. */
async function quiet(sinks: Child): Promise<number> {
  for (let last = -1; ; ) {
    sinks.process.stdin!.write('\n');
    const now = Number(await sinks.line());
    if (now === last) return now;
    last = now;
    await wait(QUIET_MS);
  }
}
