// How many values, levels and different names a message from outside may have: what its bytes alone do not bound.

import { randomInt } from 'node:crypto';
import { LIMITS } from '../model/limits.js';

export interface ValueBounds {
  values: number;
  /** Different names of members. */
  names: number;
}

/** Of all bodies and messages except those of ingest. */
export const REQUEST_BOUNDS: ValueBounds = { values: LIMITS.bodyValues.max, names: LIMITS.bodyNames.max };

/**
 * Of an ingest body: its values take more bytes than these, as each has a name.
 * @param valueBytes that a value takes at least, on average
 */
export function ingestBounds(bytes: number, valueBytes: number): ValueBounds {
  return { values: Math.max(REQUEST_BOUNDS.values, Math.floor(bytes / valueBytes)), names: LIMITS.ingestNames.max };
}

const DEPTH_MAX = LIMITS.bodyDepth.max;
const RECENT = 1024;

// As FNV-1a, with constants chosen anew by each process, so that nobody can prepare names that count as one.
const SEED = randomInt(2 ** 32) | 0;
const MULTIPLIER = randomInt(2 ** 31) * 2 + 1;

/** Each method throws RangeError past its bound. */
export class ValueCount {
  readonly #bounds: ValueBounds;
  readonly #names = new Set<number>();
  /** The last name of each slot: most members have the same few names. */
  readonly #recent = new Int32Array(RECENT);
  #values = 0;

  constructor(bounds: ValueBounds) {
    this.#bounds = bounds;
  }

  add(values: number): void {
    this.#values += values;
    if (this.#values > this.#bounds.values) throw new RangeError(`has more than ${this.#bounds.values} values`);
  }

  level(depth: number): void {
    if (depth > DEPTH_MAX) throw new RangeError(`is nested more than ${DEPTH_MAX} levels deep`);
  }

  /** A member's name is these bytes. */
  name(bytes: Uint8Array, from: number, to: number): void {
    let hash = SEED;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, MULTIPLIER);
    const slot = hash & (RECENT - 1);
    if (this.#recent[slot] === hash) return;
    this.#recent[slot] = hash;
    this.#names.add(hash);
    if (this.#names.size > this.#bounds.names)
      throw new RangeError(`has more than ${this.#bounds.names} different names of members`);
  }
}
