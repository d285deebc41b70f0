// What the pages share with the server runs in a browser too: its modules are checked with Node's types, which hide that.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const DIST = new URL('../../dashboard/', import.meta.url);

test('the scripts of the pages use nothing that Node alone has', () => {
  const pages = readdirSync(new URL('pages/', DIST)).filter((name) => name.endsWith('.js'));
  assert.ok(pages.includes('desk.js'));
  for (const name of [...pages.map((page) => `pages/${page}`), 'board-element.js']) {
    const script = readFileSync(new URL(name, DIST), 'utf8');
    assert.deepEqual(
      script.match(/\b(?:Buffer|process|global|setImmediate)\b[.([]|\brequire\(|["']node:/g) ?? [],
      [],
      name,
    );
  }
});
