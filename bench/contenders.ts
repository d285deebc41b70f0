// The contenders in a fan-out: overround, the control and peers, started, published to, and measured in turns.
import type { Bench } from './bench.js';
import { floorPeer, hasNchan, hasRedis, nchanPeer, nodePeer, type Peer, redisPeer } from './peers.js';
import { wait } from './process.js';
import { RedisClient } from './redis-client.js';
import { alternate } from './statistics.js';
import { OpenStream, type Published, peerStream, redisStream, type Stream, type Transport } from './streams.js';

export const LABELS: Readonly<Record<Transport, string>> = { sse: 'SSE', ws: 'WebSocket' };

export type PeerName = 'bare-uws' | 'floor' | 'node-http' | 'better-sse' | 'ws' | 'nchan' | 'redis';

/** The control first. */
export const PEERS: Readonly<Record<Transport, readonly PeerName[]>> = {
  sse: ['bare-uws', 'floor', 'node-http', 'better-sse', 'nchan', 'redis'],
  ws: ['bare-uws', 'ws', 'nchan'],
};

/** Targets of overround against a peer, by the name of the peer's stream. */
export const PEER_TARGETS: Readonly<Record<string, number>> = {
  'nchan SSE': 1.4,
  'node-http SSE': 2,
  'better-sse SSE': 3,
  'nchan WebSocket': 1.2,
  'ws WebSocket': 1.7,
};

export interface Contender {
  stream: Stream;
  stop(): Promise<void>;
}

/** Starts those named that this machine has; they are sent messages of this many bytes. */
export async function contenders(
  bench: Bench,
  transport: Transport,
  names: readonly PeerName[],
  bytes: number,
  published: Published = {},
): Promise<Contender[]> {
  const list: Contender[] = [];
  for (const name of names) {
    const contender = await contend(bench, transport, name, bytes, published);
    if (contender !== undefined) list.push(contender);
  }
  return list;
}

async function contend(
  bench: Bench,
  transport: Transport,
  name: PeerName,
  bytes: number,
  published: Published,
): Promise<Contender | undefined> {
  const of = async (peer: Peer, kind: 'event' | 'json'): Promise<Contender> => {
    return { stream: await peerStream(peer, transport, kind, bytes, published), stop: () => peer.stop() };
  };
  switch (name) {
    case 'bare-uws':
    case 'node-http':
      return of(await nodePeer(name, bench.folder), transport === 'sse' ? 'event' : 'json');
    case 'better-sse':
    case 'ws':
      return of(await nodePeer(name, bench.folder), 'json');
    case 'floor':
      return of(await floorPeer(bench.folder), 'event');
    case 'nchan':
      if (hasNchan()) return of(await nchanPeer(bench.folder), 'json');
      bench.skip(`nchan ${LABELS[transport]}`, 'nginx or its nchan module is not installed (--install-peers)');
      return undefined;
    case 'redis': {
      if (!hasRedis()) {
        bench.skip('Redis pub/sub', 'redis-server is not installed (--install-peers)');
        return undefined;
      }
      const peer = await redisPeer(bench.folder);
      const stream = redisStream(peer, await RedisClient.open(peer.port), bytes, published.burst);
      return { stream, stop: () => peer.stop() };
    }
  }
}

/** Opens the clients of all, lets each have its round in turns, and closes them. */
export async function inRounds(
  bench: Bench,
  rounds: number,
  streams: readonly Stream[],
  clients: number,
  round: (open: OpenStream) => Promise<number>,
): Promise<Map<string, number[]>> {
  const opened: OpenStream[] = [];
  try {
    for (const stream of streams) opened.push(await OpenStream.open(bench.folder, stream, clients));
    return await alternate(
      rounds,
      opened.map((open) => ({ name: open.stream.name, run: () => round(open) })),
    );
  } finally {
    await Promise.all(opened.map((open) => open.close()));
    await wait(300);
  }
}

/** Of overround to a peer, as --compare knows it. */
export function ratioId(what: string, peer: string): string {
  return `${what}-to-${peer.replace(/\W+/g, '-')}`;
}

/** A stream's name beside those of the same transport. */
export function barName(name: string): string {
  return name
    .replace(/ (?:SSE|WebSocket)(?=,|$)/, '')
    .replace('bare-uws', 'bare uWebSockets')
    .replace('node-http', 'node:http');
}
