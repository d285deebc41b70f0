// What the package and the image hold: everything that a server needs to run, and nothing of how it is made.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

interface Package {
  files: string[];
  bin: Record<string, string>;
  exports: Record<string, { types: string; default: string } | string>;
  dependencies: Record<string, string>;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Package;

/** Paths in the package, with their sizes, and the size of the file; what is built is taken as it is. */
function packed(): { files: Map<string, number>; bytes: number } {
  const flags = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
  const { stdout, stderr } = spawnSync('npm', flags, { encoding: 'utf8', shell: process.platform === 'win32' });
  assert.ok(stdout.includes('['), stderr);
  const [{ files, size: bytes }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [
    { files: { path: string; size: number }[]; size: number },
  ];
  return { files: new Map(files.map(({ path, size }) => [path, size])), bytes };
}

test('the package holds what a server, the client and the pages need, and nothing else', () => {
  const { files, bytes: zipped } = packed();
  const needed = [
    ...Object.values(manifest.bin),
    ...Object.values(manifest.exports).flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry))),
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'dist/workers/shard.js',
    'dist/dashboard/pages/desk.html',
    'dist/dashboard/pages/status.html',
    'dist/site/index.html',
    'dist/site/guides/alerts.html',
    'src/rules/catalogue/data/books.json',
  ].map((path) => path.replace(/^\.\//, ''));
  assert.deepEqual(
    needed.filter((path) => !files.has(path)),
    [],
  );
  const allowed =
    /^(?:dist\/(?:src|workers|dashboard|site)\/|src\/rules\/catalogue\/data\/|(?:README|CHANGELOG)\.md$|LICENSE$|package\.json$)/;
  const wrong = [...files.keys()].filter(
    (path) =>
      !allowed.test(path) || /\.map$|\.tsbuildinfo$|(?:^|\/)test\/|\.test\.js$|node_modules|\.env|\.mdb$/.test(path),
  );
  assert.deepEqual(wrong, []);
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);
  assert.ok(bytes < 11_000_000, `${bytes} bytes unpacked`);
  // As the front page has it.
  const [, megabytes] = /one file of (\d+) MB/.exec(readFileSync('README.md', 'utf8'))!;
  assert.ok(Math.abs(zipped / 1e6 - Number(megabytes)) < 1, `${zipped} bytes`);
});

test('the bill of materials names what the program needs, each with its licence, and nothing of how it is made', () => {
  const { stdout, stderr } = spawnSync('npm', ['run', '--silent', 'sbom'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32',
  });
  assert.ok(stdout.startsWith('{'), stderr);
  const { bomFormat, components } = JSON.parse(stdout) as {
    bomFormat: string;
    components: { 'bom-ref': string; name: string; licenses?: object[] }[];
  };
  assert.equal(bomFormat, 'CycloneDX');
  const has = (name: string) => components.some((each) => each['bom-ref'].startsWith(`${name}@`));
  assert.deepEqual(
    Object.keys(manifest.dependencies).filter((name) => !has(name === 'uWebSockets.js' ? 'uws-pack' : name)),
    [],
  );
  // A development dependency may be another package's, too.
  for (const name of ['@biomejs/biome', 'fast-check', 'typescript']) assert.ok(!has(name), name);
  assert.deepEqual(
    components.filter(({ licenses = [] }) => licenses.length === 0).map(({ name }) => name),
    [],
  );
});

test('the image is built from what there is, and holds all that the package does', () => {
  const lines = readFileSync('Dockerfile', 'utf8').split('\n');
  const [build, run] = lines
    .join('\n')
    .split(/^FROM .*$/m)
    .slice(1)
    .map((stage) => [...stage.matchAll(/^COPY (?:--from=build )?(.+) (\S+)$/gm)].map(([, from]) => from!.split(' ')));
  const copied = build!.flat();
  for (const path of copied) assert.ok(existsSync(path), `the build copies ${path}`);
  const held = run!.flat().map((path) => path.replace('/app/', ''));
  const folders = manifest.files.filter((each) => existsSync(each) && !/\.md$/.test(each) && !each.startsWith('!'));
  assert.deepEqual(
    folders.filter((folder) => !held.includes(folder)),
    [],
  );
});
