// How costs grow with rows, clients, groups, books and universes: a plot each, with the exponent that fits.
import { type Bench, inTurn, type Plot, type Point, type Section } from '../bench.js';
import { detectionAt } from '../detection.js';
import { httpLoad, StreamClients } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, Overround, PollBody } from '../overround.js';
import { wait } from '../process.js';
import { fittedExponent } from '../statistics.js';
import { ourStream, runStream, subscription } from '../streams.js';
import { type EngineFigures, engineFigures, startFrom } from './store.js';

const MIB = 1024 * 1024;

export const scale: Section = {
  name: 'scale',
  about: 'how costs grow',
  underLoad: true,
  run: inTurn(
    startByRows,
    pageByRows,
    quoteByRows,
    byClients,
    byGroups,
    byBooks,
    detectionByBooks,
    detectionByUniverses,
  ),
};

function plot(bench: Bench, about: Omit<Plot, 'series'>, series: Readonly<Record<string, Point[]>>): void {
  bench.plot({
    ...about,
    series: Object.entries(series).map(([name, points]) => ({ name, points, exponent: fittedExponent(points) })),
  });
}

async function startByRows(bench: Bench): Promise<void> {
  // 840 rows an event.
  const events = bench.full ? [12, 36, 120, 360, 1_200] : [12, 36, 72];
  const starts: Point[] = [];
  const memory: Point[] = [];
  for (const count of events) {
    const { rows, ms, residentBytes } = await startFrom(bench, count);
    starts.push({ x: rows, y: ms });
    memory.push({ x: rows, y: residentBytes / MIB });
  }
  plot(bench, { id: 'start-by-rows', title: 'Start from disk', x: 'rows', y: 'ms' }, { start: starts });
  plot(bench, { id: 'memory-by-rows', title: 'Resident memory', x: 'rows', y: 'MiB' }, { resident: memory });
}

async function pageByRows(bench: Bench): Promise<void> {
  const pages: Record<string, Point[]> = { '/odds?event': [], '/odds page of 50': [], 'sorted page of a league': [] };
  for (const count of eventsOfRows(bench)) {
    const market = new Market({ events: count, books: 10 }, Date.now());
    const server = await Overround.start({ dataDir: dataFolder(bench.folder, `scale-${count}`) });
    await server.fill(market);
    const paths = {
      '/odds?event': `/api/v1/odds?event=${market.eventId(1)}`,
      '/odds page of 50': '/api/v1/odds?limit=50',
      'sorted page of a league': `/api/v1/odds?league=${market.league(0)}&sort=-odds_decimal`,
    };
    for (const [name, path] of Object.entries(paths)) {
      // A parameter it does not know makes each of these another question, so that none is answered from memory.
      const requests = Array.from({ length: 3_000 }, (_, i) => ({ text: server.request(`${path}&n=${i}`) }));
      const result = await httpLoad(bench.folder, server, { requests, connections: 8, warmMs: 300, measureMs: 700 });
      pages[name]!.push({ x: market.rows, y: (result.cpu.process * 1e6) / result.requests });
    }
    await server.stop();
  }
  plot(bench, { id: 'page-by-rows', title: 'A page made anew', x: 'rows', y: 'CPU µs' }, pages);
}

/** Of ten books with six rows each. */
function eventsOfRows({ full }: Bench): number[] {
  return full ? [167, 500, 1_667, 5_000, 16_667] : [167, 500, 1_667];
}

/** As many quotes, of a few thousand events at most, among more and more rows. */
async function quoteByRows(bench: Bench): Promise<void> {
  const costs = noQuoteCosts();
  for (const events of eventsOfRows(bench)) {
    const size = { events, books: 10, ms: bench.full ? 2_000 : 1_200, sent: 2_000 };
    const run = await engineFigures(bench, `rows-${events}`, size);
    addQuoteCosts(costs, run.rows, run);
  }
  plot(bench, { id: 'quote-by-rows', title: 'A quote through one shard', x: 'rows', y: 'µs' }, costs);
}

async function byClients(bench: Bench): Promise<void> {
  const market = new Market({ events: 20, books: 4 }, Date.now());
  const server = await Overround.start({ dataDir: dataFolder(bench.folder, 'scale-clients') });
  await server.fill(market);
  const series: Record<string, Point[]> = { SSE: [], WebSocket: [] };
  for (const transport of ['sse', 'ws'] as const) {
    const stream = await ourStream(server, market, transport, 1);
    for (const clients of bench.full ? [50, 200, 1_000, 2_500, 5_000] : [50, 300, 2_000]) {
      const result = await runStream(bench.folder, stream, { connections: clients, perSecond: 5_000, ms: 1_000 });
      const messages = result.messages / clients;
      series[transport === 'sse' ? 'SSE' : 'WebSocket']!.push({
        x: clients,
        y: (result.cpu.process * 1000) / messages,
      });
    }
    stream.close();
  }
  await server.stop();
  plot(bench, { id: 'message-by-clients', title: 'A message to all clients', x: 'clients', y: 'CPU ms' }, series);
}

/** As many clients, in more and more groups: what a group costs over being in one with others. */
async function byGroups(bench: Bench): Promise<void> {
  const clients = 500;
  const market = new Market({ events: clients, books: 2 }, Date.now());
  const server = await Overround.start({ dataDir: dataFolder(bench.folder, 'scale-groups') });
  await server.fill(market);
  const publisher = server.publisher();
  const bodies = [1, 0].map((phase) => new PollBody(market.message(0, [0], (_, quote) => (quote < 2 ? phase : 0), 1)));
  const points: Point[] = [];
  for (const groups of bench.full ? [1, 5, 20, 100, 500] : [1, 20, 500]) {
    // Every group has the event that moves, and one more of its own.
    const loads = Array.from({ length: groups }, (_, group) =>
      subscription(
        server,
        'sse',
        `event=${market.eventId(0)},${market.eventId(group + 1 === clients ? 1 : group + 1)}`,
      ),
    );
    // One load program for all of them: to wake several would cost the server more with every group.
    const request = loads.map((load) => load.request as string);
    const opened = await StreamClients.open(bench.folder, server, { ...loads[0]!, request, connections: clients });
    await wait(200);
    await opened.begin();
    let sent = 0;
    const until = performance.now() + 1_000;
    while (performance.now() < until) await publisher.post(bodies[sent++ % 2]!.stamped());
    const { cpu } = await opened.end();
    points.push({ x: groups, y: (cpu.process * 1000) / sent });
    await opened.close();
    await wait(300);
  }
  publisher.close();
  await server.stop();
  plot(
    bench,
    { id: 'message-by-groups', title: `A message to ${clients} clients`, x: 'groups', y: 'CPU ms' },
    { SSE: points },
  );
}

async function byBooks(bench: Bench): Promise<void> {
  const costs = noQuoteCosts();
  for (const books of booksOf(bench)) {
    const size = { events: Math.round(6_000 / books), books, ms: 1_200 };
    addQuoteCosts(costs, books, await engineFigures(bench, `books-${books}`, size));
  }
  plot(bench, { id: 'quote-by-books', title: 'A quote through one shard', x: 'books per event', y: 'µs' }, costs);
}

function booksOf({ full }: Bench): number[] {
  return full ? [2, 5, 10, 20, 28] : [2, 10, 28];
}

type QuoteCosts = Record<'5 % changed' | 'all changed', Point[]>;

function noQuoteCosts(): QuoteCosts {
  return { '5 % changed': [], 'all changed': [] };
}

/** µs a quote of either kind, each in a run of its own. */
function addQuoteCosts(costs: QuoteCosts, x: number, { seen, changed }: EngineFigures): void {
  costs['5 % changed'].push({ x, y: (seen.seconds * 1e6) / seen.quotes });
  costs['all changed'].push({ x, y: (changed.seconds * 1e6) / changed.changed });
}

/** A market evaluated again after one price of it changed, in this process. */
function detectionCosts(bench: Bench, what: 'books' | 'universes', sizes: readonly number[]): void {
  // The first one measured would pay for what it compiles.
  detectionAt({ [what]: sizes.at(-1)! }, 50);
  const [ours, plain]: [Point[], Point[]] = [[], []];
  for (const x of sizes) {
    const rates = detectionAt({ [what]: x }, bench.full ? 150 : 80);
    ours.push({ x, y: 1e6 / rates.ours });
    plain.push({ x, y: 1e6 / rates.plain });
  }
  const about = { id: `detection-by-${what}`, title: 'A market evaluated again', x: what, y: 'CPU µs' };
  plot(bench, about, { overround: ours, 'plain objects (control)': plain });
}

function detectionByBooks(bench: Bench): void {
  detectionCosts(bench, 'books', booksOf(bench));
}

/** The first is of all books, the others of some of ten. */
function detectionByUniverses(bench: Bench): void {
  detectionCosts(bench, 'universes', bench.full ? [1, 3, 10, 20, 64] : [1, 3, 20]);
}
