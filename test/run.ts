// The entry point of `npm test` and `npm run test:system`: passes the compiled test files to Node's own runner, in a few
// processes that share a queue. `--system` takes those that need more than this process (see CONTRIBUTING); paths take the
// files they begin, of both kinds; what else begins with a dash is passed to the runner.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { servingNode } from '../src/cli/serving-node.js';
import { ENDED, QUEUE, SUMMARY } from './queue.js';

/** The longest ones, taken first, so that no core waits for them at the end. */
const LONG: readonly string[] = [
  'dashboard/everywhere.system',
  'dashboard/desk.system',
  'dashboard/browser.system',
  'graded-bot.system',
  'tables/delayed/delayed-table.system',
  'engine/replay/served-recording.system',
  'worth-it.system',
  'store/history/kill.system',
  'store/checkpoints.system',
  'store/history/past.system',
  'cli/supervise.system',
  'world/law',
  'front/openapi',
];
/** These mostly wait, for leases and time limits: one process takes them first, beside others that compute. */
const WAITING =
  /^(?:replication\/nats\/|intake\/feeds\/(?:(?:betfair|kalshi|polymarket|sharpapi)\/|silence)|dashboard\/refusals|readme-snippets)/;
/** How many of the costliest files are named at the end. */
const SHOWN = 15;
/** Limit of a process (ms); one for each file in it is lower. */
const PROCESS_MS_MAX = 5_400_000;

const given = process.argv.slice(2);
const paths = given.filter((each) => !each.startsWith('-')).map((each) => each.replace(/^test\/|\.test\.[jt]s$/g, ''));
const system = given.includes('--system');
const flags = given.filter((each) => each.startsWith('-') && each !== '--system');

// By their sources: what was built may still be there of a file that is not.
const tests = fileURLToPath(new URL('.', import.meta.url));
const sources = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => name.replaceAll('\\', '/').slice(0, -'.test.ts'.length))
  .sort();
const names = sources.filter((name) =>
  paths.length > 0 ? paths.some((path) => name.startsWith(path)) : name.endsWith('.system') === system,
);
if (names.length === 0) throw new Error(`no test file begins with ${paths.join(' or ')}`);

/** A process whose memory is measured runs nothing else. */
const measuresMemory = (name: string): boolean =>
  /\bmemoryUsage\(/.test(readFileSync(join(tests, `${name}.test.js`), 'utf8'));

const missing = LONG.filter((name) => !sources.includes(name));
if (missing.length > 0) throw new Error(`no such test files: ${missing.join(', ')}`);
const others = names.filter((name) => !LONG.includes(name));
const alone = others.filter(measuresMemory);
const shared = others.filter((name) => !alone.includes(name));
const waiting = shared.filter((name) => WAITING.test(name));
const computing = [...LONG.filter((name) => names.includes(name)), ...shared.filter((name) => !WAITING.test(name))];

rmSync(QUEUE, { recursive: true, force: true });
mkdirSync(QUEUE);
writeFileSync(ENDED, '');
writeFileSync(SUMMARY, '');
const entry = (title: string, files: readonly string[]): string => {
  const path = join(QUEUE, `${title}.test.js`);
  writeFileSync(
    path,
    `import { takeFiles } from '../test/queue.js';\n\nawait takeFiles(${JSON.stringify(files, null, 2)});\n`,
  );
  return path;
};
// Much of a test's time is waiting for sockets, threads and disks: two processes more than there are cores. They begin
// with those that run alone, as the runner starts processes in the order of their names.
const concurrency = Math.min(availableParallelism() + 2, names.length);
const entries = [
  ...Array.from({ length: concurrency - 1 }, (_, i) => entry(`1-queue-${i + 1}`, [...computing, ...waiting])),
  ...alone.map((name) => entry(`2-${name.replaceAll('/', '-')}`, [name])),
  entry(`3-queue-${concurrency}`, [...waiting, ...computing]),
];

const args = [
  '--test',
  `--test-timeout=${PROCESS_MS_MAX}`,
  `--test-concurrency=${concurrency}`,
  '--test-reporter=tap',
  '--test-reporter-destination=stdout',
  `--test-reporter=${new URL('summary.js', import.meta.url).href}`,
  `--test-reporter-destination=${SUMMARY}`,
  ...flags,
  ...entries,
];
// Under the Node.js that the program itself would run under.
const node = await import('../src/front/http/uws.js').then(
  () => process.execPath,
  (error: Error) => servingNode(process.env, error.message, (line) => process.stderr.write(line)),
);
const runner = spawn(node, args, { stdio: 'inherit' });
runner.on('error', (error) => {
  process.stderr.write(`the tests cannot be run: ${error.message}\n`);
  process.exitCode = 1;
});
// The runner receives Ctrl+C as well, and ends with the results so far.
process.on('SIGINT', () => undefined);
runner.on('exit', (code) => {
  process.exitCode = code ?? 1;
  const costs = readFileSync(ENDED, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ') as [string, string])
    .sort((a, b) => Number(b[1]) - Number(a[1]));
  const total = costs.reduce((sum, [, cpu]) => sum + Number(cpu), 0);
  const most = costs.slice(0, SHOWN).map((cost) => cost.join(' '));
  process.stdout.write(`${costs.length} files took ${total.toFixed(0)} s of processors, most: ${most.join(', ')}\n`);
  process.stdout.write(readFileSync(SUMMARY));
  // The runner's own arguments may have left files out.
  if (code === 0 || flags.length > 0) return;
  const ended = new Set(costs.map(([name]) => name));
  const lost = names.filter((name) => !ended.has(name));
  if (lost.length > 0) process.stderr.write(`files that did not come to their end: ${lost.join(', ')}\n`);
});
