// The one error of the client: for whatever fails between a call and its answer, or ends a stream.

export interface ErrorDetail {
  /** HTTP status or WebSocket close code. */
  status?: number;
  /** Seconds to wait before retrying. */
  retryAfter?: number | undefined;
  /** X-Request-Id of the answer, for the server's operator. */
  requestId?: string | undefined;
  /** The required tier (403). */
  tier?: string | undefined;
  /** Sportsbooks above the tier (403): how many it sees, and those that were asked for. */
  maxBooks?: number | undefined;
  requestedBooks?: string[] | undefined;
  cause?: unknown;
}

/**
 * Codes: those of the server (`unauthorized`, `tier_restricted`, `invalid_request`, `rate_limited`, …); `http_error`
 * for an answer that is not the server's own; `network_error`, `timeout`, `aborted`; and for streams `connection_lost`,
 * `silence`, `bad_frame`, `closed`.
 */
export class OverroundError extends Error {
  readonly code: string;
  /** 0 if there was no answer. */
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;
  readonly tier: string | undefined;
  readonly maxBooks: number | undefined;
  readonly requestedBooks: string[] | undefined;

  constructor(code: string, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'OverroundError';
    this.code = code;
    this.status = detail.status ?? 0;
    this.retryAfter = detail.retryAfter;
    this.requestId = detail.requestId;
    this.tier = detail.tier;
    this.maxBooks = detail.maxBooks;
    this.requestedBooks = detail.requestedBooks;
  }
}

interface ErrorBody {
  error?: {
    code?: string;
    message?: string;
    retryAfter?: number;
    tier?: string;
    max_books?: number;
    requested_books?: string[];
  };
}

/**
 * A redirect would send the key elsewhere. Not `error`: Node 20 and 22 forget the signal of such a request, so that a
 * stream could not be ended. In browsers the status of a redirect is 0.
 */
export const NO_REDIRECTS = { redirect: 'manual' } as const;

const isRedirect = ({ status }: Response): boolean => status === 0 || (status > 300 && status < 400 && status !== 304);

/** From an error answer; reads its body. */
export async function errorOfAnswer(response: Response): Promise<OverroundError> {
  let body: ErrorBody = {};
  try {
    body = (await response.json()) as ErrorBody;
  } catch {
    // Not our error body (a proxy's): only the status is known.
  }
  const said = isRedirect(response) ? 'a redirect, which is not followed' : response.status;
  const { code = 'http_error', message = `the server answered ${said}`, tier } = body.error ?? {};
  return new OverroundError(code, message, {
    status: response.status,
    retryAfter: body.error?.retryAfter ?? secondsOf(response.headers.get('retry-after')),
    requestId: response.headers.get('x-request-id') ?? undefined,
    tier,
    maxBooks: body.error?.max_books,
    requestedBooks: body.error?.requested_books,
  });
}

/** From what fetch threw: no connection, or one that broke. */
export function networkError(error: unknown): OverroundError {
  if (error instanceof OverroundError) return error;
  return new OverroundError('network_error', `the server could not be reached: ${reasonOf(error)}`, { cause: error });
}

/** fetch only says that it failed; the reason is in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return cause.message || ((cause as { code?: string }).code ?? cause.name);
  return error.message;
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}
