// A Node.js on which uWebSockets.js has a binary, for machines whose own has none: npm has each Node.js as a package for
// its system, a file that no script installs. It is fetched once, and what is served, tested or simulated runs under it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { constants, homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** The version line with binaries for every system on which uWebSockets.js has any. */
const MAJOR = 22;
/** How long npm may take to fetch about 50 MB (ms). */
const FETCH_TIMEOUT_MS = 600_000;
const WINDOWS = process.platform === 'win32';

/** Says to the program that it runs under such a Node.js already, so that it never looks for another. */
export const FOUND = 'OVERROUND_SERVING_NODE';

/** npm's package of Node.js for a system, by the names of `process.platform` and `process.arch`. */
export function nodePackage(platform: string, arch: string): string {
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

function cacheFolder(env: Env): string {
  // As XDG says: empty, or relative to wherever it is started, is none.
  const places = [env['XDG_CACHE_HOME'], WINDOWS ? env['LOCALAPPDATA'] : undefined, join(homedir(), '.cache')];
  const caches = places.find((place) => place !== undefined && isAbsolute(place));
  if (caches === undefined) throw new Error(`no home directory to keep Node ${MAJOR} in: set XDG_CACHE_HOME`);
  return join(caches, 'overround', `node-${MAJOR}`);
}

/**
 * The path of such a Node.js, fetched by npm unless it is there already.
 * @param why what the running one lacks, in one line; also part of the error if none can be had.
 */
export async function servingNode(env: Env, why: string, tell: (line: string) => void): Promise<string> {
  const folder = cacheFolder(env);
  const fetching = existsSync(pathIn(folder)) ? '' : `, which npm fetches to ${folder}`;
  const { node } = process.versions;
  tell(`overround: Node ${node} has no binary of uWebSockets.js: going on under Node ${MAJOR}${fetching}\n`);
  try {
    return await fetchedNode(MAJOR, folder);
  } catch (error) {
    throw new Error(`${why}; Node ${MAJOR} could not be fetched: ${(error as Error).message}`);
  }
}

function pathIn(folder: string): string {
  const name = nodePackage(process.platform, process.arch);
  return join(folder, 'node_modules', name, 'bin', WINDOWS ? 'node.exe' : 'node');
}

/** The path of the newest Node.js of a version line in a folder, fetched by npm unless it is there already. */
export async function fetchedNode(major: number, folder: string): Promise<string> {
  const path = pathIn(folder);
  if (existsSync(path)) return path;
  mkdirSync(dirname(folder), { recursive: true });
  const made = mkdtempSync(`${folder}-`);
  try {
    await install(made, `${nodePackage(process.platform, process.arch)}@${major}`);
    if (!existsSync(pathIn(made))) throw new Error('its package does not contain it');
    take(made, folder, path);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return path;
}

/** Two that begin at once both fetch it; the first to come is taken. */
function take(made: string, folder: string, path: string): void {
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}

async function install(folder: string, spec: string): Promise<void> {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  const npm = spawn('npm', ['install', '--prefix', folder, ...flags, spec], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: WINDOWS,
    timeout: FETCH_TIMEOUT_MS,
  });
  let said = '';
  npm.stderr?.on('data', (text: Buffer) => {
    said = (said + text.toString()).slice(0, 2_000);
  });
  const [code, signal] = (await once(npm, 'close')) as [number | null, string | null];
  if (code === 0) return;
  const reason = /^npm error (?!code )(.*)$/m.exec(said)?.[1] ?? said.split('\n', 1)[0];
  throw new Error(reason === '' || reason === undefined ? `npm ended with ${code ?? signal}` : reason);
}

/** The environment of what runs under it: commands that it starts find it as `node`, too. */
export function environmentFor(node: string, env: Env): Record<string, string> {
  const { NODE_CHANNEL_FD: _closed, ...rest } = env;
  const name = Object.keys(rest).find((each) => each.toUpperCase() === 'PATH') ?? 'PATH';
  const path = [dirname(node), rest[name]].filter((each) => each !== undefined).join(WINDOWS ? ';' : ':');
  return { ...rest, [name]: path, [FOUND]: '1' } as Record<string, string>;
}

/**
 * Runs it beside this process, where this process cannot become it (`process.execve`): hands on its streams and signals.
 * @returns its exit code.
 */
export async function runBeside(
  node: string,
  args: readonly string[],
  env: Record<string, string>,
  onSignal: (signal: NodeJS.Signals, take: () => void) => void,
): Promise<number> {
  const child = spawn(node, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) onSignal(signal, () => child.kill(signal));
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}
