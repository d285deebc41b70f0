// Memory: what a row, an idle stream, a group and a whole snapshot to many clients cost, as the kernel counts it.
import type { Bench, Section } from '../bench.js';
import { StreamClients, type Target } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, Overround, PollBody } from '../overround.js';
import { nodePeer } from '../peers.js';
import { anonymousBytes, wait } from '../process.js';
import { messageOf, peerStream, subscription, type Transport } from '../streams.js';
import { wholeSnapshots } from './whole-snapshots.js';

const CLIENTS = 2_000;
const FEW_GROUPS = 10;
const LIMIT_BYTES = 20_000;
/** Sent on each stream for what a group holds once it has told something. */
const MESSAGES = 4;
const EVENTS_AT_ONCE = 100;
const CLIENTS_TEXT = CLIENTS.toLocaleString('en-US');

type Load = Parameters<typeof StreamClients.open>[2];

export const memory: Section = {
  name: 'memory',
  about: 'bytes a row, an idle stream and a group; a whole snapshot to many at once',
  underLoad: true,
  run: async (bench) => {
    const market = new Market({ events: bench.full ? 5_000 : 1_000, books: 10 }, Date.now());
    const before = await withServer(bench, 'rows', async (empty) => {
      const bytes = await residentBytes(empty);
      await empty.fill(market);
      return bytes;
    });
    bench.figure('empty server', before / 1024 / 1024, 'MiB');
    // Measured after a new start: what filling left behind is not the rows'.
    const after = await withServer(bench, 'rows', residentBytes);
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

/**
 * Streams that nothing is sent on: in few groups, each with a filter of its own, and on bare uWebSockets; and what a group
 * costs besides the streams in it.
 */
async function idle(bench: Bench, transport: Transport): Promise<void> {
  // One event each, and few rows: garbage of a large table would exceed the streams' memory.
  const market = new Market({ events: CLIENTS, books: 2 }, Date.now());
  const name = transport === 'sse' ? 'SSE' : 'WebSocket';
  const control = await nodePeer('bare-uws', bench.folder);
  const stream = await peerStream(control, transport, 'event', messageOf('event', 100).length);
  const bare = await perStream(bench, control, { ...stream.load, connections: CLIENTS });
  stream.close();
  await control.stop();
  tell(bench, `an idle ${name} stream of bare uWebSockets`, bare);
  const costs: PerStreamOfOurs[] = [];
  for (const [groups, what] of [
    [FEW_GROUPS, `in ${FEW_GROUPS} groups`],
    [CLIENTS, 'each with a filter of its own'],
  ] as const) {
    // A data folder each: a minute after a change the Free tier's table reads it, which is to be neither's.
    const data = `idle-${transport}-${groups}`;
    await withServer(bench, data, (server) => fillWithLays(server, market));
    const cost = await withServer(bench, data, async (server) => {
      const loads = Array.from({ length: groups }, (_, event) =>
        subscription(server, transport, `event=${market.eventId(event)}`),
      );
      const request = loads.map((load) => load.request as string);
      const load = { ...loads[0]!, request, connections: CLIENTS };
      return { ...(await perStream(bench, server, load)), ...(await heapPerStream(bench, server, load, market)) };
    });
    costs.push(cost);
    const title = `an idle ${name} stream of ${CLIENTS_TEXT}, ${what}`;
    tell(bench, title, cost, LIMIT_BYTES);
    bench.ratio(
      `idle-${transport}-${groups}`,
      `memory (inverse) of ${title}`,
      'bare uWebSockets',
      bare.first / cost.first,
    );
  }
  tellGroup(bench, name, costs[0]!, costs[1]!);
}

/** A group's own share: what as many streams take more in a group each than in a few groups. */
function tellGroup(bench: Bench, name: string, few: PerStreamOfOurs, each: PerStreamOfOurs): void {
  const share = (bytes: keyof PerStreamOfOurs): number =>
    ((each[bytes] - few[bytes]) * CLIENTS) / (CLIENTS - FEW_GROUPS);
  const title = `a group of ${name} streams, besides what its streams take`;
  bench.figure(title, share('first'), 'bytes');
  bench.figure(`${title}, the next ${CLIENTS_TEXT}`, share('again'), 'bytes');
  bench.figure(`${title}, by the heap's own count`, share('heap'), 'bytes');
  bench.figure(`${title}, more by that count after ${MESSAGES} messages`, share('afterMessages'), 'bytes');
}

interface PerStream {
  /** Bytes a stream, of the first streams so many: with all the process grows by for having had them. */
  first: number;
  /** Of the next ones as many, once the first have gone: what a stream itself holds. */
  again: number;
}

interface PerStreamOfOurs extends PerStream, HeapPerStream {}

/** Bytes a stream, of the heap of the front's thread. */
interface HeapPerStream {
  /** Idle. */
  heap: number;
  /** More once something was sent on each. */
  afterMessages: number;
}

async function perStream(bench: Bench, target: Target, load: Load): Promise<PerStream> {
  // A process just started still gives back what it started with.
  await (await StreamClients.open(bench.folder, target, { ...load, connections: 20 })).close();
  await wait(5_000);
  const grown: number[] = [];
  for (let round = 0; round < 2; round++) {
    const before = await residentBytes(target);
    const clients = await StreamClients.open(bench.folder, target, load);
    grown.push((await residentBytes(target)) - before);
    await clients.close();
  }
  return { first: grown[0]! / load.connections, again: grown[1]! / load.connections };
}

/**
 * By the program's own count, which knows of no sockets, but tells a group from the pages a heap takes and gives back, and
 * from what the shard's thread needs for the changes. Of a second round: the first one's includes compiled code.
 */
async function heapPerStream(bench: Bench, server: Overround, load: Load, market: Market): Promise<HeapPerStream> {
  const { connections } = load;
  let [heap, afterMessages] = [0, 0];
  for (let round = 0; round < 2; round++) {
    const before = await heapBytes(server);
    const clients = await StreamClients.open(bench.folder, server, load);
    const open = await heapBytes(server);
    await clients.begin(0, false);
    await moveAll(server, market);
    const { messages } = await clients.end();
    if (messages < MESSAGES * connections) throw new Error(`${messages} of ${MESSAGES * connections} messages came`);
    heap = open - before;
    afterMessages = (await heapBytes(server)) - open;
    await clients.close();
  }
  return { heap: heap / connections, afterMessages: afterMessages / connections };
}

/** Changes a price of every event, `MESSAGES` times: as many messages on each stream, however many groups there are. */
async function moveAll(server: Overround, market: Market): Promise<void> {
  const publisher = server.publisher();
  for (let message = 1; message <= MESSAGES; message++) {
    for (const body of layPosts(market, message)) await publisher.post(body.stamped());
    // Two changes of a row that come together are told as one.
    await wait(200);
  }
  publisher.close();
}

async function fillWithLays(server: Overround, market: Market): Promise<void> {
  await server.fill(market);
  const publisher = server.publisher();
  for (const body of layPosts(market, 0)) await publisher.post(body.stamped());
  publisher.close();
}

/** Prices that nobody can back: opportunities, and what is remembered of those that ended, would take more than groups. */
function layPosts(market: Market, phase: number): PollBody[] {
  const posts: PollBody[] = [];
  for (let from = 0; from < market.size.events; from += EVENTS_AT_ONCE) {
    const events = Array.from({ length: EVENTS_AT_ONCE }, (_, i) => from + i);
    const message = JSON.stringify(market.message(0, events, () => phase, 1));
    posts.push(new PollBody(JSON.parse(message.replaceAll('"moneyline"', '"moneyline_lay"')) as object));
  }
  return posts;
}

function tell(bench: Bench, title: string, { first, again }: PerStream, target?: number): void {
  bench.figure(title, first, 'bytes', target);
  bench.figure(`${title}, the next ${CLIENTS_TEXT}`, again, 'bytes');
}

/** Memory of the process. */
async function residentBytes(target: Target): Promise<number> {
  await collectIn(target);
  return anonymousBytes(target.pid);
}

/** Heap of the front's thread, with what it holds outside. */
async function heapBytes(server: Overround): Promise<number> {
  await collectIn(server);
  return server.heapBytes();
}

/** Settles once the garbage there is has been collected. */
async function collectIn({ pid }: Target): Promise<void> {
  await wait(1_500);
  process.kill(pid, 'SIGUSR2');
  await wait(700);
}
