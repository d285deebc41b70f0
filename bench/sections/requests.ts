// What the worst requests cost the threads that everybody needs: CPU time of the server's main thread and of its other
// threads (the shards and history), for each, beside the plainest page. Shown in docs/project/limits.md.
import { ManualClock } from '../../src/base/model/clock.js';
import { HOUR_MS } from '../../src/base/model/time.js';
import type { Bench, Section } from '../bench.js';
import { makeLargeStore } from '../large-store.js';
import { dataFolder, Overround } from '../overround.js';
import { cpuTime, wait } from '../process.js';

const BOOKS = 28;
/** Milliseconds of the main thread without a pause, with 72,000 rows. */
const MS_MAX = 250;
const FRESH_MS = 240_000;

interface RequestedParameters {
  path: string;
  body?: object;
}

/** Requests that differ with `no`, so that no cache has their answer. */
type Make = (no: number, eventIds: readonly string[]) => RequestedParameters;

const list = (count: number, make: (no: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join();
const get = (path: string): RequestedParameters => ({ path: `/api/v1${path}` });
const mcp = (name: string, args: object): RequestedParameters => ({
  path: '/mcp',
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
});

/** Beside which the others are to be read: the same bytes again. */
const CONTROL: Readonly<Record<string, Make>> = { '/odds, a page again': () => get('/odds?limit=200') };
const REQUESTS: Readonly<Record<string, Make>> = {
  '/odds, price bounds': (no) => get(`/odds?limit=200&max_odds=${50_000 + no}`),
  '/odds, price bounds and sort': (no) => get(`/odds?limit=200&sort=-odds&max_odds=${50_000 + no}`),
  '/odds, the last page': (no) => get(`/odds?limit=200&offset=70000&max_odds=${50_000 + no}`),
  '/odds?group_by=event': (no) => get(`/odds?limit=200&group_by=event&max_odds=${50_000 + no}`),
  '/odds as CSV with openings': (no) => get(`/odds?limit=200&include=opening&format=csv&max_odds=${50_000 + no}`),
  '/odds?q=': (no) => get(`/odds?limit=200&q=home%20u%20${no}`),
  '/odds?team=, 50 names': (no) => get(`/odds?limit=200&team=${list(50, (i) => `none ${i + no}`)}`),
  '/odds/best': (no) => get(`/odds/best?limit=200&max_odds=${50_000 + no}`),
  '/odds/best, sorted': (no) => get(`/odds/best?limit=200&sort=-odds&max_odds=${50_000 + no}`),
  '/odds/comparison': (no, ids) => get(`/odds/comparison?event=${ids[no]}`),
  '/odds/delta since long ago': (no) =>
    get(`/odds/delta?limit=200&since=${new Date(Date.now() - 800_000 + no).toISOString()}`),
  '/events?q=': (no) => get(`/events?limit=200&q=${'howauc'[no % 6]}&sort=-league`),
  '/odds/history of an event': (no, ids) => get(`/odds/history?event=${ids[no]}&market=main&limit=10000`),
  '/odds/opening': (no, ids) => get(`/odds/opening?event_id=${ids[no]}`),
  '/historical/clv': (no) => get(`/historical/clv?group_by=${['sportsbook', 'league', 'day'][no % 3]}`),
  '/opportunities/ev, ready': (no) => get(`/opportunities/ev?limit=200&sort=-kelly&max_ev=${100 + no}`),
  '/opportunities/low_hold, ready': (no) => get(`/opportunities/low_hold?limit=200&sort=odds&max_hold=4.9${no}`),
  '/opportunities/ev, evaluated': (no) =>
    get(`/opportunities/ev?limit=200&min_ev=-100&max_ev=${1_000 + no}&devig=shin`),
  '/opportunities/middles, evaluated': (no) => get(`/opportunities/middles?limit=200&min_ev=-100&min_size=0.${no}`),
  '/opportunities/low_hold, evaluated': (no) => get(`/opportunities/low_hold?limit=200&max_hold=${1_000 + no}`),
  '/opportunities/ev of new books': (no) =>
    get(
      `/opportunities/ev?sportsbook=${['fanduel', 'betmgm', 'caesars', 'espnbet', 'bet365', 'betrivers'][no % 6]},draftkings`,
    ),
  'POST /odds/batch, 100 events': (no, ids) => ({
    path: '/api/v1/odds/batch',
    body: { event_ids: ids.slice(no, no + 100) },
  }),
  'POST /clv, 1,000 bets': (_no, ids) => ({
    path: '/api/v1/clv',
    body: {
      bets: Array.from({ length: 1_000 }, (_, i) => ({
        event: ids[i % ids.length]!,
        market: 'moneyline',
        selection: 'home',
        sportsbook: 'fanduel',
        odds_american: 150,
        at: new Date(Date.now() - 60_000).toISOString(),
      })),
    },
  }),
  'tool get_odds': (no) => mcp('get_odds', { limit: 200, max_odds: 50_000 + no }),
  'tool get_best_odds': (no) => mcp('get_best_odds', { limit: 200, max_odds: 50_000 + no }),
};

/** Others are answered between the pieces. */
const IN_PIECES = ['/opportunities/ev, evaluated', 'POST /odds/batch, 100 events'];

export const requests: Section = {
  name: 'requests',
  about: 'the worst requests, by what they cost the main thread and the others',
  underLoad: false,
  run: async (bench) => {
    for (const events of bench.full ? [86, 600] : [86]) await measure(bench, events);
  },
};

async function measure(bench: Bench, events: number): Promise<void> {
  const dir = dataFolder(bench.folder, `requests-${events}`);
  // As if all had been polled in the last four minutes, and before: older prices are not among the best.
  const clock = new ManualClock(Date.now() + HOUR_MS - FRESH_MS);
  const rows = await makeLargeStore({ dir, books: BOOKS, events, shards: 1, clock });
  const server = await Overround.start({ dataDir: dir, core: null });
  await wait(bench.full ? 8_000 : 2_000);
  const page = (await server.json('/api/v1/events?limit=200')) as { data: { id: string }[] };
  const ids = page.data.map(({ id }) => id);
  const times = bench.full ? 6 : 4;
  const title = `${rows.toLocaleString('en-US')} rows`;
  for (const [name, make] of Object.entries({ ...CONTROL, ...REQUESTS })) {
    const { main, others } = await cost(server, make, ids, times);
    const limit = IN_PIECES.includes(name) || events > 86 ? [] : [MS_MAX];
    bench.figure(`${title}: ${name}: main thread`, main, 'ms', ...limit);
    bench.figure(`${title}: ${name}: other threads`, others, 'ms');
  }
  await server.stop();
}

/** Milliseconds of CPU for one of them, without what the server does anyway. */
async function cost(
  server: Overround,
  make: Make,
  ids: readonly string[],
  times: number,
): Promise<{ main: number; others: number }> {
  await ask(server, make(times, ids));
  const begunMs = performance.now();
  const before = cpuTime(server.pid);
  for (let no = 0; no < times; no++) await ask(server, make(no, ids));
  await wait(50);
  const after = cpuTime(server.pid);
  const tookMs = performance.now() - begunMs;
  await wait(tookMs);
  const idle = cpuTime(server.pid);
  const of = (field: 'main' | 'process') => (2 * after[field] - before[field] - idle[field]) * 1_000;
  const main = Math.max(0.01, of('main') / times);
  return { main, others: Math.max(0, of('process') / times - main) };
}

async function ask(server: Overround, { path, body }: RequestedParameters): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { ...server.headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  // To evaluate half a million prices takes longer than it may on a machine that does other things.
  if (!answer.ok && answer.status !== 503) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
}
