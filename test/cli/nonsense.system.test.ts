// The real commands, each in its own process, with invalid arguments: one line on standard error and an exit code other
// than 0. A process takes up to a second of CPU; all run at once.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { recordingSize } from '../../src/cli/recording-file.js';
import { newFolder } from '../temp-folders.js';

const compiled = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

function run(program: string, args: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd, timeout: 300_000, env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] } };
    const child = execFile(process.execPath, [compiled(program), ...args], options, (_error, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
  });
}

const GAME = {
  league: 'nba',
  home_team: 'Boston Celtics',
  away_team: 'Miami Heat',
  start_time: '2026-11-22T00:00:00Z',
  markets: [
    {
      market_type: 'moneyline',
      selections: [
        { selection: 'Boston Celtics', selection_type: 'home', odds_american: -110 },
        { selection: 'Miami Heat', selection_type: 'away', odds_american: -110 },
      ],
    },
  ],
};

/** A folder with a text, an empty file, and a recording of one message of an unlisted book. */
function folder(): string {
  const dir = newFolder('overround-nonsense-');
  copyFileSync('README.md', join(dir, 'README.md'));
  writeFileSync(join(dir, 'empty'), '');
  const message = { book: 'cornershop', polled_at: '2026-11-20T18:00:00Z', scope: 'event', events: [GAME] };
  writeFileSync(join(dir, 'polls.ndjson'), `${JSON.stringify(message)}\n`);
  return dir;
}

const TO_SERVER = ['--url', 'http://127.0.0.1:1', '--key', 'k'];

const NONSENSE: readonly (readonly [args: string, says: RegExp])[] = [
  [
    'backtest README.md',
    /README\.md is not recognised: it is none of football-data, .* it looks like a text that begins with # overround/,
  ],
  ['import README.md --out x.ndjson', /README\.md is not recognised: it is none of football-data/],
  ['import empty --out x.ndjson', /it looks like an empty file/],
  ['import missing.csv --out x.ndjson', /missing\.csv cannot be read: there is no such file/],
  ['import polls.ndjson --out x.ndjson --format nothing', /--format nothing: there are football-data/],
  ['import polls.ndjson --out x.ndjson --timezone Nowhere', /--timezone Nowhere is no time zone/],
  ['backtest polls.ndjson --books nobook', /there is no sportsbook nobook/],
  ['backtest polls.ndjson --out polls.ndjson', /polls\.ndjson is the recording itself/],
  [`replay README.md ${TO_SERVER.join(' ')}`, /README\.md is not recognised/],
  // No name commands the terminal that it is told on.
  [
    'serve --port 0 --feed replay:missing\u001b[2J\u009b2J',
    /missing\\u001b\[2J\\u009b2J cannot be read: there is no such file/,
  ],
  ['record --feed replay:empty', /empty is no recording: it has no lines/],
  ['keys list --data README.md', /README\.md/],
  // Node's own recursive mkdir never returns for such a path.
  ['keys create --tier pro --data /proc/nobody', /\/proc\/nobody is not a directory that can be made: ENOENT/],
  ['serve --port 0 --data /proc/nobody', /\/proc\/nobody is not a directory that can be made: ENOENT/],
];

test('a command that makes no sense ends with one line and a code that is not 0', async () => {
  const dir = folder();
  const ended = await Promise.all(NONSENSE.map(([args]) => run('src/main.js', args.split(' '), dir)));
  for (const [i, [args, says]] of NONSENSE.entries()) {
    const { code, out, err } = ended[i]!;
    assert.match(err, says, args);
    assert.deepEqual([code, err.trimEnd().split('\n').length], [1, 1], `${args}: ${err}`);
    assert.equal(out, '', args);
  }
});

test('a file that is cut short is read as far as it goes, and the command says so and fails', async () => {
  const dir = folder();
  const line = readFileSync(join(dir, 'polls.ndjson'), 'utf8');
  const packed = gzipSync(line.repeat(40));
  writeFileSync(join(dir, 'torn.gz'), packed.subarray(0, -8));
  const head = 'at,sportsbook,league,home_team,away_team,event_start_time,market_type,selection_type,odds_decimal';
  const price = '2026-11-20T18:00:00Z,betmgm,nba,Boston Celtics,Miami Heat,2026-11-22T00:00:00Z,moneyline,home,2';
  writeFileSync(join(dir, 'torn.csv.gz'), gzipSync(`${head}\n${price}\n`).subarray(0, -8));
  const [backtest, clv, imported] = await Promise.all([
    run('src/main.js', ['backtest', 'torn.gz'], dir),
    run('src/main.js', ['backtest', 'torn.gz', '--clv'], dir),
    run('src/main.js', ['import', 'torn.csv.gz', '--out', 'out.ndjson', '--json'], dir),
  ]);
  for (const { code, err } of [backtest, clv])
    assert.deepEqual(
      [code, err.trimEnd().split('\n').at(-1)],
      [1, 'overround: torn.gz ends early: it is cut short. 1 polls of it were read'],
    );
  assert.match(backtest.err, /^1 polls, 80 quotes/);
  assert.equal(JSON.parse(clv.out).group_by, 'sportsbook');
  assert.deepEqual(
    [imported.code, imported.err],
    [1, 'overround: torn.csv.gz ends early: it is cut short. 1 prices and 0 results were imported\n'],
  );
  const { prices, left_out } = JSON.parse(imported.out);
  assert.deepEqual(
    [prices, left_out],
    [1, [{ reason: 'ends early: it is cut short', count: 1, first: 'torn.csv.gz' }]],
  );
  assert.ok(statSync(join(dir, 'out.ndjson')).size > 0);
});

test('a file of a few hundred bytes that unpacks to gigabytes is not read on', async () => {
  const dir = folder();
  // 45 MB of line breaks.
  const part = Buffer.from('QlpoOTFBWSZTWfJ0h08BWKtAIIAQEAAACCAAMMwFKaZSSFJsVJIUni7kinChIeTpDp4=', 'base64');
  const head = Buffer.from(
    'QlpoOTFBWSZTWWV+zZIAABrTgAAQAAQAAL7v36AgAFCg0aNBkBoNU9qNKb1NPQTSe1MWYPcyv5qcEFUBKdRRR6+dtZO6hS0Ld8ppuHhdYIjlKJIzmYXeX/46HPlqjv3eJMJ8LlZRSob4XckU4UJBlfs2SA==',
    'base64',
  );
  writeFileSync(join(dir, 'bomb.bz2'), Buffer.concat([head, ...Array.from({ length: 40 }, () => part)]));
  const { code, err } = await run('src/main.js', ['import', 'bomb.bz2', '--out', 'out.ndjson'], dir);
  assert.equal(code, 1);
  assert.match(err, /^overround: bomb\.bz2: bzip2 data that unpacks to more than 134217728 bytes at once\n$/);
});

test('a backtest whose reader has read enough ends without an error', async () => {
  const args = [compiled('src/main.js'), 'backtest', 'polls.ndjson'];
  const child = spawn(process.execPath, args, { cwd: folder(), stdio: ['ignore', 'pipe', 'pipe'], timeout: 300_000 });
  child.stdout.destroy();
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [code] = await once(child, 'close');
  assert.deepEqual([code, err], [0, '']);
});

test('unreadable files are reported in words', () => {
  const dir = folder();
  assert.throws(() => recordingSize(join(dir, 'missing')), {
    message: /missing cannot be read: there is no such file$/,
  });
  assert.equal(
    recordingSize(dir),
    ['README.md', 'polls.ndjson'].reduce((sum, name) => sum + statSync(join(dir, name)).size, 0),
  );
  assert.equal(recordingSize(join(dir, 'empty')), 0);
  const size = recordingSize(dir);
  symlinkSync(join(dir, 'nowhere'), join(dir, 'to-nowhere'));
  symlinkSync('.', join(dir, 'to-itself'));
  symlinkSync('round', join(dir, 'round'));
  assert.equal(recordingSize(dir), size);
});

test('so does the bench', async () => {
  const dir = folder();
  for (const [args, says] of [
    ['--nonsense', /^bench: Unknown option '--nonsense'\n$/],
    ['--profile long', /^bench: --profile must be short or full, not long\n$/],
    ['--compare README.md', /^bench: README\.md: .*not valid JSON\n$/],
    ['--make-baseline out.json polls.ndjson', /^bench: polls\.ndjson: no run of the bench/],
  ] as const) {
    const { code, out, err } = await run('bench/main.js', args.split(' '), dir);
    assert.match(err, says, args);
    assert.deepEqual([code, out, err.trimEnd().split('\n').length], [2, '', 1], args);
  }
});
