// The OpenAPI 3.1 document, generated from the routes: the schemas that check requests and serialise answers. A route's
// tier, scope, status and errors become responses, headers and security.

import { compareText } from '../base/model/compare.js';
import { ERROR_STATUS, type ErrorCode } from '../base/model/errors.js';
import { LIMITS } from '../base/model/limits.js';
import { holdingOf, isFeature, RIGHT_TIERS, type Right, TIER_RULES } from '../rules/catalogue/tiers.js';
import { TIERS } from '../rules/catalogue/types.js';
import * as account from './account.js';
import * as alerts from './alerts.js';
import * as envelope from './envelope.js';
import { ApiErrorBody } from './envelope.js';
import * as events from './events.js';
import * as futures from './futures.js';
import * as gameState from './game-state.js';
import * as moves from './moves.js';
import * as oddsItems from './odds-items.js';
import { exampleOf, type JsonSchema } from './openapi-example.js';
import * as opportunities from './opportunities.js';
import * as opportunityItems from './opportunities-items.js';
import { LIST, WHOLE } from './parameters.js';
import * as reference from './reference.js';
import * as splits from './splits.js';

/** What the document needs of a route; front/http/context.ts has the rest of it. */
export interface DocumentedRoute {
  method: string;
  /** `/api/v1/events/:eventId/odds`. */
  path: string;
  auth: string;
  scope?: string;
  /** What its tier or features must include, else 403 `tier_restricted` or `forbidden`. */
  right?: Right;
  /** True if the key must be allowed to stream. */
  streaming?: true;
  query?: object;
  /** Path parameters; strings by default. */
  params?: object;
  body?: object;
  /** The error code of an invalid body; `invalid_request` by default. */
  bodyErrorCode?: 'bad_request';
  /** Media types of a body that the handler reads itself, as bytes. */
  rawBody?: readonly string[];
  /** The shape of a JSON body of `rawBody`. */
  rawBodySchema?: object;
  /** A body of `rawBody` that is not JSON. */
  rawBodyExample?: string;
  /** Request headers that the handler reads, lower case. */
  headers?: readonly string[];
  /** Of the JSON body of a success: for the documents and the MCP tools, not validated when answering. */
  response?: object;
  /** Status of a success; 200 by default. */
  status?: 201 | 204 | 302;
  /** Media types a success may have in addition to (or, without `response`, in place of) JSON. */
  produces?: readonly string[];
  /** Headers of a success in addition to those of every answer: name → description. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** Errors that the handler throws and that do not follow from the rest of the route. */
  errors?: readonly ErrorCode[];
  /** Omitted from the documents. */
  hidden?: true;
  /** One line. */
  summary?: string;
  /** The documents' sections. */
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
    const { description, [WHOLE]: whole, [LIST]: _list, ...own } = property;
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
  // What history answers: a server may keep none, and a tier sees only part of it.
  if (names.includes('include') || names.includes('at')) codes.add('not_found').add('tier_restricted');
  if (route.body !== undefined || route.rawBody !== undefined)
    codes.add('payload_too_large').add('unsupported_media_type').add('unavailable');
  if (route.bodyErrorCode !== undefined) codes.add(route.bodyErrorCode);
  for (const code of route.errors ?? []) codes.add(code);
  return codes;
}

// Named shapes of the documents: every exported schema with a description. They are found by identity in the answers
// that contain them, so that the documents refer to them instead of repeating them.

const MODULES = [
  envelope,
  reference,
  events,
  oddsItems,
  moves,
  opportunityItems,
  opportunities,
  splits,
  futures,
  gameState,
  account,
  alerts,
];

/** By name; values are the same objects as in the routes' schemas. */
function namedSchemas(): Map<string, JsonSchema> {
  const named = new Map<string, JsonSchema>();
  for (const module of MODULES)
    for (const [name, value] of Object.entries(module)) {
      const schema = value as JsonSchema;
      if (typeof value === 'object' && schema.type === 'object' && schema.description !== undefined)
        named.set(name, schema);
    }
  return named;
}

/** Replaces named schemas by references, at every depth. */
class References {
  readonly #names = new Map<JsonSchema, string>();
  readonly #used = new Set<string>();

  constructor() {
    for (const [name, schema] of namedSchemas()) this.#names.set(schema, name);
  }

  of(schema: JsonSchema): object {
    const name = this.#names.get(schema);
    if (name === undefined) return this.#inside(schema);
    this.#used.add(name);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The definitions of everything referred to. */
  components(): Record<string, object> {
    const components: Record<string, object> = {};
    for (let before = -1; before !== this.#used.size; ) {
      before = this.#used.size;
      for (const [schema, name] of this.#names)
        if (this.#used.has(name) && components[name] === undefined) components[name] = this.#inside(schema);
    }
    return Object.fromEntries(Object.entries(components).sort(([a], [b]) => compareText(a, b)));
  }

  #inside(value: unknown): object {
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, this.#value(item)]));
  }

  #value(value: unknown): unknown {
    return typeof value === 'object' && value !== null ? this.of(value) : value;
  }
}

// The parts of the OpenAPI document that are the same for every route.

function tierTable(): string {
  const rows = TIERS.map((tier) => {
    const { requestsPerMinute, delaySeconds, maxBooks, batchMax, features } = TIER_RULES[tier];
    const delay = delaySeconds === 0 ? 'real time' : `${delaySeconds} s`;
    return `| ${tier} | ${requestsPerMinute} | ${delay} | ${maxBooks ?? 'all'} | ${batchMax} | ${features.join(', ') || '-'} |`;
  });
  return [
    '| tier | requests/min | delay | books | batch | features |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

const INFO = {
  title: 'overround',
  version: '2.0.0',
  description: `Sports betting odds of many books: snapshots, best prices, comparisons, deltas, opportunities, splits, streams.

Every answer has \`success\`, \`data\` and \`updated_at\`, lists also \`pagination\` and \`meta\`. Errors have
\`error.code\` and \`error.message\`. Parameters an endpoint does not have change nothing and are listed in
\`meta.ignored\`; unknown sports, leagues and sportsbooks match nothing and are listed in \`meta.unknown\`.
A list may be separated by commas or given several times, and
go by its plural (\`leagues\`, \`eventIds\`) as by its singular; \`is_live\` is \`live\`. A value given twice where one is
taken is refused, and with \`strict=true\` so is a parameter nobody knows. All times are RFC 3339 in UTC.

An answer that looked at more than ${LIMITS.chargedRows.max.toLocaleString('en')} rows counts as one request more for each as many. Opportunities
with another \`devig\` or \`devig_book\`, or beyond the usual thresholds, are evaluated for the request: 50 rows for each price
that they are about, so filters by league and event make them cheap; a row of a batch
counts as many. \`X-RateLimit-Remaining\` shows what is left.

\`GET /tiers\` has all of this table, with the books, channels and other limits of each tier.

${tierTable()}`,
  license: { name: 'MIT', identifier: 'MIT' },
};

const ABOUT_TAGS = {
  odds: 'prices: pages, best, comparison, batch, changes',
  history: 'what prices did: changes, opening and closing prices',
  events: 'games, their markets and books',
  opportunities: '+EV, arbitrage, middles, low hold, moves',
  splits: 'where money and tickets go',
  futures: 'champions, awards, season totals',
  'game state': 'scores, periods, clocks',
  results: 'what became of games',
  'deep links': "to the sportsbook's page",
  stream: 'changes as they happen (server-sent events)',
  reference: 'sports, leagues, sportsbooks, market types, teams',
  account: 'the key, its use, the account and its keys',
  ingest: 'odds pushed in',
  service: 'health and these documents',
};

const TAGS = Object.entries(ABOUT_TAGS).map(([name, description]) => ({ name, description }));

const SECURITY_SCHEMES = {
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'checked first' },
  bearer: { type: 'http', scheme: 'bearer', description: 'used if X-API-Key is not sent' },
  apiKeyQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description:
      'for browsers that cannot set headers; token means the same. Web pages should use a viewer token instead of the key (POST /account/tokens)',
  },
};

/** Parameters of every request that returns data. */
const EVERYWHERE = [
  {
    name: 'strict',
    in: 'query',
    description:
      'true: an unknown parameter is refused (400) instead of listed in meta.ignored, and so is a name that means nothing (a sport, league, book or market type) instead of listed in meta.unknown',
    schema: { type: 'boolean', default: false },
  },
  {
    name: 'min_position',
    in: 'query',
    description:
      'the answer shows at least this position of the change log, as given by X-Position or the answer to an ingest; waits for it at most 2 seconds, without a key not at all, then 503 behind',
    schema: { type: 'integer', minimum: 0 },
  },
  {
    name: 'Prefer',
    in: 'header',
    description: 'handling=strict is the same as strict=true (RFC 7240)',
    schema: { type: 'string' },
  },
];

const KEYED = Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] }));

function securityOf(auth: string): object[] {
  if (auth === 'public' || auth === 'metered') return [];
  return auth === 'optional' || auth === 'probe' ? [{}, ...KEYED] : KEYED;
}

const integer = (description: string) => ({ description, schema: { type: 'integer' } });
const text = (description: string) => ({ description, schema: { type: 'string' } });

const HEADERS = {
  'X-Request-Id': text('id of this request, for questions about it'),
  'X-RateLimit-Limit': integer('requests a minute'),
  'X-RateLimit-Remaining': integer('requests left in this minute'),
  'X-RateLimit-Reset': integer('when the minute ends, Unix seconds'),
  'X-Data-Delay': integer('age of the odds in seconds; 0 is real time'),
  'X-Tier': text("the key's tier"),
  'X-Position': integer('position in the change log of what the answer shows'),
  ETag: text('of the content; send it back as If-None-Match; a whole answer (limit=all) has none'),
  'Retry-After': integer('seconds to wait before the next try'),
};

/** The headers of a successful answer. */
function headersOf({ auth }: { auth: string }, tagged: boolean): Record<string, object> {
  const counted = ['public', 'metered', 'probe'].includes(auth)
    ? []
    : ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
  const keyed = auth === 'required' ? ['X-Data-Delay', 'X-Tier', 'X-Position'] : [];
  const names = ['X-Request-Id', ...counted, ...keyed, ...(tagged ? ['ETag'] : [])];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
