// REST: pages of odds against a bare uWebSockets handler that sends the same bytes with the same headers, and peers.
import { type Bars, type Bench, format, type Section } from '../bench.js';
import { BOOKS, CHANGES_PER_POST, JUDGED_RATE } from '../delays.js';
import { getRequest, type HttpLoad, type HttpResult, httpLoad, postRequest, type Target } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, Overround, PollBody } from '../overround.js';
import { hasRedis, nodePeer, redisPeer } from '../peers.js';
import { SERVER_CORE, wait } from '../process.js';
import { atRate } from '../publisher.js';
import type { Page } from '../servers/serving.js';
import { alternate, median, pairedRatio } from '../statistics.js';

const CONNECTIONS = 64;
/** Questions asked in turn where every page must be made anew: more than are remembered. */
const COLD_EVENTS = 6_000;
export const CHANGED_EVENTS = 250;
const DELAYED_MS = 75_000;
const WARM_MS = 1_000;
const WARM_TURNS = 2;

export const rest: Section = {
  name: 'rest',
  about: 'REST pages against bare uWebSockets and peers',
  underLoad: true,
  run: async (bench) => {
    const market = new Market({ events: bench.full ? 8_334 : 1_500, books: BOOKS }, Date.now());
    const server = await Overround.start({ dataDir: dataFolder(bench.folder, 'rest') });
    await server.fill(market);
    bench.say(`  ${format(market.rows)} rows`);
    // A minute after the rows came the Free tier's table takes them in, which with so many is seconds of the same thread.
    if (bench.full) await wait(DELAYED_MS);
    await pages(bench, server, market);
    // Latencies are those of a server that may use both cores.
    server.moveTo(null);
    await whileChanging(bench, server, market);
    await server.stop();
  },
};

const CONTROL = 'bare uWebSockets, same bytes';
const EVENT = '/odds?event (50 rows), repeated';
const COLD = '/odds?event, each for an event not asked before';
const CHANGED = '/odds?event, each after a change of its rows';
/** What is sent where pages change in turn: as many pages, ready. The same one again and again lies in the processor's nearest cache. */
const CONTROL_MANY = `bare uWebSockets, ${CHANGED_EVENTS} pages of the same bytes`;
/** What pages cost that come from memory and no cache: ready, and joined of rows that lie apart. */
const CONTROL_READY = 'bare uWebSockets, as many ready pages, in turn';
const CONTROL_JOINED = 'bare uWebSockets, as many pages of rows in memory, joined for each request';
/** What a page costs at least that is made for its question, by the plainest code that answers it (servers/page-of-event.ts). */
const CONTROL_EVENT =
  'bare uWebSockets, pages chosen, counted, tagged and joined for each request of a caller with a key';
/** The least that a page costs whose caller has a key and a limit. */
const CONTROL_KNOWN = 'bare uWebSockets, same bytes to a caller with a key and a limit';
/** Changes are taken off at what they cost alone. Beside pages they cost the front thread more, which the pages pay. */
const CONTROL_BESIDE = '/odds?event, unchanged, beside as many changes of other events';
const NODE_READY = 'node:http, ready page';

interface Question {
  id: string;
  name: string;
  path: string;
  target?: number;
}

/** In the short profile a list of rows and one that is summed up. */
function questionsOf(bench: Bench, market: Market): Question[] {
  const event = market.eventId(0);
  const all = [
    { id: 'event', name: EVENT, path: `/api/v1/odds?event=${event}`, target: 0.85 },
    { id: 'page', name: '/odds page of 50, repeated', path: '/api/v1/odds?limit=50', target: 0.6 },
    { id: 'best', name: '/odds/best?event, repeated', path: `/api/v1/odds/best?event=${event}` },
    { id: 'comparison', name: '/odds/comparison?event, repeated', path: `/api/v1/odds/comparison?event=${event}` },
  ];
  return bench.full ? all : all.filter(({ id }) => id === 'event' || id === 'best');
}

interface Contender {
  name: string;
  run(): Promise<number>;
}

/** The control of each repeated page has as many bytes as it. */
function controlOf(name: string, no: number): string {
  return no === 0 ? CONTROL : `${CONTROL} as ${name}`;
}

/** Everybody in turns, round after round, so that each is compared with a control and peers of the same minute. */
async function pages(bench: Bench, server: Overround, market: Market): Promise<void> {
  const questions = questionsOf(bench, market);
  const shown: Page[] = [];
  for (const [i, { path }] of questions.entries()) shown.push({ ...(await capture(server, path)), path: `/page-${i}` });
  const control = await nodePeer('bare-uws', bench.folder, shown);
  const copies = market.size.events;
  const controlCold = await nodePeer('bare-uws', bench.folder, [{ ...shown[0]!, copies, known: true }]);
  const known = getRequest(`${shown[0]!.path}/known?page=${shown[0]!.path}`, server.headers);
  const inTurn = (way: string): string[] =>
    Array.from({ length: copies }, (_, no) => getRequest(`${shown[0]!.path}/${way}/${no}`, server.headers));
  const asEvents = Array.from({ length: copies }, (_, no) =>
    getRequest(`${shown[0]!.path}/event?event=${no}&limit=50`, server.headers),
  );
  const changing: Page[] = [];
  for (let event = 0; event < CHANGED_EVENTS; event++) {
    const page = await capture(server, `/api/v1/odds?event=${market.eventId(event)}`);
    changing.push({ ...page, path: `/changing-${event}` });
  }
  const controlMany = await nodePeer('bare-uws', bench.folder, changing);
  const requestsMany = changing.map(({ path }) => getRequest(path, server.headers));
  const others = await startPeers(bench, shown[0]!);
  const one = (name: string, target: Target, request: string): Contender => ({
    name,
    run: () => requestsPerCpu(bench, target, [request]),
  });
  const cold = coldRequests(server, market);
  let round = 0;
  const changed = changedRate(bench, server, market);
  // A server that has only taken what it was filled with has not yet compiled what makes a page: with all cores, as that
  // is not measured.
  server.moveTo(null);
  for (let turn = 0; turn < WARM_TURNS; turn++) {
    await load(bench, server, { requests: cold.map((text) => ({ text })), measureMs: WARM_MS });
    for (const { path } of questions) await requestsPerCpu(bench, server, [server.request(path)]);
    await changed.run();
  }
  changed.shares.length = 0;
  server.moveTo(SERVER_CORE);
  const figures = await alternate(bench.full ? 5 : 3, [
    ...questions.flatMap(({ name, path }, i) => [
      one(controlOf(name, i), control, getRequest(`/page-${i}`, server.headers)),
      one(name, server, server.request(path)),
    ]),
    { name: COLD, run: () => requestsPerCpu(bench, server, turned(cold, (round++ * cold.length) / 2)) },
    { name: CONTROL_READY, run: () => requestsPerCpu(bench, controlCold, inTurn('ready')) },
    { name: CONTROL_JOINED, run: () => requestsPerCpu(bench, controlCold, inTurn('joined')) },
    { name: CONTROL_EVENT, run: () => requestsPerCpu(bench, controlCold, asEvents) },
    one(CONTROL_KNOWN, controlCold, known),
    { name: CONTROL_MANY, run: () => requestsPerCpu(bench, controlMany, requestsMany) },
    { name: CHANGED, run: changed.run },
    { name: CONTROL_BESIDE, run: changedRate(bench, server, market, CHANGED_EVENTS).run },
    ...others.contenders,
  ]);
  await Promise.all([control.stop(), controlCold.stop(), controlMany.stop(), others.stop()]);
  const peers = others.contenders.map(({ name }) => name);
  tellPages(bench, { questions, figures, changedShares: changed.shares, peers });
}

interface Measured {
  questions: readonly Question[];
  /** Requests per CPU-second by name, one a round. */
  figures: ReadonlyMap<string, number[]>;
  /** Of the front thread's time, what ingest took there while rows were changed. */
  changedShares: readonly number[];
  peers: readonly string[];
}

function tellPages(bench: Bench, { questions, figures, changedShares, peers }: Measured): void {
  const repeated = questions.map(({ name }) => name);
  const controls = [CONTROL_KNOWN, CONTROL_READY, CONTROL_JOINED, CONTROL_EVENT, CONTROL_MANY, CONTROL_BESIDE];
  for (const name of [CONTROL, ...repeated, COLD, CHANGED, ...controls, ...peers])
    bench.figure(name, median(figures.get(name)!), 'requests per CPU-second');
  const share = median(changedShares) * 100;
  bench.figure("share of the front thread's time that ingest took there, taken off", share, '%');
  const ratio = (id: string, what: string, [ours, theirs]: [string, string], target?: number): void => {
    const shownAs = theirs.startsWith(CONTROL) ? CONTROL : theirs;
    const value = pairedRatio(figures.get(ours)!, figures.get(theirs)!);
    bench.ratio(id, what, shownAs, value, target === undefined ? {} : { target });
  };
  /** How far a control itself comes. */
  const limit = (id: string, name: string): void =>
    bench.ratio(id, name, CONTROL, pairedRatio(figures.get(name)!, figures.get(CONTROL)!), { judged: false });
  for (const [i, { id, name, target }] of questions.entries()) ratio(id, name, [name, controlOf(name, i)], target);
  ratio('event-cold', '/odds?event, not asked before', [COLD, CONTROL], 0.3);
  ratio('event-cold-to-ready', '/odds?event, not asked before', [COLD, CONTROL_READY]);
  ratio('event-cold-to-joined', '/odds?event, not asked before', [COLD, CONTROL_JOINED]);
  limit('ready-to-one-page', CONTROL_READY);
  limit('known-to-one-page', CONTROL_KNOWN);
  limit('joined-to-one-page', CONTROL_JOINED);
  limit('made-to-one-page', CONTROL_EVENT);
  ratio('event-to-known', EVENT, [EVENT, CONTROL_KNOWN]);
  ratio('beside-to-many', CONTROL_BESIDE, [CONTROL_BESIDE, CONTROL_MANY]);
  ratio('event-changed-to-beside', '/odds?event, rows changed since', [CHANGED, CONTROL_BESIDE]);
  ratio('event-cold-to-made', '/odds?event, not asked before', [COLD, CONTROL_EVENT]);
  ratio('event-changed', '/odds?event, rows changed since', [CHANGED, CONTROL_MANY], 0.6);
  ratio('event-changed-to-one-page', '/odds?event, rows changed since, one page for control', [CHANGED, CONTROL]);
  for (const name of peers)
    ratio(
      `event-to-${name.replace(/\W+/g, '-')}`,
      '/odds?event, repeated',
      [EVENT, name],
      name === NODE_READY ? 2 : undefined,
    );
  const bar = (name: string, of = name): Bars['bars'][number] => ({
    name,
    value: median(figures.get(of)!),
    own: of === EVENT,
  });
  bench.bars({
    id: 'rest-event',
    title: '/odds?event, 50 rows',
    unit: 'requests per CPU-second',
    bars: [
      bar('overround', EVENT),
      { ...bar('bare uWebSockets', CONTROL), control: true },
      ...peers.map((name) => bar(name)),
    ],
  });
}

async function startPeers(bench: Bench, page: Page): Promise<{ contenders: Contender[]; stop(): Promise<void> }> {
  const node = await nodePeer('node-http', bench.folder, [page]);
  const redis = hasRedis() ? await redisPeer(bench.folder) : undefined;
  if (redis === undefined) bench.skip('fastify with rows in Redis', 'redis-server is not installed (--install-peers)');
  const fast = await nodePeer('fastify', bench.folder, [page], redis === undefined ? [] : [String(redis.port)]);
  const one = (name: string, peer: Target, path: string): Contender => ({
    name,
    run: () => requestsPerCpu(bench, peer, [getRequest(path)]),
  });
  const contenders = [
    one(NODE_READY, node, page.path),
    one('node:http, rows in memory', node, `/rows${page.path}`),
    one('fastify, rows in memory', fast, `/rows${page.path}`),
  ];
  if (redis !== undefined)
    contenders.push(one('fastify, rows in Redis', { ...fast, others: [redis.pid] }, `/redis${page.path}`));
  return {
    contenders,
    stop: async () => {
      await Promise.all([node.stop(), fast.stop(), redis?.stop()]);
    },
  };
}

/** Questions whose answers are not kept: each is asked again only after thousands of others. */
function coldRequests(server: Overround, market: Market): string[] {
  return Array.from({ length: COLD_EVENTS }, (_, i) => {
    const path = `/api/v1/odds?event=${market.eventId(i % market.size.events)}`;
    // Where there are fewer events than that, the same one is asked for in several ways.
    const way = Math.floor(i / market.size.events);
    return server.request(way === 0 ? path : `${path}&limit=${50 - way}`);
  });
}

/** A round begins where the one before it did not. */
function turned(requests: readonly string[], by: number): string[] {
  const at = Math.floor(by) % requests.length;
  return [...requests.slice(at), ...requests.slice(0, at)];
}

/**
 * Pages whose rows changed since they were asked, or of events so many further on, which did not change. What the changes
 * themselves cost the front thread is taken off.
 */
export function changedRate(
  bench: Bench,
  server: Overround,
  market: Market,
  furtherOn = 0,
): { run(): Promise<number>; shares: number[] } {
  const changing = changingRequests(server, market, furtherOn);
  const posts = changing.filter((request) => !request.counted);
  const shares: number[] = [];
  const run = async (): Promise<number> => {
    const mixed = await load(bench, server, { requests: changing, measureMs: bench.full ? 2_000 : 800 });
    const alone = await load(bench, server, {
      requests: posts,
      connections: 1,
      measureMs: bench.full ? 1_000 : 400,
    });
    const ingest = (mixed.others * alone.cpu.main) / alone.others;
    shares.push(ingest / mixed.cpu.main);
    return mixed.requests / (mixed.cpu.main - ingest);
  };
  return { run, shares };
}

/** A post that changes a row of every event, then a request for each (or another), and the same with the prices back. */
function changingRequests(server: Overround, market: Market, furtherOn: number): { text: string; counted: boolean }[] {
  const events = Array.from({ length: CHANGED_EVENTS }, (_, i) => i);
  const headers = { ...server.headers, 'Content-Type': 'application/json' };
  const requests: { text: string; counted: boolean }[] = [];
  const now = new Date(Date.now() + 1_000).toISOString();
  for (const phase of [1, 0]) {
    const message = market.message(0, events, (_, quote) => (quote === 0 ? phase : 0), 1) as { polled_at: string };
    message.polled_at = now;
    requests.push({ text: postRequest('/api/v1/ingest', headers, JSON.stringify(message)), counted: false });
    for (const event of events)
      requests.push({ text: server.request(`/api/v1/odds?event=${market.eventId(event + furtherOn)}`), counted: true });
  }
  return requests;
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
    { name: 'sorted page of a league', path: `/api/v1/odds?league=${market.league(0)}&market=main&sort=-odds_decimal` },
    ...questionsOf(bench, market),
  ];
  const [ms, warmMs] = bench.full ? [10_000, 500] : [2_000, 300];
  const changing = (forMs: number): ReturnType<typeof atRate> =>
    atRate(JUDGED_RATE / CHANGES_PER_POST, forMs, (i) => publisher.post(bodies[i % bodies.length]!.stamped()));
  // A server just started compiles what it runs: the first question is not to pay for that alone.
  await changing(bench.full ? 3_000 : 2_000);
  for (const { name, path } of questions) {
    const requests = [{ text: server.request(path) }];
    const [result, fed] = await Promise.all([
      httpLoad(bench.folder, server, { requests, connections: 8, warmMs, measureMs: ms, rate: 100 }),
      changing(ms + warmMs),
    ]);
    const changes = ((fed.sent * CHANGES_PER_POST) / (ms + warmMs)) * 1000;
    if (changes < 0.98 * JUDGED_RATE) bench.say(`  ${name}: at ${format(changes)} changes/s`);
    bench.figure(`${name} at ${format(JUDGED_RATE)} changes/s and 100 requests/s: p50`, result.p50 / 1000, 'ms');
    bench.figure(`${name}: p99`, result.p99 / 1000, 'ms');
  }
  publisher.close();
}

export async function requestsPerCpu(bench: Bench, target: Target, requests: readonly string[]): Promise<number> {
  const result = await load(bench, target, { requests: requests.map((text) => ({ text })) });
  return result.requests / result.cpu.process;
}

function load(
  bench: Bench,
  target: Target,
  options: Pick<HttpLoad, 'requests'> & Partial<HttpLoad>,
): Promise<HttpResult> {
  const times = bench.full ? { warmMs: 500, measureMs: 3_000 } : { warmMs: 80, measureMs: 320 };
  return httpLoad(bench.folder, target, { connections: CONNECTIONS, ...times, ...options });
}

/** A page as the server sends it, headers and all. */
export async function capture(server: Overround, path: string): Promise<Page> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: server.headers });
  const body = Buffer.from(await answer.arrayBuffer());
  const headers: [string, string][] = [];
  for (const [name, value] of answer.headers)
    if (!['content-length', 'date', 'uwebsockets'].includes(name)) headers.push([name, value]);
  return { path, headers, body };
}
