// Connections whose first request is incomplete. They cost one entry each, report when more data has arrived, and are
// closed after some seconds, however many bytes per second they send.
import type { Libc } from './libc.js';

/** A Node socket, whose object costs more per connection than everything else here and is mostly not needed. */
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
  /** By descriptor, oldest first. */
  readonly #entries = new Map<number, Entry>();
  #timer: NodeJS.Timeout | undefined;
  #turns = 0;
  #closed = false;

  /**
   * @param look called for a connection with new data: returns what to do with it once its entry is removed, or
   * undefined to keep waiting
   * @param gone called after one timed out and was closed
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

  /** False if it cannot be watched. Data that arrived before the call is reported too. */
  add(handle: Handle): boolean {
    if (this.#closed || !this.#libc.watch(this.#watchFd, handle.fd)) return false;
    this.#entries.set(handle.fd, { handle, giveUpAtTurn: this.#turns + this.#turnsToGiveUp });
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
    this.#turns++;
    this.#libc.news(this.#watchFd, (fd, ended) => {
      const entry = this.#entries.get(fd);
      if (entry === undefined) return;
      const act = this.#look(entry.handle, ended);
      if (act === undefined) return;
      // Before another descriptor shares its socket: otherwise that one would be reported for ever.
      this.#libc.unwatch(this.#watchFd, fd);
      this.#entries.delete(fd);
      act();
    });
    for (const { handle, giveUpAtTurn } of this.#entries.values()) {
      if (giveUpAtTurn > this.#turns) break;
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
