// Orders of the opportunity lists. Every one is total (the id decides last), so that pages neither repeat nor skip.

import { compareText } from '../../base/model/compare.js';
import type { OpportunityKind } from '../../base/model/opportunity.js';
import type { Kind } from '../../detection/kinds/kind.js';
import { KINDS } from '../../detection/kinds/kinds.js';
import type { Opportunity } from '../../log/delta/opportunity.js';

export type Order = (a: Opportunity, b: Opportunity) => number;
type Sort = Kind['better'];

/** The order of that name (undefined: the kind's default) as of a time; equals are best first, then by id. */
export function orderOf(kind: OpportunityKind, name = KINDS[kind].defaultSort, nowMs: number): Order {
  const bare = name.startsWith('-') ? name.slice(1) : name;
  const { sorts, bestFirst, better } = KINDS[kind];
  const key = sorts[bare];
  if (key === undefined) throw new Error(`no order ${name} of ${kind}`);
  const sort = { key, descending: bare !== name || bestFirst.includes(bare) };
  const compare = ({ key, descending }: Sort, a: Opportunity, b: Opportunity): number => {
    const x = key(a, nowMs);
    const y = key(b, nowMs);
    const order = typeof x === 'number' ? x - (y as number) : compareText(x, y as string);
    return descending ? -order : order;
  };
  return (a, b) => compare(sort, a, b) || compare(better, a, b) || compareText(a.id, b.id);
}
