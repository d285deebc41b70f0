// The documentation at /docs: every link of every page leads to a page, and every anchor to a heading.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { siteRoutes } from '../../../src/front/api/openapi.js';
import { api } from '../api.js';

const SITE = 'dist/site';

test('every link of the documentation leads to a page, and its anchor to a heading', () => {
  const names = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const pages = new Map(
    names.filter((name) => name.endsWith('.html')).map((name) => [name, readFileSync(`${SITE}/${name}`, 'utf8')]),
  );
  assert.ok(pages.size > 60);
  const broken: string[] = [];
  for (const [name, html] of pages) {
    assert.doesNotMatch(html, /<script|\son\w+=|style="/, name);
    for (const [, href] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^(?:[a-z]+:|\/)/.test(href!)) continue;
      const [path = '', anchor] = href!.split('#');
      const target = path === '' ? name : posix.join(posix.dirname(name), path);
      if (!names.includes(target)) broken.push(`${name}: ${href}`);
      else if (anchor && !pages.get(target)?.includes(`id="${anchor}"`)) broken.push(`${name}: ${href}`);
    }
  }
  assert.deepEqual(broken, []);
});

test('the server shows it, without a script', async (t) => {
  const { url } = await api(t);
  const at = (path: string) => fetch(`${url}${path}`);
  const front = await at('/docs');
  assert.equal(new URL(front.url).pathname, '/docs/index.html');
  assert.match(await front.text(), /<main id="content">\s*<h1/);
  assert.match(front.headers.get('content-security-policy')!, /default-src 'none'/);
  for (const path of [
    '/docs/site.css',
    '/docs/skin.css',
    '/docs/guides/alerts.html',
    '/docs/decisions/index.html',
    '/docs/dashboard.png',
  ]) {
    const answer = await at(path);
    assert.equal(answer.status, 200, path);
    await answer.arrayBuffer();
  }
  for (const [path, page] of [
    ['/docs/guides/bets', '/docs/guides/bets.html'],
    ['/docs/decisions', '/docs/decisions/index.html'],
  ] as const) {
    const answer = await at(path);
    assert.deepEqual([answer.status, new URL(answer.url).pathname], [200, page]);
    assert.match(await answer.text(), /<h1/);
  }
  for (const path of ['/docs/none.html', '/docs/..%2f..%2fpackage.json', '/docs/guides/..%2findex.html']) {
    const answer = await at(path);
    assert.equal(answer.status, 404, path);
    await answer.text();
  }
  assert.ok(siteRoutes().every(({ auth }) => auth === 'public'));
});
