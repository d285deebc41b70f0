// The commands of docs/guides/graded-bot.md as they stand. Of the recording they make only the beginning is played.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { reportTable, type SimulationReport } from '../src/cli/simulation-report.js';
import { blocksOf } from './support/page-blocks.js';
import { newFolder } from './temp-folders.js';

const PAGE = readFileSync('docs/guides/graded-bot.md', 'utf8');
const [RECORD, RUN, STREAM, PYTHON, KEEP] = blocksOf('docs/guides/graded-bot.md', 'sh');
const [, BUILD, GRADE] = [...PAGE.matchAll(/^ +- run: (.*)$/gm)].map(([, line]) => line!);
/** Of the recording, the last time all of it. In which of them the bot finds a bet depends on the time of day. */
const LINES = [500, 4_000, Number.POSITIVE_INFINITY];
const tools = ['bash', 'gzip', 'grep', 'python3'].every((tool) => spawnSync(tool, ['--version']).status === 0);

/** A folder of the program in which npx starts it. */
function clone(): { dir: string; paste(text: string): Promise<{ code: number; text: string }> } {
  const dir = newFolder('overround-graded-');
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  const main = resolve('dist/src/main.js');
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${main}" "$@"\n`, { mode: 0o755 });
  for (const name of ['dist', 'examples']) symlinkSync(resolve(name), join(dir, name));
  const path = [bin, join(process.execPath, '..'), process.env['PATH']].join(delimiter);
  const env = { HOME: dir, PATH: path, PYTHONPATH: resolve('python/src') };
  const paste = (text: string) =>
    new Promise<{ code: number; text: string }>((resolve) => {
      const child = execFile('bash', ['-ec', text], { env, cwd: dir, maxBuffer: 2 ** 28 }, (_error, out, err) =>
        resolve({ code: child.exitCode ?? 1, text: out + err }),
      );
    });
  return { dir, paste };
}

test('a stranger grades a bot, in TypeScript and Python alike, and a build fails when it gets worse', {
  skip: !tools && 'bash, gzip, grep or python3 is missing',
}, async () => {
  const { dir, paste } = clone();
  const done = async (text: string): Promise<string> => {
    const { code, text: shown } = await paste(text);
    assert.equal(code, 0, shown);
    return shown;
  };
  const reported = (name: string) => JSON.parse(readFileSync(join(dir, name), 'utf8')) as SimulationReport;
  await done(RECORD!);
  const recording = join(dir, 'night.ndjson.gz');
  const lines = gunzipSync(readFileSync(recording)).toString().split('\n');
  assert.match(readFileSync(join(dir, 'results.ndjson'), 'utf8'), /"status":"final"/);

  let table = '';
  assert.ok(lines.length > 4_000);
  for (const played of LINES) {
    writeFileSync(recording, gzipSync(lines.slice(0, played).join('\n')));
    table = await done(RUN!);
    if (!/^all +0 /m.test(table)) break;
  }
  assert.match(table, /^all +[1-9]\d* [\s\S]*^deposits 10000\.00, cash /m);
  for (const [, head] of PAGE.matchAll(/^\| `([^|]*)` \|/gm))
    for (const column of head!.split('`, `')) assert.ok(table.includes(column), column);
  assert.match(readFileSync(join(dir, 'report.html'), 'utf8'), /<h2>Profit after each settlement/);

  await done(STREAM!);
  // How many bets arrive before the market has moved is the machine's.
  assert.ok(Number.isInteger(reported('streamed.json').total.bets));

  await done(PYTHON!);
  const report = reported('report.json');
  assert.ok(table.includes(reportTable(report)), 'both bots do the same');
  assert.equal(BUILD, `${RUN!.trim().replace('--html', '--json --html')} > report.json`);
  for (const name of Object.keys(report))
    assert.ok(['currency', 'deposits', 'cash'].includes(name) || PAGE.includes(name), name);

  await done(KEEP!);
  if (report.total.clv_percent !== null) await done(GRADE!);
  writeFileSync(join(dir, 'baseline.json'), JSON.stringify({ total: { bets: 90, clv_percent: 2, roi_percent: 1 } }));
  const grade = async (total: object): Promise<number> => {
    writeFileSync(
      join(dir, 'report.json'),
      JSON.stringify({ total: { bets: 90, clv_percent: 2, roi_percent: 1, ...total } }),
    );
    return (await paste(GRADE!)).code;
  };
  const codes = [];
  for (const total of [{}, { bets: 9 }, { clv_percent: -1 }, { clv_percent: null }, { roi_percent: -9 }])
    codes.push(await grade(total));
  assert.deepEqual(codes, [0, 1, 1, 1, 1]);
});
