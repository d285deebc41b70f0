// Requests to The Odds API, each with a typed result. The key is in the query string (the API accepts it nowhere else),
// so no URL and no raw error text leaves this file.

import { jsonOf } from '../../../base/model/json-map.js';
import { LIMITS } from '../../../base/model/limits.js';
import { boundedFetch, retryAfterSeconds } from '../bounded-fetch.js';
import { fieldsOf } from '../kit/field-readers.js';
import type { OddsFormat } from './payload.js';

export interface ClientOptions {
  apiKey: string;
  baseUrl: string;
  regions: string[];
  markets: string[];
  /** If given, it replaces the regions. */
  bookmakers: string[];
  oddsFormat: OddsFormat;
  timeoutMs: number;
  bodyBytesMax: number;
}

export type OddsAnswer =
  | { kind: 'odds'; body: unknown; headers: Headers }
  /** The server refused: the key, the parameters, the pace or the quota. */
  | {
      kind: 'refused';
      status: number;
      code: string;
      message: string;
      /** 0 if it states none. */
      retryAfterS: number;
      headers: Headers;
    }
  /** No answer, an incomplete one, or one that is not JSON. */
  | { kind: 'failed'; reason: string };

const MESSAGE_LENGTH_MAX = LIMITS.venueError.max;

export class OddsApiClient {
  readonly #options: ClientOptions;
  readonly #base: string;

  /** Throws if the base URL is not http(s) or the key is empty. */
  constructor(options: ClientOptions) {
    if (options.apiKey.trim() === '') throw new Error('the-odds-api: no API key (set THE_ODDS_API_KEY)');
    if (!URL.canParse(options.baseUrl) || !/^https?:$/.test(new URL(options.baseUrl).protocol))
      throw new Error('the-odds-api: the base URL is not an http or https URL');
    this.#options = options;
    this.#base = options.baseUrl.replace(/\/+$/, '');
  }

  /** The odds of one sport. */
  odds(sport: string, nowMs: number, signal: AbortSignal): Promise<OddsAnswer> {
    const { regions, markets, bookmakers, oddsFormat } = this.#options;
    const query = new URLSearchParams({ markets: markets.join(','), oddsFormat, dateFormat: 'iso' });
    if (bookmakers.length > 0) query.set('bookmakers', bookmakers.join(','));
    else query.set('regions', regions.join(','));
    query.set('includeLinks', 'true');
    query.set('includeSids', 'true');
    query.set('includeBetLimits', 'true');
    return this.#request(`/v4/sports/${encodeURIComponent(sport)}/odds`, query, nowMs, signal);
  }

  /** Scores of one sport's games, of those that began up to three days ago too: two credits. */
  scores(sport: string, nowMs: number, signal: AbortSignal): Promise<OddsAnswer> {
    const query = new URLSearchParams({ daysFrom: '3', dateFormat: 'iso' });
    return this.#request(`/v4/sports/${encodeURIComponent(sport)}/scores`, query, nowMs, signal);
  }

  /** The list of sports: it costs no credits, and its headers state the quota. */
  sports(nowMs: number, signal: AbortSignal): Promise<OddsAnswer> {
    return this.#request('/v4/sports', new URLSearchParams(), nowMs, signal);
  }

  async #request(path: string, query: URLSearchParams, nowMs: number, signal: AbortSignal): Promise<OddsAnswer> {
    const url = new URL(this.#base + path);
    query.set('apiKey', this.#options.apiKey);
    url.search = query.toString();
    try {
      const init = { headers: { accept: 'application/json' } };
      const { status, headers, text } = await boundedFetch(url, init, this.#options, signal);
      if (status !== 200) return this.#refusal(status, headers, text, nowMs);
      return { kind: 'odds', body: JSON.parse(text), headers };
    } catch (error) {
      // A JSON error quotes the answer, and the answer may quote the request.
      const reason = error instanceof SyntaxError ? 'the answer is not JSON' : this.#redact((error as Error).message);
      return { kind: 'failed', reason };
    }
  }

  #refusal(status: number, headers: Headers, text: string, nowMs: number): OddsAnswer {
    // Of a proxy's page its beginning is enough.
    const body = fieldsOf(jsonOf(text)) ?? {};
    const [code, message] = [body['error_code'], body['message']];
    return {
      kind: 'refused',
      status,
      code: this.#redact(typeof code === 'string' ? code : ''),
      message: this.#redact(typeof message === 'string' ? message : text).slice(0, MESSAGE_LENGTH_MAX),
      retryAfterS: retryAfterSeconds(headers.get('retry-after'), nowMs) ?? 0,
      headers,
    };
  }

  #redact(text: string): string {
    const key = this.#options.apiKey;
    return text.replaceAll(key, '[key]').replaceAll(encodeURIComponent(key), '[key]');
  }
}

// The plan's credits as stated by the answers' headers, and the polling interval that makes the rest last the month.

/** The Odds API counts credits per calendar month (UTC). */
export class Quota {
  #remaining: number | undefined;
  #used: number | undefined;

  /** Credits left, undefined before the first answer. */
  get remaining(): number | undefined {
    return this.#remaining;
  }

  get used(): number | undefined {
    return this.#used;
  }

  get exhausted(): boolean {
    return this.#remaining !== undefined && this.#remaining <= 0;
  }

  /** Reads the headers; returns the cost of this request (`x-requests-last`), or undefined. */
  read(headers: Headers): number | undefined {
    this.#remaining = credits(headers, 'x-requests-remaining') ?? this.#remaining;
    this.#used = credits(headers, 'x-requests-used') ?? this.#used;
    return credits(headers, 'x-requests-last');
  }

  /** The server reports that nothing is left, whatever the last headers said. */
  exhaust(): void {
    this.#remaining = 0;
  }

  /** The server answers again without stating credits. */
  forget(): void {
    this.#remaining = undefined;
  }

  /**
   * Milliseconds between two rounds that cost `roundCredits` each: `everyMs`, or as much longer as is needed for the
   * remaining credits to last until the end of the month.
   */
  periodMs(everyMs: number, roundCredits: number, nowMs: number): number {
    if (this.#remaining === undefined || this.#remaining <= 0 || roundCredits <= 0) return everyMs;
    const date = new Date(nowMs);
    const monthEndMs = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    return Math.max(everyMs, ((monthEndMs - nowMs) * roundCredits) / this.#remaining);
  }
}

function credits(headers: Headers, name: string): number | undefined {
  const text = headers.get(name);
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
