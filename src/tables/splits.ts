// The newest betting splits of every event and source, updated by the change log. Their history stays in the store.

import { getOrInsert } from '../base/memory/get-or-insert.js';
import { compareText } from '../base/model/compare.js';
import type { SplitsDelta, TableDelta } from '../log/delta/delta.js';
import { readLatestSplits } from '../store/extras-store.js';
import type { ShardEnv } from '../store/shard-env.js';
import type { OddsTable } from './table.js';

export class SplitsBoard {
  readonly #table: OddsTable;
  /** By event id, then by source. */
  readonly #latest = new Map<string, Map<string, SplitsDelta>>();

  constructor(table: OddsTable, envs: readonly ShardEnv[]) {
    this.#table = table;
    for (const env of envs) for (const entry of readLatestSplits(env)) this.#put(entry);
  }

  /** To be called after the table has applied the delta. */
  apply(delta: TableDelta): void {
    for (const entry of delta.splits) this.#put(entry);
    if (delta.dropped.length === 0) return;
    for (const eventId of this.#latest.keys())
      if (this.#table.events.get(eventId) === undefined) this.#latest.delete(eventId);
  }

  /** By source; empty for an event without splits. */
  of(eventId: string): readonly SplitsDelta[] {
    const bySource = this.#latest.get(eventId);
    if (bySource === undefined) return [];
    return [...bySource.values()].sort((a, b) => compareText(a.splits.source, b.splits.source));
  }

  #put(entry: SplitsDelta): void {
    const bySource = getOrInsert(this.#latest, entry.eventId, () => new Map<string, SplitsDelta>());
    const { source, fetchedMs } = entry.splits;
    if ((bySource.get(source)?.splits.fetchedMs ?? 0) <= fetchedMs) bySource.set(source, entry);
  }
}
