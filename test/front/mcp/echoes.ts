// A server whose tools call routes that echo their input, for tests of the protocol itself.
import type { TestContext } from 'node:test';
import { ManualClock } from '../../../src/base/model/clock.js';
import { Type } from '../../../src/base/model/json-schema.js';
import { type Route, route } from '../../../src/front/http/context.js';
import { mcpRoutes } from '../../../src/front/mcp/endpoint.js';
import { type SessionLimits, Sessions } from '../../../src/front/mcp/sessions.js';
import { TOOLS } from '../../../src/front/mcp/tool-table.js';
import { objectBody } from '../../../src/schema/envelope.js';
import { type Running, running } from '../http/harness.js';

const Echo = objectBody(
  Type.Object({
    path: Type.String(),
    tier: Type.String(),
    query: Type.Record(Type.String(), Type.Unknown()),
    ignored: Type.Array(Type.String()),
  }),
);

const query = Type.Object({
  sport: Type.Optional(Type.String()),
  since: Type.Optional(Type.String({ format: 'date-time' })),
  live: Type.Optional(Type.Boolean()),
  min_odds: Type.Optional(Type.Number()),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  format: Type.Union([Type.Literal('json'), Type.Literal('csv')], { default: 'json' }),
});

const UPDATED_AT = '2026-11-20T18:00:30.000Z';

/** Rights that a tool requires in addition to a key. */
const RIGHTS: Record<string, Partial<Route>> = {
  find_arbitrage: { right: 'arbitrage' },
  find_ev_opportunities: { right: 'ev' },
  find_low_hold: { right: 'low_hold' },
};

/** Those that change nothing. */
export const READING = TOOLS.filter(({ change }) => change === undefined);

export const echoRoutes = (): Route[] =>
  READING.map(({ name, path }) => ({
    ...route({
      method: 'GET',
      path: `/api/v1${path}`,
      auth: name === 'get_sports' ? 'optional' : 'required',
      query,
      response: Echo,
      handler: async (context) => {
        if (context.query.sport === 'boom') throw new Error('the secret inside');
        if (context.query.sport === 'later') await new Promise((resolve) => setTimeout(resolve, 50));
        const { tier, asked } = context;
        const { ignored } = asked;
        context.sendJson({
          success: true,
          data: { path, tier, query: context.query, ignored },
          meta: { updated_at: UPDATED_AT },
          updated_at: UPDATED_AT,
        });
      },
    }),
    ...RIGHTS[name],
  }));

export interface Echoing extends Running {
  sessions: Sessions;
  /** The endpoint's own clock, at the same time as the server's. */
  mcpClock: ManualClock;
}

export async function echoing(
  t: TestContext,
  options: { host?: string; trustProxy?: boolean; limits?: Partial<SessionLimits> } = {},
): Promise<Echoing> {
  const mcpClock = new ManualClock(Date.UTC(2026, 10, 20, 18, 0, 30));
  const sessions = new Sessions(mcpClock, options.limits);
  // Tools show the echo instead of the fields of their own routes.
  const tools = READING.map(({ defaults: _defaults, ...tool }) => ({
    ...tool,
    shows: ['path', 'tier', 'query', 'ignored'],
  }));
  const { host = '127.0.0.1', trustProxy = false } = options;
  const deps = { tools, clock: mcpClock, version: '0.0.1', host, trustProxy, sessions };
  const routes = echoRoutes();
  return { ...(await running(t, [...routes, ...mcpRoutes(deps, routes)])), sessions, mcpClock };
}
