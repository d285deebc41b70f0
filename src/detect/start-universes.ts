// The universes every shard watches from its start: the books of the tiers that see opportunities.
import type { Catalogue } from '../catalogue/catalogue.js';
import type { UniverseSpec } from '../model/opportunity.js';

/** From Sharp up a caller sees every book, listed or not: `sharp` is Enterprise's universe too. */
export function startUniverses(catalogue: Catalogue): UniverseSpec[] {
  return [
    { key: 'hobby', books: catalogue.tierBooks('hobby') },
    { key: 'pro', books: catalogue.tierBooks('pro') },
    { key: 'sharp', books: null },
  ];
}
