// The command that the banner prints makes a key for that very server, one that may stream, whichever way it was
// started and wherever the command is run.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { keyCommand, ownCommand } from '../../src/cli/command-context.js';
import { parseConfig } from '../../src/config/config.js';
import { newFolder } from '../temp-folders.js';

const MAIN = new URL('../../src/main.js', import.meta.url).pathname;
const run = promisify(execFile);
const skip = process.platform === 'win32' ? 'needs a POSIX shell' : false;

interface Printed {
  child: ChildProcess;
  url: string;
  command: string;
}

/** Starts a server in a folder of its own, with its data in a folder with a blank in its name below it. */
async function started(t: TestContext, [program, ...args]: readonly string[], env: object = {}): Promise<Printed> {
  const serve = ['serve', '--port', '0', '--workers', '1', '--feed', 'none', '--data', './my data', '--log', 'error'];
  const options = { cwd: newFolder(), env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] as const };
  const child = spawn(program!, [...args, ...serve], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  child.stdout!.on('data', (bytes: Buffer) => (text += bytes));
  while (!text.includes('"msg":"listening"')) {
    assert.equal(child.exitCode, null, text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const port = /"msg":"listening".*"port":(\d+)/.exec(text)![1];
  return { child, url: `http://127.0.0.1:${port}/api/v1`, command: /^ {2}(.* keys create .*)$/m.exec(text)![1]! };
}

async function worksFor({ child, url, command }: Printed, bin = newFolder()): Promise<void> {
  const PATH = [bin, join(process.execPath, '..'), process.env['PATH']].join(delimiter);
  const { stdout, stderr } = await run('sh', ['-c', command], { cwd: newFolder(), env: { PATH } });
  assert.equal(stderr, '');
  const { key } = JSON.parse(stdout) as { key: string };
  const abort = new AbortController();
  const stream = await fetch(`${url}/stream`, { headers: { 'x-api-key': key }, signal: abort.signal });
  assert.equal(stream.status, 200, await (stream.status === 200 ? '' : stream.text()));
  abort.abort();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

test('started by its path, as npm start and npx do, its command is that path', {
  skip: skip,
}, async (t) => {
  const printed = await started(t, [process.execPath, MAIN]);
  assert.match(printed.command, /^node \/.*\/main\.js keys create --tier pro --streaming --data '\/.*my data'$/);
  await worksFor(printed);
});

test('installed under its name, its command is that name; by npx it is not', {
  skip: skip,
}, async (t) => {
  const bin = newFolder();
  const link = join(bin, 'overround');
  symlinkSync(MAIN, link);
  const byNpx = ownCommand({ script: link, env: { npm_command: 'exec' }, hostname: 'h' });
  assert.equal(byNpx, `node ${link}`);
  const printed = await started(t, [process.execPath, link], { npm_command: '' });
  assert.match(printed.command, /^overround keys create /);
  const named = newFolder();
  writeFileSync(join(named, 'overround'), `#!/bin/sh\nexec node '${link}' "$@"\n`, { mode: 0o755 });
  await worksFor(printed, named);
});

test('in a container its command runs there', { skip }, async (t) => {
  const printed = await started(t, [process.execPath, MAIN], { OVERROUND_IMAGE: '1' });
  assert.ok(printed.command.startsWith(`docker exec ${hostname()} node ${MAIN} keys create`), printed.command);
  const bin = newFolder();
  writeFileSync(join(bin, 'docker'), `#!/bin/sh\ntest "$1 $2" = "exec ${hostname()}" && shift 2 && exec "$@"\n`, {
    mode: 0o755,
  });
  await worksFor(printed, bin);
});

test('for a cluster the command names the cluster in place of a directory', () => {
  const config = parseConfig({ cluster: 'nats://h1:4222,nats://h2:4222', 'cluster-name': 'odds' }, {});
  assert.equal(
    keyCommand('overround', config),
    'overround keys create --tier pro --streaming --cluster nats://h1:4222,nats://h2:4222 --cluster-name odds',
  );
});
