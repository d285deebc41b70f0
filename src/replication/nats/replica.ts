// An engine's use of the cluster's log while another one writes it: its shards commit what the writer's batches changed, so
// that it may take over at once, and each is shown once it is committed.

import { LIMITS } from '../../base/model/limits.js';
import { decode } from '../../base/wire/codec.js';
import type { Engine } from '../../engine/engine.js';
import { CONTROL_SHARD, type LogEntry } from '../../log/control/control-queue.js';
import type { ControlChange } from '../../log/control/entries.js';
import { readMeta } from '../../store/shard-env.js';
import { FRAME_KIND, type Frame, type LogMark } from './frame.js';

export interface ReplicaOptions {
  engine: Engine;
  /** Everything up to this position of the log is in the engine's store. */
  from: LogPlace;
  /** The store does not have what the writer has: it is unusable. */
  onDiverged(error: Error): void;
}

export interface LogPlace {
  sequence: number;
  mark: LogMark;
}

/** An entry as it came in the log: where it is, and the place before it. */
interface Received extends LogEntry {
  place: LogPlace;
  before: LogPlace;
}

/** Entries that wait for the shards. */
const WAITING_BYTES_MAX = LIMITS.replicaWaiting.max;

export class Replica {
  readonly #options: ReplicaOptions;
  /** Position each shard has committed. */
  readonly #committed: number[];
  /** For each shard, its current work. */
  readonly #shards: Promise<unknown>[];
  #shown: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  /** While this engine writes: what it publishes is committed and shown without this. */
  #leadingTerm: number | null = null;
  /** While it writes: what the log has, and is not shown. */
  #unshown: Received[] = [];
  /** Of the last entry that is committed and shown, and of the last frame received. */
  #place: LogPlace;
  #last: LogPlace;
  #position: number;
  /** Nothing more can be committed. */
  #failed = false;
  #ended = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    const { engine, from } = options;
    this.#committed = engine.directory.envs.map((env) => readMeta(env).position);
    this.#shards = engine.directory.envs.map(() => Promise.resolve());
    this.#position = engine.table.position;
    this.#place = from;
    this.#last = from;
  }

  get hasRoom(): boolean {
    return this.#failed || this.#waitingBytes < WAITING_BYTES_MAX;
  }

  /** Up to here the store is complete: a restart may continue there. */
  get place(): LogPlace {
    return this.#unshown.find((received) => !this.#isShown(received))?.before ?? this.#place;
  }

  /** The highest position seen in the log. */
  get position(): number {
    return this.#position;
  }

  /** A message of the log, in order. */
  take({ kind, term, shard, position, body }: Frame, place: LogPlace): void {
    const before = this.#last;
    this.#last = place;
    if (kind !== FRAME_KIND.entry || this.#failed) return;
    this.#position = Math.max(this.#position, position);
    const message = body.length === 0 ? null : Buffer.from(body);
    const received = { shard, position, message, place, before };
    if (this.#leadingTerm === null) {
      this.#follow(received);
      return;
    }
    // Our own are shown by their publisher, unless it ends before the log confirms them; those of a successor that this
    // engine does not know yet wait until its own shards are idle.
    this.#unshown = this.#unshown.filter((each) => !this.#isShown(each));
    if (term !== this.#leadingTerm || message !== null) this.#unshown.push(received);
    if (term === this.#leadingTerm) this.#place = place;
  }

  /** Settles when everything received so far is committed and shown. Rejects if it cannot be. */
  async settled(): Promise<void> {
    await Promise.all(this.#shards);
    await this.#shown;
  }

  /** To be called when this engine's term is in the log and everything before it is settled. */
  lead(term: number): void {
    this.#leadingTerm = term;
  }

  /** Another engine writes from now on: what was published and not shown is committed and shown as in the log. */
  stepDown(): void {
    this.#leadingTerm = null;
    for (const shard of this.#committed.keys()) this.#committed[shard] = this.#storedTo(shard);
    const unshown = this.#unshown;
    this.#unshown = [];
    for (const received of unshown) this.#follow(received);
  }

  /** Settles once nothing is under way; never rejects: what failed was reported. */
  async close(): Promise<void> {
    this.#ended = true;
    await Promise.allSettled([...this.#shards, this.#shown]);
  }

  #isShown({ shard, position }: Received): boolean {
    return position <= this.#options.engine.shown(shard);
  }

  #storedTo(shard: number): number {
    const env = this.#options.engine.directory.envs[shard]!;
    // This thread may still have a view of the store from before the last commit.
    env.root.resetReadTxn();
    return readMeta(env).position;
  }

  #follow({ shard, position, message, place }: Received): void {
    const { engine } = this.#options;
    const bytes = message?.length ?? 0;
    this.#waitingBytes += bytes;
    let committed: Promise<unknown> = Promise.resolve();
    if (shard !== CONTROL_SHARD && message !== null) {
      committed = this.#shards[shard]!.then(() => this.#commit(shard, position, message));
      this.#shards[shard] = committed;
      // Reported to those waiting for it to be shown.
      committed.catch(() => undefined);
    }
    // In the order of the log.
    this.#shown = this.#shown.then(async () => {
      await committed;
      this.#waitingBytes -= bytes;
      if (this.#ended) return;
      if (shard === CONTROL_SHARD) {
        if (message !== null) engine.directory.control.commit(position, decode(message) as ControlChange[]);
      } else if (message !== null && position > engine.shown(shard)) engine.follow({ position, delta: message });
      engine.reached(position);
      this.#place = place;
    });
    this.#shown.catch((error: unknown) => {
      if (this.#ended || this.#failed) return;
      this.#failed = true;
      this.#options.onDiverged(error as Error);
    });
  }

  async #commit(shard: number, position: number, delta: Uint8Array): Promise<void> {
    if (this.#ended || position <= this.#committed[shard]!) return;
    const { engine } = this.#options;
    let failure: string | null = null;
    try {
      failure = await engine.shards!.fold(shard, delta);
    } catch {
      // Its thread died, perhaps after the commit.
      if (this.#storedTo(shard) < position) failure = await engine.shards!.fold(shard, delta);
    }
    if (failure !== null) throw new Error(`shard ${shard} has no room for what the writer took: ${failure}`);
    this.#committed[shard] = position;
  }
}
