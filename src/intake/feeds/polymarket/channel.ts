// One connection to the market channel and its tokens: subscribes, and applies frames to the tokens' books.
import type { FeedContext } from '../feed.js';
import { Connection } from '../kit/connection.js';
import { DocumentedFields } from '../kit/documented-fields.js';
import { type Fields, fieldsOf, jsonOf, objectsOf, textOf, textsOf } from '../kit/field-readers.js';
import { isPriceMicros, parseMicros } from '../kit/probability-price.js';
import type { VenuePause } from '../kit/venue-pause.js';
import { webSocket } from '../kit/web-socket.js';
import { STREAMED } from './documented.js';
import { type LevelChange, msOf, TokenBook } from './token-book.js';

/** Beyond about 500 tokens on a connection, first books do not arrive; a game's tokens stay on one connection. */
export const TOKENS_PER_CONNECTION = 200;

export interface ChannelOptions {
  name: string;
  url: string;
  context: FeedContext;
  random: () => number;
  pause: VenuePause;
  /** The token's book changed, or is no longer known. */
  changed(token: string): void;
  /** Messages may have been missed: fresh books must be fetched. */
  doubtful(tokens: Iterable<string>): void;
  /** Tokens of resolved markets. */
  resolved(tokens: readonly string[]): void;
  /** New markets are listed. */
  listed(): void;
}

export class Channel {
  readonly books = new Map<string, TokenBook>();
  readonly #options: ChannelOptions;
  readonly #connection: Connection;
  readonly #documented: DocumentedFields;
  readonly #stopping = new AbortController();
  readonly running: Promise<void>;
  /** Whether the present connection has received anything: an accepted handshake is no sign of life. */
  #hasAnswered = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#documented = new DocumentedFields(STREAMED, options.context.report);
    this.#connection = new Connection({
      name: options.name,
      dial: webSocket({ url: options.url, pingText: 'PING', pongText: 'PONG' }),
      context: options.context,
      random: options.random,
      pause: options.pause,
      opened: () => this.#subscribe([...this.books.keys()], { type: 'market' }),
      pingEveryMs: 1_500,
      silenceMsMax: 5_000,
      received: (text) => this.#received(text),
      down: () => this.#down(),
    });
    this.running = this.#connection.run(this.#stopping.signal);
  }

  get isOpen(): boolean {
    return this.#connection.isOpen;
  }

  stop(): void {
    this.#stopping.abort();
  }

  add(tokens: readonly string[]): void {
    const before = this.books.size;
    for (const token of tokens) this.books.set(token, new TokenBook());
    if (!this.#connection.isOpen) return;
    // The first subscription of a connection has a shape of its own.
    if (before === 0) this.#subscribe([...this.books.keys()], { type: 'market' });
    else this.#subscribe(tokens, { operation: 'subscribe' });
  }

  remove(tokens: readonly string[]): void {
    for (const token of tokens) this.books.delete(token);
    this.#connection.send(JSON.stringify({ assets_ids: tokens, operation: 'unsubscribe' }));
  }

  #subscribe(tokens: readonly string[], how: { type: 'market' } | { operation: 'subscribe' }): void {
    if (tokens.length === 0) return;
    if (this.#hasAnswered) this.#carry(tokens);
    this.#connection.send(JSON.stringify({ assets_ids: tokens, ...how, custom_feature_enabled: true }));
  }

  #carry(tokens: Iterable<string>): void {
    const nowMs = this.#options.context.clock.now();
    for (const token of tokens) this.books.get(token)?.carry(nowMs);
  }

  #down(): void {
    this.#hasAnswered = false;
    for (const [token, book] of this.books) {
      book.forget();
      this.#options.changed(token);
    }
  }

  #received(text: string): void {
    if (!this.#hasAnswered) {
      this.#hasAnswered = true;
      this.#carry(this.books.keys());
    }
    if (text === 'PONG' || text === 'PING') return;
    const frame = jsonOf(text);
    const messages = Array.isArray(frame) ? frame : [frame];
    let bad = false;
    for (const each of messages) {
      const message = fieldsOf(each);
      if (message === undefined || !this.#take(message)) bad = true;
    }
    if (!bad) return;
    this.#options.context.report?.counted?.('bad_messages');
    // It is unknown which token it was for.
    this.#options.doubtful(this.books.keys());
  }

  /** False if a message of a known type cannot be parsed. */
  #take(message: Fields): boolean {
    switch (message['event_type']) {
      case 'book':
        return this.#book(message);
      case 'price_change':
        return this.#changes(message);
      case 'market_resolved':
        this.#options.resolved(textsOf(message['assets_ids'] ?? message['asset_ids']));
        return true;
      case 'new_market':
        this.#options.listed();
        return true;
      default:
        // Trades, tick sizes, best prices: none of them changes a book. Answers to subscriptions have no type.
        return true;
    }
  }

  #book(message: Fields): boolean {
    this.#documented.look('book', message);
    const token = textOf(message['asset_id']);
    if (token === undefined) return false;
    const book = this.books.get(token);
    if (book === undefined) return true;
    if (!book.replace(message, this.#options.context.clock.now())) return false;
    this.#options.changed(token);
    return true;
  }

  #changes(message: Fields): boolean {
    this.#documented.look('price_change', message);
    const byToken = new Map<string, { changes: LevelChange[]; last: Fields }>();
    let whole = Array.isArray(message['price_changes']);
    for (const entry of objectsOf(message['price_changes'])) {
      const token = textOf(entry['asset_id']);
      const change = changeOf(entry);
      if (token === undefined || change === undefined) {
        whole = false;
        continue;
      }
      const known = byToken.get(token);
      if (known === undefined) byToken.set(token, { changes: [change], last: entry });
      else {
        known.changes.push(change);
        known.last = entry;
      }
    }
    const ms = msOf(message);
    for (const [token, { changes, last }] of byToken) {
      const book = this.books.get(token);
      if (book === undefined) continue;
      book.change(changes, ms);
      // Only after the frame's last entry: before that the book is partly updated.
      if (book.good && !book.agrees(bestOf(last['best_bid']), bestOf(last['best_ask']))) {
        book.good = false;
        this.#options.context.report?.counted?.('gaps');
      }
      if (book.good) book.confirmedMs = this.#options.context.clock.now();
      else this.#options.doubtful([token]);
      this.#options.changed(token);
    }
    return whole;
  }
}

function changeOf(entry: Fields): LevelChange | undefined {
  const priceMicros = parseMicros(entry['price']);
  const countMicros = parseMicros(entry['size']);
  const side = entry['side'] === 'BUY' ? 'bid' : entry['side'] === 'SELL' ? 'ask' : undefined;
  if (priceMicros === undefined || countMicros === undefined || side === undefined) return undefined;
  if (!isPriceMicros(priceMicros) || countMicros < 0) return undefined;
  return { side, priceMicros, countMicros };
}

/** An empty side is stated as 0 or 1; undefined if nothing is stated. */
function bestOf(value: unknown): number | null | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const micros = parseMicros(value);
  return micros === undefined ? undefined : isPriceMicros(micros) ? micros : null;
}
