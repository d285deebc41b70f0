// Memory: what a row, an idle stream and a whole snapshot to many clients cost, as the kernel counts it.
import type { Bench, Section } from '../bench.js';
import { StreamClients, type Target } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, Overround } from '../overround.js';
import { nodePeer } from '../peers.js';
import { anonymousBytes, wait } from '../process.js';
import { messageOf, peerStream, subscription, type Transport } from '../streams.js';
import { wholeSnapshots } from './whole-snapshots.js';

const CLIENTS = 2_000;
const FEW_GROUPS = 10;
const LIMIT_BYTES = 20_000;

type Load = Parameters<typeof StreamClients.open>[2];

export const memory: Section = {
  name: 'memory',
  about: 'bytes a row and an idle stream; a whole snapshot to many at once',
  underLoad: true,
  run: async (bench) => {
    const market = new Market({ events: bench.full ? 5_000 : 1_000, books: 10 }, Date.now());
    const before = await withServer(bench, 'rows', async (empty) => {
      const bytes = await held(empty);
      await empty.fill(market);
      return bytes;
    });
    bench.figure('empty server', before / 1024 / 1024, 'MiB');
    // Measured after a new start: what filling left behind is not the rows'.
    const after = await withServer(bench, 'rows', held);
    bench.figure('a row (both threads, text and columns)', (after - before) / market.rows, 'bytes');
    for (const transport of ['sse', 'ws'] as const) await idle(bench, transport);
    await wholeSnapshots(bench);
  },
};

async function withServer<T>(bench: Bench, data: string, work: (server: Overround) => Promise<T>): Promise<T> {
  const server = await Overround.start({ dataDir: dataFolder(bench.folder, data) });
  const result = await work(server);
  await server.stop();
  return result;
}

/** Streams that nothing is sent on: in few groups, each with a filter of its own, and on bare uWebSockets. */
async function idle(bench: Bench, transport: Transport): Promise<void> {
  // An event each, and no more rows than that: a large table's own coming and going would drown what streams take.
  const market = new Market({ events: CLIENTS, books: 2 }, Date.now());
  await withServer(bench, `idle-${transport}`, (server) => server.fill(market));
  const name = transport === 'sse' ? 'SSE' : 'WebSocket';
  const control = await nodePeer('bare-uws', bench.folder);
  const stream = await peerStream(control, transport, 'event', messageOf('event', 100).length);
  const bare = await perStream(bench, control, { ...stream.load, connections: CLIENTS });
  stream.close();
  await control.stop();
  tell(bench, `an idle ${name} stream of bare uWebSockets`, bare);
  for (const [groups, what] of [
    [FEW_GROUPS, `in ${FEW_GROUPS} groups`],
    [CLIENTS, 'each with a filter of its own'],
  ] as const) {
    const cost = await withServer(bench, `idle-${transport}`, (server) => {
      const loads = Array.from({ length: groups }, (_, event) =>
        subscription(server, transport, `event=${market.eventId(event)}`),
      );
      const request = loads.map((load) => load.request as string);
      return perStream(bench, server, { ...loads[0]!, request, connections: CLIENTS });
    });
    const title = `an idle ${name} stream of ${CLIENTS.toLocaleString('en-US')}, ${what}`;
    tell(bench, title, cost, LIMIT_BYTES);
    bench.ratio(
      `idle-${transport}-${groups}`,
      `memory (inverse) of ${title}`,
      'bare uWebSockets',
      bare.first / cost.first,
    );
  }
}

interface PerStream {
  /** Bytes a stream, of the first streams so many: with all the process grows by for having had them. */
  first: number;
  /** Of the next ones as many, once the first have gone: what a stream itself holds. */
  again: number;
}

async function perStream(bench: Bench, target: Target, load: Load): Promise<PerStream> {
  // A process just started still gives back what it started with.
  await (await StreamClients.open(bench.folder, target, { ...load, connections: 20 })).close();
  await wait(5_000);
  const grown: number[] = [];
  for (let round = 0; round < 2; round++) {
    const before = await held(target);
    const clients = await StreamClients.open(bench.folder, target, load);
    grown.push((await held(target)) - before);
    await clients.close();
  }
  return { first: grown[0]! / load.connections, again: grown[1]! / load.connections };
}

function tell(bench: Bench, title: string, { first, again }: PerStream, target?: number): void {
  bench.figure(title, first, 'bytes', target);
  bench.figure(`${title}, the next ${CLIENTS.toLocaleString('en-US')}`, again, 'bytes');
}

/** Memory of the process once its garbage is collected. */
async function held({ pid }: Target): Promise<number> {
  await wait(1_500);
  process.kill(pid, 'SIGUSR2');
  await wait(700);
  return anonymousBytes(pid);
}
