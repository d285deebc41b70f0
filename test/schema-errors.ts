// Validation errors of a value against a schema. Each schema is compiled once, on first use.
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';

const validators = new WeakMap<TSchema, Validator>();

/** Empty if there are none. */
export function schemaErrors(schema: TSchema, value: unknown): object[] {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator.Check(value) ? [] : validator.Errors(value)[1];
}
