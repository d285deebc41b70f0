// Plays a recorded stream (one message per line, plain or gzip) through the same cache and listing as the live one, at
// the recorded pace or a multiple of it. Each message is one batch, so that every recorded state is published.

import { LIMITS } from '../../../base/model/limits.js';
import { formatMs } from '../../../base/model/time.js';
import { type FeedContext, StoppableFeed } from '../feed.js';
import { readLines } from '../files/lines.js';
import { CUT_SHORT } from '../files/sources.js';
import { DocumentedFields } from '../kit/documented-fields.js';
import type { FeeLookup } from '../kit/venue-fees.js';
import { pacer, type Timestamps } from '../replay/replay-feed.js';
import { wait } from '../wait.js';
import type { NamedMarket } from './listing.js';
import { DOCUMENTED, readMessage } from './messages.js';
import type { NameLookup } from './names.js';
import { RecordedStream } from './recorded-stream.js';

export interface BetfairReplayOptions {
  path: string;
  /** Names of the recording's markets; without it the names in their definitions are used, if any. */
  catalogue?: readonly NamedMarket[];
  lookup: NameLookup & FeeLookup;
  /** Recorded seconds per second; 0 for as fast as the engine accepts them; 1 by default. */
  speed?: number;
  /** `shift` moves recorded times to now; `recorded` by default. */
  timestamps?: Timestamps;
  /** Levels kept of each side of a runner's ladder. */
  depth?: number;
}

const LINE_BYTES_MAX = LIMITS.exchangeLine.max;

export class BetfairReplayFeed extends StoppableFeed {
  readonly #options: BetfairReplayOptions;
  readonly #stream: RecordedStream;

  constructor(options: BetfairReplayOptions) {
    const { path, speed = 1, timestamps = 'recorded', catalogue = [], lookup } = options;
    super(`betfair-stream:replay=${path},speed=${speed}${timestamps === 'shift' ? ',timestamps=shift' : ''}`);
    this.#options = options;
    this.#stream = new RecordedStream({ catalogue, lookup, depth: options.depth });
  }

  /**
   * Settles at the recording's end or soon after stop(); rejects if the file cannot be read or is no such recording.
   */
  async run({ clock, sink, log, report }: FeedContext): Promise<void> {
    const { path, speed = 1, timestamps = 'recorded' } = this.#options;
    const { signal } = this.stopping;
    const delayMs = pacer(clock, speed);
    const documented = new DocumentedFields(DOCUMENTED, report);
    const counts = { messages: 0, changed: 0, rejected: 0, bad_lines: 0, refused_parts: 0 };
    const onCutShort = (name: string): void => log.warn({ file: name }, `betfair-stream: the recording ${CUT_SHORT}`);
    for await (const { text } of readLines(path, { lineBytesMax: LINE_BYTES_MAX, onCutShort })) {
      if (signal.aborted) break;
      if (text === '') continue;
      const message = text === undefined ? undefined : readMessage(text);
      if (message?.op !== 'mcm' || message.publishedMs === null) {
        if (message === undefined) {
          counts.bad_lines++;
          report?.counted?.('bad_messages');
        }
        continue;
      }
      if (counts.messages++ === 0 && timestamps === 'shift')
        this.#stream.listing.offsetMs = clock.now() - message.publishedMs;
      if (!(await wait(delayMs(message.publishedMs), signal))) break;
      documented.look('mc', message.changes);
      const bad = this.#stream.apply(message);
      counts.refused_parts += bad;
      if (bad > 0) report?.counted?.('refused_parts', bad);
      // The times of a fast replay run ahead of the clock; published times are never in the future.
      const polledMs = timestamps === 'shift' ? clock.now() : message.publishedMs;
      const messages = this.#stream.take(formatMs(polledMs));
      report?.counted?.('messages');
      if (messages.length === 0) continue;
      const receipt = await sink(messages);
      counts.changed += receipt.changed;
      counts.rejected += receipt.rejected.length;
    }
    if (counts.messages === 0 && !signal.aborted)
      throw new Error('betfair-stream: the file is no recording of the stream');
    const left_out = Object.fromEntries([...this.#stream.listing.leftOut].slice(0, 10));
    log.info({ ...counts, left_out, stopped: signal.aborted }, 'betfair-stream: the recording is over');
    if (this.#stream.listing.leftOut.size > 0) report?.counted?.('left_out', this.#stream.listing.leftOut.size);
    this.#tellUnnamed(log, report);
  }

  /** A stream has no names: without any, most of what a market asks cannot be told. */
  #tellUnnamed(log: FeedContext['log'], report: FeedContext['report']): void {
    const unnamed = this.#stream.unnamed();
    if (unnamed === 0) return;
    const reason = `${unnamed} markets are left out, as nothing names their runners: catalogue=FILE would`;
    log.warn({ markets: unnamed }, `betfair-stream: ${reason}`);
    report?.failed('names', reason);
  }
}
