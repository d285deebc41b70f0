// One price at a time on a quiet server: from the moment a post is written to the moment the first SSE client has read the
// change, against bare uWebSockets that is posted the message ready made, and against a plain odds engine behind it, which
// is posted the same prices. What is between them is the price of one batch, and of one engine.
import { connect, type Socket } from 'node:net';
import type { Bench } from '../bench.js';
import { IN_MEMORY, type Served } from '../delays.js';
import { getRequest } from '../load.js';
import { PollBody } from '../overround.js';
import { nodePeer } from '../peers.js';
import { wait } from '../process.js';
import { Publisher } from '../publisher.js';
import { median, pairedRatio, quantile } from '../statistics.js';
import { fillEngine, messageOf } from '../streams.js';

const POSTS = { short: 100, full: 150 } as const;
/** Without pauses, before what is measured: until then V8 still compiles what a post goes through. */
const WARM_POSTS = 3_000;
/** Between two posts: the threads sleep again. */
const PAUSE_MS = 3;
const MESSAGE_BYTES = 500;
/** Ours in times of the control: at most. */
const TARGETS = { p50: 2, p99: 3 } as const;
const SHARES = { p50: 0.5, p99: 0.99 } as const;
type Share = keyof typeof SHARES;

/** A publisher and a reader of one server, in one thread of this process: both clocks are the same. */
class Pair {
  readonly #socket: Socket;
  readonly #publisher: Publisher;
  readonly #body: () => Uint8Array;
  readonly #marker: string;
  #onText: ((text: string) => void) | undefined;

  private constructor(socket: Socket, publisher: Publisher, body: () => Uint8Array, marker: string) {
    this.#socket = socket;
    this.#publisher = publisher;
    this.#body = body;
    this.#marker = marker;
    socket.on('data', (data: Buffer) => this.#onText?.(data.toString('latin1')));
  }

  /** @param stream the request of the reader's stream, and what it reads once it is subscribed */
  static async open(
    port: number,
    stream: { request: string; ready: string },
    { publisher, body, marker }: { publisher: Publisher; body(): Uint8Array; marker: string },
  ): Promise<Pair> {
    const socket = connect(port, '127.0.0.1');
    const pair = new Pair(socket, publisher, body, marker);
    let read = '';
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      pair.#onText = (text) => {
        read += text;
        if (read.includes(stream.ready)) resolve();
      };
      socket.write(stream.request);
    });
    return pair;
  }

  /** Delays of so many posts, one after the other (ms). */
  async round(posts: number, pauseMs: number = PAUSE_MS): Promise<number[]> {
    const delays: number[] = [];
    for (let i = 0; i < posts; i++) {
      const begun = performance.now();
      const received = new Promise<void>((resolve) => {
        this.#onText = (text) => {
          if (!text.includes(this.#marker)) return;
          delays.push(performance.now() - begun);
          this.#onText = undefined;
          resolve();
        };
      });
      await Promise.all([this.#publisher.post(this.#body()), received]);
      if (pauseMs > 0) await wait(pauseMs);
    }
    return delays;
  }

  close(): void {
    this.#socket.destroy();
    this.#publisher.close();
  }
}

export async function oneChange(bench: Bench, { server, market, where }: Served): Promise<void> {
  const bodies = [1, 0].map(
    (phase) => new PollBody(market.message(0, [0], (_, quote) => (quote === 0 ? phase : 0), 1)),
  );
  let posts = 0;
  const path = `/api/v1/stream/odds?event=${market.eventId(0)}`;
  const ours = await Pair.open(
    server.port,
    { request: getRequest(path, { ...server.headers, Accept: 'text/event-stream' }), ready: 'snapshot:complete' },
    { publisher: server.publisher(), body: () => bodies[posts++ % 2]!.stamped(), marker: 'event: odds:update' },
  );
  const folder = where === IN_MEMORY ? (bench.memory ?? bench.folder) : bench.folder;
  const peer = await nodePeer('bare-uws', folder, [], [], null);
  const message = messageOf('event', MESSAGE_BYTES);
  const plainEngine = await nodePeer('bare-uws', folder, [], [], null);
  await fillEngine(plainEngine, market);
  const bare = (path: string, { port } = peer, body = (): Uint8Array => message): Promise<Pair> =>
    Pair.open(
      port,
      { request: getRequest('/sse', { Accept: 'text/event-stream' }), ready: '\r\n\r\n' },
      {
        publisher: Publisher.open(port, path, { 'Content-Type': 'text/plain' }),
        body,
        marker: 'event: odds:update',
      },
    );
  const control = await bare('/publish');
  const commit = await bare('/publish-commit');
  let engineDid = 0;
  const engine = await bare('/publish-engine', plainEngine, () => bodies[engineDid++ % 2]!.stamped());
  const pairs = { ours, control, commit, engine };
  const delays = { ours: [], control: [], commit: [], engine: [] } as Record<keyof typeof pairs, number[][]>;
  const count = POSTS[bench.profile];
  for (const pair of Object.values(pairs)) {
    await pair.round(WARM_POSTS, 0);
    await pair.round(count);
  }
  for (let round = 0; round < (bench.full ? 9 : 3); round++)
    for (const [name, pair] of Object.entries(pairs) as [keyof typeof pairs, Pair][])
      delays[name].push(await pair.round(count));
  for (const pair of Object.values(pairs)) pair.close();
  await Promise.all([peer.stop(), plainEngine.stop()]);
  const title = `one change, from its post to the first client${where.name}`;
  for (const [of, share] of Object.entries(SHARES) as [Share, number][]) {
    const quantiles = (rounds: number[][]): number[] => rounds.map((ms) => quantile(ms, share));
    const [own, bare, committing] = [quantiles(delays.ours), quantiles(delays.control), quantiles(delays.commit)];
    const plain = quantiles(delays.engine);
    bench.figure(`${title}: ${of}`, median(own), 'ms');
    bench.figure(`${title}, bare uWebSockets: ${of}`, median(bare), 'ms');
    bench.figure(`${title}, bare uWebSockets by way of a thread that commits it: ${of}`, median(committing), 'ms');
    bench.figure(`${title}, a plain odds engine: ${of}`, median(plain), 'ms');
    const what = `delay (inverse), ${title}, ${of}`;
    const tolerance = of === 'p50' ? 0.5 : 0.8;
    const target = 1 / TARGETS[of];
    bench.ratio(`one-${of}${where.id}`, what, 'bare uWebSockets', pairedRatio(bare, own), { tolerance, target });
    const committed = 'bare uWebSockets by way of a thread that commits it';
    bench.ratio(`one-${of}-to-commit${where.id}`, what, committed, pairedRatio(committing, own), { tolerance });
    bench.ratio(`one-${of}-to-engine${where.id}`, what, 'a plain odds engine', pairedRatio(plain, own), { tolerance });
    // Above its target no server is that keeps what it tells.
    const limit = `the limit of ${title}, ${of}: a thread that commits it`;
    bench.ratio(`one-${of}-limit${where.id}`, limit, 'bare uWebSockets', pairedRatio(bare, committing), {
      judged: false,
    });
  }
}
