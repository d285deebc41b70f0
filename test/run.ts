// `npm test` ends here: hands every compiled test file to node's own runner, so that no shell has to list them (Windows has
// no `find`, and node takes patterns from 21 only). Further arguments are the runner's: `npm test -- --test-name-pattern=x`.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.js'))
  .sort()
  .map((name) => join(folder, name));
const args = ['--test', '--test-timeout=180000', ...process.argv.slice(2), ...files];
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
