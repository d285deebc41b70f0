// What is remembered of an opportunity across a restart: the port between detection, which makes it, and the store.
import type { OpportunityKind } from '../model/opportunity.js';
import type { Fingerprint } from './fingerprint.js';

/** With the numbers as last published. */
export interface Remembered extends Fingerprint {
  /** Number of the event in the shard. */
  eventNo: number;
  /** Key of the universe. */
  universe: string;
  id: string;
  kind: OpportunityKind;
  /** Positions. */
  detectedUs: number;
  updatedPosition: number;
}

export interface Forgotten {
  eventNo: number;
  universe: string;
  id: string;
}

export interface RememberedChanges {
  put: Remembered[];
  remove: Forgotten[];
  /** Universes of which anything is remembered, if they changed. */
  universes: KnownUniverses | null;
}

/** By key: the position from which on every ended opportunity of a universe is known. */
export type KnownUniverses = ReadonlyMap<string, number>;
