// Static files: sent with a tag of their bytes, and pages with a content security policy.
import { gzipSync } from 'node:zlib';
import type { RequestContext } from '../front/http/context.js';
import { namesTag, strongTagOf } from '../reader/etag.js';

export const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
export const STYLE_TYPE = 'text/css; charset=utf-8';

export interface Served {
  type: string;
  bytes: Buffer;
  etag: string;
}

export function served(type: string, bytes: Buffer): Served {
  return { type, bytes, etag: strongTagOf(bytes) };
}

/** A file as it is and compressed. */
export interface Zipped {
  plain: Served;
  gzip: Served;
}

export function zipped(type: string, bytes: Buffer): Zipped {
  return { plain: served(type, bytes), gzip: served(type, gzipSync(bytes)) };
}

/** For routes that list the header `if-none-match`. */
export function send(context: RequestContext<unknown, unknown>, { type, bytes, etag }: Served): void {
  context.setHeader('ETag', etag);
  context.setHeader('Cache-Control', 'no-cache');
  if (namesTag(context.header('if-none-match'), etag)) context.sendEmpty(304);
  else context.sendBuffer(200, type, bytes);
}

/** As it is, or compressed for who accepts that: for routes that list `if-none-match` and `accept-encoding`. */
export function sendZipped(context: RequestContext<unknown, unknown>, { plain, gzip }: Zipped): void {
  const isZipped = /\bgzip\b/.test(context.header('accept-encoding'));
  context.setHeader('Vary', 'Accept-Encoding');
  context.setHeader('X-Content-Type-Options', 'nosniff');
  if (isZipped) context.setHeader('Content-Encoding', 'gzip');
  send(context, isZipped ? gzip : plain);
}

/**
 * A page that loads and calls nothing but this server.
 * @param styles sources of styles
 */
export function sendPage(context: RequestContext<unknown, unknown>, page: Served, styles = "'self'"): void {
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
  context.setHeader('X-Content-Type-Options', 'nosniff');
  context.setHeader('Referrer-Policy', 'no-referrer');
  send(context, page);
}
