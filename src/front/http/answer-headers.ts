// The headers every answer has, as uWebSockets takes them.

import type { HttpResponse } from 'uWebSockets.js';
import { STATUS_CODES } from 'node:http';
import type { KeyRecord } from '../../accounts/key-record.js';
import type { RateState } from '../../accounts/rate-limit.js';
import { TIER_RULES } from '../../accounts/tiers.js';
import { TIERS, type Tier } from '../../catalogue/types.js';
import type { Admission } from './admission.js';

const EXPOSED = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Data-Delay',
  'X-Tier',
  'X-Request-Id',
  'X-Deep-Link-Type',
  'X-Total-Count',
  'X-Next-Cursor',
  'ETag',
  'Retry-After',
  'WWW-Authenticate',
  'Mcp-Session-Id',
].join(', ');

/** Status lines, ready made. */
const STATUS_LINES = new Map(Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`]));

// Each writeHeader call crosses into C++ with two strings, which costs more than the bytes. What is known beforehand is
// written as one value with its line breaks; nothing of a caller ever stands in it.
const CORS = `\r\nAccess-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: ${EXPOSED}`;
const TIER_HEADERS = Object.fromEntries(
  TIERS.map((tier) => [tier, tierHeader(tier, TIER_RULES[tier].requestsPerMinute)]),
) as Record<Tier, string>;

function tierHeader(tier: Tier, requestsPerMinute: number): string {
  return `${tier}\r\nX-Data-Delay: ${TIER_RULES[tier].delaySeconds}\r\nX-RateLimit-Limit: ${requestsPerMinute}`;
}

export function writeStatusAndHeaders(
  response: HttpResponse,
  status: number,
  requestId: string,
  { key, rate }: Admission,
): void {
  response.writeStatus(STATUS_LINES.get(status) ?? String(status));
  response.writeHeader('X-Request-Id', requestId + CORS);
  if (key !== undefined) response.writeHeader('X-Tier', keyHeader(key) + (rate === undefined ? '' : rateHeaders(rate)));
  else if (rate !== undefined) response.writeHeader('X-RateLimit-Limit', rate.limit + rateHeaders(rate));
}

function keyHeader({ tier, requestsPerMinute }: KeyRecord): string {
  if (requestsPerMinute === undefined) return TIER_HEADERS[tier];
  // Keys with a limit of their own are few, and one of them asks many times.
  if (own.tier !== tier || own.requestsPerMinute !== requestsPerMinute)
    own = { tier, requestsPerMinute, header: tierHeader(tier, requestsPerMinute) };
  return own.header;
}

let own = { tier: '', requestsPerMinute: Number.NaN, header: '' };

const rateHeaders = ({ remaining, resetUnixS }: RateState): string =>
  `\r\nX-RateLimit-Remaining: ${remaining}\r\nX-RateLimit-Reset: ${resetUnixS}`;

/** What a browser asks before it sends a request with headers of its own. */
export function writePreflightHeaders(response: HttpResponse): void {
  response.writeHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE, OPTIONS');
  response.writeHeader(
    'Access-Control-Allow-Headers',
    'X-API-Key, Authorization, Content-Type, Content-Encoding, If-None-Match, Last-Event-ID, ' +
      'Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
  );
  response.writeHeader('Access-Control-Max-Age', '86400');
}
