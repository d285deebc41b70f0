// The Model Context Protocol over streamable HTTP: the way of a request from our front through the SDK to the tools and back. Each request has a
// server object of its own, as the SDK requires, and nothing of it outlives the answer; answers are single JSON bodies.

import type { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { RateLimiter } from '../../accounts/rate-limit.js';
import type { SharedCounts } from '../../accounts/shared-counts.js';
import type { Clock } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import { parseJson, REQUEST_BOUNDS } from '../../base/wire/untrusted.js';
import { requestsPerMinuteOf } from '../../rules/catalogue/tiers.js';
import { rateLimited } from '../http/admission.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { mcpSdk } from './sdk.js';
import { Sessions } from './sessions.js';
import type { ToolEntry } from './tool-entry.js';
import { type Ask, Tools } from './tools.js';

export interface McpDeps {
  clock: Clock;
  /** The program's release. */
  version: string;
  /** The address the server listens on. */
  host: string;
  /** As the setting: a proxy is before it. */
  trustProxy: boolean;
  sessions?: Sessions;
  /** The counts of other processes for the same keys. */
  sharedCounts?: SharedCounts | undefined;
  /** The built-in table by default. */
  tools?: readonly ToolEntry[];
}

/** Messages other than tool calls that a key may send per minute, if its tier allows fewer requests. */
const OTHER_MESSAGES_PER_MINUTE = LIMITS.mcpMessages.max;

/** Headers of a request that the SDK and this endpoint use. */
const MCP_HEADERS = [
  'accept',
  'content-type',
  'host',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'origin',
  'x-forwarded-host',
] as const;

const INSTRUCTIONS = [
  'Sports betting odds of many sportsbooks, live. Ids of sports, leagues, sportsbooks and market types come from get_sports,',
  'get_leagues, get_sportsbooks and get_markets; event ids from get_events. Lists are comma-separated. Every call is one',
  "request of the key's minute; books, delay and opportunities are those of its tier (get_account_info). Of every tool,",
  'sport, league, sportsbook (default all of the tier), event and team (id, alias or words of the name) are such lists,',
  'market too: types, the groups main, spread, total, props, or h2h, spreads, totals, btts. live: true in play, false before.',
].join(' ');

type Sdk = ReturnType<typeof mcpSdk>;
type Context = RequestContext<unknown, Uint8Array | undefined>;

class McpEndpoint {
  readonly #deps: McpDeps;
  readonly #tools: Tools;
  readonly #sessions: Sessions;
  readonly #others: RateLimiter;
  #stateless: ReturnType<typeof createMcpHandler> | undefined;

  constructor(deps: McpDeps, routes: readonly Route[]) {
    this.#deps = deps;
    this.#tools = new Tools(deps.clock, routes, deps.tools);
    this.#sessions = deps.sessions ?? new Sessions(deps.clock);
    this.#others = new RateLimiter({ clock: deps.clock, shared: deps.sharedCounts, kind: 'messages' });
  }

  async post(context: Context): Promise<void> {
    this.#checkOrigin(context);
    const messages = readMessages(context.body ?? new Uint8Array(0));
    if ('failure' in messages) {
      context.sendJson(messages.failure, 400);
      return;
    }
    const sdk = mcpSdk();
    await this.#countOthers(context, sdk, messages.all);
    const { body, errors } = withoutMalformed(sdk, messages.body);
    if (body === undefined) {
      if (errors.length === 0) context.sendEmpty(202);
      else context.sendJson(Array.isArray(messages.body) ? errors : errors[0]);
      return;
    }
    const request = new Request('http://mcp/mcp', { method: 'POST', headers: requestHeaders(context) });
    const ask: Ask = (route, queryText, sent) => context.ask(route, queryText, sent);
    const options = {
      parsedBody: body,
      authInfo: { token: '', clientId: context.requireKey().id, scopes: [], extra: { ask } },
    };
    if (!(await sdk.isLegacyRequest(request, body))) {
      this.#stateless ??= sdk.createMcpHandler(({ authInfo }) => this.#server(sdk, authInfo?.extra?.['ask'] as Ask), {
        legacy: 'reject',
        // The tools never change, so there is nothing to subscribe to.
        maxSubscriptions: 0,
      });
      await relay(context, await this.#stateless.fetch(request, options));
      return;
    }
    if (!this.#checkSession(context)) return;
    const server = this.#server(sdk, ask);
    try {
      const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      await server.connect(transport);
      const response = await transport.handleRequest(request, options);
      if (response.ok && sdk.isInitializeRequest(body)) {
        context.setHeader('Mcp-Session-Id', this.#sessions.open(context.requireKey().id));
      }
      await relay(context, response, Array.isArray(body) ? errors : undefined);
    } finally {
      await server.close();
    }
  }

  /** Ends a session. */
  async delete(context: Context): Promise<void> {
    this.#checkOrigin(context);
    const id = context.header('mcp-session-id');
    if (id === '') throw new ApiError('invalid_request', 'the header Mcp-Session-Id is needed');
    if (await this.#sessions.end(id, context.requireKey().id)) context.sendEmpty(204);
    else sendNoSession(context);
  }

  #server(sdk: Sdk, ask: Ask): Server {
    const server = new sdk.Server(
      { name: 'overround', title: 'overround', version: this.#deps.version },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    );
    server.setRequestHandler('tools/list', () => ({ tools: this.#tools.listing }));
    server.setRequestHandler('tools/call', ({ params }) => this.#tools.call(params.name, params.arguments ?? {}, ask));
    return server;
  }

  #checkOrigin(context: Context): void {
    const requested = { host: context.header('host'), forwardedHost: context.header('x-forwarded-host') };
    if (!originAllowed(context.header('origin'), requested, this.#deps)) {
      throw new ApiError('forbidden', 'pages of this origin may not use the server');
    }
  }

  /**
   * Calls are counted where they are answered, among the key's requests; everything else is counted here, separately.
   */
  async #countOthers(context: Context, sdk: Sdk, messages: readonly RawMessage[]): Promise<void> {
    const key = context.requireKey();
    const limit = Math.max(OTHER_MESSAGES_PER_MINUTE, requestsPerMinuteOf(key));
    for (const message of messages) {
      const isCall = message.method === 'tools/call' && this.#tools.has(message.params?.name);
      if (isCall && malformed(sdk, message) === undefined) continue;
      const waits = this.#others.ready(key.account, limit);
      if (waits !== null) await waits;
      const rate = this.#others.take(key.account, limit);
      if (!rate.allowed) throw rateLimited(rate);
    }
  }

  /**
   * False, and answered, if the request names a session that is over. A request without a session is handled by itself.
   */
  #checkSession(context: Context): boolean {
    const id = context.header('mcp-session-id');
    if (id === '' || this.#sessions.use(id, context.requireKey().id)) return true;
    sendNoSession(context);
    return false;
  }
}

/** What the parameters of each method must be. The SDK answers others with an internal error and its validator's words. */
const PARAMETERS = {
  initialize: ['InitializeRequest', 'protocolVersion (text), capabilities (object) and clientInfo {name, version}'],
  'tools/call': ['CallToolRequest', 'name (text) and, if there are any, arguments (object)'],
  'tools/list': ['ListToolsRequest', 'none, or cursor (text)'],
} as const;

/** The messages whose parameters are what their method takes, undefined if there is none, and the errors of the others. */
function withoutMalformed(sdk: Sdk, body: unknown): { body: unknown; errors: object[] } {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  const sound = messages.filter((message) => malformed(sdk, message) === undefined);
  const errors = messages.flatMap((message) => malformed(sdk, message) ?? []);
  if (sound.length === 0) return { body: undefined, errors };
  return { body: Array.isArray(body) ? sound : body, errors };
}

function malformed({ isSpecType }: Sdk, message: unknown): object | undefined {
  const { method, id } = message as { method?: unknown; id?: unknown };
  if (typeof method !== 'string' || !Object.hasOwn(PARAMETERS, method)) return undefined;
  const [type, expected] = PARAMETERS[method as keyof typeof PARAMETERS];
  if (isSpecType[type](message)) return undefined;
  return rpcError(RPC.invalidParams, `the parameters of ${method} must be: ${expected}`, undefined, id);
}

function sendNoSession(context: Context): void {
  context.sendJson(rpcError(RPC.noSession, 'there is no such session: initialize again'), 404);
}

function requestHeaders(context: Context): Headers {
  const headers = new Headers();
  for (const name of MCP_HEADERS) {
    const value = context.header(name);
    if (value !== '') headers.set(name, value);
  }
  // We only answer JSON, which a client accepts that accepts anything, or does not say.
  const accept = context.header('accept');
  if (accept === '' || accept.includes('*/*')) headers.set('accept', 'application/json, text/event-stream');
  return headers;
}

/** @param errors of a batch: those of its messages that the SDK was not given */
async function relay(context: Context, response: Response, errors?: readonly object[]): Promise<void> {
  if (response.body === null) {
    if (errors === undefined || errors.length === 0) context.sendEmpty(response.status);
    else context.sendJson(errors);
    return;
  }
  const contentType = response.headers.get('content-type') ?? '';
  if (!contentType.startsWith('application/json')) {
    await response.body.cancel();
    throw new Error(`the SDK answers ${contentType}`);
  }
  const text = await response.text();
  // The SDK answers a batch of one like a single message.
  const answers = errors && response.ok ? JSON.stringify([JSON.parse(text), errors].flat()) : text;
  context.sendBuffer(response.status, contentType, Buffer.from(answers));
}

// Which web pages may call the server: a page of another site that resolves its own name to this machine (DNS
// rebinding) must not reach what listens for this machine alone.

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

interface RequestedHost {
  /** The request's Host. */
  host: string;
  /** X-Forwarded-Host, of a proxy before the server; empty if there is none. */
  forwardedHost: string;
}

interface Exposure {
  /** The address the server listens on. */
  host: string;
  /** A proxy is before it, and its headers are believed: what it serves is meant for others than this machine. */
  trustProxy: boolean;
}

/**
 * True for callers that are not pages (no Origin header), pages of this machine and, if the server is there for more
 * than this machine, pages of the same host as requested.
 */
function originAllowed(origin: string, requested: RequestedHost, exposure: Exposure): boolean {
  if (origin === '') return true;
  const page = URL.canParse(origin) ? new URL(origin) : undefined;
  if (page === undefined || !['http:', 'https:'].includes(page.protocol)) return false;
  if (isLoopback(page.hostname)) return true;
  if (page.host === '' || (isLoopback(exposure.host) && !exposure.trustProxy)) return false;
  const forwarded = exposure.trustProxy ? requested.forwardedHost.split(',')[0]!.trim() : '';
  return page.host === (forwarded || requested.host).toLowerCase();
}

// The JSON-RPC messages of a request's body, parsed once: bounded in values and number, and examined as far as necessary
// to count them.

/** Maximum messages of one body (revision 2025-03-26 has batches). */
const BATCH_MAX = LIMITS.mcpBatch.max;

interface Messages {
  /** The input of the SDK. */
  body: unknown;
  all: readonly RawMessage[];
}

/** `failure` is the JSON-RPC error to answer with. */
function readMessages(bytes: Uint8Array): Messages | { failure: object } {
  let body: unknown;
  try {
    body = parseJson(bytes, REQUEST_BOUNDS);
  } catch (error) {
    return { failure: rpcError(RPC.parse, `the body ${error instanceof Error ? error.message : 'is not JSON'}`) };
  }
  if (Array.isArray(body)) return readBatch(body);
  return isMessage(body) ? { body, all: [body] } : refuse(NO_MESSAGE);
}

const NO_MESSAGE = 'the body is no JSON-RPC 2.0 message';

function refuse(message: string): { failure: object } {
  return { failure: rpcError(RPC.invalidRequest, message) };
}

function readBatch(batch: readonly unknown[]): Messages | { failure: object } {
  if (batch.length === 0) return refuse('the batch is empty');
  if (batch.length > BATCH_MAX) return refuse(`the batch has more than ${BATCH_MAX} messages`);
  if (!batch.every(isMessage)) return refuse(NO_MESSAGE);
  const ids = batch.flatMap(({ method, id }) => (method === undefined ? [] : (id ?? [])));
  // Answers are identified by their ids, and a missing one would be waited for.
  if (new Set(ids).size < ids.length) return refuse('messages of the batch have the same id');
  // Could only mean a call of this same batch, which would then never be answered.
  return { body: batch.filter(({ method }) => method !== 'notifications/cancelled'), all: batch };
}

interface RawMessage {
  jsonrpc: '2.0';
  id?: unknown;
  method?: unknown;
  params?: { name?: unknown } | null;
}

function isMessage(value: unknown): value is RawMessage {
  return typeof value === 'object' && value !== null && (value as Partial<RawMessage>).jsonrpc === '2.0';
}

/**
 * POST /mcp and DELETE /mcp. There is no GET: the server sends nothing unsolicited, which the protocol expresses by 405.
 * @param routes those that answer the tools. Throws if one is missing
 */
export function mcpRoutes(deps: McpDeps, routes: readonly Route[]): Route[] {
  const endpoint = new McpEndpoint(deps, routes);
  const common = {
    path: '/mcp',
    auth: 'uncounted',
    headers: MCP_HEADERS,
    errorBody: rpcErrorOf,
    hidden: true,
  } as const;
  return [
    route({
      ...common,
      method: 'POST',
      rawBody: ['application/json'],
      handler: (context) => endpoint.post(context),
    }),
    route({ ...common, method: 'DELETE', handler: (context) => endpoint.delete(context) }),
  ];
}

// Errors of the MCP endpoint in the form of JSON-RPC. Errors of tool calls are results instead (tools.ts).

const RPC = {
  parse: -32_700,
  invalidRequest: -32_600,
  invalidParams: -32_602,
  internal: -32_603,
  /** The range for a server's own errors; `data.code` says which. */
  refused: -32_000,
  noSession: -32_001,
} as const;

/** @param id of the request, as it was sent */
function rpcError(code: number, message: string, data?: object, id: unknown = null): object {
  return {
    jsonrpc: '2.0',
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    error: { code, message, ...(data === undefined ? {} : { data }) },
  };
}

/** An ApiError, with the error of the REST body as `data`. */
function rpcErrorOf(error: ApiError): object {
  const code =
    error.code === 'invalid_request'
      ? RPC.invalidRequest
      : error.code === 'internal_error'
        ? RPC.internal
        : RPC.refused;
  return rpcError(code, error.message, error.toBody().error);
}
