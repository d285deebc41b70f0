// A list request over one universe: filter, limits, group, order, page. Totals and summaries are of the filtered list
// that the caller pages through.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIMITS } from '../../base/model/limits.js';
import type { OpportunityKind } from '../../base/model/opportunity.js';
import type { Limits } from '../../detection/kinds/caller-thresholds.js';
import type { Opportunity } from '../../log/delta/opportunity.js';
import { type Order, orderOf } from './sort.js';
import { meets } from './thresholds.js';

export interface ListQuestion {
  kind: OpportunityKind;
  opportunities: Iterable<Opportunity>;
  matches(opportunity: Opportunity): boolean;
  limits: Limits;
  /** A name of sort.ts; undefined means the kind's default. */
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
