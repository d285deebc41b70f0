// Posts bodies over keep-alive connections, one request at a time on each (uWebSockets takes no pipelined requests while
// an answer is pending): a feed as the server sees it, at next to no cost on the load's core.
import { connect, type Socket } from 'node:net';

const CONNECTIONS = 16;

interface Post {
  body: Uint8Array;
  resolve(): void;
  reject(error: Error): void;
}

export class Publisher {
  readonly #head: string;
  readonly #idle: Line[] = [];
  readonly #lines: Line[] = [];
  readonly #waiting: Post[] = [];

  private constructor(head: string) {
    this.#head = head;
  }

  static open(port: number, path: string, headers: Readonly<Record<string, string>>): Publisher {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const publisher = new Publisher(`POST ${path} HTTP/1.1\r\nHost: bench\r\n${lines.join('')}`);
    for (let i = 0; i < CONNECTIONS; i++) publisher.#lines.push(new Line(port, (line) => publisher.#next(line)));
    publisher.#idle.push(...publisher.#lines);
    return publisher;
  }

  /** Settles with the answer; rejects where its status is not 2xx. The body must not change before. */
  post(body: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ body, resolve, reject });
      const line = this.#idle.pop();
      if (line !== undefined) this.#next(line);
    });
  }

  close(): void {
    for (const line of this.#lines) line.close();
  }

  #next(line: Line): void {
    const post = this.#waiting.shift();
    if (post === undefined) this.#idle.push(line);
    else line.send(this.#head, post);
  }
}

/** One connection, opened again where the server has closed it in a pause. */
class Line {
  readonly #port: number;
  readonly #free: (line: Line) => void;
  #socket: Socket | undefined;
  #post: Post | undefined;
  #head = '';
  #read = '';
  /** The connection has served before: the server may be closing it as idle while the next post is on its way. */
  #reused = false;

  constructor(port: number, free: (line: Line) => void) {
    this.#port = port;
    this.#free = free;
  }

  send(head: string, post: Post): void {
    this.#post = post;
    this.#head = head;
    const socket = this.#open();
    socket.cork();
    socket.write(`${head}Content-Length: ${post.body.length}\r\n\r\n`, 'latin1');
    socket.write(post.body);
    socket.uncork();
  }

  close(): void {
    this.#post = undefined;
    this.#socket?.destroy();
  }

  #open(): Socket {
    this.#reused = this.#socket !== undefined && !this.#socket.destroyed;
    if (this.#socket !== undefined && !this.#socket.destroyed) return this.#socket;
    const socket = connect(this.#port, '127.0.0.1');
    socket.setNoDelay(true);
    this.#read = '';
    const fail = (error: Error): void => {
      if (this.#socket !== socket) return;
      const post = this.#post;
      if (post !== undefined && this.#reused && this.#read === '') {
        // Sent again, once: what the server took of it the first time changes nothing the second time.
        this.#socket = undefined;
        this.send(this.#head, post);
      } else post?.reject(error);
    };
    socket.on('data', (data: Buffer) => this.#take(data.toString('latin1')));
    socket.on('error', fail);
    socket.on('close', () => {
      fail(new Error('the server closed a publishing connection'));
      if (this.#socket === socket) this.#socket = undefined;
    });
    this.#socket = socket;
    return socket;
  }

  #take(text: string): void {
    this.#read += text;
    const end = this.#read.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#read.slice(0, end);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#read.length < end + 4 + length) return;
    const body = this.#read.slice(end + 4, end + 4 + length);
    this.#read = '';
    const post = this.#post;
    this.#post = undefined;
    this.#free(this);
    const status = Number(head.slice(9, 12));
    if (status >= 200 && status < 300) post?.resolve();
    else post?.reject(new Error(`publishing was answered with ${status}: ${body.slice(0, 300)}`));
  }
}

export interface Sent {
  sent: number;
  /** Turns in which less could be sent than was due. */
  late: number;
  /** Of each, the time until it was answered (ms), in the order of answers: from when it was due where it had to wait. */
  answeredMs: number[];
}

/** Calls `send` so many times a second for so long, never letting more than `pendingMax` wait for their answers. */
export async function atRate(
  perSecond: number,
  forMs: number,
  send: (index: number) => Promise<void>,
  pendingMax = 64,
): Promise<Sent> {
  const begun = performance.now();
  const pending = new Set<Promise<void>>();
  let failure: unknown;
  let sent = 0;
  let late = 0;
  let behind = false;
  const answeredMs: number[] = [];
  while (failure === undefined) {
    const elapsed = performance.now() - begun;
    if (elapsed >= forMs) break;
    const due = Math.floor((elapsed / 1000) * perSecond) + 1;
    while (sent < due && pending.size < pendingMax) {
      // A timer's own lateness is not the server's; what waits because nothing is answered is.
      const from = behind ? begun + (sent / perSecond) * 1000 : performance.now();
      const one: Promise<void> = send(sent++).then(
        () => {
          answeredMs.push(performance.now() - from);
          pending.delete(one);
        },
        (error: unknown) => {
          failure = error;
        },
      );
      pending.add(one);
    }
    behind = sent < due;
    if (behind) late++;
    // No longer than it is to last: at few a second the next one may be due long after.
    const nextMs = Math.min((sent / perSecond) * 1000, forMs) - (performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, nextMs)));
  }
  if (failure !== undefined) throw failure;
  await Promise.all(pending);
  return { sent, late, answeredMs };
}
