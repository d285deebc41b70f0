// Streams that are compressed once for all their clients: the server's CPU time, the bytes and the delay of a delivery,
// against the same stream uncompressed, against bare uWebSockets that ends its chunks and commits nothing, and against
// servers that compress for each connection.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, Section } from '../bench.js';
import { format } from '../bench.js';
import { getRequest, type Target } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, Overround, PollBody } from '../overround.js';
import { gzipProxy, hasNginx, nodePeer, type Peer } from '../peers.js';
import { type Child, cpuTime, LOAD_CORE, start, wait } from '../process.js';
import { alternate, median, pairedRatio } from '../statistics.js';
import { ourStream, warmUp, warmUpServer } from '../streams.js';

const CLIENTS = 1_000;
const LEAGUES = 8;
/** Both sides of one market move in so many games: rows of a tick. */
const TICKS = [
  { id: 'small', events: 1, target: 1 / 1.2 },
  { id: '80-rows', events: 40, target: 1 / 0.6 },
] as const;
const MESSAGES = 25;
/** Of those that compress for each connection: they take a hundred times as long. */
const MESSAGES_EACH = 5;
const WARM_MESSAGES = 400;
/** Between messages: the next one waits until all have had this one, usually. */
const PAUSE_MS = 25;
const QUIET_MS = 150;
const GZIP = { 'Accept-Encoding': 'gzip' };
const ROUNDS = { short: 3, full: 5 } as const;

const program = fileURLToPath(new URL('../byte-sinks.js', import.meta.url));

export const compressed: Section = {
  name: 'compressed',
  about: 'streams that are compressed once for all their clients',
  underLoad: true,
  run: async (bench) => {
    const market = new Market({ events: 40 * LEAGUES, books: 2 }, Date.now());
    const server = await Overround.start({ dataDir: dataFolder(bench.folder, 'compressed') });
    await server.fill(market);
    await warmUpServer(bench.folder, server, market, 'sse');
    const peer = await nodePeer('bare-uws', bench.folder);
    const each = [await nodePeer('gzip-each', bench.folder)];
    if (hasNginx()) each.push(await gzipProxy(bench.folder, peer.port));
    else bench.skip('nginx that compresses each connection', 'nginx is not installed (--install-peers)');
    for (const tick of TICKS) await compare({ bench, server, market, peer, each }, tick);
    for (const { stop } of [...each, peer]) await stop();
    await server.stop();
  },
};

interface Round {
  /** µs a delivery. */
  cpu: number;
  bytes: number;
  /** From before the post to a client's first bytes (ms). */
  p50: number;
  p99: number;
}

interface Servers {
  bench: Bench;
  server: Overround;
  market: Market;
  peer: Peer;
  /** Those that compress for each connection. */
  each: readonly Peer[];
}

async function compare(servers: Servers, { id, events, target }: (typeof TICKS)[number]): Promise<void> {
  const { bench, server, market, peer } = servers;
  const games = Array.from({ length: events }, (_, i) => i * LEAGUES);
  const bodies = [1, 0].map(
    (phase) => new PollBody(market.message(0, games, (_, quote) => (quote < 2 ? phase : 0), 1)),
  );
  const warm = await ourStream(server, market, 'sse', events);
  await server.unmeasured(() => warmUp(bench.folder, warm, WARM_MESSAGES));
  warm.close();
  const publisher = server.publisher();
  let turn = 0;
  const change = () => publisher.post(bodies[turn++ % 2]!.stamped());
  await change();
  // A second book's rows do not move: a snapshot is small beside the ticks.
  const path = `/api/v1/stream/odds?league=${market.league(0)}&sportsbook=${market.books[0]!}`;
  const accepts = (coding: Record<string, string>) =>
    getRequest(path, { ...server.headers, Accept: 'text/event-stream', ...coding });
  const message = await tickOf(server, path, change);
  const rounds = new Map<string, Round[]>();
  const contender = (name: string, of: Target, request: string, send: () => Promise<unknown>) => ({
    name,
    run: async () => {
      const round = await deliveries(bench.folder, of, request, send);
      rounds.set(name, [...(rounds.get(name) ?? []), round]);
      return round.cpu;
    },
  });
  const title = `ticks of ${events * 2} rows to ${format(CLIENTS)} SSE clients`;
  const [packed, bare] = [`${title}, compressed`, `${title}, bare uWebSockets that ends its chunks`];
  const cpu = await alternate(ROUNDS[bench.profile], [
    contender(title, server, accepts({}), change),
    contender(packed, server, accepts(GZIP), change),
    contender(bare, peer, getRequest('/sse'), posting(peer, 'publish-ended', message)),
  ]);
  publisher.close();
  bench.say(`  ${title}`);
  const of = (name: string, pick: (round: Round) => number) => median(rounds.get(name)!.map(pick));
  for (const name of [title, packed, bare]) {
    bench.figure(
      `${name}: CPU a delivery`,
      of(name, ({ cpu }) => cpu),
      'µs',
    );
    bench.figure(
      `${name}: size`,
      of(name, ({ bytes }) => bytes),
      'bytes',
    );
    bench.figure(
      `${name}: delay p50`,
      of(name, ({ p50 }) => p50),
      'ms',
    );
    bench.figure(
      `${name}: delay p99`,
      of(name, ({ p99 }) => p99),
      'ms',
    );
  }
  const against = (name: string, one: string) => pairedRatio(cpu.get(name)!, cpu.get(one)!);
  const ended = 'bare uWebSockets that ends its chunks, as many plain bytes';
  bench.ratio(`compressed-${id}`, `${packed}, CPU`, 'the same uncompressed', against(title, packed), { target });
  bench.ratio(`compressed-${id}-bare`, `${packed}, CPU`, ended, against(bare, packed));
  bench.ratio(`plain-${id}-bare`, `${title}, CPU`, ended, against(bare, title));
  const share = of(packed, ({ bytes }) => bytes) / of(title, ({ bytes }) => bytes);
  bench.figure(`${packed}: share of the plain bytes`, 100 * share, '%', 20);
  await toEach(servers, { id, title: packed, message, cpu: of(packed, ({ cpu }) => cpu) });
}

/** Against those that compress for each connection, sent the same bytes. */
async function toEach(
  { bench, peer, each }: Servers,
  { id, title, message, cpu }: { id: string; title: string; message: string; cpu: number },
): Promise<void> {
  for (const one of each) {
    const proxied = one.name === 'nginx';
    const publish = posting(proxied ? peer : one, 'publish', message);
    const round = await deliveries(bench.folder, one, getRequest('/sse', GZIP), publish, MESSAGES_EACH);
    const name = proxied ? 'nginx that compresses each connection' : 'node:http with a gzip stream each';
    bench.figure(`${title}, ${name}: CPU a delivery`, round.cpu, 'µs');
    bench.ratio(`compressed-${id}-to-${one.name}`, `${title}, CPU`, name, round.cpu / cpu, { target: 10 });
  }
}

const posting = (to: Target, path: string, body: string) => async (): Promise<void> => {
  const response = await fetch(`http://127.0.0.1:${to.port}/${path}`, { method: 'POST', body });
  await response.arrayBuffer();
};

/** What a client of the stream is sent for a change. */
async function tickOf(server: Overround, path: string, change: () => Promise<unknown>): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: server.headers });
  const decoder = new TextDecoder();
  let text = '';
  let from = -1;
  for await (const part of answer.body!) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    if (from < 0) {
      const complete = text.indexOf('event: snapshot:complete');
      if (complete < 0 || text.indexOf('\n\n', complete) < 0) continue;
      from = text.indexOf('\n\n', complete) + 2;
      await change();
    }
    const begun = text.indexOf('event: odds:update', from);
    const id = text.indexOf('\nid: evt_', begun);
    const end = text.indexOf('\n\n', id);
    // Leaving the loop ends the stream.
    if (begun >= 0 && id >= 0 && end >= 0) return text.slice(begun, end + 2);
  }
  throw new Error('a stream ended without a tick');
}

/** CPU time, bytes and delay of a delivery: some messages to clients that are all live. */
async function deliveries(
  folder: string,
  target: Target,
  request: string,
  publish: () => Promise<unknown>,
  messages = MESSAGES,
): Promise<Round> {
  const file = join(folder, 'sink-request');
  writeFileSync(file, request);
  const sinks = start(process.execPath, [program, String(target.port), String(CLIENTS), file], LOAD_CORE);
  await sinks.line();
  // The first tick after they joined is no one's later one.
  await quiet(sinks);
  await publish();
  const { bytes: before } = await quiet(sinks);
  const begun = cpuTime(target.pid, target.others).process;
  for (let i = 0; i < messages; i++) {
    sinks.process.stdin!.write(`sent ${performance.timeOrigin + performance.now()}\n`);
    await publish();
    await wait(PAUSE_MS);
  }
  const { bytes, p50, p99 } = await quiet(sinks);
  const cpu = cpuTime(target.pid, target.others).process - begun;
  await sinks.stop();
  const count = messages * CLIENTS;
  return { cpu: (cpu * 1e6) / count, bytes: (bytes - before) / count, p50, p99 };
}

/** Bytes so far, once no more come, and the delays meanwhile. */
async function quiet(sinks: Child): Promise<{ bytes: number; p50: number; p99: number }> {
  let first: { p50: number; p99: number } | undefined;
  for (let last = -1; ; ) {
    await wait(QUIET_MS);
    sinks.process.stdin!.write('\n');
    const [bytes, p50, p99] = (await sinks.line()).split(' ').map(Number) as [number, number, number];
    first ??= { p50, p99 };
    if (bytes === last) return { bytes, ...first };
    last = bytes;
  }
}
