// Callers' input other than messages: queries, cursors, tokens, messages on a WebSocket.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readViewerToken, signViewerToken, type Viewer } from '../../src/accounts/viewer-tokens.js';
import { type CursorKey, decodeCursor, encodeCursor } from '../../src/answers/cursor.js';
import { ApiError } from '../../src/base/model/errors.js';
import { Type } from '../../src/base/model/json-schema.js';
import { encode } from '../../src/base/wire/codec.js';
import { QueryReader } from '../../src/front/http/query-reader.js';
import { readPairs, takeApiKey } from '../../src/front/http/query-text.js';
import { checkClientMessage, idIn, parseClientMessage } from '../../src/front/ws/connection.js';
import { garbled, hostile, runs, spoilt, throwsOnly } from './hostile.js';

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && ['invalid_request', 'payload_too_large'].includes(error.code);

const QUERY = new QueryReader(
  Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    live: Type.Optional(Type.Boolean()),
    since: Type.Optional(Type.String({ format: 'date-time' })),
    event: Type.Optional(Type.Array(Type.String(), { maxItems: 3 })),
    min_odds: Type.Optional(Type.Number()),
    sort: Type.Optional(Type.Enum(['ev', '-ev'])),
  }),
);

test('a query is read within its schema or refused, and no key is left in its text', () => {
  const samples = [
    'limit=20&live=true&event=a,b&event=c&min_odds=-110',
    'since=2026-11-20T18%3A00%3A00Z&sort=-ev&api_key=k1',
  ];
  fc.assert(
    fc.property(garbled(samples.map((text) => Buffer.from(text))), (bytes) => {
      // As in a request line: one byte per character.
      const text = bytes.toString('latin1');
      throwsOnly(() => {
        readPairs(text);
        const { text: query } = takeApiKey(text);
        assert.ok(!readPairs(query).some(([name]) => name === 'api_key' || name === 'token'), query);
        const values = QUERY.read(query).query as { limit: number; event?: string[] };
        assert.ok(Number.isInteger(values.limit) && values.limit >= 1 && values.limit <= 200);
        assert.ok(values.event === undefined || values.event.length <= 3);
      }, isRefusal);
    }),
    { numRuns: runs(0.5) },
  );
});

test('a cursor is one of ours for the same filters, or refused', () => {
  const place: CursorKey = [1.95, 1_795_300_000_000, 'nba_a_b_2026-11-20', 'moneyline', -3.5, 'A', 'fanduel', '', '1'];
  const good = encodeCursor(place, 'leagues=nba');
  assert.deepEqual(decodeCursor(good, 'leagues=nba'), place);
  const digest = (JSON.parse(Buffer.from(good, 'base64url').toString()) as unknown[])[0];
  const anyText = fc.oneof(
    garbled([Buffer.from(good)]).map(String),
    spoilt([[digest, ...place]]).map((parts) => Buffer.from(JSON.stringify(parts) ?? '').toString('base64url')),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      throwsOnly(() => {
        const [sortKey, startMs, ...rest] = decodeCursor(text, 'leagues=nba');
        assert.ok(sortKey === null || ['number', 'string'].includes(typeof sortKey));
        assert.ok(typeof startMs === 'number' && rest.length === 7);
      }, isRefusal);
    }),
    { numRuns: runs(0.5) },
  );
  assert.throws(() => decodeCursor(good, 'leagues=nfl'), /other filters/);
});

test('a token that differs from the signed one in a single character is invalid', () => {
  const secret = Buffer.alloc(32, 7);
  const viewer: Viewer = {
    expiresAt: 1_795_300_000,
    channels: ['odds'],
    filters: { leagues: ['nba'] },
    origin: null,
  } as never;
  const token = signViewerToken(secret, 'key-1', viewer);
  assert.deepEqual(readViewerToken(secret, token)?.viewer, viewer);
  fc.assert(
    fc.property(garbled([Buffer.from(token)]), (bytes) => {
      const text = bytes.toString('latin1');
      const [body, signature = ''] = text.split('.', 2);
      const [ownBody, own = ''] = token.split('.', 2);
      // base64url can encode the same bytes in more than one way; the bytes count.
      const same =
        body === ownBody &&
        Buffer.from(text.slice(body!.length + 1), 'base64url').equals(Buffer.from(own, 'base64url'));
      assert.equal(readViewerToken(secret, text) !== undefined, same, `${text} ${signature}`);
    }),
    { numRuns: runs(0.5) },
  );
});

test('a message on a WebSocket is valid, or refused with an id that can be sent back', () => {
  const samples = [
    { type: 'subscribe', id: 1, channels: ['odds', 'ev'], filters: { leagues: ['nba'], sportsbooks: ['fanduel'] } },
    { type: 'unsubscribe', id: 'a', channels: ['odds'] },
    { type: 'ping', id: 7 },
  ];
  const check = (bytes: Uint8Array, isBinary: boolean): void =>
    throwsOnly(() => {
      const value = parseClientMessage(bytes, isBinary);
      const id = idIn(value);
      assert.ok(id === undefined || JSON.stringify({ id }).length < 1_000);
      const { type } = checkClientMessage(value);
      assert.ok(['subscribe', 'unsubscribe', 'ping'].includes(type));
    }, isRefusal);
  fc.assert(
    fc.property(fc.oneof(spoilt(samples), hostile), fc.boolean(), (value, isBinary) => {
      check(isBinary ? encode(value) : Buffer.from(JSON.stringify(value) ?? ''), isBinary);
    }),
    { numRuns: runs(0.5) },
  );
  const encoded = samples.flatMap((each) => [encode(each), Buffer.from(JSON.stringify(each))]);
  fc.assert(
    fc.property(garbled(encoded), fc.boolean(), (bytes, isBinary) => check(bytes, isBinary)),
    { numRuns: runs(0.5) },
  );
});
