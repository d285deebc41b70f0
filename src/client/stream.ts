// The common part of the client's two transports: connects, delivers events, maintains the live table and the position,
// and reconnects for what was missed.
import { networkError, OverroundError } from './error.js';
import type { Received, StreamEvent } from './events.js';
import { LiveTable } from './live-table.js';
import { pause } from './pause.js';

export interface StreamOptions {
  /**
   * Called after the live table has applied the event. What it throws, or rejects with, goes to onError; the stream
   * continues.
   */
  onEvent?: (event: StreamEvent) => unknown;
  /** Starts after this position, as an earlier stream stated it: only what changed since comes, and is in the table. */
  position?: number | undefined;
  /** A position is complete: everything up to it was passed to onEvent. */
  onPosition?: (position: number) => unknown;
  /** false: events are not merged into the table, which stays empty. */
  merge?: boolean;
  /** The connection was lost, or refused for now; the stream reconnects. */
  onLost?: (error: OverroundError) => unknown;
  /**
   * Errors that are reported nowhere else: what a callback threw, and the OverroundError a stream ended with. Without
   * it, exceptions of callbacks are rethrown outside the stream (as those of event listeners are), and so is the reason
   * of an end if neither `ready` nor `ended` is used.
   */
  onError?: (error: unknown) => void;
  /** Closes the stream. */
  signal?: AbortSignal;
  /** Longest silence in ms (the server sends a heartbeat every 30 s). */
  silenceMsMax?: number;
  /** First delay before a reconnect in ms; doubled at every failure up to 30 s. */
  retryMs?: number;
  /**
   * Consecutive failures before the first connection ever succeeded after which the stream ends with the last one.
   * Default 5, about 15 s; Infinity retries for ever. Once it has been connected, a stream always retries.
   */
  firstTriesMax?: number;
}

const RETRY_MS_MAX = 30_000;

/** One connection, implemented by a transport: settles when it is over. */
export type Connect = (link: Link) => Promise<void>;

export interface Link {
  /** Aborted when the stream is closed or silent for too long. */
  signal: AbortSignal;
  /** The position to resume after, or null. */
  position: number | null;
  receive(received: Received): void;
  /** The delay before a reconnect that the server requests, in ms. */
  retryAfter(ms: number): void;
}

export class LiveStream {
  readonly table = new LiveTable();
  readonly #options: StreamOptions;
  readonly #closing = new AbortController();
  readonly #ready: Promise<void>;
  readonly #ended: Promise<OverroundError | undefined>;
  /** One of the two promises is in use. */
  #awaited = false;
  #position: number | null = null;
  /** True from a new subscription to its start: events until then belong to the old one. */
  #stale = false;
  /** It has been connected. */
  #stood = false;
  /** The connection under way has told everything that there is. */
  #complete = false;
  #retryMs: number;
  #becomeReady: () => void = () => undefined;
  #neverReady: (error: OverroundError) => void = () => undefined;

  constructor(connect: Connect, options: StreamOptions = {}) {
    this.#options = options;
    this.#position = options.position ?? null;
    this.#retryMs = options.retryMs ?? 1_000;
    this.#ready = new Promise((resolve, reject) => {
      this.#becomeReady = resolve;
      this.#neverReady = reject;
    });
    // A caller who does not await it must not be ended by its rejection.
    this.#ready.catch(() => undefined);
    const { signal } = options;
    if (signal?.aborted) this.close();
    const close = () => this.close();
    signal?.addEventListener('abort', close);
    this.#ended = this.#run(connect).finally(() => signal?.removeEventListener('abort', close));
  }

  /** Settles when the first snapshot is complete; rejects with an OverroundError if the stream ends before. */
  get ready(): Promise<void> {
    this.#awaited = true;
    return this.#ready;
  }

  /** Settles when the stream is over: undefined after close(), else the error it ended with. Never rejects. */
  get ended(): Promise<OverroundError | undefined> {
    this.#awaited = true;
    return this.#ended;
  }

  /** Position up to which the table is complete; null within a snapshot. */
  get position(): number | null {
    return this.#position;
  }

  close(): void {
    this.#closing.abort();
  }

  /** The subscription has changed: the next start is a fresh one. */
  protected startAnew(): void {
    this.#position = null;
    this.#stale = true;
  }

  async #run(connect: Connect): Promise<OverroundError | undefined> {
    const closed = this.#closing.signal;
    let failures = 0;
    while (!closed.aborted) {
      const before = this.#position;
      let lost: OverroundError | undefined;
      try {
        await this.#connectOnce(connect);
      } catch (error) {
        lost = networkError(error);
      }
      if (closed.aborted) break;
      // A connection that got somewhere ends the row of failures, however calm it was.
      failures = this.#complete || this.#position !== before ? 0 : Math.min(failures + 1, 10);
      let waitMs = Math.min(this.#retryMs * 2 ** Math.max(0, failures - 1), RETRY_MS_MAX);
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
    this.#complete = false;
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
    if (this.#options.merge !== false) for (const event of events) this.table.apply(event);
    const before = this.#position;
    if (position !== undefined && !this.#stale) this.#position = position;
    for (const event of events) {
      if (event.type === 'complete' || (event.type === 'started' && event.resumed)) {
        this.#complete = true;
        this.#becomeReady();
      }
      this.#tell(this.#options.onEvent, event);
    }
    const reached = this.#position;
    if (reached !== null && reached !== before) this.#tell(this.#options.onPosition, reached);
  }

  /** A callback of the embedding program: what it throws is no reason to reconnect. */
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

/** Errors that no reconnect can fix: a bad request, a bad key, no permission. */
function isFinal({ status }: OverroundError): boolean {
  return status === 400 || status === 401 || status === 403 || status === 404 || status === 4001 || status === 4003;
}
