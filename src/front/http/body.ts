// Reading request bodies: bounded individually, by account and in total, decompressed according to Content-Encoding.

import type { HttpResponse } from 'uWebSockets.js';
import { gunzip } from 'node:zlib';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import type { UnreadBody } from './unread-body.js';

/** All bodies held together may be this many times the limit of one, and those of an account a quarter of that. */
const BODIES_TOGETHER_MAX = LIMITS.bodiesTogether.max;
const BODIES_OF_ACCOUNT_MAX = LIMITS.bodiesOfAccount.max;
/** Each may grow to the limit while it is unpacked. */
const UNZIPPING_MAX = LIMITS.unzipping.max;
/** Each chunk comes to the main thread by itself: with Node's own 16 KiB a large body takes twice as long there. */
const UNZIPPED_CHUNK_BYTES = 64 * 1024;
const BODY_MS_MAX = LIMITS.bodyTime.max;

export interface BodyRequest {
  /** Whose body it is. */
  account: string;
  contentType: string;
  contentLength: number | undefined;
  contentEncoding: string;
  /** Media types that the route accepts. */
  accepted: readonly string[];
  /** Informed of every chunk, also of those after a refusal. */
  unread: UnreadBody | undefined;
}

type Done = (error: ApiError | undefined, body: Buffer) => void;

export class BodyReader {
  readonly #bytesMax: number;
  /** Bytes held, in total and by account. */
  #held = 0;
  readonly #heldBy = new Map<string, number>();
  #unzipping = 0;
  readonly #zipped: { held: HeldBody; account: string }[] = [];

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * Calls back once with the complete body or an ApiError (400, 413, 415, 429, 503). Must be called within the request's
   * handler. The body counts as held until release(), which must be called when its request is answered or its client
   * has disconnected: nothing is called any more then.
   */
  read(response: HttpResponse, request: BodyRequest, done: Done): { release(): void } {
    const refusal = this.#refusal(request);
    if (refusal !== undefined) {
      done(refusal, EMPTY);
      return NOTHING_HELD;
    }
    const held = new HeldBody((bytes) => this.#hold(request.account, bytes), done);
    if (request.unread !== undefined) request.unread.read = true;
    response.onData((chunk, isLast) => {
      request.unread?.received(chunk.byteLength, isLast);
      if (!held.open) return;
      const tooMuch = this.#overflow(request.account, held.size, chunk.byteLength);
      if (tooMuch !== undefined) {
        held.end(tooMuch);
        return;
      }
      held.add(chunk, this.#bytesMax);
      if (!isLast) held.watch();
      else if (request.contentEncoding === 'gzip') this.#unzipInTurn(held, request.account);
      else held.complete(held.bytes);
    });
    return held;
  }

  #refusal({ account, accepted, contentType, contentEncoding, contentLength = 0 }: BodyRequest): ApiError | undefined {
    if (!accepted.includes(contentType))
      return new ApiError('unsupported_media_type', `the body must be ${accepted.filter(Boolean).join(' or ')}`);
    if (!['', 'identity', 'gzip'].includes(contentEncoding))
      return new ApiError('unsupported_media_type', 'the body may be sent as it is or as gzip');
    return this.#overflow(account, 0, contentLength);
  }

  /** Why a body of this size cannot have this many bytes more. */
  #overflow(account: string, size: number, more: number): ApiError | undefined {
    const bytesMax = this.#bytesMax;
    if (size + more > bytesMax) return this.#tooLarge();
    if (this.#held + more > bytesMax * BODIES_TOGETHER_MAX)
      return new ApiError('unavailable', 'too many large requests at once', { retryAfter: 1 });
    if ((this.#heldBy.get(account) ?? 0) + more > bytesMax * BODIES_OF_ACCOUNT_MAX)
      return new ApiError('rate_limited', 'too many large requests of this account at once', { retryAfter: 1 });
    return undefined;
  }

  #tooLarge(): ApiError {
    return new ApiError('payload_too_large', `the body is larger than ${this.#bytesMax} bytes`);
  }

  /** @param bytes negative if they are released */
  #hold(account: string, bytes: number): void {
    this.#held += bytes;
    const own = (this.#heldBy.get(account) ?? 0) + bytes;
    if (own === 0) this.#heldBy.delete(account);
    else this.#heldBy.set(account, own);
  }

  #unzipInTurn(held: HeldBody, account: string): void {
    if (this.#unzipping >= UNZIPPING_MAX) this.#zipped.push({ held, account });
    else this.#unzip(held, account);
  }

  #unzip(held: HeldBody, account: string): void {
    this.#unzipping++;
    gunzip(held.bytes, { maxOutputLength: this.#bytesMax, chunkSize: UNZIPPED_CHUNK_BYTES }, (error, unzipped) => {
      this.#unzipping--;
      const tooMuch = error === null ? this.#overflow(account, held.size, unzipped.length - held.size) : undefined;
      if (tooMuch !== undefined) held.end(tooMuch);
      else if (error === null) held.complete(unzipped);
      else if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') held.end(this.#tooLarge());
      else held.end(new ApiError('invalid_request', 'the body is not gzip, though its Content-Encoding says so'));
      this.#nextZipped();
    });
  }

  /** Those that were given up meanwhile are passed over. */
  #nextZipped(): void {
    let next = this.#zipped.shift();
    while (next?.held.open === false) next = this.#zipped.shift();
    if (next !== undefined) this.#unzip(next.held, next.account);
  }
}

const EMPTY = Buffer.alloc(0);
const NOTHING_HELD = { release: () => undefined };

/** One body, as far as it has arrived. */
class HeldBody {
  /** False once it was refused or released. */
  open = true;
  size = 0;
  // One growing buffer: a body sent byte by byte must not cost an object for each.
  #buffer = EMPTY;
  readonly #hold: (bytes: number) => void;
  readonly #done: Done;
  #timer: NodeJS.Timeout | undefined;

  constructor(hold: (bytes: number) => void, done: Done) {
    this.#hold = hold;
    this.#done = done;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.size);
  }

  add(chunk: ArrayBuffer, bytesMax: number): void {
    const size = this.size + chunk.byteLength;
    if (size > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(size, Math.min(2 * this.#buffer.length, bytesMax)));
      this.#buffer.copy(grown, 0, 0, this.size);
      this.#buffer = grown;
    }
    this.#buffer.set(new Uint8Array(chunk), this.size);
    this.size = size;
    this.#hold(chunk.byteLength);
  }

  /** It has not ended yet. */
  watch(): void {
    this.#timer ??= setTimeout(() => {
      this.end(new ApiError('invalid_request', `the body has not ended after ${BODY_MS_MAX / 1000} s`));
    }, BODY_MS_MAX);
  }

  complete(body: Buffer): void {
    clearTimeout(this.#timer);
    if (!this.open) return;
    this.#hold(body.length - this.size);
    this.size = body.length;
    this.#buffer = EMPTY;
    this.#done(undefined, body);
  }

  end(error: ApiError): void {
    if (!this.open) return;
    this.release();
    this.#done(error, EMPTY);
  }

  release(): void {
    clearTimeout(this.#timer);
    if (!this.open) return;
    this.open = false;
    this.#hold(-this.size);
    this.#buffer = EMPTY;
  }
}
