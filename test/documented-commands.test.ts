// Every command line and every request in the pages is one that the program takes: its flags, settings, paths and
// parameters exist. What they do is run elsewhere, page by page: which test runs which block, and what no test can run.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock } from '../src/base/model/clock.js';
import { type CommandHandlers, runProgram } from '../src/cli/program.js';
import { type FlagValues, parseConfig } from '../src/config/config.js';
import { startServer } from '../src/index.js';
import { blocksOf } from './support/page-blocks.js';
import { newFolder } from './temp-folders.js';

const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...listed('docs')];

function listed(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/^(?:decisions|bench)\//.test(name))
    .map((name) => join(folder, name));
}

/** Code of a page: lines of its blocks, and what stands between backticks. */
function* codeOf(page: string): Iterable<string> {
  const text = readFileSync(page, 'utf8').replaceAll('\\|', '|');
  for (const [, block] of text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm))
    yield* block!.replaceAll('\\\n', ' ').split('\n');
  for (const [, inline] of text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)) yield inline!;
}

/** What stands for a value in a page. */
const PLACEHOLDERS: Readonly<Record<string, string>> = { N: '2', URL: 'http://127.0.0.1:1', '…': '1' };

/** The words of a command, up to what the shell does with its output. */
function wordsOf(line: string): string[] {
  const [command] = line.split(/\s(?:[|>#]|&&|2>|<)|;/);
  const words = [...command!.replaceAll(/[[\]]/g, ' ').matchAll(/'[^']*'|"[^"]*"|(?:\$\([^)]*\)|\S)+/g)].map(
    ([word]) => word,
  );
  const plain = words
    .filter((word) => word !== '|' && word !== '…')
    .map((word) => word.replaceAll(/^['"]|['")]+$/g, ''));
  return plain.map((word) => PLACEHOLDERS[word.split('|')[0]!] ?? word.split('|')[0]!);
}

/** `overround …` however it is started; undefined for everything else. */
function argumentsIn(line: string): string[] | undefined {
  const found =
    /^(?:\s*- run: |\w+=(?:\$\(|\S* ))*(?:npx )?(?:overround|node dist\/src\/main\.js|npm start --) (.*)$/.exec(line);
  if (found === null) return undefined;
  return [...(found[0].includes('npm start') ? ['serve'] : []), ...wordsOf(found[1]!)];
}

/** A mention without its values, and what no machine of this test has. */
const UNFIT = /^error: (?:required option|missing required argument)|^Usage: overround keys|has no keys|no NATS server/;

async function taken(args: string[]): Promise<string> {
  let said = '';
  const nothing = async (): Promise<void> => undefined;
  const settings = async (values: FlagValues): Promise<void> => void parseConfig(values, {});
  const handlers: CommandHandlers = {
    ...{ serve: settings, replay: nothing, results: nothing, backtest: nothing, import: nothing, export: nothing },
    ...{ backup: nothing, sink: nothing, record: async (_flags, values) => settings(values), simulate: async () => 0 },
  };
  const out = (text: string): void => {
    said += text;
  };
  // Commands for keys are run.
  const env = { DATA_DIR: newFolder() };
  const at = args.indexOf('--data');
  if (args[0] === 'keys' && at > 0) args.splice(at, 2);
  const clock = new ManualClock(Date.UTC(2026, 10, 20, 18));
  const code = await runProgram(args, { handlers, env, clock, version: '1', command: 'overround', out, err: out });
  return code === 0 || UNFIT.test(said) ? '' : said;
}

test('every command line in the pages is one that the program takes', async () => {
  let count = 0;
  const refused: string[] = [];
  for (const page of PAGES)
    for (const line of codeOf(page)) {
      const args = argumentsIn(line);
      if (args === undefined) continue;
      count++;
      const said = await taken(args).catch((error: Error) => (UNFIT.test(error.message) ? '' : String(error)));
      if (said !== '') refused.push(`${page}: ${line}: ${said}`);
    }
  assert.deepEqual(refused, []);
  assert.ok(count > 60, `${count} commands`);
});

test('every npm script in the pages exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  for (const page of PAGES)
    for (const line of codeOf(page))
      for (const [, name] of line.matchAll(/\bnpm run (?:-s |--silent )?([\w:]+)/g))
        assert.ok(scripts[name!] !== undefined, `${page}: npm run ${name}`);
});

interface Operation {
  parameters?: { name: string; in: string }[];
}

test('every request in the pages names a path and parameters that the server has', async (t) => {
  const settings = { port: '0', data: newFolder(), workers: '1', log: 'silent' };
  const server = await startServer({ settings, feeds: [] });
  t.after(() => server.close());
  const { paths } = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const known = Object.entries(paths).map(([path, operations]) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{[^}]*\}/g, '[^/?]+')}$`);
    return { pattern, operations: Object.values(operations) };
  });
  let count = 0;
  const unknown: string[] = [];
  for (const page of PAGES)
    for (const line of codeOf(page))
      for (const { path, query } of requestsIn(line)) {
        count++;
        const operations = known.find(({ pattern }) => pattern.test(path))?.operations;
        const names = operations?.flatMap(({ parameters = [] }) => parameters.map(({ name }) => name));
        if (names === undefined) unknown.push(`${page}: ${path} in ${line}`);
        else
          for (const name of query) if (!names.includes(name)) unknown.push(`${page}: ${name} of ${path} in ${line}`);
      }
  assert.deepEqual(unknown, []);
  assert.ok(count > 150, `${count} requests`);
});

/** Of our server alone: other services' pages and paths outside of the API are left out. */
function* requestsIn(line: string): Iterable<{ path: string; query: string[] }> {
  const found = line.matchAll(
    /(?:\/api\/v1|\b(?:GET|POST|PUT|PATCH|DELETE) (?:\/api\/v1)?|^)(\/[a-z][\w/{}:.*-]*)(\?[^\s'"`]*)?/g,
  );
  for (const [, path, query = ''] of found) {
    if (OUTSIDE.test(path!)) continue;
    const names = [...query.matchAll(/[?&]([a-z_]+)/g)]
      .map(([, name]) => name!)
      .filter((name) => !CREDENTIALS.has(name));
    yield { path: path!.replace(/\/$/, ''), query: names };
  }
}

const OUTSIDE =
  /^\/(?:healthz|readyz|metrics|status|dashboard|docs|mcp|ws|board\.js|var|etc|opt|usr|proc|data|dev|tmp|v4|app|api\/)\b|\*|(?:open|async)api\.json$/;
const CREDENTIALS = new Set(['token', 'api_key']);

const SNIPPETS = 'readme-snippets.system';
const GET_STARTED = 'get-started.system';
const GRADED = 'graded-bot.system';
const SEASON = 'season.system';
const WORTH_IT = 'worth-it.system';
const PYTHON = 'python/client.system';
const PIPES = 'cli/sink/pipes.system';
const OWN_MODEL = 'front/api/models';

/** Why no test runs it. */
const NOT_RUN = {
  installs: 'installs from the registry: .ci/run begins so',
  tests: 'is what runs the tests',
  bench: 'measures for minutes: .ci/run runs the short bench',
  network: 'needs the venues: the same feeds are tested against recorded ones',
  account: 'needs a paid key: the same feeds are tested against recorded answers',
  docker: 'needs Docker: .ci/image runs the steps of the image',
  clickhouse: 'needs ClickHouse, which no package of Debian brings; its input is that of the other pipes',
  pyarrow: 'needs pyarrow, which no package of Debian brings; the file itself is read by another reader',
  inspector: 'needs the registry and Node 22.19; its client is the one of test/front/mcp',
} as const;

/** Of each page its blocks of commands and programs in order: the tests that run them as they stand, or why there is none. */
const RUN_BY: Readonly<Record<string, readonly (string | { not: keyof typeof NOT_RUN })[]>> = {
  'README.md': [{ not: 'installs' }, SNIPPETS, SNIPPETS, 'python/readme-bot.system'],
  'CONTRIBUTING.md': [{ not: 'tests' }],
  'python/README.md': [PYTHON, PYTHON],
  'examples/feed-template/README.md': [SNIPPETS],
  'docs/get-started.md': Array<string>(6).fill(GET_STARTED),
  'docs/guides/alerts.md': [SNIPPETS, SNIPPETS],
  'docs/guides/at-home.md': [SNIPPETS],
  'docs/guides/backup-and-upgrade.md': [SNIPPETS, SNIPPETS],
  'docs/guides/bets.md': [SNIPPETS, SNIPPETS, SNIPPETS],
  'docs/guides/board.md': [SNIPPETS],
  'docs/guides/bot.md': [SNIPPETS, SNIPPETS],
  'docs/guides/cluster.md': [SNIPPETS],
  'docs/guides/database.md': ['cli/sink/postgres.system', SNIPPETS, SNIPPETS, PIPES, { not: 'clickhouse' }, PIPES],
  'docs/guides/discord-bot.md': [SNIPPETS],
  'docs/guides/embedding.md': [SNIPPETS, SNIPPETS],
  'docs/guides/feeds-and-ingest.md': [SNIPPETS],
  'docs/guides/from-python.md': [...Array<string>(7).fill(PYTHON), SNIPPETS, PYTHON],
  'docs/guides/from-the-odds-api.md': [{ not: 'account' }],
  'docs/guides/graded-bot.md': Array<string>(5).fill(GRADED),
  'docs/guides/operations.md': [{ not: 'docker' }],
  'docs/guides/own-model.md': [OWN_MODEL, OWN_MODEL, OWN_MODEL],
  // Its first line, which records, needs a paid key; the second serves what another feed recorded.
  'docs/guides/replay.md': [SNIPPETS, SNIPPETS],
  'docs/guides/screen.md': [SNIPPETS],
  'docs/guides/season.md': Array<string>(4).fill(SEASON),
  'docs/guides/sheets-and-n8n.md': [SNIPPETS],
  'docs/guides/tennis.md': Array<string>(3).fill(SEASON),
  'docs/guides/unmatched.md': [SNIPPETS],
  'docs/guides/worth-it.md': Array<string>(5).fill(WORTH_IT),
  'docs/project/benchmarks.md': [{ not: 'bench' }],
  'docs/reference/history.md': [SNIPPETS, SNIPPETS, SNIPPETS, { not: 'pyarrow' }],
  'docs/reference/mcp.md': [SNIPPETS, { not: 'inspector' }],
  'docs/reference/streams.md': [SNIPPETS, SNIPPETS],
  'docs/reference/upstreams.md': [{ not: 'account' }],
  'docs/reference/venues.md': [{ not: 'network' }],
};

test('every block of commands and every program of the pages is run by a test, or it is said why not', () => {
  const pages = [...PAGES, 'python/README.md', 'examples/feed-template/README.md'];
  const counted = pages
    .map((page) => [page, blocksOf(page, 'sh', 'js', 'ts', 'py', 'python').length] as const)
    .filter(([, count]) => count > 0);
  const known = Object.entries(RUN_BY).map(([page, runs]) => [page, runs.length] as const);
  assert.deepEqual(Object.fromEntries(counted), Object.fromEntries(known));
  for (const [page, runs] of Object.entries(RUN_BY))
    for (const name of new Set(runs)) {
      if (typeof name !== 'string') continue;
      assert.ok(existsSync(`test/${name}.test.ts`), name);
      const text = readFileSync(`test/${name}.test.ts`, 'utf8');
      const [, base] = /([^/]+)\.md$/.exec(page)!;
      assert.ok(text.includes(page) || text.includes(`'${base}'`), `test/${name}.test.ts does not read ${page}`);
    }
});
