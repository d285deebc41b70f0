// What the bench's own servers share: the pages they serve, the mark of time in what they publish, the listening line.
import type { HttpResponse } from 'uWebSockets.js';
import { readFileSync } from 'node:fs';

export interface Page {
  path: string;
  headers: [name: string, value: string][];
  body: Buffer;
  /** Under `path/ready/NO` and `path/joined/NO`: so many pages of the same bytes, each in memory of its own. */
  copies?: number;
  /**
   * Under `path/known?page=PATH` too: as `path`, with the least that an answer to a known caller costs; and under
   * `path/event?event=NO&limit=50` as a page of one of `copies` events, made for each request.
   */
  known?: boolean;
  /** Its bytes come from a thread, one message there and one back for each request. */
  fromThread?: boolean;
}

export const MARKER = 'evt_';
const DIGITS = 16;
const COMMENT = ':\n\n';

/** Pages in the file named on the command line. */
export function givenPages(): Page[] {
  const file = process.argv[2];
  if (file === undefined) return [];
  const pages = JSON.parse(readFileSync(file, 'utf8')) as (Omit<Page, 'body'> & { body: string })[];
  return pages.map((page) => ({ ...page, body: Buffer.from(page.body) }));
}

/**
 * Begins an SSE stream of uWebSockets. Without a handler for writable sockets it would close the stream ten seconds after
 * it once had to wait for the client; with one, only a write sends what waits.
 */
export function beginStream(response: HttpResponse, streams: Set<HttpResponse>): void {
  response.onAborted(() => streams.delete(response));
  response.onWritable(() => {
    let sent = false;
    response.cork(() => {
      sent = response.write(COMMENT);
    });
    return sent;
  });
  response.writeHeader('Content-Type', 'text/event-stream');
  response.write(COMMENT);
  streams.add(response);
}

/** Writes the time (Unix µs) behind the marker of a message, in place. */
export function stamp(message: Buffer): Buffer {
  const at = message.indexOf(MARKER);
  if (at >= 0) message.write(nowDigits(), at + MARKER.length, 'latin1');
  return message;
}

/**
 * What a request for `/publish?N` asks to be published: its body N times, as a program would that has N messages to tell
 * at once; once where it names no number. All bear the time the request is read at.
 */
export function messagesOf(query: string | undefined, body: Buffer): Buffer[] {
  const message = stamp(body);
  const times = query === undefined || query === '' ? 1 : Number(query);
  if (!Number.isInteger(times) || times < 1) throw new Error(`/publish?${query}: no number of messages`);
  return Array.from({ length: times }, (_, i) => (i === 0 ? message : Buffer.from(message)));
}

export function nowDigits(): string {
  // Date.now() and not the monotonic clock: the load client counts from the machine's time.
  const fine = performance.timeOrigin + performance.now();
  return String(Math.round(fine * 1000)).padStart(DIGITS, '0');
}

export function announce(port: number): void {
  process.stdout.write(`${JSON.stringify({ msg: 'listening', port, pid: process.pid })}\n`);
}
