// Opportunities in bulk: what a server of half a million rows takes with thousands of them, and what a list of 200 costs,
// asked again and cold, beside bare uWebSockets with as many bytes.
import { systemClock } from '../../src/base/model/clock.js';
import { type Bench, format, type Section } from '../bench.js';
import { makeLargeStore } from '../large-store.js';
import { getRequest, httpLoad, type Target } from '../load.js';
import { GENEROUS, Market } from '../market.js';
import { dataFolder, Overround } from '../overround.js';
import { nodePeer } from '../peers.js';
import { anonymousBytes, wait } from '../process.js';
import { alternate, median, pairedRatio } from '../statistics.js';
import { capture } from './rest.js';

const MIB = 1024 * 1024;
const BOOKS = 28;
/** Of each two books, one of which is generous. */
const EVENTS = 1_250;
const LISTS = ['ev', 'arbitrage', 'middles', 'low_hold'];
const LIST = '/api/v1/opportunities/arbitrage?limit=200';
/** Questions in turn where each list is made anew: more than are remembered. */
const COLD = 6_000;
const [AGAIN, ANEW, CONTROL] = ['a list of 200, asked again', 'a list of 200, cold', 'bare uWebSockets, same bytes'];

export const opportunities: Section = {
  name: 'opportunities',
  about: 'memory with thousands of opportunities; a list of 200, asked again and cold',
  underLoad: true,
  run: async (bench) => {
    const dir = dataFolder(bench.folder, 'opportunities');
    const rows = await makeLargeStore({
      dir,
      books: BOOKS,
      events: bench.full ? 600 : 86,
      shards: 1,
      clock: systemClock,
    });
    // Prices of an hour ago: no opportunity among them.
    bench.figure(`${format(rows)} rows, no opportunities`, (await started(dir, settledBytes)) / MIB, 'MiB');
    await started(dir, fillGenerously);
    await started(dir, async (server) => {
      const active = await activeIn(server);
      bench.figure('opportunities in the universe of every book', active, 'active');
      bench.figure('the same with these', (await settledBytes(server)) / MIB, 'MiB');
      await lists(bench, server);
    });
  },
};

async function started<T>(dataDir: string, work: (server: Overround) => Promise<T>): Promise<T> {
  const server = await Overround.start({ dataDir });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** One book's prices are an arbitrage with the other's in every market. */
async function fillGenerously(server: Overround): Promise<void> {
  const market = new Market({ events: EVENTS, books: 2 }, Date.now());
  await server.fill(market);
  const events = Array.from({ length: EVENTS }, (_, event) => event);
  const body = JSON.stringify(market.message(1, events, () => GENEROUS));
  const publisher = server.publisher();
  await publisher.post(Buffer.from(body.replace(/"polled_at":"[^"]*"/, `"polled_at":"${new Date().toISOString()}"`)));
  publisher.close();
}

async function activeIn(server: Overround): Promise<number> {
  let active = 0;
  for (const list of LISTS) {
    const { pagination } = (await server.json(`/api/v1/opportunities/${list}?limit=1`)) as {
      pagination: { total: number };
    };
    active += pagination.total;
  }
  return active;
}

/** Of the process, once the garbage there is has been collected. */
async function settledBytes({ pid }: Overround): Promise<number> {
  await wait(5_000);
  process.kill(pid, 'SIGUSR2');
  await wait(700);
  return anonymousBytes(pid);
}

/** Requests per CPU-second: few at once, as each takes milliseconds. */
async function perCpu(bench: Bench, target: Target, requests: readonly string[]): Promise<number> {
  const times = bench.full ? { warmMs: 500, measureMs: 3_000 } : { warmMs: 200, measureMs: 1_000 };
  const load = { requests: requests.map((text) => ({ text })), connections: 4, ...times };
  const result = await httpLoad(bench.folder, target, load);
  return result.requests / result.cpu.process;
}

async function lists(bench: Bench, server: Overround): Promise<void> {
  const page = { ...(await capture(server, LIST)), path: '/list' };
  const control = await nodePeer('bare-uws', bench.folder, [page]);
  const cold = Array.from({ length: COLD }, (_, no) => server.request(`${LIST}&min_profit=0.000${no}`));
  const figures = await alternate(bench.full ? 5 : 3, [
    { name: CONTROL, run: () => perCpu(bench, control, [getRequest(page.path, server.headers)]) },
    { name: AGAIN, run: () => perCpu(bench, server, [server.request(LIST)]) },
    { name: ANEW, run: () => perCpu(bench, server, cold) },
  ]);
  await control.stop();
  for (const [name, rates] of figures) bench.figure(name, median(rates), 'requests per CPU-second');
  for (const [id, name] of [
    ['again', AGAIN],
    ['cold', ANEW],
  ] as const)
    bench.ratio(`opportunities-list-${id}`, name, CONTROL, pairedRatio(figures.get(name)!, figures.get(CONTROL)!));
}
