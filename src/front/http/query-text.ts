// Query strings as text: bounds, percent-decoding, and removing the API key before anything else sees them.

import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';

const QUERY_CHARS_MAX = LIMITS.requestQuery.max;
const PATH_CHARS_MAX = LIMITS.requestPath.max;

/** Throws ApiError `uri_too_long`. */
export function checkPathLength(path: string): void {
  if (path.length > PATH_CHARS_MAX)
    throw new ApiError('uri_too_long', `the path is longer than ${PATH_CHARS_MAX} characters`);
}

export interface KeylessQuery {
  /** The query without `api_key` and `token`. */
  text: string;
  /** The last `api_key` or `token` given, decoded. */
  apiKey: string | undefined;
}

/** Throws ApiError `uri_too_long`, or `invalid_request` if a name or key cannot be decoded. */
export function takeApiKey(query: string): KeylessQuery {
  if (query.length > QUERY_CHARS_MAX) {
    throw new ApiError('uri_too_long', `the query is longer than ${QUERY_CHARS_MAX} characters`);
  }
  // A name may be percent-encoded, so only a query without % and the name is certainly free of it.
  if (!query.includes('%') && !query.includes('api_key') && !query.includes('token'))
    return { text: query, apiKey: undefined };
  let apiKey: string | undefined;
  const rest: string[] = [];
  for (const pair of query.split('&')) {
    const [name, value] = splitPair(pair);
    if (isKeyName(name.includes('%') ? decodePart(name) : name)) apiKey = decodePart(value);
    else rest.push(pair);
  }
  return { text: rest.join('&'), apiKey };
}

/** Synonyms: each accepts a key or a viewer token. */
function isKeyName(name: string): boolean {
  return name === 'api_key' || name === 'token';
}

/** Decoded names and values, as often as they occur. Throws ApiError `invalid_request`. */
export function readPairs(query: string): [name: string, value: string][] {
  const pairs: [name: string, value: string][] = [];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const [name, value] = splitPair(pair);
    pairs.push([decodePart(name), decodePart(value)]);
  }
  return pairs;
}

/** One part of a path or query, decoded. Throws ApiError `invalid_request` for broken percent-encoding or a NUL. */
export function decodePart(part: string, plusIsSpace = true): string {
  let decoded = plusIsSpace && part.includes('+') ? part.replaceAll('+', ' ') : part;
  if (part.includes('%')) {
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      throw new ApiError('invalid_request', 'the URL has broken percent-encoding');
    }
  }
  if (decoded.includes('\0')) throw new ApiError('invalid_request', 'the URL has a NUL character');
  return decoded;
}

function splitPair(pair: string): [name: string, value: string] {
  const equals = pair.indexOf('=');
  return equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
}
