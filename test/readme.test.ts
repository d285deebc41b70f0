// The README's table of settings is the one the program is configured by.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settingsTable } from '../src/config.js';

test("the README's settings are those of --help", () => {
  const readme = readFileSync('README.md', 'utf8');
  const shown = /<!-- settings -->\n([\s\S]*?)\n<!-- \/settings -->/.exec(readme)?.[1];
  assert.equal(shown?.trim(), settingsTable().trim(), 'copy the output of settingsTable() between the markers');
});
