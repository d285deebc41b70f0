// The processes under torture: one, or fronts and their engine, or a cluster of two engines and a front with a NATS
// server. Each node has its own data directory, disk, threads and power supply to be disturbed.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../test/support/free-port.js';
import { type NatsNode, natsNode, WITHOUT_NATS } from '../test/support/nats-server.js';
import type { Random } from '../test/world/random.js';
import type { Options } from './options.js';
import { PowerLoss } from './power.js';
import { Program, type ProgramOptions } from './program.js';
import type { SystemFaults } from './shim.js';
import { ThreadFaults } from './threads.js';

export interface Node {
  readonly name: string;
  readonly program: Program;
  readonly threads: ThreadFaults;
  /** Null if there is no C compiler. */
  readonly system: SystemFaults | null;
  readonly power: PowerLoss | null;
}

export interface DeploymentOptions extends Pick<ProgramOptions, 'complain' | 'patience'> {
  /** Called with every line that a node prints. */
  onLine(node: string, line: string): void;
  /** A node of a cluster ended unexpectedly; it is restarted. */
  endedByItself(how: string): void;
  /** Folder of everything in the run. */
  folder: string;
  /** Null if there is no C compiler. */
  system: SystemFaults | null;
  /** Flags of `serve` for every node. */
  flags: readonly string[];
}

/** Disk usage stays within these, so that a run of hours shows whether it is bounded. */
const BOUNDED = ['--log-retention', '300', '--history-bytes', '64MiB', '--log-bytes', '32MiB'];

export class Deployment {
  readonly nodes: readonly Node[];
  readonly nats: NatsNode | null;
  readonly clustered: boolean;
  #turn = 0;

  private constructor(nodes: readonly Node[], nats: NatsNode | null) {
    this.nodes = nodes;
    this.nats = nats;
    this.clustered = nats !== null;
  }

  static async make({ fronts, cluster }: Options, options: DeploymentOptions): Promise<Deployment> {
    if (!cluster) return new Deployment([await makeNode('node', fronts, [], [], options)], null);
    if (WITHOUT_NATS !== false) throw new Error(`--cluster: ${WITHOUT_NATS}`);
    const port = await freePort();
    const url = `nats://127.0.0.1:${port}`;
    const store = join(options.folder, 'nats');
    const nats = natsNode(['-js', '-a', '127.0.0.1', '-p', String(port), '-n', 'torture', '-sd', store], url);
    const of = (name: string, role: string): Promise<Node> =>
      makeNode(name, 0, ['--cluster', url, '--role', role], ['--cluster', url], options);
    return new Deployment([await of('first', 'all'), await of('second', 'all'), await of('front', 'front')], nats);
  }

  /** Address of a running node, of each in rotation. */
  get url(): string {
    const running = this.nodes.filter(({ program }) => program.running);
    const among = running.length > 0 ? running : this.nodes;
    return among[this.#turn++ % among.length]!.program.url;
  }

  get pids(): number[] {
    return this.nodes.flatMap(({ program }) => program.pids);
  }

  get starts(): number {
    return this.nodes.reduce((sum, { program }) => sum + program.starts, 0);
  }

  get startMsMost(): number {
    return Math.max(...this.nodes.map(({ program }) => program.startMsMost));
  }

  /** A running node, if there is one. */
  pick(random: Random): Node {
    const picked = random.pick(this.nodes);
    if (picked.program.running) return picked;
    return this.nodes.find(({ program }) => program.running) ?? picked;
  }

  /** A key that must not appear in any node's log. */
  key(tier: string, ...flags: string[]): string {
    const [first, ...others] = this.nodes;
    const key = first!.program.key(tier, ...flags);
    for (const { program } of others) program.hide(key);
    return key;
  }

  /** One after the other: the first engine begins the log. */
  async start(): Promise<void> {
    for (const { program } of this.nodes) await program.start();
  }

  /** Rejects with the errors of all nodes that did not end properly. */
  async end(): Promise<void> {
    const reasons: string[] = [];
    for (const { name, program, system } of [...this.nodes].reverse()) {
      if (program.running) await program.terminate().catch((error: Error) => reasons.push(`${name}: ${error.message}`));
      system?.close();
    }
    await this.nats?.kill('SIGKILL');
    if (reasons.length > 0) throw new Error(reasons.join('; '));
  }
}

async function makeNode(
  name: string,
  fronts: number,
  flags: readonly string[],
  keyFlags: readonly string[],
  options: DeploymentOptions,
): Promise<Node> {
  const folder = join(options.folder, name);
  mkdirSync(folder);
  const { complain, patience, onLine, endedByItself } = options;
  const dataDir = join(folder, 'data');
  const system = options.system?.ofNode(folder) ?? null;
  const threads = new ThreadFaults(folder);
  const power = system === null ? null : new PowerLoss(folder, dataDir);
  const program = await Program.make({
    dataDir,
    fronts,
    flags: [...BOUNDED, ...options.flags, ...flags],
    keyFlags,
    env: { ...system?.env, ...power?.env, ...threads.env },
    complain,
    onLine: (line) => onLine(name, line),
    ...(patience === undefined ? {} : { patience }),
    endedByItself: (how) => endedByItself(`${name} ${how}`),
    supervised: keyFlags.length > 0,
  });
  return { name, program, threads, system, power };
}
