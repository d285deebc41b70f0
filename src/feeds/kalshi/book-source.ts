// Where the order books of contracts come from: the venue's socket, or its REST API where no key opens the socket.
import type { ContractBook } from './contract-book.js';

export interface BookSource {
  readonly books: ReadonlyMap<string, ContractBook>;
  /** Settles after stop(). */
  readonly running: Promise<void>;
  /** Whether so many more contracts find room. */
  hasRoom(contracts: number): boolean;
  add(tickers: readonly string[]): void;
  remove(tickers: readonly string[]): void;
  stop(): void;
}
