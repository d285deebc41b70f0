// The MCP SDK, a hundred modules: `overround serve` loads it as it starts, a server inside another program with its
// first MCP request. If a package cannot be read because no file descriptor is left, Node takes it for missing until the
// process ends. So a few are reserved, and the modules are loaded in one go, which leaves no other connection the time to
// take them.
import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { devNull } from 'node:os';
import type * as Sdk from '@modelcontextprotocol/server';

/** One is used at a time; other threads may take some. */
const RESERVED_FILES = 8;

const reserved = Array.from({ length: RESERVED_FILES }, () => openSync(devNull, 'r'));
let loaded: typeof Sdk | undefined;

export function mcpSdk(): typeof Sdk {
  for (const file of reserved.splice(0)) closeSync(file);
  loaded ??= createRequire(import.meta.url)('@modelcontextprotocol/server') as typeof Sdk;
  return loaded;
}
