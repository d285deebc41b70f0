// The official clients, of both generations, against a server of ours.

import type { TestContext } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export const INFO = { name: 'test', version: '1.0.0' };

export interface Result {
  isError?: boolean | undefined;
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
}

/** What the generations have in common. */
export interface AnyClient {
  listTools(): Promise<{ tools: ListedTool[] }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

export interface ListedTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: { properties?: Record<string, unknown> | undefined; required?: string[] | undefined };
  outputSchema?: Record<string, unknown> | undefined;
}

/** `sessions`: revision 2025-11-25 of the first client; `stateless`: revision 2026-07-28 of the second. */
export const GENERATIONS = ['sessions', 'stateless'] as const;
export type Generation = (typeof GENERATIONS)[number];

/** A connected client; closed after the test. */
export async function connect(
  t: TestContext,
  url: string,
  key: string | undefined,
  generation: Generation = 'stateless',
): Promise<AnyClient> {
  const address = new URL(`${url}/mcp`);
  const requestInit = { headers: key === undefined ? {} : { 'x-api-key': key } };
  if (generation === 'sessions') {
    const client = new FirstClient(INFO);
    // The first SDK's own types don't agree under exactOptionalPropertyTypes.
    await client.connect(new FirstTransport(address, { requestInit }) as never);
    t.after(() => client.close());
    return client as AnyClient;
  }
  const client = new Client(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
  t.after(() => client.close());
  return client as AnyClient;
}

export async function call(client: AnyClient, name: string, args: Record<string, unknown> = {}): Promise<Result> {
  return (await client.callTool({ name, arguments: args })) as Result;
}

/** One JSON-RPC exchange without a client. */
export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

let lastId = 0;

export const request = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: ++lastId, method, params });

export const initialize = (protocolVersion = '2025-11-25') =>
  request('initialize', { protocolVersion, capabilities: {}, clientInfo: INFO });

export const toolCall = (name: string, args: object = {}) => request('tools/call', { name, arguments: args });

/** The envelope a request of revision 2026-07-28 carries. */
export const envelope = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': INFO,
  },
};
