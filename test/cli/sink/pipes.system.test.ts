// The guide's pipes from a sink's lines into other programs, as they are written there, where these programs are installed.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type MortalServer, mortalServer } from '../../support/mortal-server.js';
import { blocksOf } from '../../support/page-blocks.js';
import { until } from '../../support/until.js';
import { newFolder } from '../../temp-folders.js';
import { messages, pushed, rowsOf } from './rig.js';

const MAIN = resolve('dist/src/main.js');
const missing = (program: string, flag: string) => spawnSync(program, [flag]).error && `${program} is not installed`;
const NO_KCAT = missing('kcat', '-V');
const NO_REDIS = missing('redis-server', '--version') ?? missing('redis-cli', '--version');

type Lines = Record<string, unknown>[];

/** Ended with all that it began after the test. */
function begun(t: TestContext, command: string, args: readonly string[]): { child: ChildProcess; said(): string } {
  const child = spawn(command, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream!.on('data', (chunk: Buffer) => (text += chunk.toString()));
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    process.kill(-child.pid!, 'SIGKILL');
    await exited;
  });
  return { child, said: () => text };
}

/** The guide's block that has this program, with addresses of the test. */
function piped(t: TestContext, server: MortalServer, program: string, edit: [string, string]): () => string {
  const block = blocksOf('docs/guides/database.md', 'sh').find((text) => text.includes(program));
  assert.ok(block?.includes(edit[0]), `no block of the page has ${program}`);
  const command = block!.replace('http://127.0.0.1:8080', server.url).replace(...edit);
  const overround = `KEY=${server.key}; overround() { '${process.execPath}' '${MAIN}' "$@"; }`;
  return begun(t, 'sh', ['-c', `${overround}\n${command}`]).said;
}

const parsed = (text: string): Lines =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('the pipe into Kafka brings every line', { skip: NO_KCAT ?? false }, async (t) => {
  const server = await mortalServer(t);
  // The cluster lives in a producer, as long as its input is open.
  const mock = ['-P', '-b', 'mock', '-t', 'none', '-X', 'test.mock.num.brokers=1', '-d', 'mock'];
  const cluster = begun(t, 'kcat', mock);
  const address = (): string | undefined => /bootstrap\.servers=(127\.0\.0\.1:\d+)/.exec(cluster.said())?.[1];
  await until(cluster.said, () => address() !== undefined);
  await pushed(server, ...messages(1));
  const said = piped(t, server, 'kcat', ['127.0.0.1:9092', address()!]);
  const stored = (): Lines =>
    parsed(spawnSync('kcat', ['-C', '-q', '-e', '-b', address()!, '-t', 'odds'], { encoding: 'utf8' }).stdout);
  const ids = (await rowsOf(server, '/odds?limit=200')).map(({ id }) => String(id)).sort();
  const odds = () =>
    stored()
      .filter(({ table }) => table === 'odds')
      .map(({ id }) => String(id));
  await until(said, () => odds().length >= ids.length);
  assert.deepEqual(odds().sort(), ids);
  await pushed(server, ...messages(2));
  await until(said, () => stored().some(({ table }) => table === 'odds_changes'));
});

test('the pipe into Redis brings every opportunity', { skip: NO_REDIS ?? false }, async (t) => {
  const server = await mortalServer(t);
  const socket = `${newFolder('overround-redis-')}/socket`;
  const args = ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no'];
  const redis = begun(t, 'redis-server', args);
  await until(redis.said, () => /ready to accept connections/i.test(redis.said()));
  const said = piped(t, server, 'redis-cli', ['redis-cli', `redis-cli -s ${socket}`]);
  for (let round = 0; round < 10; round++) await pushed(server, ...messages(round));
  const stored = (): Lines =>
    parsed(execFileSync('redis-cli', ['-s', socket, 'XRANGE', 'opportunities', '-', '+'], { encoding: 'utf8' }));
  const standing = async (): Promise<string[]> =>
    (await rowsOf(server, '/opportunities/arbitrage?limit=200')).map(({ id }) => String(id)).sort();
  const open = (): string[] => {
    const last = new Map(stored().map((row) => [`${String(row['kind'])} ${String(row['id'])}`, row]));
    return [...last.values()]
      .filter(({ kind, change }) => kind === 'arbitrage' && change !== 'expired')
      .map(({ id }) => String(id))
      .sort();
  };
  const wanted = await standing();
  assert.ok(wanted.length > 0);
  await until(
    () => `${said()}${JSON.stringify(open())} ${JSON.stringify(wanted)}`,
    () => JSON.stringify(open()) === JSON.stringify(wanted),
  );
  assert.ok(stored().every(({ table }) => table === 'opportunities'));
});
