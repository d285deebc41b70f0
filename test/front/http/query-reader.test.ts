import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../../src/base/model/errors.js';
import { Type } from '../../../src/base/model/json-schema.js';
import { QueryReader } from '../../../src/front/http/query-reader.js';
import { readPairs, takeApiKey } from '../../../src/front/http/query-text.js';

const reader = new QueryReader(
  Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    offset: Type.Integer({ minimum: 0, default: 0 }),
    live: Type.Optional(Type.Boolean()),
    since: Type.Optional(Type.String({ format: 'date-time' })),
    event: Type.Optional(Type.Array(Type.String(), { maxItems: 3 })),
    min_odds: Type.Optional(Type.Number()),
    sort: Type.Optional(Type.Enum(['ev', '-ev'])),
    channel: Type.Optional(Type.Union([Type.Literal('odds'), Type.Literal('all')])),
    state: Type.Optional(Type.String({ pattern: '^[a-z]{2}$' })),
  }),
);

function refusal(text: string): string {
  try {
    reader.read(text);
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'invalid_request', String(error));
    return error.message;
  }
  return 'taken';
}

test('values out of type or range are refused, and the parameter is named', () => {
  assert.equal(refusal('limit=0'), 'limit must be >= 1');
  assert.equal(refusal('limit=201'), 'limit must be <= 200');
  assert.equal(refusal('limit=abc'), 'limit must be integer');
  assert.equal(refusal('limit=5.5'), 'limit must be integer');
  assert.equal(refusal('limit=1e2'), 'limit must be integer');
  assert.equal(refusal('limit=0x10'), 'limit must be integer');
  assert.equal(refusal('offset=-1'), 'offset must be >= 0');
  assert.equal(refusal('live=maybe'), 'live must be boolean');
  assert.equal(refusal('since=yesterday'), 'since must be an RFC 3339 time');
  assert.equal(refusal('since=2026-02-30T00:00:00Z'), 'since must be an RFC 3339 time');
  assert.equal(refusal('min_odds=NaN'), 'min_odds must be number');
  assert.equal(refusal('min_odds=Infinity'), 'min_odds must be number');
  assert.equal(refusal('sort=name'), 'sort must be one of ev, -ev');
  assert.equal(refusal('channel=x'), 'channel must be one of odds, all');
  assert.equal(refusal('event=a,b,c,d'), 'event must not have more than 3 items');
  assert.match(refusal('state=xyz'), /^state must match/);
  assert.equal(new QueryReader(Type.Object({ since: Type.String() })).read('since=x').query['since'], 'x');
  assert.throws(() => new QueryReader(Type.Object({ since: Type.String() })).read(''), /^ApiError: since is required$/);
});

test('values are read in the forms people send them', () => {
  const read = (text: string) => reader.read(text).query;
  assert.deepEqual(read(''), { limit: 50, offset: 0 });
  assert.deepEqual(read('limit=&live=&event='), { limit: 50, offset: 0 });
  assert.deepEqual(read('event=a%2Cb,,+c&live=1'), { limit: 50, offset: 0, event: ['a', 'b', 'c'], live: true });
  assert.equal(read('min_odds=+150')['min_odds'], 150);
  assert.equal(read('min_odds=%2B150')['min_odds'], 150);
  assert.equal(read('min_odds=-110.5')['min_odds'], -110.5);
  assert.equal(read('since=2026-11-20T18:00:00+01:00')['since'], '2026-11-20T18:00:00+01:00');
});

test('plural, singular and alternative names of a parameter mean the same, and their values are combined', () => {
  assert.deepEqual(reader.read('event_id=a&is_live=false&type=all').query, {
    limit: 50,
    offset: 0,
    event: ['a'],
    live: false,
    channel: 'all',
  });
  for (const name of ['event', 'events', 'event_id', 'event_ids', 'eventId', 'eventIds'])
    assert.deepEqual(reader.read(`${name}=a`).query['event'], ['a'], name);
  assert.deepEqual(reader.read('event=a&event_id=b').query['event'], ['a', 'b']);
  const named = new QueryReader(Type.Object({ event_id: Type.String() }));
  const { query, ignored } = named.read('eventIds=x&book=y');
  assert.deepEqual({ query, ignored }, { query: { event_id: 'x' }, ignored: ['book'] });
});

test('a list that is given several times means all its values; a parameter with one value is refused', () => {
  const lists = new QueryReader(
    Type.Object({
      league: Type.Optional(Type.String()),
      sort: Type.Optional(Type.String()),
      limit: Type.Optional(Type.Integer()),
    }),
  );
  assert.deepEqual(lists.read('league=nba&leagues=nfl,mlb&league=&league=nba').query, { league: 'nba,nfl,mlb,nba' });
  assert.deepEqual(lists.read('limit=2&limit=2').query, { limit: 2 });
  assert.throws(() => lists.read('limit=1&limit=2'), /^ApiError: limit is given several times$/);
  assert.throws(() => lists.read('sort=a&sort=b'), /^ApiError: sort is given several times$/);
  assert.deepEqual(reader.read('event=a,b&event=c').query['event'], ['a', 'b', 'c']);
});

test('a strict request may have no parameter that is not known', () => {
  assert.equal(
    refusal('strict=true&limit=1&leage=nba&foo=1'),
    'there is no parameter leage, foo here, and the request is strict',
  );
  assert.deepEqual(reader.read('strict=true&limit=1').query, { limit: 1, offset: 0 });
  assert.deepEqual(reader.read('strict=true&limit=1').ignored, []);
  assert.deepEqual(reader.read('strict=false&foo=1').ignored, ['foo']);
  assert.equal(refusal('strict=perhaps'), 'strict must be boolean');
  const one = new QueryReader(Type.Object({ event: Type.String() }));
  assert.throws(() => one.read('event=a&event=b'), /^ApiError: event is given several times$/);
});

test('unknown names are listed, at most twenty', () => {
  assert.deepEqual(reader.read('limit=1&foo=1&b%61r=2').ignored, ['foo', 'bar']);
  const many = Array.from({ length: 50 }, (_, i) => `n${i}=1`).join('&');
  assert.equal(reader.read(many).ignored.length, 20);
});

test('the same text gives the same result however many others came between, and it cannot be changed', () => {
  const first = reader.read('limit=77');
  // Cached from its second reading on.
  const second = reader.read('limit=77');
  assert.deepEqual(second, first);
  assert.equal(reader.read('limit=77'), second);
  for (let i = 0; i < 2000; i++) reader.read(`limit=77&n=${i}`);
  assert.deepEqual(reader.read('limit=77'), first);
  assert.ok(Object.isFrozen(first.query));
});

test('a key is cut from any query and nothing else is', () => {
  const name = fc.stringMatching(/^[a-z_%20]{0,4}$/).filter((text) => !/%(?!20)/.test(text));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.constantFrom('1', 'a%20b', ''))), fc.nat(10), (pairs, at) => {
      const plain = pairs.map(([n, v]) => `${n}=${v}`);
      const keyed = [...plain];
      keyed.splice(at, 0, 'api_k%65y=sk_live_x');
      assert.deepEqual(takeApiKey(keyed.join('&')), { text: plain.join('&'), apiKey: 'sk_live_x' });
    }),
  );
  assert.deepEqual(takeApiKey('a=1'), { text: 'a=1', apiKey: undefined });
  assert.deepEqual(takeApiKey('my_api_key=1'), { text: 'my_api_key=1', apiKey: undefined });
});

test('pairs parse what URLSearchParams writes', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ minLength: 1, unit: 'grapheme' }), fc.string({ unit: 'grapheme' })),
      (pairs) => {
        const list = Object.entries(pairs).filter(([n, v]) => !`${n}${v}`.includes('\0'));
        assert.deepEqual(readPairs(new URLSearchParams(list).toString()), list);
      },
    ),
  );
});

test('a cache key differs by tier, version and text', () => {
  const asked = [reader.read('limit=1'), reader.read('limit=2')];
  const keys = asked.flatMap((one) =>
    ['free', 'pro'].flatMap((tier) => [1, 2].map((version) => one.key(tier, version))),
  );
  assert.equal(new Set(keys).size, 8);
  assert.deepEqual(
    asked.flatMap((one) => ['free', 'pro'].flatMap((tier) => [1, 2].map((version) => one.key(tier, version)))),
    keys,
  );
});

test('a text that is remembered as it was sent has no key in it', () => {
  reader.read('limit=3');
  assert.equal(reader.remembered('limit=3'), undefined);
  const read = reader.read('limit=3');
  assert.equal(reader.remembered('limit=3'), read);
  assert.equal(reader.remembered('limit=3&api_key=x'), undefined);
});
