// The changes of a feed's games as ingest messages, and how they are taken back if nothing of them was accepted.
import type { IngestEvent, IngestMessage } from '../../ingest/message.js';
import { type GameFacts, refOf, type Settled, settlementOf } from './market-ids.js';

/** A book's game, sent as one event. */
export interface OutgoingGame {
  readonly key: string;
  readonly facts: GameFacts;
  /** Undefined: the feed's one book. */
  readonly book?: string;
  /** All of it must be sent: rows were added or removed, or its own fields changed. */
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
export class Batch {
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

  add<Game extends OutgoingGame>(game: Game, { changed }: OutgoingGames<Game>): void {
    // A doubtful one is suspended as it is.
    const scope = game.whole && game.doubtful !== true ? 'event' : 'none';
    this.#add(game, scope, game.event());
    game.sent();
    changed.delete(game);
  }

  remove(game: OutgoingGame): void {
    this.#add(game, 'event', { ...refOf(game.facts), markets: [] });
  }

  settle(settled: readonly Settled[]): void {
    const settlements = settled.map(settlementOf);
    if (settlements.length > 0)
      this.#settlements = [{ book: this.#book, polled_at: this.#polledAt, scope: 'none', settlements }];
  }

  #add({ book = this.#book }: OutgoingGame, scope: 'event' | 'none', event: IngestEvent): void {
    const key = `${scope}|${book}`;
    const message = this.#messages.get(key) ?? { book, polled_at: this.#polledAt, scope, events: [] };
    this.#messages.set(key, message);
    message.events.push(event);
    for (const { selections } of event.markets) this.quotes += selections.length;
  }
}

/** They must be sent again, whole. */
export function sendAgain<Game extends OutgoingGame>(sent: Iterable<Game>, games: OutgoingGames<Game>): void {
  for (const game of sent) {
    if (games.get(game.key) !== game) continue;
    game.whole = true;
    games.changed.add(game);
  }
}

export interface TakenChanges<Game> {
  messages: IngestMessage[];
  /** Those of which everything is in the messages. */
  whole: Game[];
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
  const sent: Game[] = [];
  const whole: Game[] = [];
  for (const game of games.changed) {
    if (batch.quotes >= most) break;
    sent.push(game);
    if (game.whole) whole.push(game);
    batch.add(game, games);
  }
  const putBack = (): void => {
    for (const [key, game] of removed) if (games.get(key) === undefined) games.removed.set(key, game);
    sendAgain(sent, games);
    games.settled?.unshift(...settled);
  };
  return { messages: batch.messages, whole, putBack };
}
