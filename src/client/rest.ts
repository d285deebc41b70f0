// One REST call: its URL, its timeout, retries of reads if that may help, and the caller's rate limit.
import { errorOfAnswer, NO_REDIRECTS, networkError, OverroundError } from './error.js';
import { pause } from './pause.js';
import type { Pagination } from './types.js';

export type Params = Readonly<Record<string, string | number | boolean | readonly (string | number)[] | undefined>>;

export interface Meta {
  count?: number;
  total?: number;
  /** Values of sport, league and sportsbook filters without a match. */
  unknown?: string[];
  /** Parameters the endpoint does not have: they change nothing. */
  ignored?: string[];
  /** Of `/odds` and `/odds/delta`: the next `since`. */
  server_time?: string;
  pagination?: Pagination;
  updated_at?: string;
  /** Further fields of the endpoint. */
  [field: string]: unknown;
}

export interface Answer<T> {
  success: true;
  data: T;
  updated_at: string;
  meta: Meta;
}

export interface ListAnswer<T> extends Answer<T[]> {
  pagination: Pagination;
}

export interface CallOptions {
  /** Ends the call with an OverroundError `aborted`. */
  signal?: AbortSignal;
  /** Longest wait for an answer in ms, per attempt; 0 is for ever. Default 30,000. */
  timeoutMs?: number;
  /** Retries of a read after no connection, no answer in time, 429, 502, 503 or 504. Default 2. */
  retries?: number;
}

/** The key's rate limit as of the newest answer that stated it. */
export interface RateLimit {
  limit: number;
  remaining: number;
  /** When the minute ends. */
  resetsAt: Date;
}

export interface RestOptions extends Required<Omit<CallOptions, 'signal'>> {
  fetch: typeof fetch;
  headers: Readonly<Record<string, string>>;
}

const RETRY_MS_FIRST = 250;
/** A read is not retried if the server asks for a longer delay: the error states it. */
const RETRY_MS_MAX = 10_000;
const MENDABLE = new Set([0, 429, 502, 503, 504]);

/** Adds parameters: lists with commas, undefined ones not at all. */
export function addressOf(base: URL, path: string, params: Params = {}): URL {
  const url = new URL(base.pathname.replace(/\/$/, '') + path, base);
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) url.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value));
  return url;
}

export class RestCaller {
  readonly #options: RestOptions;
  rateLimit: RateLimit | undefined;

  constructor(options: RestOptions) {
    this.#options = options;
  }

  /**
   * The answer's JSON; undefined for 204. Throws OverroundError.
   * @param isRead may be repeated without harm
   */
  async call<T>(url: URL, init: RequestInit, isRead: boolean, given: CallOptions = {}): Promise<T> {
    const options = { ...this.#options, ...given };
    const retries = isRead ? options.retries : 0;
    for (let tries = 0; ; tries++) {
      try {
        return await this.#once<T>(url, init, options.timeoutMs, given.signal);
      } catch (thrown) {
        const error = networkError(thrown);
        const waitMs = Math.max((error.retryAfter ?? 0) * 1_000, jittered(RETRY_MS_FIRST * 2 ** tries));
        if (tries >= retries || error.code === 'aborted' || !MENDABLE.has(error.status) || waitMs > RETRY_MS_MAX)
          throw error;
        await pause(waitMs, given.signal);
        if (given.signal?.aborted) throw aborted(given.signal);
      }
    }
  }

  async #once<T>(url: URL, init: RequestInit, timeoutMs: number, signal: AbortSignal | undefined): Promise<T> {
    if (signal?.aborted) throw aborted(signal);
    const ending = new AbortController();
    const stop = () => ending.abort();
    signal?.addEventListener('abort', stop);
    const timer = timeoutMs > 0 ? setTimeout(stop, timeoutMs) : undefined;
    try {
      const headers = { ...this.#options.headers, ...(init.headers as Record<string, string> | undefined) };
      const response = await this.#options.fetch(url, { ...init, ...NO_REDIRECTS, headers, signal: ending.signal });
      this.#note(response.headers);
      if (!response.ok) throw await errorOfAnswer(response);
      return (response.status === 204 ? undefined : await jsonOf(response)) as T;
    } catch (error) {
      if (error instanceof OverroundError && !ending.signal.aborted) throw error;
      if (signal?.aborted) throw aborted(signal);
      if (ending.signal.aborted)
        throw new OverroundError('timeout', `the server did not answer within ${timeoutMs} ms`, { cause: error });
      throw networkError(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  #note(headers: Headers): void {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
    if (limit && remaining && reset)
      this.rateLimit = {
        limit: Number(limit),
        remaining: Number(remaining),
        resetsAt: new Date(Number(reset) * 1_000),
      };
  }
}

/** A body that breaks off is a network error, one that is not JSON is not the server's answer. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OverroundError('http_error', 'the answer is no JSON', { status: response.status, cause });
  }
}

function aborted(signal: AbortSignal): OverroundError {
  return new OverroundError('aborted', 'the call was aborted', { cause: signal.reason });
}

/** Between half and all of it: clients that failed together should not return together. */
function jittered(ms: number): number {
  const [random] = crypto.getRandomValues(new Uint32Array(1));
  return ms * (0.5 + random! / 2 ** 33);
}
