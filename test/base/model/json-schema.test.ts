import assert from 'node:assert/strict';
import { test } from 'node:test';
import TypeBox from 'typebox';
import { Type } from '../../../src/base/model/json-schema.js';

/** Every function, with and without options, optional properties among required ones, and schemas used twice. */
function schemas(builder: typeof Type): object[] {
  const { Array: list, Boolean: truth, Enum, Integer, Literal, Null, Number: number, Optional } = builder;
  const { Object: object, Partial, Record, String: text, Union, Unknown } = builder;
  const name = text({ minLength: 1, examples: ['a'] });
  const whole = object(
    { name, nick: Optional(name), age: Integer({ minimum: 0 }), tall: Optional(truth()) },
    { description: 'a person', additionalProperties: false },
  );
  return [
    text(),
    number(),
    number({ maximum: 1 }),
    Integer(),
    truth({ description: 'yes or no' }),
    Null(),
    Unknown(),
    Unknown({ description: 'anything' }),
    Literal('a'),
    Literal(7, { description: 'seven' }),
    Literal(true),
    Enum(['a', 'b'], { default: 'a' }),
    Union([name, Null()], { description: 'where known' }),
    list(whole, { maxItems: 3 }),
    Record(text(), list(number()), { description: 'by name' }),
    object({}),
    object({ all: Optional(whole) }),
    object({ ...whole.properties, more: Unknown() }),
    Partial(whole),
    Partial(object({ name, inner: whole }), { description: 'some of it' }),
    whole,
  ];
}

test('the schemas are those that TypeBox makes, to the order of their keywords', () => {
  const ours = schemas(Type).map((schema) => JSON.stringify(schema));
  assert.deepEqual(
    ours,
    schemas(TypeBox).map((schema) => JSON.stringify(schema)),
  );
});
