// What is stored of opportunities: the port between detection, which compares what it finds again with it, and the store.
import type { OpportunityKind } from '../base/model/opportunity.js';

/** Of an opportunity in a universe. */
export interface Times {
  /** Position of its detection. */
  detectedUs: number;
  /** Position at which streams are sent its last change: the one of that change, or a later one (pace.ts). */
  updatedPosition: number;
}

/** As last published. */
export interface StoredOpportunity extends Times {
  /** Number of the event in the shard. */
  eventNo: number;
  id: string;
  kind: OpportunityKind;
  record: Uint8Array;
}

export interface StoredOpportunities {
  /** Keys of the universes of which anything is stored. */
  universes(): Iterable<string>;
  of(universe: string): Iterable<StoredOpportunity>;
}

export const NOTHING_STORED: StoredOpportunities = { universes: () => [], of: () => [] };
