// Who may read a data directory: its owner alone, whatever the process's umask is, and nobody finds a key in it.
import assert from 'node:assert/strict';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startServer } from '../../src/server/start.js';
import { listenPrivately, localSocketPath, lockDirectory } from '../../src/store/directory-lock.js';
import { makePrivate } from '../../src/store/private-files.js';
import { newFolder } from '../temp-folders.js';

const skip = process.platform === 'win32' ? 'Windows has no such modes' : false;

/** Everything below a path, with its mode. */
function modesIn(path: string): [path: string, mode: string][] {
  const found = lstatSync(path);
  const own: [string, string] = [path, (found.mode & 0o777).toString(8)];
  return found.isDirectory() ? [own, ...readdirSync(path).flatMap((name) => modesIn(join(path, name)))] : [own];
}

function assertPrivate(path: string): void {
  const open = modesIn(path).filter(([each, mode]) => mode !== (lstatSync(each).isDirectory() ? '700' : '600'));
  assert.deepEqual(open, []);
}

function openUmask(t: TestContext): void {
  const before = process.umask(0o000);
  t.after(() => process.umask(before));
}

async function started(data: string) {
  const settings = { port: '0', data, workers: '2', log: 'silent', history: '1' };
  return startServer({ settings });
}

test('a data directory is its owner’s alone and holds no key, while a server runs and after it', {
  skip,
}, async (t) => {
  openUmask(t);
  const data = join(newFolder(), 'above', 'data');
  const running = await started(data);
  t.after(() => running.close());
  const own = running.ownKey('enterprise')!;
  const headers = { 'x-api-key': own, 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const response = await fetch(`${running.url}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, await response.clone().text());
    return (await response.json()) as { data: { key: string; token: string } };
  };
  const made = (await post('/account/keys', { name: 'second' })).data.key;
  const { token } = (await post('/account/tokens', { ttl_s: 60 })).data;
  const target = { type: 'webhook', url: 'https://example.com/' };
  await post('/account/alerts', { name: 'a', channel: 'ev', target });
  await fetch(`${running.url}/api/v1/odds?api_key=${made}`);
  const secrets = [own, made, token].map((secret) => secret.slice(12, -4));
  assertPrivate(join(data, '..'));
  await running.close();
  assertPrivate(join(data, '..'));
  const files = modesIn(data).filter(([path]) => lstatSync(path).isFile());
  assert.ok(files.length > 8, 'there is something to look at');
  for (const [path] of files) {
    const bytes = readFileSync(path, 'latin1');
    for (const secret of secrets) assert.ok(!bytes.includes(secret), path);
  }
});

test('a directory that others could read is closed to them at the start, and nothing beside it is touched', {
  skip,
}, async (t) => {
  openUmask(t);
  const data = newFolder();
  mkdirSync(join(data, 'project'));
  await (await started(data)).close();
  for (const [path] of modesIn(data)) chmodSync(path, lstatSync(path).isDirectory() ? 0o777 : 0o666);
  await (await started(data)).close();
  assert.equal((lstatSync(join(data, 'project')).mode & 0o777).toString(8), '777');
  rmSync(join(data, 'project'), { recursive: true });
  assertPrivate(data);
});

test('local sockets are for their user alone, also those that do not fit into the data directory', {
  skip,
}, async (t) => {
  openUmask(t);
  for (const data of [newFolder(), join(newFolder(), 'x'.repeat(100))]) {
    mkdirSync(data, { recursive: true });
    const unlock = await lockDirectory(data);
    t.after(unlock);
    const path = localSocketPath(data, 'log');
    const server = createServer();
    await listenPrivately(server, path);
    t.after(() => server.close());
    for (const each of [path, localSocketPath(data)]) assert.equal(lstatSync(each).mode & 0o777, 0o600, each);
    const folder = dirname(path);
    if (!folder.startsWith(data)) {
      t.after(() => rmSync(folder, { recursive: true, force: true }));
      assert.equal(dirname(folder), tmpdir());
      assert.equal(lstatSync(folder).mode & 0o777, 0o700);
      chmodSync(folder, 0o755);
      assert.throws(() => localSocketPath(data, 'other'), /open to others/);
      chmodSync(folder, 0o700);
    }
  }
});

test('a directory that may be read and not written is refused with the same reason', {
  skip: process.geteuid?.() !== 0 && 'only root can make one for another user',
}, async (t) => {
  const made = newFolder();
  chmodSync(made, 0o755);
  process.seteuid!(65_534);
  t.after(() => process.seteuid!(0));
  await assert.rejects(lockDirectory(made), new RegExp(`${made} belongs to user 0, and this process is user 65534: `));
});

test('a directory that root made is refused to the service with the reason and what would help', {
  skip: process.geteuid?.() !== 0 && 'only root can make one for another user',
}, () => {
  const made = newFolder();
  chmodSync(made, 0o755);
  for (const name of ['', 'control']) {
    const path = join(made, name);
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o700);
    process.seteuid!(65_534);
    try {
      const help = new RegExp(`${made} belongs to user 0, and this process is user 65534: .*chown -R USER ${made}\\)$`);
      assert.throws(() => makePrivate(made), { message: name === '' ? help : /control belongs to user 0/ });
    } finally {
      process.seteuid!(0);
    }
    chmodSync(made, 0o755);
  }
});
