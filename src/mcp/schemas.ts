// A tool's schemas, made from those of its route.
import type { Route } from '../front/http/context.js';

/** A JSON schema of an object, as tools/list shows it. */
export interface ObjectSchema {
  type: 'object';
  properties?: Record<string, object>;
  required?: string[];
  [keyword: string]: unknown;
}

interface Parameter {
  default?: unknown;
}

/** The route's parameters without those hidden; what has a default need not be given. */
export function inputSchema(route: Route, hidden: readonly string[]): ObjectSchema {
  const { properties = {}, required = [] } = plain<ObjectSchema>(route.query ?? {});
  const shown = Object.entries(properties).filter(([name]) => !hidden.includes(name));
  const needed = required.filter((name) => (properties[name] as Parameter).default === undefined);
  return {
    type: 'object',
    properties: Object.fromEntries(shown),
    ...(needed.length > 0 ? { required: needed } : {}),
  };
}

/**
 * The route's body, or the error's: clients check the structured content of failed calls, too.
 */
export function outputSchema(route: Route): ObjectSchema {
  if (route.response === undefined) throw new Error(`${route.path} has no schema of its answer`);
  const { properties, required, ...rest } = plain<ObjectSchema>(route.response);
  if (rest.type !== 'object' || properties === undefined) throw new Error(`${route.path} does not answer an object`);
  return {
    ...rest,
    properties: { ...properties, error: ERROR },
    anyOf: [{ required: required ?? [] }, { required: ['error'] }],
  };
}

const ERROR = {
  type: 'object',
  description: 'in place of all else where the call failed',
  properties: {
    code: { type: 'string', description: 'invalid_request, tier_restricted, forbidden, not_found, rate_limited, …' },
    message: { type: 'string' },
    retryAfter: { type: 'number', description: 'seconds to wait' },
    tier: { type: 'string', description: 'the tier that would do' },
  },
  required: ['code', 'message'],
};

/** A schema without what TypeBox keeps in it for itself. */
function plain<T>(schema: object): T {
  return JSON.parse(JSON.stringify(schema)) as T;
}
