// Ingest to client: how long after a change is taken its news is at an SSE client, as the rate of changes grows; and the
// same of the opportunities it makes and breaks.
import { type Bench, format, type Section } from '../bench.js';
import {
  BOOKS,
  bare,
  CHANGES_PER_POST,
  CLIENTS,
  type Delay,
  IN_MEMORY,
  inverseRatios,
  JUDGED_RATE,
  newestPosition,
  ON_DISK,
  tellControl,
  type Where,
} from '../delays.js';
import { syncTimes } from '../disk.js';
import { getRequest, StreamClients } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, Overround, PollBody } from '../overround.js';
import { wait } from '../process.js';
import { atRate } from '../publisher.js';
import { fittedExponent, quantile } from '../statistics.js';
import { opportunityDelay } from './opportunity-delay.js';

const P99_LIMIT_MS = 50;
/** Of the targets, at the judged rate on a quiet machine. */
const TARGET_P50_MS = 5;
const TARGET_P99_MS = 25;

export const delay: Section = {
  name: 'delay',
  about: 'ingest to SSE client, every change to every client',
  underLoad: true,
  run: async (bench) => {
    const disk = syncTimes(bench.folder, bench.full ? 5_000 : 2_000);
    bench.figure('an fdatasync of 64 KiB on this disk: p50', disk.p50, 'ms');
    bench.figure('an fdatasync of 64 KiB on this disk: p99', disk.p99, 'ms');
    const rates = bench.full ? [1_000, 2_500, 5_000, 10_000, 20_000, 40_000, 80_000] : [1_000, 5_000, 20_000];
    const series = [{ name: 'p99', points: await withDataIn(bench, bench.folder, ON_DISK, rates) }];
    const memory = bench.memory;
    if (memory === undefined) bench.skip('delays with the data folder in memory', 'there is no /dev/shm with room');
    else {
      const points = await withDataIn(bench, memory, IN_MEMORY, bench.full ? rates : [JUDGED_RATE]);
      series.push({ name: 'p99, data folder in memory', points });
    }
    bench.plot({
      id: 'delay',
      title: `Delay from ingest to ${CLIENTS} SSE clients`,
      x: 'changes/s',
      y: 'p99, ms',
      series: series
        .filter(({ points }) => points.length > 1)
        .map(({ name, points }) => ({ name, points, exponent: fittedExponent(points) })),
    });
  },
};

/** Delays as the rate grows, of one server whose data lies in this folder; answers the p99 (ms) at each rate. */
async function withDataIn(
  bench: Bench,
  folder: string,
  where: Where,
  rates: readonly number[],
): Promise<{ x: number; y: number }[]> {
  const market = new Market({ events: 1_000, books: BOOKS }, Date.now());
  // Free to use both cores, as a server would be; the load keeps to its own and sleeps while there is nothing.
  const server = await Overround.start({ dataDir: dataFolder(folder, 'delay'), core: null });
  await server.fill(market);
  const points: { x: number; y: number }[] = [];
  for (const rate of rates) {
    const judged = rate === JUDGED_RATE;
    const { p50, p99, answered, changes, bytes } = await run(bench, server, market, rate);
    const name = `${format(changes)} changes/s to ${CLIENTS} clients${where.name}`;
    bench.figure(`${name}: p50`, p50, 'ms', judged ? TARGET_P50_MS : undefined);
    bench.figure(`${name}: p99`, p99, 'ms', judged ? TARGET_P99_MS : undefined);
    // What waits while the last batch is committed has no position yet: its waiting shows here alone.
    bench.figure(`${name}: from a post to its answer, p50`, answered.p50, 'ms');
    bench.figure(`${name}: from a post to its answer, p99`, answered.p99, 'ms');
    points.push({ x: changes, y: p99 });
    if (judged) {
      const control = await bare(bench, rate / CHANGES_PER_POST, bytes);
      const title = `${format(JUDGED_RATE)} changes/s to ${CLIENTS} clients${where.name}`;
      tellControl(bench, title, control);
      inverseRatios(bench, { id: '', title, where }, { p50, p99 }, control);
    }
    if (p99 > P99_LIMIT_MS && rate >= JUDGED_RATE) break;
  }
  await opportunityDelay(bench, server, market, where);
  await server.stop();
  return points;
}

async function run(
  bench: Bench,
  server: Overround,
  market: Market,
  rate: number,
): Promise<{ p50: number; p99: number; answered: Delay; changes: number; bytes: number }> {
  const publisher = server.publisher();
  const events = CHANGES_PER_POST / 2;
  const bodies: PollBody[] = [];
  for (const phase of [1, 0])
    for (let book = 0; book < BOOKS; book++)
      for (let from = 0; from + events <= market.size.events; from += events) {
        const some = Array.from({ length: events }, (_, i) => from + i);
        bodies.push(new PollBody(market.message(book, some, (_, quote) => (quote < 2 ? phase : 0), 1)));
      }
  // Resumed from the newest position: two hundred snapshots of the whole table are not what is measured.
  const position = await newestPosition(server);
  const clients = await StreamClients.open(bench.folder, server, {
    connections: CLIENTS,
    request: getRequest('/api/v1/stream/odds?resume=true', {
      ...server.headers,
      Accept: 'text/event-stream',
      'Last-Event-ID': `evt_${position}`,
    }),
    ready: 'event: connected',
    marker: 'evt_',
  });
  let index = 0;
  const post = (): Promise<void> => publisher.post(bodies[index++ % bodies.length]!.stamped());
  const perSecond = rate / CHANGES_PER_POST;
  const ms = bench.full ? 8_000 : 3_000;
  await atRate(perSecond, 500, post);
  await clients.begin(server.clockAheadUs, false);
  const { sent, answeredMs } = await atRate(perSecond, ms, post);
  await wait(100);
  const result = await clients.end();
  await clients.close();
  publisher.close();
  return {
    p50: result.p50 / 1000,
    p99: result.p99 / 1000,
    answered: { p50: quantile(answeredMs, 0.5), p99: quantile(answeredMs, 0.99) },
    changes: (sent * CHANGES_PER_POST * 1000) / ms,
    bytes: Math.round(result.bytes / result.messages),
  };
}
