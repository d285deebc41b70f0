// `npm test` ends here: hands every compiled test file to node's own runner, so that no shell has to list them (Windows has
// no `find`, and node takes patterns from 21 only). Further arguments are the runner's: `npm test -- --test-name-pattern=x`.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.js'))
  .sort()
  .map((name) => join(folder, name));
// Much of a test is waiting for sockets, threads and disks: one more than there are cores keeps them busy.
const concurrency = availableParallelism() + 1;
const args = [
  '--test',
  '--test-timeout=180000',
  `--test-concurrency=${concurrency}`,
  ...process.argv.slice(2),
  ...files,
];
const runner = spawn(process.execPath, args, { stdio: 'inherit' });
runner.on('error', (error) => {
  process.stderr.write(`the tests cannot be run: ${error.message}\n`);
  process.exitCode = 1;
});
// Ctrl+C reaches the runner by itself: it ends with what it has.
process.on('SIGINT', () => undefined);
runner.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
