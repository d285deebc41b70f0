// The documented table of settings equals the one that configures the program.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { feedSettings } from '../src/cli/feeds.js';
import { settingsTable } from '../src/config/config.js';

test('the documented settings are those of --help', async () => {
  const page = readFileSync('docs/reference/configuration.md', 'utf8');
  const shown = /<!-- settings -->\n([\s\S]*?)\n<!-- \/settings -->/.exec(page)?.[1];
  const table = settingsTable(await feedSettings());
  assert.equal(shown?.trim(), table.trim(), 'copy the output of settingsTable() between the markers');
});

test('the front page is short, and its links and those of the documents lead somewhere', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...listed('docs')];
  assert.ok(readFileSync('README.md', 'utf8').split('\n').length <= 160);
  for (const page of pages)
    for (const [, target] of readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g))
      assert.ok(existsSync(join(dirname(page), target!)), `${page} links to ${target}`);
});

function listed(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

test('the test files that CONTRIBUTING.md runs exist', () => {
  const text = readFileSync('CONTRIBUTING.md', 'utf8');
  const named = [...text.matchAll(/npm test -- ([a-z][\w/-]*)|dist\/test\/([\w/-]+)\.test\.js/g)].map(
    ([, begins, file]) => begins ?? file!,
  );
  assert.equal(named.length, 2);
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' });
  for (const name of named)
    assert.ok(
      files.some((file) => file.startsWith(name) && file.endsWith('.test.ts')),
      name,
    );
});

test('every page begins with what its reader can do or knows after it', () => {
  const without = listed('docs').filter(
    (page) =>
      !/^docs\/(?:decisions|bench)\/|README/.test(page) &&
      !/^# .+\n\nAfter this page /.test(readFileSync(page, 'utf8')),
  );
  assert.deepEqual(without, []);
});

test('every page is listed on the front page of the documents or of its folder', () => {
  const linked = (page: string) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+\.md)/g)].map(([, target]) => join(dirname(page), target!));
  const found = new Set(['docs/README.md', ...linked('docs/README.md'), ...linked('docs/project/benchmarks.md')]);
  const missing = listed('docs').filter((page) => !page.startsWith('docs/decisions/') && !found.has(page));
  assert.deepEqual(missing, []);
});
