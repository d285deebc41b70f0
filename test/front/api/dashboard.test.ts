// The pages as a browser loads them: page, style and scripts, and nothing from anywhere else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from '../../shared.js';
import { api } from '../api.js';

const served = shared((t) => api(t));

/** Files that a bundle loads, at once or when they are needed. */
const IMPORTS = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.\/[^"']+)["']/g;
/** Of the first view, the page itself included. */
const REQUESTS_MAX = 5;

for (const path of ['/dashboard', '/status'])
  test(`${path} is whole, small, and loads nothing from anywhere else`, async () => {
    const { url } = await served();
    const page = await fetch(url + path);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type')!, /^text\/html/);
    const html = await page.text();
    const policy = page.headers.get('content-security-policy')!;
    assert.ok(policy.startsWith("default-src 'none'; script-src 'self'; style-src 'self';"), policy);
    assert.doesNotMatch(html, /https?:\/\/|<script(?![^>]*\ssrc)|\sstyle=|\son\w+=/);
    const wanted = [...html.matchAll(/<(?:script|link|a)\s[^>]*(?:src|href)="(\/[^"]+)"/g)].map(([, to]) => to!);
    assert.ok(wanted.filter((to) => /\.(?:js|css)$/.test(to)).length < REQUESTS_MAX);
    const seen = new Set<string>();
    for (let address = wanted.pop(); address !== undefined; address = wanted.pop()) {
      if (seen.has(address)) continue;
      seen.add(address);
      const answer = await fetch(url + address);
      assert.equal(answer.status, 200, address);
      const text = await answer.text();
      if (!address.endsWith('.js')) continue;
      assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8');
      if (text.length > 4_096) assert.match(answer.headers.get('content-encoding') ?? '', /^(?:br|gzip)$/, address);
      for (const [, to] of text.matchAll(IMPORTS)) wanted.push(new URL(to!, url + address).pathname);
    }
    assert.ok([...seen].some((address) => address.endsWith('.js')));
  });

test('the embedded board is one file that any page may load', async () => {
  const { url } = await served();
  const answer = await fetch(`${url}/board.js`);
  assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, '*']);
  const text = await answer.text();
  assert.match(text, /overround-board/);
  assert.deepEqual([...text.matchAll(IMPORTS)], []);
});

test('it serves no other file, and a page that the client has is not sent again', async () => {
  const { url } = await served();
  for (const path of ['none.js', '..%2f..%2fsrc%2fmain.js', 'LICENSES.txt', 'model/board.js', 'desk.html'])
    assert.equal((await fetch(`${url}/dashboard/${path}`)).status, 404, path);
  const etag = (await fetch(`${url}/dashboard/desk.css`)).headers.get('etag')!;
  assert.equal((await fetch(`${url}/dashboard/desk.css`, { headers: { 'if-none-match': etag } })).status, 304);
});
