// The dashboard as a browser loads it: page, style, and every script that its scripts import.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { api } from '../front/api.js';
import { shared } from '../shared.js';

const served = shared((t) => api(t));

/** Imports of libraries, which are minified. */
const PACKED = /(?:^|;)\s*(?:import|export)\b[^;"']{0,200}["'](\.[^"']+)["']/g;
const IMPORT = /^(?:import|export)\s(?:[^'";]*\sfrom\s)?['"]([^'"]+)['"];$/gm;

test('the dashboard is whole, and loads nothing from anywhere else', async () => {
  const { url } = await served();
  const page = await fetch(`${url}/dashboard`);
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type')!, /^text\/html/);
  const html = await page.text();
  // The only inline script maps library names to paths; the page's policy allows it by its hash.
  const [, map] = /<script type="importmap">([^<]*)<\/script>/.exec(html)!;
  const hash = createHash('sha256').update(map!).digest('base64');
  const policy = page.headers.get('content-security-policy')!;
  assert.ok(policy.includes(`default-src 'none'; script-src 'self' 'sha256-${hash}'; style-src 'self';`), policy);
  assert.doesNotMatch(html, /https?:\/\/|<script(?![^>]*\s(?:src|type="importmap"))|\sstyle=|\son\w+=/);
  const { imports } = JSON.parse(map!) as { imports: Record<string, string> };
  const scripts = new Set<string>();
  const wanted: string[] = [];
  for (const [, address] of html.matchAll(/<(?:script|link|a)\s[^>]*(?:src|href)="(\/[^"]+)"/g)) {
    const answer = await fetch(url + address);
    assert.equal(answer.status, 200, address);
    await answer.arrayBuffer();
    if (address!.endsWith('.js')) wanted.push(address!);
  }
  while (wanted.length > 0) {
    const address = wanted.pop()!;
    if (scripts.has(address)) continue;
    scripts.add(address);
    const answer = await fetch(url + address);
    assert.deepEqual(
      [answer.status, answer.headers.get('content-type')],
      [200, 'text/javascript; charset=utf-8'],
      address,
    );
    for (const [, from] of (await answer.text()).matchAll(address.startsWith('/dashboard/lib/') ? PACKED : IMPORT)) {
      const to = imports[from!] ?? from!;
      assert.match(to, /^(?:\.\.?)?\//, `${address} imports ${from}`);
      wanted.push(new URL(to, url + address).pathname);
    }
  }
  assert.ok(
    ['page/main.js', 'page/model/board.js', 'src/client/client.js', 'src/model/commission.js', 'lib/uplot.js'].every(
      (path) => scripts.has(`/dashboard/${path}`),
    ),
    [...scripts].join(),
  );
});

test('the embedded board needs no import map: every module is found by its own path', async () => {
  const { url } = await served();
  const seen = new Set<string>();
  const wanted = ['/board.js'];
  for (let address = wanted.pop(); address !== undefined; address = wanted.pop()) {
    if (seen.has(address)) continue;
    seen.add(address);
    const answer = await fetch(url + address);
    assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, '*'], address);
    for (const [, from] of (await answer.text()).matchAll(IMPORT)) {
      assert.match(from!, /^(?:\.\.?)?\//, `${address} imports ${from}`);
      wanted.push(new URL(from!, url + address).pathname);
    }
  }
  assert.ok(seen.has('/dashboard/page/board-grid.js') && seen.has('/dashboard/src/client/client.js'));
});

test('it serves no other file, and a page that the client has is not sent again', async () => {
  const { url } = await served();
  for (const path of [
    'page/none.js',
    'page/..%2f..%2fsrc%2fmain.js',
    'page/%2e%2e',
    'src/client/rest.js.map',
    'src/main.js',
    'src/model/clock.js',
    'lib/none.js',
    'lib/directives/lit-html.js',
  ])
    assert.equal((await fetch(`${url}/dashboard/${path}`)).status, 404, path);
  const etag = (await fetch(`${url}/dashboard/page.css`)).headers.get('etag')!;
  assert.equal((await fetch(`${url}/dashboard/page.css`, { headers: { 'if-none-match': etag } })).status, 304);
});
