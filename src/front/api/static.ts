// Static files: sent with a tag of their bytes, and pages with a content security policy.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '../../base/memory/lazy.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { type Fixed, fixedAnswer, sendFixed } from './answer.js';

export const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
export const STYLE_TYPE = 'text/css; charset=utf-8';
export const PAGE_TYPE = 'text/html; charset=utf-8';

export function file(type: string, bytes: Buffer): Fixed {
  return fixedAnswer(type, 'no-cache', bytes, true);
}

/** The files of a folder with one of these endings, by their paths in it; each is read when it is first asked for. */
export function filesIn(
  folder: string,
  types: Readonly<Record<string, string>>,
): () => ReadonlyMap<string, () => Fixed> {
  return lazy(() => {
    const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
    return new Map(
      names.flatMap((name) => {
        const type = types[/\.(\w+)$/.exec(name)?.[1] ?? ''];
        if (type === undefined) return [];
        return [[name.replaceAll('\\', '/'), lazy(() => file(type, readFileSync(join(folder, name))))]];
      }),
    );
  });
}

/** What every route of a file or page has. */
export const OPEN = { method: 'GET', auth: 'public', hidden: true, headers: ['if-none-match'] } as const;

export function fileRoute(path: string, content: () => Fixed): Route {
  return route({ ...OPEN, path, handler: (context) => sendFile(context, content()) });
}

/** For routes that list `if-none-match`. */
export function sendFile(context: RequestContext<unknown, unknown>, answer: Fixed): void {
  context.setHeader('X-Content-Type-Options', 'nosniff');
  sendFixed(context, answer);
}

/**
 * A page that loads and calls nothing but this server.
 * @param styles sources of styles
 */
export function sendPage(context: RequestContext<unknown, unknown>, page: Fixed, styles = "'self'"): void {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  context.setHeader('Content-Security-Policy', policy.join('; '));
  context.setHeader('Referrer-Policy', 'no-referrer');
  sendFile(context, page);
}
