// The status of a running feed: its state, when it last delivered, with what latency, and the last error. It wraps the
// feed: every delivery that the sink accepts is a success, and the feed itself reports what the sink cannot see.

import type { Clock } from '../../base/model/clock.js';
import type { FeedState } from '../../base/model/feed-state.js';
import { LIMITS } from '../../base/model/limits.js';
import type { IngestMessage } from '../ingest/message.js';
import type { Feed, FeedContext, FeedCount, FeedReport, IngestSink } from './feed.js';

export interface FeedInfo {
  /** As given on the command line, without secrets. */
  name: string;
  /** True if its prices are simulated. */
  simulated: boolean;
  state: FeedState;
  /** Unix ms; null before the first one. */
  lastSuccessMs: number | null;
  /** The last error while it lasts. */
  error: string | null;
  /** Latency from poll to commit of the newest delivery; null before the first one. */
  lagMs: number | null;
  /** Only counters that were ever incremented. */
  counts: Readonly<Partial<Record<FeedCount, number>>>;
  /** Fields of its source that the documents lack, as `kind.field`, with how often they were seen in samples. */
  unknownFields: Readonly<Record<string, number>>;
}

/** Parts of a feed (its sports) that may fail independently. */
const PARTS_MAX = LIMITS.feedParts.max;
const ERROR_CHARS_MAX = LIMITS.feedError.max;
const FIELDS_MAX = LIMITS.unknownFields.max;
const FIELD_NAME = new RegExp(`^[\\w.:$-]{1,${LIMITS.unknownField.max}}$`);
/** Those beyond the most, and what is no name: both are an upstream's text, and /health is public. */
const OTHER_FIELDS = 'others';
const SINK = 'ingest';

export class FeedWatch {
  readonly #feed: Feed;
  readonly #clock: Clock;
  /** By part, in the order in which they were first reported. */
  readonly #errors = new Map<string, string>();
  #state: 'open' | 'ended' | 'failed' = 'open';
  #lastSuccessMs: number | null = null;
  #lagMs: number | null = null;
  readonly #counts: Partial<Record<FeedCount, number>> = {};
  readonly #unknownFields = new Map<string, number>();

  constructor(feed: Feed, clock: Clock) {
    this.#feed = feed;
    this.#clock = clock;
  }

  get info(): FeedInfo {
    return {
      name: this.#feed.name,
      simulated: this.#feed.simulated,
      state: this.#stateNow(),
      lastSuccessMs: this.#lastSuccessMs,
      error: [...this.#errors.values()].at(-1) ?? null,
      lagMs: this.#lagMs,
      counts: this.#counts,
      unknownFields: Object.fromEntries(this.#unknownFields),
    };
  }

  /** Runs the feed; settles as it does. */
  async run(context: Omit<FeedContext, 'report'> & Pick<FeedReport, 'unlisted'>): Promise<void> {
    const report: FeedReport = {
      succeeded: (part) => this.#succeeded(part),
      failed: (part, reason) => this.#failed(part, reason),
      counted: (what, times) => this.#counted(what, times),
      unknownField: (name) => this.#unknownField(name),
      ...(context.unlisted === undefined ? {} : { unlisted: context.unlisted }),
    };
    try {
      await this.#feed.run({ ...context, report, sink: this.#watched(context.sink) });
      this.#state = 'ended';
    } catch (error) {
      this.#state = 'failed';
      this.#errors.clear();
      this.#failed(SINK, error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  #stateNow(): FeedState {
    if (this.#state !== 'open') return this.#state;
    if (this.#errors.size > 0) return 'failing';
    return this.#lastSuccessMs === null ? 'starting' : 'running';
  }

  #watched(sink: IngestSink): IngestSink {
    return async (messages) => {
      try {
        const receipt = await sink(messages);
        this.#errors.delete(SINK);
        // What the feed read, and made a message of, and what is none all the same.
        if (receipt.rejected.length > 0) this.#counted('refused_parts', receipt.rejected.length);
        if (messages.some(saysSomething)) this.#succeeded(SINK);
        const polledMs = Date.parse(String(messages.at(-1)?.polled_at));
        if (Number.isFinite(polledMs)) this.#lagMs = Math.max(0, Math.round(this.#clock.now() - polledMs));
        return receipt;
      } catch (error) {
        this.#failed(SINK, error instanceof Error ? error.message : String(error));
        throw error;
      }
    };
  }

  #counted(what: FeedCount, times = 1): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + times;
  }

  #unknownField(name: string): void {
    const fields = this.#unknownFields;
    const isShown = fields.has(name) || (fields.size < FIELDS_MAX && FIELD_NAME.test(name));
    const as = isShown ? name : OTHER_FIELDS;
    fields.set(as, (fields.get(as) ?? 0) + 1);
  }

  #succeeded(part: string): void {
    this.#errors.delete(part);
    this.#lastSuccessMs = Math.floor(this.#clock.now());
  }

  #failed(part: string, reason: string): void {
    this.#errors.delete(part);
    if (this.#errors.size < PARTS_MAX) this.#errors.set(part, withoutPaths(reason).slice(0, ERROR_CHARS_MAX));
  }
}

/** What only removes the prices of an earlier run, as feeds send before they have reached their source, is no success. */
function saysSomething({ events, splits, futures, game_states }: IngestMessage): boolean {
  if ([splits, futures, game_states].some((list) => (list?.length ?? 0) > 0)) return true;
  // A recording may hold anything.
  return Array.isArray(events) && events.some((event) => (event?.markets?.[0]?.selections?.length ?? 0) > 0);
}

/** Public: file names and query parameters are removed. */
function withoutPaths(reason: string): string {
  return reason.replaceAll(/(?<![\w:/])(?:\.{0,2}\/|[A-Za-z]:\\)[^\s'",]+/g, '…').replaceAll(/\?[^\s'",]+/g, '?…');
}
