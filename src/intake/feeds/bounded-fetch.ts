// One HTTP exchange of a feed, bounded in time (headers and body together) and in the size of its body.

export interface FetchLimits {
  timeoutMs: number;
  /** Bytes of the body after decompression. */
  bodyBytesMax: number;
}

export interface FetchAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * A redirect would send the key elsewhere. Not `error`: Node 20 and 22 forget the signal of such a request, and it would
 * wait for ever.
 */
export const NO_REDIRECTS = { redirect: 'manual' } as const;

export const isRedirect = ({ status }: Response): boolean => status > 300 && status < 400 && status !== 304;

/**
 * Sends one request and reads the whole answer. Redirects are not followed. Throws
 * an Error with the host and a short reason (never the URL) on timeout, connection loss, an over-long body or an abort.
 */
export async function boundedFetch(
  url: URL,
  init: RequestInit,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<FetchAnswer> {
  const controller = new AbortController();
  let timedOut = false;
  const cancel = (): void => controller.abort();
  const deadline = setTimeout(() => {
    timedOut = true;
    cancel();
  }, limits.timeoutMs);
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const response = await fetch(url, { ...init, ...NO_REDIRECTS, signal: controller.signal });
    if (isRedirect(response)) {
      await response.body?.cancel();
      throw new Error('it redirects elsewhere');
    }
    const text = await boundedText(response, limits.bodyBytesMax);
    return { status: response.status, headers: response.headers, text };
  } catch (error) {
    if (timedOut) throw new Error(`${url.host}: no complete answer within ${limits.timeoutMs} ms`);
    throw new Error(`${url.host}: ${reasonOf(error)}`);
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', cancel);
  }
}

async function boundedText(response: Response, bytesMax: number): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Throwing out of the loop cancels the stream, which closes the connection.
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new Error(`answer is longer than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes).toString('utf8');
}

/** fetch only says "fetch failed"; the cause has the code (ECONNREFUSED, ECONNRESET …), or one of the client's own, and a text. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'request failed';
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return code === '' || code.startsWith('UND_') ? message : code;
}

/** Seconds stated by a `Retry-After` header (as a number or a date), or undefined. */
export function retryAfterSeconds(value: string | null | undefined, nowMs: number): number | undefined {
  if (value == null || value.trim() === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, (atMs - nowMs) / 1000);
}
