// REST calls: one function, typed by path where it pays.
import { OverroundError } from './stream.js';

export type Params = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface Answer<T> {
  success: true;
  data: T;
  updated_at: string;
  meta?: Record<string, unknown>;
  pagination?: {
    limit: number;
    offset: number;
    count: number;
    total: number;
    has_more: boolean;
    next_offset: number | null;
    next_cursor?: string | null;
  };
}

/** Adds parameters: arrays as comma lists, what is undefined not at all. */
export function addressOf(base: URL, path: string, params: Params = {}): URL {
  const url = new URL(base.pathname.replace(/\/$/, '') + path, base);
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) url.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value));
  return url;
}

/** The answer's JSON. Throws OverroundError for every status that is no success. */
export async function call<T>(fetcher: typeof fetch, url: URL, init: RequestInit): Promise<T> {
  const response = await fetcher(url, init);
  if (!response.ok) throw await readError(response);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export async function readError(response: Response): Promise<OverroundError> {
  let body: { error?: { code?: string; message?: string; retryAfter?: number } } = {};
  try {
    body = (await response.json()) as typeof body;
  } catch {
    // No body of ours (a proxy's): the status has to do.
  }
  const { code = 'http_error', message = `the server answered ${response.status}`, retryAfter } = body.error ?? {};
  return new OverroundError(code, message, response.status, retryAfter);
}
