// Sends a venue's listing as ingest messages: changes at once, one batch at a time, so that changes during a commit are
// sent in their final state after it; every row again at intervals, so that an unchanged price stays fresh.

import type { IngestEvent, IngestMessage } from '../../ingest/message.js';
import { LIMITS } from '../../model/limits.js';
import { formatMs } from '../../model/time.js';
import type { FeedContext } from '../feed.js';
import { wait as timerWait, type Wait } from '../wait.js';
import type { GameFacts, VenueGame, VenueGames } from './games.js';
import { chooseMainLines } from './main-lines.js';
import { eventOf, refOf, settlementOf } from './statement.js';

export interface PublisherOptions {
  book: string;
  /** Leagues of which the feed lists all of the book's games. */
  leagues: readonly string[];
  games: VenueGames;
  context: FeedContext;
  /** Interval at which rows are repeated; 15 s by default. */
  restateEveryMs?: number;
  /**
   * Rows of an earlier run are removed this long after the start if the venue has not listed their games by then; 7 s
   * by default.
   */
  clearAfterMs?: number;
  wait?: Wait;
}

/** Maximum quotes per batch: its commit is short, so that changes do not wait long behind it. */
const BATCH_QUOTES_MAX = LIMITS.feedBatch.max;
/** A smaller maximum for repeated rows. */
const RESTATED_QUOTES_MAX = LIMITS.restatedBatch.max;
const TICK_MS = 250;
const RETRY_MS = 250;

export class Publisher {
  readonly #options: PublisherOptions;
  readonly #wait: Wait;
  /** The first list of games is complete and their books have arrived. */
  #ready = false;
  #wake: (() => void) | undefined;
  /** Games in the order of their last repetition. */
  readonly #restated = new Map<VenueGame, number>();

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#wait = options.wait ?? timerWait;
    options.games.onChange = () => this.#wake?.();
  }

  /** The listing is complete: from now on it is sent. */
  ready(): void {
    this.#ready = true;
    this.#wake?.();
  }

  /** Sends until the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { context, games, clearAfterMs = 7_000 } = this.#options;
    const clearAtMs = context.clock.now() + clearAfterMs;
    while (!this.#ready && context.clock.now() < clearAtMs && !signal.aborted) await this.#sleep(TICK_MS, signal);
    while (!signal.aborted && !(await this.#send(this.#begin()))) await this.#wait(RETRY_MS, signal);
    while (!signal.aborted) {
      const due = games.changed.size > 0 || games.removed.size > 0 || games.settled.length > 0;
      if (!due && !(await this.#restate(signal))) await this.#sleep(TICK_MS, signal);
      else if (due && !(await this.#sendChanges())) await this.#wait(RETRY_MS, signal);
    }
  }

  /** Marks every row of the venue as inactive: the feed has stopped. */
  async suspendAll(): Promise<void> {
    const { games } = this.#options;
    for (const game of games.values()) for (const market of game.markets.values()) market.clear();
    while (games.changed.size > 0) if (!(await this.#sendChanges())) return;
  }

  /** Sends all leagues as complete: rows of an earlier run that the venue no longer lists are removed. */
  #begin(): IngestMessage[] {
    const { book, leagues, games, context } = this.#options;
    const polled_at = formatMs(context.clock.now());
    const byLeague = new Map<string, IngestEvent[]>(leagues.map((league) => [league, []]));
    for (const game of games.values()) {
      const events = byLeague.get(game.facts.league);
      if (events === undefined) continue;
      events.push(this.#wholeEvent(game));
    }
    return [...byLeague].map(([league, events]) => ({ book, polled_at, scope: 'league', league, events }));
  }

  #wholeEvent(game: VenueGame): IngestEvent {
    chooseMainLines(game);
    game.whole = false;
    game.changed.clear();
    this.#options.games.changed.delete(game);
    this.#restated.delete(game);
    this.#restated.set(game, this.#options.context.clock.now());
    return eventOf(game, game.markets.values());
  }

  async #sendChanges(): Promise<boolean> {
    const { book, games, context } = this.#options;
    const polled_at = formatMs(context.clock.now());
    const whole: IngestEvent[] = [];
    const parts: IngestEvent[] = [];
    const gone: GameFacts[] = [];
    let quotes = 0;
    for (const facts of games.removed.values()) {
      gone.push(facts);
      whole.push({ ...refOf(facts), markets: [] });
    }
    for (const facts of gone) games.removed.delete(facts.id);
    const sent: VenueGame[] = [];
    for (const game of games.changed) {
      if (quotes >= BATCH_QUOTES_MAX) break;
      const list = game.whole ? whole : parts;
      const event = game.whole ? this.#wholeEvent(game) : eventOf(game, game.changed);
      game.changed.clear();
      games.changed.delete(game);
      quotes += quotesOf(event);
      list.push(event);
      sent.push(game);
    }
    const messages: IngestMessage[] = [];
    if (whole.length > 0) messages.push({ book, polled_at, scope: 'event', events: whole });
    if (parts.length > 0) messages.push({ book, polled_at, scope: 'none', events: parts });
    const settled = games.settled.splice(0, BATCH_QUOTES_MAX);
    if (settled.length > 0)
      messages.unshift({ book, polled_at, scope: 'none', settlements: settled.map(settlementOf) });
    if (messages.length === 0 || (await this.#send(messages))) return true;
    // Nothing was accepted: all of it must be sent again.
    for (const facts of gone) if (games.get(facts.id) === undefined) games.removed.set(facts.id, facts);
    for (const game of sent) game.restructured();
    games.settled.unshift(...settled);
    return false;
  }

  /** Repeats the next games that are due; false if none is. */
  async #restate(signal: AbortSignal): Promise<boolean> {
    const { book, games, context, restateEveryMs = 15_000 } = this.#options;
    const nowMs = context.clock.now();
    const events: IngestEvent[] = [];
    const repeated: VenueGame[] = [];
    let quotes = 0;
    for (const [game, atMs] of this.#restated) {
      if (nowMs - atMs < restateEveryMs || quotes >= RESTATED_QUOTES_MAX) break;
      if (games.get(game.facts.id) !== game) {
        this.#restated.delete(game);
        continue;
      }
      const event = this.#wholeEvent(game);
      events.push(event);
      repeated.push(game);
      quotes += quotesOf(event);
    }
    if (events.length === 0) return false;
    const taken = await this.#send([{ book, polled_at: formatMs(nowMs), scope: 'event', events }]);
    if (!taken) {
      // Changes since then were not sent either.
      for (const game of repeated) game.restructured();
      await this.#wait(RETRY_MS, signal);
    }
    return true;
  }

  /** Whether the batch was accepted. */
  async #send(messages: IngestMessage[]): Promise<boolean> {
    const { context, book } = this.#options;
    try {
      const { rejected } = await context.sink(messages);
      if (rejected.length > 0)
        context.log.warn({ rejected: rejected.length, first: rejected[0] }, `${book}: quotes rejected`);
      return true;
    } catch {
      // The feed watch reports it; the changes are still pending.
      return false;
    }
  }

  /** Waits for changes, for `ms` at most. Aborting a signal took 0.1 ms here, which every price waited for. */
  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#wake = wake;
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}

function quotesOf({ markets }: IngestEvent): number {
  let quotes = 0;
  for (const { selections } of markets) quotes += selections.length;
  return quotes;
}
