// The simulated market as a feed: steps it by the clock and waits for every batch to be committed.

import { HOUR_MS, MINUTE_MS } from '../../../base/model/time.js';
import type { IngestMessage } from '../../ingest/message.js';
import { type FeedContext, StoppableFeed } from '../feed.js';
import { backoffMs, wait as timerWait, type Wait } from '../wait.js';
import type { SimCatalogue } from './fixtures.js';
import { SimMarket, type SimOptions, simOptions, TICK_MS } from './market.js';
import { unit } from './prng.js';

/** Quotes passed to the sink at once. */
const BATCH_QUOTES = 5_000;
const RETRY = { firstMs: 250, capMs: 5_000 };
const WARN_EVERY_MS = 30_000;

export class SimFeed extends StoppableFeed {
  readonly #options: SimOptions;
  readonly #catalogue: SimCatalogue;
  readonly #wait: Wait;
  #warnedMs = Number.NEGATIVE_INFINITY;

  /** Throws a RangeError if an option is outside its limits. */
  constructor(given: Parameters<typeof simOptions>[0], catalogue: SimCatalogue, wait: Wait = timerWait) {
    const options = simOptions(given);
    const { seed, books, events, rate } = options;
    super(`sim:seed=${seed},books=${books},events=${events},rate=${rate}`, true);
    this.#options = options;
    this.#catalogue = catalogue;
    this.#wait = wait;
  }

  async run(context: FeedContext): Promise<void> {
    const { clock, log } = context;
    const { signal } = this.stopping;
    const { hours } = this.#options;
    const beginMs = clock.now() - hours * HOUR_MS;
    const market = new SimMarket(this.#options, this.#catalogue, beginMs);
    log.info({ feed: this.name, events: market.events.length, offers: market.offerCount }, 'sim: the market is open');
    const removed = await this.#send(market.opening(), context);
    if (removed > 0)
      log.warn(
        { feed: this.name, removed },
        'sim: prices of an earlier market were removed, and with them any that were pushed for the same books and leagues',
      );
    // Of hours at once the last two seconds of each minute are polled, so that a recording of them is small.
    const endMs = beginMs + hours * HOUR_MS;
    for (let ms = beginMs; ms <= endMs && !signal.aborted; ms += MINUTE_MS) await this.#step(market, ms, context);
    if (hours > 0) return;
    do await this.#step(market, clock.now(), context);
    while (await this.#wait(TICK_MS, signal));
    log.info({ feed: this.name }, 'sim: the market is closed');
  }

  async #step(market: SimMarket, nowMs: number, context: FeedContext): Promise<void> {
    for (const batch of batches(market.step(nowMs))) await this.#send(batch, context);
  }

  /**
   * Sends a batch until it is accepted: if an event's end were lost its prices would stay. Returns the number of removed
   * prices.
   */
  async #send(batch: IngestMessage[], { clock, sink, log }: FeedContext): Promise<number> {
    const { signal } = this.stopping;
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        const { rejected, removed } = await sink(batch);
        if (rejected.length > 0 && clock.now() - this.#warnedMs >= WARN_EVERY_MS) {
          this.#warnedMs = clock.now();
          log.warn({ feed: this.name, rejected: rejected.length, first: rejected[0] }, 'sim: quotes were rejected');
        }
        return removed;
      } catch (error) {
        log.warn({ feed: this.name, failures, reason: String(error) }, 'sim: a batch was not taken; trying again');
        await this.#wait(
          backoffMs(failures, RETRY, () => unit(failures)),
          signal,
        );
      }
    }
    return 0;
  }
}

/** The messages in order, in groups of about BATCH_QUOTES quotes. */
function* batches(messages: readonly IngestMessage[]): Iterable<IngestMessage[]> {
  let batch: IngestMessage[] = [];
  let quotes = 0;
  for (const message of messages) {
    batch.push(message);
    for (const event of message.events ?? []) for (const market of event.markets) quotes += market.selections.length;
    if (quotes < BATCH_QUOTES) continue;
    yield batch;
    batch = [];
    quotes = 0;
  }
  if (batch.length > 0) yield batch;
}
