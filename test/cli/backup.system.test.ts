// `overround backup` beside a server under a storm of posts, and of directories that cannot be copied whole.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { FRAME, FrameReader, numberedFrameOf, readNumbered } from '../../src/replication/local/frames.js';
import { LOG_SOCKET } from '../../src/replication/local/log-server.js';
import { encodeAnswer, encodeRequest } from '../../src/replication/requests/requests.js';
import { localSocketPath } from '../../src/store/directory-lock.js';
import { openShardEnv, readMeta, readVersion, STORE_VERSION, writeMeta } from '../../src/store/shard-env.js';
import { freePort } from '../support/free-port.js';
import { startFronts } from '../support/processes.js';
import { boot } from '../support/server.js';
import { newFolder } from '../temp-folders.js';

const run = promisify(execFile);
const MAIN = new URL('../../src/main.js', import.meta.url).pathname;
const LEAGUES = ['nba', 'nhl'];
const GAMES = 20;
/** The same over the turn of an hour. */
const START = `${new Date(Date.now() + 7_200_000).toISOString().slice(0, 14)}00:00Z`;

interface Backup {
  out: string;
  position: number;
  bytes: number;
}

async function backup(data: string, out: string): Promise<Backup> {
  const { stdout } = await run(process.execPath, [MAIN, 'backup', '--data', data, '--out', out]);
  return JSON.parse(stdout) as Backup;
}

async function backupFrom(url: string, key: string, out: string): Promise<Backup> {
  const { stdout } = await run(process.execPath, [MAIN, 'backup', '--url', url, '--key', key, '--out', out]);
  return JSON.parse(stdout) as Backup;
}

/** Its code and what it said. */
async function refused(made: Promise<unknown>): Promise<[unknown, string]> {
  const failure = await made.then(
    () => assert.fail('it was copied'),
    (error: { code: unknown; stderr: string }) => error,
  );
  return [failure.code, failure.stderr];
}

/** A poll in which the price of every game tells its number, in two shards. */
function polls(no: number): object[] {
  const games = (league: string): object[] =>
    Array.from({ length: GAMES }, (_, i) => ({
      league,
      home_team: `Home ${i}`,
      away_team: `Away ${i}`,
      start_time: START,
      markets: [
        {
          market_type: 'moneyline',
          selections: ['home', 'away'].map((side) => ({
            selection: side,
            selection_type: side,
            odds_american: 100 + no,
          })),
        },
      ],
    }));
  const polled_at = new Date().toISOString();
  return LEAGUES.map((league) => ({ book: 'draftkings', polled_at, scope: 'league', league, events: games(league) }));
}

test('a copy made beside a server has everything that was acknowledged up to its position, and opens', async (t) => {
  const running = await startFronts(
    t,
    1,
    [{ tier: 'enterprise', scopes: ['ingest', 'backup'], requestsPerMinute: 1e6 }],
    ['--workers', '2'],
  );
  const [key] = running.keys as [string];
  const acknowledged: { no: number; position: number }[] = [];
  let ends = false;
  const storm = (async () => {
    for (let no = 1; !ends; no++) {
      const answer = await running.post(polls(no), key);
      const { position } = (await answer.json()) as { position: number };
      assert.equal(answer.status, 200);
      acknowledged.push({ no, position });
    }
  })();
  await running.until('the storm goes on', () => acknowledged.length > 20);
  const copies: (Backup & { before: number })[] = [];
  for (let i = 0; i < 3; i++) {
    const before = acknowledged.length;
    const out = join(newFolder(), 'copy');
    const made = i < 2 ? backup(running.dataDir, out) : backupFrom(new URL(running.url).origin, key, out);
    copies.push({ ...(await made), before });
  }
  const during = acknowledged.length;
  await running.until('it goes on after the copies', () => acknowledged.length > during + 5);
  ends = true;
  await storm;
  for (const { out, position, before, bytes } of copies) {
    const last = acknowledged.filter((each) => each.position <= position).at(-1)!;
    assert.ok(last.no >= before, `${last.no} of ${before} before it was called`);
    assert.ok(bytes > 100_000);
    const copy = await boot(t, { data: out, settings: { workers: '2', history: '1' } });
    const get = async (path: string): Promise<{ data: { odds_american: number; league: string; id: string }[] }> => {
      const answer = await fetch(`${copy.url}/api/v1${path}`, { headers: { 'x-api-key': key } });
      assert.equal(answer.status, 200, 'the key is in the copy');
      return (await answer.json()) as never;
    };
    for (const league of LEAGUES) {
      const { data } = await get(`/odds?league=${league}&limit=200`);
      assert.equal(data.length, 2 * GAMES);
      const prices = new Set(data.map(({ odds_american }) => odds_american));
      assert.equal(prices.size, 1, 'one poll, whole');
      assert.ok([...prices][0]! >= 100 + last.no, `${[...prices][0]} after ${100 + last.no}`);
    }
    await copy.close();
  }
});

test('a stopped directory is copied with its position, and can go on from the copy', async (t) => {
  const data = newFolder();
  const first = await boot(t, { data });
  await first.server.engine.ingest(polls(7));
  const { position } = first.server.engine.table;
  await first.close();
  const out = join(newFolder(), 'deep', 'copy');
  assert.equal((await backup(data, out)).position, position);
  const copy = await boot(t, { data: out });
  assert.equal(copy.server.engine.table.rowCount, 4 * GAMES);
  assert.equal(copy.server.engine.directory.epoch, first.server.engine.directory.epoch);
  await copy.server.engine.ingest(polls(8));
  await copy.close();
  const again = await boot(t, { data });
  assert.equal(again.server.engine.table.position, position, 'the original is untouched');
});

test('a directory of the release before is copied as it is: that release opens the copy', async (t) => {
  const data = newFolder();
  const first = await boot(t, { data });
  await first.server.engine.ingest(polls(7));
  const { envs } = first.server.engine.directory;
  const { position } = first.server.engine.table;
  await first.close();
  for (const shard of envs.keys()) {
    const env = openShardEnv(data, shard);
    env.root.transactionSync(() => writeMeta(env, { ...readMeta(env), version: STORE_VERSION - 1 }));
    await env.root.close();
  }
  const out = join(newFolder(), 'copy');
  assert.equal((await backup(data, out)).position, position);
  const env = openShardEnv(out, 0);
  assert.equal(readVersion(env)!.version, STORE_VERSION - 1);
  await env.root.close();
});

test('a server gives its copy to a key with the scope alone, one at a time, and what breaks off is none', async (t) => {
  const dataDir = newFolder();
  // What a killed process left.
  mkdirSync(join(dataDir, '..backup-sent-1.part'));
  mkdirSync(join(dataDir, 'backup-20261129'));
  const { url, server, close } = await boot(t, { data: dataDir });
  await server.engine.ingest(polls(7));
  const keyOf = (scopes: ('read' | 'backup')[]): Promise<{ key: string }> =>
    server.accounts.create({ tier: 'enterprise', name: 'operator', scopes });
  const { key } = await keyOf(['read', 'backup']);
  const parent = newFolder();
  const out = join(parent, 'copy');
  const attempt = async (pattern: RegExp, as = key, at = url): Promise<void> => {
    const [code, said] = await refused(backupFrom(at, as, out));
    assert.deepEqual([code, said.trim().split('\n').length], [1, 1], said);
    assert.match(said, pattern);
    assert.deepEqual(readdirSync(parent), []);
  };
  await attempt(/403: the key does not have the scope backup/, (await keyOf(['read'])).key);
  await attempt(/401/, 'sk_live_nobody');

  const asked = () => fetch(`${url}/api/v1/backup`, { headers: { 'x-api-key': key } });
  const [first, second] = await Promise.all([asked(), asked()]);
  assert.deepEqual([first.status, second.status].sort(), [200, 503], 'one at a time');
  await Promise.all([first.arrayBuffer(), second.arrayBuffer()]);
  const { position } = await backupFrom(url, key, out);
  assert.equal(position, server.engine.table.position);
  const left = readdirSync(dataDir).filter((name) => name.includes('backup-'));
  assert.deepEqual(left, ['backup-20261129'], 'nothing of it is left at the server, and the operator’s own stays');
  rmSync(out, { recursive: true });
  // A server that ends in the middle of an archive.
  const half = createServer((_, response) => {
    response.writeHead(200, { 'x-backup-position': '1' });
    response.write(Buffer.alloc(100_000, 'x'), () => response.destroy());
  });
  const halfPort = await freePort();
  half.listen(halfPort, '127.0.0.1');
  await once(half, 'listening');
  const halfUrl = `http://127.0.0.1:${halfPort}`;
  await attempt(/broke off/, key, halfUrl);
  half.close();
  await attempt(/ECONNREFUSED/, key, halfUrl);
  await close();
});

test('what cannot be copied whole is told in one line, and nothing is left', async (t) => {
  const data = newFolder();
  const first = await boot(t, { data });
  await first.server.engine.ingest(polls(7));
  await first.close();
  const parent = newFolder();
  const out = join(parent, 'copy');
  const attempt = async (pattern: RegExp, from = data, to = out): Promise<void> => {
    const [code, said] = await refused(backup(from, to));
    assert.deepEqual([code, said.trim().split('\n').length], [1, 1], said);
    assert.match(said, pattern);
  };
  await attempt(/is not there/, join(data, 'nowhere'));
  await attempt(/has no data/, newFolder());
  mkdirSync(out);
  writeFileSync(join(out, 'mine'), '');
  await attempt(/not empty/);
  rmSync(out, { recursive: true });
  writeFileSync(join(data, 'shard-0', 'data.mdb'), 'nonsense that is longer than a head'.repeat(500));
  await attempt(/shard-0/);
  rmSync(join(data, 'shard-0'), { recursive: true });
  await attempt(/shard-0/);
  assert.deepEqual(readdirSync(parent), []);
  assert.equal(existsSync(out), false);
});

test('beside a server of release 0.2.0, which has no backup, it is told how to copy', async (t) => {
  const data = newFolder();
  // Of its requests 0.2.0 knows this one of a command's, and closes the connection at others.
  const server = createSocketServer((socket) => {
    const reader = new FrameReader((_kind, bytes) => {
      const { no, bytes: request } = readNumbered(bytes);
      if (!encodeRequest('unmatched', null).equals(request)) socket.destroy();
      else socket.write(numberedFrameOf(FRAME.answer, no, encodeAnswer([])));
    });
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
  });
  server.listen(localSocketPath(data, LOG_SOCKET));
  await once(server, 'listening');
  t.after(() => server.close());
  const out = join(newFolder(), 'copy');
  const web = createServer((_, response) => response.writeHead(404).end());
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  t.after(() => web.close());
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  for (const [asked, reason] of [
    [() => backup(data, out), 'is of an older release, which has no backup'],
    [() => backupFrom(url, 'sk_live_operator', out), 'answers 404, as a release without backup does'],
  ] as const) {
    const [code, said] = await refused(asked());
    assert.equal(code, 1);
    assert.ok(said.endsWith(`${reason}: stop it, then copy its directory with cp -a\n`), said);
    assert.equal(existsSync(out), false);
  }
});
