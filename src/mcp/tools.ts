// The tools made ready: each entry of the table with its route's schemas, and a call answered by that route.
import { type CallToolResult, ProtocolError, ProtocolErrorCode, type Tool } from '@modelcontextprotocol/server';
import { ApiError } from '../errors.js';
import type { Answer, Route } from '../front/http/context.js';
import { queryTextOf } from './arguments.js';
import { readable } from './readable.js';
import { inputSchema, outputSchema } from './schemas.js';
import { HIDDEN, TOOLS, type ToolEntry } from './tool-table.js';

/** Asks a route as the caller: RequestContext's own. */
export type Ask = (route: Route, queryText: string) => Promise<Answer>;

export class Tools {
  /** As tools/list shows them. */
  readonly listing: Tool[];
  readonly #routes = new Map<string, { entry: ToolEntry; route: Route }>();

  /** Throws where a tool's route, or the schema of its answer, is missing. */
  constructor(routes: readonly Route[]) {
    for (const entry of TOOLS) {
      const path = `/api/v1${entry.path}`;
      const route = routes.find((candidate) => candidate.method === 'GET' && candidate.path === path);
      if (route === undefined) throw new Error(`the tool ${entry.name} has no route: GET ${path}`);
      this.#routes.set(entry.name, { entry, route });
    }
    this.listing = [...this.#routes.values()].map(({ entry, route }) => ({
      name: entry.name,
      title: entry.title,
      description: entry.description,
      inputSchema: inputSchema(route, HIDDEN) as Tool['inputSchema'],
      outputSchema: outputSchema(route) as NonNullable<Tool['outputSchema']>,
      annotations: { title: entry.title, readOnlyHint: true, openWorldHint: false },
    }));
  }

  has(name: unknown): boolean {
    return typeof name === 'string' && this.#routes.has(name);
  }

  /** What the route answers, its errors as results. Rejects with a ProtocolError for an unknown tool. */
  async call(name: string, args: Readonly<Record<string, unknown>>, ask: Ask): Promise<CallToolResult> {
    const tool = this.#routes.get(name);
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${name}`);
    try {
      const { body } = await ask(tool.route, queryTextOf(args, HIDDEN));
      return {
        content: [{ type: 'text', text: readable(body, tool.entry) }],
        structuredContent: body as Record<string, unknown>,
      };
    } catch (error) {
      if (error instanceof ApiError) return failed(error);
      throw error;
    }
  }
}

function failed(error: ApiError): CallToolResult {
  const { retryAfter, tier } = error.detail;
  const more = [
    tier === undefined ? '' : ` (tier: ${tier})`,
    retryAfter === undefined ? '' : ` (retry after ${retryAfter} s)`,
  ];
  return {
    isError: true,
    content: [{ type: 'text', text: `${error.code}: ${error.message}${more.join('')}` }],
    structuredContent: error.toBody(),
  };
}
