// The desk at /dashboard and the operator's page at /status, and what they load: the bundles that the build makes of
// `dashboard`. And the board for pages of other servers, at a permanent URL.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lazy } from '../../base/memory/lazy.js';
import { ApiError } from '../../base/model/errors.js';
import { type Route, route } from '../http/context.js';
import { file, fileRoute, filesIn, OPEN, PAGE_TYPE, SCRIPT_TYPE, STYLE_TYPE, sendFile, sendPage } from './static.js';

const PAGES = new URL('../../../dashboard/pages/', import.meta.url);
const ELEMENT = new URL('../../../dashboard/board-element.js', import.meta.url);
/** What the pages load, by the end of its name. */
const TYPES: Readonly<Record<string, string>> = { js: SCRIPT_TYPE, css: STYLE_TYPE };

export function dashboardRoutes(): Route[] {
  const element = lazy(() => file(SCRIPT_TYPE, readFileSync(ELEMENT)));
  return [
    page('/dashboard', 'desk.html'),
    page('/status', 'status.html'),
    fileRoute('/board.js', element),
    files('/dashboard/:file'),
  ];
}

function page(path: string, name: string): Route {
  const content = lazy(() => file(PAGE_TYPE, readFileSync(new URL(name, PAGES))));
  return route({ ...OPEN, path, handler: (context) => sendPage(context, content()) });
}

function files(path: string): Route {
  const all = filesIn(fileURLToPath(PAGES), TYPES);
  return route({
    ...OPEN,
    path,
    handler: (context) => {
      const found = all().get(context.params['file']!);
      if (found === undefined) throw new ApiError('not_found', 'there is no such file');
      sendFile(context, found());
    },
  });
}
