// The headers of every answer, in the form uWebSockets accepts.

import type { HttpResponse } from 'uWebSockets.js';
import { STATUS_CODES } from 'node:http';
import { delaySecondsOf } from '../../accounts/access.js';
import type { KeyRecord } from '../../accounts/key-record.js';
import type { RateState } from '../../accounts/rate-limit.js';
import { BoundedMap } from '../../base/memory/bounded-map.js';
import { LIMITS } from '../../base/model/limits.js';
import { words } from '../../base/model/words.js';
import { requestsPerMinuteOf } from '../../rules/catalogue/tiers.js';
import type { Tier } from '../../rules/catalogue/types.js';
import type { Admission } from './admission.js';
import { METHODS } from './context.js';

// The headers of every answer to the same kind of key, as prepared bytes for uWebSockets: only the numbers in them are
// overwritten. Each call into C++ with a string costs more than the bytes do, and a long string concatenated for one
// answer costs the most.

const ID_DIGITS = 8;
const SECOND_DIGITS = 10;
const COUNT_DIGITS = 16;
const POSITION_DIGITS = 16;
const ZERO = 0x30;
const LETTER_A_LESS_TEN = 0x61 - 10;

/** A request's id: the process's prefix, and the request's number in it. */
export function requestIdText(prefix: string, no: number): string {
  return prefix + no.toString(36).padStart(ID_DIGITS, '0');
}

export class ReadyHead {
  readonly #bytes: Buffer;
  readonly #idAt: number;
  readonly #positionAt: number;
  #position = -1;
  readonly #resetAt: number;
  readonly #countAt: number;
  #resetUnixS = -1;
  /** Views of the memory by the number of digits at its end. */
  readonly #windows: Buffer[];

  /**
   * @param prefix beginning of every request's id
   * @param fixed headers as sent, each preceded by a line break
   * @param counted whether the caller's requests are counted: the rate limit headers are included then
   * @param positioned whether the position of what is shown is included
   */
  constructor(prefix: string, fixed: string, counted: boolean, positioned = false) {
    const place = positioned ? `\r\nX-Position: ${' '.repeat(POSITION_DIGITS)}` : '';
    const front = `${prefix}${'0'.repeat(ID_DIGITS)}${fixed}${place}${counted ? '\r\nX-RateLimit-Reset: ' : ''}`;
    const middle = counted ? `${'0'.repeat(SECOND_DIGITS)}\r\nX-RateLimit-Remaining: ` : '';
    this.#bytes = Buffer.from(front + middle + ' '.repeat(COUNT_DIGITS));
    this.#idAt = prefix.length;
    this.#positionAt = prefix.length + ID_DIGITS + fixed.length + place.length - POSITION_DIGITS;
    this.#resetAt = front.length;
    this.#countAt = front.length + middle.length;
    this.#windows = Array.from({ length: COUNT_DIGITS + 1 }, (_, digits) =>
      this.#bytes.subarray(0, this.#countAt + digits),
    );
  }

  /** The values for the next answers: right-aligned, as blanks before a header's value are ignored. */
  set position(position: number) {
    if (position === this.#position) return;
    this.#position = position;
    this.#bytes.write(String(position).padStart(POSITION_DIGITS), this.#positionAt, 'latin1');
  }

  /** The value of X-Request-Id and the headers after it; valid until the next call. */
  uncounted(no: number): Buffer {
    this.#writeId(no);
    return this.#windows[0]!;
  }

  counted(no: number, remaining: number, resetUnixS: number): Buffer {
    this.#writeId(no);
    if (resetUnixS !== this.#resetUnixS) {
      this.#resetUnixS = resetUnixS;
      this.#bytes.write(String(resetUnixS).padStart(SECOND_DIGITS, '0'), this.#resetAt, 'latin1');
    }
    const bytes = this.#bytes;
    let digits = 1;
    for (let power = 10; power <= remaining && digits < COUNT_DIGITS; power *= 10) digits++;
    let rest = remaining;
    for (let at = this.#countAt + digits - 1; at >= this.#countAt; at--) {
      const tenth = Math.floor(rest / 10);
      bytes[at] = ZERO + (rest - tenth * 10);
      rest = tenth;
    }
    return this.#windows[digits]!;
  }

  #writeId(no: number): void {
    const bytes = this.#bytes;
    let rest = no;
    for (let at = this.#idAt + ID_DIGITS - 1; at >= this.#idAt; at--) {
      const part = Math.floor(rest / 36);
      const digit = rest - part * 36;
      bytes[at] = digit + (digit < 10 ? ZERO : LETTER_A_LESS_TEN);
      rest = part;
    }
  }
}

const EXPOSED = words(`
  X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset X-Data-Delay X-Tier X-Position X-Request-Id
  X-Deep-Link-Type X-Total-Count X-Next-Cursor ETag Retry-After WWW-Authenticate Mcp-Session-Id
`).join(', ');

/** Prepared status lines. */
const STATUS_LINES = new Map(Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`]));

const CORS = `\r\nAccess-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: ${EXPOSED}`;
/** Cached headers: one entry for each tier and limit in use. */
const HEADS_MAX = LIMITS.answerHeads.max;

export type Header = readonly [name: string, value: string];

export class AnswerHeaders {
  readonly #idPrefix: string;
  readonly #heads = new BoundedMap<string, ReadyHead>(HEADS_MAX);
  // A caller usually asks repeatedly.
  #last: ReadyHead | undefined;
  #lastTier: Tier | undefined;
  #lastLimit: number | undefined;
  #lastCounted = false;
  #lastPositioned = false;
  #lastUndelayed = false;

  /** @param idPrefix beginning of every request's id */
  constructor(idPrefix: string) {
    this.#idPrefix = idPrefix;
  }

  /** The X-Request-Id of the server's request number `no`. */
  requestId(no: number): string {
    return requestIdText(this.#idPrefix, no);
  }

  /**
   * Status and the headers of every answer; Content-Type and others come after.
   * @param position of what is shown; undefined if nothing of the table is
   * @param undelayed whether what is shown is never delayed, whatever the tier
   */
  write(
    response: HttpResponse,
    status: number,
    no: number,
    { key, rate }: Admission,
    position?: number,
    undelayed = false,
  ): void {
    // 200 is the default of uWebSockets.
    if (status !== 200) response.writeStatus(STATUS_LINES.get(status) ?? String(status));
    const head = this.#headOf(key, rate, position !== undefined, undelayed);
    if (position !== undefined) head.position = position;
    response.writeHeader(
      'X-Request-Id',
      rate === undefined ? head.uncounted(no) : head.counted(no, rate.remaining, rate.resetUnixS),
    );
  }

  #headOf(key: KeyRecord | undefined, rate: RateState | undefined, positioned: boolean, undelayed: boolean): ReadyHead {
    const tier = key?.tier;
    const limit = key === undefined ? rate?.limit : requestsPerMinuteOf(key);
    const counted = rate !== undefined;
    const last = this.#last;
    if (
      last !== undefined &&
      tier === this.#lastTier &&
      limit === this.#lastLimit &&
      counted === this.#lastCounted &&
      positioned === this.#lastPositioned &&
      undelayed === this.#lastUndelayed
    )
      return last;
    const name = `${tier} ${limit} ${counted} ${positioned} ${undelayed}`;
    let head = this.#heads.get(name);
    if (head === undefined) {
      head = new ReadyHead(
        this.#idPrefix,
        CORS + tierHeaders(tier, undelayed) + limitHeader(limit),
        counted,
        positioned,
      );
      this.#heads.set(name, head);
    }
    this.#last = head;
    this.#lastTier = tier;
    this.#lastLimit = limit;
    this.#lastCounted = counted;
    this.#lastPositioned = positioned;
    this.#lastUndelayed = undelayed;
    return head;
  }
}

/** What a key sees is its own: no cache may keep it for others. */
function tierHeaders(tier: Tier | undefined, undelayed: boolean): string {
  if (tier === undefined) return '\r\nVary: Accept-Encoding';
  const delay = undelayed ? 0 : delaySecondsOf(tier);
  return `\r\nX-Tier: ${tier}\r\nX-Data-Delay: ${delay}\r\nVary: X-API-Key, Authorization, Accept-Encoding`;
}

const limitHeader = (limit: number | undefined): string =>
  limit === undefined ? '' : `\r\nX-RateLimit-Limit: ${limit}`;

/** The answer to a browser's preflight request. */
export function writePreflightHeaders(response: HttpResponse): void {
  response.writeHeader('Access-Control-Allow-Methods', `${METHODS.join(', ')}, OPTIONS`);
  response.writeHeader(
    'Access-Control-Allow-Headers',
    'X-API-Key, Authorization, Content-Type, Content-Encoding, If-None-Match, Last-Event-ID, Prefer, ' +
      'Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
  );
  response.writeHeader('Access-Control-Max-Age', '86400');
}
