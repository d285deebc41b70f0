// The universes every shard watches from its start: the books of the tiers that see opportunities, every book last.

import type { UniverseSpec } from '../base/model/opportunity.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';

/**
 * From Sharp up a caller sees every book, listed or not: `sharp` is Enterprise's universe too. Lower tiers see no
 * moves.
 */
export function startUniverses(catalogue: Catalogue): UniverseSpec[] {
  return [
    { key: 'hobby', books: catalogue.tierBooks('hobby'), moves: false },
    { key: 'pro', books: catalogue.tierBooks('pro'), moves: false },
    { key: 'sharp', books: null },
  ];
}
