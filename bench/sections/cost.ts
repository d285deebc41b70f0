// What a feed costs: cores that the whole server uses at so many changes a second with so many clients, and how long the
// changes take to them. Each client follows one league of eight, as a screen does: an eighth of all changes.
import { type Bench, format, type Section } from '../bench.js';
import { BOOKS, CHANGES_PER_POST, Listeners, ON_DISK, type Served } from '../delays.js';
import { LEAGUES, Market } from '../market.js';
import { dataFolder, movingPosts, Overround } from '../overround.js';
import { warmUpServer } from '../streams.js';

const RATES = [1_000, 10_000, 100_000] as const;
const CLIENTS = [1, 100, 1_000] as const;
const EVENTS = 600;
const TIMES = { short: { ms: 3_000, warmMs: 500 }, full: { ms: 10_000, warmMs: 2_000 } } as const;

export const cost: Section = {
  name: 'cost',
  about: 'cores that a feed uses, by changes a second and clients',
  underLoad: true,
  run: async (bench) => {
    const market = new Market({ events: EVENTS, books: BOOKS }, Date.now());
    const server = await Overround.start({ dataDir: dataFolder(bench.folder, 'cost'), core: null });
    await server.fill(market);
    await warmUpServer(bench.folder, server, market, 'sse');
    for (const clients of CLIENTS) await withClients(bench, { where: ON_DISK, server, market }, clients);
    await server.stop();
  },
};

async function withClients(bench: Bench, served: Served, connections: number): Promise<void> {
  const listeners = await Listeners.open(bench, served, {
    path: LEAGUES.map((league) => `/api/v1/stream/odds?league=${league}`),
    posts: movingPosts(served.market, CHANGES_PER_POST),
    connections,
  });
  const times = TIMES[bench.profile];
  for (const rate of RATES) {
    const { result, sent } = await listeners.round(rate, times);
    const title = `${format(rate)} changes/s, ${connections === 1 ? '1 client' : `${format(connections)} clients`} of a league each`;
    const taken = (sent * CHANGES_PER_POST * 1_000) / times.ms;
    bench.figure(`${title}: taken`, taken, 'changes/s');
    bench.figure(`${title}: server`, result.cpu.process / result.seconds, 'cores');
    bench.figure(`${title}: main thread`, result.cpu.main / result.seconds, 'cores');
    bench.figure(`${title}: sent`, result.bytes / result.seconds / 1e6, 'MB/s');
    bench.figure(`${title}: p50`, result.p50 / 1_000, 'ms');
    bench.figure(`${title}: p99`, result.p99 / 1_000, 'ms');
  }
  await listeners.close();
}
