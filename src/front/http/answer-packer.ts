// Compresses answers on zlib's threads, a few at a time; what is sent often is compressed once. Beyond its bound an
// answer is sent as it is.

import { brotliCompress, constants, crc32, deflateRaw } from 'node:zlib';
import { BoundedMap } from '../../base/memory/bounded-map.js';
import type { Transient } from '../../base/memory/transient.js';
import { LIMITS } from '../../base/model/limits.js';
import type { TaggedAnswer } from './context.js';

// A compressed answer whose end can be exchanged: the times of sending are at the end of an answer, in a block of their
// own that is stored as it is. So an answer is compressed once, however often it is sent.

const GZIP_HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);
/** The last block, and that it is stored; its length and the complement of that follow. */
const STORED_BYTES = 5;
const STORED_LENGTHS = 0xffff;
/** The checksum and the length of what was compressed. */
const TRAILER_BYTES = 8;
/** Brotli's header of a block that is stored, and its empty last block. */
const META_BYTES = 3;
const BROTLI_END = Uint8Array.of(3);

export class PackedAnswer {
  readonly coding: Coding;
  readonly #bytes: Transient;
  readonly #tailAt: number;
  readonly #tailLength: number;
  /** Checksum of what is before the end. */
  readonly #crc: number;

  /**
   * @param body everything before the end, uncompressed
   * @param packed the same compressed and flushed: a raw deflate stream for gzip, else Brotli
   * @param tailLength of the end
   */
  constructor(coding: Coding, body: Uint8Array, packed: Uint8Array, tailLength: number) {
    if (tailLength > STORED_LENGTHS) throw new RangeError(`${tailLength} bytes are more than one stored block`);
    this.coding = coding;
    this.#tailLength = tailLength;
    const space = Buffer.alloc(tailLength);
    if (coding === 'gzip') {
      const block = Buffer.alloc(STORED_BYTES, 1);
      block.writeUInt16LE(tailLength, 1);
      block.writeUInt16LE(STORED_LENGTHS - tailLength, 3);
      const trailer = Buffer.alloc(TRAILER_BYTES);
      trailer.writeUInt32LE((body.length + tailLength) >>> 0, 4);
      this.#crc = crc32(body);
      this.#tailAt = GZIP_HEAD.length + packed.length + STORED_BYTES;
      this.#bytes = Buffer.concat([GZIP_HEAD, packed, block, space, trailer]) as Transient;
    } else {
      // Not the last block, four nibbles of length, stored; then zeros up to the next byte.
      const block = Buffer.alloc(tailLength === 0 ? 0 : META_BYTES);
      if (tailLength > 0) block.writeUIntLE(((tailLength - 1) << 3) | (1 << 19), 0, META_BYTES);
      this.#crc = 0;
      this.#tailAt = packed.length + block.length;
      this.#bytes = Buffer.concat([packed, block, space, BROTLI_END]) as Transient;
    }
  }

  /** With another end of the same length; valid until the next call. */
  with(tail: Uint8Array): Transient {
    if (tail.length !== this.#tailLength) throw new RangeError('the end has another length');
    this.#bytes.set(tail, this.#tailAt);
    if (this.coding === 'gzip') {
      // Of no bytes without a place in memory zlib gives the checksum of nothing at all.
      const crc = tail.length === 0 ? this.#crc : crc32(tail, this.#crc);
      this.#bytes.writeUInt32LE(crc, this.#tailAt + tail.length);
    }
    return this.#bytes;
  }
}

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

// Which compression a client accepts (RFC 9110, section 12.5.3).

/** In the order of preference among equals: at its first quality Brotli takes half of gzip's time and is smaller. */
export type Coding = 'br' | 'gzip';

const HEADER_CHARS_MAX = LIMITS.acceptEncoding.max;
/** Clients send a handful of different texts. */
const known = new BoundedMap<string, Coding | null>(LIMITS.acceptEncodings.max);

/** The best one for an answer; undefined if it is to be sent as it is. */
export function acceptedCoding(header: string): Coding | undefined {
  if (header === '') return undefined;
  let coding = known.get(header);
  if (coding === undefined) {
    const weights = weightsIn(header);
    const [br, gzip] = [weightOf(weights, 'br'), weightOf(weights, 'gzip')];
    coding = br === 0 && gzip === 0 ? null : br >= gzip ? 'br' : 'gzip';
    known.set(header, coding);
  }
  return coding ?? undefined;
}

/** Whether a stream may be sent as gzip. */
export function acceptsGzip(header: string): boolean {
  return header !== '' && weightOf(weightsIn(header), 'gzip') > 0;
}

/** Codings and their weights; a text that is too long or malformed names none. */
function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  if (header.length > HEADER_CHARS_MAX) return weights;
  for (const part of header.toLowerCase().split(',')) {
    const [, name, q] = /^\s*(?:x-)?([a-z*]+)\s*(?:;\s*q=(\d(?:\.\d{0,3})?)\s*)?$/.exec(part) ?? [];
    if (name !== undefined) weights.set(name, Number(q ?? 1));
  }
  return weights;
}

/** 0 if the client does not accept it, or would rather have the answer as it is. */
function weightOf(weights: ReadonlyMap<string, number>, coding: Coding): number {
  const weight = weights.get(coding) ?? weights.get('*') ?? 0;
  return weight < (weights.get('identity') ?? 0) ? 0 : weight;
}
