// The engine's end of the local socket: every batch is one frame, encoded once and written to each front that follows;
// fronts' requests go to the request handler.

import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { EngineView } from '../engine/engine-view.js';
import type { FeedInfo } from '../feeds/feed-watch.js';
import { decodeRequest } from '../log/requests.js';
import type { Beat, Hello } from '../log/source.js';
import { LIMITS } from '../model/limits.js';
import type { EngineLog } from '../model/log.js';
import type { LogBatch } from '../pool/protocol.js';
import { listenPrivately } from '../store/directory-lock.js';
import { encode } from '../wire/codec.js';
import { FRAME, FrameReader, frameOf, numberedFrameOf, readNumbered } from './frames.js';
import type { RequestHandler } from './request-handler.js';

export interface LogServerOptions {
  engine: EngineView;
  handler: RequestHandler;
  feeds(): readonly FeedInfo[];
  log: EngineLog;
  /** A front disconnected, for whatever reason. */
  onGone?: () => void;
}

const BEAT_MS = 250;
/** A front with this much unread data has stopped reading: it is disconnected, and its process starts again. */
const WAITING_BYTES_MAX = LIMITS.frontUnsent.max;

export class LogServer {
  readonly #options: LogServerOptions;
  readonly #server: Server;
  readonly #followers = new Set<Socket>();
  #beats: NodeJS.Timeout | undefined;

  constructor(options: LogServerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#welcome(socket));
  }

  /** Fronts that follow. */
  get fronts(): number {
    return this.#followers.size;
  }

  async listen(path: string): Promise<void> {
    // Left by an engine that was killed; the data directory's lock ensures that there is no other.
    rmSync(path, { force: true });
    await listenPrivately(this.#server, path);
    this.#beats = setInterval(() => this.#beat(), BEAT_MS);
  }

  /** To be called with every batch, in the order of positions, before the engine's own table applies it. */
  batch({ message }: LogBatch): void {
    if (this.#followers.size > 0) this.#write(frameOf(FRAME.message, message));
  }

  close(): Promise<void> {
    clearInterval(this.#beats);
    for (const socket of this.#followers) socket.end();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #welcome(socket: Socket): void {
    const { engine, log } = this.#options;
    const reader = new FrameReader((kind, bytes) => this.#received(socket, kind, bytes));
    socket.on('data', (chunk: Buffer) => {
      try {
        reader.push(chunk);
      } catch (error) {
        log.error({ err: error }, 'a front said what cannot be read');
        socket.destroy();
      }
    });
    // Followed by its close event.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#followers.delete(socket);
      this.#options.onGone?.();
    });
    const hello: Hello = {
      epoch: engine.directory.epoch,
      writer: engine.cluster.writer ?? '',
      head: engine.table.position,
      contiguous: false,
    };
    // In one turn: every batch after the position sent here follows.
    socket.write(frameOf(FRAME.hello, encode(hello)));
    this.#followers.add(socket);
  }

  #received(socket: Socket, kind: number, frame: Buffer): void {
    if (kind !== FRAME.request) throw new Error(`a frame of kind ${kind}`);
    const { no, bytes } = readNumbered(frame);
    this.#options.handler.answer(decodeRequest(bytes)).then(
      (answer) => {
        if (!socket.destroyed) socket.write(numberedFrameOf(FRAME.answer, no, answer));
      },
      (error: unknown) => {
        this.#options.log.error({ err: error }, 'a request of a front was not answered');
        socket.destroy();
      },
    );
  }

  #beat(): void {
    const { engine, feeds } = this.#options;
    const beat: Beat = {
      position: engine.table.position,
      writerMs: engine.clock.now(),
      fronts: this.fronts,
      feeds: feeds(),
    };
    this.#write(frameOf(FRAME.beat, encode(beat)));
  }

  #write(frame: Buffer): void {
    for (const socket of this.#followers) {
      socket.write(frame);
      if (socket.writableLength > WAITING_BYTES_MAX) socket.destroy();
    }
  }
}
