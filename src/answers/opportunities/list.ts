// A list request over one universe: filter, limits, group, order, page. Totals and summaries are of the filtered list
// that the caller pages through.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareText } from '../../base/model/compare.js';
import { LIMITS } from '../../base/model/limits.js';
import type { OpportunityKind } from '../../base/model/opportunity.js';
import { maxStakeIn, type StakeTerms } from '../../base/model/stake-terms.js';
import type { Limits, Measured } from '../../detection/kinds/caller-thresholds.js';
import type { Kind } from '../../detection/kinds/kind.js';
import { KINDS } from '../../detection/kinds/kinds.js';
import type { Opportunity, OpportunityOf } from '../../log/delta/opportunity.js';
import type { LowHoldSummary, MiddlesSummary } from '../../schema/opportunities.js';

export interface ListQuestion {
  kind: OpportunityKind;
  opportunities: Iterable<Opportunity>;
  matches(opportunity: Opportunity): boolean;
  limits: Limits;
  /** The name of an order; undefined means the kind's default. */
  sort: string | undefined;
  /** Only the best of each event. */
  bestOfEvent: boolean;
  limit: number;
  offset: number;
  nowMs: number;
}

export interface ListAnswer {
  page: Opportunity[];
  /** All matches, in order. */
  matching: Opportunity[];
}

export function list(question: ListQuestion): ListAnswer {
  const listing = new Listing(question);
  listing.add(question.opportunities);
  return listing.answer();
}

/** Read at once of a long list: looking inside each takes some 20 µs. */
const PIECE = LIMITS.evaluationPiece.max;

/** The same, with pauses: only of opportunities that nothing changes meanwhile, as those evaluated for a request. */
export async function listInPieces(
  question: Omit<ListQuestion, 'opportunities'>,
  opportunities: readonly Opportunity[],
): Promise<ListAnswer> {
  const listing = new Listing(question);
  for (let from = 0; from < opportunities.length; from += PIECE) {
    if (from > 0) await nextTurn();
    const piece = opportunities.slice(from, from + PIECE);
    // Their contents are decoded here, not all together by a summary.
    listing.add(question.kind === 'ev' ? piece : piece.filter(({ item }) => item !== undefined));
  }
  return listing.answer();
}

class Listing {
  readonly #question: Omit<ListQuestion, 'opportunities'>;
  readonly #order: Order;
  #matching: Opportunity[] = [];

  constructor(question: Omit<ListQuestion, 'opportunities'>) {
    const { kind, sort, nowMs } = question;
    this.#question = question;
    this.#order = orderOf(kind, sort, nowMs);
  }

  add(opportunities: Iterable<Opportunity>): void {
    const { kind, limits, matches } = this.#question;
    for (const opportunity of opportunities)
      if (opportunity.kind === kind && meets(opportunity, opportunity.edge, limits) && matches(opportunity)) {
        // Decodes what the order looks at, while the piece is read.
        this.#order(opportunity, opportunity);
        this.#matching.push(opportunity);
      }
  }

  answer(): ListAnswer {
    const { kind, nowMs, bestOfEvent, offset, limit } = this.#question;
    let matching = this.#matching;
    if (bestOfEvent) matching = bestOfEvents(matching, orderOf(kind, undefined, nowMs));
    matching.sort(this.#order);
    return { page: matching.slice(offset, offset + limit), matching };
  }
}

/** The best one of each event. */
function bestOfEvents(opportunities: readonly Opportunity[], better: Order): Opportunity[] {
  const best = new Map<string, Opportunity>();
  for (const opportunity of opportunities) {
    const known = best.get(opportunity.eventId);
    if (known === undefined || better(opportunity, known) < 0) best.set(opportunity.eventId, opportunity);
  }
  return [...best.values()];
}

type Order = (a: Opportunity, b: Opportunity) => number;
type Sort = Kind['better'];

/**
 * The order of that name (undefined: the kind's default) as of a time. Every one is total (equals are best first, then by
 * id), so that pages neither repeat nor skip.
 */
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

/**
 * Whether the opportunity meets a caller's limits with this edge (percent) and these terms, possibly earlier ones: the
 * same rule for REST and streams. An unknown edge (NaN) meets them.
 */
export function meets(opportunity: Measured, edge: number, limits: Limits, terms = opportunity.terms): boolean {
  if (!Number.isNaN(edge) && !canBeStaked(terms, limits)) return false;
  return KINDS[opportunity.kind].meets(opportunity, edge, limits);
}

function canBeStaked({ sure, assumed, caps }: StakeTerms, limits: Limits): boolean {
  const { guaranteed, minStake, currency, rates } = limits;
  if ((guaranteed && !sure) || (assumed && !limits.assumed)) return false;
  if (minStake <= 0) return true;
  const most = maxStakeIn(caps, currency, rates) ?? null;
  return most === null || most >= minStake;
}

// Summaries over a whole filtered list, not over one page.

export function lowHoldSummary(opportunities: readonly Opportunity[]): LowHoldSummary {
  const holds = opportunities.map(({ edge }) => edge);
  return {
    count: holds.length,
    avg_hold: mean(holds),
    min_hold: holds.length === 0 ? null : round(holds.reduce((least, hold) => Math.min(least, hold))),
    by_market: countBy(opportunities, ({ market }) => [market]),
    by_sport: countBy(opportunities, ({ sport }) => [sport]),
  };
}

/** For middles; others are not counted. */
export function middlesSummary(listed: readonly Opportunity[]): MiddlesSummary {
  const opportunities = listed.filter((one) => one.kind === 'middle');
  const count = (test: (middle: OpportunityOf<'middle'>) => boolean): number => opportunities.filter(test).length;
  let best: Opportunity | undefined;
  for (const opportunity of opportunities) if (best === undefined || opportunity.edge > best.edge) best = opportunity;
  return {
    total: opportunities.length,
    positive_ev_count: count(({ edge }) => edge > 0),
    guaranteed_profit_count: count(({ item }) => item.is_guaranteed_profit),
    player_prop_count: count(({ item }) => item.is_player_prop),
    by_sport: countBy(opportunities, ({ sport }) => [sport]),
    by_market: countBy(opportunities, ({ market }) => [market]),
    by_sportsbook: countBy(opportunities, ({ books }) => books),
    avg_middle_size: mean(opportunities.map(({ size }) => size)),
    avg_probability: mean(opportunities.map(({ item }) => item.middle_probability)),
    avg_ev: mean(opportunities.map(({ edge }) => edge)),
    best_ev: best === undefined ? null : { ev: round(best.edge), sport: best.sport, market: best.market },
    has_key_numbers_count: count(({ item }) => item.key_numbers.length > 0),
  };
}

/** Number of items per name; one that names a book twice counts once. */
function countBy(
  opportunities: readonly Opportunity[],
  names: (opportunity: Opportunity) => readonly string[],
): Record<string, number> {
  const counts = new Map<string, number>();
  for (const opportunity of opportunities)
    for (const name of new Set(names(opportunity))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || compareText(a, b)));
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
