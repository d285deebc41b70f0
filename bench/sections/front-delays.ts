// From a batch to SSE clients: through one process, through a front, and through a front over NATS JetStream.
import type { Bench } from '../bench.js';
import {
  BOOKS,
  CHANGES_PER_POST,
  CLIENTS,
  Control,
  type Delays,
  JUDGED_RATE,
  judgedRounds,
  Listeners,
  ON_DISK,
  type Served,
  tellControl,
} from '../delays.js';
import { startFronts } from '../fronts.js';
import { Market } from '../market.js';
import { dataFolder, movingPosts, Overround } from '../overround.js';
import { hasNats, natsPeer, nodePeer, type Peer } from '../peers.js';
import { wait } from '../process.js';
import { median, pairedRatio } from '../statistics.js';
import { peerStream, WARM_MESSAGES_PEER, warmUp, warmUpServer } from '../streams.js';

const WARM_MS = 1_500;

export async function frontDelays(bench: Bench): Promise<void> {
  const events = bench.full ? 1_000 : 600;
  const market = new Market({ events, books: BOOKS }, Date.now());
  const stops: (() => Promise<void>)[] = [];
  const served = (name: string, server: Overround): Served => ({ where: { ...ON_DISK, name }, server, market });
  const one = await Overround.start({ dataDir: dataFolder(bench.folder, 'cluster-one'), core: null });
  const local = await startFronts(dataFolder(bench.folder, 'cluster-local'), 1, null);
  stops.push(() => one.stop(), local.stop);
  await one.fill(market);
  await local.engine.fill(market);
  const all = [served('one process', one), served('a local front', local.fronts[0]!)];
  const nats = await overNats(bench, market);
  if (nats !== undefined) {
    all.push(served('a front over JetStream', nats.front));
    stops.push(nats.stop);
  }
  for (const { server } of all) await warmUpServer(bench.folder, server, market, 'sse');
  const posts = movingPosts(market, CHANGES_PER_POST);
  const listening: Listeners[] = [];
  for (const each of all) listening.push(await Listeners.open(bench, each, { path: '/api/v1/stream/odds?', posts }));
  const bare: Control[] = [];
  const { ours, control } = await judgedRounds(bench, listening, WARM_MS, {
    controls: async (bytes) => {
      if (nats !== undefined)
        bare.push(await bareControl(bench, bytes, 'one'), await bareControl(bench, bytes, 'writer', nats.port));
      return bare;
    },
  });
  for (const listeners of listening) await listeners.close();
  const title = `${JUDGED_RATE.toLocaleString('en-US')} changes/s to ${CLIENTS} clients`;
  for (const [i, { where }] of all.entries())
    for (const of of ['p50', 'p99'] as const)
      bench.figure(`${title} through ${where.name}: ${of}`, median(ours[i]!.delays[of]), 'ms');
  tellControl(bench, title, control);
  tellDelays(
    bench,
    title,
    ours.map((each) => each.delays),
  );
  const [bareOne, bareNats] = bare;
  if (bareOne !== undefined && bareNats !== undefined) {
    const more = median(bareNats.delays.p50.map((ms, i) => ms - bareOne.delays.p50[i]!));
    bench.figure(`${title}, one bare process that commits: p50`, median(bareOne.delays.p50), 'ms');
    bench.figure(`${title}, bare processes that commit, more through JetStream than in one at p50`, more, 'ms');
  }
  for (const stop of stops) await stop();
}

/** What the same costs at least: posts committed by a bare process, and served by it or by another over JetStream. */
async function bareControl(bench: Bench, bytes: number, role: 'one' | 'writer', natsPort?: number): Promise<Control> {
  const start = (role: string): Promise<Peer> =>
    nodePeer('bare-cluster', bench.folder, [], [role, ...(natsPort === undefined ? [] : [String(natsPort)])], null);
  const writer = await start(role);
  const peers = natsPort === undefined ? [writer] : [writer, await start('front')];
  const published = await peerStream(writer, 'sse', 'event', bytes);
  const stream = { ...published, target: peers.at(-1)! };
  await warmUp(bench.folder, stream, WARM_MESSAGES_PEER);
  return Control.of(`bare-cluster ${role}`, stream, { bench, peers });
}

function tellDelays(bench: Bench, title: string, [one, local, nats]: readonly Delays[]): void {
  const inverse = (of: 'p50' | 'p99', target: number, tolerance: number): void =>
    bench.ratio(
      `local-delay-${of}`,
      `delay (inverse), ${title} through a local front, ${of}`,
      'one process',
      pairedRatio(one![of], local![of]),
      { target, tolerance },
    );
  inverse('p50', 1 / 1.2, 0.6);
  inverse('p99', 1, 0.8);
  if (nats === undefined) return;
  const more = median(nats.p50.map((ms, i) => ms - one!.p50[i]!));
  bench.figure(`${title} through JetStream, more than one process at p50`, more, 'ms', 3);
}

/** An engine and a front that share a log over JetStream; undefined where there is no NATS server. */
async function overNats(
  bench: Bench,
  market: Market,
): Promise<{ port: number; front: Overround; stop(): Promise<void> } | undefined> {
  if (!hasNats()) {
    bench.skip('fronts over NATS JetStream', 'nats-server is not installed');
    return undefined;
  }
  const nats = await natsPeer(bench.folder);
  const node = (role: string, engine?: Overround): Promise<Overround> =>
    Overround.start({
      dataDir: dataFolder(bench.folder, `cluster-${role}`),
      core: null,
      flags: ['--cluster', `nats://127.0.0.1:${nats.port}`, '--role', role],
      ...(engine === undefined ? {} : { engine }),
    });
  const engine = await node('engine');
  await ready(engine);
  await engine.fill(market);
  const front = await node('front', engine);
  await ready(front);
  return {
    port: nats.port,
    front,
    stop: async () => {
      await front.stop();
      await engine.stop();
      await nats.stop();
    },
  };
}

/** Settles when it shows what the log has, and somebody writes. */
async function ready(server: Overround): Promise<void> {
  for (;;) {
    const [probe, health] = await Promise.all(
      ['/readyz', '/api/v1/health'].map((path) => fetch(`http://127.0.0.1:${server.port}${path}`)),
    );
    const { cluster } = (await health!.json()) as { cluster?: { writer: string | null } };
    await probe!.arrayBuffer();
    if (probe!.status === 200 && cluster?.writer) return;
    await wait(50);
  }
}
