// The OpenAPI document, and the page that shows it and tries requests: RapiDoc from its installed package, nothing from
// anywhere else.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import Type from 'typebox';
import { namesTag } from '../../reader/etag.js';
import { openApiDocument } from '../../schema/openapi.js';
import { type RequestContext, type Route, route } from '../http/context.js';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>overround API</title>
<link rel="stylesheet" href="/docs/page.css">
<script type="module" src="/docs/rapidoc.js"></script>
</head>
<body>
<rapi-doc spec-url="/api/v1/openapi.json" show-header="false" render-style="read" theme="light" load-fonts="false"
 regular-font="system-ui, sans-serif" mono-font="ui-monospace, monospace" allow-server-selection="false"
 allow-spec-file-load="false" allow-spec-url-load="false" show-method-in-nav-bar="as-colored-text"
 schema-style="table" use-path-in-nav-bar="true" sort-tags="false"></rapi-doc>
<noscript><p>This page needs JavaScript. The document itself is at <a href="/api/v1/openapi.json">openapi.json</a>.</p></noscript>
</body>
</html>
`;

const CSS = 'html,body{margin:0;height:100%}rapi-doc{display:block;height:100%}';

// Styles are RapiDoc's own, inside its shadow tree; scripts only ours.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `documented`: all other routes. */
export function docsRoutes(documented: readonly Route[]): Route[] {
  let document: Served | undefined;
  const specification = route({
    method: 'GET',
    path: '/api/v1/openapi.json',
    auth: 'public',
    headers: ['if-none-match'],
    response: Type.Record(Type.String(), Type.Unknown(), { description: 'an OpenAPI 3.1 document' }),
    summary: 'This document',
    tags: ['service'],
    handler: (context) => {
      document ??= served(
        'application/json',
        Buffer.from(JSON.stringify(openApiDocument([...documented, specification]))),
      );
      send(context, document);
    },
  });
  return [specification, ...pageRoutes()];
}

function pageRoutes(): Route[] {
  const page = served('text/html; charset=utf-8', Buffer.from(PAGE));
  const css = served('text/css; charset=utf-8', Buffer.from(CSS));
  let script: { plain: Served; gzip: Served } | undefined;
  const common = { method: 'GET', auth: 'public', hidden: true } as const;
  return [
    route({
      ...common,
      path: '/docs',
      headers: ['if-none-match'],
      handler: (context) => {
        context.setHeader('Content-Security-Policy', POLICY);
        context.setHeader('X-Content-Type-Options', 'nosniff');
        context.setHeader('Referrer-Policy', 'no-referrer');
        send(context, page);
      },
    }),
    route({ ...common, path: '/docs/page.css', headers: ['if-none-match'], handler: (context) => send(context, css) }),
    route({
      ...common,
      path: '/docs/rapidoc.js',
      headers: ['if-none-match', 'accept-encoding'],
      handler: (context) => {
        script ??= readScript();
        const zipped = /\bgzip\b/.test(context.header('accept-encoding'));
        context.setHeader('Vary', 'Accept-Encoding');
        context.setHeader('X-Content-Type-Options', 'nosniff');
        if (zipped) context.setHeader('Content-Encoding', 'gzip');
        send(context, zipped ? script.gzip : script.plain);
      },
    }),
  ];
}

/** The package ships the script plain and zipped. */
function readScript(): { plain: Served; gzip: Served } {
  const folder = dirname(createRequire(import.meta.url).resolve('rapidoc'));
  const type = 'text/javascript; charset=utf-8';
  return {
    plain: served(type, readFileSync(join(folder, 'rapidoc-min.js'))),
    gzip: served(type, readFileSync(join(folder, 'rapidoc-min.js.gz'))),
  };
}

interface Served {
  type: string;
  bytes: Buffer;
  etag: string;
}

function served(type: string, bytes: Buffer): Served {
  return { type, bytes, etag: `"${createHash('sha1').update(bytes).digest('base64url')}"` };
}

function send(context: RequestContext<unknown, unknown>, { type, bytes, etag }: Served): void {
  context.setHeader('ETag', etag);
  context.setHeader('Cache-Control', 'no-cache');
  if (namesTag(context.header('if-none-match'), etag)) context.sendEmpty(304);
  else context.sendBuffer(200, type, bytes);
}
