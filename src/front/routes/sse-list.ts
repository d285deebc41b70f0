// SSE responses that are handed the same bytes side by side. Nothing of a client is touched but uWebSockets' own response,
// and no function is made: what is written, and to whom, stands outside the one that is corked.
import type { HttpResponse } from 'uWebSockets.js';
import type { Chunk } from '../../broadcast/frame-writer.js';
import type { SocketList } from '../../broadcast/in-step.js';
import type { Sink } from '../../broadcast/subscriber.js';
import type { SseSink } from './sse-sink.js';

let toWrite: Uint8Array | string = '';
let writeTo: HttpResponse;
let taken = false;

const write = (): void => {
  taken = writeTo.write(toWrite);
};

/** One write to the socket; false where it did not take all of it at once. Not within another cork. */
export function writeCorked(response: HttpResponse, bytes: Uint8Array | string): boolean {
  toWrite = bytes;
  writeTo = response;
  response.cork(write);
  return taken;
}

export class SseList implements SocketList {
  filled: (seat: number) => void = () => undefined;
  #bytes: Uint8Array = new Uint8Array(0);
  readonly #responses: HttpResponse[] = [];
  readonly #sinks: SseSink[] = [];

  add(sink: Sink): void {
    const sse = sink as SseSink;
    sse.seated(this, this.#sinks.length);
    this.#sinks.push(sse);
    this.#responses.push(sse.response);
  }

  swap(one: number, other: number): void {
    const sinks = this.#sinks;
    const [a, b] = [sinks[one]!, sinks[other]!];
    sinks[one] = b;
    sinks[other] = a;
    this.#responses[one] = b.response;
    this.#responses[other] = a.response;
    b.seated(this, one);
    a.seated(this, other);
  }

  pop(): void {
    this.#responses.pop();
    this.#sinks.pop()!.seated(null, -1);
  }

  load(chunk: Chunk): void {
    this.#bytes = chunk.bytes;
  }

  hand(seat: number): boolean {
    // It may leave under its write.
    const sink = this.#sinks[seat]!;
    const all = writeCorked(this.#responses[seat]!, this.#bytes);
    if (!all) sink.overflowed();
    return all;
  }
}
