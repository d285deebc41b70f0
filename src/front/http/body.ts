// Reading request bodies: bounded individually and in total, decompressed according to Content-Encoding.

import type { HttpResponse } from 'uWebSockets.js';
import { gunzip } from 'node:zlib';
import { ApiError } from '../../model/errors.js';
import { LIMITS } from '../../model/limits.js';
import type { UnreadBody } from './unread-body.js';

/** All bodies being read together may be this many times the limit of one. */
const BODIES_TOGETHER_MAX = LIMITS.bodiesTogether.max;

export interface BodyRequest {
  contentType: string;
  contentLength: number | undefined;
  contentEncoding: string;
  /** Media types that the route accepts. */
  accepted: readonly string[];
  /** Informed of every chunk, also of those after a refusal. */
  unread: UnreadBody | undefined;
}

export class BodyReader {
  readonly #bytesMax: number;
  #buffered = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * Calls back once with the complete body or an ApiError (413, 415, 400, 503). Must be called within the request's
   * handler. Once the client has disconnected nothing is called: release() then frees the memory.
   */
  read(
    response: HttpResponse,
    request: BodyRequest,
    done: (error: ApiError | undefined, body: Buffer) => void,
  ): { release(): void } {
    const refusal = this.#refusal(request);
    if (refusal !== undefined) {
      done(refusal, EMPTY);
      return NOTHING_HELD;
    }
    // One growing buffer: a body sent byte by byte must not cost an object for each.
    let bytes = Buffer.allocUnsafe(Math.min(request.contentLength ?? FIRST_BYTES, FIRST_BYTES));
    let size = 0;
    let open = true;
    const release = () => {
      if (open) this.#buffered -= size;
      open = false;
    };
    if (request.unread !== undefined) request.unread.read = true;
    response.onData((chunk, isLast) => {
      request.unread?.received(chunk.byteLength, isLast);
      if (!open) return;
      const tooMuch = this.#overflow(size + chunk.byteLength);
      if (tooMuch !== undefined) {
        release();
        done(tooMuch, EMPTY);
        return;
      }
      if (size + chunk.byteLength > bytes.length) {
        const grown = Buffer.allocUnsafe(Math.max(size + chunk.byteLength, Math.min(2 * bytes.length, this.#bytesMax)));
        bytes.copy(grown, 0, 0, size);
        bytes = grown;
      }
      bytes.set(new Uint8Array(chunk), size);
      size += chunk.byteLength;
      this.#buffered += chunk.byteLength;
      if (!isLast) return;
      release();
      const body = bytes.subarray(0, size);
      if (request.contentEncoding === 'gzip') this.#unzip(body, done);
      else done(undefined, body);
    });
    return { release };
  }

  #refusal(request: BodyRequest): ApiError | undefined {
    if (!request.accepted.includes(request.contentType)) {
      return new ApiError(
        'unsupported_media_type',
        `the body must be ${request.accepted.filter(Boolean).join(' or ')}`,
      );
    }
    if (!['', 'identity', 'gzip'].includes(request.contentEncoding)) {
      return new ApiError('unsupported_media_type', 'the body may be sent as it is or as gzip');
    }
    return this.#overflow(request.contentLength ?? 0);
  }

  #overflow(size: number): ApiError | undefined {
    if (size > this.#bytesMax) return this.#tooLarge();
    if (this.#buffered > this.#bytesMax * BODIES_TOGETHER_MAX) {
      return new ApiError('unavailable', 'too many large requests at once', { retryAfter: 1 });
    }
    return undefined;
  }

  #tooLarge(): ApiError {
    return new ApiError('payload_too_large', `the body is larger than ${this.#bytesMax} bytes`);
  }

  #unzip(body: Buffer, done: (error: ApiError | undefined, body: Buffer) => void): void {
    gunzip(body, { maxOutputLength: this.#bytesMax }, (error, unzipped) => {
      if (error === null) done(undefined, unzipped);
      else if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') done(this.#tooLarge(), EMPTY);
      else done(new ApiError('invalid_request', 'the body is not gzip, though its Content-Encoding says so'), EMPTY);
    });
  }
}

const FIRST_BYTES = 64 * 1024;
const EMPTY = Buffer.alloc(0);
const NOTHING_HELD = { release: () => undefined };
