// REST: pages of odds against a bare uWebSockets handler that sends the same bytes with the same headers, and peers.
import { type Bench, format, type Section } from '../bench.js';
import { getRequest, type HttpLoad, type HttpResult, httpLoad, postRequest, type Target } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, Overround, PollBody } from '../overround.js';
import { hasRedis, nodePeer, type Peer, redisPeer } from '../peers.js';
import { atRate } from '../publisher.js';
import type { Page } from '../servers/serving.js';
import { alternate, median, pairedRatio } from '../statistics.js';

const BOOKS = 10;
const CONNECTIONS = 64;
/** Events asked in turn where every page must be made anew: more than the answers kept. */
const COLD_EVENTS = 6_000;
const CHANGED_EVENTS = 250;
const CHANGES_PER_SECOND = 5_000;
const CHANGES_PER_POST = 50;
const WARM_MS = 3_000;

export const rest: Section = {
  name: 'rest',
  about: 'REST pages against bare uWebSockets and peers',
  underLoad: true,
  run: async (bench) => {
    const market = new Market({ events: bench.full ? 8_334 : 2_000, books: BOOKS }, Date.now());
    const dataDir = dataFolder(bench.folder, 'rest');
    const server = await Overround.start({ dataDir });
    await server.fill(market);
    bench.say(`  ${format(market.rows)} rows`);
    await pages(bench, server, market);
    await server.stop();
    // Latencies are those of a server that may use both cores.
    const free = await Overround.start({ dataDir, core: null });
    await whileChanging(bench, free, market);
    await free.stop();
  },
};

interface Question {
  id: string;
  name: string;
  path: string;
  target?: number;
}

async function pages(bench: Bench, server: Overround, market: Market): Promise<void> {
  const event = `/api/v1/odds?event=${market.eventId(0)}`;
  const questions: Question[] = [
    { id: 'event', name: '/odds?event (50 rows), repeated', path: event, target: 0.6 },
    { id: 'page', name: '/odds page of 50, repeated', path: '/api/v1/odds?limit=50', target: 0.6 },
  ];
  const taken = await Promise.all(questions.map(({ path }) => capture(server, path)));
  const shown = taken.map((page, i) => ({ ...page, path: `/page-${i}` }));
  const control = await nodePeer('bare-uws', bench.folder, shown);
  const rounds = bench.full ? 5 : 3;
  for (const [i, { id, name, path, target }] of questions.entries()) {
    const figures = await alternate(rounds, [
      { name: 'control', run: () => requestsPerCpu(bench, control, [getRequest(`/page-${i}`, server.headers)]) },
      { name: 'ours', run: () => requestsPerCpu(bench, server, [server.request(path)]) },
    ]);
    told(bench, figures, `${name}`, 'ours');
    if (i === 0) told(bench, figures, 'bare uWebSockets, same bytes', 'control');
    const ratio = pairedRatio(figures.get('ours')!, figures.get('control')!);
    bench.ratio(id, name, 'bare uWebSockets, same bytes', ratio, target === undefined ? {} : { target });
  }
  await anew(bench, server, market, control);
  await peers(bench, server, control, shown[0]!, event);
  await control.stop();
}

/** Pages that cannot be kept answers: of events never asked before, and of events that changed since. */
async function anew(bench: Bench, server: Overround, market: Market, control: Peer): Promise<void> {
  const cold: string[] = [];
  for (let i = 0; i < Math.min(COLD_EVENTS, market.size.events); i++)
    // Where there are fewer events than answers kept, the same event is asked in several ways.
    cold.push(server.request(`/api/v1/odds?event=${market.eventId(i)}`));
  while (cold.length < COLD_EVENTS)
    cold.push(
      server.request(
        `/api/v1/odds?event=${market.eventId(cold.length % market.size.events)}&limit=${50 - Math.floor(cold.length / market.size.events)}`,
      ),
    );
  const bytes = control;
  const changing = changingRequests(server, market);
  const posts = changing.filter((request) => !request.counted);
  const rounds = bench.full ? 5 : 2;
  const rates = new Map<string, number[]>();
  const figures = await alternate(rounds, [
    { name: 'control', run: () => requestsPerCpu(bench, bytes, [getRequest('/page-0', server.headers)]) },
    { name: 'cold', run: () => requestsPerCpu(bench, server, cold) },
    {
      name: 'changed',
      run: async () => {
        // What the changes themselves cost the front thread is measured alone and taken off.
        const mixed = await load(bench, server, { requests: changing, measureMs: 2_000 });
        const alone = await load(bench, server, { requests: posts, connections: 1, measureMs: 1_000 });
        const perPost = alone.cpu.main / alone.others;
        const rate = mixed.requests / (mixed.cpu.main - mixed.others * perPost);
        rates.set('share', [...(rates.get('share') ?? []), (mixed.others * perPost) / mixed.cpu.main]);
        return rate;
      },
    },
  ]);
  told(bench, figures, '/odds?event, each for an event not asked before', 'cold');
  told(bench, figures, '/odds?event, each after a change of its rows', 'changed');
  bench.figure(
    "share of the front thread's time that ingest took there, taken off",
    median(rates.get('share')!) * 100,
    '%',
  );
  const against = (name: string): number => pairedRatio(figures.get(name)!, figures.get('control')!);
  const goal = { target: 0.4 };
  bench.ratio('event-cold', '/odds?event, not asked before', 'bare uWebSockets, same bytes', against('cold'), goal);
  bench.ratio(
    'event-changed',
    '/odds?event, rows changed since',
    'bare uWebSockets, same bytes',
    against('changed'),
    goal,
  );
}

/** A post that changes a row of every event, then a request for each, and the same with the prices back. */
function changingRequests(server: Overround, market: Market): { text: string; counted: boolean }[] {
  const events = Array.from({ length: CHANGED_EVENTS }, (_, i) => i);
  const headers = { ...server.headers, 'Content-Type': 'application/json' };
  const requests: { text: string; counted: boolean }[] = [];
  const now = new Date(Date.now() + 1_000).toISOString();
  for (const phase of [1, 0]) {
    const message = market.message(0, events, (_, quote) => (quote === 0 ? phase : 0), 1) as { polled_at: string };
    message.polled_at = now;
    requests.push({ text: postRequest('/api/v1/ingest', headers, JSON.stringify(message)), counted: false });
    for (const event of events)
      requests.push({ text: server.request(`/api/v1/odds?event=${market.eventId(event)}`), counted: true });
  }
  return requests;
}

async function peers(bench: Bench, server: Overround, control: Peer, page: Page, path: string): Promise<void> {
  const node = await nodePeer('node-http', bench.folder, [page]);
  const redis = hasRedis() ? await redisPeer(bench.folder) : undefined;
  if (redis === undefined) bench.skip('fastify with rows in Redis', 'redis-server is not installed (--install-peers)');
  const fast = await nodePeer('fastify', bench.folder, [page], redis === undefined ? [] : [String(redis.port)]);
  const one = (peer: Target, path: string) => () => requestsPerCpu(bench, peer, [getRequest(path)]);
  const contenders = [
    { name: 'ours', run: () => requestsPerCpu(bench, server, [server.request(path)]) },
    { name: 'bare uWebSockets', run: () => requestsPerCpu(bench, control, [getRequest(page.path, server.headers)]) },
    { name: 'node:http, ready page', run: one(node, page.path) },
    { name: 'node:http, rows in memory', run: one(node, `/rows${page.path}`) },
    { name: 'fastify, rows in memory', run: one(fast, `/rows${page.path}`) },
  ];
  if (redis !== undefined)
    contenders.push({
      name: 'fastify, rows in Redis',
      run: one({ ...fast, others: [redis.pid] }, `/redis${page.path}`),
    });
  const figures = await alternate(bench.full ? 5 : 1, contenders);
  for (const { name } of contenders.slice(2)) {
    told(bench, figures, name, name);
    const goal = name === 'node:http, ready page' ? { target: 2 } : {};
    const ratio = pairedRatio(figures.get('ours')!, figures.get(name)!);
    bench.ratio(`event-to-${name.replace(/\W+/g, '-')}`, '/odds?event, repeated', name, ratio, goal);
  }
  bench.bars({
    id: 'rest-event',
    title: '/odds?event, 50 rows',
    unit: 'requests per CPU-second',
    bars: contenders.map(({ name }) => ({
      name: name === 'ours' ? 'overround' : name,
      value: median(figures.get(name)!),
      own: name === 'ours',
    })),
  });
  await Promise.all([node.stop(), fast.stop(), redis?.stop()]);
}

/** Latencies of paced requests while prices change all the time. */
async function whileChanging(bench: Bench, server: Overround, market: Market): Promise<void> {
  const publisher = server.publisher();
  const bodies: PollBody[] = [];
  // Each body moves one market of some events at one book; the same with the prices back comes a round later.
  const span = Math.min(market.size.events, 2_000);
  for (const phase of [1, 0])
    for (let from = 0; from + CHANGES_PER_POST / 2 <= span; from += CHANGES_PER_POST / 2) {
      const events = Array.from({ length: CHANGES_PER_POST / 2 }, (_, i) => from + i);
      bodies.push(new PollBody(market.message(0, events, (_, quote) => (quote < 2 ? phase : 0), 1)));
    }
  const questions = [
    ['sorted page of a league', `/api/v1/odds?league=${market.league(0)}&market=main&sort=-odds_decimal`],
    ['/odds?event', `/api/v1/odds?event=${market.eventId(0)}`],
    ['/odds page', '/api/v1/odds?limit=50'],
  ] as const;
  const ms = bench.full ? 10_000 : 2_500;
  const changing = (forMs: number): ReturnType<typeof atRate> =>
    atRate(CHANGES_PER_SECOND / CHANGES_PER_POST, forMs, (i) => publisher.post(bodies[i % bodies.length]!.stamped()));
  // A server just started compiles what it runs: the first question is not to pay for that alone.
  await changing(WARM_MS);
  for (const [name, path] of questions) {
    const requests = [{ text: server.request(path) }];
    const [result, fed] = await Promise.all([
      httpLoad(bench.folder, server, { requests, connections: 8, warmMs: 500, measureMs: ms, rate: 100 }),
      changing(ms + 500),
    ]);
    const changes = ((fed.sent * CHANGES_PER_POST) / (ms + 500)) * 1000;
    bench.figure(`${name} at ${format(changes)} changes/s and 100 requests/s: p50`, result.p50 / 1000, 'ms');
    bench.figure(`${name}: p99`, result.p99 / 1000, 'ms');
  }
  publisher.close();
}

async function requestsPerCpu(bench: Bench, target: Target, requests: readonly string[]): Promise<number> {
  const result = await load(bench, target, { requests: requests.map((text) => ({ text })) });
  return result.requests / result.cpu.process;
}

function load(
  bench: Bench,
  target: Target,
  options: Pick<HttpLoad, 'requests'> & Partial<HttpLoad>,
): Promise<HttpResult> {
  const times = bench.full ? { warmMs: 500, measureMs: 3_000 } : { warmMs: 300, measureMs: 1_000 };
  return httpLoad(bench.folder, target, { connections: CONNECTIONS, ...times, ...options });
}

function told(bench: Bench, figures: ReadonlyMap<string, number[]>, name: string, of: string): void {
  bench.figure(name, median(figures.get(of)!), 'requests per CPU-second');
}

/** A page as the server sends it, headers and all. */
async function capture(server: Overround, path: string): Promise<Page> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: server.headers });
  const body = Buffer.from(await answer.arrayBuffer());
  const headers: [string, string][] = [];
  for (const [name, value] of answer.headers)
    if (!['content-length', 'date', 'uwebsockets'].includes(name)) headers.push([name, value]);
  return { path, headers, body };
}
