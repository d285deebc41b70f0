// GET /deeplink/{id}, which is public, and POST /deeplinks/batch.

import { allowedFallback, deepLinksOf } from '../../answers/deep-links.js';
import { ApiError } from '../../base/model/errors.js';
import { formatMs } from '../../base/model/time.js';
import { DEFAULT_STATE } from '../../rules/catalogue/deep-link.js';
import { DeepLinkParams, DeepLinkQuery, DeepLinksAnswer, DeepLinksBody } from '../../schema/deeplinks.js';
import { type Route, route } from '../http/context.js';
import { metaOf } from './answer.js';
import type { RouteDeps } from './deps.js';

const tags = ['deep links'];
const PATH = '/api/v1/deeplink';
const CACHE_CONTROL = 'private, max-age=60';

export function deeplinksRoutes({ engine, links, fallbackHosts = [] }: RouteDeps): Route[] {
  const { catalogue, table } = engine;
  const linksOf = (id: string, state: string) => deepLinksOf({ table, catalogue, links }, id, state);

  return [
    route({
      method: 'GET',
      path: `${PATH}/:id`,
      auth: 'metered',
      params: DeepLinkParams,
      query: DeepLinkQuery,
      status: 302,
      errors: ['not_found'],
      responseHeaders: {
        Location: "the book's page, or the fallback",
        'Cache-Control': CACHE_CONTROL,
        'X-Deep-Link-Type':
          'outcome: the selection, event: the page of the event, homepage: the page of the book; not there for a fallback',
      },
      summary: "To the sportsbook's page of an odds row or opportunity",
      tags,
      handler: (context) => {
        const { state, book, fallback } = context.query;
        const id = context.params['id']!;
        // Validated even if it is not needed, so that an invalid one is always reported.
        const elsewhere = fallback === undefined ? undefined : allowedFallback(fallback, fallbackHosts);
        if (fallback !== undefined && elsewhere === undefined)
          throw new ApiError('invalid_request', 'fallback must be an http(s) URL of a host this service allows');
        const found = linksOf(id, state.toLowerCase());
        const wanted = book === undefined ? undefined : catalogue.bookId(book);
        const link = wanted === undefined ? found[0] : found.find((each) => each.book === wanted);
        if (link === undefined && elsewhere === undefined)
          throw new ApiError('not_found', `there is no deep link for ${id}`);
        context.setHeader('Cache-Control', CACHE_CONTROL);
        if (link !== undefined) context.setHeader('X-Deep-Link-Type', link.type);
        context.redirect(link?.url ?? elsewhere!);
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/deeplinks/batch',
      auth: 'required',
      right: 'deep_links',
      body: DeepLinksBody,
      bodyErrorCode: 'bad_request',
      response: DeepLinksAnswer,
      summary: 'Which ids have deep links, and their paths',
      tags,
      handler: (context) => {
        const { ids, state: given = DEFAULT_STATE } = context.body;
        const state = given.toLowerCase();
        const query = state === DEFAULT_STATE ? '' : `?state=${state}`;
        const data = Object.fromEntries(
          ids.map((id) => {
            const reachable = linksOf(id, state).some(({ book }) => catalogue.tierAllows(context.tier, book));
            return [id, reachable ? `${PATH}/${id}${query}` : null];
          }),
        );
        const meta = metaOf(context, {});
        const shown = Object.keys(meta).length > 0 ? { meta } : {};
        context.sendJson({ success: true, data, ...shown, updated_at: formatMs(engine.clock.now()) });
      },
    }),
  ];
}
