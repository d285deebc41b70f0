import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstRequest, HEAD_BYTES_MAX, HEADERS_MAX } from '../../../src/front/http/first-request.js';
import { ApiError } from '../../../src/model/errors.js';
import { rawExchange, running } from './harness.js';

const verdict = (text: string) => {
  const first = firstRequest(Buffer.from(text, 'latin1'));
  return first instanceof ApiError ? `${first.status} ${first.code}` : first;
};
const head = (...headers: string[]) => ['GET /x HTTP/1.1', 'Host: x', ...headers, '', ''].join('\r\n');
const many = (count: number) => Array.from({ length: count }, (_, no) => `A${no}: b`);

const SERVED = [
  head(),
  head('Accept:', 'X-Tab: a\tb', 'Accept-Language:   de  '),
  head(...many(HEADERS_MAX - 1)),
  head('Content-Length: 0'),
  head('Content-Length:', 'Transfer-Encoding:'),
  'BREW /pot HTTP/1.1\r\nhOST: x\r\n\r\n',
  `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
];
/** Other requests are served, or the server waits for the rest. */
const REFUSED: [text: string, verdict: string, ofUwebsockets?: 'page'][] = [
  ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', '400 invalid_request', 'page'],
  ['\0 \0 \0\r\n\r\n', '400 invalid_request', 'page'],
  ['\r\n\r\nGET / HTTP/1.1\r\n', '400 invalid_request'],
  ['GET /\r\n\r\n', '400 invalid_request'],
  ['hello world\r\n', '400 invalid_request', 'page'],
  ['hello world HTTP/9.9\r\n\r\n', '505 http_version_not_supported', 'page'],
  ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '505 http_version_not_supported', 'page'],
  ['GET / HTTP/1.2\r\nHost: x\r\n\r\n', '505 http_version_not_supported', 'page'],
  ['GET / HTTP/1.1\nHost: x\n\n', '400 invalid_request', 'page'],
  ['GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n', '400 invalid_request', 'page'],
  ['OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', '400 invalid_request', 'page'],
  ['GET / HTTP/1.1\r\n\r\n', '400 invalid_request'],
  [head('Host: y'), '400 invalid_request'],
  [head('no colon'), '400 invalid_request'],
  [head('A: b', ' folded: c'), '400 invalid_request'],
  [head('A: \x01'), '400 invalid_request'],
  [head('Content-Length: x'), '400 invalid_request', 'page'],
  [head('Content-Length: -1'), '400 invalid_request', 'page'],
  [head('Content-Length: 1', 'Transfer-Encoding: chunked'), '400 invalid_request', 'page'],
  [head(...many(HEADERS_MAX)), '431 headers_too_large', 'page'],
  [`${head().slice(0, -2)}${many(HEADERS_MAX + 5).join('\r\n')}`, '431 headers_too_large', 'page'],
  [head(`A: ${'y'.repeat(HEAD_BYTES_MAX)}`), '431 headers_too_large'],
  [`GET /${'x'.repeat(HEAD_BYTES_MAX)}`, '414 uri_too_long'],
];

test('a first request that uWebSockets would answer with a page of its own, or not at all, is refused with ours', async (t) => {
  const { port } = await running(t, []);
  for (const text of SERVED) assert.equal(verdict(text), 'http/1.1', text.slice(0, 80));
  for (const [text, expected] of REFUSED) assert.equal(verdict(text), expected, text.slice(0, 80));
  const ownPage = async (text: string) => /<\/i>/.test(await rawExchange(port, text, /<\/i>|\}\}$/));
  for (const text of SERVED) assert.equal(await ownPage(text), false, text.slice(0, 80));
  for (const [text, , page] of REFUSED)
    if (page !== undefined) assert.equal(await ownPage(text), true, text.slice(0, 80));
});

test('HTTP/1.0 is recognised by its first line', () => {
  assert.equal(verdict('GET / HTTP/1.0\r\n\r\n'), 'http/1.0');
  assert.equal(verdict('POST /api/v1/odds/batch?x= HTTP/1.0\r\nHost: y\r\n\r\n{}'), 'http/1.0');
  assert.equal(verdict('GET /HTTP/1.0 HTTP/1.1\r\nHost: y\r\n\r\n'), 'http/1.1');
});

test('every beginning of a valid request is incomplete, and no bytes make it throw', () => {
  for (const text of [...SERVED, 'GET / HTTP/1.0\r\nA: b\r\n\r\n'])
    for (let size = 1; size < text.length; size += size < 400 ? 1 : 997)
      assert.equal(verdict(text.slice(0, size)), 'incomplete', text.slice(0, size).slice(-80));
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
      const first = firstRequest(Buffer.from(bytes));
      assert.ok(first instanceof ApiError || ['incomplete', 'http/1.0', 'http/1.1'].includes(first));
    }),
  );
});
