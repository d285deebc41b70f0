// Ingest to client: how long after a change is accepted an SSE client receives it, as the rate of changes grows; where
// that time goes, stage by stage; and the same for the opportunities that changes create and end.
import { type Bench, format, type Point, type Section } from '../bench.js';
import {
  BOOKS,
  CHANGES_PER_POST,
  CLIENTS,
  IN_MEMORY,
  inverseRatios,
  JUDGED_RATE,
  judgedRounds,
  Listeners,
  ON_DISK,
  type Served,
  tellControl,
  type Where,
} from '../delays.js';
import { syncTimes } from '../disk.js';
import { tellExactness } from '../exactness.js';
import { Market } from '../market.js';
import { dataFolder, movingPosts, Overround } from '../overround.js';
import { readStages, tellStages } from '../stages.js';
import { fittedExponent, median, quantile } from '../statistics.js';
import { warmUpServer } from '../streams.js';
import { oneChange } from './one-change.js';
import { opportunityDelay } from './opportunity-delay.js';

/** Higher rates are not measured once the p99 is above this. */
const P99_MS_MAX = 50;
/** At the judged rate on a quiet machine. */
const TARGET_MS = { p50: 5, p99: 25 };

/** A server that only took what it was filled with has not yet compiled what tells of changes. */
const WARM_MS = 1_500;

export const delay: Section = {
  name: 'delay',
  about: 'ingest to SSE client, every change to every client',
  underLoad: true,
  run: async (bench) => {
    const disk = syncTimes(bench.folder, bench.full ? 5_000 : 1_000);
    bench.figure('an fdatasync of 64 KiB on this disk: p50', disk.p50, 'ms');
    bench.figure('an fdatasync of 64 KiB on this disk: p99', disk.p99, 'ms');
    const { folder, memory } = bench;
    if (memory === undefined) bench.skip('delays with the data folder in memory', 'there is no /dev/shm with room');
    const events = bench.full ? 1_000 : 600;
    const all = await Promise.all([
      served(folder, ON_DISK, events),
      ...(memory === undefined ? [] : [served(memory, IN_MEMORY, events)]),
    ]);
    for (const { server, market } of all) await warmUpServer(folder, server, market, 'sse');
    await oneChange(bench, all.at(-1)!);
    const { judged, control } = await judgedOdds(bench, all);
    await opportunityDelay(bench, all);
    const rates = bench.full ? [1_000, 2_500, 10_000, 20_000, 40_000, 80_000] : [1_000, 20_000];
    const series: { name: string; points: Point[] }[] = [];
    for (const [i, one] of all.entries())
      if (bench.full || one.where === ON_DISK)
        series.push({ name: `p99${one.where.name}`, points: await atOtherRates(bench, one, judged[i]!, rates) });
    bench.plot({
      id: 'delay',
      title: `Delay from ingest to ${CLIENTS} SSE clients`,
      x: 'changes/s',
      y: 'p99, ms',
      series: [
        ...series.map(({ name, points }) => ({ name, points, exponent: fittedExponent(points) })),
        { name: 'bare uWebSockets with as many bytes (control)', points: [control], exponent: Number.NaN },
      ],
    });
    await tellExactness(bench, all[0]!);
    for (const { server } of all) await server.stop();
  },
};

async function served(folder: string, where: Where, events: number): Promise<Served> {
  const market = new Market({ events, books: BOOKS }, Date.now());
  // Free to use both cores, as a server would be; the load keeps to its own and sleeps while there is nothing.
  const server = await Overround.start({ dataDir: dataFolder(folder, 'delay'), core: null });
  await server.fill(market);
  return { where, server, market };
}

function listen(bench: Bench, one: Served): Promise<Listeners> {
  const posts = movingPosts(one.market, CHANGES_PER_POST);
  return Listeners.open(bench, one, { path: '/api/v1/stream/odds?', posts });
}

function titleOf(rate: number, where: Where): string {
  return `${format(rate)} changes/s to ${CLIENTS} clients${where.name}`;
}

/** At the judged rate, everybody in turns with the control; answers the points of all in the plot. */
async function judgedOdds(bench: Bench, all: readonly Served[]): Promise<{ judged: Point[]; control: Point }> {
  const listening: Listeners[] = [];
  for (const one of all) listening.push(await listen(bench, one));
  const before = await Promise.all(all.map(({ server }) => readStages(server.port)));
  const { ours, control } = await judgedRounds(bench, listening, WARM_MS);
  const after = await Promise.all(all.map(({ server }) => readStages(server.port)));
  for (const listeners of listening) await listeners.close();
  const judged = all.map(({ where }, i) => {
    const title = titleOf(JUDGED_RATE, where);
    const { delays, answered } = ours[i]!;
    bench.figure(`${title}: p50`, median(delays.p50), 'ms', TARGET_MS.p50);
    bench.figure(`${title}: p99`, median(delays.p99), 'ms', TARGET_MS.p99);
    tellAnswered(bench, title, median(answered.p50), median(answered.p99));
    inverseRatios(bench, { id: '', title: titleOf(JUDGED_RATE, ON_DISK), where }, delays, control);
    tellStages(bench, title, before[i]!, after[i]!);
    return { x: JUDGED_RATE, y: median(delays.p99) };
  });
  tellControl(bench, titleOf(JUDGED_RATE, ON_DISK), control);
  return { judged, control: { x: JUDGED_RATE, y: median(control.p99) } };
}

/** What waits while the last batch is committed has no position yet: its waiting shows here alone. */
function tellAnswered(bench: Bench, title: string, p50: number, p99: number): void {
  bench.figure(`${title}: from a post to its answer, p50`, p50, 'ms');
  bench.figure(`${title}: from a post to its answer, p99`, p99, 'ms');
}

/** Delays as the rate grows, until they are too long; answers the p99 (ms) at each rate (changes/s taken). */
async function atOtherRates(bench: Bench, one: Served, judged: Point, rates: readonly number[]): Promise<Point[]> {
  const points = [judged];
  const listeners = await listen(bench, one);
  for (const rate of rates) {
    const title = titleOf(rate, one.where);
    const ms = bench.full ? 8_000 : 2_000;
    const { result, sent, answeredMs } = await listeners.round(rate, { ms, warmMs: 500 });
    const taken = (sent * CHANGES_PER_POST * 1000) / ms;
    const [p50, p99] = [result.p50 / 1000, result.p99 / 1000];
    bench.figure(`${title}: taken`, taken, 'changes/s');
    bench.figure(`${title}: p50`, p50, 'ms');
    bench.figure(`${title}: p99`, p99, 'ms');
    tellAnswered(bench, title, quantile(answeredMs, 0.5), quantile(answeredMs, 0.99));
    points.push({ x: taken, y: p99 });
    if (p99 > P99_MS_MAX && rate >= JUDGED_RATE) break;
  }
  await listeners.close();
  return points.sort((a, b) => a.x - b.x);
}
