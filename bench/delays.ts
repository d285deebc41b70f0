// What the sections of delays share: their size, their control, and where a stream begins that is told of nothing old.
import type { Bench } from './bench.js';
import type { Overround } from './overround.js';
import { nodePeer } from './peers.js';
import { peerStream, runStream } from './streams.js';

export const CLIENTS = 200;
export const CHANGES_PER_POST = 50;
export const BOOKS = 10;
/** Of the targets, on a quiet machine: odds p50 under 5 ms, p99 under 25 ms; opportunities p99 under 10 ms. */
export const JUDGED_RATE = 5_000;
/** A stream of it has a greeting and nothing else. */
const NO_EVENT = 'nba_none_none_2026-01-01';

/** Where the server's data folder lies: the second tells the program from the disk. */
export interface Where {
  /** Ends the names of figures. */
  name: string;
  /** Ends the ids of ratios. */
  id: string;
}

export const ON_DISK: Where = { name: '', id: '' };
export const IN_MEMORY: Where = { name: ', data folder in memory', id: '-in-memory' };

/** In ms. */
export interface Delay {
  p50: number;
  p99: number;
}

/** As many messages of the same size, posted to bare uWebSockets: what the machine itself takes now (ms). */
export async function bare(bench: Bench, perSecond: number, bytes: number): Promise<Delay> {
  const peer = await nodePeer('bare-uws', bench.folder, [], [], null);
  const stream = await peerStream(peer, 'sse', 'event', bytes);
  const result = await runStream(bench.folder, stream, { connections: CLIENTS, perSecond, ms: 3_000, spin: false });
  stream.close();
  await peer.stop();
  return { p50: result.p50 / 1000, p99: result.p99 / 1000 };
}

export function tellControl(bench: Bench, title: string, { p50, p99 }: Delay): void {
  bench.figure(`${title}, bare uWebSockets with as many bytes: p50`, p50, 'ms');
  bench.figure(`${title}, bare uWebSockets with as many bytes: p99`, p99, 'ms');
}

/** The control's delay to ours: more is better. The tail is the wildest figure there is. */
export function inverseRatios(
  bench: Bench,
  { id, title, where }: { id: string; title: string; where: Where },
  ours: Delay,
  control: Delay,
): void {
  for (const [of, tolerance] of [
    ['p50', 0.6],
    ['p99', 0.8],
  ] as const)
    bench.ratio(
      `${id}${of}${where.id}`,
      `delay (inverse), ${title}, ${of}`,
      'bare uWebSockets',
      control[of] / ours[of],
      {
        tolerance,
      },
    );
}

/** From the greeting of a stream that is closed at once. */
export async function newestPosition(server: Overround): Promise<number> {
  const path = `/api/v1/stream/odds?event=${NO_EVENT}`;
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: server.headers });
  let text = '';
  for await (const part of answer.body!) {
    text += Buffer.from(part as Uint8Array).toString();
    const position = /"position":(\d+)/.exec(text)?.[1];
    // Leaving the loop ends the stream.
    if (position !== undefined) return Number(position);
  }
  throw new Error('a stream ended without a greeting');
}
