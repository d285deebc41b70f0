// One connection of the stream and the markets it follows: logs in, subscribes, resumes after a cut, and requests a
// fresh image when its state is doubtful.

import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { LIMITS } from '../../../base/model/limits.js';
import { Connection, type Dial, type TransportEvents } from '../kit/connection.js';
import type { DocumentedFields } from '../kit/documented-fields.js';
import type { VenueAccess } from '../kit/rest.js';
import { wait } from '../wait.js';
import type { Listing } from './listing.js';
import { type MarketBook, MarketCache } from './market-cache.js';
import { type ChangeMessage, readMessage, type StatusMessage } from './messages.js';
import type { Session } from './session.js';

interface StreamPartOptions extends VenueAccess {
  name: string;
  dial: Dial;
  appKey: string;
  session: Pick<Session, 'token' | 'refused'>;
  listing: Listing;
  documented: DocumentedFields;
  /** Of each side of a runner's ladder. */
  levels: number;
  /** A subscription to this many markets exceeds Betfair's limit. */
  onTooMany(markets: number): void;
}

/**
 * Interval of the heartbeats requested from Betfair (500-5000 ms); after `SILENT_AFTER_MS` without one the connection
 * is dead.
 */
const HEARTBEAT_MS = 1_000;
const SILENT_AFTER_MS = 7_000;
const POLL_EVERY_MS = 500;
/** Rows are not shown as valid while an image is missing for longer than this. */
const UNSHOWN_AFTER_MS = 4_000;
/** Maximum time from the subscription until the image is complete. */
const IMAGE_WITHIN_MS = 8_000;
/** Consecutive unparsable messages or doubtful images after which the connection is replaced. */
const DOUBTS_MAX = LIMITS.doubtfulMessages.max;
/** A conflation (ms) above this belongs to a delayed application key: such prices are not live. */
const CONFLATED_FROM_MS = 5_000;
/** Markets beyond the subscription are not stored. */
const MARKETS_MAX = LIMITS.streamedMarkets.max;

const SESSION_CODES = new Set(['INVALID_SESSION_INFORMATION', 'NO_SESSION']);
/** Errors that a person has to fix: frequent retries would not help. */
const REFUSAL_CODES = new Set(['INVALID_APP_KEY', 'NO_APP_KEY', 'NOT_AUTHORIZED']);

type Stage = 'closed' | 'opening' | 'logging in' | 'image' | 'changes';

export class StreamPart {
  readonly #options: StreamPartOptions;
  readonly #connection: Connection;
  readonly #cache = new MarketCache(MARKETS_MAX);
  #transport: TransportEvents | undefined;
  #marketIds: readonly string[] = [];
  #stage: Stage = 'closed';
  /** Counts connections, so that a late answer is recognised as one of an earlier connection. */
  #connections = 0;
  #messageId = 0;
  /** Ids of pending requests. */
  #loginId = 0;
  #subscriptionId = 0;
  #token = '';
  #initialClk: string | null = null;
  #clk: string | null = null;
  /** The markets that the resume tokens are for. */
  #resumable: readonly string[] = [];
  #imageBegun = false;
  #doubtful = false;
  #doubts = 0;
  #subscribedMs = 0;
  /** Since when its state may differ from Betfair's; undefined if it does not, or nothing of it is shown. */
  #doubtfulSinceMs: number | undefined;
  /** Markets of the newest subscription. */
  #subscribed = 0;
  #behind = false;
  #warnedDelay = false;
  readonly #touched = new Set<MarketBook>();

  constructor(options: StreamPartOptions) {
    this.#options = options;
    this.#connection = new Connection({
      ...options,
      dial: (events) => {
        this.#transport = events;
        return options.dial(events);
      },
      silenceMsMax: SILENT_AFTER_MS,
      pingEveryMs: POLL_EVERY_MS,
      opened: () => {
        this.#connections++;
        this.#stage = 'opening';
      },
      received: (line) => this.#received(line),
      down: () => this.#down(),
    });
  }

  get marketIds(): readonly string[] {
    return this.#marketIds;
  }

  /** Whether its markets are as Betfair shows them now. */
  get isWhole(): boolean {
    return this.#stage === 'changes';
  }

  /** Follows these markets from now on instead of the previous ones. */
  follow(marketIds: readonly string[]): void {
    for (const id of this.#marketIds) if (!marketIds.includes(id)) this.#cache.markets.delete(id);
    this.#marketIds = marketIds;
    if (this.#stage === 'image' || this.#stage === 'changes') this.#subscribe();
  }

  /** Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#connection.run(signal), this.#watch(signal)]);
  }

  /** An image that does not come, however often it is requested, is no reason to show the previous one. */
  async #watch(signal: AbortSignal): Promise<void> {
    while (await wait(POLL_EVERY_MS, signal)) {
      const sinceMs = this.#doubtfulSinceMs;
      if (sinceMs !== undefined && this.#options.context.clock.now() - sinceMs > UNSHOWN_AFTER_MS) this.#suspendAll();
    }
  }

  #suspendAll(): void {
    this.#doubtfulSinceMs = undefined;
    for (const id of this.#marketIds) this.#options.listing.suspend(id);
  }

  #received(line: string): void {
    const message = readMessage(line);
    if (message === undefined) {
      this.#options.context.report?.counted?.('bad_messages');
      this.#doubt();
      return;
    }
    if (message.op === 'mcm') this.#changed(message);
    else if (message.op === 'status') this.#status(message);
    else if (this.#stage === 'opening') void this.#logIn();
  }

  async #logIn(): Promise<void> {
    this.#stage = 'logging in';
    const connection = this.#connections;
    const { session, appKey } = this.#options;
    const token = await session.token();
    if (token === undefined || connection !== this.#connections || this.#stage !== 'logging in') return;
    this.#token = token;
    this.#loginId = ++this.#messageId;
    this.#connection.send(JSON.stringify({ op: 'authentication', id: this.#loginId, appKey, session: token }));
  }

  #status({ id, ok, errorCode, errorMessage, connectionClosed }: StatusMessage): void {
    if (ok) {
      if (this.#stage !== 'logging in' || (id !== null && id !== this.#loginId)) return;
      this.#subscribe();
      return;
    }
    const reason = `${errorCode}${errorMessage === '' ? '' : `: ${errorMessage}`}`;
    if (SESSION_CODES.has(errorCode)) this.#options.session.refused(this.#token);
    if (errorCode === 'SUBSCRIPTION_LIMIT_EXCEEDED') this.#options.onTooMany(this.#subscribed);
    if (errorCode === 'INVALID_CLOCK') {
      this.#forgetClocks();
      if (!connectionClosed && this.#stage === 'image') {
        this.#subscribe();
        return;
      }
    }
    if (REFUSAL_CODES.has(errorCode)) this.#transport?.ended({ reason, status: 403 });
    else this.#connection.drop(reason);
  }

  /** Replaces the subscription; resumes if the markets are the same. */
  #subscribe(): void {
    const marketIds = this.#marketIds;
    if (this.#stage === 'changes') this.#doubtfulSinceMs = this.#options.context.clock.now();
    this.#stage = 'image';
    this.#doubtful = false;
    this.#touched.clear();
    this.#subscribedMs = this.#options.context.clock.now();
    this.#subscriptionId = ++this.#messageId;
    if (marketIds.length === 0) return;
    const resumes = this.#clk !== null && this.#initialClk !== null && this.#resumable === marketIds;
    if (!resumes) this.#forgetClocks();
    this.#imageBegun = false;
    this.#resumable = marketIds;
    this.#subscribed = marketIds.length;
    this.#connection.send(
      JSON.stringify({
        op: 'marketSubscription',
        id: this.#subscriptionId,
        marketFilter: { marketIds },
        marketDataFilter: { fields: ['EX_BEST_OFFERS', 'EX_MARKET_DEF'], ladderLevels: this.#options.levels },
        segmentationEnabled: true,
        heartbeatMs: HEARTBEAT_MS,
        conflateMs: 0,
        ...(resumes ? { initialClk: this.#initialClk, clk: this.#clk } : {}),
      }),
    );
  }

  #changed(message: ChangeMessage): void {
    if (this.#stage !== 'image' && this.#stage !== 'changes') return;
    // A late message of the previous subscription.
    if (message.id !== null && message.id !== this.#subscriptionId) return;
    const { kind, segment } = message;
    if (this.#stage === 'image') {
      if (kind === null || kind === 'HEARTBEAT') {
        this.#checkImage();
        return;
      }
      // The first message of an image clears the previous state.
      if (kind === 'SUB_IMAGE' && !this.#imageBegun) this.#cache.markets.clear();
      this.#imageBegun = true;
    }
    this.#options.documented.look('mc', message.changes);
    const bad = this.#cache.apply(message.changes, this.#touched);
    if (bad > 0) {
      const { report } = this.#options.context;
      report?.counted?.('bad_messages');
      report?.counted?.('refused_parts', bad);
      this.#doubtful = true;
    }
    this.#noteDelay(message);
    // The segments of a message are applied, and resumed after, as a whole.
    if (segment === 'SEG_START' || segment === 'SEG') return;
    if (message.initialClk !== null) this.#initialClk = message.initialClk;
    if (message.clk !== null) this.#clk = message.clk;
    if (this.#doubtful) this.#doubt();
    else if (this.#stage === 'image') this.#imageEnded(message.behind);
    else this.#show(message.behind);
  }

  #checkImage(): void {
    if (this.#marketIds.length === 0 || this.#options.context.clock.now() - this.#subscribedMs < IMAGE_WITHIN_MS)
      return;
    this.#forgetClocks();
    this.#connection.drop('no image of the markets came');
  }

  #imageEnded(behind: boolean): void {
    this.#doubts = 0;
    this.#doubtfulSinceMs = undefined;
    this.#stage = 'changes';
    this.#behind = behind;
    this.#showAll();
  }

  #show(behind: boolean): void {
    const { listing } = this.#options;
    if (behind !== this.#behind) {
      this.#behind = behind;
      this.#showAll();
      return;
    }
    if (!behind) for (const book of this.#touched) listing.show(book);
    this.#touched.clear();
  }

  #showAll(): void {
    const { listing, context, name } = this.#options;
    this.#touched.clear();
    if (this.#behind) context.report?.failed(name, "Betfair's own data is late");
    else context.report?.succeeded(name);
    for (const id of this.#marketIds) {
      const book = this.#cache.markets.get(id);
      if (this.#behind || book === undefined) listing.suspend(id);
      else listing.show(book);
    }
  }

  /** The state may be wrong: a fresh image replaces it. */
  #doubt(): void {
    if (this.#stage !== 'image' && this.#stage !== 'changes') {
      this.#connection.drop('a message that cannot be read');
      return;
    }
    this.#options.context.report?.counted?.('gaps');
    this.#forgetClocks();
    if (++this.#doubts > DOUBTS_MAX) {
      this.#doubts = 0;
      this.#connection.drop('messages that cannot be read');
      return;
    }
    this.#subscribe();
  }

  #forgetClocks(): void {
    this.#initialClk = null;
    this.#clk = null;
  }

  #down(): void {
    this.#stage = 'closed';
    this.#connections++;
    this.#touched.clear();
    this.#suspendAll();
  }

  #noteDelay({ conflateMs }: ChangeMessage): void {
    if (this.#warnedDelay || conflateMs === null || conflateMs <= CONFLATED_FROM_MS) return;
    this.#warnedDelay = true;
    const fields = { conflate_ms: conflateMs };
    this.#options.context.log.warn(fields, 'betfair: the application key is a delayed one; its prices are not live');
  }
}

// Betfair's stream as a transport: TCP, with TLS outside tests, one JSON object per line.

export interface StreamTarget {
  host: string;
  port: number;
  tls: boolean;
}

/** An image of 200 markets is a few MB, in segments. */
const LINE_BYTES_MAX = LIMITS.venueLine.max;
/** Maximum number of bytes waiting to be sent: subscriptions are small, so more means that the peer does not read. */
const BUFFERED_BYTES_MAX = LIMITS.venueUnsent.max;

export function dialStream({ host, port, tls }: StreamTarget): Dial {
  return (events) => {
    const splitter = new LineSplitter(LINE_BYTES_MAX);
    let over = false;
    const socket: Socket = tls ? connectTls({ host, port, servername: host }) : connectTcp({ host, port });
    const end = (reason: string): void => {
      if (over) return;
      over = true;
      socket.destroy();
      events.ended({ reason });
    };
    socket.setNoDelay(true);
    socket.on(tls ? 'secureConnect' : 'connect', () => {
      if (!over) events.opened();
    });
    socket.on('data', (chunk) => {
      try {
        for (const line of splitter.push(chunk)) if (!over) events.received(line);
      } catch (error) {
        end((error as Error).message);
      }
    });
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    socket.on('end', () => end('the venue closed the connection'));
    socket.on('close', () => end('the connection was closed'));
    return {
      send: (text) => {
        if (over || !socket.writable || socket.writableLength > BUFFERED_BYTES_MAX) return false;
        socket.write(`${text}\r\n`);
        return true;
      },
      // Heartbeats arrive without a request.
      ping: () => {},
      close: () => {
        over = true;
        socket.destroy();
      },
    };
  };
}

// Splits a TCP stream into lines: packets end anywhere, also inside a character, and contain several lines.

const NEWLINE = 0x0a;

export class LineSplitter {
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  /** `bytesMax`: a longer line is an error, so that no sender can exhaust the memory. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * The lines that end in this chunk, without their terminators; empty ones are omitted. Throws on one that is too
   * long.
   */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      const line = (this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)).toString('utf8').trim();
      this.#parts = [];
      this.#bytes = 0;
      if (line !== '') lines.push(line);
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return lines;
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#bytesMax) throw new Error(`a line is longer than ${this.#bytesMax} bytes`);
    this.#parts.push(part);
  }
}
