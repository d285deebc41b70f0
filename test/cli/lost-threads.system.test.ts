// The program when its threads end by themselves: at its start, while it serves, and while it ends.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { event, message, moneyline } from '../intake/ingest/messages.js';
import { until } from '../support/until.js';
import { newFolder } from '../temp-folders.js';

const MAIN = new URL('../../src/main.js', import.meta.url).pathname;

/** Loaded before the program, and by each of its threads before its file. */
function inThreads(kind: 'shard' | 'history', code: string): string {
  const text = `
    import { existsSync, writeFileSync } from 'node:fs';
    import { isMainThread, workerData } from 'node:worker_threads';
    const data = Array.isArray(workerData) ? workerData.at(-1) : workerData;
    const kind = data?.guard !== undefined ? 'shard' : 'history';
    if (!isMainThread && kind === '${kind}') { ${code} }`;
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

interface Started {
  child: ChildProcess;
  out(): string;
  err(): string;
}

function start(t: TestContext, dataDir: string, preloaded: string): Started {
  const args = ['serve', '--port', '0', '--data', dataDir, '--workers', '1', '--feed', 'none', '--log', 'error'];
  const child = spawn(process.execPath, ['--import', preloaded, MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  const texts = { out: '', err: '' };
  child.stdout.on('data', (bytes: Buffer) => (texts.out += bytes));
  child.stderr.on('data', (bytes: Buffer) => (texts.err += bytes));
  return { child, out: () => texts.out, err: () => texts.err };
}

for (const [kind, name, code, why] of [
  ['shard', 'the thread of shard 0', 'process.exit(0);', 'it exited with code 0'],
  ['history', 'the history thread', "throw new Error('half of a file');", 'half of a file'],
] as const)
  test(`a server whose ${kind} thread ends at its start does not serve: one line says why, and the exit code is 1`, async (t) => {
    const { child, out, err } = start(t, newFolder(), inThreads(kind, code));
    const [exitCode] = await once(child, 'close');
    assert.equal(exitCode, 1, out());
    assert.equal(err(), `overround: ${name} failed at its start: ${why}\n`);
    assert.ok(!out().includes('listening'), out());
  });

test('while a thread cannot be replaced ingest is refused and the rest is served; a thread that hangs does not hold up the end', async (t) => {
  const dataDir = newFolder();
  const files = newFolder();
  const file = (name: string): string => join(files, name);
  const made = execFileSync(
    process.execPath,
    [MAIN, 'keys', 'create', '--data', dataDir, '--tier', 'enterprise', '--scope', 'ingest'],
    { encoding: 'utf8' },
  );
  const { key } = JSON.parse(made) as { key: string };
  const { child, out, err } = start(
    t,
    dataDir,
    inThreads(
      'shard',
      `if (existsSync('${file('gone')}')) process.exit(0);
      setInterval(() => {
        if (existsSync('${file('gone')}')) process.exit(0);
        if (!existsSync('${file('hangs')}')) return;
        writeFileSync('${file('hanging')}', '');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      }, 20).unref();`,
    ),
  );
  while (!out().includes('listening')) await once(child.stdout!, 'data');
  const url = `http://127.0.0.1:${/"port":(\d+)/.exec(out())![1]}`;
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const post = async (home: number): Promise<number> => {
    const body = JSON.stringify(message([event([moneyline(home, -130)])], { polled_at: new Date().toISOString() }));
    return (await fetch(`${url}/api/v1/ingest`, { method: 'POST', headers, body })).status;
  };
  const get = async (path: string): Promise<number> => (await fetch(`${url}${path}`, { headers })).status;
  assert.equal(await post(110), 200);
  writeFileSync(file('gone'), '');
  while (!out().includes('could not be started')) await once(child.stdout!, 'data');
  assert.equal(await post(111), 503);
  assert.equal(await get('/api/v1/odds'), 200);
  assert.equal(await get('/api/v1/opportunities/ev'), 200);
  assert.equal(await get('/api/v1/opportunities/ev?sportsbook=draftkings,betmgm'), 503, 'its universe is new');
  const health = await (await fetch(`${url}/api/v1/health`, { headers })).text();
  assert.match(health, /"status":"degraded".*shard 0 could not be started and takes nothing/);
  rmSync(file('gone'));
  while ((await post(112)) !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(await get('/api/v1/opportunities/ev?sportsbook=draftkings,betmgm'), 200);

  writeFileSync(file('hangs'), '');
  await until('the thread to hang', () => existsSync(file('hanging')));
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [1, null]);
  // Usage is stored before, unless the thread had a batch by then.
  assert.match(
    err(),
    /^overround: ended by force 8\.5 s after SIGTERM: still waiting for the shards(?:, to store usage)?\n$/,
  );
});
