// Orders of the opportunity lists. Every one is total (the id decides last), so that pages neither repeat nor skip.
import type { Opportunity, OpportunityKind } from '../detect/opportunity.js';
import { compareText } from '../table/table.js';
import { scoreOf } from './freshness.js';

export type Order = (a: Opportunity, b: Opportunity) => number;
/** What is compared; scores depend on the time. */
type Key = (opportunity: Opportunity, nowMs: number) => number | string;

const edge: Key = (opportunity) => opportunity.edge;
const start: Key = (opportunity) => opportunity.startMs;
const sport: Key = (opportunity) => opportunity.sport;
const score: Key = scoreOf;
const field =
  (name: string): Key =>
  ({ item }) =>
    item[name] as number;

interface Sort {
  key: Key;
  descending: boolean;
}

const down = (key: Key): Sort => ({ key, descending: true });
const up = (key: Key): Sort => ({ key, descending: false });

const EV_KEYS: Record<string, Key> = {
  ev: edge,
  confidence: score,
  kelly: field('kelly_fraction'),
  start_time: start,
  book_count: field('book_count'),
};

/** Sorts by name; the first of a kind is its default. */
const SORTS: Record<OpportunityKind, Record<string, Sort>> = {
  ev: Object.fromEntries(
    Object.entries(EV_KEYS).flatMap(([name, key]) => [
      [`-${name}`, down(key)],
      [name, up(key)],
    ]),
  ),
  arbitrage: { profit: down(edge), start_time: up(start), sport: up(sport) },
  middle: {
    quality: down(score),
    ev: down(edge),
    probability: down(field('middle_probability')),
    middle_size: down(({ size }) => size),
  },
  low_hold: { hold: up(edge), market: up(({ market }) => market), sport: up(sport) },
};

/** What is better comes first among equals: everything but a hold is better when it is more. */
const BETTER: Record<OpportunityKind, Sort> = {
  ev: down(edge),
  arbitrage: down(edge),
  middle: down(edge),
  low_hold: up(edge),
};

/** The order by that name (undefined: the kind's default) as of a time; best first among equals, then by id. */
export function orderOf(kind: OpportunityKind, name: string | undefined, nowMs: number): Order {
  const sorts = SORTS[kind];
  const sort = name === undefined ? Object.values(sorts)[0] : sorts[name];
  if (sort === undefined) throw new Error(`no order ${name} of ${kind}`);
  const better = BETTER[kind];
  const compare = ({ key, descending }: Sort, a: Opportunity, b: Opportunity): number => {
    const x = key(a, nowMs);
    const y = key(b, nowMs);
    const order = typeof x === 'number' ? x - (y as number) : compareText(x, y as string);
    return descending ? -order : order;
  };
  return (a, b) => compare(sort, a, b) || compare(better, a, b) || compareText(a.id, b.id);
}
