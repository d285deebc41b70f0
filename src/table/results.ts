// What became of games, by event, in the order of the changes: updated by the change log.
import type { Delta } from '../delta/delta.js';
import type { ResultRecord } from '../model/result.js';
import { readResults } from '../store/extras-store.js';
import type { ShardEnv } from '../store/shard-env.js';

export class ResultsBoard {
  /** The least recently updated first. */
  readonly #records = new Map<string, ResultRecord>();

  constructor(envs: readonly ShardEnv[]) {
    const records = envs.flatMap((env) => [...readResults(env)]);
    for (const record of records.sort((a, b) => a.updatedPosition - b.updatedPosition)) this.#put(record);
  }

  /** Returns the records that changed for readers. */
  apply(delta: Delta): ResultRecord[] {
    for (const id of delta.expiredResults ?? []) this.#records.delete(id);
    const changed: ResultRecord[] = [];
    for (const record of delta.results ?? []) {
      // A source that says the same again only renews its time.
      if (this.#records.get(record.eventId)?.revision !== record.revision) changed.push(record);
      this.#put(record);
    }
    return changed;
  }

  of(eventId: string): ResultRecord | undefined {
    return this.#records.get(eventId);
  }

  /** The least recently updated first. */
  all(): Iterable<ResultRecord> {
    return this.#records.values();
  }

  #put(record: ResultRecord): void {
    const { eventId, revision } = record;
    if (this.#records.get(eventId)?.revision !== revision) this.#records.delete(eventId);
    this.#records.set(eventId, record);
  }
}
