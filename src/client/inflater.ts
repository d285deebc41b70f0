// The lines of a compressed WebSocket: its messages continue one raw deflate stream, which the platform inflates.

interface Pair {
  readable: ReadableStream<Uint8Array>;
  writable: WritableStream<Uint8Array>;
}
type Decompression = new (format: string) => Pair;

const platform = globalThis as { DecompressionStream?: Decompression };

/** Whether the platform can inflate. */
export const canInflate = (): boolean => platform.DecompressionStream !== undefined;

export class Inflater {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #rest = '';
  #written: Promise<unknown> = Promise.resolve();

  /**
   * @param line called with every whole line
   * @param failed called if the bytes are no deflate stream
   */
  constructor(line: (text: string) => void, failed: (error: unknown) => void) {
    const { readable, writable } = new platform.DecompressionStream!('deflate-raw');
    this.#writer = writable.getWriter();
    this.#read(readable.getReader(), line).catch(failed);
  }

  push(bytes: Uint8Array): void {
    // What is wrong with it is reported where it is read.
    this.#written = this.#writer.write(bytes).catch(() => undefined);
  }

  /** Settles when everything that was pushed has been read. */
  async settled(): Promise<void> {
    await this.#written;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }

  /** Nothing more is read. */
  close(): void {
    this.#writer.abort().catch(() => undefined);
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>, line: (text: string) => void): Promise<void> {
    const text = new TextDecoder();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (this.#rest + text.decode(part.value, { stream: true })).split('\n');
      this.#rest = lines.pop()!;
      for (const each of lines) line(each);
    }
  }
}
