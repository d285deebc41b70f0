// The odds screen at /dashboard and the operator's page at /status: pages, styles and compiled scripts, including the
// client's; and the libraries they use, from their installed packages.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Route, route } from '../front/http/context.js';
import { lazy } from '../memory/lazy.js';
import { ApiError } from '../model/errors.js';
import { SCRIPT_TYPE, STYLE_TYPE, send, sendPage, sendZipped, served, type Zipped, zipped } from './static.js';

const PAGES = new URL('../../../dashboard/', import.meta.url);
const SCRIPTS = new URL('../../dashboard/', import.meta.url);
const SOURCES = new URL('../', import.meta.url);
const PAGE_TYPE = 'text/html; charset=utf-8';

/** Modules of lit-html that the pages import, by their URL below /dashboard/lib and their path in the package. */
const LIT_HTML = ['lit-html.js', 'directive.js', 'directive-helpers.js', 'directives/repeat.js'];

/** Our own files besides the page's and the client's, by folder: pure ones that the pages share with the server. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  model: ['commission.js'],
  markets: ['derive.js', 'parts.js', 'rules.js'],
  memory: ['bounded-map.js', 'get-or-insert.js'],
};

const common = { method: 'GET', auth: 'public', hidden: true, headers: ['if-none-match', 'accept-encoding'] } as const;

export function dashboardRoutes(): Route[] {
  const require = createRequire(import.meta.url);
  const folder = (url: URL, wanted: (name: string) => boolean = () => true) =>
    lazy(() => {
      const names = readdirSync(url).filter((name) => name.endsWith('.js') && wanted(name));
      return new Map(names.map((name) => [name, zipped(SCRIPT_TYPE, readFileSync(new URL(name, url)))]));
    });
  // Resolved at the start: if Node once has no file descriptor left to look for a package, it takes the package for
  // missing until the process ends.
  // Node resolves the build for servers; the one for browsers is a folder above.
  const litHtml = join(require.resolve('lit-html'), '../..');
  const [uplotScript, uplotStyle] = [
    require.resolve('uplot/dist/uPlot.esm.js'),
    require.resolve('uplot/dist/uPlot.min.css'),
  ];
  const libraries = lazy(() => {
    const script = (path: string) => zipped(SCRIPT_TYPE, readFileSync(path));
    const files = LIT_HTML.map((name): [string, Zipped] => [name, script(join(litHtml, name))]);
    return new Map([...files, ['uplot.js', script(uplotScript)]]);
  });
  return [
    page('/dashboard', 'page.html'),
    page('/status', 'status.html'),
    style('/dashboard/page.css', () => readFileSync(new URL('page.css', PAGES))),
    style('/dashboard/uplot.css', () => readFileSync(uplotStyle)),
    board(),
    // Scripts have the same relative positions as in the build: they import by relative paths.
    files('/dashboard/page', folder(SCRIPTS)),
    files('/dashboard/page/model', folder(new URL('model/', SCRIPTS))),
    files('/dashboard/src/client', folder(new URL('client/', SOURCES))),
    ...Object.entries(SHARED).map(([name, shared]) =>
      files(
        `/dashboard/src/${name}`,
        folder(new URL(`${name}/`, SOURCES), (file) => shared.includes(file)),
      ),
    ),
    files('/dashboard/lib', libraries),
    files('/dashboard/lib/directives', libraries, 'directives/'),
  ];
}

function page(path: string, name: string): Route {
  const file = lazy(() => {
    const bytes = readFileSync(new URL(name, PAGES));
    // Import maps must be in the page itself: this one is allowed by its hash, and no other script in it runs.
    const [, map] = /<script type="importmap">([^<]*)<\/script>/.exec(bytes.toString()) ?? [];
    const hash = map === undefined ? '' : ` 'sha256-${createHash('sha256').update(map).digest('base64')}'`;
    return { page: served(PAGE_TYPE, bytes), scripts: `'self'${hash}` };
  });
  return route({ ...common, path, handler: (context) => sendPage(context, file().page, "'self'", file().scripts) });
}

/** The module that pages of other servers import for <overround-board>: a permanent URL. */
function board(): Route {
  const script = served(SCRIPT_TYPE, Buffer.from("export * from '/dashboard/page/board-element.js';\n"));
  return route({
    ...common,
    path: '/board.js',
    handler: (context) => {
      context.setHeader('X-Content-Type-Options', 'nosniff');
      send(context, script);
    },
  });
}

function style(path: string, read: () => Buffer): Route {
  const file = lazy(() => zipped(STYLE_TYPE, read()));
  return route({ ...common, path, handler: (context) => sendZipped(context, file()) });
}

/** @param prefix of the names in the list that the path already includes */
function files(path: string, list: () => Map<string, Zipped>, prefix = ''): Route {
  return route({
    ...common,
    path: `${path}/:file`,
    handler: (context) => {
      const file = list().get(prefix + context.params['file']!);
      if (file === undefined) throw new ApiError('not_found', 'there is no such script');
      sendZipped(context, file);
    },
  });
}
