// The OpenAPI document, and the page that shows it and tries requests: Swagger UI from its installed package, with
// nothing from third parties.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { lazy } from '../../base/memory/lazy.js';
import { ApiError } from '../../base/model/errors.js';
import { Type } from '../../base/model/json-schema.js';
import type { Engine } from '../../engine/engine.js';
import { type Examples, openApiDocument } from '../../schema/openapi.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { type Fixed, sendFixed } from './answer.js';
import { file, fileRoute, filesIn, OPEN, PAGE_TYPE, SCRIPT_TYPE, STYLE_TYPE, sendFile, sendPage } from './static.js';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>overround API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/skin.css">
<link rel="stylesheet" href="/docs/api/page.css">
<script src="/docs/api/swagger-ui.js" defer></script>
<script src="/docs/api/page.js" defer></script>
</head>
<body>
<header class="top"><a href="/docs"><b>overround</b> API</a><a href="/dashboard">board</a><a href="/status">status</a><a href="/docs">docs</a></header>
<div id="reference"></div>
<noscript><p>This page needs JavaScript. The document itself is at <a href="/api/v1/openapi.json">openapi.json</a>.</p></noscript>
</body>
</html>
`;

/** Swagger UI in the skin of the desk: colours by the skin's names alone. Swagger UI's own rules are in a
 * layer, so that each of these goes before them, however exact they are. There is one server to choose from. */
const CSS = `@import url("/docs/api/swagger-ui.css") layer(swagger);
.top{display:flex;flex-wrap:wrap;gap:4px 16px;padding:4px 16px;border-bottom:1px solid var(--edge)}
.top a{color:inherit;text-decoration-color:var(--quiet);text-underline-offset:3px}
.top a:first-child{margin-right:auto;text-decoration:none}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.swagger-ui .topbar,.swagger-ui .scheme-container .schemes .schemes-server-container{display:none}
.access{display:contents}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
html body,html.dark-mode,html.dark-mode body{background:var(--ground)}
.swagger-ui{background:none}
.swagger-ui .opblock-body{overflow-x:auto}
.swagger-ui .info table{display:block;overflow-x:auto}
.swagger-ui .info table :is(td,th){padding:4px 16px 4px 0}
.swagger-ui,.swagger-ui :is(.info,.info .title,.info li,.info p,.info table,.opblock-tag,.opblock .opblock-section-header h4,.opblock .opblock-section-header>label,.opblock-description-wrapper p,.opblock .opblock-summary-path,.opblock .opblock-summary-description,.tab li,label,table thead tr td,table thead tr th,.parameter__name,.parameter__type,.response-col_status,.response-col_links,.responses-inner h4,.responses-inner h5,.model,.model-title,section.models h4,.btn,select,input,textarea,.renderedMarkdown p,.dialog-ux .modal-ux-header h3,.dialog-ux .modal-ux-content h4,.dialog-ux .modal-ux-content p){color:var(--text)}
.swagger-ui :is(.wrapper,.info .title,.opblock-tag,.btn,select,input,textarea,p,h2,h3,h4,h5,td,th,label,li,.parameter__name,.opblock-summary-description,.opblock-summary-method){font-family:inherit}
.swagger-ui .wrapper{max-width:1200px;padding:0 16px}
.swagger-ui .info{margin:24px 0}
.swagger-ui .info .title{font-size:24px}
.swagger-ui .opblock-tag{padding:8px 0;border-bottom:1px solid var(--edge);font-size:17px}
.swagger-ui :is(.info p,.info li,.info table,.opblock-tag small,.opblock .opblock-summary-description){font-size:13px}
.swagger-ui .opblock-tag small{color:var(--quiet)}
.swagger-ui .info a,.swagger-ui .info .url,.swagger-ui a.link,.swagger-ui a.nostyle{color:var(--text)}
.swagger-ui .info .title small,.swagger-ui .info .title small.version-stamp{background:var(--panel);border:1px solid var(--edge)}
.swagger-ui .info .title small pre{color:var(--quiet)}
.swagger-ui :is(.scheme-container,section.models,section.models .model-container,.model-box,.opblock .opblock-section-header,.dialog-ux .modal-ux){background:var(--ground);box-shadow:none}
.swagger-ui .scheme-container{padding:0}
.swagger-ui .opblock{margin:0 0 4px;border:1px solid var(--edge);border-radius:6px;background:var(--panel);box-shadow:none}
.swagger-ui .opblock .opblock-summary,.swagger-ui .opblock .opblock-section-header{border-color:var(--edge)}
.swagger-ui .opblock .opblock-summary-path{font-size:13px}
.swagger-ui .opblock .opblock-summary-method{min-width:64px;padding:4px 0;border:1px solid var(--edge);background:var(--ground);color:var(--text);font-size:11px;text-shadow:none}
.swagger-ui :is(.btn,select,input[type=text],input[type=password],textarea){border:1px solid var(--edge);background:var(--panel);box-shadow:none}
.swagger-ui .btn.authorize,.swagger-ui .btn.execute{border-color:var(--accent);background:var(--panel);color:var(--text)}
.swagger-ui .btn.authorize span{color:var(--text)}
.swagger-ui .btn.authorize svg,.swagger-ui .authorization__btn svg,.swagger-ui .arrow{fill:var(--quiet)}
.swagger-ui :not(pre)>code,.swagger-ui .renderedMarkdown code{padding:0 4px;border-radius:3px;background:var(--panel);color:var(--text);font-weight:400}
.swagger-ui .parameter__name.required span,.swagger-ui .parameter__name.required::after{color:var(--down)}
.swagger-ui :is(.parameter__in,.prop-format,.parameter__deprecated){color:var(--quiet)}
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
export function openApiRoutes(documented: readonly Route[], examples: () => Examples): Route[] {
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
  return [
    // Some of Swagger UI's styles are inline.
    route({ ...OPEN, path: '/docs/api', handler: (context) => sendPage(context, page, "'self' 'unsafe-inline'") }),
    fileRoute('/docs/api/page.css', () => css),
    fileRoute('/docs/api/page.js', () => script),
    packageFile('/docs/api/swagger-ui.js', 'swagger-ui-bundle.js', SCRIPT_TYPE),
    packageFile('/docs/api/swagger-ui.css', 'swagger-ui.css', STYLE_TYPE),
  ];
}

/** A file of the package, read on first use. It is found at the start, as those of the dashboard are. */
function packageFile(path: string, name: string, type: string): Route {
  const source = createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
  return fileRoute(
    path,
    lazy(() => file(type, readFileSync(source))),
  );
}

// The documentation at /docs: the static site that the build makes of the Markdown pages.

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
  // Links of the front page are relative to its folder.
  const front = route({ ...OPEN, path: '/docs', handler: (context) => context.redirect('/docs/index.html') });
  const page = (path: string) =>
    route({ ...OPEN, path, handler: (context) => send(context, Object.values(context.params).join('/')) });
  return [front, page('/docs/:file'), page('/docs/:folder/:file')];
}

// Example values in the documents for trying a request: an event that has odds now, and a time for requesting changes.

const SPORT = 'basketball';
const FUTURE = 'nba_championship_winner';
/** Used while there are no events yet. */
const EVENT = 'nba_lakers_celtics_2026-11-20';

/** The next event to begin, of basketball if there is one: it stays the example until it begins. */
export function openApiExamples({ table, clock }: Pick<Engine, 'table' | 'clock'>): Examples {
  const nowMs = clock.now();
  let event: string | undefined;
  for (const each of table.events.ordered()) {
    if (each.startMs <= nowMs || each.rows.count === 0) continue;
    if (each.sport === SPORT) {
      event = each.id;
      break;
    }
    event ??= each.id;
  }
  // The beginning of the day: earlier than recent changes, and the same all day.
  const since = `${new Date(nowMs).toISOString().slice(0, 10)}T00:00:00Z`;
  return { event: event ?? EVENT, future_id: FUTURE, since };
}
