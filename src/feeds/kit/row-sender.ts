// Sends a mirror's rows as ingest messages: changes at once, one batch at a time; every row again at intervals, so that
// an unchanged price stays fresh; and first everything as complete, so that rows of an earlier run go.
import type { IngestEvent, IngestMessage } from '../../ingest/message.js';
import { LIMITS } from '../../model/limits.js';
import { formatMs } from '../../model/time.js';
import type { FeedContext } from '../feed.js';
import { wait } from '../wait.js';
import type { MirroredGame, RowMirror } from './row-mirror.js';
import { refOf } from './statement.js';

export interface RowSenderOptions {
  name: string;
  mirror: RowMirror;
  context: FeedContext;
  /** Books and leagues of which the feed has everything; books that turn up later are added. */
  books: readonly string[];
  leagues: readonly string[];
  /** Interval at which rows are repeated; 15 s by default. */
  restateEveryMs?: number;
  /** Rows of an earlier run are removed this long after the start if nothing was listed by then; 7 s by default. */
  clearAfterMs?: number;
}

const BATCH_QUOTES_MAX = LIMITS.feedBatch.max;
const RESTATED_QUOTES_MAX = LIMITS.restatedBatch.max;
const TICK_MS = 250;
const RETRY_MS = 250;

export class RowSender {
  readonly #options: RowSenderOptions;
  #ready = false;
  #wake: (() => void) | undefined;
  readonly #sent = new Map<MirroredGame, number>();

  constructor(options: RowSenderOptions) {
    this.#options = options;
    options.mirror.onChange = () => this.#wake?.();
  }

  /** The first list is complete: from now on it is sent. */
  ready(): void {
    this.#ready = true;
    this.#wake?.();
  }

  /** Sends until the signal is aborted, then suspends everything. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { context, mirror, clearAfterMs = 7_000 } = this.#options;
    const clearAtMs = context.clock.now() + clearAfterMs;
    while (!this.#ready && context.clock.now() < clearAtMs && !signal.aborted) await this.#sleep(TICK_MS, signal);
    while (!signal.aborted && !(await this.#send(this.#begin()))) {
      for (const game of mirror.games()) mirror.changed.add(game);
      await wait(RETRY_MS, signal);
    }
    while (!signal.aborted) {
      const due = mirror.changed.size > 0 || mirror.removed.size > 0;
      if (!due && !(await this.#restate(signal))) await this.#sleep(TICK_MS, signal);
      else if (due && !(await this.#sendChanges())) await wait(RETRY_MS, signal);
    }
    mirror.doubt();
    while (mirror.changed.size > 0) if (!(await this.#sendChanges())) return;
  }

  /** Every book's leagues as complete. */
  #begin(): IngestMessage[] {
    const { mirror, books, leagues, context } = this.#options;
    const nowMs = context.clock.now();
    const polled_at = formatMs(nowMs);
    const games = [...mirror.games()];
    const lists = new Map<string, IngestMessage & { events: IngestEvent[] }>();
    for (const book of new Set([...books, ...games.map((game) => game.book)]))
      for (const league of new Set([...leagues, ...games.map(({ facts }) => facts.league)]))
        lists.set(`${book}|${league}`, { book, polled_at, scope: 'league', league, events: [] });
    for (const game of games) {
      // What is doubtful already is sent as that right after.
      if (game.doubtful) continue;
      const { events } = lists.get(`${game.book}|${game.facts.league}`)!;
      events.push({ ...refOf(game.facts), markets: game.markets(game.rows.values()) });
      game.sentWhole();
      mirror.changed.delete(game);
      this.#sent.set(game, nowMs);
    }
    return [...lists.values()];
  }

  async #sendChanges(): Promise<boolean> {
    const { mirror, context } = this.#options;
    const batch = new Batch(formatMs(context.clock.now()));
    const removed = [...mirror.removed];
    mirror.removed.clear();
    for (const game of removed) batch.add(game.book, 'event', { ...refOf(game.facts), markets: [] });
    const sent: MirroredGame[] = [];
    for (const game of mirror.changed) {
      if (batch.quotes >= BATCH_QUOTES_MAX) break;
      mirror.changed.delete(game);
      batch.game(game);
      this.#sent.delete(game);
      this.#sent.set(game, context.clock.now());
      sent.push(game);
    }
    if (await this.#send(batch.messages())) return true;
    // Nothing was accepted: all of it must be sent again.
    for (const game of removed) mirror.removed.add(game);
    for (const game of sent) {
      game.whole = true;
      mirror.changed.add(game);
    }
    return false;
  }

  /** Repeats the next games that are due; false if none is. */
  async #restate(signal: AbortSignal): Promise<boolean> {
    const { mirror, context, restateEveryMs = 15_000 } = this.#options;
    const nowMs = context.clock.now();
    const batch = new Batch(formatMs(nowMs));
    const repeated: MirroredGame[] = [];
    const listed = new Set(mirror.games());
    for (const [game, atMs] of this.#sent) {
      if (nowMs - atMs < restateEveryMs || batch.quotes >= RESTATED_QUOTES_MAX) break;
      this.#sent.delete(game);
      if (!listed.has(game)) continue;
      this.#sent.set(game, nowMs);
      game.whole = true;
      batch.game(game);
      repeated.push(game);
    }
    if (repeated.length === 0) return false;
    if (await this.#send(batch.messages())) return true;
    for (const game of repeated) {
      game.whole = true;
      mirror.changed.add(game);
    }
    await wait(RETRY_MS, signal);
    return true;
  }

  async #send(messages: IngestMessage[]): Promise<boolean> {
    const { context, name } = this.#options;
    if (messages.length === 0) return true;
    try {
      const { rejected } = await context.sink(messages);
      if (rejected.length > 0)
        context.log.warn({ rejected: rejected.length, first: rejected[0] }, `${name}: quotes rejected`);
      return true;
    } catch {
      // The feed watch reports it; the changes are still pending.
      return false;
    }
  }

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

/** Events of several books, as few messages as possible. */
class Batch {
  readonly #polledAt: string;
  readonly #lists = new Map<string, IngestMessage & { events: IngestEvent[] }>();
  quotes = 0;

  constructor(polledAt: string) {
    this.#polledAt = polledAt;
  }

  add(book: string, scope: 'event' | 'none', event: IngestEvent): void {
    const key = `${scope}|${book}`;
    let message = this.#lists.get(key);
    if (message === undefined) {
      message = { book, polled_at: this.#polledAt, scope, events: [] };
      this.#lists.set(key, message);
    }
    message.events.push(event);
  }

  /** What of the game is to be sent; a doubtful one is suspended as it is. */
  game(game: MirroredGame): void {
    const { book, facts, doubtful, whole } = game;
    if (doubtful) this.add(book, 'none', { ...refOf(facts), suspended: true, markets: [] });
    else {
      const rows = whole ? game.rows.values() : game.changed;
      this.quotes += whole ? game.rows.size : game.changed.size;
      this.add(book, whole ? 'event' : 'none', { ...refOf(facts), markets: game.markets(rows) });
    }
    game.sentWhole();
    // What changes while it is doubtful is sent with the rest.
    game.whole = doubtful;
  }

  messages(): IngestMessage[] {
    return [...this.#lists.values()];
  }
}
