import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('every export of the package exists, with its types, and the client imports only itself', async () => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Record<string, Record<'types' | 'default', string>>;
  };
  // The compiled files lie as in dist, wherever that is in this run.
  const compiled = (path: string) => new URL(`../../${path.replace('./dist/', '')}`, import.meta.url);
  for (const name of ['.', './client', './board'])
    for (const kind of ['types', 'default'] as const) assert.ok(existsSync(compiled(exports[name]![kind])), name);
  const seen = new Set<string>();
  const follow = (file: URL): void => {
    if (seen.has(file.href)) return;
    seen.add(file.href);
    for (const [, from] of readFileSync(file, 'utf8').matchAll(/(?:from|import) '([^']+)'/g)) {
      assert.match(from!, /^\.\/[a-z-]+\.js$/, `${file.pathname} imports ${from}`);
      follow(new URL(from!, file));
    }
  };
  follow(compiled(exports['./client']!.default));
  assert.ok(seen.size >= 7);
});
