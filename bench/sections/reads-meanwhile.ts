// What reads and commits cost each other: reads a second of a server on one core while rows are committed at a sustained
// rate, beside the same reads with nothing committed, and the same changes with nobody reading.
import { type Bench, format } from '../bench.js';
import { BOOKS, CHANGES_PER_POST, JUDGED_RATE } from '../delays.js';
import { getRequest, httpLoad, type Target } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, movingPosts, Overround, type PollBody } from '../overround.js';
import { nodePeer } from '../peers.js';
import { atRate, type Publisher } from '../publisher.js';
import { alternate, median, pairedRatio, quantile } from '../statistics.js';
import { enginePublisher, fillEngine } from '../streams.js';
import { capture } from './rest.js';

const CONNECTIONS = 64;
/** The load program needs a moment to start: what is committed meanwhile goes on until it has ended. */
const STARTS_MS = 50;

const ASKED = `${format(JUDGED_RATE)} rows/s`;
const QUIET = 'reads, nothing committed';
const WHILE_COMMITTING = `reads while ${ASKED} are committed`;
/** The limit: the plainest engine in a thread beside pages that are ready, which changes cost nothing. */
const ENGINE_QUIET = 'reads of a ready page, bare uWebSockets';
const ENGINE_COMMITTING = `reads of a ready page while a plain odds engine commits ${ASKED}`;
const ALONE = 'nobody reading';
const WHILE_READING = 'reads meanwhile';

type Times = Record<'rounds' | 'warmMs' | 'measureMs', number>;

export async function readsMeanwhile(bench: Bench): Promise<void> {
  if (bench.noLoad !== undefined) {
    bench.skip(WHILE_COMMITTING, bench.noLoad);
    return;
  }
  const times = bench.full ? { rounds: 5, warmMs: 500, measureMs: 3_000 } : { rounds: 3, warmMs: 60, measureMs: 300 };
  const market = new Market({ events: bench.full ? 1_000 : 200, books: BOOKS }, Date.now());
  const server = await Overround.start({ dataDir: dataFolder(bench.folder, 'reads-meanwhile') });
  await server.fill(market);
  bench.say(`  ${format(market.rows)} rows, /odds?event of each event in turn, ${CONNECTIONS} connections, one core`);
  const posts = movingPosts(market, CHANGES_PER_POST);
  const paths = Array.from({ length: market.size.events }, (_, event) => `/api/v1/odds?event=${market.eventId(event)}`);
  const reads = new Reads(bench, server, paths.map(server.request), times);
  const changes = new Changes(server.publisher(), posts);
  const page = { ...(await capture(server, paths[0]!)), path: '/page', known: true };
  const engine = await nodePeer('bare-uws', bench.folder, [page]);
  await fillEngine(engine, market);
  const engineReads = new Reads(bench, engine, [getRequest('/page/known?page=/page', server.headers)], times);
  const engineChanges = new Changes(enginePublisher(engine), posts);
  const forMs = STARTS_MS + times.warmMs + times.measureMs;
  const both = async (name: string, read: Reads, change: Changes): Promise<number> => {
    const [perSecond] = await Promise.all([read.round(name), change.round(WHILE_READING, forMs)]);
    return perSecond;
  };
  // A server that was only filled has compiled neither.
  await both(WHILE_COMMITTING, reads, changes);
  await both(ENGINE_COMMITTING, engineReads, engineChanges);
  reads.forget();
  changes.forget();
  const rates = await alternate(times.rounds, [
    { name: QUIET, run: () => reads.round(QUIET) },
    { name: WHILE_COMMITTING, run: () => both(WHILE_COMMITTING, reads, changes) },
    { name: ALONE, run: () => changes.round(ALONE, 0.7 * times.measureMs) },
    { name: ENGINE_QUIET, run: () => engineReads.round(ENGINE_QUIET) },
    { name: ENGINE_COMMITTING, run: () => both(ENGINE_COMMITTING, engineReads, engineChanges) },
  ]);
  changes.close();
  engineChanges.close();
  await Promise.all([server.stop(), engine.stop()]);
  tellReads(bench, reads, rates);
  tellChanges(bench, changes);
}

function tellReads(bench: Bench, { p99 }: Reads, rates: ReadonlyMap<string, number[]>): void {
  for (const name of [QUIET, WHILE_COMMITTING]) {
    bench.figure(name, median(rates.get(name)!), 'reads/s');
    bench.figure(`${name}: p99`, median(p99.get(name)!), 'ms');
  }
  const ratio = (name: string, quiet: string): number => pairedRatio(rates.get(name)!, rates.get(quiet)!);
  bench.ratio('reads-meanwhile', WHILE_COMMITTING, QUIET, ratio(WHILE_COMMITTING, QUIET), { target: 0.75 });
  bench.ratio('reads-meanwhile-limit', ENGINE_COMMITTING, ENGINE_QUIET, ratio(ENGINE_COMMITTING, ENGINE_QUIET), {
    judged: false,
  });
}

function tellChanges(bench: Bench, { committed, answered }: Changes): void {
  for (const name of [ALONE, WHILE_READING]) {
    bench.figure(`${ASKED} to commit, ${name}: committed`, median(committed.get(name)!), 'rows/s');
    bench.figure(`${ASKED} to commit, ${name}: from a post to its answer, p50`, median(answered.get(name)!), 'ms');
  }
  const ratio = pairedRatio(committed.get(WHILE_READING)!, committed.get(ALONE)!);
  // All that is asked is committed in both, unless reads leave commits no time.
  bench.ratio('commits-meanwhile', `${ASKED} to commit, ${WHILE_READING}`, ALONE, ratio, { tolerance: 0.3 });
}

/** As fast as they are answered. */
class Reads {
  /** Latencies (ms), one a round. */
  readonly p99 = new Map<string, number[]>();
  readonly #bench: Bench;
  readonly #target: Target;
  readonly #times: Times;
  readonly #requests: readonly { text: string }[];

  /** @param requests asked in turn */
  constructor(bench: Bench, target: Target, requests: readonly string[], times: Times) {
    this.#bench = bench;
    this.#target = target;
    this.#times = times;
    this.#requests = requests.map((text) => ({ text }));
  }

  /** Returns reads a second. */
  async round(name: string): Promise<number> {
    const { warmMs, measureMs } = this.#times;
    const load = { requests: this.#requests, connections: CONNECTIONS, warmMs, measureMs };
    const { requests, seconds, p99 } = await httpLoad(this.#bench.folder, this.#target, load);
    keep(this.p99, name, p99 / 1000);
    return requests / seconds;
  }

  forget(): void {
    this.p99.clear();
  }
}

/** At a rate, each of a row whose price is another one than before. */
class Changes {
  /** Rows a second, one a round. */
  readonly committed = new Map<string, number[]>();
  /** From a post to its answer (ms), the median of each round. */
  readonly answered = new Map<string, number[]>();
  readonly #publisher: Publisher;
  readonly #posts: readonly PollBody[];
  #index = 0;

  constructor(publisher: Publisher, posts: readonly PollBody[]) {
    this.#publisher = publisher;
    this.#posts = posts;
  }

  /** Returns rows committed a second: a post changes each of its rows, and is answered once they are committed. */
  async round(name: string, forMs: number): Promise<number> {
    const begun = performance.now();
    const { answeredMs } = await atRate(JUDGED_RATE / CHANGES_PER_POST, forMs, () =>
      this.#publisher.post(this.#posts[this.#index++ % this.#posts.length]!.stamped()),
    );
    // Until the last of them was answered: what had to wait is no more than what was asked.
    const seconds = (performance.now() - begun) / 1000;
    const perSecond = (answeredMs.length * CHANGES_PER_POST) / seconds;
    keep(this.committed, name, perSecond);
    keep(this.answered, name, quantile(answeredMs, 0.5));
    return perSecond;
  }

  forget(): void {
    this.committed.clear();
    this.answered.clear();
  }

  close(): void {
    this.#publisher.close();
  }
}

function keep(values: Map<string, number[]>, name: string, value: number): void {
  const before = values.get(name);
  if (before === undefined) values.set(name, [value]);
  else before.push(value);
}
