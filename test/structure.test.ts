// The rules of the code as tests: sizes, allowed imports, and who may read the clock and the environment.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';

const ROOT = process.cwd();
const LINES_MAX = 600;

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
  // import('…') and require('…') are imports as well.
  for (const [, from] of code.matchAll(/\b(?:import|require)\(\s*['"]([^'"]+)['"]/g))
    imports.push({ from: from!.startsWith('.') ? posix.join(posix.dirname(path), from!) : from!, types: false });
  return { path, text, code, imports };
}

const sources = sourcesIn('src', 'workers');
const all = [...sources, ...sourcesIn('bench', 'build', 'test', 'torture', 'dashboard')];

function offenders(files: readonly Source[], wrong: (source: Source) => unknown): string[] {
  return files.filter(wrong).map(({ path }) => path);
}

test('no file has more than 600 lines', () => {
  assert.ok(all.length > 150, 'the sources are not where this test looks for them');
  assert.deepEqual(
    offenders(all, ({ text }) => text.trimEnd().split('\n').length > LINES_MAX),
    [],
  );
});

test('a test that starts processes is one of the system', () => {
  const rigs =
    /^node:child_process$|^test\/(?:support\/(?:processes|nats-server)|replication\/nats\/rig|dashboard\/browser-rig)\.js$/;
  assert.deepEqual(
    offenders(
      all,
      ({ path, imports }) => /(?<!\.system)\.test\.ts$/.test(path) && imports.some(({ from }) => rigs.test(from)),
    ),
    [],
  );
});

test('every file of src and workers begins with its purpose', () => {
  assert.deepEqual(
    offenders(sources, ({ text }) => !/^(?:#!.*\n)?\/\/ \S/.test(text)),
    [],
  );
});

/** The only files that may import a package. */
const PACKAGES: Record<string, RegExp> = {
  'uWebSockets.js': /^src\/front\//,
  lmdb: /^src\/store\//,
  piscina: /^(?:src\/writer\/pool|workers)\//,
  undici: /^src\/accounts\/outbox\/sender/,
  'hyparquet-writer': /^src\/(?:store\/export|cli\/sink)\//,
  pg: /^src\/cli\/sink\//,
  msgpackr: /^src\/base\/wire\//,
  '@nats-io/transport-node': /^src\/replication\/nats\//,
  '@nats-io/jetstream': /^src\/replication\/nats\//,
  '@nats-io/kv': /^src\/replication\/nats\//,
  '@nats-io/obj': /^src\/replication\/nats\//,
  ws: /^src\/(?:intake\/feeds\/kit\/web-socket|cli\/sink)\.ts$/,
  fflate: /^src\/intake\/feeds\/files\//,
  'tar-stream': /^src\/(?:intake\/feeds\/files\/|(?:cli\/backup|server\/backup-copies)\.ts$)/,
  'unbzip2-stream': /^src\/intake\/feeds\/files\//,
  'read-excel-file/node': /^src\/intake\/feeds\/files\//,
};

test('each package with side effects is imported in one place', () => {
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

/** Computation only: it may import nothing that reads, writes, waits or listens. */
const PURE = [
  /^src\/(?:base\/(?:memory|wire|model)|rules\/(?:markets|grading)|schema|log\/delta|intake\/ingest|detection|writer\/shard)\//,
  /^src\/(?:store\/(?:history|clv)|tables\/filter)\//,
  /^src\/rules\/catalogue\/(?!load)/,
  /^src\/accounts\/(?:access|viewer-access)/,
  /^src\/accounts\/bets\/(?:bet|cents|fill|ledger|summary)\.js/,
  /^src\/tables\/(?!load|delayed)/,
  /^src\/store\/(?:extras-store|lmdb-table)/,
];
const PURE_PACKAGES = new Set(['node:crypto', 'node:util', 'leven', 'msgpackr', 'typebox', 'typebox/schema']);

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

/**
 * The rooms in the order of the data, and the folders inside each: a later one may import an earlier one, never the
 * other way; types count. `.` is the room's own files.
 */
const ROOMS: Record<string, readonly string[]> = {
  'src/base': ['memory', 'model', 'diagnostics', 'wire'],
  'src/rules': ['markets', 'grading', 'catalogue'],
  'src/config': ['.'],
  'src/schema': ['.'],
  'src/intake': ['ingest', 'feeds'],
  'src/log': ['delta', 'control'],
  'src/detection': ['.', 'kinds', 'moves'],
  'src/store': ['history', 'clv', '.', 'export'],
  'src/tables': ['.', 'filter', 'delayed'],
  'src/accounts': ['.', 'outbox', 'bets'],
  'src/writer': ['shard', 'pool'],
  workers: ['.'],
  'src/engine': ['.', 'replay'],
  'src/answers': ['opportunities', '.'],
  'src/broadcast': ['.'],
  'src/alerts': ['.'],
  'src/replication': ['requests', 'port', 'follower', 'local', 'nats'],
  'src/front': ['.', 'http', 'sse', 'ws', 'api', 'mcp'],
  'src/server': ['observe', '.'],
  'src/client': ['.'],
  'src/cli': ['backtest', 'sink', '.'],
};
/** The package's entry and the program's. */
const ENTRIES = ['src/index.ts', 'src/main.ts'];

const FOLDERS = [
  ...Object.entries(ROOMS).flatMap(([room, inside]) =>
    inside.map((folder) => (folder === '.' ? `${room}/` : `${room}/${folder}/`)),
  ),
  ...ENTRIES,
];

/** Of the folder with the longest name that begins the path; -1 if there is none. */
function roomOf(path: string): number {
  const [longest] = FOLDERS.filter((folder) => path.startsWith(folder)).sort((a, b) => b.length - a.length);
  return longest === undefined ? -1 : FOLDERS.indexOf(longest);
}

test('every file is in a listed folder', () => {
  assert.deepEqual(
    offenders(sources, ({ path }) => roomOf(path) < 0),
    [],
  );
});

test('no folder imports a later one, types included', () => {
  const wrong = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ from }) => from.startsWith('src/') || from.startsWith('workers/'))
      .filter(({ from }) => roomOf(from) > roomOf(path))
      .map(({ from }) => `${path} imports ${from}`),
  );
  assert.deepEqual(wrong, []);
  assert.deepEqual(
    offenders(sources, ({ imports }) => imports.some(({ from }) => /^(?:(test|bench|torture))\//.test(from))),
    [],
  );
});

/** Groups of files that import each other, each in the order of their paths. */
function circles(files: readonly Source[]): string[] {
  const edges = new Map(
    files.map(({ path, imports }) => [path, imports.map(({ from }) => from.replace(/\.js$/, '.ts'))]),
  );
  const reach = new Map<string, Set<string>>();
  for (const path of edges.keys()) {
    const seen = new Set<string>();
    const next = [path];
    for (let at = next.pop(); at !== undefined; at = next.pop())
      for (const to of edges.get(at) ?? [])
        if (!seen.has(to)) {
          seen.add(to);
          next.push(to);
        }
    reach.set(path, seen);
  }
  const found = new Set<string>();
  for (const [path, seen] of reach) {
    if (!seen.has(path)) continue;
    const circle = [...seen].filter((other) => reach.get(other)?.has(path)).sort();
    found.add(circle.join(' '));
  }
  return [...found].sort();
}

test('no files import each other in a cycle, types included', () => {
  assert.deepEqual(circles(all), []);
});

test('every bound is in the table of limits', () => {
  // Bounds that mathematics, a file format or a venue's protocol determines are not ours, and are named differently.
  // The client is published separately, so it has its own; so has the simulated market, as part of its model. Folders
  // below the table get theirs from their callers.
  const elsewhere = /^src\/(?:base\/memory\/|base\/model\/limits\.ts|detection\/maths\/|intake\/feeds\/sim\/|client\/)/;
  const bound = /\bconst (?:\w+_MAX|MAX_\w+|\w+_LIMIT)(?:: \w+)? = [\d(]/g;
  const found = sources
    .filter(({ path }) => !elsewhere.test(path))
    .flatMap(({ path, code }) => [...code.matchAll(bound)].map(([text]) => `${path}: ${text}`));
  assert.deepEqual(found, []);
});

test('only the room of market types looks at the text of a market type', () => {
  // Feeds read what venues call their questions; the market of a future is no market type.
  const elsewhere = /^src\/(?:rules\/markets\/|intake\/feeds\/|intake\/ingest\/extras\.ts)/;
  const type = String.raw`\b(?:market|marketType|market_type|row\.market)`;
  const looks = new RegExp(
    [
      String.raw`${type}\s*\.(?:startsWith|endsWith|includes|match|matchAll|replace|replaceAll|search|split|slice|indexOf)\(`,
      String.raw`\.(?:test|exec)\((?:\w+\.)*${type}\)`,
      String.raw`(?<!typeof )${type}\s*[!=]==\s*'`,
      String.raw`'(?:player_|_lay)'|_lay\$/|\^player_`,
      String.raw`[!=]==\s*'(?:moneyline|point_spread|puck_line|run_line|team_total|total_\w+|draw_no_bet)'`,
    ].join('|'),
  );
  const found = sources
    .filter(({ path }) => !elsewhere.test(path))
    .flatMap(({ path, code }) =>
      code
        .split('\n')
        .filter((line) => looks.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
  assert.deepEqual(found, []);
});

test('only the entry point reads the environment and ends the process', () => {
  // uWebSockets.js takes one of its limits only from the environment.
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

test('only the clock reads the clock, and nothing uses Math.random', () => {
  const reads =
    /\bDate\.now\s*\(|\bnew Date\s*\(\s*\)|\bperformance\.(?:now|timeOrigin)|\bprocess\.hrtime|\bMath\.random\s*\(/;
  assert.deepEqual(
    offenders(sources, ({ path, code }) => path !== 'src/base/model/clock.ts' && reads.test(code)),
    [],
  );
});

test('timeouts are mocked in one place, which ends real ones as well', () => {
  const mocks = offenders(all, ({ code }) => /apis: \[[^\]]*'setTimeout'/.test(code));
  assert.deepEqual(mocks, ['test/mocked-timeouts.ts']);
});

test('the image is built from every folder that the compiler reads', () => {
  const { include } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')) as { include: string[] };
  const copied = [...readFileSync(join(ROOT, 'Dockerfile'), 'utf8').matchAll(/^COPY (\w+) \.\/\1$/gm)].map(
    ([, name]) => name,
  );
  // The documentation becomes the site.
  const read = [...include.map((path) => path.split('/')[0]), 'docs'];
  assert.deepEqual([...new Set(read)].sort(), copied.sort());
});

test('no file has a reminder of work to do or prints to the console', () => {
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

test('the page of the architecture lists the rooms and what is inside them, in their order', () => {
  const page = readFileSync(join(ROOT, 'docs/project/architecture.md'), 'utf8');
  const rows = page
    .split('\n## ')
    .find((part) => part.startsWith('The rooms'))!
    .matchAll(/^\| (`.+?) \| (.+) \|$/gm);
  const listed = [...rows].flatMap(([, rooms, inside]) =>
    [...rooms!.matchAll(/`([\w-]+)`/g)].map(([, room]) => ({ room: room!, inside: inside! })),
  );
  const rooms = Object.entries(ROOMS).filter(([room]) => room.startsWith('src/'));
  assert.deepEqual(
    listed.map(({ room }) => `src/${room}`),
    rooms.map(([room]) => room),
  );
  for (const [room, folders] of rooms) {
    const { inside } = listed.find((each) => `src/${each.room}` === room)!;
    for (const folder of folders) if (folder !== '.') assert.match(inside, new RegExp(`\`${folder}\``), room);
  }
});

/** A file that the page of the architecture names: of `src`, unless another folder has it. */
const pathOf = (named: string): string | undefined =>
  [named, `src/${named}`].find((path) => existsSync(join(ROOT, path)));

test('every file, folder and function that the page of the architecture names exists', () => {
  const page = readFileSync(join(ROOT, 'docs/project/architecture.md'), 'utf8');
  const known = new Map(all.map(({ path, code }) => [path, code]));
  const named = [...page.matchAll(/`([\w-][\w/-]*\/[\w-]+(?:\.(?:ts|json|py|md))?)`(?: \(`(\w+)`\))?/g)];
  assert.ok(named.length > 100);
  const wrong = named.filter(([, path, name]) => {
    const found = pathOf(path!);
    return found === undefined || (name !== undefined && !new RegExp(`\\b${name}\\(`).test(known.get(found) ?? ''));
  });
  assert.deepEqual(
    wrong.map(([text]) => text),
    [],
  );
});

test('the way of one quote names as many files as it says, each once', () => {
  const page = readFileSync(join(ROOT, 'docs/project/architecture.md'), 'utf8');
  const way = page.split('\n## ').find((part) => part.startsWith('The way of one quote'))!;
  const [head, ...parts] = way.split(/^\*\*(?=[A-Z])/m);
  const files = parts.map((part) => [...part.matchAll(/`([\w-]+\/[\w/-]+\.ts)`/g)].map(([, path]) => path!));
  assert.deepEqual(
    files.map(({ length }) => length),
    parts.map((part) => Number(/, (\d+) files:/.exec(part)?.[1])),
  );
  assert.equal(new Set(files.flat()).size, Number(/the (\d+) files that decide about it/.exec(head!)?.[1]));
});

/** Of an addition one that was made, as the code names it; and where it is something else, or only data. */
interface Example {
  names: RegExp;
  except?: RegExp;
}

const FEEDS = 'src/intake/feeds/';
/** By the first cell of its row of the table. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  'a channel of items by id': {
    names: /\bgamestate\b/,
    // The route of the same name.
    except: /^src\/(?:front\/api\/(?:game-state|routes)|client\/client)\.ts$/,
  },
  // Feeds say it.
  'a field of a row': {
    names: /\b(?:public_bet_pct|publicBetPct)\b/,
    except: new RegExp(`^${FEEDS}`),
  },
  'a market type': { names: /\brun_line\b/, except: new RegExp(`^${FEEDS}`) },
  'a kind of house rule': { names: /\bsuper_over\b/ },
  'a feed': { names: /\bopticodds\b/ },
  'a kind of alert target': { names: /\bdiscord\b/i },
  'a command': { names: /\bexportCommand\b|\bExportFlags\b/ },
  'a metric': { names: /\boverround_ingest_quotes_total\b/ },
  'a page of the desk': { names: /'futures'|\bfutures:|\bFuturesView\b/, except: /^src\// },
};

test('whatever names an example of an addition is in its row of what a change touches', () => {
  const page = readFileSync(join(ROOT, 'docs/project/architecture.md'), 'utf8');
  const rows = page.split('\n## ').find((part) => part.startsWith('What a change touches'))!;
  for (const [added, { names, except }] of Object.entries(EXAMPLES)) {
    const row = rows.split('\n').find((line) => line.startsWith(`| ${added} |`));
    assert.ok(row !== undefined, added);
    const listed = [...row.matchAll(/`([\w./-]+)`/g)].flatMap(([, named]) => pathOf(named!) ?? []);
    const naming = [...sources, ...all.filter(({ path }) => path.startsWith('dashboard/'))].filter(
      ({ path, code }) => names.test(code) && except?.test(path) !== true,
    );
    assert.ok(naming.length > 1, added);
    assert.deepEqual(
      offenders(naming, ({ path }) => !listed.some((each) => path === each || path.startsWith(`${each}/`))),
      [],
      added,
    );
  }
});
