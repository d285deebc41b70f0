// The rules the code is built by, as tests: sizes, who may import whom, who may read the clock and the environment.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';

const ROOT = process.cwd();
const LINES_MAX = 400;

interface Source {
  /** Path from the repository's root, with slashes. */
  path: string;
  text: string;
  /** Without comments. */
  code: string;
  imports: { from: string; types: boolean }[];
}

function sourcesIn(...folders: string[]): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
      .filter((path) => path.endsWith('.ts'))
      .map(read),
  );
}

function read(path: string): Source {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$|\s\/\/ .*$/gm, '');
  const imports: Source['imports'] = [];
  for (const [, what, from] of code.matchAll(/^(?:import|export)\s+(?:([^'"]*?)\s+from\s+)?['"]([^'"]+)['"]/gm)) {
    const named = /^\{([\s\S]*)\}$/.exec(what ?? '')?.[1]?.split(',') ?? [];
    const types =
      (what ?? '').startsWith('type ') ||
      (named.length > 0 && named.every((name) => name.trim() === '' || name.trim().startsWith('type ')));
    imports.push({ from: from!.startsWith('.') ? posix.join(posix.dirname(path), from!) : from!, types });
  }
  // import('…') and require('…') bring the same things in.
  for (const [, from] of code.matchAll(/\b(?:import|require)\(\s*['"]([^'"]+)['"]/g))
    imports.push({ from: from!.startsWith('.') ? posix.join(posix.dirname(path), from!) : from!, types: false });
  return { path, text, code, imports };
}

const sources = sourcesIn('src', 'workers');
const all = [...sources, ...sourcesIn('bench', 'build', 'test', 'dashboard')];

function offenders(files: readonly Source[], wrong: (source: Source) => unknown): string[] {
  return files.filter(wrong).map(({ path }) => path);
}

test('no file has more than 400 lines', () => {
  assert.ok(all.length > 150, 'the sources are not where this test looks for them');
  assert.deepEqual(
    offenders(all, ({ text }) => text.trimEnd().split('\n').length > LINES_MAX),
    [],
  );
});

test('every file of src and workers begins by saying what it is for', () => {
  assert.deepEqual(
    offenders(sources, ({ text }) => !/^(?:#!.*\n)?\/\/ \S/.test(text)),
    [],
  );
});

/** Package -> where alone it may be imported. */
const PACKAGES: Record<string, RegExp> = {
  'uWebSockets.js': /^src\/front\//,
  koffi: /^src\/front\/http\/libc/,
  lmdb: /^src\/store\//,
  piscina: /^(?:src\/pool|workers)\//,
  msgpackr: /^src\/wire\//,
};

test('each package that touches the world has one place where it is imported', () => {
  for (const [name, home] of Object.entries(PACKAGES)) {
    const importers = sources.filter(({ imports }) => imports.some(({ from }) => from === name));
    assert.ok(importers.length > 0, `nothing imports ${name}`);
    assert.deepEqual(
      offenders(importers, ({ path }) => !home.test(path)),
      [],
      name,
    );
  }
});

/** What decides and computes, and may bring in nothing that reads, writes, waits or listens. */
const PURE = [
  /^src\/odds\//,
  /^src\/detect\//,
  /^src\/shard\//,
  /^src\/ingest\/(?!intake)/,
  /^src\/catalogue\/(?!load)/,
  /^src\/table\/(?!load)/,
  /^src\/broadcast\/changes/,
  /^src\/wire\//,
  /^src\/store\/(?:interner|extras-store)/,
  /^src\/(?:errors|clock)\.js$/,
];
const PURE_PACKAGES = new Set(['node:crypto', 'msgpackr', 'typebox', 'typebox/compile', 'typebox/value']);

test('pure modules import nothing that does I/O', () => {
  const isPure = (path: string): boolean => PURE.some((pattern) => pattern.test(path));
  const impure = sources
    .filter(({ path }) => isPure(path.replace(/\.ts$/, '.js')))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ from, types }) => !types && !isPure(from) && !PURE_PACKAGES.has(from))
        .map(({ from }) => `${path} imports ${from}`),
    );
  assert.deepEqual(impure, []);
});

/** Folder -> folders whose code (types aside) it must not know: the way of a price goes in one direction. */
const DIRECTIONS: Record<string, RegExp> = {
  'src/store/': /^src\/(?:front|broadcast|reader|table|pool|feeds|cli)\//,
  'src/table/': /^src\/(?:front|broadcast|reader|pool|feeds|cli)\//,
  'src/reader/': /^src\/(?:front|broadcast|pool|feeds|cli)\//,
  'src/broadcast/': /^src\/(?:front|pool|feeds|cli)\//,
  'src/accounts/': /^src\/(?:front|broadcast|pool|feeds|cli)\//,
  'src/feeds/': /^src\/(?:front|broadcast|reader|table|store|pool|shard|cli)\//,
  'src/ingest/': /^src\/(?:front|broadcast|reader|table|store|feeds|cli)\//,
  'workers/': /^src\/(?:front|broadcast|reader|table|feeds|cli)\//,
  'src/': /^(?:test|bench)\//,
};

test('what comes later on the way of a price is not known to what comes before', () => {
  const wrong = Object.entries(DIRECTIONS).flatMap(([folder, forbidden]) =>
    sources
      .filter(({ path }) => path.startsWith(folder))
      .flatMap(({ path, imports }) =>
        imports
          .filter(({ from, types }) => !types && forbidden.test(from))
          .map(({ from }) => `${path} imports ${from}`),
      ),
  );
  assert.deepEqual(wrong, []);
});

test('only the entry point reads the environment and ends the process', () => {
  // uWebSockets.js takes one of its limits from the environment and from nowhere else.
  const mayRead = /^src\/(?:main|front\/http\/uws)\.ts$/;
  assert.deepEqual(
    offenders(sources, ({ path, code }) => !mayRead.test(path) && /process\.env\b/.test(code)),
    [],
  );
  assert.deepEqual(
    offenders(sources, ({ path, code }) => path !== 'src/main.ts' && /process\.(?:exit|abort|kill)\b/.test(code)),
    [],
  );
});

test('only the clock reads the clock, and nothing rolls dice of its own', () => {
  const reads =
    /\bDate\.now\s*\(|\bnew Date\s*\(\s*\)|\bperformance\.(?:now|timeOrigin)|\bprocess\.hrtime|\bMath\.random\s*\(/;
  assert.deepEqual(
    offenders(sources, ({ path, code }) => path !== 'src/clock.ts' && reads.test(code)),
    [],
  );
});

test('nothing is left to do and nothing prints by itself', () => {
  const marks = new RegExp(['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|'));
  assert.deepEqual(
    offenders(sources, ({ text }) => marks.test(text)),
    [],
  );
  assert.deepEqual(
    offenders(sources, ({ code }) => /\bconsole\./.test(code)),
    [],
  );
});
