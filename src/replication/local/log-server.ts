// A server's end of the local socket: every batch is one frame, encoded once and written to each front that follows;
// requests, of fronts and of commands on this machine, go to the request handler.

import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { LIMITS } from '../../base/model/limits.js';
import type { EngineLog } from '../../base/model/log.js';
import { encode } from '../../base/wire/codec.js';
import type { Engine } from '../../engine/engine.js';
import type { FeedInfo } from '../../intake/feeds/feed-watch.js';
import { listenPrivately } from '../../store/directory-lock.js';
import type { LogBatch } from '../../writer/pool/protocol.js';
import { Heartbeats } from '../port/heartbeats.js';
import type { Beat, Hello } from '../port/source.js';
import type { RequestHandler } from '../requests/request-handler.js';
import { answerBytes } from '../requests/requests.js';
import { FRAME, FrameReader, frameOf, numberedFrameOf, readNumbered } from './frames.js';

export interface LogServerOptions {
  engine: Engine;
  handler: RequestHandler;
  feeds(): readonly FeedInfo[];
  log: EngineLog;
  /** If fronts follow: what all processes tell each other. */
  heartbeats?: Heartbeats;
  /** A front disconnected, for whatever reason. */
  onGone?: () => void;
}

export const LOG_SOCKET = 'overround-log';
const BEAT_MS = 250;
const NOTHING = new Uint8Array(0);
/** A front with this much unread data has stopped reading: it is disconnected, and its process starts again. */
const WAITING_BYTES_MAX = LIMITS.frontUnsent.max;

export class LogServer {
  readonly #options: LogServerOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** With the node's name, once it has sent a heartbeat. */
  readonly #followers = new Map<Socket, string | null>();
  #unlisten: (() => void) | undefined;
  #beats: NodeJS.Timeout | undefined;
  #soon: NodeJS.Immediate | undefined;

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
    this.#unlisten = this.#options.engine.control.store.onChange(() => {
      if (this.#followers.size === 0) return;
      this.#write(frameOf(FRAME.control, NOTHING));
      this.#beatSoon();
    });
    this.#beats = setInterval(() => this.#beat(), BEAT_MS);
  }

  /** To be called with every batch, in the order of positions, before the engine's own table applies it. */
  batch({ delta }: LogBatch): void {
    if (this.#followers.size > 0) this.#write(frameOf(FRAME.message, delta));
  }

  /** Sends this process's heartbeat to all fronts. */
  tell(heartbeat: Uint8Array): void {
    if (this.#followers.size > 0) this.#write(frameOf(FRAME.peer, heartbeat));
  }

  close(): Promise<void> {
    clearInterval(this.#beats);
    clearImmediate(this.#soon);
    this.#unlisten?.();
    for (const socket of this.#sockets) socket.end();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #welcome(socket: Socket): void {
    const { log } = this.#options;
    this.#sockets.add(socket);
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
    socket.on('close', () => this.#gone(socket));
  }

  #follow(socket: Socket): void {
    const { engine } = this.#options;
    const hello: Hello = {
      epoch: engine.directory.epoch,
      writer: engine.cluster.writer ?? '',
      head: engine.table.position,
      contiguous: false,
    };
    // In one turn: every batch after the position sent here follows.
    socket.write(frameOf(FRAME.hello, encode(hello)));
    this.#followers.set(socket, null);
  }

  #gone(socket: Socket): void {
    this.#sockets.delete(socket);
    const node = this.#followers.get(socket);
    if (node === undefined) return;
    this.#followers.delete(socket);
    if (node !== null) {
      this.#options.heartbeats?.gone(node);
      this.tell(Heartbeats.lastOf(node));
    }
    this.#options.onGone?.();
  }

  #received(socket: Socket, kind: number, frame: Buffer): void {
    if (kind === FRAME.follow) this.#follow(socket);
    else if (kind === FRAME.peer && this.#followers.has(socket)) this.#relay(socket, frame);
    else if (kind === FRAME.request) this.#answer(socket, frame);
    else throw new Error(`a frame of kind ${kind}`);
  }

  #answer(socket: Socket, frame: Buffer): void {
    const { no, bytes } = readNumbered(frame);
    answerBytes(bytes, (request) => this.#options.handler.answer(request)).then(
      (answer) => {
        if (!socket.destroyed) socket.write(numberedFrameOf(FRAME.answer, no, answer));
      },
      (error: unknown) => {
        this.#options.log.error({ err: error }, 'a request of a front was not answered');
        socket.destroy();
      },
    );
  }

  #relay(from: Socket, heartbeat: Buffer): void {
    const { heartbeats } = this.#options;
    if (heartbeats === undefined) return;
    this.#followers.set(from, heartbeats.received(heartbeat));
    const frame = frameOf(FRAME.peer, heartbeat);
    for (const socket of this.#followers.keys()) if (socket !== from) this.#writeTo(socket, frame);
  }

  /** What changed in the control store alone is no batch: fronts are told that it is reached. */
  #beatSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined;
      this.#beat();
    });
  }

  #beat(): void {
    if (this.#followers.size === 0) return;
    const { engine, feeds } = this.#options;
    const beat: Beat = {
      position: engine.reachedFor('enterprise'),
      writerMs: engine.clock.now(),
      fronts: this.fronts,
      feeds: feeds(),
    };
    this.#write(frameOf(FRAME.beat, encode(beat)));
  }

  #write(frame: Buffer): void {
    for (const socket of this.#followers.keys()) this.#writeTo(socket, frame);
  }

  #writeTo(socket: Socket, frame: Buffer): void {
    socket.write(frame);
    if (socket.writableLength > WAITING_BYTES_MAX) socket.destroy();
  }
}
