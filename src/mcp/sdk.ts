// The MCP SDK, loaded with the first MCP request: it is a hundred modules, and most servers never need it.
import type * as Sdk from '@modelcontextprotocol/server';

let loaded: Promise<typeof Sdk> | undefined;

export function mcpSdk(): Promise<typeof Sdk> {
  loaded ??= import('@modelcontextprotocol/server');
  return loaded;
}
