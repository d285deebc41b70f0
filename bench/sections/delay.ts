// Ingest to client: how long after a change is taken its news is at an SSE client, as the rate of changes grows; and the
// same of the opportunities it makes and breaks.
import { type Bench, format, type Section } from '../bench.js';
import { BOOKS, bare, CHANGES_PER_POST, CLIENTS, JUDGED_RATE, newestPosition } from '../delays.js';
import { getRequest, StreamClients } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, Overround, PollBody } from '../overround.js';
import { wait } from '../process.js';
import { atRate } from '../publisher.js';
import { fittedExponent } from '../statistics.js';
import { opportunityDelay } from './opportunity-delay.js';

const P99_LIMIT_MS = 50;

export const delay: Section = {
  name: 'delay',
  about: 'ingest to SSE client, every change to every client',
  underLoad: true,
  run: async (bench) => {
    const market = new Market({ events: 1_000, books: BOOKS }, Date.now());
    // Free to use both cores, as a server would be; the load keeps to its own and sleeps while there is nothing.
    const server = await Overround.start({ dataDir: dataFolder(bench.folder, 'delay'), core: null });
    await server.fill(market);
    const rates = bench.full ? [1_000, 2_500, 5_000, 10_000, 20_000, 40_000, 80_000] : [1_000, 5_000, 20_000];
    const points: { x: number; y: number }[] = [];
    for (const rate of rates) {
      const { p50, p99, changes, bytes } = await run(bench, server, market, rate);
      bench.figure(`${format(changes)} changes/s to ${CLIENTS} clients: p50`, p50, 'ms');
      bench.figure(`${format(changes)} changes/s to ${CLIENTS} clients: p99`, p99, 'ms');
      points.push({ x: changes, y: p99 });
      if (rate === JUDGED_RATE) {
        const control = await bare(bench, rate / CHANGES_PER_POST, bytes);
        const name = `${format(JUDGED_RATE)} changes/s to ${CLIENTS} clients`;
        bench.figure(`${name}, bare uWebSockets with as many bytes: p50`, control.p50, 'ms');
        bench.figure(`${name}, bare uWebSockets with as many bytes: p99`, control.p99, 'ms');
        bench.ratio('p50', `delay (inverse), ${name}, p50`, 'bare uWebSockets', control.p50 / p50, { tolerance: 0.6 });
        bench.ratio('p99', `delay (inverse), ${name}, p99`, 'bare uWebSockets', control.p99 / p99, { tolerance: 0.8 });
      }
      if (p99 > P99_LIMIT_MS && rate >= JUDGED_RATE) break;
    }
    bench.plot({
      id: 'delay',
      title: `Delay from ingest to ${CLIENTS} SSE clients`,
      x: 'changes/s',
      y: 'p99, ms',
      series: [{ name: 'p99', points, exponent: fittedExponent(points) }],
    });
    await opportunityDelay(bench, server, market);
    await server.stop();
  },
};

async function run(
  bench: Bench,
  server: Overround,
  market: Market,
  rate: number,
): Promise<{ p50: number; p99: number; changes: number; bytes: number }> {
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
  const { sent } = await atRate(perSecond, ms, post);
  await wait(100);
  const result = await clients.end();
  await clients.close();
  publisher.close();
  return {
    p50: result.p50 / 1000,
    p99: result.p99 / 1000,
    changes: (sent * CHANGES_PER_POST * 1000) / ms,
    bytes: Math.round(result.bytes / result.messages),
  };
}
