// The stores of a front that follows the cluster's log: a snapshot, and of later messages everything that is read from
// stores later: the log itself, splits, futures. Rows are in memory; a front that restarts loads a new snapshot.

import { decode } from '../../base/wire/codec.js';
import type { ControlChange, ControlStore } from '../../log/control/entries.js';
import { decodeDelta } from '../../log/delta/delta.js';
import { controlPath, LmdbControlStore } from '../../store/control-store.js';
import { type DataDirectory, type Identity, isRestoredOver, shown } from '../../store/data-directory.js';
import { DelayedStore } from '../../store/delayed-store.js';
import { extrasOf, forgetSplits, writeExtras } from '../../store/extras-store.js';
import { decoded } from '../../store/lmdb-table.js';
import { commitTo } from '../../store/open-store.js';
import { ReservedSpace } from '../../store/reserved-space.js';
import { openShardEnv, readMeta, type ShardEnv, writeMeta } from '../../store/shard-env.js';
import type { StoredEvent } from '../../store/shard-reader.js';

/** Maximum entries dropped with each one written. */
const CUT_AT_ONCE = 16;

export class FrontStore {
  readonly directory: DataDirectory;
  readonly delayed: DelayedStore;
  readonly #envs: readonly ShardEnv[];
  readonly #spaces: readonly ReservedSpace[];
  readonly #control: ControlStore;
  readonly #keepUs: number;
  /** Position up to which the front's late readers have read: the log is not cut past it. */
  readTo: () => number = () => 0;
  /** For each shard: ids of events since the snapshot, by number; of those before its own table has them. */
  readonly #eventIds: Map<number, string>[];

  constructor(path: string, identity: Identity, logSeconds: number) {
    const envs = Array.from({ length: identity.shards }, (_, shard) => openShardEnv(path, shard));
    this.#envs = envs;
    this.#spaces = envs.map((env) => new ReservedSpace(env.path));
    this.#keepUs = logSeconds * 1e6;
    this.#eventIds = envs.map(() => new Map());
    this.delayed = new DelayedStore(path);
    const control = new LmdbControlStore(controlPath(path));
    this.#control = control;
    this.directory = {
      ...shown(identity),
      path,
      control,
      envs,
      fellBack: false,
      takesSimulated: () => false,
      hasPosition: (position) => !isRestoredOver(identity, position),
      unsafe: null,
      close: async () => {
        for (const space of this.#spaces) space.close();
        await Promise.all([control.close(), ...envs.map((env) => env.root.close())]);
      },
    };
  }

  /** What a command changed, as in the log. Throws if it is not stored. */
  writeControl(position: number, changes: Uint8Array): void {
    this.#control.commit(position, decode(changes) as ControlChange[]);
  }

  /** To be called with each batch before its readers see it. Throws if it is not stored. */
  write(shard: number, position: number, bytes: Uint8Array): void {
    const env = this.#envs[shard];
    if (env === undefined) throw new Error(`the log has a batch of shard ${shard}, which the snapshot has not`);
    const delta = decodeDelta(bytes);
    const ids = this.#eventIds[shard]!;
    this.#spaces[shard]!.reserve(CUT_AT_ONCE + extrasOf(delta) + delta.dropped.length, 2 * bytes.length);
    commitTo(env.path, env.root, () => {
      void env.log.put(position, Buffer.from(bytes));
      if (delta.splits.length > 0 || delta.futures.length > 0) writeExtras(env, delta);
      for (const event of delta.events) ids.set(event.no, event.id);
      for (const no of delta.dropped) {
        const id = ids.get(no) ?? decoded<StoredEvent>(env.events.getBinary(no))?.id;
        if (id !== undefined) forgetSplits(env, id);
        ids.delete(no);
      }
      this.#cut(env, position);
    });
  }

  #cut(env: ShardEnv, position: number): void {
    const keepFrom = Math.min(position - this.#keepUs, this.readTo() + 1);
    let cutTo = 0;
    for (const key of [...env.log.getKeys({ limit: CUT_AT_ONCE })]) {
      if (key >= keepFrom) break;
      cutTo = key;
      void env.log.remove(key);
      void env.removals.remove(key);
      void env.endings.remove(key);
    }
    if (cutTo > 0) writeMeta(env, { ...readMeta(env), cutTo });
  }
}
