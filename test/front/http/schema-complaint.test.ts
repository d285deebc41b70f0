import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Check } from 'typebox/schema';
import { Type } from '../../../src/base/model/json-schema.js';
import { schemaComplaint } from '../../../src/front/http/schema-complaint.js';

const names = Type.Array(Type.String({ maxLength: 3 }), { minItems: 1, maxItems: 5 });
const schema = Type.Object(
  {
    bets: Type.Array(Type.Object({ at: Type.String({ format: 'date-time' }), line: Type.Optional(Type.Number()) }), {
      maxItems: 3,
    }),
    filters: Type.Optional(Type.Record(Type.String(), Type.Union([names, Type.String()]))),
    kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    side: Type.Optional(Type.Enum(['over', 'under'])),
    speed: Type.Optional(Type.Union([Type.Number({ maximum: 10 }), Type.Literal('max')])),
  },
  { additionalProperties: false },
);
const bet = { at: '2026-11-20T18:00:00Z' };

test('the sentence names the path of the first error, and its reason', () => {
  const cases: [value: unknown, sentence: RegExp][] = [
    [[], /^the body must be object$/],
    [{}, /^bets is required$/],
    [{ bets: [bet, {}] }, /^bets\.1\.at is required$/],
    [{ bets: [bet, { at: 'noon' }, 7] }, /^bets\.1\.at must be an RFC 3339 time$/],
    [{ bets: [bet, 7] }, /^bets\.1 must be object$/],
    [{ bets: [7, 7, 7, 7] }, /^bets must not have more than 3 items$/],
    [
      { bets: [], filters: { league: ['nba', 'toolong'] } },
      /^filters\.league\.1 must not have more than 3 characters$/,
    ],
    [{ bets: [], filters: { league: Array(6).fill('nba') } }, /^filters\.league must not have more than 5 items$/],
    [{ bets: [], filters: { league: 7 } }, /^filters\.league must be of another type or range$/],
    [{ bets: [], kind: 'c' }, /^kind must be one of a, b$/],
    [{ bets: [], speed: 11 }, /^speed must be <= 10 or max$/],
    [{ bets: [], speed: 'fast' }, /^speed must be number or max$/],
    [{ bets: [], side: 'c' }, /^side must be one of over, under$/],
    [{ bets: [], more: 1 }, /^more is unknown$/],
  ];
  for (const [value, sentence] of cases) assert.match(schemaComplaint(schema, value, 'the body'), sentence);
});

test('nothing after the first error is looked at', () => {
  const trap = new Proxy(
    {},
    {
      get: () => assert.fail('looked at'),
      has: () => assert.fail('looked at'),
      ownKeys: () => assert.fail('looked at'),
    },
  );
  assert.match(
    schemaComplaint(schema, { bets: [{ at: 7, line: trap }, trap] }, 'the body'),
    /^bets\.0\.at must be string/,
  );
});

test('every value that the schema refuses has a sentence', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.constantFrom('bets', 'filters', 'kind'), (first, second, name) => {
      const value = { bets: [bet, first], [name]: second };
      if (!Check(schema, value)) assert.notEqual(schemaComplaint(schema, value, 'the body'), 'the body is not valid');
    }),
  );
});
