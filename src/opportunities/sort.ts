// Orders of the opportunity lists. Every one is total (the id decides last), so that pages neither repeat nor skip.

import type { Opportunity } from '../delta/opportunity.js';
import { compareText } from '../model/compare.js';
import type { OpportunityKind } from '../model/opportunity.js';
import type { OpportunitySort } from '../schema/sorts.js';
import { scoreOf } from './freshness.js';
import { longestPrice } from './prices.js';

export type Order = (a: Opportunity, b: Opportunity) => number;
/** The compared value; scores depend on the time. */
type Key = (opportunity: Opportunity, nowMs: number) => number | string;

const edge: Key = (opportunity) => opportunity.edge;
const start: Key = (opportunity) => opportunity.startMs;
const score: Key = scoreOf;
const seen: Key = (opportunity) => opportunity.oldestSeenMs;
const chance: Key = (opportunity) => 1 / longestPrice(opportunity);

/** For every kind: the start, names, the longest price and its probability, when its stalest price was seen. */
const COMMON = {
  start_time: start,
  time: start,
  event_start_time: start,
  sport: ({ sport }) => sport,
  league: ({ league }) => league,
  market: ({ market }) => market,
  odds: longestPrice,
  odds_decimal: longestPrice,
  odds_american: longestPrice,
  odds_probability: chance,
  probability: chance,
  last_seen_at: seen,
  timestamp: seen,
} satisfies Record<string, Key>;

const KEYS: { readonly [Kind in OpportunityKind]: Readonly<Record<OpportunitySort[Kind], Key>> } = {
  ev: {
    ...COMMON,
    ev: edge,
    profit: edge,
    confidence: score,
    quality: score,
    kelly: ({ kind, item }) => (kind === 'ev' ? item.kelly_fraction : 0),
    book_count: ({ kind, item }) => (kind === 'ev' ? item.book_count : 0),
  },
  arbitrage: { ...COMMON, profit: edge, ev: edge },
  middle: {
    ...COMMON,
    quality: score,
    ev: edge,
    profit: edge,
    probability: ({ kind, item }) => (kind === 'middle' ? item.middle_probability : 0),
    middle_size: ({ size }) => size,
  },
  low_hold: { ...COMMON, hold: edge, confidence: score, quality: score },
  move: {
    detected_at: ({ detectedUs }) => detectedUs,
    last_moved_at: ({ oldestSeenMs }) => oldestSeenMs,
    timestamp: ({ oldestSeenMs }) => oldestSeenMs,
    edge,
    book_count: ({ size }) => size,
    start_time: start,
    time: start,
    event_start_time: start,
    sport: COMMON.sport,
    league: COMMON.league,
    market: COMMON.market,
  },
};

/** Orders that are best first with and without `-`: nobody wants the worst arbitrage. */
const BEST_FIRST: Record<OpportunityKind, readonly string[]> = {
  ev: [],
  arbitrage: ['profit', 'ev'],
  middle: ['quality', 'ev', 'profit', 'probability', 'middle_size'],
  low_hold: ['confidence', 'quality'],
  move: [],
};

interface Sort {
  key: Key;
  descending: boolean;
}

const DEFAULT: Record<OpportunityKind, string> = {
  ev: '-ev',
  arbitrage: 'profit',
  middle: 'quality',
  low_hold: 'hold',
  move: '-detected_at',
};

/** The better one comes first among equals: more is better, except for a hold. */
const BETTER: Record<OpportunityKind, Sort> = {
  ev: { key: edge, descending: true },
  arbitrage: { key: edge, descending: true },
  middle: { key: edge, descending: true },
  low_hold: { key: edge, descending: false },
  move: { key: ({ detectedUs }) => detectedUs, descending: true },
};

/** The order of that name (undefined: the kind's default) as of a time; equals are best first, then by id. */
export function orderOf(kind: OpportunityKind, name = DEFAULT[kind], nowMs: number): Order {
  const bare = name.startsWith('-') ? name.slice(1) : name;
  const key = (KEYS[kind] as Record<string, Key>)[bare];
  if (key === undefined) throw new Error(`no order ${name} of ${kind}`);
  const sort = { key, descending: bare !== name || BEST_FIRST[kind].includes(bare) };
  const better = BETTER[kind];
  const compare = ({ key, descending }: Sort, a: Opportunity, b: Opportunity): number => {
    const x = key(a, nowMs);
    const y = key(b, nowMs);
    const order = typeof x === 'number' ? x - (y as number) : compareText(x, y as string);
    return descending ? -order : order;
  };
  return (a, b) => compare(sort, a, b) || compare(better, a, b) || compareText(a.id, b.id);
}
