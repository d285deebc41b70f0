// The odds screen as a browser loads it: page, style, and every script that one of its scripts imports.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { api } from '../front/api.js';

const IMPORT = /^(?:import|export)\s(?:[^'";]*\sfrom\s)?['"]([^'"]+)['"];$/gm;

test('the dashboard is whole, and loads nothing from anywhere else', async (t) => {
  const { url } = await api(t);
  const page = await fetch(`${url}/dashboard`);
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type')!, /^text\/html/);
  assert.match(
    page.headers.get('content-security-policy')!,
    /default-src 'none'; script-src 'self'; style-src 'self';/,
  );
  const html = await page.text();
  assert.doesNotMatch(html, /https?:\/\/|<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=/);
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
    for (const [, from] of (await answer.text()).matchAll(IMPORT)) {
      assert.match(from!, /^\.\.?\//, `${address} imports ${from}`);
      wanted.push(new URL(from!, url + address).pathname);
    }
  }
  assert.ok(
    scripts.has('/dashboard/page/main.js') && scripts.has('/dashboard/src/client/client.js'),
    [...scripts].join(),
  );
});

test('no other file can be had through it, and a page that is known is not sent again', async (t) => {
  const { url } = await api(t);
  for (const path of [
    'page/none.js',
    'page/..%2f..%2fsrc%2fmain.js',
    'page/%2e%2e',
    'src/client/rest.js.map',
    'src/main.js',
  ])
    assert.equal((await fetch(`${url}/dashboard/${path}`)).status, 404, path);
  const etag = (await fetch(`${url}/dashboard/page.css`)).headers.get('etag')!;
  assert.equal((await fetch(`${url}/dashboard/page.css`, { headers: { 'if-none-match': etag } })).status, 304);
});
