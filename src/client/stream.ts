// What both transports of the client share: connect, hand events on, keep the live table and the position, and connect
// again with what was missed.
import { networkError, OverroundError } from './error.js';
import type { Received, StreamEvent } from './events.js';
import { LiveTable } from './live-table.js';
import { pause } from './pause.js';

export interface StreamOptions {
  /** After the live table has taken the event in. What it throws, or rejects with, goes to onError; the stream goes on. */
  onEvent?: (event: StreamEvent) => unknown;
  /** The connection was lost, or refused for now; the stream connects again. */
  onLost?: (error: OverroundError) => unknown;
  /**
   * What nobody else is told: what a callback threw, and the OverroundError a stream ended with. Without it, exceptions of
   * callbacks are thrown again outside the stream (as those of event listeners are), and so is the reason of an end that
   * neither `ready` nor `ended` was asked for.
   */
  onError?: (error: unknown) => void;
  /** Closes the stream. */
  signal?: AbortSignal;
  /** Longest silence in ms (the server sends a heartbeat every 30 s). */
  silenceMsMax?: number;
  /** First wait before a reconnect in ms; doubled at every failure up to 30 s. */
  retryMs?: number;
  /**
   * Failures in a row before the first connection has ever stood: then the stream ends with the last one. Default 5, about
   * 15 s; Infinity goes on trying. Once it has stood, a stream always tries again.
   */
  firstTriesMax?: number;
}

const RETRY_MS_MAX = 30_000;

/** One connection's life, as a transport gives it: settles when it is over. */
export type Connect = (link: Link) => Promise<void>;

export interface Link {
  /** Aborted when the stream is closed or silent for too long. */
  signal: AbortSignal;
  /** The position to resume after, or null. */
  position: number | null;
  receive(received: Received): void;
  /** The server's wish for the wait before a reconnect, in ms. */
  retryAfter(ms: number): void;
}

export class LiveStream {
  readonly table = new LiveTable();
  readonly #options: StreamOptions;
  readonly #closing = new AbortController();
  readonly #ready: Promise<void>;
  readonly #ended: Promise<OverroundError | undefined>;
  /** Somebody holds one of the two promises. */
  #awaited = false;
  #position: number | null = null;
  /** True from a new subscription to its start: what still comes belongs to the old one. */
  #stale = false;
  /** A connection has stood. */
  #stood = false;
  #retryMs: number;
  #becomeReady: () => void = () => undefined;
  #neverReady: (error: OverroundError) => void = () => undefined;

  constructor(connect: Connect, options: StreamOptions = {}) {
    this.#options = options;
    this.#retryMs = options.retryMs ?? 1_000;
    this.#ready = new Promise((resolve, reject) => {
      this.#becomeReady = resolve;
      this.#neverReady = reject;
    });
    // Whoever does not wait for it must not be ended by it.
    this.#ready.catch(() => undefined);
    const { signal } = options;
    if (signal?.aborted) this.close();
    const close = () => this.close();
    signal?.addEventListener('abort', close);
    this.#ended = this.#run(connect).finally(() => signal?.removeEventListener('abort', close));
  }

  /** Settles when the first snapshot is complete; rejects with an OverroundError where the stream ends before. */
  get ready(): Promise<void> {
    this.#awaited = true;
    return this.#ready;
  }

  /** Settles when the stream is over: undefined after close(), else what it was refused or given up for. Never rejects. */
  get ended(): Promise<OverroundError | undefined> {
    this.#awaited = true;
    return this.#ended;
  }

  /** Position the table is complete up to; null within a snapshot. */
  get position(): number | null {
    return this.#position;
  }

  close(): void {
    this.#closing.abort();
  }

  /** What the stream is about has changed: the next start is a fresh one. */
  protected startAnew(): void {
    this.#position = null;
    this.#stale = true;
  }

  async #run(connect: Connect): Promise<OverroundError | undefined> {
    const closed = this.#closing.signal;
    let failures = 0;
    while (!closed.aborted) {
      const before = this.#position;
      let waitMs = Math.min(this.#retryMs * 2 ** failures, RETRY_MS_MAX);
      let lost: OverroundError | undefined;
      try {
        await this.#connectOnce(connect);
      } catch (error) {
        lost = networkError(error);
      }
      if (closed.aborted) break;
      failures = this.#position === before ? Math.min(failures + 1, 10) : 0;
      if (lost !== undefined) {
        if (isFinal(lost) || (!this.#stood && failures >= (this.#options.firstTriesMax ?? 5))) return this.#end(lost);
        if (lost.retryAfter !== undefined) waitMs = lost.retryAfter * 1_000;
        this.#tell(this.#options.onLost, lost);
      }
      await pause(waitMs, closed);
    }
    this.#neverReady(new OverroundError('closed', 'the stream was closed'));
    return undefined;
  }

  #end(error: OverroundError): OverroundError {
    this.#neverReady(error);
    if (this.#options.onError !== undefined || !this.#awaited) this.#report(error);
    return error;
  }

  async #connectOnce(connect: Connect): Promise<void> {
    const ending = new AbortController();
    const stop = () => ending.abort();
    this.#closing.signal.addEventListener('abort', stop);
    const silenceMsMax = this.#options.silenceMsMax ?? 60_000;
    let silent = false;
    let received = false;
    let broke: unknown;
    const fallSilent = () => {
      silent = true;
      stop();
    };
    let timer = setTimeout(fallSilent, silenceMsMax);
    try {
      await connect({
        signal: ending.signal,
        position: this.#position,
        receive: (news) => {
          clearTimeout(timer);
          timer = setTimeout(fallSilent, silenceMsMax);
          received = true;
          this.#stood = true;
          this.#receive(news);
        },
        retryAfter: (ms) => {
          this.#retryMs = this.#options.retryMs ?? ms;
        },
      });
    } catch (error) {
      if (error instanceof OverroundError || (!silent && !received)) throw error;
      broke = error;
    } finally {
      clearTimeout(timer);
      this.#closing.signal.removeEventListener('abort', stop);
    }
    if (silent) throw new OverroundError('silence', `nothing came for ${silenceMsMax} ms`);
    throw new OverroundError('connection_lost', 'the connection is over', { cause: broke });
  }

  #receive({ events, position }: Received): void {
    if (events.some((event) => event.type === 'started')) this.#stale = false;
    for (const event of events) this.table.apply(event);
    if (position !== undefined && !this.#stale) this.#position = position;
    for (const event of events) {
      if (event.type === 'complete' || (event.type === 'started' && event.resumed)) this.#becomeReady();
      this.#tell(this.#options.onEvent, event);
    }
  }

  /** A callback of the program's own: what it throws is its own, and no reason to connect again. */
  #tell<T>(callback: ((value: T) => unknown) | undefined, value: T): void {
    try {
      const result = callback?.(value);
      if (result instanceof Promise) result.catch((error: unknown) => this.#report(error));
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    const { onError } = this.#options;
    queueMicrotask(() => {
      if (onError === undefined) throw error;
      onError(error);
    });
  }
}

/** What no reconnect can mend: a bad request, a bad key, no right to it. */
function isFinal({ status }: OverroundError): boolean {
  return status === 400 || status === 401 || status === 403 || status === 404 || status === 4001 || status === 4003;
}
