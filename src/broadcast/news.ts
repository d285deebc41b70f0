// Changes other than odds that streams are sent, as ids: listed, or looked up piece by piece.
import type { NewsWalk, OpportunityNews } from '../answers/opportunities/views.js';
import type { ItemNews } from './keyed-channels.js';
import type { ItemWalk } from './keyed-items.js';

/** Changes other than odds. */
export interface News {
  opportunities: readonly OpportunityNews[];
  items: readonly ItemNews[];
}

export const NO_NEWS: News = { opportunities: [], items: [] };

export interface NewsWalks {
  opportunities: readonly NewsWalk[];
  items: readonly ItemWalk[];
}

/** Everything other than odds: the complete list, and the same looked up piece by piece. */
export interface NewsSource {
  all(): News;
  walks(): NewsWalks;
}

export const NO_NEWS_SOURCE: NewsSource = { all: () => NO_NEWS, walks: () => NO_NEWS_WALKS };

const NO_NEWS_WALKS: NewsWalks = { opportunities: [], items: [] };

export function countOf({ opportunities, items }: News): number {
  let count = 0;
  for (const { detected, expired } of opportunities) count += detected.length + expired.length;
  for (const { ids } of items) count += ids.length;
  return count;
}
