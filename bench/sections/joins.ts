// Many clients open a league's stream at once, or return to it after they were cut off: the server's CPU time, against
// bare uWebSockets sending as many bytes. What is sent is made once; what costs is the kernel's.
import type { Bench, Section } from '../bench.js';
import { format } from '../bench.js';
import { newestPosition } from '../delays.js';
import { getRequest, type SnapshotLoad, type SnapshotResult, snapshotLoad, type Target } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, Overround } from '../overround.js';
import { nodePeer } from '../peers.js';
import { alternate, median, pairedRatio } from '../statistics.js';

/** A league of 9,600 rows, about 7 MB; and one of 1,500, about 1. */
const JOINS = [
  { clients: 1_000, events: 160 },
  { clients: 5_000, events: 25 },
] as const;
const LEAGUES = 8;
/** Of the pieces that bare uWebSockets writes one by one: as large as ours. */
const PIECE_BYTES = 48 * 1024;
/** Missed by those that return: both sides of a market in so many games. */
const MISSED_EVENTS = 20;
const ROUNDS = { short: 3, full: 5 } as const;
/** Of bare uWebSockets' CPU time for as many bytes: at most one and a half times. */
const TARGET = 1 / 1.5;
const MB = 1e6;

export const joins: Section = {
  name: 'joins',
  about: 'many clients that open or resume a stream at once',
  underLoad: true,
  run: async (bench) => {
    const peer = await nodePeer('bare-uws', bench.folder);
    for (const { clients, events } of JOINS) {
      const market = new Market({ events: events * LEAGUES, books: 10 }, Date.now());
      const server = await Overround.start({ dataDir: dataFolder(bench.folder, `joins-${clients}`) });
      await server.fill(market);
      const path = `/api/v1/stream/odds?league=${market.league(0)}`;
      const opening = request(server, path);
      const ready = 'snapshot:complete';
      const title = `${format(clients)} clients open a league of ${format(market.rows / LEAGUES)} rows`;
      const bytes = await compared(bench, { server, peer, clients, opening, ready, id: `joins-${clients}`, title });
      await compared(bench, {
        server,
        peer,
        clients,
        opening: request(server, path, { 'Accept-Encoding': 'gzip' }),
        ready,
        id: `joins-${clients}-gzip`,
        title: `${title}, compressed`,
        bytes,
      });
      const before = await newestPosition(server);
      await change(server, market);
      const resuming = request(server, `${path}&resume=true`, { 'Last-Event-ID': `evt_${before}` });
      const missed = `${format(clients)} clients resume, each has missed ${MISSED_EVENTS * 2} changes`;
      const end = `evt_${await newestPosition(server)}`;
      await compared(bench, {
        server,
        peer,
        clients,
        opening: resuming,
        ready: end,
        id: `resumes-${clients}`,
        title: missed,
      });
      await server.stop();
    }
    await peer.stop();
  },
};

interface Joins {
  server: Overround;
  peer: Target;
  clients: number;
  opening: string;
  /** Stands in the last bytes of each. */
  ready: string;
  id: string;
  title: string;
  /** Uncompressed, if it is compressed: what bare uWebSockets sends then. */
  bytes?: number;
}

/** Returns the bytes of one client. */
async function compared(bench: Bench, joins: Joins): Promise<number> {
  const { server, peer, clients, opening, ready, id, title } = joins;
  const load = { connections: clients, stalled: 0, stallAtBytes: 1e15, stallMs: 0 };
  const ourProbe = getRequest('/healthz', server.headers);
  // One client first: it has each event's rows sorted, once in a server's life.
  const ours = { ...load, request: opening, ready, probe: ourProbe };
  const one = await snapshotLoad(bench.folder, server, { ...ours, connections: 1 }, () => undefined);
  const { bytes = one.bytes } = joins;
  const pieces = Math.max(1, Math.ceil(bytes / PIECE_BYTES));
  const bulk = getRequest(`/bulk?${pieces + 1},${Math.round(bytes / pieces)}`);
  const bare = { ...load, request: bulk, ready: 'snapshot:complete', probe: getRequest('/health') };
  const results = { ours: [] as SnapshotResult[], bare: [] as SnapshotResult[] };
  const contender = (name: 'ours' | 'bare', target: Target, load: SnapshotLoad) => ({
    name,
    run: async () => {
      const result = await snapshotLoad(bench.folder, target, load, () => undefined);
      results[name].push(result);
      return result.cpu.process;
    },
  });
  const cpu = await alternate(ROUNDS[bench.full ? 'full' : 'short'], [
    contender('ours', server, ours),
    contender('bare', peer, bare),
  ]);
  bench.say(`  ${title} (${format(one.bytes / MB)} MB each)`);
  for (const [whose, name] of [
    ['ours', title],
    ['bare', `${title}, bare uWebSockets`],
  ] as const) {
    bench.figure(`${name}: CPU`, median(cpu.get(whose)!), 's');
    bench.figure(`${name}: all are complete after`, median(results[whose].map(({ allSeconds }) => allSeconds)), 's');
    bench.figure(`${name}: /healthz meanwhile, p99`, median(results[whose].map(({ p99 }) => p99)) / 1000, 'ms');
  }
  const value = pairedRatio(cpu.get('bare')!, cpu.get('ours')!);
  const target = joins.bytes === undefined ? TARGET : 1;
  bench.ratio(id, `${title}, CPU`, 'bare uWebSockets with as many plain bytes', value, { target });
  return one.bytes;
}

function request(server: Overround, path: string, headers: Record<string, string> = {}): string {
  return getRequest(path, { ...server.headers, Accept: 'text/event-stream', ...headers });
}

/** Both sides of a market move in some games of the league. */
async function change(server: Overround, market: Market): Promise<void> {
  const publisher = server.publisher();
  const events = Array.from({ length: MISSED_EVENTS }, (_, i) => i * LEAGUES);
  const message = {
    ...market.message(0, events, (_, quote) => (quote < 2 ? 1 : 0), 1),
    polled_at: new Date().toISOString(),
  };
  await publisher.post(Buffer.from(JSON.stringify(message)));
  publisher.close();
}
