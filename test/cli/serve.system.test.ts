// `overround serve` as a process of its own: what it does to a reader that goes away, and on a Node it has no binary for.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/base/model/clock.js';
import { FOUND } from '../../src/cli/serving-node.js';
import { openDataDirectory } from '../../src/store/data-directory.js';
import { at, wandering } from '../engine/replay/recordings.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { newFolder } from '../temp-folders.js';

const MAIN = new URL('../../src/main.js', import.meta.url).pathname;

interface Started {
  child: ChildProcess;
  /** What it has written so far to standard output and standard error. */
  text(): string;
}

function start(t: TestContext, command: readonly string[], flags: readonly string[] = [], env = {}): Started {
  const args = ['serve', '--port', '0', '--data', newFolder(), '--workers', '1', '--feed', 'none', ...flags];
  const [program, ...before] = command;
  const child = spawn(program!, [...before, MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (bytes: Buffer) => (text += bytes));
  return { child, text: () => text };
}

async function port({ child, text }: Started): Promise<string> {
  for (;;) {
    const found = /"msg":"listening".*"port":(\d+)/.exec(text());
    if (found !== null) return found[1]!;
    assert.equal(child.exitCode, null, text());
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function cleanEnd({ child }: Started): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
}

test('a server whose output is no longer read continues, and ends on SIGTERM', async (t) => {
  // At this level every request is a line.
  const started = start(t, [process.execPath], ['--log', 'debug']);
  const url = `http://127.0.0.1:${await port(started)}/api/v1/sports`;
  started.child.stdout!.destroy();
  started.child.stderr!.destroy();
  for (let i = 0; i < 5; i++) assert.equal((await fetch(url)).status, 200);
  await cleanEnd(started);
});

test('a directory of the simulated market that is opened without it says what it holds, and shows no test keys', async (t) => {
  const data = newFolder();
  await openDataDirectory(data, 1, systemClock, { simulated: true }).close();
  const started = start(t, [process.execPath], ['--data', data]);
  await port(started);
  assert.match(started.text(), /SIMULATED odds/);
  assert.doesNotMatch(started.text(), /sk_test/);
  await cleanEnd(started);
});

test('a server whose output is closed before the banner serves, and ends on SIGTERM', {
  skip: process.platform === 'win32' ? 'needs a POSIX shell' : false,
}, async (t) => {
  const free = String(await freePort());
  const shell = [
    'sh',
    '-c',
    'mkfifo "$0"; (exec <"$0") & exec "$@" >"$0"',
    join(newFolder(), 'pipe'),
    process.execPath,
  ];
  const started = start(t, shell, ['--log', 'debug', '--port', free]);
  for (;;) {
    assert.equal(started.child.exitCode, null, started.text());
    const answer = await fetch(`http://127.0.0.1:${free}/api/v1/sports`).catch(() => undefined);
    if (answer?.status === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  // By then it has logged where it listens.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await cleanEnd(started);
});

test('a limit of open files that is too low even for the start is said in one line', {
  skip: process.platform !== 'linux' && 'the limit is not read elsewhere before the start',
}, async (t) => {
  const { child, text } = start(t, ['sh', '-c', 'ulimit -n 64 && exec "$0" "$@"', process.execPath]);
  assert.deepEqual(await once(child, 'close'), [1, null]);
  assert.equal(text(), 'overround: the limit of open files (ulimit -n) is 64, and at least 512 are needed: raise it\n');
  const least = start(t, ['sh', '-c', 'ulimit -n 512 && exec "$0" "$@"', process.execPath]);
  await port(least);
  await cleanEnd(least);
});

test('at the limit of open files further connections are refused at once and existing ones continue', {
  skip: process.platform === 'win32' ? 'needs a POSIX shell' : false,
}, async (t) => {
  // The server needs fewer, but Node opens the files of hundreds of modules at once while it starts.
  const started = start(t, ['sh', '-c', 'ulimit -n 1024 && exec "$0" "$@"', process.execPath]);
  const address = Number(await port(started));
  const limits = /"files_max":1024,"files_open":(\d+),"connections_max":(\d+)/.exec(started.text());
  assert.ok(limits !== null, started.text());
  const most = Number(limits[2]);
  assert.ok(most >= 64 && most + Number(limits[1]) < 1024);
  const clients = Array.from({ length: 1_200 }, () => {
    const seen = { text: '', socket: connect(address, '127.0.0.1') };
    seen.socket.on('error', () => undefined);
    seen.socket.on('data', (bytes) => (seen.text += bytes.toString('latin1')));
    seen.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    return seen;
  });
  await until('an answer for each', () => clients.every(({ text }) => text !== ''));
  const served = clients.filter(({ text }) => text.startsWith('HTTP/1.1 200'));
  const refused = clients.filter(({ text }) => text.startsWith('HTTP/1.1 503'));
  assert.equal(served.length + refused.length, clients.length);
  // Of answers that nobody is charged for some end their connection, whose place a later one may have taken.
  const lasting = served.filter(({ text }) => !/^connection: close/im.test(text));
  assert.ok(served.length >= most && lasting.length <= most, `${served.length}, ${lasting.length} of ${most}`);
  assert.ok(lasting.length > most / 2);
  for (const seen of lasting) {
    seen.text = '';
    seen.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  }
  await until('another answer for each', () => lasting.every(({ text }) => text !== ''));
  for (const { socket } of clients) socket.destroy();
  await cleanEnd(started);
});

test('where no Node with a binary of uWebSockets can be had the program does not start and prints one line that says what to do', async (t) => {
  const versions = "Object.defineProperty(process, 'versions', { value: { ...process.versions, modules: '1' } });";
  const preloaded = `data:text/javascript,${encodeURIComponent(versions)}`;
  const started = start(t, [process.execPath, '--import', preloaded], [], { [FOUND]: '1' });
  const [code] = await once(started.child, 'close');
  assert.equal(code, 1);
  const lines = started.text().trim().split('\n');
  assert.equal(lines.length, 1, started.text());
  assert.match(lines[0]!, /^overround: uWebSockets\.js has no binary .*run it with Node 22 on Linux with glibc/);
});

test('on a Node that is too old the program prints one line that says which it needs', async (t) => {
  const versions = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });";
  const started = start(t, [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(versions)}`]);
  const [code] = await once(started.child, 'close');
  assert.equal(code, 1);
  assert.equal(
    started.text(),
    'overround: needs Node 20.19 or newer, and this is 18.20.4 (npx -p node@22 npm start)\n',
  );
});

test('the entry point imports no module of ours before it has looked at the version', () => {
  const text = readFileSync('src/main.ts', 'utf8');
  assert.doesNotMatch(text, /^import (?!type ).*'\.\//m);
});

test('a seek back of a recording begins it anew at the same address with the same key, paused as it was, whoever is connected', async (t) => {
  const file = wandering(3, 100);
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', '--replay', file, '--from', at(40)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  child.stdout.on('data', (bytes: Buffer) => (text += bytes));
  const started = { child, text: () => text };
  const url = `http://127.0.0.1:${await port(started)}/api/v1`;
  const key = /\(enterprise, ingest\): (\S+)/.exec(text)![1]!;
  const act = async (action: object) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const response = await fetch(`${url}/replay`, { method: 'POST', headers, body: JSON.stringify(action) });
    return ((await response.json()) as { data: { at: string; state: string } }).data;
  };
  await act({ action: 'pause' });
  await act({ action: 'speed', speed: 50 });
  assert.equal((await act({ action: 'step', until: at(60) })).at, at(60));
  assert.equal((await act({ action: 'seek', to: at(30) })).state, 'seeking');
  for (;;) {
    assert.equal(child.exitCode, null, text);
    const health = await fetch(`${url}/health`).then(
      (response) => response.json() as Promise<{ replay: object }>,
      () => undefined,
    );
    if (health !== undefined && JSON.stringify(health.replay).includes('paused')) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.deepEqual(await act({ action: 'step', messages: 1 }), { at: at(35), speed: 50, state: 'paused' });
  await cleanEnd(started);
});

test('the MCP SDK is loaded by the time that it listens: no request waits for its modules', async (t) => {
  const notes = `
    import Module from 'node:module';
    const load = Module._load;
    Module._load = function (name, ...rest) {
      if (name === '@modelcontextprotocol/server') process.stdout.write('loads the SDK\\n');
      return load.call(this, name, ...rest);
    };`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(notes)}` };
  const started = start(t, [process.execPath], [], env);
  await port(started);
  const [before] = started.text().split('"msg":"listening"');
  assert.ok(before!.includes('loads the SDK'), before);
});
