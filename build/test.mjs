// What `npm test` and `npm run test:system` do: lint beside the build, as it uses the core that the compiler leaves idle,
// then the tests. What is built is kept, and made again where its sources changed. With paths of tests the build is
// neither checked nor linted, so that a few files' tests begin within seconds: npm test -- table/row-bytes
import { spawn } from 'node:child_process';

const run = (command, args) =>
  new Promise((resolve) => {
    const options = { stdio: 'inherit', shell: process.platform === 'win32' };
    spawn(command, args, options).on('exit', (code) => resolve(code === 0));
  });
const npm = (script) => run('npm', ['run', '-s', script]);

const given = process.argv.slice(2);
const some = given.some((each) => !each.startsWith('-'));
const steps = some ? ['build:unchecked'] : given.includes('--system') ? ['build'] : ['lint', 'build'];
const passed = await Promise.all(steps.map(npm));
process.exitCode = passed.every(Boolean) && (await run('node', ['dist/test/run.js', ...given])) ? 0 : 1;
