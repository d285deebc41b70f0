// An example of a schema, made from the examples of its parts, so that the documents' examples are valid by
// construction.

/** The part of JSON Schema that our schemas use. */
export interface JsonSchema {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  patternProperties?: Readonly<Record<string, JsonSchema>>;
  items?: JsonSchema;
  default?: unknown;
  /** WHOLE and LIST of parameters.ts. */
  'x-whole'?: true;
  'x-list'?: true;
  examples?: readonly unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  required?: readonly string[];
  description?: string;
  additionalProperties?: boolean | JsonSchema;
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-11-20T18:00:00.123Z',
  date: '2026-11-20',
  uri: 'https://example.com/',
};

export function exampleOf(schema: JsonSchema): unknown {
  if (schema.examples !== undefined && schema.examples.length > 0) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0]!);
  switch (schema.type) {
    case 'object':
      return exampleObject(schema);
    case 'array':
      return schema.items === undefined ? [] : Array(schema.minItems ?? 1).fill(exampleOf(schema.items));
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return BY_FORMAT[schema.format ?? ''] ?? 'text';
  }
}

function exampleObject({ properties = {}, patternProperties = {}, required = [] }: JsonSchema): object {
  const example: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    // An optional property without an example mostly should not be in the example.
    if (required.includes(name) || !NOT_SHOWN.has(name)) example[name] = exampleOf(property);
  }
  const any = Object.values(patternProperties)[0];
  if (any !== undefined && Object.keys(any).length > 0) example[exampleKey(any)] = exampleOf(any);
  return example;
}

const NOT_SHOWN = new Set(['overflow', 'unknown', 'ignored', 'stale', 'three_way', 'next_cursor']);

/** Maps are keyed by event id if their values are objects, else by sportsbook id. */
function exampleKey(value: JsonSchema): string {
  return value.properties !== undefined && 'home_team' in value.properties
    ? 'nba_lakers_celtics_2026-11-20'
    : 'draftkings';
}
