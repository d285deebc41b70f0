// Sends a feed's games as ingest messages: changes at once, one batch at a time, so that changes during a commit are
// sent in their final state after it; every row again at intervals, so that an unchanged price stays fresh; and first
// everything as complete, so that rows of an earlier run go.

import { BoundedMap } from '../../../base/memory/bounded-map.js';
import { getOrInsert } from '../../../base/memory/get-or-insert.js';
import { LIMITS } from '../../../base/model/limits.js';
import type { Rejection } from '../../../base/model/normal-message.js';
import { formatMs } from '../../../base/model/time.js';
import type { IngestEvent, IngestMessage } from '../../ingest/message.js';
import type { FeedContext } from '../feed.js';
import { Bell, wait } from '../wait.js';
import { type GameFacts, refOf, type Settled, settlementOf } from './market-ids.js';

export interface PublisherOptions<Game extends OutgoingGame = OutgoingGame> {
  /** The book whose games these are; of several books' games the name of their source. */
  book: string;
  /** The books of such a source. Books and leagues that turn up later are added. */
  books?: readonly string[];
  /** Leagues of which the feed lists all of the book's games. */
  leagues: readonly string[];
  games: OutgoingGames<Game>;
  context: FeedContext;
  /** Interval at which rows are repeated; 15 s by default. */
  restateEveryMs?: number;
  /**
   * Rows of an earlier run are removed this long after the start if the venue has not listed their games by then; 7 s
   * by default.
   */
  clearAfterMs?: number;
}

/** Maximum quotes per batch: its commit is short, so that changes do not wait long behind it. */
const BATCH_QUOTES_MAX = LIMITS.feedBatch.max;
/** A smaller maximum for repeated rows. */
const RESTATED_QUOTES_MAX = LIMITS.restatedBatch.max;
const TICK_MS = 250;
const RETRY_MS = 250;

export class Publisher<Game extends OutgoingGame = OutgoingGame> {
  readonly #options: PublisherOptions<Game>;
  /** The first list of games is complete and their books have arrived. */
  #ready = false;
  readonly #bell = new Bell();
  /** Books with games, each as `book|league`: those of this run, and of the last one until its rows are removed. */
  #listed = new Set<string>();
  /** How many of them are in the feed's memory; -1 if there are others. */
  #remembered = 0;
  /** Games in the order in which all of them was last sent. */
  readonly #restated = new Map<Game, number>();
  /** Reasons that were logged: the same quotes are refused whenever they are repeated. */
  readonly #refusals = new BoundedMap<string, true>(LIMITS.feedParts.max);

  constructor(options: PublisherOptions<Game>) {
    this.#options = options;
    options.games.onChange = () => this.#bell.ring();
  }

  /** The listing is complete: from now on it is sent. */
  ready(): void {
    this.#ready = true;
    this.#bell.ring();
  }

  /** Sends until the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { book, context, games, clearAfterMs = 7_000 } = this.#options;
    this.#listed = new Set((context.memory?.read(memoryOf(book)) ?? []) as string[]);
    this.#remembered = this.#listed.size;
    const clearAtMs = context.clock.now() + clearAfterMs;
    while (!this.#ready && context.clock.now() < clearAtMs && !signal.aborted) await this.#bell.sleep(TICK_MS, signal);
    for (let begun = false; !begun && !signal.aborted; ) {
      const messages = this.#begin();
      begun = (await this.#send(messages)) !== undefined;
      if (!begun) await wait(RETRY_MS, signal);
      else {
        [this.#listed, this.#remembered] = [listedIn(messages), -1];
        // Where that fails it is written with the next messages.
        await this.#remember([]).catch(() => undefined);
      }
    }
    while (!signal.aborted) {
      const due = games.changed.size > 0 || games.removed.size > 0 || (games.settled?.length ?? 0) > 0;
      if (!due && !(await this.#restate(signal))) await this.#bell.sleep(TICK_MS, signal);
      else if (due && !(await this.#sendChanges())) await wait(RETRY_MS, signal);
    }
  }

  /** Marks every row as inactive: the feed has stopped. */
  async suspendAll(): Promise<void> {
    const { games } = this.#options;
    games.suspend();
    while (games.changed.size > 0) if (!(await this.#sendChanges())) return;
  }

  /** All leagues as complete: rows of an earlier run that are no longer listed are removed. */
  #begin(): IngestMessage[] {
    const { book, books, leagues, games, context } = this.#options;
    const polled_at = formatMs(context.clock.now());
    const all = [...games.values()];
    const bookOf = (game: Game): string => game.book ?? book;
    const found = books === undefined ? [] : all;
    const messages = new Map<string, IngestMessage & { events: IngestEvent[] }>();
    const add = (one: string, league: string): void =>
      void messages.set(`${one}|${league}`, { book: one, polled_at, scope: 'league', league, events: [] });
    for (const one of new Set([...(books ?? [book]), ...found.map(bookOf)]))
      for (const league of new Set([...leagues, ...found.map(({ facts }) => facts.league)])) add(one, league);
    // A book that another feed lists by now is that one's.
    for (const each of this.#listed)
      if ((context.listers?.get(each) ?? book) === book)
        add(each.slice(0, each.indexOf('|')), each.slice(each.indexOf('|') + 1));
    for (const game of all) {
      const message = messages.get(`${bookOf(game)}|${game.facts.league}`);
      // What is doubtful already is sent as that right after.
      if (message === undefined || game.doubtful === true) continue;
      game.whole = true;
      message.events.push(game.event());
      game.sent();
      games.changed.delete(game);
      this.#sentWhole(game);
    }
    return [...messages.values()];
  }

  async #sendChanges(): Promise<boolean> {
    const { book, games, context } = this.#options;
    const taken = takeChanges(games, book, formatMs(context.clock.now()), BATCH_QUOTES_MAX);
    for (const game of taken.whole) this.#sentWhole(game);
    const rejected = await this.#send(taken.messages);
    if (rejected === undefined) taken.putBack();
    // A price that is refused leaves the one before it where it was, unless all of its game is stated.
    else if (rejected.some(({ path }) => taken.messages[messageAt(path)]?.scope === 'none'))
      sendAgain(taken.parts, games);
    return rejected !== undefined;
  }

  /** Repeats the next games that are due; false if none is. */
  async #restate(signal: AbortSignal): Promise<boolean> {
    const { book, games, context, restateEveryMs = 15_000 } = this.#options;
    const nowMs = context.clock.now();
    const batch = new Batch(book, formatMs(nowMs));
    const repeated: Game[] = [];
    for (const [game, atMs] of this.#restated) {
      if (nowMs - atMs < restateEveryMs || batch.quotes >= RESTATED_QUOTES_MAX) break;
      this.#restated.delete(game);
      if (games.get(game.key) !== game) continue;
      game.whole = true;
      batch.add(game, games);
      this.#sentWhole(game);
      repeated.push(game);
    }
    if (repeated.length === 0) return false;
    if ((await this.#send(batch.messages)) === undefined) {
      // Changes since then were not sent either.
      sendAgain(repeated, games);
      await wait(RETRY_MS, signal);
    }
    return true;
  }

  #sentWhole(game: Game): void {
    this.#restated.delete(game);
    this.#restated.set(game, this.#options.context.clock.now());
  }

  /** What was rejected of the batch; undefined if nothing was accepted. */
  async #send(messages: IngestMessage[]): Promise<readonly Rejection[] | undefined> {
    const { context, book } = this.#options;
    if (messages.length === 0) return [];
    try {
      await this.#remember(messages);
      const { rejected } = await context.sink(messages);
      const first = rejected.find(({ reason }) => !this.#refusals.has(reason));
      if (first !== undefined) {
        this.#refusals.set(first.reason, true);
        context.log.warn({ rejected: rejected.length, first }, `${book}: quotes rejected`);
      }
      return rejected;
    } catch {
      // The feed watch reports it; the changes are still pending.
      return undefined;
    }
  }

  /** Before the first row of a book there is a note of it, so that a kill between the two leaves none behind. */
  async #remember(messages: readonly IngestMessage[]): Promise<void> {
    const { book, context } = this.#options;
    const listed = listedIn(messages);
    for (const each of listed) context.listers?.set(each, book);
    if (context.memory === undefined) return;
    for (const each of listed) this.#listed.add(each);
    if (this.#listed.size === this.#remembered) return;
    await context.memory.write(memoryOf(book), [...this.#listed]);
    this.#remembered = this.#listed.size;
  }
}

function memoryOf(source: string): string {
  return `${source} books`;
}

/** Books whose games are in the messages, each as `book|league`. */
function listedIn(messages: readonly IngestMessage[]): Set<string> {
  const listed = messages.flatMap(({ book, events = [] }) => events.map(({ league }) => `${book}|${league}`));
  return new Set(listed);
}

/** A rejection's path begins with the number of its message where there are several. */
function messageAt(path: string): number {
  return Number(/^\[(\d+)\]/.exec(path)?.[1] ?? 0);
}

// The changes of a feed's games as ingest messages, and how they are taken back if nothing of them was accepted.

/** A book's game, sent as one event. */
export interface OutgoingGame {
  readonly key: string;
  readonly facts: GameFacts;
  /** Undefined: the feed's one book. */
  readonly book?: string;
  /** The book's own id of the game, if that is not in the facts. */
  readonly externalId?: string | undefined;
  /** All of it must be sent: rows were added or removed, or its own fields changed. event() may find that. */
  whole: boolean;
  /** Its prices may be outdated: it is sent as suspended. */
  readonly doubtful?: boolean;
  /** What is to be sent of it: all, or what changed. */
  event(): IngestEvent;
  /** That was put into a message. */
  sent(): void;
}

/** The games that a feed lists now, and what of them is to be sent. */
export interface OutgoingGames<Game extends OutgoingGame = OutgoingGame> {
  /** Games with changes, oldest change first. */
  readonly changed: Set<Game>;
  /** Games that are no longer listed and whose rows must still be removed. */
  readonly removed: Map<string, Game>;
  /** Words that must still be sent. */
  readonly settled?: Settled[];
  /** Called when the first change to send arrives. */
  onChange: () => void;
  get(key: string): Game | undefined;
  values(): Iterable<Game>;
  /** The state of everything is unknown. */
  suspend(): void;
}

/** Events of several books, as few messages as possible. */
class Batch {
  readonly #book: string;
  readonly #polledAt: string;
  readonly #messages = new Map<string, IngestMessage & { events: IngestEvent[] }>();
  #settlements: IngestMessage[] = [];
  quotes = 0;

  /** @param book of games that name none */
  constructor(book: string, polledAt: string) {
    this.#book = book;
    this.#polledAt = polledAt;
  }

  get messages(): IngestMessage[] {
    return [...this.#settlements, ...this.#messages.values()];
  }

  /** Returns whether all of it is stated. */
  add<Game extends OutgoingGame>(game: Game, { changed }: OutgoingGames<Game>): boolean {
    const event = game.event();
    const { whole } = game;
    // A doubtful one is suspended as it is.
    const scope = whole && game.doubtful !== true ? 'event' : 'none';
    this.#add(game, scope, scope, event);
    game.sent();
    changed.delete(game);
    return whole;
  }

  /** In messages of their own, before the others: within one message the same game under another id would be a second game. */
  remove(game: OutgoingGame): void {
    this.#add(game, 'event', 'gone', { ...refOf(game.facts, game.externalId), markets: [] });
  }

  settle(settled: readonly Settled[]): void {
    const settlements = settled.map(settlementOf);
    if (settlements.length > 0)
      this.#settlements = [{ book: this.#book, polled_at: this.#polledAt, scope: 'none', settlements }];
  }

  #add({ book = this.#book }: OutgoingGame, scope: 'event' | 'none', part: string, event: IngestEvent): void {
    const key = `${part}|${book}`;
    const message = getOrInsert(this.#messages, key, () => ({ book, polled_at: this.#polledAt, scope, events: [] }));
    message.events.push(event);
    for (const { selections } of event.markets) this.quotes += selections.length;
  }
}

/** They must be sent again, whole. */
function sendAgain<Game extends OutgoingGame>(sent: Iterable<Game>, games: OutgoingGames<Game>): void {
  for (const game of sent) {
    if (games.get(game.key) !== game) continue;
    game.whole = true;
    games.changed.add(game);
  }
}

interface TakenChanges<Game> {
  messages: IngestMessage[];
  /** Those of which everything is in the messages. */
  whole: Game[];
  /** Those of which only changes are. */
  parts: Game[];
  /** Nothing was accepted: all of it must be sent again. */
  putBack(): void;
}

/** What changed, words and removals first; games until there are `most` quotes. */
export function takeChanges<Game extends OutgoingGame>(
  games: OutgoingGames<Game>,
  book: string,
  polledAt: string,
  most = Number.POSITIVE_INFINITY,
): TakenChanges<Game> {
  const batch = new Batch(book, polledAt);
  const settled = games.settled?.splice(0, most) ?? [];
  batch.settle(settled);
  const removed = [...games.removed];
  games.removed.clear();
  for (const [, game] of removed) batch.remove(game);
  const parts: Game[] = [];
  const whole: Game[] = [];
  for (const game of games.changed) {
    if (batch.quotes >= most) break;
    (batch.add(game, games) ? whole : parts).push(game);
  }
  const putBack = (): void => {
    for (const [key, game] of removed) if (games.get(key) === undefined) games.removed.set(key, game);
    sendAgain([...whole, ...parts], games);
    games.settled?.unshift(...settled);
  };
  return { messages: batch.messages, whole, parts, putBack };
}
