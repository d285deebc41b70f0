// The headers of every answer, in the form uWebSockets accepts.

import type { HttpResponse } from 'uWebSockets.js';
import { STATUS_CODES } from 'node:http';
import { delaySecondsOf } from '../../accounts/access.js';
import type { KeyRecord } from '../../accounts/key-record.js';
import type { RateState } from '../../accounts/rate-limit.js';
import { BoundedMap } from '../../base/memory/bounded-map.js';
import { LIMITS } from '../../base/model/limits.js';
import { requestsPerMinuteOf } from '../../rules/catalogue/tiers.js';
import type { Tier } from '../../rules/catalogue/types.js';
import type { Admission } from './admission.js';
import { METHODS } from './context.js';
import { ReadyHead, requestIdText } from './ready-head.js';

const EXPOSED = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Data-Delay',
  'X-Tier',
  'X-Position',
  'X-Request-Id',
  'X-Deep-Link-Type',
  'X-Total-Count',
  'X-Next-Cursor',
  'ETag',
  'Retry-After',
  'WWW-Authenticate',
  'Mcp-Session-Id',
].join(', ');

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
