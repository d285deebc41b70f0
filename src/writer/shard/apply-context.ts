// The state that applying messages works on: a shard's memory, the catalogue, and the position of the current batch.

import type { Interner } from '../../base/memory/detached-text.js';
import type { ShardRowNumbers } from '../../base/model/shard-row.js';
import type { BookQuotes, EventState } from '../../base/model/state.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import type { BookNumbers } from './book-numbers.js';
import type { KnownFutures } from './known-futures.js';
import type { EventIndex } from './match.js';
import type { UsedNames } from './used-names.js';

export interface ShardState {
  events: EventIndex;
  /** Newest league-wide poll of a book, Unix µs, by `league|book`. */
  leaguePolls: Map<string, number>;
  /** By their number in this shard's store. */
  books: BookNumbers;
  /** Names of its rows and games. */
  names: UsedNames;
  futures: KnownFutures;
  rowCount: number;
  /** Of all rows, by row number. */
  numbers: ShardRowNumbers;
  /** Texts shared by the rows of many books and events. */
  texts: Interner;
  /** Incremented with every message: rows and quotes store the last one that contained them. */
  serial: number;
  nextEventNo: number;
  allocateRowNo(): number;
  /** Changed by this batch. */
  dirtyEvents: Set<EventState>;
  dirtyBooks: Set<BookQuotes>;
  dirtyLeaguePolls: Set<string>;
}

export interface ApplyContext {
  catalogue: Catalogue;
  state: ShardState;
  /** Position of the current batch (Unix µs). */
  position: number;
  /** New rows and games that the batch still has room for; a game that it has begun is finished. */
  room: number;
}

/** A game that is dropped leaves nothing behind in the state. */
export function forget({ events, names, books, dirtyEvents }: ShardState, event: EventState): void {
  events.remove(event);
  names.countGame(event, -1);
  for (const { bookNo } of event.books.values()) books.removeGame(bookNo);
  dirtyEvents.delete(event);
}
