// As much of a Redis client as a peer of the bench needs: commands pipelined over one connection, replies in order.
import { connect, type Socket } from 'node:net';

type Reply = string | number | null | Reply[];

export class RedisClient {
  readonly #socket: Socket;
  readonly #waiting: { resolve(reply: Reply): void; reject(error: Error): void }[] = [];
  #buffer: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (data: Buffer) => this.#take(data));
    socket.on('error', (error) => {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    });
  }

  static async open(port: number): Promise<RedisClient> {
    for (let tries = 0; ; tries++) {
      const socket = connect(port, '127.0.0.1');
      try {
        await new Promise<void>((resolve, reject) => {
          socket.once('connect', resolve);
          socket.once('error', reject);
        });
        return new RedisClient(socket);
      } catch (error) {
        if (tries === 50) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  command(...words: (string | Buffer)[]): Promise<Reply> {
    const parts: Buffer[] = [Buffer.from(`*${words.length}\r\n`)];
    for (const word of words) {
      const bytes = Buffer.from(word as string);
      parts.push(Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#socket.write(Buffer.concat(parts));
    });
  }

  /** All in one write; settles with the replies, in order. */
  async commands(list: readonly (readonly (string | Buffer)[])[]): Promise<Reply[]> {
    this.#socket.cork();
    const replies = list.map((words) => this.command(...words));
    this.#socket.uncork();
    return Promise.all(replies);
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(data: Buffer): void {
    this.#buffer = this.#buffer.length === 0 ? data : Buffer.concat([this.#buffer, data]);
    for (let at = 0; ; ) {
      const read = readReply(this.#buffer, at);
      if (read === undefined) {
        this.#buffer = this.#buffer.subarray(at);
        return;
      }
      at = read.end;
      this.#waiting.shift()?.resolve(read.reply);
    }
  }
}

/** One RESP2 reply from `at`, or undefined where it is not all there. An error reply is its text. */
function readReply(bytes: Buffer, at: number): { reply: Reply; end: number } | undefined {
  const lineEnd = bytes.indexOf('\r\n', at);
  if (lineEnd < 0) return undefined;
  const text = bytes.toString('utf8', at + 1, lineEnd);
  const end = lineEnd + 2;
  switch (bytes[at]) {
    case 0x3a:
      return { reply: Number(text), end };
    case 0x24: {
      const length = Number(text);
      if (length < 0) return { reply: null, end };
      if (bytes.length < end + length + 2) return undefined;
      return { reply: bytes.toString('utf8', end, end + length), end: end + length + 2 };
    }
    case 0x2a: {
      const items: Reply[] = [];
      let next = end;
      for (let i = 0; i < Number(text); i++) {
        const item = readReply(bytes, next);
        if (item === undefined) return undefined;
        items.push(item.reply);
        next = item.end;
      }
      return { reply: items, end: next };
    }
    default:
      return { reply: text, end };
  }
}
