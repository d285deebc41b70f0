// How long after a change is taken the opportunity it makes or breaks is told to SSE clients. Of each post's 25 markets
// one becomes an arbitrage and EV, or stops to be; the others move a little.
import { type Bench, format } from '../bench.js';
import {
  BOOKS,
  bare,
  CHANGES_PER_POST,
  CLIENTS,
  inverseRatios,
  JUDGED_RATE,
  newestPosition,
  tellControl,
  type Where,
} from '../delays.js';
import { getRequest, StreamClients } from '../load.js';
import { GENEROUS, type Market } from '../market.js';
import { type Overround, PollBody } from '../overround.js';
import { wait } from '../process.js';
import { atRate } from '../publisher.js';

const TARGET_P99_MS = 10;
/** Both sides of one market. */
const EVENTS_PER_POST = CHANGES_PER_POST / 2;
/** Low holds are everywhere in this market and move with every price: they are left out, as most clients would. */
const FILTER = 'max_hold=0.5';

export async function opportunityDelay(bench: Bench, server: Overround, market: Market, where: Where): Promise<void> {
  const publisher = server.publisher();
  const bodies = postsOf(market);
  const clients = await StreamClients.open(bench.folder, server, {
    connections: CLIENTS,
    request: getRequest(`/api/v1/stream/opportunities?${FILTER}&resume=true`, {
      ...server.headers,
      Accept: 'text/event-stream',
      'Last-Event-ID': `evt_${await newestPosition(server)}`,
    }),
    ready: 'event: connected',
    marker: 'evt_',
    counted: ':detected\n',
  });
  let index = 0;
  const post = (): Promise<void> => publisher.post(bodies[index++ % bodies.length]!.stamped());
  const perSecond = JUDGED_RATE / CHANGES_PER_POST;
  const ms = bench.full ? 10_000 : 2_000;
  await atRate(perSecond, bench.full ? 2_000 : 500, post);
  await clients.begin(server.clockAheadUs, false);
  const { sent } = await atRate(perSecond, ms, post);
  await wait(100);
  const result = await clients.end();
  await clients.close();
  publisher.close();
  if (result.messages < 0.5 * sent * CLIENTS)
    throw new Error(`${result.messages} messages came of ${sent * CLIENTS} that change opportunities`);
  const changes = (sent * CHANGES_PER_POST * 1000) / ms;
  const bytes = Math.round(result.bytes / result.messages);
  const title = `opportunities of ${format(changes)} changes/s to ${CLIENTS} clients${where.name}`;
  bench.say(`  ${title}: ${format(result.messages / CLIENTS / result.seconds)} messages/s each, ${bytes} bytes`);
  const [p50, p99] = [result.p50 / 1000, result.p99 / 1000];
  bench.figure(`${title}: p50`, p50, 'ms');
  bench.figure(`${title}: p99`, p99, 'ms', TARGET_P99_MS);
  const control = await bare(bench, result.messages / CLIENTS / result.seconds, bytes);
  tellControl(bench, title, control);
  inverseRatios(bench, { id: 'opportunities-', title, where }, { p50, p99 }, control);
}

function postsOf(market: Market): PollBody[] {
  const bodies: PollBody[] = [];
  for (const generous of [true, false])
    for (let book = 0; book < BOOKS; book++)
      for (let from = 0; from + EVENTS_PER_POST <= market.size.events; from += EVENTS_PER_POST) {
        const events = Array.from({ length: EVENTS_PER_POST }, (_, i) => from + i);
        // Another event for each book: opportunities come and go one by one.
        const made = from + (book % EVENTS_PER_POST);
        const phase = (event: number, quote: number): number =>
          !generous || quote > 1 ? 0 : event === made && quote === 0 ? GENEROUS : 1;
        bodies.push(new PollBody(market.message(book, events, phase, 1)));
      }
  return bodies;
}
