// Makes the static site of docs/ in dist/site: a page for each Markdown file, with the front page's lists as its menu.
// It needs no script, and works from a folder, a web server or /docs of a running server: node dist/build/site.js
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { Marked } from 'marked';

const FROM = 'docs';
const TO = 'dist/site';
const FRONT = 'README.md';

/** A heading's anchor, as where the Markdown is shown elsewhere. */
function anchorOf(text: string): string {
  return text
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&[a-z#0-9]+;/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/** docs/guides/alerts.md is guides/alerts.html, a folder's README.md its index.html. */
function pathOf(page: string): string {
  return page.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html');
}

/** A link of a page; undefined if it leads out of the documents, to what the site does not have. */
function linkOf(href: string, page: string): string | undefined {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(page), path);
  if (target.startsWith('..')) return undefined;
  const to = posix.relative(posix.dirname(page), pathOf(target.replace(/\/$/, '/README.md'))) || '.';
  return anchor === undefined ? to : `${to}#${anchor}`;
}

function bodyOf(text: string, page: string): string {
  const taken = new Map<string, number>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const plain = anchorOf(html);
        const times = taken.get(plain) ?? 0;
        taken.set(plain, times + 1);
        return `<h${depth} id="${times === 0 ? plain : `${plain}-${times}`}">${html}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const to = linkOf(href, page);
        return to === undefined ? html : `<a href="${to}">${html}</a>`;
      },
      image({ href, text: description }) {
        return `<img src="${linkOf(href, page) ?? ''}" alt="${description.replaceAll('"', '&quot;')}">`;
      },
      table(token) {
        const row = (cells: typeof token.header, name: string) =>
          `<tr>${cells.map((cell) => `<${name}>${this.parser.parseInline(cell.tokens)}</${name}>`).join('')}</tr>`;
        const rows = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="table"><table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(text, { async: false });
}

interface Chapter {
  title: string;
  pages: { title: string; page: string }[];
}

/** The sections of the front page with the pages that they link to. */
function chaptersOf(front: string): Chapter[] {
  return front
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const links = [...section.matchAll(/\[([^\]]+)\]\(([^)#\s]+\.md)\)/g)];
      return {
        title: section.split('\n', 1)[0]!.split(':', 1)[0]!,
        pages: links.map(([, title, page]) => ({
          title: `${title![0]!.toUpperCase()}${title!.slice(1)}`,
          page: page!,
        })),
      };
    });
}

function menuOf(chapters: readonly Chapter[], page: string): string {
  return chapters
    .map(({ title, pages }) => {
      const items = pages.map(({ title: name, page: to }) => {
        const here = to === page ? ' aria-current="page"' : '';
        return `<li><a href="${linkOf(posix.relative(posix.dirname(page), to), page)}"${here}>${name}</a></li>`;
      });
      return `<h2>${title}</h2><ul>${items.join('')}</ul>`;
    })
    .join('\n');
}

function pageOf(text: string, page: string, chapters: readonly Chapter[]): string {
  const title = /^# (.+)$/m.exec(text)?.[1]?.replaceAll(/[`*]/g, '') ?? 'overround';
  const up = posix.relative(posix.dirname(page), '.') || '.';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - overround</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}/skin.css">
<link rel="stylesheet" href="${up}/site.css">
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header><a href="${up}/index.html"><b>overround</b> documentation</a>
<a href="/dashboard">board</a><a href="/status">status</a><a href="/docs/api">API reference of this server</a></header>
<div class="columns">
<nav aria-label="Pages">
${menuOf(chapters, page)}
</nav>
<main id="content">
${bodyOf(text, page)}</main>
</div>
</body>
</html>
`;
}

function makeSite(): void {
  rmSync(TO, { recursive: true, force: true });
  const files = readdirSync(FROM, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const chapters = chaptersOf(readFileSync(join(FROM, FRONT), 'utf8'));
  for (const name of files) {
    const to = join(TO, pathOf(name));
    if (!/\.(?:md|png|svg)$/.test(name)) continue;
    mkdirSync(dirname(to), { recursive: true });
    if (name.endsWith('.md')) writeFileSync(to, pageOf(readFileSync(join(FROM, name), 'utf8'), name, chapters));
    else copyFileSync(join(FROM, name), join(TO, name));
  }
  for (const style of ['dashboard/css/skin.css', 'build/site.css']) copyFileSync(style, join(TO, basename(style)));
}

makeSite();
