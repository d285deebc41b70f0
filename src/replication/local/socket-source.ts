// A front's end of the local socket: receives the log, sends requests, and reconnects when the engine is gone, for as
// long as the front lives.

import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { noWriter } from '../../base/model/errors.js';
import { decode } from '../../base/wire/codec.js';
import type { ControlStore } from '../../log/control/entries.js';
import { localSocketPath } from '../../store/directory-lock.js';
import type { Beat, Hello, LogHandlers, LogSource } from '../port/source.js';
import { DEADLINE_MS, decodeAnswer, encodeRequest, type RequestKind, type Requests } from '../requests/requests.js';
import { FRAME, FrameReader, frameOf, numberedFrameOf, readNumbered } from './frames.js';
import { LOG_SOCKET } from './log-server.js';

/** Delay between two attempts. */
const RETRY_MS = 50;
/** The engine sends something four times a second: after this long without anything the connection is dropped. */
const SILENT_MS = 5_000;

export interface SocketSourceOptions {
  path: string;
  /** As the engine writes it. */
  control: ControlStore;
  /** A heartbeat of another process; its bytes are valid during the call. */
  onHeartbeat?(heartbeat: Uint8Array): void;
}

interface PendingRequest {
  answered(bytes: Buffer): void;
  failed(error: unknown): void;
  timer: NodeJS.Timeout;
}

export class SocketSource implements LogSource {
  readonly #options: SocketSourceOptions;
  #handlers: LogHandlers | undefined;
  #socket: Socket | undefined;
  #open = false;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;
  #lastNo = 0;
  readonly #pending = new Map<number, PendingRequest>();

  constructor(options: SocketSourceOptions) {
    this.#options = options;
  }

  /** Sends a heartbeat to the other processes, if there is a connection. */
  tell(heartbeat: Uint8Array): void {
    if (this.#open) this.#socket?.write(frameOf(FRAME.peer, heartbeat));
  }

  follow(handlers: LogHandlers): void {
    this.#handlers = handlers;
    this.#connect();
  }

  request<Kind extends RequestKind>(kind: Kind, body: Requests[Kind]['body']): Promise<Requests[Kind]['answer']> {
    const socket = this.#socket;
    if (!this.#open || socket === undefined) return Promise.reject(noWriter());
    this.#lastNo = (this.#lastNo + 1) >>> 0;
    const no = this.#lastNo;
    return new Promise((resolve, reject) => {
      const end = (act: () => void): void => {
        clearTimeout(timer);
        this.#pending.delete(no);
        act();
      };
      const timer = setTimeout(() => end(() => reject(noWriter())), DEADLINE_MS[kind]);
      this.#pending.set(no, {
        answered: (bytes) =>
          end(() => {
            try {
              // The bytes belong to the socket; values read from them may point into them.
              resolve(decodeAnswer(Uint8Array.from(bytes)) as Requests[Kind]['answer']);
            } catch (error) {
              reject(error);
            }
          }),
        failed: (error) => end(() => reject(error)),
        timer,
      });
      socket.write(numberedFrameOf(FRAME.request, no, encodeRequest(kind, body)));
    });
  }

  close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#socket?.destroy();
    return Promise.resolve();
  }

  #connect(): void {
    const socket = connect(this.#options.path);
    this.#socket = socket;
    const reader = new FrameReader((kind, bytes) => this.#received(kind, bytes));
    socket.on('connect', () => socket.write(frameOf(FRAME.follow, new Uint8Array(0))));
    socket.setTimeout(SILENT_MS, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      if (socket !== this.#socket) return;
      reader.push(chunk);
    });
    // Followed by its close event.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#gone());
  }

  #gone(): void {
    const wasOpen = this.#open;
    this.#open = false;
    for (const { failed } of [...this.#pending.values()]) failed(noWriter());
    if (this.#closed) return;
    if (wasOpen) this.#handlers?.lost();
    this.#retry = setTimeout(() => this.#connect(), RETRY_MS);
  }

  #received(kind: number, bytes: Buffer): void {
    const handlers = this.#handlers!;
    switch (kind) {
      case FRAME.message:
        handlers.message(bytes);
        break;
      case FRAME.beat:
        handlers.beat(decode(bytes) as Beat);
        break;
      case FRAME.hello:
        this.#open = true;
        this.#options.control.refresh();
        handlers.opened(decode(bytes) as Hello);
        break;
      case FRAME.control:
        this.#options.control.refresh();
        break;
      case FRAME.peer:
        this.#options.onHeartbeat?.(bytes);
        break;
      case FRAME.answer: {
        const { no, bytes: answer } = readNumbered(bytes);
        // Nobody waits for an answer that came too late.
        this.#pending.get(no)?.answered(answer);
        break;
      }
      default:
        throw new Error(`a frame of kind ${kind}`);
    }
  }
}

// A request of a command on this machine to the server of a data directory, over its local socket.

/** Null if no server listens. Rejects with the ApiError it answers with; `unavailable` if it does not. */
export function askServer<Kind extends RequestKind>(
  dataDir: string,
  kind: Kind,
  body: Requests[Kind]['body'],
): Promise<Requests[Kind]['answer'] | null> {
  if (!existsSync(dataDir)) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const socket = connect(localSocketPath(dataDir, LOG_SOCKET));
    let reached = false;
    const reader = new FrameReader((frame, bytes) => {
      if (frame !== FRAME.answer) return;
      try {
        resolve(decodeAnswer(Uint8Array.from(readNumbered(bytes).bytes)) as Requests[Kind]['answer']);
      } catch (error) {
        reject(error as Error);
      }
      socket.destroy();
    });
    socket.setTimeout(DEADLINE_MS[kind], () => socket.destroy());
    socket.on('connect', () => {
      reached = true;
      socket.write(numberedFrameOf(FRAME.request, 1, encodeRequest(kind, body)));
    });
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    // Followed by its close event.
    socket.on('error', () => undefined);
    socket.on('close', () => (reached ? reject(noWriter()) : resolve(null)));
  });
}
