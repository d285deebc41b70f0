import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FORMATS } from '../../../../src/intake/feeds/formats/formats.js';
import { readFolder } from './reading.js';

test('each folder of a format has one entry, and the page of files shows them', () => {
  const folders = readdirSync('src/intake/feeds/formats', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  assert.deepEqual(FORMATS.map(({ name }) => name).sort(), folders.sort());
  const page = readFileSync('docs/reference/files.md', 'utf8');
  const shown = /<!-- formats -->\n([\s\S]*?)\n<!-- \/formats -->/.exec(page)?.[1];
  const rows = FORMATS.map(({ name, about }) => `| \`${name}\` | ${about} |`);
  assert.equal(shown, ['| format | what it is |', '| --- | --- |', ...rows].join('\n'));
  for (const { name } of FORMATS) assert.match(page, new RegExp(`^## ${name}$`, 'm'));
});

test('a file that is none of them is told by what it looks like', async () => {
  for (const [contents, says] of [
    ['<!doctype html><html>', /it looks like a web page$/],
    ['[{"a": 1}]', /it looks like JSON that begins with \[\{"a": 1\}\]$/],
    ['x,y\n1,2', /it looks like a table with the columns x, y: overround import --map says which of ours they are$/],
    [Buffer.from([1, 7, 0, 0, 2, 0, 9]), /it looks like a binary file$/],
    ['', /it looks like an empty file$/],
  ] as const)
    await assert.rejects(readFolder({ file: contents as string }), says);
});
