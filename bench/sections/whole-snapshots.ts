// The whole of a large table to many clients at once, some of which stop reading: how long it takes, how much memory it
// makes the server need, and how long everybody else waits meanwhile; against bare uWebSockets sending as many bytes.
import { mkdirSync } from 'node:fs';
import { systemClock } from '../../src/base/model/clock.js';
import { type Bench, format } from '../bench.js';
import { makeLargeStore } from '../large-store.js';
import { getRequest, type SnapshotLoad, type SnapshotResult, snapshotLoad, type Target } from '../load.js';
import { dataFolder, Overround } from '../overround.js';
import { nodePeer } from '../peers.js';
import { anonymousBytes, wait } from '../process.js';

const CLIENTS = 20;
const STALLED = 5;
const STALL_AT_BYTES = 20_000_000;
/** Below the 10 s after which a client that reads nothing is closed. */
const STALL_MS = 5_000;
const CHUNK_ROWS = 500;
const SAMPLE_MS = 25;
const MIB = 1024 * 1024;

interface Run extends SnapshotResult {
  /** Bytes the server needed more than before, at most and in the end. */
  peak: number;
  left: number;
}

export async function wholeSnapshots(bench: Bench): Promise<void> {
  const dir = dataFolder(bench.folder, 'whole');
  mkdirSync(dir, { recursive: true });
  const rows = await makeLargeStore({ dir, books: 28, events: bench.full ? 600 : 120, shards: 1, clock: systemClock });
  const server = await Overround.start({ dataDir: dir });
  const probe = getRequest('/api/v1/health', server.headers);
  const load: SnapshotLoad = {
    connections: CLIENTS,
    request: getRequest('/api/v1/stream/odds', { ...server.headers, Accept: 'text/event-stream' }),
    ready: 'snapshot:complete',
    stalled: STALLED,
    stallAtBytes: STALL_AT_BYTES,
    stallMs: STALL_MS,
    probe,
  };
  // The very first one sorts every event's rows, once in a server's life.
  await snapshotLoad(bench.folder, server, { ...load, connections: 1, stalled: 0 }, () => undefined);
  const ours = await run(bench, server, load);
  await server.stop();
  const title = `${format(rows)} rows to ${CLIENTS} clients at once, ${STALLED} of them stalled for ${STALL_MS / 1000} s`;
  tell(bench, title, ours);
  const peer = await nodePeer('bare-uws', bench.folder);
  const chunkBytes = Math.round((ours.bytes / CLIENTS / rows) * CHUNK_ROWS);
  const bulk = getRequest(`/bulk?${Math.ceil(rows / CHUNK_ROWS)},${chunkBytes}`);
  const bare = await run(bench, peer, { ...load, request: bulk, probe: getRequest('/health') });
  await peer.stop();
  tell(bench, 'bare uWebSockets with as many bytes', bare);
  bench.ratio('snapshots', `${title}, time`, 'bare uWebSockets with as many bytes', bare.seconds / ours.seconds);
}

async function run(bench: Bench, target: Target, load: SnapshotLoad): Promise<Run> {
  await wait(1_000);
  process.kill(target.pid, 'SIGUSR2');
  await wait(2_000);
  const before = anonymousBytes(target.pid);
  let peak = before;
  let sampling: NodeJS.Timeout | undefined;
  const result = await snapshotLoad(bench.folder, target, load, () => {
    sampling = setInterval(() => {
      peak = Math.max(peak, anonymousBytes(target.pid));
    }, SAMPLE_MS);
  });
  clearInterval(sampling);
  await wait(2_000);
  process.kill(target.pid, 'SIGUSR2');
  await wait(1_000);
  return { ...result, peak: peak - before, left: anonymousBytes(target.pid) - before };
}

function tell(bench: Bench, title: string, { seconds, allSeconds, bytes, peak, left, ...probe }: Run): void {
  bench.say(`  ${title} (${format(bytes / MIB)} MiB in all)`);
  bench.figure(`${title}: those that read have it after`, seconds, 's');
  bench.figure(`${title}: all have it after`, allSeconds, 's');
  bench.figure(`${title}: memory at most`, peak / MIB, 'MiB more');
  bench.figure(`${title}: memory afterwards`, left / MIB, 'MiB more');
  bench.figure(`${title}: /health before, p50`, probe.alone / 1000, 'ms');
  bench.figure(`${title}: /health meanwhile, p50`, probe.p50 / 1000, 'ms');
  bench.figure(`${title}: /health meanwhile, p99`, probe.p99 / 1000, 'ms');
  bench.figure(`${title}: /health meanwhile, max`, probe.max / 1000, 'ms');
}
