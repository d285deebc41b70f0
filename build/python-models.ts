// Schemas of the OpenAPI document as Python: answers as rows with attributes, requests as typed dictionaries.

export interface Schema {
  $ref?: string;
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
  format?: string;
  default?: unknown;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Names that say more than those of the document, or than what a part's place would give. */
const RENAMED: Readonly<Record<string, string>> = {
  Odds: 'OddsRow',
  ArbitrageOpportunityLeg: 'ArbitrageLeg',
  MiddleOpportunitySide1: 'MiddleSide',
  LowHoldOpportunitySide1: 'LowHoldSide',
  ArbitrageOpportunityException: 'ResultException',
  ArbitrageLegCommission: 'Commission',
};

const WORDS = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield None True False'.split(
    ' ',
  ),
);

/** A word of Python gets an underscore behind it. */
export const pythonName = (name: string): string => (WORDS.has(name) ? `${name}_` : name);
/** What dictionaries have already: such a field is an item only. */
const TAKEN = new Set('clear copy fromkeys get items keys pop popitem setdefault update values'.split(' '));

interface Nested {
  form: 'one' | 'list' | 'map' | 'lists';
  kind: string;
}

export class Models {
  readonly #document: Document;
  /** Name → declaration, in the order in which they may be executed. */
  readonly #rows = new Map<string, string>();
  readonly #requests = new Map<string, string>();
  /** Equal shapes have one name. */
  readonly #known = new Map<string, string>();

  constructor(document: Document) {
    this.#document = document;
    for (const name of Object.keys(document.components.schemas))
      if (name !== 'Error') this.row({ $ref: `#/components/schemas/${name}` }, name);
  }

  get rowNames(): string[] {
    return [...this.#rows.keys()];
  }

  get requestNames(): string[] {
    return [...this.#requests.keys()];
  }

  resolved(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    return this.#document.components.schemas[schema.$ref.split('/').at(-1)!]!;
  }

  text(): string {
    return `"""The shapes of answers and requests. Made from the server's OpenAPI document: npm run python."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, Union

from .rows import Row

${[...this.#rows.values(), ...this.#requests.values()].join('\n\n')}`;
  }

  /** The type of an answer's object; `name` where the document has none. */
  row(given: Schema, name: string): string {
    const named = given.$ref?.split('/').at(-1) ?? name;
    const called = RENAMED[named] ?? named;
    const schema = this.resolved(given);
    if (this.#rows.has(called)) return called;
    const { description: _, ...shape } = schema;
    const key = JSON.stringify(shape);
    const same = this.#known.get(key);
    if (same !== undefined && given.$ref === undefined) return same;
    this.#known.set(key, called);
    const nested = new Map<string, Nested>();
    const times: string[] = [];
    const fields = Object.entries(schema.properties ?? {}).map(([field, each]) => {
      const type = this.#answer(each, `${called}${camel(field)}`, (found) => nested.set(field, found));
      if (isTime(this.#some(each))) times.push(field);
      if (TAKEN.has(field)) return undefined;
      const needed = schema.required?.includes(field) || type.startsWith('Optional[') || type === 'Any';
      return `    ${pythonName(field)}: ${needed ? type : `Optional[${type}]`}\n${doc(each.description, '    ')}`;
    });
    const parts = [...nested].map(([field, { form, kind }]) => `        "${field}": ("${form}", ${kind}),\n`);
    const about = doc(schema.description, '    ');
    this.#rows.set(
      called,
      `class ${called}(Row):\n${about === '' ? '' : `${about}\n`}${fields.filter((each) => each !== undefined).join('')}${
        parts.length === 0 ? '' : `\n    _nested = {\n${parts.join('')}    }\n`
      }${times.length === 0 ? '' : `    _times = (${times.map((time) => `"${time}",`).join(' ')})\n`}`,
    );
    return called;
  }

  /** The type of what a field of an answer holds; `found` is told of rows in it. */
  #answer(given: Schema, name: string, found: (nested: Nested) => void): string {
    const schema = this.resolved(given);
    if (schema.anyOf !== undefined) {
      const types = schema.anyOf.map((each, i) => this.#answer(each, i === 0 ? name : `${name}${i + 1}`, found));
      return union(types);
    }
    if (schema.type === 'array') {
      const items = this.#some(schema.items ?? {});
      if (items.properties === undefined) return `List[${this.#answer(schema.items ?? {}, name, () => undefined)}]`;
      const kind = this.row(this.#somePart(schema.items!), singular(name));
      found({ form: 'list', kind });
      return `List[${kind}]`;
    }
    if (schema.properties !== undefined) {
      const kind = this.row(given, name);
      found({ form: 'one', kind });
      return kind;
    }
    if (schema.type === 'object') {
      const value = mapValue(schema);
      if (value === undefined) return 'Dict[str, Any]';
      const inner = this.resolved(value);
      if (inner.properties !== undefined) {
        const kind = this.row(value, singular(name));
        found({ form: 'map', kind });
        return `Dict[str, ${kind}]`;
      }
      if (inner.type === 'array' && this.resolved(inner.items ?? {}).properties !== undefined) {
        const kind = this.row(inner.items!, singular(name));
        found({ form: 'lists', kind });
        return `Dict[str, List[${kind}]]`;
      }
      return `Dict[str, ${this.#answer(value, name, () => undefined)}]`;
    }
    return plain(schema);
  }

  /** The type of a request's part. */
  request(given: Schema, name: string): string {
    const schema = this.resolved(given);
    if (schema.anyOf !== undefined) return union(schema.anyOf.map((each) => this.request(each, name)));
    if (schema.type === 'array') return `Sequence[${this.request(schema.items ?? {}, singular(name))}]`;
    if (schema.properties !== undefined) {
      if (this.#requests.has(name)) return name;
      const fields = Object.entries(schema.properties).map(([field, each]) => {
        const needed = schema.required?.includes(field) ? 'Needed. ' : '';
        const type = this.request(each, `${name}${camel(field)}`);
        return `        "${field}": ${type},${comment(`${needed}${each.description ?? ''}`)}\n`;
      });
      if (this.#rows.has(name)) throw new Error(`${name} is an answer and a request`);
      const about = schema.description === undefined ? '' : `# ${oneLine(schema.description)}\n`;
      this.#requests.set(
        name,
        `${about}${name} = TypedDict(\n    "${name}",\n    {\n${fields.join('')}    },\n    total=False,\n)\n`,
      );
      return name;
    }
    if (schema.type === 'object') return 'Mapping[str, Any]';
    return plain(schema);
  }

  /** Without what may be null. */
  #some(given: Schema): Schema {
    return this.resolved(this.#somePart(given));
  }

  #somePart(given: Schema): Schema {
    const parts = this.resolved(given).anyOf?.filter(({ type }) => type !== 'null');
    return parts === undefined ? given : this.#somePart(parts[0]!);
  }
}

function mapValue({ patternProperties = {}, additionalProperties }: Schema): Schema | undefined {
  const value = Object.values(patternProperties)[0] ?? additionalProperties;
  return typeof value === 'object' && Object.keys(value).length > 0 ? value : undefined;
}

function isTime({ format }: Schema): boolean {
  return format === 'date-time';
}

export function plain(schema: Schema): string {
  if (schema.const !== undefined) return literal([schema.const]);
  if (schema.enum !== undefined) return literal(schema.enum);
  switch (schema.type) {
    case 'string':
      return 'str';
    case 'number':
      return 'float';
    case 'integer':
      return 'int';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
  }
  return 'Any';
}

function literal(values: readonly unknown[]): string {
  const told = values.map((value) => (value === true ? 'True' : value === false ? 'False' : JSON.stringify(value)));
  return `Literal[${told.join(', ')}]`;
}

function union(types: readonly string[]): string {
  // A union of a union is one.
  const all = new Set(
    types.flatMap((type) => (/^Optional\[(.*)\]$/.exec(type) ? [type.slice(9, -1), 'None'] : [type])),
  );
  const some = [...all].filter((type) => type !== 'None');
  const one = some.length === 1 ? some[0]! : `Union[${some.join(', ')}]`;
  return all.has('None') ? `Optional[${one}]` : one;
}

export function camel(name: string): string {
  return name.replaceAll(/(?:^|_|(?<=[a-z])(?=[A-Z]))(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** As a string of its own below what it is about; a sentence that is too long is broken. */
export function doc(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return '';
  const safe = oneLine(text).replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ');
  return `${indent}"""${folded(safe, indent)}"""\n`;
}

/** Lines of at most about 120 characters. */
export function folded(text: string, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' '))
    if (line.length + word.length + indent.length > 118 && line !== '') {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  return [...lines, line].join(`\n${indent}`);
}

function comment(text: string): string {
  const line = oneLine(text);
  return line === '' ? '' : `  # ${line}`;
}
