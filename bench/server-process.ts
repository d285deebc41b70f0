// The server under test as a process of its own: the program's Server with no feed, and one key without a limit that
// matters. Flags are those of `overround serve`; prints the listening line with the key in it.
import { parseArgs } from 'node:util';
import { parseConfig, SETTINGS, type Setting } from '../src/config/config.js';
import { systemClock } from '../src/model/clock.js';
import { createLog } from '../src/observe/log.js';
import { Server } from '../src/server/server.js';
import { collectOnSignal } from './collect.js';

/** A millisecond each. */
const CLOCK_LOOKS = 20;

const options = Object.fromEntries(
  (SETTINGS as readonly Setting[]).flatMap(({ flag }) =>
    flag === undefined ? [] : [[flag, { type: 'string' as const }]],
  ),
);
const { values } = parseArgs({ options });
const config = parseConfig({ port: '0', ...values } as Record<string, string>, {});
const server = new Server({ config, feeds: [], clock: systemClock, log: createLog('error'), version: 'bench' });
const { key } = server.accounts.create({
  tier: 'enterprise',
  name: 'bench',
  streaming: true,
  scopes: ['ingest'],
  maxStreams: 100_000,
  requestsPerMinute: 1_000_000_000,
});
const port = await server.listen();
process.stdout.write(
  `${JSON.stringify({ msg: 'listening', port, pid: process.pid, key, clockAheadUs: clockAheadUs() })}\n`,
);
collectOnSignal();
process.on('SIGTERM', () => {
  server.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});

/**
 * How far the program's clock, in which positions are counted, is ahead of the machine's. The least of many looks: a core
 * taken away between the two readings makes it more, never less.
 */
function clockAheadUs(): number {
  let leastMs = Number.POSITIVE_INFINITY;
  let before = Date.now();
  for (let looks = 0; looks < CLOCK_LOOKS; ) {
    const now = Date.now();
    if (now === before) continue;
    leastMs = Math.min(leastMs, systemClock.now() - now);
    before = now;
    looks++;
  }
  return leastMs * 1000;
}
