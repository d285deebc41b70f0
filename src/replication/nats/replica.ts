// An engine's use of the cluster's log while another one writes it: its shards are given the writer's inputs, at the
// same positions, so that it may take over at once; what is shown are the writer's results.

import { isDeepStrictEqual } from 'node:util';
import { LIMITS } from '../../base/model/limits.js';
import { decode } from '../../base/wire/codec.js';
import type { Engine } from '../../engine/engine.js';
import { CONTROL_SHARD } from '../../log/control/control-queue.js';
import type { ControlChange } from '../../log/control/entries.js';
import { decodeDelta } from '../../log/delta/codec.js';
import { NO_NEWS, type PackedNews } from '../../log/delta/opportunity.js';
import { readMeta } from '../../store/shard-env.js';
import type { AppliedBatch } from '../../writer/pool/protocol.js';
import type { Journal } from '../../writer/pool/replication.js';
import { oddsOf } from '../../writer/shard/same-odds.js';
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

interface Pending {
  shard: number;
  position: number;
  batch: Uint8Array | null;
  bytes: number;
  /** The position before it. */
  before: LogPlace;
}

/** A result and its position. */
interface Outcome extends LogPlace {
  shard: number;
  position: number;
  /** What it changed, encoded; null where nothing changed. */
  message: Buffer | null;
  refused: boolean;
}

/** Batches and results that wait for the shards. */
const WAITING_BYTES_MAX = LIMITS.replicaWaiting.max;

export class Replica {
  readonly #options: ReplicaOptions;
  /** Inputs of the writer's shards whose results are not known; by position. */
  readonly #pending = new Map<number, Pending>();
  /** Those whose result has arrived, until they are shown. */
  readonly #applying = new Map<number, Pending>();
  /** Position each shard has applied. */
  readonly #applied: number[];
  /** For each shard, its current work. */
  readonly #shards: Promise<unknown>[];
  #shown: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  /** While this engine writes: what it publishes is shown without this. */
  #leadingTerm: number | null = null;
  #unshown: (Outcome & { own: boolean })[] = [];
  /** Of the last result whose batch is applied, and of the last message received. */
  #place: LogPlace;
  #last: LogPlace;
  #position: number;
  #ended = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    const { engine, from } = options;
    this.#applied = engine.directory.envs.map((env) => readMeta(env).position);
    this.#shards = engine.directory.envs.map(() => Promise.resolve());
    this.#position = engine.table.position;
    this.#place = from;
    this.#last = from;
  }

  get hasRoom(): boolean {
    return this.#waitingBytes < WAITING_BYTES_MAX;
  }

  /** Up to here the store is complete: a restart may continue there. */
  get place(): LogPlace {
    let place = this.#place;
    for (const waiting of [this.#pending, this.#applying])
      for (const { before } of waiting.values()) if (before.sequence < place.sequence) place = before;
    return place;
  }

  /** The highest position seen in the log. */
  get position(): number {
    return this.#position;
  }

  /** A message of the log, in order. */
  take(frame: Frame, place: LogPlace): void {
    this.#position = Math.max(this.#position, frame.position);
    if (frame.kind === FRAME_KIND.input) this.#input(frame);
    else if (frame.kind !== FRAME_KIND.term) this.#outcome(frame, place);
    this.#last = place;
  }

  /** Settles when everything received so far is applied and shown. */
  async settled(): Promise<void> {
    await Promise.all(this.#shards);
    await this.#shown;
  }

  /**
   * To be called when this engine's term is in the log and everything before it is settled: applies the previous
   * writer's inputs that have no result in the log, and publishes theirs. Then lead() may be called.
   */
  async finishTerm(term: number, journal: Journal): Promise<void> {
    this.#leadingTerm = term;
    const { engine } = this.#options;
    const pending = [...this.#pending.values()].sort((a, b) => a.position - b.position);
    for (const { shard, position, batch } of pending) {
      let message: Uint8Array | null = null;
      let refused = false;
      if (shard === CONTROL_SHARD) {
        commitControl(engine, position, batch);
        await journal.outcome({ shard, position, message: batch, refused });
        this.#forget(position);
        continue;
      }
      const answer = position > this.#applied[shard]! ? await this.#replay(shard, position, batch, null) : null;
      if (answer !== null) {
        message = answer.batch === null ? null : Uint8Array.from(answer.batch.delta);
        refused = answer.failure !== null;
        answer.release();
        this.#applied[shard] = position;
      } else message = engine.committed(shard, position);
      await journal.outcome({ shard, position, message, refused });
      this.#forget(position);
      if (message !== null && position > engine.shown(shard)) engine.follow({ position, delta: message });
    }
  }

  /** Another engine writes from now on: what was published and not shown is shown as in the log. */
  stepDown(): void {
    this.#leadingTerm = null;
    for (const [shard, env] of this.#options.engine.directory.envs.entries()) {
      env.root.resetReadTxn();
      this.#applied[shard] = Math.max(this.#applied[shard]!, readMeta(env).position);
    }
    const unshown = this.#unshown;
    this.#unshown = [];
    for (const outcome of unshown) this.#follow(outcome);
  }

  close(): Promise<void> {
    this.#ended = true;
    return this.settled();
  }

  #input({ shard, position, body }: Frame): void {
    const batch = body.length === 0 ? null : new Uint8Array(body);
    const bytes = body.length;
    this.#waitingBytes += bytes;
    this.#pending.set(position, { shard, position, batch, bytes, before: this.#last });
  }

  #outcome({ kind, term, shard, position, body }: Frame, { sequence, mark }: LogPlace): void {
    const message = body.length === 0 ? null : Buffer.from(body);
    const outcome = { shard, position, message, refused: kind === FRAME_KIND.refused, sequence, mark };
    if (this.#leadingTerm === null) {
      this.#follow(outcome);
      return;
    }
    // Our own are shown by their publisher, unless it ends before the log confirms them; those of a successor that this
    // engine does not know yet wait until its own shards are idle.
    this.#unshown = this.#unshown.filter((each) => !each.own || each.position > this.#options.engine.shown(each.shard));
    const own = term === this.#leadingTerm;
    if (!own || message !== null) this.#unshown.push({ ...outcome, own });
    if (!own) return;
    this.#forget(position);
    this.#place = { sequence, mark };
  }

  #forget(position: number): Pending | undefined {
    const pending = this.#pending.get(position);
    if (pending === undefined) return undefined;
    this.#pending.delete(position);
    this.#waitingBytes -= pending.bytes;
    return pending;
  }

  #follow(outcome: Outcome): void {
    const { shard, position, message, refused, sequence, mark } = outcome;
    const pending = this.#forget(position);
    if (pending !== undefined) this.#applying.set(position, pending);
    const bytes = (message?.length ?? 0) + (pending?.bytes ?? 0);
    this.#waitingBytes += bytes;
    if (shard === CONTROL_SHARD) {
      this.#show(position, bytes, { sequence, mark }, async () => {
        commitControl(this.#options.engine, position, message);
      });
      return;
    }
    const applied = this.#shards[shard]!.then(() =>
      pending !== undefined && !refused && position > this.#applied[shard]! ? this.#apply(pending, message) : null,
    );
    this.#shards[shard] = applied;
    // Reported to those waiting for it to be shown.
    applied.catch(() => undefined);
    this.#show(position, bytes, { sequence, mark }, async () => {
      const answer = await applied;
      if (this.#ended) return;
      answer?.release();
      if (message !== null && position > this.#options.engine.shown(shard))
        this.#options.engine.follow({ position, delta: message });
    });
  }

  /** In the order of the log. */
  #show(position: number, bytes: number, place: LogPlace, show: () => Promise<void>): void {
    this.#shown = this.#shown.then(async () => {
      await show();
      this.#waitingBytes -= bytes;
      this.#applying.delete(position);
      if (this.#ended) return;
      this.#options.engine.reached(position);
      this.#place = place;
    });
    this.#shown.catch((error: unknown) => {
      if (!this.#ended) this.#options.onDiverged(error as Error);
    });
  }

  /** Null if the shard's thread died and had committed it. */
  async #replay(
    shard: number,
    position: number,
    batch: Uint8Array | null,
    theirs: PackedNews | null,
  ): Promise<AppliedBatch | null> {
    const { engine } = this.#options;
    // The thread takes over the memory of its input.
    const copied = (): Uint8Array<ArrayBuffer> | null => (batch === null ? null : new Uint8Array(batch));
    try {
      return await engine.replay(shard, position, copied(), theirs);
    } catch {
      return engine.committed(shard, position) === null ? engine.replay(shard, position, copied(), theirs) : null;
    }
  }

  async #apply({ shard, position, batch }: Pending, theirs: Buffer | null): Promise<AppliedBatch | null> {
    if (this.#ended) return null;
    const answer = await this.#replay(shard, position, batch, newsOf(theirs));
    if (answer === null) return null;
    if (answer.failure !== null)
      throw new Error(`shard ${shard} has no room for what the writer took: ${answer.failure}`);
    this.#applied[shard] = position;
    const own = answer.batch?.delta ?? null;
    const same = own === null || theirs === null ? own === theirs : Buffer.compare(own, theirs) === 0;
    if (!same && !isDeepStrictEqual(odds(own), odds(theirs)))
      throw new Error(`shard ${shard} made another delta of position ${position} than the writer's`);
    return answer;
  }
}

function commitControl({ directory }: Engine, position: number, changes: Uint8Array | null): void {
  if (changes !== null) directory.control.commit(position, decode(changes) as ControlChange[]);
}

/** What the writer found; a delta of it that has nothing else is one here, too. */
function newsOf(delta: Uint8Array | null): PackedNews {
  if (delta === null) return NO_NEWS;
  const { records, universes } = decodeDelta(delta).opportunities;
  // Not with the rest of the message.
  return { records: Uint8Array.from(records), universes, heldUntilNow: true };
}

function odds(delta: Uint8Array | null): unknown {
  return oddsOf(delta === null ? null : decodeDelta(delta));
}
