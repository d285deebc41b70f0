// Bursts: many prices move at the same time, and every client is to have them all. A server that merges what comes
// together writes to each client a few times; one that does not, forty times. Peers are published the same burst, of
// messages as large as ours are a price: servers of their own in posts side by side, as overround, or in one pipeline;
// libraries by a loop of their program, which is the least work there is and makes one write of what they cork until the
// end of a turn. The full profile also has libraries that are posted each message by itself, as overround is.
import type { Bench } from '../bench.js';
import { barName, contenders, inRounds, LABELS, PEER_TARGETS, PEERS, type PeerName, ratioId } from '../contenders.js';
import type { Market } from '../market.js';
import { type Overround, PollBody } from '../overround.js';
import { median, pairedRatio } from '../statistics.js';
import { type BurstRound, ourStream, runBursts, type Stream, type Transport } from '../streams.js';

/** Prices of a burst, each posted by itself. */
export const BURST = 40;
const CLIENTS = 1_000;
/** Of bursts; fewer where one takes longer. */
const PER_SECOND = 8;
const FLOOR_TARGET = 5;

type Peers = Readonly<Record<Transport, readonly PeerName[]>>;
/** The floor is of WebSocket clients as of SSE ones: its messages are bare bytes. */
const FULL: Peers = { sse: ['floor', ...PEERS.sse.filter((name) => name !== 'floor')], ws: ['floor', ...PEERS.ws] };
const FULL_POSTED: Peers = { sse: ['node-http', 'better-sse'], ws: ['bare-uws'] };
/** What CI has the time for. */
const SHORT: Peers = { sse: ['floor', 'nchan'], ws: ['nchan'] };

export async function bursts(bench: Bench, server: Overround, market: Market, transport: Transport): Promise<void> {
  const ours = await ourBursts(server, market, transport);
  const alone = await runBursts(bench.folder, ours, { connections: 1, perSecond: PER_SECOND, ms: 250 }, BURST);
  const bytes = Math.round(alone.bytes / alone.items);
  const title = `bursts of ${BURST} prices to ${CLIENTS.toLocaleString('en-US')} ${LABELS[transport]} clients`;
  bench.say(`  ${title}, ${bytes} bytes a price`);
  const others = await contenders(bench, transport, (bench.full ? FULL : SHORT)[transport], bytes, { burst: BURST });
  if (bench.full)
    others.push(...(await contenders(bench, transport, FULL_POSTED[transport], bytes, { burst: BURST, posted: true })));
  const rounds = new Map<string, BurstRound[]>();
  const streams = [ours, ...others.map(({ stream }) => stream)];
  const figures = await inRounds(bench, bench.full ? 4 : 3, streams, CLIENTS, async (open) => {
    const { name } = open.stream;
    const round = await open.bursts({ perSecond: PER_SECOND, ms: bench.full ? 1_000 : 250 }, BURST);
    rounds.set(name, [...(rounds.get(name) ?? []), round]);
    return (round.sent * BURST * CLIENTS) / round.cpu.process;
  });
  for (const { name } of streams) tell(bench, `${title}: ${shown(name)}`, figures.get(name)!, rounds.get(name)!);
  for (const { name } of streams.slice(1)) {
    const value = pairedRatio(figures.get(ours.name)!, figures.get(name)!);
    const target = isFloor(name) ? FLOOR_TARGET : PEER_TARGETS[name];
    const id = isFloor(name) ? `${transport}-bursts` : ratioId(`${transport}-bursts`, name);
    bench.ratio(id, title, shown(name), value, target === undefined ? {} : { target });
  }
  bench.bars({
    id: `fan-out-${transport}-bursts`,
    title,
    unit: 'prices delivered per CPU-second',
    bars: streams.map(({ name }) => ({
      name: barName(name),
      value: median(figures.get(name)!),
      own: name === ours.name,
      control: isFloor(name),
    })),
  });
  ours.close();
  for (const { stream, stop } of others) {
    stream.close();
    await stop();
  }
}

function isFloor(name: string): boolean {
  return name.startsWith('C floor');
}

function shown(name: string): string {
  return isFloor(name) ? 'C floor, one send() each' : name;
}

function tell(bench: Bench, what: string, figures: readonly number[], rounds: readonly BurstRound[]): void {
  const of = (pick: (round: BurstRound) => number): number => median(rounds.map(pick));
  bench.figure(what, median(figures), 'prices delivered per CPU-second');
  // A client that keeps up reads as often as it is written to.
  bench.figure(
    `${what}: a burst is read in`,
    of(({ reads, sent }) => reads / sent / CLIENTS),
    'reads a client',
  );
  bench.figure(`${what}: latency p50`, of(({ p50 }) => p50) / 1000, 'ms');
  bench.figure(`${what}: latency p99`, of(({ p99 }) => p99) / 1000, 'ms');
  bench.figure(`${what}: until all clients have all`, median(rounds.flatMap(({ wholeMs }) => wholeMs)), 'ms');
}

/** Forty posts at once, each one price; the next burst moves them back. */
async function ourBursts(server: Overround, market: Market, transport: Transport): Promise<Stream> {
  const base = await ourStream(server, market, transport, BURST);
  const publisher = server.publisher();
  const bodies = [1, 0].map((phase) =>
    Array.from(
      { length: BURST },
      (_, event) => new PollBody(market.message(0, [event], (_e, quote) => (quote === 0 ? phase : 0), 1)),
    ),
  );
  const post = async (some: readonly PollBody[]): Promise<void> => {
    await Promise.all(some.map((body) => publisher.post(body.stamped())));
  };
  // Whatever moved them before: each burst is to be a change.
  await post(bodies[1]!);
  let burst = 0;
  return {
    ...base,
    publish: () => post(bodies[burst++ % 2]!),
    close: () => {
      publisher.close();
      base.close();
    },
  };
}
