// POST /mcp and DELETE /mcp: the Model Context Protocol over streamable HTTP. There is no GET: the server sends nothing
// unsolicited, which the protocol expresses by 405.

import { type Route, route } from '../http/context.js';
import { MCP_HEADERS, type McpDeps, McpEndpoint } from './endpoint.js';
import { rpcErrorOf } from './rpc-error.js';

/** `routes` are those that answer the tools. Throws if one is missing. */
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
