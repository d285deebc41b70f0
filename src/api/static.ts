// Static files: sent with a tag of their bytes, and pages with a content security policy.
import type { RequestContext } from '../front/http/context.js';
import { type Fixed, fixedAnswer, sendFixed } from './answer.js';

export const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
export const STYLE_TYPE = 'text/css; charset=utf-8';

export function file(type: string, bytes: Buffer): Fixed {
  return fixedAnswer(type, 'no-cache', bytes, true);
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
