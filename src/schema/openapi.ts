// The OpenAPI 3.1 document, generated from the routes: the schemas that check requests and serialise answers. A route's
// tier, scope, status and errors become responses, headers and security.

import { compareText } from '../base/model/compare.js';
import { ERROR_STATUS, type ErrorCode } from '../base/model/errors.js';
import { holdingOf, isFeature, RIGHT_TIERS, type Right } from '../rules/catalogue/tiers.js';
import { ApiErrorBody } from './error.js';
import { References } from './openapi-components.js';
import { exampleOf, type JsonSchema } from './openapi-example.js';
import { EVERYWHERE, HEADERS, headersOf, INFO, SECURITY_SCHEMES, securityOf, TAGS } from './openapi-parts.js';
import { WHOLE } from './parameters.js';

/** What the document needs of a route. */
export interface DocumentedRoute {
  method: string;
  path: string;
  auth: string;
  scope?: string;
  right?: Right;
  streaming?: true;
  query?: object;
  params?: object;
  body?: object;
  rawBody?: readonly string[];
  rawBodySchema?: object;
  rawBodyExample?: string;
  bodyErrorCode?: ErrorCode;
  headers?: readonly string[];
  response?: object;
  produces?: readonly string[];
  responseHeaders?: Readonly<Record<string, string>>;
  status?: number;
  errors?: readonly ErrorCode[];
  hidden?: true;
  summary?: string;
  tags?: readonly string[];
}

export const API_ROOT = '/api/v1';

export function openApiDocument(routes: readonly DocumentedRoute[], examples = USUAL_EXAMPLES): object {
  const references = new References();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    if (route.hidden || !route.path.startsWith(`${API_ROOT}/`)) continue;
    const path = route.path.slice(API_ROOT.length).replaceAll(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operation(route, references, examples);
  }
  const schemas = { ...references.components(), Error: ApiErrorBody };
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: API_ROOT }],
    tags: TAGS,
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => compareText(a, b))),
    components: { schemas, headers: HEADERS, securitySchemes: SECURITY_SCHEMES },
  };
}

function operation(route: DocumentedRoute, references: References, examples: Examples): object {
  const parameters = [
    ...pathParameters(route, examples),
    ...queryParameters(route, examples),
    ...headerParameters(route),
    ...(route.method !== 'GET' || route.auth === 'public' || route.streaming ? [] : EVERYWHERE),
  ];
  const body = requestBody(route, references);
  return {
    operationId: operationId(route),
    summary: route.summary ?? route.path,
    description: requirements(route),
    tags: route.tags ?? [],
    security: securityOf(route.auth),
    ...(route.right === undefined ? {} : { 'x-min-tier': RIGHT_TIERS[route.right] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responses(route, references),
  };
}

/** `getEventsEventIdOdds`. */
function operationId({ method, path }: DocumentedRoute): string {
  const words = path.slice(API_ROOT.length).match(/[A-Za-z]+/g) ?? [];
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

function requirements({ auth, right, scope, streaming }: DocumentedRoute): string {
  const needs = [
    ...(auth === 'public' ? ['No key needed.'] : []),
    ...(auth === 'metered' ? ['No key needed; an address has 120 requests a minute.'] : []),
    ...(auth === 'probe'
      ? ['Without a key an address has 10 requests a minute; the server itself is not limited.']
      : []),
    ...(auth === 'optional' ? ["A key gives the tier's limit; without one an address has 10 requests a minute."] : []),
    ...(right === undefined ? [] : [`Tier ${RIGHT_TIERS[right]} or higher.`]),
    ...(right !== undefined && holdingOf(RIGHT_TIERS[right], right) === 'add-on' ? [`The feature ${right}.`] : []),
    ...(streaming ? ['A paid tier with the streaming add-on.'] : []),
    ...(scope === undefined ? [] : [`A key with the scope ${scope}.`]),
  ];
  return needs.length > 0 ? needs.join(' ') : 'All tiers.';
}

/**
 * Example values that make a request worth trying, by parameter; events, futures and times as in the server's table.
 */
export interface Examples {
  event: string;
  future_id: string;
  since: string;
}

const USUAL_EXAMPLES: Examples = {
  event: 'nba_lakers_celtics_2026-11-20',
  future_id: 'nba_championship_winner',
  since: '2026-11-20T18:00:00Z',
};

/** Only required parameters and the sport are filled in: each further filter leaves fewer rows to see. */
function exampleFor(name: string, examples: Examples, required: boolean): unknown {
  if (name === 'sport') return 'basketball';
  if (!required) return undefined;
  const { event, future_id, since } = examples;
  const needed = {
    event,
    event_id: event,
    eventId: event,
    sportId: 'basketball',
    bookId: 'draftkings',
    future_id,
    since,
  };
  return (needed as Record<string, string>)[name];
}

function pathParameters({ path, params }: DocumentedRoute, examples: Examples): object[] {
  const known = (params as JsonSchema | undefined)?.properties ?? {};
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => {
    const schema = known[name!] ?? { type: 'string' };
    const example = schema.examples?.[0] ?? exampleFor(name!, examples, true);
    return { name, in: 'path', required: true, schema, ...(example === undefined ? {} : { example }) };
  });
}

function queryParameters({ query, path }: DocumentedRoute, examples: Examples): object[] {
  const { properties = {}, required = [] } = (query ?? {}) as JsonSchema;
  // Opportunities are few: there may be none of one sport.
  const few = path.startsWith(`${API_ROOT}/opportunities/`);
  return Object.entries(properties).map(([name, property]) => {
    const { description, [WHOLE]: whole, ...own } = property;
    const schema = whole === undefined ? own : wholeSchema(own);
    return {
      name,
      in: 'query',
      // A parameter with a default always has a value once parsed, and so is never missing.
      required: required.includes(name) && schema.default === undefined,
      ...(description === undefined ? {} : { description }),
      ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
      schema,
      ...queryExample(few ? undefined : exampleFor(name, examples, required.includes(name)), schema),
    };
  });
}

/** A number of rows, or all. */
function wholeSchema({ default: fallback, ...schema }: JsonSchema): JsonSchema {
  return { anyOf: [schema, { const: 'all' }], default: fallback };
}

function queryExample(example: unknown, schema: JsonSchema): object {
  return example === undefined || schema.type === 'array' || schema.default !== undefined ? {} : { example };
}

const HEADER_PARAMETERS: Readonly<Record<string, object>> = {
  'if-none-match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETag of a previous answer: 304 if it is still current',
    schema: { type: 'string' },
  },
  'last-event-id': {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'id of the last event received, on a reconnect',
    schema: { type: 'string' },
  },
};

function headerParameters({ headers = [] }: DocumentedRoute): object[] {
  return headers.flatMap((name) => HEADER_PARAMETERS[name] ?? []);
}

function requestBody(route: DocumentedRoute, references: References): object | undefined {
  if (route.body !== undefined) {
    const schema = route.body as JsonSchema;
    const content = { 'application/json': { schema: references.of(schema), example: exampleOf(schema) } };
    return { required: (schema.required ?? []).length > 0, content };
  }
  if (route.rawBody === undefined) return undefined;
  const content = route.rawBody.map((type) => {
    if (type !== 'application/json')
      return [type, { schema: { type: 'string' }, ...(route.rawBodyExample && { example: route.rawBodyExample }) }];
    const schema = (route.rawBodySchema ?? {}) as JsonSchema;
    return [type, { schema: references.of(schema), example: exampleOf(schema) }];
  });
  return { required: true, content: Object.fromEntries(content) };
}

function responses(route: DocumentedRoute, references: References): object {
  const answers: Record<string, object> = { [String(route.status ?? 200)]: success(route, references) };
  if (route.headers?.includes('if-none-match'))
    answers['304'] = { description: 'the content of the ETag is still current', headers: headersOf(route, true) };
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodes(route)) {
    const status = ERROR_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) answers[status] = failure(status, codes);
  // A redirect has no success response of its own: what else may come is an error.
  if (route.status === 302) answers['default'] = failure(500, ['internal_error']);
  return answers;
}

/** Responses other than JSON: a media type of its own, with `format=csv` or as a stream. */
const TEXTS: Readonly<Record<string, object>> = {
  'text/csv': {
    schema: { type: 'string', description: 'with format=csv: a header line, then one line a row (RFC 4180)' },
    example: 'id,event_id,sportsbook\r\n4611686018427387904,nba_lakers_celtics_2026-11-20,draftkings\r\n',
  },
  'application/x-ndjson': {
    schema: { type: 'string', description: 'with format=ndjson: an item of `data` in JSON on each line' },
    example: '{"event_id":"nba_lakers_celtics_2026-11-20"}\n',
  },
};

function success(route: DocumentedRoute, references: References): object {
  const content: Record<string, object> = {};
  if (route.response !== undefined) {
    const schema = route.response as JsonSchema;
    content['application/json'] = { schema: references.of(schema), example: exampleOf(schema) };
  }
  for (const type of route.produces ?? []) content[type] = TEXTS[type] ?? { schema: { type: 'string' } };
  const own = Object.entries(route.responseHeaders ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return {
    description: route.summary ?? 'success',
    headers: { ...headersOf(route, route.headers?.includes('if-none-match') ?? false), ...Object.fromEntries(own) },
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

function failure(status: number, codes: readonly ErrorCode[]): object {
  const schema = { $ref: '#/components/schemas/Error' };
  const example = { error: { code: codes[0], message: 'what is wrong' } };
  const retry = status === 429 || status >= 500;
  return {
    description: codes.join(', '),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      ...(retry ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } : {}),
    },
    content: { 'application/json': { schema, example } },
  };
}

/** The errors of a route: those it names, and those that follow from its requirements. */
function errorCodes(route: DocumentedRoute): Set<ErrorCode> {
  const codes = new Set<ErrorCode>(['invalid_request', 'uri_too_long', 'internal_error']);
  const names = [route.query, route.body].flatMap((schema) => Object.keys((schema as JsonSchema)?.properties ?? {}));
  if (route.auth !== 'public') codes.add('unauthorized').add('rate_limited');
  if (route.right !== undefined || names.includes('sportsbook')) codes.add('tier_restricted');
  if ((route.right !== undefined && isFeature(route.right)) || route.scope !== undefined) codes.add('forbidden');
  if (route.streaming) codes.add('tier_restricted').add('forbidden').add('stream_limit_exceeded');
  if (route.path.includes('/:')) codes.add('not_found');
  if (route.body !== undefined || route.rawBody !== undefined)
    codes.add('payload_too_large').add('unsupported_media_type').add('unavailable');
  if (route.bodyErrorCode !== undefined) codes.add(route.bodyErrorCode);
  for (const code of route.errors ?? []) codes.add(code);
  return codes;
}
