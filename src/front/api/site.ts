// The documentation at /docs: the static site that the build makes of the Markdown pages.
import { fileURLToPath } from 'node:url';
import { ApiError } from '../../base/model/errors.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { filesIn, PAGE_TYPE, STYLE_TYPE, sendFile, sendPage } from './static.js';

const SITE = fileURLToPath(new URL('../../../site/', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  html: PAGE_TYPE,
  css: STYLE_TYPE,
  png: 'image/png',
  svg: 'image/svg+xml',
};

/** The pages, by their paths below /docs. */
export function siteRoutes(): Route[] {
  const files = filesIn(SITE, TYPES);
  const send = (context: RequestContext<unknown, unknown>, name: string): void => {
    const found = files().get(name);
    const meant = [`${name}.html`, `${name}/index.html`].find((page) => files().has(page));
    if (found === undefined && meant !== undefined) context.redirect(`/docs/${meant}`);
    else if (found === undefined) throw new ApiError('not_found', 'there is no such page');
    else if (name.endsWith('.html')) sendPage(context, found());
    else sendFile(context, found());
  };
  const common = { method: 'GET', auth: 'public', hidden: true, headers: ['if-none-match'] } as const;
  // Links of the front page are relative to its folder.
  const front = route({ ...common, path: '/docs', handler: (context) => context.redirect('/docs/index.html') });
  const page = (path: string) =>
    route({
      ...common,
      path,
      handler: (context) => send(context, Object.values(context.params).join('/')),
    });
  return [front, page('/docs/:file'), page('/docs/:folder/:file')];
}
