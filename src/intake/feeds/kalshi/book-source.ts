// The source of contracts' order books: the venue's socket, or its REST API if there is no key for the socket.
import type { ContractBook } from './contract-book.js';

export interface BookSource {
  readonly books: ReadonlyMap<string, ContractBook>;
  /** Settles after stop(). */
  readonly running: Promise<void>;
  /** Whether there is room for this many more contracts. */
  hasRoom(contracts: number): boolean;
  add(tickers: readonly string[]): void;
  remove(tickers: readonly string[]): void;
  stop(): void;
}
