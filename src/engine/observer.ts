// What others may watch of the engine: each delta as it is applied, and what a batch took.

import type { Delta } from '../delta/delta.js';
import type { BatchDone } from '../pool/intake.js';
import type { Applied } from '../table/table.js';

export interface EngineObserver {
  /** Of what one caller sent, what it took to read (ms). */
  read(ms: number): void;
  batch(shard: number, batch: BatchDone): void;
  delivered(delta: Delta, bytes: number): void;
}

/** Called for every delta, in the order of positions, after the table has applied it. */
export type DeltaListener = (applied: Applied, delta: Delta) => void;
