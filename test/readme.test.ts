// The documented table of settings equals the one that configures the program.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { settingsTable } from '../src/config/config.js';

test('the documented settings are those of --help', () => {
  const page = readFileSync('docs/configuration.md', 'utf8');
  const shown = /<!-- settings -->\n([\s\S]*?)\n<!-- \/settings -->/.exec(page)?.[1];
  assert.equal(shown?.trim(), settingsTable().trim(), 'copy the output of settingsTable() between the markers');
});

test('the front page is short, and its links and those of the documents lead somewhere', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', ...listed('docs'), ...listed('docs/decisions')];
  assert.ok(readFileSync('README.md', 'utf8').split('\n').length <= 160);
  for (const page of pages)
    for (const [, target] of readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g))
      assert.ok(existsSync(join(dirname(page), target!)), `${page} links to ${target}`);
});

function listed(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}
