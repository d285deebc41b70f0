// The entry point of `npm test`: passes the compiled test files to Node's own runner, in groups that share a process.
// Further arguments are passed to the runner: `npm test -- --test-name-pattern=x`.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENDED } from './group.js';

/** The longest ones, started first and each in its own process, so that no core waits for them at the end. */
const LONG: readonly string[] = ['cluster/nodes', 'dashboard/browser', 'history/kill', 'examples'];
/** Files that share a process. */
const GROUP_MAX = 10;
/** Folders of so few files share a process with others like them. */
const FEW = 3;
/** Limit of a process (ms); one for each file in it is lower. */
const PROCESS_MS_MAX = 300_000;

const tests = fileURLToPath(new URL('.', import.meta.url));
const names = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.js'))
  .map((name) => name.replaceAll('\\', '/').slice(0, -'.test.js'.length))
  .sort();

/** A process whose memory is measured runs nothing else. */
const measuresMemory = (name: string): boolean =>
  /\bmemoryUsage\(/.test(readFileSync(join(tests, `${name}.test.js`), 'utf8'));

const missing = LONG.filter((name) => !names.includes(name));
if (missing.length > 0) throw new Error(`no such test files: ${missing.join(', ')}`);
const others = names.filter((name) => !LONG.includes(name));
const alone = others.filter(measuresMemory);

/** The other files of each folder, those of small folders together, at most GROUP_MAX in one. */
function groups(): string[][] {
  const folders = new Map<string, string[]>();
  for (const name of others) {
    if (alone.includes(name)) continue;
    const folder = name.includes('/') ? name.slice(0, name.indexOf('/')) : '';
    folders.set(folder, [...(folders.get(folder) ?? []), name]);
  }
  const small = [...folders.values()].filter((files) => files.length <= FEW);
  const large = [...folders.values()].filter((files) => files.length > FEW);
  return [...large, small.flat()].flatMap((files) => {
    const parts = Math.ceil(files.length / GROUP_MAX);
    const each = Math.ceil(files.length / parts);
    return Array.from({ length: parts }, (_, part) => files.slice(part * each, (part + 1) * each));
  });
}

// The runner starts files in the order of their names.
const folder = join(tests, '..', 'test-groups');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
writeFileSync(ENDED, '');
const entries = [...LONG.map((name) => [name]), ...groups(), ...alone.map((name) => [name])].map((files, index) => {
  const first = files[0]!.replaceAll('/', '-');
  const path = join(folder, `${String(index).padStart(3, '0')}-${first}${files.length > 1 ? '-and-on' : ''}.test.js`);
  writeFileSync(path, `import { group } from '../test/group.js';\n\nawait group(${JSON.stringify(files, null, 2)});\n`);
  return path;
});

// Much of a test's time is waiting for sockets, threads and disks: one process more than there are cores.
const concurrency = availableParallelism() + 1;
const args = [
  '--test',
  `--test-timeout=${PROCESS_MS_MAX}`,
  `--test-concurrency=${concurrency}`,
  ...process.argv.slice(2),
  ...entries,
];
const runner = spawn(process.execPath, args, { stdio: 'inherit' });
runner.on('error', (error) => {
  process.stderr.write(`the tests cannot be run: ${error.message}\n`);
  process.exitCode = 1;
});
// The runner receives Ctrl+C as well, and ends with the results so far.
process.on('SIGINT', () => undefined);
runner.on('exit', (code) => {
  process.exitCode = code ?? 1;
  // Further arguments may have left files out.
  if (code === 0 || process.argv.length > 2) return;
  const ended = new Set(readFileSync(ENDED, 'utf8').split('\n'));
  const lost = names.filter((name) => !ended.has(name));
  if (lost.length > 0) process.stderr.write(`files that did not come to their end: ${lost.join(', ')}\n`);
});
