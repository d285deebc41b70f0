// The server under test as a process of its own: the program's Server with no feed, and one key without a limit that
// matters. Flags are those of `overround serve`; prints the listening line with the key in it. With `--as engine` or
// `--as front` it is one of the processes that `--fronts` starts, on a port of its own; with `--cluster` a node.
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Accounts } from '../src/accounts/accounts.js';
import type { NewKey } from '../src/accounts/key-commands.js';
import { systemClock } from '../src/base/model/clock.js';
import { ApiError } from '../src/base/model/errors.js';
import { parseConfig, SETTINGS, type Setting } from '../src/config/config.js';
import { createLog } from '../src/server/observe/log.js';
import { type Role, serve } from '../src/server/roles.js';
import { collectOnSignal } from './collect.js';

/** A millisecond each. */
const CLOCK_SAMPLES = 20;
/** Between looks for somebody who writes. */
const WRITER_MS = 50;

const KEY: NewKey = {
  tier: 'enterprise',
  name: 'bench',
  streaming: true,
  scopes: ['ingest'],
  maxStreams: 100_000,
  requestsPerMinute: 1_000_000_000,
};

const PARTS: Record<string, Role> = { all: 'alone', engine: 'writer', front: 'replica' };

const options = Object.fromEntries(
  (SETTINGS as readonly Setting[]).flatMap(({ flag }) =>
    flag === undefined ? [] : [[flag, { type: 'string' as const }]],
  ),
);
const { values } = parseArgs({ options: { ...options, as: { type: 'string', default: 'all' } } });
const { as: part, ...settings } = values as Record<string, string>;
const config = parseConfig({ port: '0', ...settings }, {});
const parts = { config, feeds: [], clock: systemClock, log: createLog('error'), version: 'bench', onEnd };

// Where another process makes the key, there is none here.
const role = config.cluster.length > 0 ? 'replica' : PARTS[part!]!;
const { port, server, close } = await serve(role, parts);
const accounts = (config.cluster.length > 0 ? config.role === 'front' : part === 'front') ? undefined : server.accounts;
const key = accounts === undefined ? undefined : await createKey(accounts);
process.stdout.write(
  `${JSON.stringify({ msg: 'listening', port, pid: process.pid, key, clockAheadUs: clockAheadUs() })}\n`,
);
collectOnSignal();
process.on('SIGTERM', () => {
  close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});

/** A node of a cluster has nobody to ask until one of them writes. */
async function createKey(accounts: Accounts): Promise<string> {
  for (;;) {
    try {
      return (await accounts.create(KEY)).key;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'unavailable')) throw error;
      await setTimeout(WRITER_MS);
    }
  }
}

function onEnd(reason: string): void {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

/**
 * How far the program's clock, in which positions are counted, is ahead of the machine's. The least of many looks: a core
 * taken away between the two readings makes it more, never less.
 */
function clockAheadUs(): number {
  let leastMs = Number.POSITIVE_INFINITY;
  let before = Date.now();
  for (let looks = 0; looks < CLOCK_SAMPLES; ) {
    const now = Date.now();
    if (now === before) continue;
    leastMs = Math.min(leastMs, systemClock.now() - now);
    before = now;
    looks++;
  }
  return leastMs * 1000;
}
