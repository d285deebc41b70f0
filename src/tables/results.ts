// What became of games, by event, in the order of the changes: updated by the change log.

import { countingWord, type ResultRecord, type ResultWord } from '../base/model/result.js';
import type { TableDelta } from '../log/delta/delta.js';
import { readResults } from '../store/extras-store.js';
import type { ShardEnv } from '../store/shard-env.js';

export class ResultsBoard {
  /** The least recently updated first. */
  readonly #records = new Map<string, ResultRecord>();
  readonly #ranks: readonly string[];

  /** @param ranks sources, the most trusted first */
  constructor(envs: readonly ShardEnv[], ranks: readonly string[]) {
    this.#ranks = ranks;
    const records = envs.flatMap((env) => [...readResults(env)]);
    for (const record of records.sort((a, b) => a.updatedPosition - b.updatedPosition)) this.#put(record);
  }

  apply(delta: TableDelta): void {
    for (const id of delta.expiredResults ?? []) this.#records.delete(id);
    for (const record of delta.results ?? []) {
      // The store was read when it had more than the log that is followed.
      if ((this.#records.get(record.eventId)?.revision ?? 0) <= record.revision) this.#put(record);
    }
  }

  of(eventId: string): ResultRecord | undefined {
    return this.#records.get(eventId);
  }

  /** The least recently updated first. */
  all(): Iterable<ResultRecord> {
    return this.#records.values();
  }

  /** What counts of what is said of a game; null if nobody has told its score or state. */
  wordOf(record: ResultRecord): ResultWord | null {
    return countingWord(Object.values(record.words), this.#ranks);
  }

  #put(record: ResultRecord): void {
    const { eventId, revision } = record;
    if (this.#records.get(eventId)?.revision !== revision) this.#records.delete(eventId);
    this.#records.set(eventId, record);
  }
}
