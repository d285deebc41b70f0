// The desk at /dashboard and the operator's page at /status, and what they load: the bundles that the build makes of
// `dashboard`. And the board for pages of other servers, at a permanent URL.
import { readdirSync, readFileSync } from 'node:fs';
import { type Route, route } from '../front/http/context.js';
import { lazy } from '../memory/lazy.js';
import { ApiError } from '../model/errors.js';
import type { Fixed } from './answer.js';
import { file, SCRIPT_TYPE, STYLE_TYPE, sendFile, sendPage } from './static.js';

const PAGES = new URL('../../dashboard/pages/', import.meta.url);
const ELEMENT = new URL('../../dashboard/board-element.js', import.meta.url);
const PAGE_TYPE = 'text/html; charset=utf-8';
/** What the pages load, by the end of its name. */
const TYPES: Readonly<Record<string, string>> = { js: SCRIPT_TYPE, css: STYLE_TYPE };

const common = { method: 'GET', auth: 'public', hidden: true, headers: ['if-none-match'] } as const;

export function dashboardRoutes(): Route[] {
  const element = lazy(() => file(SCRIPT_TYPE, readFileSync(ELEMENT)));
  return [
    page('/dashboard', 'desk.html'),
    page('/status', 'status.html'),
    route({ ...common, path: '/board.js', handler: (context) => sendFile(context, element()) }),
    files('/dashboard/:file'),
  ];
}

function page(path: string, name: string): Route {
  const content = lazy(() => file(PAGE_TYPE, readFileSync(new URL(name, PAGES))));
  return route({ ...common, path, handler: (context) => sendPage(context, content()) });
}

function files(path: string): Route {
  const all = lazy(() => {
    const found = new Map<string, Fixed>();
    for (const name of readdirSync(PAGES)) {
      const type = TYPES[/\.(\w+)$/.exec(name)?.[1] ?? ''];
      if (type !== undefined) found.set(name, file(type, readFileSync(new URL(name, PAGES))));
    }
    return found;
  });
  return route({
    ...common,
    path,
    handler: (context) => {
      const found = all().get(context.params['file']!);
      if (found === undefined) throw new ApiError('not_found', 'there is no such file');
      sendFile(context, found);
    },
  });
}
