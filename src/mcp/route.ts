// POST /mcp and DELETE /mcp: the Model Context Protocol over streamable HTTP. There is no GET: the server has nothing to
// say that was not asked, and 405 is how the protocol says so.

import { type Route, route } from '../front/http/context.js';
import { MCP_HEADERS, type McpDeps, McpEndpoint } from './endpoint.js';
import { rpcErrorOf } from './rpc-error.js';

/** `routes` are those the tools are answered by. Throws where one is missing. */
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
