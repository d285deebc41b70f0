// What applying messages works on: a shard's memory, the catalogue, and the position of the running batch.

import type { Catalogue } from '../catalogue/catalogue.js';
import type { Interner } from '../memory/interner.js';
import type { ShardRowNumbers } from '../model/shard-row.js';
import type { BookQuotes, EventState } from '../model/state.js';
import type { EventIndex } from './match.js';

export interface ShardState {
  events: EventIndex;
  /** Newest league-wide poll of a book, Unix µs, by `league|book`. */
  leaguePolls: Map<string, number>;
  /** Book names by their number in this shard's store; append-only. */
  bookNames: string[];
  rowCount: number;
  /** Of all its rows, by their numbers. */
  numbers: ShardRowNumbers;
  /** Of texts that the rows of many books and events share. */
  texts: Interner;
  /** Rises with every message: rows and quotes remember the last one that showed them. */
  serial: number;
  nextEventNo: number;
  allocateRowNo(): number;
  /** Marked by this batch. */
  dirtyEvents: Set<EventState>;
  dirtyBooks: Set<BookQuotes>;
  dirtyLeaguePolls: Set<string>;
}

export interface ApplyContext {
  catalogue: Catalogue;
  state: ShardState;
  /** Position of the running batch (Unix µs). */
  position: number;
}
