// What one front serves, per second of its own CPU time, against bare uWebSockets and peers.
import { LOG_SOCKET } from '../../src/replication/local/log-server.js';
import { localSocketPath } from '../../src/store/directory-lock.js';
import type { Bench } from '../bench.js';
import { type Contender, contenders, inRounds, LABELS, type PeerName, ratioId } from '../contenders.js';
import { BOOKS } from '../delays.js';
import { startFronts } from '../fronts.js';
import { getRequest } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, Overround } from '../overround.js';
import { nodePeer } from '../peers.js';
import { SERVER_CORE } from '../process.js';
import type { Page } from '../servers/serving.js';
import { median, pairedRatio } from '../statistics.js';
import {
  ourStream,
  peerLoad,
  runStream,
  type Transport,
  WARM_MESSAGES_PEER,
  warmUp,
  warmUpServer,
} from '../streams.js';
import { CHANGED_EVENTS, capture, changedRate, requestsPerCpu } from './rest.js';

const FAN_OUT_CLIENTS = 1_000;
const FAN_OUT_PER_SECOND = 5_000;
const FAN_OUT_PEERS: Readonly<Record<Transport, readonly PeerName[]>> = {
  sse: ['bare-uws', 'better-sse', 'nchan'],
  ws: ['bare-uws'],
};
/** Of a front's deliveries to each other's, per second of its CPU time. */
const FAN_OUT_TARGETS: Readonly<Record<string, number>> = {
  'bare-uws SSE': 0.95,
  'bare-uws WebSocket': 0.95,
  'nchan SSE': 1.3,
  'better-sse SSE': 2.3,
};
/** By one message of ours: both sides of a market. */
const ROWS_CHANGED = 2;
/** Rounds that compile what the others measure. */
const WARM_ROUNDS = 3;

/** What one front serves, per second of its own CPU time, while the engine takes in, detects and commits. */
export async function frontServing(bench: Bench): Promise<void> {
  const market = new Market({ events: bench.full ? 1_500 : 500, books: BOOKS }, Date.now());
  const dataDir = dataFolder(bench.folder, 'cluster-serving');
  const { engine, fronts, stop } = await startFronts(dataDir, 1, SERVER_CORE);
  await engine.fill(market);
  for (const transport of ['sse', 'ws'] as const) await fanOut(bench, fronts[0]!, market, transport);
  await pages(bench, fronts[0]!, market);
  await stop();
}

async function fanOut(bench: Bench, front: Overround, market: Market, transport: Transport): Promise<void> {
  await warmUpServer(bench.folder, front, market, transport);
  const ours = { ...(await ourStream(front, market, transport, 1)), name: `a front, ${LABELS[transport]}` };
  const once = await runStream(bench.folder, ours, { connections: 1, perSecond: 20, ms: 300 });
  const bytes = Math.round(once.bytes / once.messages);
  const peers = await contenders(bench, transport, FAN_OUT_PEERS[transport], bytes);
  // What a front costs at least: how far that control comes is said, too.
  peers.push(await bareFront(bench, market, transport, bytes));
  for (const { stream } of peers) await warmUp(bench.folder, stream, WARM_MESSAGES_PEER);
  const streams = [ours, ...peers.map(({ stream }) => stream)];
  const run = { perSecond: FAN_OUT_PER_SECOND, ms: bench.full ? 3_000 : 300 };
  const figures = await inRounds(bench, bench.full ? 5 : 3, streams, FAN_OUT_CLIENTS, async (open) => {
    // One at a time: the engine is done with a message before the front is, and two that wait would be told as one.
    const { messages, cpu } = await open.bursts(run, open.stream === ours ? ROWS_CHANGED : 1);
    return messages / cpu.process;
  });
  const title = `${FAN_OUT_CLIENTS.toLocaleString('en-US')} ${LABELS[transport]} clients`;
  for (const { name } of streams)
    bench.figure(`${name}, ${title}`, median(figures.get(name)!), 'deliveries per CPU-second');
  for (const { stream } of peers) {
    const target = FAN_OUT_TARGETS[stream.name];
    const value = pairedRatio(figures.get(ours.name)!, figures.get(stream.name)!);
    const goal = target === undefined ? {} : { target };
    bench.ratio(ratioId(`front-${transport}`, stream.name), `a front's fan-out to ${title}`, stream.name, value, goal);
  }
  const [control, bare] = [peers[0]!.stream.name, peers.at(-1)!.stream.name];
  const limit = pairedRatio(figures.get(bare)!, figures.get(control)!);
  bench.ratio(`front-${transport}-limit`, `${bare}, ${title}`, control, limit, { judged: false });
  ours.close();
  for (const { stream, stop } of peers) {
    stream.close();
    await stop();
  }
}

/** The plainest front, of an engine of its own that detects and commits as much. */
async function bareFront(bench: Bench, market: Market, transport: Transport, bytes: number): Promise<Contender> {
  const dataDir = dataFolder(bench.folder, `cluster-bare-front-${transport}`);
  const engine = await Overround.start({ dataDir, core: null, flags: ['--as', 'engine'] });
  await engine.fill(market);
  const peer = await nodePeer('bare-front', bench.folder, [], [localSocketPath(dataDir, LOG_SOCKET), String(bytes)]);
  const { clockAheadUs, publish, close } = await ourStream(engine, market, transport, 1);
  return {
    stream: {
      name: `bare-front ${LABELS[transport]}`,
      target: peer,
      load: peerLoad(transport),
      clockAheadUs,
      publish,
      close,
    },
    stop: async () => {
      await peer.stop();
      await engine.stop();
    },
  };
}

/** A front makes rows of columns: pages that are kept, and pages of which rows have changed, against as many ready ones. */
async function pages(bench: Bench, front: Overround, market: Market): Promise<void> {
  const ready: Page[] = [];
  for (let event = 0; event < CHANGED_EVENTS; event++)
    ready.push({ ...(await capture(front, `/api/v1/odds?event=${market.eventId(event)}`)), path: `/page-${event}` });
  const control = await nodePeer('bare-uws', bench.folder, ready);
  const one = getRequest('/page-0', front.headers);
  const many = ready.map(({ path }) => getRequest(path, front.headers));
  const event = front.request(`/api/v1/odds?event=${market.eventId(0)}`);
  const changed = changedRate(bench, front, market);
  const repeatedRatios: number[] = [];
  const changedRatios: number[] = [];
  for (let round = -WARM_ROUNDS; round < (bench.full ? 5 : 3); round++) {
    const controlOne = await requestsPerCpu(bench, control, [one]);
    const repeated = await requestsPerCpu(bench, front, [event]);
    const controlMany = await requestsPerCpu(bench, control, many);
    const moved = await changed.run();
    if (round < 0) continue;
    repeatedRatios.push(repeated / controlOne);
    changedRatios.push(moved / controlMany);
  }
  await control.stop();
  const of = 'bare uWebSockets, same bytes';
  bench.ratio('front-page', 'a front, /odds?event (50 rows), repeated', of, median(repeatedRatios), { target: 0.6 });
  bench.ratio('front-page-changed', 'a front, /odds?event, rows changed since', of, median(changedRatios), {
    target: 0.4,
  });
}
