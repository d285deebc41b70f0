// A reader's state: the opportunities of each universe, stored as a front stores them for its lists.
import assert from 'node:assert/strict';
import { composed } from '../../src/detection/kinds/recorded-opportunity.js';
import type { Opportunity, OpportunityHead, UniverseNews } from '../../src/log/delta/opportunity.js';

/** An opportunity whose item is read by field names. */
export interface PublishedOpportunity extends OpportunityHead {
  books: readonly string[];
  item: Record<string, unknown>;
}

export class PublishedOpportunities {
  readonly universes = new Map<string, Map<string, Opportunity>>();

  apply(news: readonly UniverseNews[]): void {
    for (const { universe, from, detected, expired } of news) {
      let active = this.universes.get(universe);
      if (active === undefined) {
        assert.ok(from !== undefined, `the first news of ${universe} say from when on they are`);
        active = new Map();
        this.universes.set(universe, active);
      }
      for (const { kind, id } of expired) {
        assert.equal(active.get(id)?.kind, kind, 'expired only follows detected');
        active.delete(id);
      }
      for (const opportunity of detected) active.set(opportunity.id, opportunity);
    }
  }

  of(universe: string): PublishedOpportunity[] {
    return [...(this.universes.get(universe)?.values() ?? [])].map(
      composed,
    ) as readonly object[] as PublishedOpportunity[];
  }
}

/**
 * The fields in which two computations from the same prices must agree: all but the times of detection, change and
 * publication, and the score, which depends on them.
 */
export function comparable(opportunities: Iterable<Opportunity | PublishedOpportunity>): Record<string, unknown>[] {
  return [...opportunities]
    .map(({ detectedUs: _detected, updatedPosition: _moved, item, ...rest }) => {
      const {
        legs,
        game_state: _state,
        ...fields
      } = item as { legs?: Record<string, unknown>[]; game_state?: unknown };
      const agelessLegs = legs?.map(({ last_seen_at: _seen, ...leg }) => leg);
      return { ...rest, item: { ...fields, legs: agelessLegs ?? null } };
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
