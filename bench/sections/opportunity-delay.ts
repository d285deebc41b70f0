// How long after a change is taken, and after its commit, the opportunity it makes or breaks is told to SSE clients. Of each post's 25 markets
// one becomes an arbitrage and EV, or stops to be; the others move a little.
import { type Bench, format } from '../bench.js';
import {
  BOOKS,
  CHANGES_PER_POST,
  CLIENTS,
  inverseRatios,
  JUDGED_RATE,
  judgedRounds,
  Listeners,
  roundsOf,
  roundTimes,
  type Served,
  tellControl,
} from '../delays.js';
import { GENEROUS, type Market } from '../market.js';
import { PollBody } from '../overround.js';
import { type Buckets, quantileOfBuckets, readStages, stagesBetween } from '../stages.js';
import { median } from '../statistics.js';

const TARGET_P99_MS = 10;
const FEW_CLIENTS = 10;
/** What makes an arbitrage is compiled anew on a server that has only seen odds move: some hundred posts. */
const WARM_MS = 2_500;
/** Both sides of one market. */
const EVENTS_PER_POST = CHANGES_PER_POST / 2;
/** Low holds are everywhere in this market and move with every price: they are left out, as most clients would. */
const PATH = '/api/v1/stream/opportunities?max_hold=0.5';

type Stages = ReadonlyMap<string, Buckets>;

/** Of all servers, in turns with the control. */
export async function opportunityDelay(bench: Bench, all: readonly Served[]): Promise<void> {
  const listening: Listeners[] = [];
  for (const one of all)
    listening.push(
      await Listeners.open(bench, one, { path: PATH, posts: postsOf(one.market), counted: ':detected\n' }),
    );
  const stages = (): Promise<Stages[]> => Promise.all(all.map(({ server }) => readStages(server.port)));
  let before: Stages[] = [];
  const { ours, control } = await judgedRounds(bench, listening, WARM_MS, {
    warm: async () => {
      before = await stages();
    },
  });
  const after = await stages();
  for (const listeners of listening) await listeners.close();
  const base = `opportunities of ${format(JUDGED_RATE)} changes/s to ${CLIENTS} clients`;
  for (const [i, { where }] of all.entries()) {
    const { delays, rounds } = ours[i]!;
    const sent = rounds.reduce((sum, round) => sum + round.sent, 0);
    const messages = rounds.reduce((sum, { result }) => sum + result.messages, 0);
    if (messages < 0.5 * sent * CLIENTS)
      throw new Error(`${messages} messages came of ${sent * CLIENTS} that change opportunities`);
    const { result } = rounds[0]!;
    const title = `${base}${where.name}`;
    bench.say(
      `  ${title}: ${format(result.messages / CLIENTS / result.seconds)} messages/s each, ${Math.round(result.bytes / result.messages)} bytes`,
    );
    bench.figure(`${title}: p50`, median(delays.p50), 'ms');
    bench.figure(`${title}: p99`, median(delays.p99), 'ms');
    tellCommitToSent(bench, title, before[i]!, after[i]!);
    inverseRatios(bench, { id: 'opportunities-', title: base, where }, delays, control);
  }
  tellControl(bench, base, control);
  for (const one of all) await toFew(bench, one);
}

/** What a client is told after, where it does not wait for two hundred others. The server is warm by now. */
async function toFew(bench: Bench, served: Served): Promise<void> {
  const posts = postsOf(served.market);
  const listeners = await Listeners.open(bench, served, { path: PATH, posts, connections: FEW_CLIENTS });
  const before = await readStages(served.server.port);
  for (let round = 0; round < roundsOf(bench); round++) await listeners.round(JUDGED_RATE, roundTimes(bench));
  const after = await readStages(served.server.port);
  await listeners.close();
  const title = `opportunities of ${format(JUDGED_RATE)} changes/s to ${FEW_CLIENTS} clients${served.where.name}`;
  tellCommitToSent(bench, title, before, after);
}

function tellCommitToSent(bench: Bench, title: string, before: Stages, after: Stages): void {
  const sent = stagesBetween(before, after).get('commit_to_sent');
  if (sent === undefined) {
    bench.skip(`${title}, from their commit on`, 'the server does not tell it');
    return;
  }
  const name = `${title}, from the commit to the last client's socket`;
  bench.figure(`${name}: p50`, quantileOfBuckets(sent, 0.5) * 1000, 'ms');
  bench.figure(`${name}: p99`, quantileOfBuckets(sent, 0.99) * 1000, 'ms', TARGET_P99_MS);
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
