// Fault injection: each fault begins, lasts and ends by itself, with numbers drawn from the run's seed.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../test/world/random.js';
import type { Node } from './deployment.js';
import type { FaultName } from './fault-names.js';
import { checkNotLost, checkPowerLoss, positionOf, powerLossMs } from './laws.js';
import type { LoadedRun } from './loaded-run.js';
import { childrenOf, filesOf, type Program } from './program.js';
import type { Run } from './run.js';
import { NOISE_BOOK, NOISE_LEAGUE, NOISE_TEAMS } from './truth.js';
import { makeFormer } from './upgrade.js';

export interface FaultKeys {
  reader: string;
  ingest: string;
}

/** By then the program has detected that its own store is unusable. */
const GIVE_UP_MS = 3_000;
/** For the checkpoints of a disk that refused them: they are tried every second, and once the file is written again. */
const SAFE_MS_MAX = 15_000;
/** By then a clock that was set is followed. */
const FOLLOWED_MS = 1_000;

const REPLACED_MS_MAX = 45_000;

type Fault = (run: LoadedRun, random: Random, keys: FaultKeys) => Promise<void>;

async function terminate(run: Run, { program }: Node): Promise<void> {
  try {
    await program.terminate();
  } catch (error) {
    run.find('ends when asked', (error as Error).message);
  }
}

async function restart(run: LoadedRun, { program }: Node): Promise<void> {
  await program.start();
  run.count('restarts');
}

/** Only while no message is under way: otherwise it would be unknown at which of two times it was applied. */
async function setClock(run: LoadedRun, offMs: number): Promise<void> {
  await run.storm.pause();
  run.setClock(offMs);
  await wait(FOLLOWED_MS);
  await run.storm.resume();
}

/** Settles when the books get answers again. */
async function taken(run: LoadedRun, what: string): Promise<void> {
  // Some of those under way may still be answered by the process that died.
  await wait(500);
  const before = run.counts['messages acknowledged'];
  for (const late = run.patience(REPLACED_MS_MAX); !late(); ) {
    if (run.counts['messages acknowledged'] !== before) return;
    await wait(50);
  }
  run.find('what dies is replaced', `${what} was not within ${REPLACED_MS_MAX} ms`);
}

/** Settles when the node is ready: a cluster's front that could not store the log begins anew from a snapshot. */
async function serves(run: Run, { program }: Node): Promise<void> {
  for (const late = run.patience(REPLACED_MS_MAX); !late(); await wait(100))
    if ((await run.call('/readyz', '', {}, program.url))?.status === 200) return;
  run.find('what dies is replaced', `${program.url} was not ready within ${REPLACED_MS_MAX} ms`);
}

/** After a kill: in half of the cases nothing is sent again before everything acknowledged was found in the table. */
async function loseNothing(run: LoadedRun, random: Random, key: string, restarted: () => Promise<void>): Promise<void> {
  if (random.chance(0.5)) return restarted();
  await run.storm.hold();
  const killedMs = performance.now();
  await restarted();
  await checkNotLost(run, key, killedMs);
  run.storm.goOn();
}

export const FAULTS: Readonly<Record<FaultName, Fault>> = {
  kill: async (run, random, { reader }) => {
    const node = run.deployment.pick(random);
    await node.program.kill();
    await loseNothing(run, random, reader, async () => {
      await wait(random.int(0, 1_500));
      await restart(run, node);
    });
  },

  /** The engine's process or a front's, which is replaced. */
  'kill-child': async (run, random, { reader }) => {
    const pid = random.pick(childrenOf(run.deployment.pick(random).program.pid));
    process.kill(pid, 'SIGKILL');
    run.count('processes killed under the supervisor');
    await loseNothing(run, random, reader, () => wait(0));
    await taken(run, 'a process under the supervisor');
  },

  /** The NATS server, which is restarted. */
  'kill-nats': async (run, random, { reader }) => {
    const nats = run.deployment.nats!;
    await nats.kill('SIGKILL');
    await loseNothing(run, random, reader, async () => {
      await wait(random.int(0, 4_000));
      nats.start();
    });
    await taken(run, 'the server of NATS');
  },

  /** Ended, and started by the next release. */
  upgrade: async (run, random) => {
    const node = run.deployment.pick(random);
    await terminate(run, node);
    await makeFormer(node.program.dataDir);
    // The delayed table starts again with the present data, which is served before the start is complete.
    run.delayedAnew();
    await restart(run, node);
    run.delayedAnew();
  },

  /** Alert targets refuse, or hang. */
  'failing-receiver': async (run, random) => {
    await run.webhooks.fail(random.chance(0.3), random.int(500, 8_000));
  },

  /** A thread dies of an uncaught error, between two of its tasks. */
  'kill-thread': async (run, random, { reader }) => {
    run.deployment.pick(random).threads.fail(random.int(0, 2));
    await loseNothing(run, random, reader, () => wait(random.int(100, 1_000)));
  },

  terminate: async (run, random) => {
    const node = run.deployment.pick(random);
    await terminate(run, node);
    await wait(random.int(0, 500));
    await restart(run, node);
  },

  /** All processes are killed; what was not flushed is on the disk or not, block by block. */
  power: async (run, random, { reader }) => {
    const node = run.deployment.pick(random);
    const tookMsMax = powerLossMs(run);
    await node.program.killAll();
    const lostMs = performance.now();
    if (!run.deployment.clustered) {
      await run.storm.hold();
      run.webhooks.powerLost();
    }
    run.count('blocks lost with the power', node.power!.lose(random));
    await restart(run, node);
    // What one machine of a cluster has lost, the log still has.
    if (run.deployment.clustered) return;
    // The present one may be among what was lost.
    run.position = 0;
    await checkPowerLoss(run, reader, lostMs, tookMsMax);
    const positionUs = await positionOf(run, reader);
    if (positionUs !== null) run.fellBackUs = positionUs;
    run.webhooks.reportedFrom(run.fellBackUs);
    run.records.powerLost(lostMs - tookMsMax);
    run.storm.powerLost();
    run.storm.goOn();
  },

  stop: async (run, random) => {
    const { deployment } = run;
    const pids = deployment.pick(random).program.pids;
    const pid = deployment.nats !== null && random.chance(0.25) ? deployment.nats.pid : random.pick(pids);
    process.kill(pid, 'SIGSTOP');
    await wait(random.int(200, 7_000));
    process.kill(pid, 'SIGCONT');
  },

  /**
   * The clock is set minutes forward or back while it runs, and in half of the cases the program is killed, so that it
   * starts at another time.
   */
  clock: async (run, random) => {
    await setClock(run, random.int(-4, 4) * 60_000);
    await wait(random.int(500, 3_000));
    if (random.chance(0.5)) {
      const node = run.deployment.pick(random);
      await node.program.kill();
      await restart(run, node);
    }
    await wait(random.int(500, 4_000));
    await setClock(run, 0);
  },

  'slow-disk': async (run, random) => {
    const system = run.deployment.pick(random).system!;
    system.set('syncDelayMs', random.int(20, 400));
    await wait(random.int(1_000, 6_000));
    system.set('syncDelayMs', 0);
  },

  'failing-disk': async (run, random, { reader }) => {
    const { program, system } = run.deployment.pick(random);
    system!.set('syncFails', 1);
    await wait(random.int(500, 4_000));
    system!.set('syncFails', 0);
    await safeAgain(run, program, reader);
  },

  /** The page that completes a commit fails: LMDB is unusable until it is opened again, and the program ends. */
  'failing-head': async (run, random) => {
    const node = run.deployment.pick(random);
    node.system!.set('headFails', 1);
    await wait(random.int(200, 2_000));
    node.system!.set('headFails', 0);
    for (const late = run.patience(GIVE_UP_MS); node.program.running && !late(); ) await wait(50);
    if (!node.program.running) await restart(run, node);
    await taken(run, 'what LMDB gave up');
  },

  /** In a third of the cases the program is killed while there is no room. */
  'full-disk': async (run, random) => {
    const node = run.deployment.pick(random);
    node.system!.set('diskFull', 1);
    await wait(random.int(500, 4_000));
    if (random.chance(0.33)) {
      await node.program.kill();
      node.system!.set('diskFull', 0);
      await restart(run, node);
    }
    node.system!.set('diskFull', 0);
    await serves(run, node);
  },

  'few-files': async (run, random) => {
    const { program } = run.deployment.pick(random);
    // Of one process: each has a limit of its own.
    const pid = random.pick(program.pids);
    setFilesMax(pid, filesOf(pid) + random.int(0, 5));
    const sockets = await openSockets(run, program, 60);
    await wait(random.int(500, 3_000));
    for (const socket of sockets) socket.destroy();
    setFilesMax(pid, 4_096);
  },

  'half-open': async (run, random) => {
    const sockets = await openSockets(run, run.deployment.pick(random).program, random.int(5, 60));
    for (const socket of sockets)
      socket.write(
        random.pick(['G', 'GET /api/v1/odds HTTP/1.1\r\nHost: a', 'POST /api/v1/ingest HTTP/1.1\r\ncontent-le']),
      );
    await wait(random.int(500, 6_000));
    for (const socket of sockets) random.chance(0.5) ? socket.destroy() : socket.resetAndDestroy();
  },

  /** Streams that are opened and never read. */
  'slow-readers': async (run, random, { reader }) => {
    const sockets = await openSockets(run, run.deployment.pick(random).program, random.int(5, 40));
    for (const socket of sockets) socket.pause();
    await streamTo(sockets, `channel=all&api_key=${reader}`, random.int(2_000, 8_000));
  },

  reconnects: async (run, random, { reader }) => {
    const sockets = await openSockets(run, run.deployment.pick(random).program, random.int(50, 200));
    for (const socket of sockets) socket.resume();
    await streamTo(sockets, `channel=odds&api_key=${reader}`, random.int(100, 2_000));
  },

  corrupt: async (run, random, { ingest }) => {
    for (let i = 0; i < 40; i++) {
      const { type, body } = corrupted(run, random);
      const headers = { 'content-type': type };
      // Of the server's errors those of a starved cluster or of another fault are documented, and the rest are findings.
      await run.call('/api/v1/ingest', ingest, { method: 'POST', headers, body });
      run.count('corrupt messages');
    }
  },
};

/** Nothing where the process has ended meanwhile. */
function setFilesMax(pid: number, most: number): void {
  try {
    execFileSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`], { stdio: 'pipe' });
  } catch (error) {
    if (existsSync(`/proc/${pid}`)) throw error;
  }
}

/** Needs child processes of the started one. */
export const OF_FRONTS: readonly FaultName[] = ['kill-child'];

/** Not available in a cluster: the migration of a single directory. */
export const NOT_OF_A_CLUSTER: readonly FaultName[] = ['upgrade'];

/** Needs a NATS server. */
export const OF_A_CLUSTER: readonly FaultName[] = ['kill-nats'];

/** They may be under way while a process dies, stands still or starts. */
export const BESIDE_OTHERS: readonly FaultName[] = [
  'slow-disk',
  'half-open',
  'slow-readers',
  'reconnects',
  'corrupt',
  'failing-receiver',
];

/** One of those may be under way meanwhile. */
export const INTERRUPTING: readonly FaultName[] = [
  'kill',
  'kill-child',
  'kill-thread',
  'kill-nats',
  'terminate',
  'stop',
  'power',
];

/** Needs the preloaded library. */
export const OF_THE_SYSTEM: readonly FaultName[] = [
  'clock',
  'slow-disk',
  'failing-disk',
  'full-disk',
  'failing-head',
  'power',
];

/** From then on a loss of power takes no more than two seconds again. */
async function safeAgain(run: Run, { url }: Program, key: string): Promise<void> {
  let lmdb: { status?: string; message?: string } | undefined;
  for (const late = run.patience(SAFE_MS_MAX); !late(); await wait(100)) {
    const answer = await run.call('/api/v1/health', key, {}, url);
    const { checks } = (answer?.body ?? {}) as { checks?: { lmdb?: typeof lmdb } };
    lmdb = checks?.lmdb;
    if (lmdb?.status === 'ok') return;
  }
  run.find('a disk that works again is used again', lmdb?.message ?? '/health could not be read');
}

function corrupted(run: Run, random: Random): { type: string; body: Buffer<ArrayBuffer> } {
  const message = {
    book: NOISE_BOOK,
    polled_at: new Date(run.now()).toISOString(),
    scope: 'event',
    events: [
      {
        league: NOISE_LEAGUE,
        home_team: NOISE_TEAMS[0],
        away_team: NOISE_TEAMS[1],
        start_time: new Date(run.now() + 3_600_000).toISOString(),
        markets: [
          {
            market_type: 'moneyline',
            selections: [
              { selection: 'Home', selection_type: 'home', odds_american: -110 },
              { selection: 'Away', selection_type: 'away', odds_american: -110 },
            ],
          },
        ],
      },
    ],
  };
  const body = Buffer.from(JSON.stringify(message));
  for (let flips = random.int(1, 4); flips > 0; flips--) {
    const at = random.int(0, body.length - 1);
    body[at] = random.chance(0.5) ? random.int(0, 255) : body[random.int(0, body.length - 1)]!;
  }
  const cut = random.chance(0.2) ? random.int(0, body.length) : body.length;
  const types = ['application/json', 'application/x-ndjson', 'application/msgpack'];
  return { type: random.pick(types), body: Buffer.from(body.subarray(0, cut)) };
}

async function streamTo(sockets: readonly Socket[], query: string, forMs: number): Promise<void> {
  for (const socket of sockets) socket.write(`GET /api/v1/stream?${query} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await wait(forMs);
  for (const socket of sockets) socket.destroy();
}

async function openSockets(run: Run, { port }: Program, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => run.count('raw connections lost'));
    sockets.push(socket);
  }
  await wait(50);
  return sockets;
}
