// Nodes of a cluster as real processes, and requests to them.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { type NatsNode, startNats } from '../../support/nats-server.js';
import { until as waitUntil } from '../../support/until.js';

const MAIN = join(process.cwd(), 'dist/src/main.js');

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any answer
  body: any;
}

export type Role = 'engine' | 'front' | 'all';

export class Node {
  readonly name: string;
  readonly role: Role;
  readonly lines: string[] = [];
  /** What it wrote to standard error since it was started. */
  errors = '';
  /** Of its environment, beside the path of programs. */
  env: Readonly<Record<string, string>> = {};
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #alive = false;
  /** Its exit code, or the signal that ended it. */
  ending: number | NodeJS.Signals | null = null;
  url = '';

  constructor(name: string, role: Role, args: readonly string[]) {
    this.name = name;
    this.role = role;
    this.#args = args;
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  /** False once it has ended and what it wrote last was read. */
  get alive(): boolean {
    return this.#alive;
  }

  /**
   * It was ended within native code. LMDB writes its message for a page that the disk refused past the memory for it, so that
   * a process may die of it before it has said why (docs/decisions/store.md).
   */
  get crashed(): boolean {
    return ['SIGABRT', 'SIGSEGV', 'SIGBUS'].includes(String(this.ending));
  }

  /** Settles when it listens. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [MAIN, 'serve', ...this.#args, '--port', '0', '--log', 'info'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], ...this.env },
    });
    this.#child = child;
    this.#alive = true;
    child.once('close', (code, signal) => {
      this.#alive = false;
      this.ending = code ?? signal;
    });
    this.lines.push(`${this.name} is started`);
    this.errors = '';
    child.stderr!.on('data', (bytes: Buffer) => {
      this.errors += bytes.toString();
      process.stderr.write(bytes);
    });
    let rest = '';
    await new Promise<void>((resolve, reject) => {
      child.once('close', () => reject(new Error(`${this.name} ended: ${this.lines.slice(-5).join('\n')}`)));
      child.stdout!.on('data', (bytes: Buffer) => {
        const parts = (rest + bytes.toString()).split('\n');
        rest = parts.pop()!;
        for (const line of parts) {
          this.lines.push(line);
          if (this.lines.length > 2_000) this.lines.splice(0, 1_000);
          const said = /"msg":"listening".*"port":(\d+)/.exec(line);
          if (said === null) continue;
          this.url = `http://127.0.0.1:${said[1]}`;
          resolve();
        }
      });
    });
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined || !this.alive) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill(signal);
    await ended;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child!.kill(signal);
  }

  async ask(
    path: string,
    key: string,
    options: { method?: string; body?: unknown; timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<Answer> {
    const { body, method = body === undefined ? 'GET' : 'POST', timeoutMs = 60_000, signal } = options;
    // A single signal of our own: Node may drop the timer of one that is combined from several.
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(new Error('no answer in time')), timeoutMs);
    signal?.addEventListener('abort', () => ended.abort(signal.reason));
    return this.#ask(path, key, method, body, ended.signal).finally(() => clearTimeout(timer));
  }

  async #ask(path: string, key: string, method: string, body: unknown, signal: AbortSignal): Promise<Answer> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      // A command (`cli`) holds this thread up: a connection that was closed meanwhile must not be used again.
      headers: {
        'x-api-key': key,
        connection: 'close',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
  }

  async ready(withinMs = 60_000): Promise<void> {
    await until(`${this.name} to be ready`, async () => (await this.ask('/readyz', '')).status === 200, withinMs);
  }
}

export interface ClusterRig {
  readonly nats: NatsNode[];
  readonly folder: string;
  /** An enterprise key that may ingest; made when it is first asked for, by the writer that there must be. */
  readonly key: string;
  /** Makes the key without holding this thread up, where the nodes' way to their servers leads through it. */
  makeKey(): Promise<void>;
  node(name: string, role: Role, ...more: string[]): Node;
  cli(...args: string[]): string;
}

export async function clusterRig(t: TestContext, natsCount: 1 | 3 = 1): Promise<ClusterRig> {
  const nats = await startNats(t, natsCount);
  const folder = mkdtempSync(join(tmpdir(), 'overround-cluster-'));
  const nodes: Node[] = [];
  t.after(async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    rmSync(folder, { recursive: true, force: true });
  });
  const servers = nats.map(({ url }) => url).join(',');
  const cli = (...args: string[]): string =>
    execFileSync(process.execPath, [MAIN, ...args, '--cluster', servers], { encoding: 'utf8', env: {} });
  const keyIn = (answer: string): string => (JSON.parse(answer) as { key: string }).key;
  const rights = ['--tier', 'enterprise', '--scope', 'ingest', '--streaming', '--requests-per-minute', '1000000'];
  let key: string | undefined;
  return {
    nats,
    folder,
    get key() {
      key ??= keyIn(cli('keys', 'create', ...rights));
      return key;
    },
    makeKey: async () => {
      const args = [MAIN, 'keys', 'create', ...rights, '--cluster', servers];
      key = keyIn((await promisify(execFile)(process.execPath, args, { env: {} })).stdout);
    },
    cli,
    node: (name, role, ...more) => {
      const args = ['--cluster', servers, '--role', role, '--data', join(folder, name), '--feed', 'none'];
      const node = new Node(name, role, [...args, '--workers', '2', ...more]);
      nodes.push(node);
      return node;
    },
  };
}

/** As everywhere, but what is away and does not answer is waited for. */
export const until: typeof waitUntil = (what, holds, msMax) =>
  waitUntil(what, async () => Promise.resolve(holds()).catch(() => undefined as never), msMax);
