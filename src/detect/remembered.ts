// What is stored of opportunities: the port between detection, which compares what it finds again with it, and the store.
import type { OpportunityKind } from '../model/opportunity.js';
import type { Times } from './universe.js';

/** As last published. */
export interface Remembered extends Times {
  /** Number of the event in the shard. */
  eventNo: number;
  id: string;
  kind: OpportunityKind;
  record: Uint8Array;
}

export interface StoredOpportunities {
  /** Keys of the universes of which anything is stored. */
  universes(): Iterable<string>;
  of(universe: string): Iterable<Remembered>;
}

export const NOTHING_STORED: StoredOpportunities = { universes: () => [], of: () => [] };
