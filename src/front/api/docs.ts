// The OpenAPI document, and the page that shows it and tries requests: Swagger UI from its installed package, with
// nothing from third parties.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { lazy } from '../../base/memory/lazy.js';
import { Type } from '../../base/model/json-schema.js';
import { type Examples, openApiDocument } from '../../schema/openapi.js';
import { type Route, route } from '../http/context.js';
import { type Fixed, sendFixed } from './answer.js';
import { siteRoutes } from './site.js';
import { file, PAGE_TYPE, SCRIPT_TYPE, STYLE_TYPE, sendFile, sendPage } from './static.js';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>overround API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/api/swagger-ui.css">
<link rel="stylesheet" href="/docs/api/page.css">
<script src="/docs/api/swagger-ui.js" defer></script>
<script src="/docs/api/page.js" defer></script>
</head>
<body>
<div id="reference"></div>
<noscript><p>This page needs JavaScript. The document itself is at <a href="/api/v1/openapi.json">openapi.json</a>.</p></noscript>
</body>
</html>
`;

/** Swagger UI's own colours are too pale on white; there is one server to choose from. */
const CSS = `body{margin:0}
.swagger-ui .topbar,.swagger-ui .scheme-container .schemes .schemes-server-container{display:none}
.access{display:contents}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
html:not(.dark-mode){
.swagger-ui .opblock .opblock-summary-method{color:#10151c;text-shadow:none}
.swagger-ui .info .title small{background:#5a6472}
.swagger-ui .info .title small.version-stamp{background:#456300}
.swagger-ui .info a,.swagger-ui .info .url,.swagger-ui a.link{color:#1a5fb4}
.swagger-ui .btn.authorize,.swagger-ui .btn.authorize span{color:#0b6e42}
}
`;

const SCRIPT = `// What stands outside of Swagger UI's own landmark, and the heading above those of the tags.
const within = (tag, props) => (Part, { React: { createElement } }) => (given) =>
  createElement(tag, props, createElement(Part, given));
const landmarks = () => ({
  wrapComponents: {
    InfoContainer: within('section', { 'aria-label': 'About' }),
    AuthorizeBtnContainer: within('section', { className: 'access', 'aria-label': 'Authorization' }),
    FilterContainer: within('div', { role: 'search' }),
    operations: (Operations, { React: { createElement, Fragment } }) => (given) =>
      createElement(
        Fragment,
        null,
        createElement('h2', { className: 'unseen' }, 'Operations'),
        createElement(Operations, given),
      ),
  },
});
SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  plugins: [landmarks],
});
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
`;

/** `documented`: all other routes. `examples`: current example values; the document is made again when they change. */
export function docsRoutes(documented: readonly Route[], examples: () => Examples): Route[] {
  let document: { of: string; answer: Fixed } | undefined;
  const specification = route({
    method: 'GET',
    path: '/api/v1/openapi.json',
    auth: 'public',
    headers: ['if-none-match'],
    response: Type.Record(Type.String(), Type.Unknown(), { description: 'an OpenAPI 3.1 document' }),
    summary: 'This document',
    tags: ['service'],
    handler: (context) => {
      const tried = examples();
      const of = JSON.stringify(tried);
      if (document?.of !== of) {
        const text = JSON.stringify(openApiDocument([...documented, specification], tried));
        document = { of, answer: file('application/json', Buffer.from(text)) };
      }
      sendFixed(context, document.answer);
    },
  });
  return [specification, ...pageRoutes(), ...siteRoutes()];
}

function pageRoutes(): Route[] {
  const page = file(PAGE_TYPE, Buffer.from(PAGE));
  const css = file(STYLE_TYPE, Buffer.from(CSS));
  const script = file(SCRIPT_TYPE, Buffer.from(SCRIPT));
  const common = { method: 'GET', auth: 'public', hidden: true } as const;
  return [
    route({
      ...common,
      path: '/docs/api',
      headers: ['if-none-match'],
      // Some of Swagger UI's styles are inline.
      handler: (context) => sendPage(context, page, "'self' 'unsafe-inline'"),
    }),
    route({
      ...common,
      path: '/docs/api/page.css',
      headers: ['if-none-match'],
      handler: (context) => sendFile(context, css),
    }),
    route({
      ...common,
      path: '/docs/api/page.js',
      headers: ['if-none-match'],
      handler: (context) => sendFile(context, script),
    }),
    packageFile('/docs/api/swagger-ui.js', 'swagger-ui-bundle.js', SCRIPT_TYPE),
    packageFile('/docs/api/swagger-ui.css', 'swagger-ui.css', STYLE_TYPE),
  ];
}

/** A file of the package, read on first use. It is found at the start, as those of the dashboard are. */
function packageFile(path: string, name: string, type: string): Route {
  const source = createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
  const content = lazy(() => file(type, readFileSync(source)));
  return route({
    method: 'GET',
    auth: 'public',
    hidden: true,
    path,
    headers: ['if-none-match'],
    handler: (context) => sendFile(context, content()),
  });
}
