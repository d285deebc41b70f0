// Writes the declarations of the client's types after a build: the schemas as plain TypeScript, with their descriptions.
// What tsc makes of src/client/types.ts would need typebox and the schemas' own declarations in the program that uses it.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { CLIENT_PARAMS, CLIENT_TYPES } from '../src/schema/client-types.js';

interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  patternProperties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  description?: string;
}

const NAMES = new Map<object, string>(Object.entries(CLIENT_TYPES).map(([name, schema]) => [schema, name]));

/** The whole file. Throws for a schema of a kind that is not known here. */
export function declarations(): string {
  const types = Object.entries(CLIENT_TYPES).map(([name, schema]) => declaration(name, schema as Schema));
  const params = Object.entries(CLIENT_PARAMS).map(([name, schema]) => paramsOf(name, schema as Schema));
  return `// Written by the build from the server's schemas.\n${[...types, ...params].join('\n')}`;
}

function declaration(name: string, schema: Schema): string {
  if (schema.properties === undefined) return `${comment(schema, '')}export type ${name} = ${typeOf(schema, '')};\n`;
  return `${comment(schema, '')}export interface ${name} ${objectOf(schema, '')}\n`;
}

/** Text may be a list; nothing is needed, and what is undefined is not sent. */
function paramsOf(name: string, { properties = {} }: Schema): string {
  const lines = Object.entries(properties).map(([field, schema]) => {
    const isText = schema.type === 'string' && schema.enum === undefined;
    const type = isText ? 'string | readonly string[]' : typeOf(schema, '  ').replace(/^(.*)\[\]$/, 'readonly $1[]');
    return `${comment(schema, '  ')}  ${field}?: ${type} | undefined;\n`;
  });
  return `export interface ${name} {\n${lines.join('')}}\n`;
}

function typeOf(schema: Schema, indent: string): string {
  const name = NAMES.get(schema);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map((one) => typeOf(one, indent)))].join(' | ');
  switch (schema.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
      return 'number';
    case 'array': {
      const item = typeOf(schema.items ?? {}, indent);
      return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      return schema.properties === undefined ? recordOf(schema, indent) : objectOf(schema, indent);
    case undefined:
      if (Object.keys(schema).every((keyword) => keyword === 'description')) return 'unknown';
  }
  throw new Error(`the client's types have no word for ${JSON.stringify(schema)}`);
}

function recordOf({ patternProperties = {}, additionalProperties }: Schema, indent: string): string {
  const value = Object.values(patternProperties)[0] ?? additionalProperties;
  return `{ [name: string]: ${typeof value === 'object' ? typeOf(value, indent) : 'unknown'} }`;
}

function objectOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema, inner)}${inner}${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)};\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}

function comment({ description }: Schema, indent: string): string {
  return description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(new URL('../src/client/types.d.ts', import.meta.url), declarations());
