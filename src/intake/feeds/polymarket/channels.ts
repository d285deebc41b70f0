// The connections of the market channel: a game's tokens share one, with a maximum number of tokens each; and the
// fetching of books beside them.
import type { FeedContext } from '../feed.js';
import type { Rest } from '../kit/rest.js';
import type { VenuePause } from '../kit/venue-pause.js';
import { Channel, TOKENS_PER_CONNECTION } from './channel.js';
import { FreshBooks } from './fresh-books.js';
import type { TokenBook } from './token-book.js';

export interface ChannelsOptions {
  url: string;
  context: FeedContext;
  random: () => number;
  pause: VenuePause;
  clob: Rest;
  changed(token: string): void;
  resolved(tokens: readonly string[]): void;
  listed(): void;
}

export class Channels {
  readonly #options: ChannelsOptions;
  readonly #channels: Channel[] = [];
  readonly #byToken = new Map<string, Channel>();
  readonly #byGame = new Map<string, Channel>();
  readonly #fresh: FreshBooks;
  #stopped = false;

  constructor(options: ChannelsOptions) {
    this.#options = options;
    this.#fresh = new FreshBooks({
      clob: options.clob,
      context: options.context,
      book: (token) => this.book(token),
      tokens: () => this.#byToken.keys(),
      changed: options.changed,
    });
  }

  book(token: string): TokenBook | undefined {
    return this.#byToken.get(token)?.books.get(token);
  }

  /** Maintains the connections until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#fresh.run(signal);
    this.#stopped = true;
    for (const channel of this.#channels) channel.stop();
    await Promise.all(this.#channels.map(({ running }) => running));
  }

  add(gameId: string, tokens: readonly string[]): void {
    if (this.#stopped) return;
    for (let at = 0; at < tokens.length; at += TOKENS_PER_CONNECTION) {
      const part = tokens.slice(at, at + TOKENS_PER_CONNECTION);
      const channel = this.#roomFor(gameId, part.length);
      for (const token of part) this.#byToken.set(token, channel);
      channel.add(part);
    }
  }

  remove(tokens: readonly string[]): void {
    const byChannel = new Map<Channel, string[]>();
    for (const token of tokens) {
      const channel = this.#byToken.get(token);
      if (channel === undefined) continue;
      this.#byToken.delete(token);
      byChannel.set(channel, [...(byChannel.get(channel) ?? []), token]);
    }
    for (const [channel, part] of byChannel) channel.remove(part);
  }

  forgetGame(gameId: string): void {
    this.#byGame.delete(gameId);
  }

  /** Whether every book has arrived. */
  get areWhole(): boolean {
    return [...this.#byToken.keys()].every((token) => this.book(token)?.good);
  }

  #roomFor(gameId: string, count: number): Channel {
    const own = this.#byGame.get(gameId);
    const hasRoom = (channel: Channel): boolean => channel.books.size + count <= TOKENS_PER_CONNECTION;
    const channel = own !== undefined && hasRoom(own) ? own : (this.#channels.find(hasRoom) ?? this.#open());
    this.#byGame.set(gameId, channel);
    return channel;
  }

  #open(): Channel {
    const { url, context, random, pause, changed, resolved, listed } = this.#options;
    const name = this.#channels.length === 0 ? 'books' : `books ${this.#channels.length + 1}`;
    const doubtful = (tokens: Iterable<string>): void => this.#fresh.want(tokens);
    const channel = new Channel({ name, url, context, random, pause, changed, resolved, listed, doubtful });
    this.#channels.push(channel);
    return channel;
  }
}
