// POST /account/tokens: a viewer token, which a web page uses in place of the key.
import { checkAccess, seesChannel } from '../../accounts/access.js';
import type { Accounts } from '../../accounts/accounts.js';
import { TOKEN_CHARS_MAX, type Viewer, type ViewerFilter } from '../../accounts/viewer-tokens.js';
import { ApiError } from '../../base/model/errors.js';
import { type ChannelName, VIEWER_CHANNELS } from '../../base/model/stream-channels.js';
import { formatMs } from '../../base/model/time.js';
import type { EngineView } from '../../engine/engine-view.js';
import { NewTokenAnswer, NewTokenBody, VIEWER_FILTERS } from '../../schema/account-tokens.js';
import { meaningOf } from '../../schema/parameter-names.js';
import { StreamFilter } from '../../tables/filter/stream-filter.js';
import { splitList, universeOf } from '../../tables/filter/universe.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { sendResult } from './envelope.js';

const PROPER_NAMES = meaningOf(VIEWER_FILTERS);

export function tokenRoutes({ engine, accounts }: { engine: EngineView; accounts: Accounts }): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/account/tokens',
      auth: 'required',
      tags: ['account'],
      body: NewTokenBody,
      status: 201,
      response: NewTokenAnswer,
      errors: ['invalid_request', 'tier_restricted', 'forbidden'],
      summary: 'A short-lived token for web pages, which only reads and streams',
      handler: (context) => {
        const key = context.requireKey();
        const { ttl_s, channels, filters, origin } = context.body;
        for (const channel of channels ?? []) checkAccess(key, { channel }, engine.clock.now());
        const viewer: Viewer = {
          expiresAt: Math.floor(engine.clock.now()) + ttl_s * 1000,
          channels: channels === undefined ? null : [...new Set(channels)],
          filters: filtersOf(filters ?? {}),
          origin: origin === undefined || origin === null ? null : originOf(origin),
        };
        checkNames(engine, context, viewer);
        const token = accounts.viewerToken(key, viewer);
        if (token.length > TOKEN_CHARS_MAX)
          throw new ApiError(
            'invalid_request',
            `filters: the token would be longer than ${TOKEN_CHARS_MAX} characters`,
          );
        const data = {
          token,
          expires_at: formatMs(viewer.expiresAt),
          channels: VIEWER_CHANNELS.filter((channel) => seesChannel({ ...key, viewer }, channel)) as ChannelName[],
          filters: viewer.filters,
          origin: viewer.origin,
        };
        sendResult(context, engine.clock, data, 201);
      },
    }),
  ];
}

/** By their proper names, in lower case. An unknown filter would make the token wider: throws ApiError. */
function filtersOf(given: Readonly<Record<string, string | readonly string[]>>): Viewer['filters'] {
  const filters: Partial<Record<ViewerFilter, readonly string[]>> = {};
  for (const [name, value] of Object.entries(given)) {
    const proper = PROPER_NAMES.get(name) as ViewerFilter | undefined;
    if (proper === undefined)
      throw new ApiError('invalid_request', `filters: ${name.slice(0, 100)} is none of ${VIEWER_FILTERS.join(', ')}`);
    const names = (typeof value === 'string' ? splitList(value) : value).map((each) => each.trim().toLowerCase());
    if (names.length === 0 || names.some((each) => each === '' || each.includes(',')))
      throw new ApiError('invalid_request', `filters.${name} must have names, one an entry`);
    filters[proper] = [...new Set([...(filters[proper] ?? []), ...names])];
  }
  return filters;
}

/** Throws ApiError for names that no stream knows, and for books above the tier. */
function checkNames({ table, catalogue }: EngineView, context: RequestContext<unknown, unknown>, viewer: Viewer): void {
  const text = (name: ViewerFilter) => viewer.filters[name]?.join(',');
  const universe = universeOf(catalogue, context.tier, text('sportsbook'), table.knowsBook);
  new StreamFilter(table, catalogue, universe, {
    sport: text('sport'),
    league: text('league'),
    market: text('market'),
    event: text('event'),
  });
}

/** The origin of a URL as browsers send it. Throws ApiError. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href)
    throw new ApiError('invalid_request', 'origin must be as https://example.com, without a path');
  return url.origin;
}
