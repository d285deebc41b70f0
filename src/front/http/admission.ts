// Who is calling, and whether requests are left: the same for HTTP requests and WebSocket upgrades.

import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { isIP } from 'node:net';
import type { Accounts } from '../../accounts/accounts.js';
import { callerOf, countedAs, type KeyRecord } from '../../accounts/key-record.js';
import type { RateLimiter, RateState } from '../../accounts/rate-limit.js';
import type { StreamSlots } from '../../accounts/stream-slots.js';
import type { UsageCounters } from '../../accounts/usage.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import { ANONYMOUS_REQUESTS_PER_MINUTE, requestsPerMinuteOf } from '../../rules/catalogue/tiers.js';
import type { Auth } from './context.js';

export interface Admission {
  key: KeyRecord | undefined;
  rate: RateState | undefined;
  /** 401 or 429; key and rate are set as far as they are known. */
  error: ApiError | undefined;
  /** Settles with the admission, if another process is asked what is left; never rejects. */
  pending?: Promise<Admission>;
}

export interface AdmissionContext {
  accounts: Accounts;
  usage: UsageCounters;
  limiter: RateLimiter;
  /** Of streams; if there are any. */
  slots?: StreamSlots;
  trustProxy: boolean;
}

/** Rows looked at for one answer that count as a further request. */
const CHARGED_ROWS = LIMITS.chargedRows.max;

const METERED_PER_MINUTE = LIMITS.meteredRequests.max;
export const NOBODY: Admission = { key: undefined, rate: undefined, error: undefined };

/**
 * The kind of access: a route's, or the opening of a stream, which needs a key and counts against an allowance of its
 * own (StreamSlots).
 */
export type AccessKind = Auth | 'opening';

/** Checks the headers X-API-Key, then Authorization, then the query's key: the first one present is used. */
export function admit(
  context: AdmissionContext,
  auth: AccessKind,
  request: HttpRequest,
  response: HttpResponse,
  queryKey: string | undefined,
): Admission {
  if (auth === 'public') return NOBODY;
  if (auth === 'metered') return meter(context, request, response);
  const rawKey = request.getHeader('x-api-key') || bearer(request.getHeader('authorization')) || queryKey;
  if (!rawKey) {
    if (auth !== 'optional' && auth !== 'probe') return { ...NOBODY, error: unauthorized('missing_api_key') };
    const address = clientAddress(context.trustProxy, request, response);
    if (auth === 'probe' && isLoopback(address)) return NOBODY;
    return counted(context, address, ANONYMOUS_REQUESTS_PER_MINUTE);
  }
  const key = context.accounts.authenticate(rawKey);
  if (key === undefined) return { ...NOBODY, error: unauthorized('invalid_api_key') };
  const origin = key.viewer?.origin ?? null;
  if (origin !== null && request.getHeader('origin') !== origin) return { ...NOBODY, error: otherOrigin() };
  if (auth === 'uncounted' || auth === 'opening') {
    const rate = context.limiter.peek(key.account, requestsPerMinuteOf(key));
    const admission: Admission = { key, rate, error: undefined };
    const waits = auth === 'opening' ? (context.slots?.ready(key) ?? null) : null;
    return waits === null ? admission : { ...admission, pending: waits.then(() => admission) };
  }
  const waits = chargeable(context, key);
  if (waits === null) return charge(context, key);
  const rate = context.limiter.peek(key.account, requestsPerMinuteOf(key));
  return { key, rate, error: undefined, pending: waits.then(() => charge(context, key)) };
}

/** Counted apart from an address's other requests: a Prometheus may ask more often than somebody without a key may. */
function meter(context: AdmissionContext, request: HttpRequest, response: HttpResponse): Admission {
  const address = clientAddress(context.trustProxy, request, response);
  if (isLoopback(address)) return NOBODY;
  return counted(context, `metered ${address}`, METERED_PER_MINUTE);
}

/** One request of somebody without a key. */
function counted({ limiter }: AdmissionContext, name: string, limit: number): Admission {
  const take = (): Admission => {
    const rate = limiter.take(name, limit);
    return { key: undefined, rate, error: rate.allowed ? undefined : rateLimited(rate) };
  };
  const waits = limiter.ready(name, limit);
  if (waits === null) return take();
  return { key: undefined, rate: limiter.peek(name, limit), error: undefined, pending: waits.then(take) };
}

/** Null if charge() can be called at once; else settles when it can. Never rejects. */
export function chargeable({ limiter }: AdmissionContext, key: KeyRecord): Promise<void> | null {
  const [own, viewers] = countedAs(callerOf(key), requestsPerMinuteOf(key)).map(([name, max]) =>
    limiter.ready(name, max),
  );
  if (!viewers) return own ?? null;
  return own ? Promise.all([own, viewers]).then(() => undefined) : viewers;
}

/** Counts one request of a key, together with those of its account; `error` is the 429 if none is left. */
export function charge(context: AdmissionContext, key: KeyRecord): Admission {
  const limit = requestsPerMinuteOf(key);
  // The account's own count comes last: it is the one that answers show.
  for (const [name, max] of key.viewer === undefined ? [] : countedAs(callerOf(key), limit).slice(1)) {
    const rate = context.limiter.take(name, max);
    if (!rate.allowed) return { key, rate, error: rateLimited(rate) };
  }
  const rate = context.limiter.take(key.account, limit);
  if (!rate.allowed) return { key, rate, error: rateLimited(rate) };
  context.usage.count(key.account);
  return { key, rate, error: undefined };
}

/** Counts further requests for an answer that looked at so many rows; undefined if none. */
export function chargeRows(context: AdmissionContext, key: KeyRecord, rows: number): RateState | undefined {
  const requests = Math.floor(rows / CHARGED_ROWS);
  if (requests === 0) return undefined;
  const [own] = countedAs(callerOf(key), requestsPerMinuteOf(key)).map(([name, max]) =>
    context.limiter.spend(name, max, requests),
  );
  return own;
}

function unauthorized(reason: 'missing_api_key' | 'invalid_api_key'): ApiError {
  const message =
    reason === 'missing_api_key'
      ? 'an API key is needed: header X-API-Key, header Authorization: Bearer, or parameter api_key'
      : 'the API key or token is unknown, revoked or expired';
  return new ApiError('unauthorized', message, { reason });
}

function otherOrigin(): ApiError {
  const message = 'the viewer token is for pages of another origin: it is refused without their Origin header';
  return new ApiError('unauthorized', message, { reason: 'invalid_api_key' });
}

export function rateLimited(rate: RateState): ApiError {
  const message = `more than ${rate.limit} requests in this minute; try again in ${rate.retryAfterS} s`;
  return new ApiError('rate_limited', message, { retryAfter: rate.retryAfterS });
}

function bearer(authorization: string): string {
  return authorization.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7).trim() : '';
}

// The address that limits are counted by for callers without a key.

/**
 * IPv4 addresses individually, IPv6 by /64: one customer's line has that many.
 * @param trustProxy the address is the last one that the proxy in front added to X-Forwarded-For
 */
function clientAddress(trustProxy: boolean, request: HttpRequest, response: HttpResponse): string {
  const forwarded = trustProxy ? lastForwarded(request) : '';
  // Never equal to an address of this machine's own, which some limits do not apply to.
  if (forwarded !== '') return `proxy ${addressOf(forwarded)}`;
  const address = Buffer.from(response.getRemoteAddress());
  if (address.length !== 16) return address.toString('hex');
  const mapped = address.readBigUInt64BE(0) === 0n && address.readUInt32BE(8) === 0xffff;
  return mapped ? address.toString('hex', 12) : address.toString('hex', 0, 8);
}

/** 127.0.0.0/8, or ::1, the only address used in the first /64. */
function isLoopback(address: string): boolean {
  return /^(7f[0-9a-f]{6}|0{16})$/.test(address);
}

/** A proxy may append a line of its own instead of extending the client's: the last line is the proxy's. */
function lastForwarded(request: HttpRequest): string {
  let last = '';
  request.forEach((name, value) => {
    if (name === 'x-forwarded-for') last = value;
  });
  return last.split(',').at(-1)!.trim();
}

/** Without the port that some proxies add, and IPv6 as its first 64 bits. */
function addressOf(forwarded: string): string {
  const host = /^\[([^\]]*)\](?::\d+)?$/.exec(forwarded)?.[1] ?? /^([\d.]+):\d+$/.exec(forwarded)?.[1] ?? forwarded;
  if (isIP(host) !== 6) return host.slice(0, 64);
  // As URLs write it: hexadecimal, without leading zeros.
  const [before, after] = new URL(`http://[${host.replace(/%.*$/, '')}]/`).hostname.slice(1, -1).split('::');
  const groups = before === '' ? [] : before!.split(':');
  if (after !== undefined) {
    const last = after === '' ? [] : after.split(':');
    groups.push(...new Array<string>(8 - groups.length - last.length).fill('0'), ...last);
  }
  if (groups.slice(0, 6).join() === '0,0,0,0,0,ffff') return groups.slice(6).join(':');
  return groups.slice(0, 4).join(':');
}
