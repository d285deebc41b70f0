// The main thread's side of detection: opportunities of every delta go to the universes, from which REST, the streams
// and deep links are served.
import type { EngineView } from '../engine/engine-view.js';
import type { EngineLog } from '../model/log.js';
import { decodeDelta, readLog } from '../store/shard-reader.js';
import type { PastEnd } from './endings.js';
import { OpportunityLinks } from './links.js';
import { OpportunityServer } from './serve.js';
import { OpportunityStreams } from './stream-view.js';
import { Universes } from './universes.js';

const SWEEP_MS = 1_000;
/** Time spent on reading the log in one turn of the event loop: some two milliseconds. */
const READ_AT_ONCE_BYTES = 128 * 1024;

export class Opportunities {
  readonly universes: Universes;
  readonly streams: OpportunityStreams;
  readonly links: OpportunityLinks;
  readonly #engine: EngineView;
  #sweep: NodeJS.Timeout | undefined;

  /** @param onReady called when a universe that streams wait for has its complete state */
  constructor(engine: EngineView, log: EngineLog, onReady: () => void) {
    const { catalogue, clock, table } = engine;
    this.#engine = engine;
    this.universes = new Universes({
      source: engine,
      catalogue,
      clock,
      past: {
        get oldest() {
          return engine.oldestPosition;
        },
        ends: (universe, shard, after, before) => pastEnds(engine, universe, shard, after, before),
      },
      onReady,
      onFailed: (error, universe) => log.error({ err: error, universe }, 'a universe could not be registered'),
    });
    this.streams = new OpportunityStreams(this.universes, new OpportunityServer(catalogue, table), clock);
    this.links = new OpportunityLinks(this.universes, catalogue, table);
    // Before the broadcaster's listener, which shows its results.
    engine.onDelta((_applied, delta) => this.universes.apply(delta));
  }

  /** Settles when the active opportunities of the tiers' books are known. */
  async start(): Promise<void> {
    this.#sweep = setInterval(() => this.universes.sweep(this.#engine.oldestPosition), SWEEP_MS);
    await this.universes.start();
  }

  /** No store is read any more when it settles. */
  close(): Promise<void> {
    clearInterval(this.#sweep);
    return this.universes.close();
  }
}

/**
 * What ended in a universe according to a shard's log, after one position and before another, as far as one turn of the
 * loop may read.
 */
function pastEnds(
  engine: EngineView,
  universe: string,
  shard: number,
  after: number,
  before: number,
): { ends: PastEnd[]; readTo: number } {
  const ends: PastEnd[] = [];
  const env = engine.directory.envs[shard];
  if (env === undefined) return { ends, readTo: before - 1 };
  // This thread may still have a view of the store from before the last commit.
  env.root.resetReadTxn();
  let read = 0;
  for (const { position, bytes } of readLog(env, after, before - 1)) {
    for (const news of decodeDelta(bytes).opportunities)
      if (news.universe === universe) for (const { kind, id } of news.expired) ends.push({ position, kind, id });
    read += bytes.length;
    if (read >= READ_AT_ONCE_BYTES) return { ends, readTo: position };
  }
  return { ends, readTo: before - 1 };
}
