import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LIMIT_GROUPS, LIMITS } from '../../../src/base/model/limits.js';

const KIB = 1024;

function amount(max: number, unit: string): string {
  if (unit === 'bytes' && max % KIB ** 2 === 0) return `${max / KIB ** 2} MiB`;
  if (unit === 'bytes' && max % KIB === 0) return `${max / KIB} KiB`;
  return `${max.toLocaleString('en')} ${unit}`;
}

/** As docs/project/limits.md has them. */
function limitsTable(): string {
  const lines = ['| | at most | |', '| --- | --- | --- |'];
  for (const [title, limits] of Object.entries(LIMIT_GROUPS))
    for (const [i, { max, unit, of }] of Object.values(limits).entries())
      lines.push(`| ${i === 0 ? title : ''} | ${amount(max, unit)} | ${of} |`);
  return lines.join('\n');
}

test('docs/project/limits.md shows every limit with its unit and what happens beyond it', () => {
  const page = readFileSync('docs/project/limits.md', 'utf8');
  const shown = /<!-- limits -->\n([\s\S]*?)\n?<!-- \/limits -->/.exec(page)?.[1];
  assert.equal(shown, limitsTable());
});

test('every limit of the table is used by the program', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join('src', name), 'utf8'))
    .join('\n');
  assert.deepEqual(
    Object.keys(LIMITS).filter((name) => !sources.includes(`LIMITS.${name}.max`)),
    [],
  );
  const groups = Object.values(LIMIT_GROUPS);
  const named = groups.reduce((count, group) => count + Object.keys(group).length, 0);
  assert.equal(Object.keys(LIMITS).length, named, 'no name stands twice');
});
