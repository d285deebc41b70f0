// The version is written once, in package.json: what else names it is made from it, and equals it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { released, versionOf, withVersion } from '../../build/version.js';

const version = versionOf();
const read = (file: string): string => readFileSync(file, 'utf8');

test('whatever names the version has that of package.json', () => {
  for (const [file, text] of Object.entries(withVersion(version)))
    assert.ok(read(file) === text, `${file} is written anew by: npm version ${version} --allow-same-version`);
  const lock = JSON.parse(read('package-lock.json')) as {
    version: string;
    packages: Record<string, { version: string }>;
  };
  assert.deepEqual([lock.version, lock.packages['']!.version], [version, version]);
});

test('another version reaches every place', () => {
  const [python, client, manifests] = Object.values(withVersion('10.11.12-rc.1'));
  assert.match(python!, /^version = "10\.11\.12-rc\.1"$/m);
  assert.match(client!, /^VERSION = "10\.11\.12-rc\.1"$/m);
  assert.equal(manifests!.match(/overround:10\.11\.12-rc\.1\b/g)!.length, 4);
  assert.ok(!manifests!.includes(`overround:${version}`));
});

test('pages tell the version nowhere but where they tell of an upgrade', () => {
  for (const file of [
    'README.md',
    'docs/get-started.md',
    'docs/guides/operations.md',
    'docs/guides/from-python.md',
    'python/README.md',
  ])
    assert.ok(!read(file).includes(version), file);
});

test('the changelog has a part for the release, and what was unreleased becomes the next', () => {
  const changes = read('CHANGELOG.md');
  assert.match(changes, new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d\\n\\n\\S`, 'm'));
  const next = released(changes, '10.11.12', '2030-01-02');
  const [, unreleased, part] = next.split(/^## .*$/m);
  assert.equal(unreleased!.trim(), '');
  assert.equal(part!.trim(), changes.split(/^## .*$/m)[1]!.trim());
  assert.ok(next.includes('\n## [Unreleased]\n\n## [10.11.12] - 2030-01-02\n'));
  assert.equal(released(next, '10.11.12', '2030-01-03'), next, 'once');
});
