// A PostgreSQL of a test's own, where Debian's package is installed: in a folder and on a port of its own, on loopback, as a
// user without rights.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Ending } from '../shared.js';
import { newFolder } from '../temp-folders.js';
import { freePort } from './free-port.js';
import { until } from './until.js';

const ROOT = '/usr/lib/postgresql';
const BIN = existsSync(ROOT)
  ? readdirSync(ROOT)
      .map((version) => join(ROOT, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb')))
  : undefined;
/** It refuses to run as root. */
const AS = userInfo().uid === 0 ? ['runuser', '-u', 'nobody', '--'] : [];

export const POSTGRES_MISSING =
  BIN === undefined || (AS.length > 0 && spawnSync('runuser', ['--version']).status !== 0)
    ? 'PostgreSQL is not installed'
    : false;

export interface PostgresServer {
  url: string;
  /** Rows of a query, each a list of texts. */
  query(text: string): string[][];
  begin(): Promise<void>;
  /** As a crash does. */
  kill(): Promise<void>;
}

/** Ended after the test. */
export async function postgresServer(t: Ending): Promise<PostgresServer> {
  const dir = newFolder('overround-postgres-');
  if (AS.length > 0) execFileSync('chown', ['nobody', dir]);
  else chmodSync(dir, 0o700);
  const run = (program: string, args: string[]): [string, string[]] => {
    const [first = '', ...rest] = [...AS, join(BIN!, program), ...args];
    return [first, rest];
  };
  const data = join(dir, 'data');
  execFileSync(
    ...run('initdb', ['-D', data, '-U', 'overround', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']),
    {
      cwd: dir,
    },
  );
  const port = await freePort();
  const url = `postgres://overround@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;
  const begin = async (): Promise<void> => {
    const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${dir}`, 'shared_buffers=64MB'];
    const flags = settings.flatMap((setting) => ['-c', setting]);
    child = spawn(...run('postgres', ['-D', data, '-p', String(port), ...flags]), { cwd: dir, stdio: 'ignore' });
    const ready = run('pg_isready', ['-q', '-h', '127.0.0.1', '-p', String(port)]);
    await until('PostgreSQL takes connections', () => spawnSync(...ready).status === 0);
  };
  const end = async (mode: 'immediate' | 'fast'): Promise<void> => {
    if (child === undefined || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    spawnSync(...run('pg_ctl', ['-D', data, '-m', mode, '-W', 'stop']), { cwd: dir });
    await exited;
  };
  t.after(() => end('immediate'));
  await begin();
  const query = (text: string): string[][] =>
    execFileSync('psql', ['-X', '-q', '-t', '-A', '-F', '\t', '-v', 'ON_ERROR_STOP=1', '-c', text, url], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    })
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t'));
  return { url, query, begin, kill: () => end('immediate') };
}
