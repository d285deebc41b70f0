// Runs npm scripts side by side, as lint uses the core that the compiler leaves idle: node build/side-by-side.mjs lint build
import { spawn } from 'node:child_process';

const run = (script) =>
  new Promise((resolve) => {
    const options = { stdio: 'inherit', shell: process.platform === 'win32' };
    spawn('npm', ['run', '-s', script], options).on('exit', (code) => resolve(code === 0));
  });
const passed = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = passed.every(Boolean) ? 0 : 1;
