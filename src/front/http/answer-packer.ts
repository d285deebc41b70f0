// Compresses answers on zlib's threads, a few at a time; what is sent often is compressed once. Beyond its bound an
// answer is sent as it is.
import { brotliCompress, constants, deflateRaw } from 'node:zlib';
import { LIMITS } from '../../base/model/limits.js';
import type { Coding } from './accept-encoding.js';
import type { TaggedAnswer } from './context.js';
import { PackedAnswer } from './packed-answer.js';

/** A smaller answer fits in one or two packets anyway. */
export const PACKED_FROM_BYTES = 2 * 1024;
const RUNNING_MAX = LIMITS.compressing.max;
const BYTES_MAX = LIMITS.compressingBytes.max;

/** What answers are compressed with, and the few that last as long as the process (files). */
const QUALITY = { br: { once: 1, lasting: 9 }, gzip: { once: 1, lasting: 9 } } as const;
const BROTLI_WINDOW_BITS = 18;

/** An answer as sent compressed: content type and further headers, and its bytes. */
export interface TaggedPacked {
  readonly head: Buffer;
  readonly packed: PackedAnswer;
}

/** With `plain` instead, the copy of the bytes, if they could not be compressed. */
type Done = (packed: PackedAnswer | undefined, plain: Buffer) => void;

interface Form {
  readonly etag: string;
  packed: TaggedPacked | undefined;
  readonly waiting: ((form: TaggedPacked | undefined, plain: Buffer) => void)[];
}

export class AnswerPacker {
  readonly #forms = new WeakMap<TaggedAnswer, Partial<Record<Coding, Form>>>();
  readonly #queue: (() => void)[] = [];
  #running = 0;
  /** Of answers being compressed, or waiting for that. */
  #bytes = 0;

  /**
   * Copies the bytes, and calls back later. False if too much is being compressed already.
   * @param tail bytes at the end that are not compressed
   */
  pack(coding: Coding, bytes: Uint8Array, tail: number, lasting: boolean, done: Done): boolean {
    if (this.#bytes > 0 && this.#bytes + bytes.length > BYTES_MAX) return false;
    const plain = Buffer.from(bytes);
    const body = plain.subarray(0, plain.length - tail);
    this.#bytes += bytes.length;
    const finished = (error: Error | null, packed: Buffer): void => {
      this.#bytes -= bytes.length;
      this.#running--;
      this.#queue.shift()?.();
      done(error === null ? new PackedAnswer(coding, body, packed, tail) : undefined, plain);
    };
    const run = (): void => {
      this.#running++;
      compress(coding, body, QUALITY[coding][lasting ? 'lasting' : 'once'], finished);
    };
    if (this.#running < RUNNING_MAX) run();
    else this.#queue.push(run);
    return true;
  }

  /** The answer as it was compressed for an earlier request. */
  known(answer: TaggedAnswer, coding: Coding): TaggedPacked | undefined {
    const form = this.#forms.get(answer)?.[coding];
    return form?.etag === answer.etag ? form.packed : undefined;
  }

  /** As pack(), for an answer that others may request as well: once for all of them. */
  packTagged(
    answer: TaggedAnswer,
    coding: Coding,
    bytes: Uint8Array,
    done: (form: TaggedPacked | undefined, plain: Buffer) => void,
  ): boolean {
    const { etag, contentType, cacheControl, lasting } = answer;
    const forms = this.#forms.get(answer) ?? {};
    const underWay = forms[coding];
    if (underWay?.etag === etag && underWay.packed === undefined) {
      underWay.waiting.push(done);
      return true;
    }
    const form: Form = { etag, packed: undefined, waiting: [done] };
    const head = Buffer.from(
      `${contentType}\r\nCache-Control: ${cacheControl}\r\nETag: ${codedTag(etag, coding)}\r\nContent-Encoding: ${coding}`,
    );
    const packs = this.pack(coding, bytes, answer.tail, lasting, (packed, plain) => {
      if (packed === undefined) delete forms[coding];
      else form.packed = { head, packed };
      for (const each of form.waiting.splice(0)) each(form.packed, plain);
    });
    if (!packs) return false;
    forms[coding] = form;
    this.#forms.set(answer, forms);
    return true;
  }
}

function compress(
  coding: Coding,
  body: Uint8Array,
  quality: number,
  done: (error: Error | null, packed: Buffer) => void,
): void {
  if (coding === 'gzip') {
    deflateRaw(body, { level: quality, finishFlush: constants.Z_SYNC_FLUSH }, done);
    return;
  }
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
  };
  brotliCompress(body, { params, finishFlush: constants.BROTLI_OPERATION_FLUSH }, done);
}

/** The tag of an answer as it is sent: compressed it has other bytes. */
export function codedTag(etag: string, coding: Coding | undefined): string {
  return coding === undefined ? etag : `${etag.slice(0, -1)}-${coding}"`;
}
