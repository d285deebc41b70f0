// What is wrong with a value, as one sentence for the caller: only the first error, and without looking at what comes
// after it, so that a value full of errors costs no more than one with a single error at its end.

import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Compile, Errors, type Validator } from 'typebox/schema';
import { isMap } from '../../base/model/json-map.js';

interface SchemaShape {
  required?: readonly string[];
  properties?: Readonly<Record<string, TSchema>>;
  patternProperties?: Readonly<Record<string, TSchema>>;
  items?: TSchema;
  minItems?: number;
  maxItems?: number;
  anyOf?: readonly (TSchema & { type?: string; const?: unknown })[];
}

/** Of the parts of schemas: a whole is checked by its own validator before a complaint is needed. */
const validators = new WeakMap<TSchema, Validator>();

function isValid(schema: TSchema, value: unknown): boolean {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  return validator.Check(value);
}

/**
 * Of a value that its schema refuses.
 * @param what the whole that was validated ("the query", "the body"), for errors that name no part of it
 */
export function schemaComplaint(schema: TSchema, value: unknown, what: string): string {
  const path: string[] = [];
  schema = branchOf(schema, value);
  for (let part = firstInvalid(schema, value); part !== undefined; part = firstInvalid(schema, value)) {
    path.push(part.name);
    value = part.value;
    schema = branchOf(part.schema, value);
  }
  const missing = isMap(value)
    ? (schema as SchemaShape).required?.find((name) => !Object.hasOwn(value, name))
    : undefined;
  if (missing !== undefined) return `${[...path, missing].join('.')} is required`;
  return sentence(path, what, Errors(wholeSchema(schema, value), value)[1]);
}

/** Of a union without literals, the only branch for values of this type: it says more than the union. */
function branchOf(schema: TSchema, value: unknown): TSchema {
  const { anyOf = [] } = schema as SchemaShape;
  if (anyOf.some((branch) => branch.const !== undefined)) return schema;
  const type = Array.isArray(value) ? 'array' : typeof value;
  const branches = anyOf.filter((branch) => branch.type === type);
  return branches.length === 1 ? branches[0]! : schema;
}

interface Part {
  name: string;
  schema: TSchema;
  value: unknown;
}

/** The first part with an error of its own, if the whole has none before: what is missing, or too few or many items. */
function firstInvalid(schema: TSchema, value: unknown): Part | undefined {
  const { items, properties, patternProperties, required = [] } = schema as SchemaShape;
  if (Array.isArray(value)) {
    if (items === undefined || hasWrongLength(schema, value)) return undefined;
    const at = value.findIndex((item) => !isValid(items, item));
    return at === -1 ? undefined : { name: String(at), schema: items, value: value[at] };
  }
  if (!isMap(value) || required.some((name) => !Object.hasOwn(value, name))) return undefined;
  for (const [name, member] of Object.entries(properties ?? {}))
    if (Object.hasOwn(value, name) && !isValid(member, value[name]))
      return { name, schema: member, value: value[name] };
  // Record(): any name.
  const member = Object.values(patternProperties ?? {})[0];
  if (member === undefined) return undefined;
  const name = Object.keys(value).find((each) => !isValid(member, value[each]));
  return name === undefined ? undefined : { name, schema: member, value: value[name] };
}

function hasWrongLength(schema: TSchema, value: readonly unknown[]): boolean {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema as SchemaShape;
  return value.length < minItems || value.length > maxItems;
}

/** For a list of the wrong length without a look at its items. */
function wholeSchema(schema: TSchema, value: unknown): TSchema {
  if (!Array.isArray(value) || !hasWrongLength(schema, value)) return schema;
  const { items: _items, ...whole } = schema as SchemaShape;
  return whole;
}

function sentence(path: readonly string[], what: string, errors: readonly TLocalizedValidationError[]): string {
  // A failed union lists every branch first and itself last: only the last is useful.
  const first = errors.find((error) => error.keyword === 'anyOf') ?? errors[0];
  const at = [...path, ...(first?.instancePath.split('/').slice(1) ?? [])];
  const part = at.length === 0 ? what : at.join('.');
  if (first === undefined) return `${part} is not valid`;
  switch (first.keyword) {
    case 'enum':
      return `${part} must be one of ${first.params.allowedValues.join(', ')}`;
    // A member beside the known ones, in an object that takes no others.
    case 'boolean':
      return `${part} is unknown`;
    case 'anyOf':
      return `${part} must be ${anyOf(errors)}`;
    case 'format':
      return `${part} must be ${first.params.format === 'date-time' ? 'an RFC 3339 time' : `a ${first.params.format}`}`;
    default:
      return `${part} ${first.message}`;
  }
}

function anyOf(errors: readonly TLocalizedValidationError[]): string {
  const own = errors.filter(({ instancePath, keyword }) => instancePath === '' && keyword !== 'anyOf');
  const words = new Map(
    own.flatMap(({ keyword, schemaPath, params }) => (keyword === 'const' ? [[schemaPath, params.allowedValue]] : [])),
  );
  if (words.size === 0) return 'of another type or range';
  const others = own
    .filter(({ schemaPath }) => !words.has(schemaPath))
    .map(({ message }) => message.replace(/^must be /, ''));
  return others.length === 0 ? `one of ${[...words.values()].join(', ')}` : [...others, ...words.values()].join(' or ');
}
