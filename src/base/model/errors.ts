// Every error a caller can meet, in one table: code → HTTP status. Routes throw ApiError; the front writes it.
// Nothing throws `validation_error` or `upstream_error`: the interface promises both codes, so that programs written for
// another server of it may handle them, and no other error may get their names.
import { LIMITS } from './limits.js';

export const ERROR_STATUS = {
  invalid_request: 400,
  bad_request: 400,
  validation_error: 400,
  unauthorized: 401,
  tier_restricted: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  uri_too_long: 414,
  rate_limited: 429,
  stream_limit_exceeded: 429,
  ingest_queue_full: 429,
  internal_error: 500,
  upstream_error: 502,
  unavailable: 503,
  behind: 503,
  storage_full: 507,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export interface ErrorDetail {
  /** Seconds to wait before retrying (429 and 5xx). */
  retryAfter?: number;
  /** The tier that would give access to the request (403). */
  tier?: string;
  /** Of a request for books above the tier: how many it sees, and which were asked for. */
  maxBooks?: number;
  requestedBooks?: readonly string[];
  /** Why a key was refused (401): `missing_api_key` or `invalid_api_key`. */
  reason?: string;
  docs?: string;
  /** Methods the path accepts (405), for the `Allow` header. */
  allow?: string;
}

/** Some have a second name. */
interface ErrorBody extends Omit<ErrorDetail, 'allow' | 'maxBooks' | 'requestedBooks'> {
  code: string;
  message: string;
  retry_after?: number;
  required_tier?: string;
  max_books?: number;
  requested_books?: readonly string[];
}

/** Nothing that we say is longer; what a caller named may be, and an answer is no copy of its request. */
const WORD_CHARS_MAX = LIMITS.errorWord.max;
const WORD_SHOWN_CHARS = 100;
const LONG_WORDS = new RegExp(`\\S{${WORD_CHARS_MAX + 1},}`, 'g');
const MESSAGE_CHARS_MAX = LIMITS.errorMessage.max;

function withoutLongNames(message: string): string {
  if (message.length <= WORD_CHARS_MAX) return message;
  const shown = message.replaceAll(LONG_WORDS, (word) => `${word.slice(0, WORD_SHOWN_CHARS)}…`);
  return shown.length > MESSAGE_CHARS_MAX ? `${shown.slice(0, MESSAGE_CHARS_MAX)}…` : shown;
}

export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(withoutLongNames(message));
    this.name = 'ApiError';
    this.code = code;
    this.detail = detail;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }

  /** The body of every non-2xx answer. */
  toBody(): { error: ErrorBody } {
    const { allow: _allow, maxBooks, requestedBooks, ...visible } = this.detail;
    const { retryAfter, tier } = visible;
    return {
      error: {
        code: this.code,
        message: this.message,
        ...visible,
        ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
        ...(tier === undefined ? {} : { required_tier: tier }),
        ...(maxBooks === undefined ? {} : { max_books: maxBooks }),
        ...(requestedBooks === undefined ? {} : { requested_books: requestedBooks }),
      },
    };
  }
}

/** Throws `invalid_request` if a parameter has other words than its own. */
export function checkWords(parameter: string, words: readonly string[], own: readonly string[]): void {
  const unknown = words.filter((word) => !own.includes(word));
  if (unknown.length > 0)
    throw new ApiError('invalid_request', `${parameter}: ${unknown.join(', ')} is none of ${own.join(', ')}`);
}

/** Stands for an answer that does not arrive. */
export function noWriter(): ApiError {
  return new ApiError('unavailable', 'the engine is being replaced: send again', { retryAfter: 1 });
}
