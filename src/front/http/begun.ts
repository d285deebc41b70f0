// Connections whose first request has not come whole. They cost an entry each, say when more has come, and are given up
// after some seconds, however many bytes a second they send.
import type { Libc } from './libc.js';

/** What Node keeps of a socket: its own object for a connection costs more than all else here, and most need none. */
export interface Handle {
  readonly fd: number;
  close(): void;
}

const LOOK_EVERY_MS = 5;
interface Entry {
  handle: Handle;
  giveUpAtTurn: number;
}

export class BegunConnections {
  readonly #libc: Libc;
  readonly #turnsToGiveUp: number;
  readonly #watchFd: number;
  readonly #look: (handle: Handle, ended: boolean) => (() => void) | undefined;
  readonly #gone: () => void;
  /** By descriptor, the oldest first. */
  readonly #entries = new Map<number, Entry>();
  #timer: NodeJS.Timeout | undefined;
  #budget = 0;
  #closed = false;

  /**
   * @param look at a connection that has news: what to do with it, once it is no entry any more, or undefined to wait on
   * @param gone one was given up and closed
   */
  constructor(
    libc: Libc,
    giveUpMs: number,
    look: (handle: Handle, ended: boolean) => (() => void) | undefined,
    gone: () => void,
  ) {
    this.#libc = libc;
    this.#turnsToGiveUp = Math.ceil(giveUpMs / LOOK_EVERY_MS);
    this.#look = look;
    this.#gone = gone;
    this.#watchFd = libc.openWatch();
  }

  get usable(): boolean {
    return this.#watchFd >= 0;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** False where it cannot be waited for. What came before the call is told, too. */
  add(handle: Handle): boolean {
    if (this.#closed || !this.#libc.watch(this.#watchFd, handle.fd)) return false;
    this.#entries.set(handle.fd, { handle, giveUpAtTurn: this.#budget + this.#turnsToGiveUp });
    this.#timer ??= setInterval(() => this.#turn(), LOOK_EVERY_MS);
    return true;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    for (const { handle } of this.#entries.values()) this.#giveUp(handle);
    this.#libc.close(this.#watchFd);
  }

  #turn(): void {
    this.#budget++;
    this.#libc.news(this.#watchFd, (fd, ended) => {
      const entry = this.#entries.get(fd);
      if (entry === undefined) return;
      const act = this.#look(entry.handle, ended);
      if (act === undefined) return;
      // Before another descriptor shares its socket: that one would be told of for ever.
      this.#libc.unwatch(this.#watchFd, fd);
      this.#entries.delete(fd);
      act();
    });
    for (const { handle, giveUpAtTurn } of this.#entries.values()) {
      if (giveUpAtTurn > this.#budget) break;
      this.#giveUp(handle);
    }
    if (this.#entries.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #giveUp(handle: Handle): void {
    this.#libc.unwatch(this.#watchFd, handle.fd);
    this.#entries.delete(handle.fd);
    handle.close();
    this.#gone();
  }
}
