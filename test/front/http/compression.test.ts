// Compressed answers: what is sent for which Accept-Encoding, and that it is the plain answer, byte by byte.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, constants, deflateRawSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { acceptedCoding, PackedAnswer } from '../../../src/front/http/answer-packer.js';
import { LAKERS, moneyline } from '../api/serving.js';
import { api, fillWorld } from '../api.js';

const decoders = { gzip: gunzipSync, br: brotliDecompressSync } as const;

test('Accept-Encoding: weights, any coding, and clients that would rather have the answer as it is', () => {
  const cases: [string, 'br' | 'gzip' | undefined][] = [
    ['', undefined],
    ['gzip, deflate, br', 'br'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['gzip ; q=0', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['gzip;q=high', undefined],
    ['deflate', undefined],
    [`${'a,'.repeat(200)}gzip`, undefined],
  ];
  for (const [header, coding] of cases) assert.equal(acceptedCoding(header), coding, header);
});

test('a packed answer with any end is what was packed, followed by that end', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 3_000 }),
      fc.array(fc.uint8Array({ minLength: 90, maxLength: 90 }), { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      (body, tails, ends) => {
        const tail = ends ? 90 : 0;
        const packed = {
          gzip: deflateRawSync(body, { finishFlush: constants.Z_SYNC_FLUSH }),
          br: brotliCompressSync(body, { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
        };
        for (const coding of ['gzip', 'br'] as const) {
          const answer = new PackedAnswer(coding, body, packed[coding], tail);
          for (const end of tails) {
            const whole = Buffer.concat([body, end.subarray(0, tail)]);
            assert.deepEqual(decoders[coding](answer.with(end.subarray(0, tail))), whole);
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});

interface Raw {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** As sent: fetch would accept and decode by itself. */
function raw(url: string, headers: Record<string, string>, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

test('a page is the same however it is sent, is compressed once, and its tags are told apart', async (t) => {
  const made = await api(t);
  await fillWorld(made);
  const key = made.key('pro');
  const get = (coding: string, headers: Record<string, string> = {}, method = 'GET') =>
    raw(
      `${made.url}/api/v1/odds`,
      { 'x-api-key': key, ...(coding === '' ? {} : { 'accept-encoding': coding }), ...headers },
      method,
    );
  const isWhole = async (coding: 'gzip' | 'br'): Promise<void> => {
    const [plain, packed] = [await get(''), await get(coding)];
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(packed.headers['content-encoding'], coding);
    assert.deepEqual(decoders[coding](packed.body), plain.body);
    assert.ok(packed.body.length * 2 < plain.body.length);
    assert.equal(packed.headers['etag'], String(plain.headers['etag']).replace(/"$/, `-${coding}"`));
    for (const name of ['vary', 'cache-control', 'content-type', 'x-position', 'x-tier'])
      assert.equal(packed.headers[name], plain.headers[name], name);
    assert.match(String(plain.headers['vary']), /Accept-Encoding/);
  };
  for (const coding of ['gzip', 'br'] as const) {
    await isWhole(coding);
    made.clock.set(made.clock.now() + 1_234);
    await isWhole(coding);
    await made.ingest({
      book: 'fanduel',
      events: [{ event_id: LAKERS, markets: [moneyline(-141 - coding.length, 120)] }],
    });
    await isWhole(coding);
    const all = await Promise.all(Array.from({ length: 20 }, () => get(coding)));
    const bodies = new Set(all.map(({ body }) => decoders[coding](body).toString()));
    assert.deepEqual([...bodies], [(await get('')).body.toString()]);
  }
  const etag = String((await get('')).headers['etag']);
  const zipped = String((await get('gzip')).headers['etag']);
  const sent: [string, string, number, string][] = [
    ['gzip', zipped, 304, zipped],
    ['gzip', etag, 304, etag],
    ['', etag, 304, etag],
    ['', zipped, 200, etag],
    ['br', zipped, 200, zipped.replace('gzip', 'br')],
  ];
  for (const [coding, held, status, tag] of sent) {
    const answer = await get(coding, { 'if-none-match': held });
    assert.deepEqual([answer.status, answer.headers['etag']], [status, tag], `${coding} ${held}`);
    assert.equal(answer.body.length === 0, status === 304);
    assert.match(String(answer.headers['vary']), /Accept-Encoding/);
  }
  const [head, whole] = [await get('gzip', {}, 'HEAD'), await get('gzip')];
  for (const name of ['content-length', 'content-encoding', 'etag'])
    assert.equal(head.headers[name], whole.headers[name], name);
  assert.equal(head.body.length, 0);
});

test('lists, tables, documents and files are compressed as well; a short answer is not', async (t) => {
  const made = await api(t);
  await fillWorld(made);
  const key = made.key('enterprise');
  for (const path of [
    '/api/v1/odds?format=csv',
    '/api/v1/sportsbooks',
    '/api/v1/openapi.json',
    '/docs/api/swagger-ui.css',
    '/metrics',
  ])
    for (const coding of ['gzip', 'br'] as const) {
      const [plain, packed] = [
        await raw(made.url + path, { 'x-api-key': key }),
        await raw(made.url + path, { 'x-api-key': key, 'accept-encoding': coding }),
      ];
      assert.equal(packed.headers['content-encoding'], coding, path);
      if (path === '/metrics') assert.match(decoders[coding](packed.body).toString(), /^# HELP/);
      else assert.deepEqual(decoders[coding](packed.body), plain.body, path);
      assert.match(String(plain.headers['vary']), /Accept-Encoding/, path);
    }
  const short = await raw(`${made.url}/healthz`, { 'accept-encoding': 'gzip, br' });
  assert.deepEqual([short.status, short.headers['content-encoding']], [200, undefined]);
});
