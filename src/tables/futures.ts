// The futures markets as each book last listed them, updated by the change log.

import { compareText } from '../base/model/compare.js';
import type { FutureDelta, TableDelta } from '../log/delta/delta.js';
import { readFutures } from '../store/extras-store.js';
import type { ShardEnv } from '../store/shard-env.js';

export interface FutureMarket {
  /** `{league}_{market}`; of a league with an underscore `{league}:{market}`, as it could be another's market. */
  id: string;
  league: string;
  sport: string;
  /** By book; a book that no longer lists any selection is not in it. */
  books: Map<string, FutureDelta>;
}

export class FuturesBoard {
  readonly #markets = new Map<string, FutureMarket>();
  /** The newest poll of every market and book, including those without selections: an older poll changes nothing. */
  readonly #polledMs = new Map<string, number>();
  readonly #books = new Set<string>();

  /** @param upTo position that it is to be as of; the present by default */
  constructor(envs: readonly ShardEnv[], upTo?: number) {
    for (const env of envs) for (const entry of readFutures(env, upTo)) this.#put(entry);
  }

  apply(delta: TableDelta): void {
    for (const entry of delta.futures) this.#put(entry);
  }

  get(id: string): FutureMarket | undefined {
    return this.#markets.get(id);
  }

  /** Whether the book has ever listed a future. */
  knows(book: string): boolean {
    return this.#books.has(book);
  }

  /** By id. */
  all(): FutureMarket[] {
    return [...this.#markets.values()].sort((a, b) => compareText(a.id, b.id));
  }

  #put(entry: FutureDelta): void {
    const { future, book, polledMs } = entry;
    const id = `${future.league}${future.league.includes('_') ? ':' : '_'}${future.market}`;
    const key = `${id}|${book}`;
    if ((this.#polledMs.get(key) ?? 0) > polledMs) return;
    if (entry.forgotten === true) this.#polledMs.delete(key);
    else this.#polledMs.set(key, polledMs);
    this.#books.add(book);
    const market = this.#markets.get(id) ?? { id, league: future.league, sport: future.sport, books: new Map() };
    if (future.quotes.length > 0) market.books.set(book, entry);
    else market.books.delete(book);
    if (market.books.size > 0) this.#markets.set(id, market);
    else this.#markets.delete(id);
  }
}
