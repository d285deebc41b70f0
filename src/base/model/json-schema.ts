// Builds the JSON Schemas of all requests and answers, typed by TypeBox. TypeBox's own builder makes the same schemas
// (a test compares them), but has 370 modules: a quarter of what a process loads at its start.
import type TypeBox from 'typebox';
import type { TSchema } from 'typebox';

type Builder = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Partial'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
>;

type Properties = Record<string, TSchema>;

/** Marks an optional property; not a part of the schema, so not shown. */
const OPTIONAL = '~optional';

const optional = (schema: TSchema): TSchema =>
  Object.defineProperty({ ...schema }, OPTIONAL, { value: true, enumerable: false });

const object = (properties: Properties, options?: object): TSchema => {
  const required = Object.keys(properties).filter((name) => !Object.hasOwn(properties[name]!, OPTIONAL));
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
};

const partial = (schema: TSchema, options?: object): TSchema => {
  const properties = Object.entries((schema as TSchema & { properties: Properties }).properties);
  return object(Object.fromEntries(properties.map(([name, property]) => [name, optional(property)])), options);
};

const builder = {
  Array: (items: TSchema, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options?: object) => ({ enum: values, ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Literal: (value: string | number | boolean, options?: object) => ({ type: typeof value, const: value, ...options }),
  Null: (options?: object) => ({ type: 'null', ...options }),
  Number: (options?: object) => ({ type: 'number', ...options }),
  Object: object,
  Optional: optional,
  Partial: partial,
  /** With any property names. */
  Record: (_names: TSchema, values: TSchema, options?: object) => ({
    type: 'object',
    patternProperties: { '^.*$': values },
    ...options,
  }),
  String: (options?: object) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly TSchema[], options?: object) => ({ anyOf, ...options }),
  Unknown: (options?: object) => ({ ...options }),
};

/**
 * `Type` of TypeBox, as far as it is used here: the same functions, types and schemas, without its internal kind
 * markers.
 */
export const Type = builder as unknown as Builder;

/** The shape, or null. */
export const orNull = <Shape extends TSchema>(shape: Shape, description?: string) =>
  Type.Union([shape, Type.Null()], description === undefined ? {} : { description });
export const numberOrNull = (description: string) => orNull(Type.Number(), description);
