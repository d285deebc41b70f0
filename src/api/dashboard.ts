// The odds screen at /dashboard: its page, and its scripts as they were compiled, the client's among them.
import { readdirSync, readFileSync } from 'node:fs';
import { type Route, route } from '../front/http/context.js';
import { ApiError } from '../model/errors.js';
import { SCRIPT_TYPE, type Served, STYLE_TYPE, send, sendPage, served } from './static.js';

const PAGE = new URL('../../../dashboard/', import.meta.url);
const SCRIPTS = new URL('../../dashboard/', import.meta.url);
const CLIENT = new URL('../client/', import.meta.url);

export function dashboardRoutes(): Route[] {
  const file = (name: string, type: string) => lazily(() => served(type, readFileSync(new URL(name, PAGE))));
  const page = file('page.html', 'text/html; charset=utf-8');
  const style = file('page.css', STYLE_TYPE);
  const common = { method: 'GET', auth: 'public', hidden: true, headers: ['if-none-match'] } as const;
  return [
    route({ ...common, path: '/dashboard', handler: (context) => sendPage(context, page()) }),
    route({ ...common, path: '/dashboard/page.css', handler: (context) => send(context, style()) }),
    // Scripts stand to each other as they do in the build: they import by relative paths.
    scripts('/dashboard/page', SCRIPTS),
    scripts('/dashboard/src/client', CLIENT),
  ];
}

function scripts(path: string, folder: URL): Route {
  const known = lazily(() => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
    return new Map(names.map((name) => [name, served(SCRIPT_TYPE, readFileSync(new URL(name, folder)))]));
  });
  return route({
    method: 'GET',
    auth: 'public',
    hidden: true,
    path: `${path}/:file`,
    headers: ['if-none-match'],
    handler: (context) => {
      const script: Served | undefined = known().get(context.params['file']!);
      if (script === undefined) throw new ApiError('not_found', 'there is no such script');
      context.setHeader('X-Content-Type-Options', 'nosniff');
      send(context, script);
    },
  });
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
