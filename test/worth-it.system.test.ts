// The commands of docs/guides/worth-it.md as they stand: over the simulated market.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { SimMarket } from '../src/intake/feeds/sim/market.js';
import { loadCatalogue } from '../src/rules/catalogue/load.js';
import type { ClvGroup } from '../src/schema/clv.js';
import { blocksOf } from './support/page-blocks.js';
import { eventually } from './support/until.js';
import { newFolder } from './temp-folders.js';

const [RECORD, RESULTS, GRADE, SERVE, ASK] = blocksOf('docs/guides/worth-it.md', 'sh') as [
  string,
  string,
  string,
  string,
  string,
];
const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url));
const tools = ['bash', 'curl', 'gzip', 'grep', 'sed'];
const missing = tools.find((tool) => spawnSync(tool, ['--version']).status !== 0);
const skip = missing === undefined ? false : `${missing} is missing`;
const HOUR_MS = 3_600_000;
const catalogue = loadCatalogue();

/** A folder in which `overround` is the program. */
function machine() {
  const dir = newFolder('overround-worth-');
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  const shim = `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`;
  writeFileSync(join(bin, 'overround'), shim, { mode: 0o755 });
  const path = [bin, join(process.execPath, '..'), process.env['PATH']].join(delimiter);
  const options = { cwd: dir, env: { PATH: path, HOME: dir }, maxBuffer: 2 ** 28 };
  const paste = (text: string, env: Record<string, string> = {}) =>
    new Promise<string>((done) =>
      execFile('bash', ['-c', text], { ...options, env: { ...options.env, ...env } }, (_error, out, err) =>
        done(out + err),
      ),
    );
  return { dir, options, paste };
}

/** Looked at for some seconds twice an hour, for half a day: what a recorder brings home in that time. */
function simulatedSeason(): Buffer {
  const begin = Date.parse('2026-11-20T16:00:00Z');
  const market = new SimMarket({ seed: 5, books: 8, events: 12, rate: 40, depth: 0 }, catalogue, begin);
  const lines: string[] = [];
  for (let look = begin; look < begin + 12 * HOUR_MS; look += HOUR_MS / 2)
    for (let at = look; at <= look + 8_000; at += 1_000)
      for (const message of market.step(at)) lines.push(JSON.stringify({ simulated: true, ...message }));
  return gzipSync(`${lines.join('\n')}\n`, { level: 1 });
}

function groupsIn(dir: string): ClvGroup[] {
  return (JSON.parse(readFileSync(join(dir, 'worth.json'), 'utf8')) as { groups: ClvGroup[] }).groups;
}

const sum = (groups: readonly ClvGroup[], field: 'total_settled' | 'total_graded' | 'total_predictions') =>
  groups.reduce((all, group) => all + group[field], 0);

/** What runs until it is told to end, started by a pasted command, in a group of its own with the shell. */
function running(t: TestContext, text: string, options: ReturnType<typeof machine>['options']) {
  const child: ChildProcess = spawn('bash', ['-c', text], { ...options, detached: true });
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid!, 'SIGTERM');
    await once(child, 'exit');
  });
  let shown = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (bytes: Buffer) => (shown += bytes));
  return { child, output: () => shown };
}

test('a simulated season is recorded, graded and asked for with the commands of the page', { skip }, async (t) => {
  const { dir, options, paste } = machine();
  const file = join(dir, 'season.ndjson.gz');
  const recording = running(t, RECORD, options);
  await eventually(() => assert.ok(existsSync(file) && statSync(file).size > 0, recording.output()), 60_000);
  // As Ctrl-C does.
  process.kill(-recording.child.pid!, 'SIGINT');
  await once(recording.child, 'close');
  assert.match(recording.output(), /recorded [1-9]\d* messages/);
  const [first] = gunzipSync(readFileSync(file)).toString().split('\n');
  assert.equal((JSON.parse(first!) as { simulated: boolean }).simulated, true);
  // Games take hours.
  writeFileSync(file, simulatedSeason());
  assert.equal(await paste(RESULTS), '');
  const said = await paste(GRADE);
  const groups = groupsIn(dir);
  assert.ok(sum(groups, 'total_settled') > 10 && sum(groups, 'total_graded') > 10, JSON.stringify(groups));
  const lines = said.trim().split('\n').slice(-groups.length);
  assert.deepEqual(
    lines.map((line) => line.split(/ +/)).map(([key, , , , , settled, , roi, error]) => [key, settled, roi, error]),
    groups.map(({ group_key, total_settled, roi_percent, roi_error_percent }) => [
      group_key,
      String(total_settled),
      roi_percent?.toFixed(2) ?? '-',
      roi_error_percent?.toFixed(2) ?? '-',
    ]),
  );

  const { output } = running(t, SERVE.replace('8081', '0'), options);
  await eventually(() => assert.match(output(), /"msg":"listening"/), 60_000);
  const port = /"msg":"listening".*"port":(\d+)/.exec(output())![1]!;
  const KEY = /sk_(?:live|test)_[\w-]+/.exec(output())![0];
  const ask = () => paste(ASK.replaceAll('8081', port), { KEY });
  await eventually(async () => {
    const [clv, predictions] = (await ask()).split(/(?<=\})(?=\{"success")/).map((text) => JSON.parse(text));
    const served = clv.data.groups as ClvGroup[];
    assert.equal(sum(served, 'total_settled'), sum(groups, 'total_settled'));
    assert.ok(predictions.data.length > 0 && predictions.data[0].result !== undefined, JSON.stringify(predictions));
  }, 60_000);
});
