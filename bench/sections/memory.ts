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
const WARM_CLIENTS = 100;
const LIMIT_BYTES = 20_000;

type Load = Parameters<typeof StreamClients.open>[2];

export const memory: Section = {
  name: 'memory',
  about: 'bytes a row and an idle stream; a whole snapshot to many at once',
  underLoad: true,
  run: async (bench) => {
    const market = new Market({ events: bench.full ? 5_000 : CLIENTS, books: 10 }, Date.now());
    const dataDir = dataFolder(bench.folder, 'memory');
    const empty = await Overround.start({ dataDir });
    const before = await held(empty);
    await empty.fill(market);
    await empty.stop();
    // Measured after a new start: what filling left behind is not the rows'.
    const server = await Overround.start({ dataDir });
    bench.figure('empty server', before / 1024 / 1024, 'MiB');
    bench.figure('a row (both threads, text and columns)', ((await held(server)) - before) / market.rows, 'bytes');
    for (const transport of ['sse', 'ws'] as const) await idle(bench, server, market, transport);
    await server.stop();
    await wholeSnapshots(bench);
  },
};

/** Streams that nothing is sent on: in few groups, each with a filter of its own, and on bare uWebSockets. */
async function idle(bench: Bench, server: Overround, market: Market, transport: Transport): Promise<void> {
  const name = transport === 'sse' ? 'SSE' : 'WebSocket';
  const control = await nodePeer('bare-uws', bench.folder);
  const stream = await peerStream(control, transport, 'event', messageOf('event', 100).length);
  const bare = await perStream(bench, control, { ...stream.load, connections: CLIENTS });
  stream.close();
  await control.stop();
  bench.figure(`an idle ${name} stream of bare uWebSockets`, bare.held, 'bytes');
  const filtered = (groups: number): Load => {
    const loads = Array.from({ length: groups }, (_, event) =>
      subscription(server, transport, `event=${market.eventId(event)}`),
    );
    return { ...loads[0]!, request: loads.map(({ request }) => request as string), connections: CLIENTS };
  };
  for (const [groups, what] of [
    [FEW_GROUPS, `in ${FEW_GROUPS} groups`],
    [CLIENTS, 'each with a filter of its own'],
  ] as const) {
    const { held: cost, asIs } = await perStream(bench, server, filtered(groups));
    const title = `an idle ${name} stream of ${CLIENTS.toLocaleString('en-US')}, ${what}`;
    bench.figure(title, cost, 'bytes');
    bench.figure(`${title}, with garbage not collected yet`, asIs, 'bytes');
    bench.ratio(
      `idle-${transport}-${groups}`,
      `${LIMIT_BYTES / 1000} kB to ${title}`,
      `a limit; bare uWebSockets has ${(LIMIT_BYTES / bare.held).toFixed(0)}`,
      LIMIT_BYTES / cost,
      { target: 1 },
    );
  }
}

/** Bytes a stream of many adds, after garbage collection and before it. */
async function perStream(bench: Bench, target: Target, load: Load): Promise<{ held: number; asIs: number }> {
  // What the first streams make the process grow by is not theirs.
  const warm = await StreamClients.open(bench.folder, target, { ...load, connections: WARM_CLIENTS });
  await warm.close();
  const before = await held(target);
  const clients = await StreamClients.open(bench.folder, target, load);
  await wait(2_000);
  const asIs = anonymousBytes(target.pid) - before;
  const after = await held(target);
  await clients.close();
  await wait(500);
  return { held: (after - before) / load.connections, asIs: asIs / load.connections };
}

/** Memory of the process once its garbage is collected. */
async function held({ pid }: Target): Promise<number> {
  await wait(1_500);
  process.kill(pid, 'SIGUSR2');
  await wait(1_000);
  return anonymousBytes(pid);
}
