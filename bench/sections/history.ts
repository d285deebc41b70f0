// What history costs and answers: ingest and delays with and without it, bytes of a change on disk, questions asked of
// millions of changes while more arrive, and their export.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Bench, format, inTurn, type Section } from '../bench.js';
import { CHANGES_PER_POST, JUDGED_RATE, judgedRounds, Listeners, roundsOf, type Served } from '../delays.js';
import type { HistoryFilled } from '../history-fill.js';
import { getRequest, httpLoad } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, movingPosts, Overround, type PollBody } from '../overround.js';
import { nodePeer } from '../peers.js';
import { cpuTime, start, wait } from '../process.js';
import { atRate } from '../publisher.js';
import { alternate, median, pairedRatio } from '../statistics.js';
import { capture } from './rest.js';

const FILL = fileURLToPath(new URL('../history-fill.js', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../src/main.js', import.meta.url));
const BOOKS = 10;
const WARM_MS = 1_500;
const WITHOUT = 'without history';
const WITH = 'with history';

/** Of the targets. */
const INGEST_LEAST = 0.95;
/** A delay may be a tenth longer. */
const DELAY_LEAST = 1 / 1.1;
const CHANGE_BYTES = 6;
const ROW_P99_MS = 5;
/** A second. One who asks again at once would spin on a core that the server needs. */
const ROWS_ASKED = 50;
const MARKETS_ASKED = 15;
const MARKET_P99_MS = 50;
const INSTANTS_ASKED = 10;
const INSTANT_P50_MS = 20;

export const history: Section = {
  name: 'history',
  about: 'what keeping what prices did costs, and asking for it',
  underLoad: true,
  run: inTurn(keeping, recorded, asking),
};

/** Two servers side by side, free to use both cores, that take turns. */
async function keeping(bench: Bench): Promise<void> {
  const events = bench.full ? 1_000 : 400;
  const started = async (name: string, days: string): Promise<Served> => {
    const market = new Market({ events, books: BOOKS }, Date.now());
    const dataDir = dataFolder(bench.folder, `history-${days}`);
    const server = await Overround.start({ dataDir, core: null, flags: ['--history', days] });
    await server.fill(market);
    return { where: { name: `, ${name}`, id: '' }, server, market };
  };
  const all = [await started(WITHOUT, '0'), await started(WITH, '7')] as const;
  const rates = new Map([
    [WITHOUT, new Flood(all[0])],
    [WITH, new Flood(all[1])],
  ]);
  const ms = bench.full ? 4_000 : 1_500;
  for (const flood of rates.values()) await flood.round(ms);
  const taken = await alternate(
    roundsOf(bench),
    [...rates].map(([name, flood]) => ({ name, run: () => flood.round(ms) })),
  );
  for (const [name, perSecond] of taken)
    bench.figure(`changes taken as fast as they are answered, ${name}`, median(perSecond), 'changes/s');
  const ratio = pairedRatio(taken.get(WITH)!, taken.get(WITHOUT)!);
  bench.ratio('ingest', `changes taken, ${WITH}`, WITHOUT, ratio, { target: INGEST_LEAST });
  for (const [name, { cpuUs }] of rates) bench.figure(`CPU a change taken, ${name}`, median(cpuUs), 'µs');
  const listening: Listeners[] = [];
  for (const [i, flood] of [...rates.values()].entries()) {
    flood.close();
    listening.push(await Listeners.open(bench, all[i]!, { path: '/api/v1/stream/odds?', posts: flood.following }));
  }
  const { ours } = await judgedRounds(bench, listening, WARM_MS);
  for (const listeners of listening) await listeners.close();
  for (const of of ['p50', 'p99'] as const) {
    for (const [i, { delays }] of ours.entries())
      bench.figure(
        `batch to SSE client at ${format(JUDGED_RATE)} changes/s${all[i]!.where.name}: ${of}`,
        median(delays[of]),
        'ms',
      );
    const inverse = pairedRatio(ours[0]!.delays[of], ours[1]!.delays[of]);
    bench.ratio(`delay-${of}`, `delay (inverse) ${WITH}, ${of}`, WITHOUT, inverse, { target: DELAY_LEAST });
  }
  for (const { server } of all) await server.stop();
}

/** Posts as fast as they are answered. */
class Flood {
  readonly #server: Overround;
  readonly #publisher;
  readonly #posts;
  /** Of the whole server a change, one a round. */
  readonly cpuUs: number[] = [];
  #index = 0;

  constructor({ server, market }: Served) {
    this.#server = server;
    this.#publisher = server.publisher();
    this.#posts = movingPosts(market, CHANGES_PER_POST);
  }

  /** Answers rows written a second. */
  async round(ms: number): Promise<number> {
    const before = await this.#server.rowsWritten();
    const cpuBefore = cpuTime(this.#server.pid).process;
    const begun = performance.now();
    await atRate(1e6, ms, () => this.#publisher.post(this.#posts[this.#index++ % this.#posts.length]!.stamped()), 12);
    const changes = (await this.#server.rowsWritten()) - before;
    this.cpuUs.push(((cpuTime(this.#server.pid).process - cpuBefore) / changes) * 1e6);
    return changes / ((performance.now() - begun) / 1000);
  }

  /** From where it ended: earlier ones say what the table has already. */
  get following(): readonly PollBody[] {
    const next = this.#index % this.#posts.length;
    return [...this.#posts.slice(next), ...this.#posts.slice(0, next)];
  }

  close(): void {
    this.#publisher.close();
  }
}

async function fill(dataDir: string, args: readonly string[]): Promise<HistoryFilled> {
  const child = start(process.execPath, [FILL, '--data', dataDir, ...args], null);
  const filled = JSON.parse(await child.line()) as HistoryFilled;
  await child.stop();
  return filled;
}

function tellBytes(bench: Bench, of: string, filled: HistoryFilled): void {
  bench.say(
    `  ${of}: ${format(filled.changes)} changes of ${format(filled.rows)} rows in ${format(filled.events)} events`,
  );
  bench.figure(`${of}: a change on disk`, filled.bytes.changes / filled.changes, 'bytes', CHANGE_BYTES);
  bench.figure(`${of}: a row on disk, with its opening price`, filled.bytes.rows / filled.rows, 'bytes');
}

async function recorded(bench: Bench): Promise<void> {
  if (bench.recording === undefined) {
    bench.skip('bytes of a change of recorded polls', 'no --recording was given');
    return;
  }
  tellBytes(
    bench,
    'recorded polls',
    await fill(dataFolder(bench.folder, 'recorded'), ['--recording', bench.recording]),
  );
}

async function asking(bench: Bench): Promise<void> {
  const [changes, events] = bench.full ? [10_000_000, 1_000] : [1_000_000, 100];
  const dataDir = dataFolder(bench.folder, 'asked');
  const filled = await fill(dataDir, [
    '--changes',
    String(changes),
    '--events',
    String(events),
    '--books',
    String(BOOKS),
  ]);
  tellBytes(bench, 'a day of prices that walk', filled);
  await exported(bench, dataDir, filled.changes);
  const market = new Market({ events, books: BOOKS }, Date.now());
  const server = await Overround.start({ dataDir, core: null, flags: ['--history', '7'] });
  await server.fill(market);
  const publisher = server.publisher();
  const posts = movingPosts(market, CHANGES_PER_POST);
  let index = 0;
  const post = (): Promise<void> => publisher.post(posts[index++ % posts.length]!.stamped());
  const changesFromMs = Date.now();
  await atRate(JUDGED_RATE / CHANGES_PER_POST, WARM_MS, post);
  const from = new Date(Date.now() - 24 * 3_600_000).toISOString();
  const ids = await rowsOf(server, market, 200);
  const asked = [
    {
      name: "a row's day",
      paths: ids.map((id) => `/api/v1/odds/history?odds_id=${id}&from=${from}&limit=10000`),
      rate: ROWS_ASKED,
      p99Ms: ROW_P99_MS,
    },
    {
      name: "an event's market, its day",
      paths: Array.from(
        { length: Math.min(events, 100) },
        (_, event) => `/api/v1/odds/history?event=${market.eventId(event)}&market=moneyline&from=${from}&limit=10000`,
      ),
      rate: MARKETS_ASKED,
      p99Ms: MARKET_P99_MS,
    },
    {
      name: 'an event at an instant (at=)',
      // Each another one: nothing is known from the one before.
      paths: Array.from({ length: 200 }, (_, i) => {
        const at = new Date(changesFromMs + (WARM_MS * i) / 200).toISOString();
        return `/api/v1/events/${market.eventId((i * 7) % events)}/odds?limit=100&at=${at}`;
      }),
      rate: INSTANTS_ASKED,
      p50Ms: INSTANT_P50_MS,
    },
  ];
  const ready = await Promise.all(asked.map(({ paths }) => capture(server, paths[0]!)));
  // Asked in the same seconds: what the load leaves of the cores, both have to wait for.
  const control = await nodePeer(
    'bare-uws',
    bench.folder,
    ready.map((page, no) => ({ ...page, path: `/page-${no}`, fromThread: true })),
    [],
    null,
  );
  const warmMs = 500;
  const measureMs = bench.full ? 8_000 : 5_000;
  for (const [no, { name, paths, rate, p50Ms, p99Ms }] of asked.entries()) {
    const load = { connections: 1, warmMs, measureMs, rate };
    const changing = atRate(JUDGED_RATE / CHANGES_PER_POST, warmMs + measureMs, post);
    // The load programs take a moment to start.
    await wait(50);
    const [ours, bare] = await Promise.all([
      httpLoad(bench.folder, server, { ...load, requests: paths.map((path) => ({ text: server.request(path) })) }),
      httpLoad(bench.folder, control, { ...load, requests: [{ text: getRequest(`/page-${no}`) }] }),
    ]);
    await changing;
    bench.say(
      `  ${name}: asked ${format(ours.requests)} times, ${rate} times a second, while ${format(JUDGED_RATE)} changes/s arrive`,
    );
    bench.figure(`${name}: p50`, ours.p50 / 1000, 'ms', p50Ms);
    bench.figure(`${name}: p99`, ours.p99 / 1000, 'ms', p99Ms);
    bench.figure(`${name}, ready in a thread of bare uWebSockets, meanwhile: p50`, bare.p50 / 1000, 'ms');
    bench.figure(`${name}, ready in a thread of bare uWebSockets, meanwhile: p99`, bare.p99 / 1000, 'ms');
  }
  await control.stop();
  publisher.close();
  await server.stop();
}

/** Odds ids, evenly over the events. */
async function rowsOf(server: Overround, market: Market, count: number): Promise<string[]> {
  const ids: string[] = [];
  const events = Math.min(count / 2, market.size.events);
  for (let i = 0; i < events; i++) {
    const event = market.eventId(Math.floor((i * market.size.events) / events));
    const { data } = (await server.json(`/api/v1/odds?event=${event}&limit=${Math.ceil(count / events)}`)) as {
      data: { id: string }[];
    };
    ids.push(...data.map(({ id }) => id));
  }
  return ids;
}

async function exported(bench: Bench, dataDir: string, changes: number): Promise<void> {
  for (const name of ['parquet', 'ndjson']) {
    const out = join(bench.folder, `export.${name}`);
    const { stderr } = await promisify(execFile)(process.execPath, [
      PROGRAM,
      'export',
      '--data',
      dataDir,
      '--out',
      out,
    ]);
    const summary = /^(\d+) changes .* in ([\d.]+) s \((\d+)\/s\)$/m.exec(stderr);
    if (summary === null || Number(summary[1]) !== changes) throw new Error(`export said: ${stderr}`);
    bench.figure(`export to ${name}`, Number(summary[3]), 'changes/s');
  }
}
