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

/** Leagues of 2,400 rows, about 1.8 MB (in the full profile 9,600 and 7), and of 1,200, about 0.9. */
const JOINS = [
  { clients: 1_000, events: { short: 40, full: 160 } },
  { clients: 5_000, events: { short: 20, full: 25 } },
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
/** At the end of a snapshot, and of the changes that were missed. */
const JOINED = 'snapshot:complete';
const RESUMED = '"partial":false}\nid: evt_';

export const joins: Section = {
  name: 'joins',
  about: 'many clients that open or resume a stream at once',
  underLoad: true,
  run: async (bench) => {
    const peer = await nodePeer('bare-uws', bench.folder);
    for (const { clients, events } of JOINS) {
      const market = new Market({ events: events[bench.profile] * LEAGUES, books: 10 }, Date.now());
      const server = await Overround.start({ dataDir: dataFolder(bench.folder, `joins-${clients}`) });
      await server.fill(market);
      const path = `/api/v1/stream/odds?league=${market.league(0)}`;
      const title = `${format(clients)} clients open a league of ${format(market.rows / LEAGUES)} rows`;
      const to = { server, peer, clients };
      await compared(bench, to, [
        { id: `joins-${clients}`, title, request: request(server, path), ready: JOINED, target: TARGET },
        {
          id: `joins-${clients}-gzip`,
          title: `${title}, compressed`,
          request: request(server, path, { 'Accept-Encoding': 'gzip' }),
          ready: JOINED,
          target: 1,
        },
      ]);
      const before = await newestPosition(server);
      await change(server, market);
      const missed = `${format(clients)} clients resume, each has missed ${MISSED_EVENTS * 2} changes`;
      const resuming = request(server, `${path}&resume=true`, { 'Last-Event-ID': `evt_${before}` });
      await compared(bench, to, [
        { id: `resumes-${clients}`, title: missed, request: resuming, ready: RESUMED, target: TARGET },
      ]);
      await server.stop();
    }
    await peer.stop();
  },
};

interface Between {
  server: Overround;
  peer: Target;
  clients: number;
}

interface Way {
  id: string;
  title: string;
  request: string;
  /** Stands in the last bytes of each. */
  ready: string;
  target: number;
}

/** Ways to be sent the same, in turns with bare uWebSockets sending as many bytes as the first way does. */
async function compared(bench: Bench, { server, peer, clients }: Between, ways: readonly Way[]): Promise<void> {
  const load = { connections: clients, stalled: 0, stallAtBytes: 1e15, stallMs: 0 };
  const probe = getRequest('/healthz', server.headers);
  const bytes: number[] = [];
  // One client first: it has each event's rows sorted, once in a server's life. Then as many as are measured: the first
  // thousand run code that is not compiled yet, and cost twice as much as the second.
  for (const { request, ready } of ways) {
    const one = { ...load, connections: 1, request, ready, probe };
    bytes.push((await snapshotLoad(bench.folder, server, one, () => undefined)).bytes);
    await snapshotLoad(bench.folder, server, { ...load, request, ready, probe }, () => undefined);
  }
  const pieces = Math.max(1, Math.ceil(bytes[0]! / PIECE_BYTES));
  const bulk = getRequest(`/bulk?${pieces + 1},${Math.round(bytes[0]! / pieces)}`);
  const bare = { ...load, request: bulk, ready: JOINED, probe: getRequest('/health') };
  const control = `${ways[0]!.title}, bare uWebSockets`;
  const results = new Map<string, SnapshotResult[]>();
  const contender = (name: string, target: Target, load: SnapshotLoad) => ({
    name,
    run: async () => {
      const result = await snapshotLoad(bench.folder, target, load, () => undefined);
      results.set(name, [...(results.get(name) ?? []), result]);
      return result.cpu.process;
    },
  });
  const cpu = await alternate(ROUNDS[bench.profile], [
    ...ways.map(({ title, request, ready }) => contender(title, server, { ...load, request, ready, probe })),
    contender(control, peer, bare),
  ]);
  for (const [i, { title }] of [...ways, { title: control }].entries()) {
    const of = (pick: (result: SnapshotResult) => number) => median(results.get(title)!.map(pick));
    bench.say(`  ${title} (${format((bytes[i] ?? bytes[0]!) / MB)} MB each)`);
    bench.figure(`${title}: CPU`, median(cpu.get(title)!), 's');
    bench.figure(
      `${title}: all are complete after`,
      of(({ allSeconds }) => allSeconds),
      's',
    );
    bench.figure(`${title}: /healthz meanwhile, p99`, of(({ p99 }) => p99) / 1000, 'ms');
  }
  for (const { id, title, target } of ways) {
    const value = pairedRatio(cpu.get(control)!, cpu.get(title)!);
    bench.ratio(id, `${title}, CPU`, 'bare uWebSockets with as many plain bytes', value, { target });
  }
  if (ways.length > 1)
    bench.figure(`${ways[1]!.title}: share of the plain bytes`, (100 * bytes[1]!) / bytes[0]!, '%', 15);
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
