// Every route of the REST and SSE surface.
import type { Route } from '../http/context.js';
import type { RouteDeps } from './deps.js';
import { ingestRoutes } from './ingest.js';
import { oddsRoutes } from './odds.js';
import { type StreamDeps, streamRoutes } from './stream.js';

export function allRoutes(deps: RouteDeps & StreamDeps): Route[] {
  return [...oddsRoutes(deps), ...streamRoutes(deps), ...ingestRoutes(deps)];
}
