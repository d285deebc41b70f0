// Requests to a venue's REST API: limited per second, each bounded, retried with back-off if that may help.
import { setMaxListeners } from 'node:events';
import { LIMITS } from '../../../base/model/limits.js';
import { boundedFetch, retryAfterSeconds } from '../bounded-fetch.js';
import type { FeedContext } from '../feed.js';
import { backoffMs, wait as timerWait, type Wait } from '../wait.js';
import { type Fields, fieldsOf } from './field-readers.js';

/** What everything that talks to a venue for a feed has. */
export interface VenueAccess {
  context: FeedContext;
  /** Uniform in [0, 1): jitter. */
  random: () => number;
  /** Shared by everything that talks to the venue. */
  pause?: VenuePause;
}

export interface RestOptions extends VenueAccess {
  /** Without a trailing slash. */
  baseUrl: string;
  /** Maximum number of requests started per second. */
  perSecond: number;
  signal: AbortSignal;
  /** Headers of one request (signatures): path from the root, without the query. */
  headers?(method: string, path: string): Record<string, string>;
  /** Timeout of one whole answer; 10 s by default. */
  timeoutMs?: number;
  /** Maximum size of an answer; 32 MiB by default. */
  bodyBytesMax?: number;
  /** Attempts per request; 6 by default. */
  attempts?: number;
  wait?: Wait;
}

/** A list means the name repeated; undefined values are omitted. */
export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** The venue answered with an error. */
export class VenueRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const BACKOFF = { firstMs: 250, capMs: 3_000 };
const RETRY_AFTER_MS_MAX = LIMITS.venueRetryAfter.max;
/** After a 429 the rate is halved, down to this fraction; each answer restores a tenth of it. */
const SLOWER_MAX = LIMITS.venueSlowdown.max;

export class Rest {
  readonly #options: RestOptions;
  readonly #wait: Wait;
  readonly #pause: VenuePause;
  /** When the next request may start (ms). */
  #nextMs = 0;
  /** Current factor by which the interval between requests is lengthened. */
  #slower = 1;

  constructor(options: RestOptions) {
    this.#options = options;
    this.#wait = options.wait ?? timerWait;
    this.#pause = options.pause ?? new VenuePause();
    // Each waiting request listens; Node takes more than ten for a leak and says so on stderr.
    setMaxListeners(0, options.signal);
  }

  /** The answer's JSON. Throws VenueRefusal for a 4xx, an Error if no attempt brought an answer or it was stopped. */
  get(path: string, query: Query = {}): Promise<unknown> {
    const url = new URL(this.#options.baseUrl + path);
    for (const [name, value] of Object.entries(query))
      for (const each of [value].flat()) if (each !== undefined) url.searchParams.append(name, `${each}`);
    return this.#request('GET', url, undefined);
  }

  /**
   * The pages of a list, each asked for with the cursor that the one before names. Short pages are normal: only the lack
   * of a cursor is the end. Throws as get() does, if a cursor does not advance, and if there are more than `most`.
   */
  async *pages(path: string, query: Query, asked: string, named: string, most: number): AsyncIterable<Fields> {
    let cursor: string | undefined;
    for (let page = 0; page < most; page++) {
      const answer = fieldsOf(await this.get(path, { ...query, [asked]: cursor })) ?? {};
      yield answer;
      const next = answer[named];
      if (typeof next !== 'string' || next === '') return;
      if (next === cursor) throw new Error(`${path}: the cursor does not advance`);
      cursor = next;
    }
    throw new Error(`${path}: more than ${most} pages`);
  }

  /** As get(), with a JSON body, or a form if the body is one. */
  post(path: string, body: unknown): Promise<unknown> {
    return this.#request('POST', new URL(this.#options.baseUrl + path), body);
  }

  async #request(method: string, url: URL, body: unknown): Promise<unknown> {
    const { context, random, signal, attempts = 6 } = this.#options;
    for (let failures = 1; ; failures++) {
      await this.#turn();
      let waitMs = backoffMs(failures, BACKOFF, random);
      let reason: string;
      try {
        const { status, headers, text } = await this.#send(method, url, body);
        if (status >= 200 && status < 300) {
          this.#slower = Math.max(1, this.#slower * 0.9);
          return readJson(text);
        }
        reason = `HTTP ${status}`;
        const requestedMs = (retryAfterSeconds(headers.get('retry-after'), context.clock.now()) ?? 0) * 1000;
        waitMs = Math.max(waitMs, Math.min(RETRY_AFTER_MS_MAX, requestedMs));
        if (status === 429) {
          this.#slower = Math.min(SLOWER_MAX, this.#slower * 2);
          this.#pause.extend(context.clock.now() + waitMs);
        } else if (status < 500)
          throw new VenueRefusal(status, `${url.pathname}: HTTP ${status}: ${text.slice(0, 200)}`);
      } catch (error) {
        if (error instanceof VenueRefusal) throw error;
        reason = (error as Error).message;
      }
      context.report?.counted?.('failed_requests');
      if (signal.aborted || failures >= attempts) throw new Error(`${url.pathname}: ${reason}`);
      if (!(await this.#wait(waitMs, signal))) throw new Error('stopped');
    }
  }

  /** Waits for this request's turn. */
  async #turn(): Promise<void> {
    const { context, perSecond, signal } = this.#options;
    let atMs: number;
    do {
      const nowMs = context.clock.now();
      atMs = Math.max(nowMs, this.#nextMs, this.#pause.untilMs);
      this.#nextMs = atMs + (1000 * this.#slower) / perSecond;
      if (atMs > nowMs && !(await this.#wait(atMs - nowMs, signal))) throw new Error('stopped');
      // Another request may have been told to wait meanwhile.
    } while (this.#pause.untilMs > atMs);
  }

  #send(method: string, url: URL, body: unknown) {
    const { headers, timeoutMs = 10_000, bodyBytesMax = LIMITS.venueAnswer.max, signal } = this.#options;
    const form = body instanceof URLSearchParams;
    const init = {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
        ...headers?.(method, url.pathname),
      },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    };
    return boundedFetch(url, init, { timeoutMs, bodyBytesMax }, signal);
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the answer is not JSON');
  }
}

// A venue that answers 429 is left alone until the time it states, by every request and new connection of its feed.

export class VenuePause {
  #untilMs = 0;

  /** Unix ms; in the past if there is no pause. */
  get untilMs(): number {
    return this.#untilMs;
  }

  extend(untilMs: number): void {
    this.#untilMs = Math.max(this.#untilMs, untilMs);
  }
}
