// Records what the feeds deliver into files that the replay reads: NDJSON of ingest messages, optionally gzip.

import type { WriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { constants, createGzip, type Gzip } from 'node:zlib';
import { LIMITS } from '../../../base/model/limits.js';
import type { IngestMessage } from '../../ingest/message.js';

export interface RecorderOptions {
  /**
   * Compressed if it ends in `.gz`. An existing file is never written to: `odds.1.ndjson` is used instead. A pipe or
   * device is.
   */
  path: string;
  /** Uncompressed bytes after which the next file is begun; never by default. */
  rotateBytes?: number;
  /** Maximum number of bytes waiting for the disk; 16 MiB by default. */
  queueBytesMax?: number;
}

/** A kill loses at most this much of a compressed file. */
const GZIP_FLUSH_BYTES = 64 * 1024;
const NAMES_MAX = LIMITS.recordingFiles.max;

export class RecordingWriter {
  readonly #options: RecorderOptions;
  readonly #queueBytesMax: number;
  #part: Part | undefined;
  #number = 0;
  #queuedBytes = 0;
  #tail: Promise<void> = Promise.resolve();
  #failure: Error | undefined;
  #closed = false;
  #messages = 0;

  private constructor(options: RecorderOptions) {
    this.#options = options;
    this.#queueBytesMax = options.queueBytesMax ?? 16 * 1024 * 1024;
  }

  /** Creates the first file. Rejects if it cannot be created. */
  static async open(options: RecorderOptions): Promise<RecordingWriter> {
    const recorder = new RecordingWriter(options);
    await recorder.#next();
    return recorder;
  }

  /** The file being written. */
  get path(): string {
    return this.#part?.path ?? this.#options.path;
  }

  /** Why nothing more can be written. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  get messages(): number {
    return this.#messages;
  }

  /**
   * Writes the messages in order; settles when they are written to the file stream (that is the back-pressure: await
   * it). Rejects if an earlier write failed, after close(), and if callers who do not wait have filled the queue: then
   * nothing of the batch is written.
   */
  write(messages: readonly IngestMessage[]): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#closed) return Promise.reject(new Error('the recording is closed'));
    const text = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
    const bytes = Buffer.byteLength(text);
    if (this.#queuedBytes > 0 && this.#queuedBytes + bytes > this.#queueBytesMax)
      return Promise.reject(new Error(`the recording is ${this.#queuedBytes} bytes behind: a batch is not recorded`));
    this.#queuedBytes += bytes;
    const written = this.#tail.then(async () => {
      try {
        if (this.#failure !== undefined) throw this.#failure;
        await this.#append(text, bytes, messages.length);
      } catch (error) {
        this.#failure ??= error as Error;
        throw error;
      } finally {
        this.#queuedBytes -= bytes;
      }
    });
    this.#tail = written.catch(() => undefined);
    return written;
  }

  /** Writes what is queued, ends the compression and closes the file. Rejects if anything could not be written. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#tail;
    await this.#part?.close();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #append(text: string, bytes: number, messages: number): Promise<void> {
    const { rotateBytes } = this.#options;
    if (rotateBytes !== undefined && this.#part!.bytes > 0 && this.#part!.bytes + bytes > rotateBytes) {
      await this.#part!.close();
      await this.#next();
    }
    await this.#part!.write(text, bytes);
    this.#messages += messages;
  }

  async #next(): Promise<void> {
    for (; this.#number < NAMES_MAX; this.#number++) {
      const path = numbered(this.#options.path, this.#number);
      try {
        // Created exclusively: a second recorder, or an earlier run, keeps its file.
        const file = await open(path, (await isPipeOrDevice(path)) ? 'w' : 'wx');
        this.#part = new Part(path, file.createWriteStream());
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
    throw new Error('no free name for the recording');
  }
}

async function isPipeOrDevice(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/** One file. */
class Part {
  readonly path: string;
  readonly #file: WriteStream;
  readonly #gzip: Gzip | undefined;
  readonly #ended: Promise<void>;
  #failure: Error | undefined;
  #unflushedBytes = 0;
  bytes = 0;

  constructor(path: string, file: WriteStream) {
    this.path = path;
    this.#file = file;
    this.#ended = new Promise((resolve) => {
      file.once('close', resolve);
    });
    file.on('error', (error) => this.#fail(error));
    if (path.endsWith('.gz')) {
      this.#gzip = createGzip();
      this.#gzip.on('error', (error) => this.#fail(error));
      this.#gzip.pipe(file);
    }
  }

  async write(text: string, bytes: number): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    this.bytes += bytes;
    const stream = this.#gzip ?? this.#file;
    if (!stream.write(text)) await this.#settled((done) => stream.once('drain', done));
    this.#unflushedBytes += bytes;
    if (this.#gzip !== undefined && this.#unflushedBytes >= GZIP_FLUSH_BYTES) {
      this.#unflushedBytes = 0;
      await this.#settled((done) => this.#gzip!.flush(constants.Z_SYNC_FLUSH, done));
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  async close(): Promise<void> {
    if (this.#failure === undefined) (this.#gzip ?? this.#file).end();
    await this.#ended;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Waits for a callback of the streams, or for their failure: a broken stream calls no callback. */
  async #settled(start: (done: () => void) => void): Promise<void> {
    await Promise.race([new Promise<void>(start), this.#ended]);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#gzip?.destroy();
    this.#file.destroy();
  }
}

/** `odds.ndjson.gz` -> `odds.2.ndjson.gz`; number 0 is the name itself. */
function numbered(path: string, number: number): string {
  if (number === 0) return path;
  const name = basename(path);
  const dot = name.indexOf('.', 1);
  const at = dot === -1 ? name.length : dot;
  return join(dirname(path), `${name.slice(0, at)}.${number}${name.slice(at)}`);
}
