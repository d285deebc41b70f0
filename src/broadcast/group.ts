// Subscribers with the same universe, filters and transport: what changes is filtered and encoded once for all of them.
import type { OddsTable } from '../table/table.js';
import { type Changes, changesSince } from './changes.js';
import { FrameWriter } from './frame-writer.js';
import { type Dress, writeChanges } from './frames.js';
import { Snapshot } from './snapshot.js';
import type { StreamFilter } from './stream-filter.js';
import type { Subscriber } from './subscriber.js';

/** Clients that join within this time of each other share a snapshot. */
const SNAPSHOT_SHARED_MS = 1_000;

const writer = new FrameWriter();

export class Group {
  readonly key: string;
  readonly members = new Set<Subscriber>();
  readonly #table: OddsTable;
  readonly #filter: StreamFilter;
  readonly #dress: Dress;
  readonly #wantsOdds: boolean;
  #snapshot: Snapshot | null = null;

  constructor(key: string, table: OddsTable, filter: StreamFilter, dress: Dress, wantsOdds: boolean) {
    this.key = key;
    this.#table = table;
    this.#filter = filter;
    this.#dress = dress;
    this.#wantsOdds = wantsOdds;
  }

  /** Position of the newest change there is. */
  get head(): number {
    return this.#table.position;
  }

  snapshot(nowMs: number): Snapshot {
    if (this.#snapshot === null || nowMs - this.#snapshot.madeMs > SNAPSHOT_SHARED_MS)
      this.#snapshot = new Snapshot(this.#table, this.#filter, this.#dress, nowMs);
    return this.#snapshot;
  }

  /** Lets go of a snapshot nobody can join any more (its readers keep it). */
  forgetSnapshot(nowMs: number): void {
    if (this.#snapshot !== null && nowMs - this.#snapshot.madeMs > SNAPSHOT_SHARED_MS) this.#snapshot = null;
  }

  /** `snapshot:complete`: the client's state is complete up to the snapshot's position. */
  completion(position: number, rows: number): Buffer {
    const books: string[] = [];
    for (const [no, count] of this.#table.bookRows.entries())
      if (count > 0 && this.#filter.hasBook(no)) books.push(this.#table.books.name(no));
    writer.reset();
    this.#dress.open(writer, 'snapshot:complete');
    writer.utf8(JSON.stringify({ status: 'ready', books: books.sort(), total_odds: rows }));
    this.#dress.close(writer, position);
    return writer.view();
  }

  /** Everything after a position, merged by row; null where nothing of it matches. Valid until the next call. */
  changesAfter(position: number): Buffer | null {
    return this.encode(changesSince(this.#table, position));
  }

  encode(changes: Changes): Buffer | null {
    if (!this.#wantsOdds) return null;
    writer.reset();
    return writeChanges(writer, this.#dress, this.#table, this.#filter, changes) ? writer.view() : null;
  }

  heartbeat(timestamp: string): Buffer {
    writer.reset();
    this.#dress.open(writer, 'heartbeat');
    writer.ascii(`{"timestamp":"${timestamp}"}`);
    // Nothing for this filter since the last event, so the state is complete up to here as well.
    this.#dress.close(writer, this.head);
    return writer.view();
  }
}
