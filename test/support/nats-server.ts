// Real NATS servers for tests, on free ports and with folders of their own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePorts } from './free-port.js';

/** For a test's `skip`: why it cannot run here, or false. */
export const WITHOUT_NATS: string | false =
  spawnSync('nats-server', ['--version']).status === 0 ? false : 'nats-server is not installed';

export interface NatsNode {
  readonly url: string;
  readonly pid: number;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Restarts it on the same port with the same folder. */
  start(): void;
}

const ends = new WeakMap<TestContext, (() => Promise<unknown>)[]>();

/**
 * Runs `end` at the end of the test while the servers still run: hooks run in the order in which they were registered.
 */
export function beforeNatsEnds(t: TestContext, end: () => Promise<unknown>): void {
  ends.set(t, [...(ends.get(t) ?? []), end]);
}

/** One server, or a cluster of three, with further arguments; ended with the test. */
export async function startNats(t: TestContext, count: 1 | 3 = 1, more: readonly string[] = []): Promise<NatsNode[]> {
  const folder = mkdtempSync(join(tmpdir(), 'overround-nats-'));
  const ports = await freePorts(2 * count);
  const routes = ports.slice(count).map((port) => `nats://127.0.0.1:${port}`);
  const nodes = Array.from({ length: count }, (_, i) => {
    const args = [
      '-js',
      '-a',
      '127.0.0.1',
      '-p',
      String(ports[i]),
      '-n',
      `n${i}`,
      '-sd',
      join(folder, `n${i}`),
      ...more,
    ];
    const clustered = [
      // Nodes only know the servers they were given, so that the connections between them can be cut.
      ...['--cluster_name', 'test', '--cluster', routes[i]!, '--no_advertise'],
      ...['--routes', routes.filter((_route, j) => j !== i).join(',')],
    ];
    return natsNode(count === 1 ? args : [...args, ...clustered], `nats://127.0.0.1:${ports[i]}`);
  });
  t.after(async () => {
    for (const end of ends.get(t) ?? []) await end();
    await Promise.all(nodes.map((node) => node.kill('SIGKILL')));
    rmSync(folder, { recursive: true, force: true });
  });
  return nodes;
}

/** One server, started with these arguments. */
export function natsNode(args: readonly string[], url: string): NatsNode {
  let child: ChildProcess;
  const start = (): void => {
    child = spawn('nats-server', args, { stdio: 'ignore' });
  };
  start();
  return {
    url,
    get pid() {
      return child.pid!;
    },
    kill: async (signal = 'SIGKILL') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      if (signal === 'SIGKILL' || signal === 'SIGTERM') await ended;
    },
    start,
  };
}
