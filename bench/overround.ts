// Starts the server under test, fills it, and speaks to it.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequest, type Target } from './load.js';
import { type Market, TIME_PLACE } from './market.js';
import { type Child, type Listening, listening, pin, SERVER_CORE, start } from './process.js';
import { Publisher } from './publisher.js';

const ENTRY = fileURLToPath(new URL('./server-process.js', import.meta.url));
const EVENTS_AT_ONCE = 50;
const POSTS_AT_ONCE = 8;

export interface OverroundOptions {
  dataDir: string;
  /** Null: free to use every core. */
  core?: number | null;
  flags?: readonly string[];
  nodeFlags?: readonly string[];
  /** The engine of the started server, if that is a front: it has the key, accepts messages, and dates them. */
  engine?: Overround;
}

export class Overround implements Target {
  readonly child: Child;
  readonly port: number;
  readonly key: string;
  /** How far positions are ahead of the machine's clock. */
  readonly clockAheadUs: number;

  #core: number | null;
  readonly #ingestPort: number;

  private constructor(child: Child, listening: Listening, core: number | null, engine: Overround | undefined) {
    this.child = child;
    this.#core = core;
    this.port = listening.port;
    this.key = engine?.key ?? (listening['key'] as string);
    this.clockAheadUs = engine?.clockAheadUs ?? (listening['clockAheadUs'] as number);
    this.#ingestPort = engine?.port ?? this.port;
  }

  static async start({
    dataDir,
    core = SERVER_CORE,
    flags = [],
    nodeFlags = [],
    engine,
  }: OverroundOptions): Promise<Overround> {
    const args = [...nodeFlags, ENTRY, '--data', dataDir, '--workers', '1', '--ingest-queue', '1000000', ...flags];
    const child = start(process.execPath, args, core);
    return new Overround(child, await listening(child), core, engine);
  }

  get pid(): number {
    return this.child.pid;
  }

  get headers(): Record<string, string> {
    return { 'X-API-Key': this.key };
  }

  get request(): (path: string) => string {
    return (path) => getRequest(path, this.headers);
  }

  async json(path: string): Promise<Record<string, unknown>> {
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, { headers: this.headers });
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  }

  /** Rows written since the server's start, each time they were. */
  rowsWritten(): Promise<number> {
    return this.#metric('overround_row_changes_total{kind="written"}');
  }

  /** Of the front's thread: its heap, and memory outside that its heap holds. */
  async heapBytes(): Promise<number> {
    return (await this.#metric('nodejs_heap_size_used_bytes')) + (await this.#metric('nodejs_external_memory_bytes'));
  }

  async #metric(name: string): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.port}/metrics`);
    const line = (await answer.text()).split('\n').find((line) => line.startsWith(`${name} `));
    if (line === undefined) throw new Error(`GET /metrics: ${answer.status}, no ${name}`);
    return Number(line.slice(name.length + 1));
  }

  publisher(): Publisher {
    return Publisher.open(this.#ingestPort, '/api/v1/ingest', { ...this.headers, 'Content-Type': 'application/json' });
  }

  /** Pushes the whole market in. */
  fill(market: Market): Promise<void> {
    return this.unmeasured(() => this.#fill(market));
  }

  async #fill(market: Market): Promise<void> {
    const publisher = this.publisher();
    const now = new Date().toISOString();
    const open = new Set<Promise<void>>();
    for (const message of market.whole(EVENTS_AT_ONCE)) {
      const post: Promise<void> = publisher
        .post(Buffer.from(JSON.stringify(message).replace(TIME_PLACE, now)))
        .then(() => void open.delete(post));
      open.add(post);
      if (open.size >= POSTS_AT_ONCE) await Promise.race(open);
    }
    await Promise.all(open);
    publisher.close();
  }

  /** With all cores meanwhile. */
  async unmeasured(run: () => Promise<void>): Promise<void> {
    pin(this.pid, null);
    await run();
    pin(this.pid, this.#core);
  }

  /** To one core, or (null) to all. */
  moveTo(core: number | null): void {
    this.#core = core;
    pin(this.pid, core);
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

/** A body whose time can be set in place, so that it can be sent again as a newer poll. */
export class PollBody {
  readonly bytes: Buffer;
  readonly #at: number;

  constructor(message: object) {
    this.bytes = Buffer.from(JSON.stringify(message));
    this.#at = this.bytes.indexOf(TIME_PLACE);
  }

  stamped(): Buffer {
    this.bytes.write(new Date().toISOString(), this.#at, 'latin1');
    return this.bytes;
  }
}

/**
 * Posts of this many changes (even), to be sent in rotation: each moves one market of some of the first `among` events at
 * one book; when all have moved they move back.
 */
export function movingPosts(market: Market, changes: number, among = market.size.events): PollBody[] {
  const posts: PollBody[] = [];
  const events = changes / 2;
  for (const phase of [1, 0])
    for (let book = 0; book < market.size.books; book++)
      for (let from = 0; from + events <= among; from += events) {
        const some = Array.from({ length: events }, (_, i) => from + i);
        posts.push(new PollBody(market.message(book, some, (_, quote) => (quote < 2 ? phase : 0), 1)));
      }
  return posts;
}

export function dataFolder(folder: string, name: string): string {
  return join(folder, `data-${name}`);
}
