// One game at one moment: the markets of each book, and the opportunities published for them.
import assert from 'node:assert/strict';
import type { OpportunityKind } from '../../src/base/model/opportunity.js';
import { startUniverses } from '../../src/detection/detection-limits.js';
import type { IngestMarket, IngestSelection } from '../../src/intake/ingest/message.js';
import { event, market, message, selection } from '../intake/ingest/messages.js';
import { catalogue } from '../writer/shard/rig.js';
import type { PublishedOpportunity } from './published.js';
import { ShardInMemory } from './shard-in-memory.js';

export const NOW_MS = Date.parse('2026-11-20T18:00:00Z');

export function world(): ShardInMemory {
  return new ShardInMemory(NOW_MS, startUniverses(catalogue));
}

/** One batch with these markets of one game at each book. */
export function show(shard: ShardInMemory, books: Record<string, readonly IngestMarket[]>, fields: object = {}): void {
  shard.apply(
    Object.entries(books).map(([book, markets]) => message([event(markets, fields)], { book })),
    NOW_MS,
  );
  assert.deepEqual(shard.rejected, []);
}

export function of(shard: ShardInMemory, kind: OpportunityKind, universe = 'sharp'): PublishedOpportunity[] {
  return shard.published.of(universe).filter((opportunity) => opportunity.kind === kind);
}

export function sides(
  type: string,
  selections: readonly Partial<IngestSelection>[],
  fields: object = {},
): IngestMarket {
  return market(
    selections.map((each) => selection({ selection: each.selection_type, ...each })),
    { market_type: type, ...fields },
  );
}

export const three = (home: number, draw: number, away: number) =>
  sides('moneyline', [
    { selection_type: 'home', odds_american: home },
    { selection_type: 'draw', odds_american: draw },
    { selection_type: 'away', odds_american: away },
  ]);
