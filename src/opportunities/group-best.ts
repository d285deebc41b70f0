// `group=best`: of each event's opportunities the first in the order of quality.

import type { Opportunity } from '../delta/opportunity.js';
import type { Order } from './sort.js';

export function bestOfEvents(opportunities: readonly Opportunity[], better: Order): Opportunity[] {
  const best = new Map<string, Opportunity>();
  for (const opportunity of opportunities) {
    const known = best.get(opportunity.eventId);
    if (known === undefined || better(opportunity, known) < 0) best.set(opportunity.eventId, opportunity);
  }
  return [...best.values()];
}
