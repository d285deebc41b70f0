// Classifies the first bytes of a connection: a request of HTTP/1.0 or 1.1, an incomplete one, or one that uWebSockets
// would refuse with a page of its own, which has neither our error body nor an id: those are refused before it.

import { ApiError } from '../../model/errors.js';
import { LIMITS } from '../../model/limits.js';

/** Request line and headers of a connection's first request; a URL may have 24 KiB of it. */
export const HEAD_BYTES_MAX = LIMITS.requestHead.max;
/** The maximum of uWebSockets. */
export const HEADERS_MAX = LIMITS.requestHeaders.max;

export type FirstRequest = 'http/1.1' | 'http/1.0' | 'incomplete' | ApiError;

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]";
const METHOD_BEGUN = new RegExp(`^${TOKEN}{1,32}( |$)`);
const REQUEST_LINE = new RegExp(`^${TOKEN}{1,32} ([^\\x00-\\x20]+) HTTP/(\\d)\\.(\\d)$`);
/** A name, a colon, and anything but control characters. */
const HEADER = new RegExp(`^${TOKEN}+:[^\\x00-\\x08\\x0a-\\x1f]*$`);
const TLS_HANDSHAKE = 0x16;

/** @param bytes what has arrived so far; the first HEAD_BYTES_MAX are enough */
export function firstRequest(bytes: Buffer): FirstRequest {
  if (bytes[0] === TLS_HANDSHAKE) return noHttp('this port speaks HTTP without TLS');
  const text = bytes.toString('latin1', 0, Math.min(bytes.length, HEAD_BYTES_MAX));
  const whole = text.length < HEAD_BYTES_MAX;
  const lineEnd = text.indexOf('\n');
  if (lineEnd === -1) {
    if (!METHOD_BEGUN.test(text.slice(0, 33))) return noHttp('this is not HTTP');
    return whole ? 'incomplete' : new ApiError('uri_too_long', `the address is longer than ${HEAD_BYTES_MAX} bytes`);
  }
  const line = REQUEST_LINE.exec(text.slice(0, text[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd));
  if (line === null) return noHttp('the first line is not METHOD address HTTP/1.1');
  const version = `${line[2]}.${line[3]}`;
  if (version !== '1.1' && version !== '1.0')
    return new ApiError('http_version_not_supported', `HTTP/${version} is not spoken here: use HTTP/1.1`);
  if (text[lineEnd - 1] !== '\r') return noHttp('lines end with CR and LF');
  const headEnd = text.indexOf('\r\n\r\n', lineEnd - 1);
  const lines = text
    .slice(lineEnd + 1, headEnd === -1 ? undefined : Math.max(headEnd, lineEnd + 1))
    .split('\r\n', HEADERS_MAX + 2);
  // The last one may be incomplete.
  if ((headEnd === -1 ? lines.length - 1 : lines.length) > HEADERS_MAX)
    return new ApiError('headers_too_large', `there are more than ${HEADERS_MAX} headers`);
  if (headEnd === -1) {
    if (whole) return 'incomplete';
    return new ApiError('headers_too_large', `request line and headers are longer than ${HEAD_BYTES_MAX} bytes`);
  }
  // Node's own server reads the rest, and reports what is wrong with it.
  if (version === '1.0') return 'http/1.0';
  if (line[1]![0] !== '/') return noHttp('the address must begin with /');
  return complaint(lines) ?? 'http/1.1';
}

function complaint(lines: readonly string[]): ApiError | undefined {
  let hosts = 0;
  let chunked = false;
  let length: string | undefined;
  for (const header of lines) {
    if (!HEADER.test(header)) {
      if (header === '' && lines.length === 1) break;
      return noHttp('a header is not name: value');
    }
    const colon = header.indexOf(':');
    // Longer names are none of these.
    if (colon > 17) continue;
    const name = header.slice(0, colon).toLowerCase();
    if (name === 'host') hosts++;
    else if (name === 'transfer-encoding') chunked ||= header.slice(colon + 1).trim() !== '';
    else if (name === 'content-length') length ??= header.slice(colon + 1).trim() || undefined;
  }
  if (hosts !== 1) return noHttp(hosts === 0 ? 'the header Host is missing' : 'there are several headers Host');
  if (length === undefined) return undefined;
  if (chunked) return noHttp('Content-Length and Transfer-Encoding contradict each other');
  return /^\d{1,18}$/.test(length) ? undefined : noHttp('Content-Length is no length');
}

function noHttp(message: string): ApiError {
  return new ApiError('invalid_request', message);
}
