// What happens to the program: each fault begins, holds and ends by itself, with numbers drawn from the run's seed.
import { execFileSync } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../test/world/random.js';
import type { FaultName } from './fault-names.js';
import { childrenOf } from './program.js';
import type { Run } from './run.js';
import { NOISE_BOOK, NOISE_LEAGUE, NOISE_TEAMS } from './truth.js';

export interface FaultKeys {
  reader: string;
  ingest: string;
}

/** The program has found by then that a store of its own is no good. */
const GIVE_UP_MS = 3_000;

const REPLACED_MS_MAX = 45_000;

type Fault = (run: Run, random: Random, keys: FaultKeys) => Promise<void>;

async function restart(run: Run): Promise<void> {
  await run.program.start();
  run.count('restarts');
}

/** Settles when the books are answered again. */
async function taken(run: Run, what: string): Promise<void> {
  // Of those under way some may still be answered by what has died.
  await wait(500);
  const before = run.counts['messages acknowledged'];
  for (let waited = 0; waited < REPLACED_MS_MAX; waited += 50) {
    if (run.counts['messages acknowledged'] !== before) return;
    await wait(50);
  }
  run.find('what dies is replaced', `${what} was not within ${REPLACED_MS_MAX} ms`);
}

export const FAULTS: Readonly<Record<FaultName, Fault>> = {
  kill: async (run, random) => {
    await run.program.kill();
    await wait(random.int(0, 1_500));
    await restart(run);
  },

  /** The engine's process or a front's, which is replaced. */
  'kill-child': async (run, random) => {
    const pid = random.pick(childrenOf(run.program.pid));
    process.kill(pid, 'SIGKILL');
    run.count('processes killed under the supervisor');
    await taken(run, 'a process under the supervisor');
  },

  /** A thread dies of an error that nobody caught, between two of its tasks. */
  'kill-thread': async (run, random) => {
    run.threads.fail(random.int(0, 2));
    await wait(random.int(100, 1_000));
  },

  terminate: async (run, random) => {
    try {
      await run.program.terminate();
    } catch (error) {
      run.find('ends when asked', (error as Error).message);
    }
    await wait(random.int(0, 500));
    await restart(run);
  },

  /** All of it is killed; what was not flushed is on the disk, or not, block by block. */
  power: async (run, random) => {
    await run.program.killAll();
    run.count('blocks lost with the power', run.power!.lose(random));
    run.powerLost();
    await restart(run);
  },

  stop: async (run, random) => {
    const pids = [run.program.pid, ...childrenOf(run.program.pid)];
    const pid = random.pick(pids);
    process.kill(pid, 'SIGSTOP');
    await wait(random.int(200, 7_000));
    process.kill(pid, 'SIGCONT');
  },

  /** Set minutes forth or back while it runs, and killed in half of the cases, so that it starts in another time. */
  clock: async (run, random) => {
    run.setClock(random.int(-4, 4) * 60_000);
    await wait(random.int(500, 3_000));
    if (random.chance(0.5)) {
      await run.program.kill();
      await restart(run);
    }
    await wait(random.int(500, 4_000));
    run.setClock(0);
    await wait(1_000);
  },

  'slow-disk': async (run, random) => {
    run.system!.set('syncDelayMs', random.int(20, 400));
    await wait(random.int(1_000, 6_000));
    run.system!.set('syncDelayMs', 0);
  },

  'failing-disk': async (run, random) => {
    run.system!.set('syncFails', 1);
    await wait(random.int(500, 4_000));
    run.system!.set('syncFails', 0);
  },

  /** Of the page that makes a commit: LMDB takes nothing in any more until it is opened anew, and the program ends. */
  'failing-head': async (run, random) => {
    run.system!.set('headFails', 1);
    await wait(random.int(200, 2_000));
    run.system!.set('headFails', 0);
    for (let waited = 0; run.program.running && waited < GIVE_UP_MS; waited += 50) await wait(50);
    if (!run.program.running) await restart(run);
    await taken(run, 'what LMDB gave up');
  },

  /** Killed in a third of the cases while there is no room. */
  'full-disk': async (run, random) => {
    run.system!.set('diskFull', 1);
    await wait(random.int(500, 4_000));
    if (random.chance(0.33)) {
      await run.program.kill();
      run.system!.set('diskFull', 0);
      await restart(run);
    }
    run.system!.set('diskFull', 0);
  },

  'few-files': async (run, random) => {
    const { files } = run.program.measure();
    const pid = String(run.program.pid);
    execFileSync('prlimit', ['--pid', pid, `--nofile=${files + random.int(0, 5)}:`]);
    const sockets = await openSockets(run, 60);
    await wait(random.int(500, 3_000));
    for (const socket of sockets) socket.destroy();
    execFileSync('prlimit', ['--pid', pid, '--nofile=4096:']);
  },

  'half-open': async (run, random) => {
    const sockets = await openSockets(run, random.int(5, 60));
    for (const socket of sockets)
      socket.write(
        random.pick(['G', 'GET /api/v1/odds HTTP/1.1\r\nHost: a', 'POST /api/v1/ingest HTTP/1.1\r\ncontent-le']),
      );
    await wait(random.int(500, 6_000));
    for (const socket of sockets) random.chance(0.5) ? socket.destroy() : socket.resetAndDestroy();
  },

  /** Streams that are opened and never read. */
  'slow-readers': async (run, random, { reader }) => {
    const sockets = await openSockets(run, random.int(5, 40));
    for (const socket of sockets) {
      socket.pause();
      socket.write(`GET /api/v1/stream?channel=all&api_key=${reader} HTTP/1.1\r\nHost: a\r\n\r\n`);
    }
    await wait(random.int(2_000, 8_000));
    for (const socket of sockets) socket.destroy();
  },

  reconnects: async (run, random, { reader }) => {
    const sockets = await openSockets(run, random.int(50, 200));
    for (const socket of sockets) {
      socket.resume();
      socket.write(`GET /api/v1/stream?channel=odds&api_key=${reader} HTTP/1.1\r\nHost: a\r\n\r\n`);
    }
    await wait(random.int(100, 2_000));
    for (const socket of sockets) socket.destroy();
  },

  corrupt: async (run, random, { ingest }) => {
    for (let i = 0; i < 40; i++) {
      const { type, body } = corrupted(run, random);
      const headers = { 'content-type': type };
      const answer = await run.call('/api/v1/ingest', ingest, { method: 'POST', headers, body });
      run.count('corrupt messages');
      if (answer !== null && answer.status >= 500)
        run.find('bad input is told', `${answer.status}: ${body.toString()}`);
    }
  },
};

/** What needs processes under the one that was started. */
export const OF_FRONTS: readonly FaultName[] = ['kill-child'];

/** What needs the preloaded library. */
export const OF_THE_SYSTEM: readonly FaultName[] = [
  'clock',
  'slow-disk',
  'failing-disk',
  'full-disk',
  'failing-head',
  'power',
];

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

async function openSockets(run: Run, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i++) {
    const socket = connect(run.program.port, '127.0.0.1');
    socket.on('error', () => run.count('raw connections lost'));
    sockets.push(socket);
  }
  await wait(50);
  return sockets;
}
