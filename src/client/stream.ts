// What both transports of the client share: connect, hand events on, keep the live table and the position, and connect
// again with what was missed.
import type { Received, StreamEvent } from './events.js';
import { LiveTable } from './live-table.js';

/** An error the server told of: an HTTP answer, or the reason a socket was closed. */
export class OverroundError extends Error {
  /** `unauthorized`, `tier_restricted`, … or `connection_lost`. */
  readonly code: string;
  /** HTTP status or WebSocket close code; 0 where there was none. */
  readonly status: number;
  /** Seconds to wait before the next try. */
  readonly retryAfter: number | undefined;

  constructor(code: string, message: string, status = 0, retryAfter?: number) {
    super(message);
    this.name = 'OverroundError';
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export interface StreamOptions {
  /** After the live table has taken the event in. */
  onEvent?: (event: StreamEvent) => void;
  /** The connection was lost, or refused for now; the stream connects again. */
  onLost?: (error: OverroundError) => void;
  /** Longest silence in ms (the server sends a heartbeat every 30 s). */
  silenceMsMax?: number;
  /** First wait before a reconnect in ms; doubled at every failure up to 30 s. */
  retryMs?: number;
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
  /** Settles when the first snapshot is complete; rejects where the stream ends before. */
  readonly ready: Promise<void>;
  /** Settles when the stream is over: undefined after close(), else what the server refused it for. */
  readonly ended: Promise<OverroundError | undefined>;
  readonly #options: StreamOptions;
  readonly #closing = new AbortController();
  #position: number | null = null;
  /** True from a new subscription to its start: what still comes belongs to the old one. */
  #stale = false;
  #retryMs: number;
  #becomeReady: () => void = () => undefined;
  #neverReady: (error: OverroundError) => void = () => undefined;

  constructor(connect: Connect, options: StreamOptions = {}) {
    this.#options = options;
    this.#retryMs = options.retryMs ?? 1_000;
    this.ready = new Promise((resolve, reject) => {
      this.#becomeReady = resolve;
      this.#neverReady = reject;
    });
    // Whoever does not wait for it must not be ended by it.
    this.ready.catch(() => undefined);
    this.ended = this.#run(connect);
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
      try {
        await this.#connectOnce(connect);
      } catch (error) {
        const told = errorOf(error);
        if (isFinal(told)) {
          this.#neverReady(told);
          return told;
        }
        if (told.retryAfter !== undefined) waitMs = told.retryAfter * 1_000;
        if (!closed.aborted) this.#options.onLost?.(told);
      }
      failures = this.#position === before ? Math.min(failures + 1, 10) : 0;
      await pause(waitMs, closed);
    }
    this.#neverReady(new OverroundError('closed', 'the stream was closed'));
    return undefined;
  }

  async #connectOnce(connect: Connect): Promise<void> {
    const silence = new AbortController();
    const stop = () => silence.abort();
    this.#closing.signal.addEventListener('abort', stop);
    const silenceMsMax = this.#options.silenceMsMax ?? 60_000;
    let timer = setTimeout(stop, silenceMsMax);
    try {
      await connect({
        signal: silence.signal,
        position: this.#position,
        receive: (received) => {
          clearTimeout(timer);
          timer = setTimeout(stop, silenceMsMax);
          this.#receive(received);
        },
        retryAfter: (ms) => {
          this.#retryMs = this.#options.retryMs ?? ms;
        },
      });
    } finally {
      clearTimeout(timer);
      this.#closing.signal.removeEventListener('abort', stop);
    }
  }

  #receive({ events, position }: Received): void {
    if (events.some((event) => event.type === 'started')) this.#stale = false;
    for (const event of events) this.table.apply(event);
    if (position !== undefined && !this.#stale) this.#position = position;
    for (const event of events) {
      if (event.type === 'complete' || (event.type === 'started' && event.resumed)) this.#becomeReady();
      this.#options.onEvent?.(event);
    }
  }
}

/** What no reconnect can mend: a bad request, a bad key, no right to it. */
function isFinal({ status }: OverroundError): boolean {
  return status === 400 || status === 401 || status === 403 || status === 404 || status === 4001 || status === 4003;
}

function errorOf(error: unknown): OverroundError {
  if (error instanceof OverroundError) return error;
  return new OverroundError('connection_lost', error instanceof Error ? error.message : String(error));
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
