// The feed of a service over the network: what the service says of its games is kept as it is now, what changes goes to
// the sink, and when the feed ends everything is suspended.

import { type FeedContext, StoppableFeed } from '../feed.js';
import { type Documented, DocumentedFields } from './documented-fields.js';
import { type OutgoingGame, type OutgoingGames, Publisher, type PublisherOptions } from './publisher.js';
import { Rest, type RestOptions, type VenueAccess, VenuePause } from './rest.js';

export interface Source<Games> extends Pick<PublisherOptions, 'book' | 'books' | 'leagues'> {
  games: Games;
  /** Documented fields of its answers. */
  documented: Readonly<Record<string, Documented>>;
  /** Uniform in [0, 1). */
  random: () => number;
}

export abstract class SourceFeed<
  Game extends OutgoingGame,
  Games extends OutgoingGames<Game> = OutgoingGames<Game>,
> extends StoppableFeed {
  protected readonly games: Games;
  protected context!: FeedContext;
  protected documented!: DocumentedFields;
  protected publisher!: Publisher<Game>;
  /** What was begun for the service, and ends when the feed is stopped. */
  protected readonly running: Promise<void>[] = [];
  readonly #source: Source<Games>;
  readonly #pause = new VenuePause();

  constructor(name: string, source: Source<Games>) {
    super(name);
    this.games = source.games;
    this.#source = source;
  }

  /** Follows the service until the signal is aborted. Never rejects. */
  protected abstract follow(signal: AbortSignal): Promise<void>;

  async run(context: FeedContext): Promise<void> {
    const { documented, random: _, ...published } = this.#source;
    const { signal } = this.stopping;
    this.context = context;
    this.documented = new DocumentedFields(documented, context.report);
    this.publisher = new Publisher({ ...published, context });
    await Promise.all([this.publisher.run(signal), this.follow(signal)]);
    await Promise.all(this.running);
    await this.publisher.suspendAll();
  }

  /** For what talks to the service once it is followed. */
  protected get access(): Required<VenueAccess> {
    return { context: this.context, random: this.#source.random, pause: this.#pause };
  }

  protected rest(options: Omit<RestOptions, keyof VenueAccess | 'signal'>): Rest {
    return new Rest({ ...this.access, signal: this.stopping.signal, ...options });
  }
}
