// A list request over one universe: filter, limits, group, order, page. Totals and summaries are of the filtered list
// that the caller pages through.

import type { Opportunity } from '../delta/opportunity.js';
import type { OpportunityKind } from '../model/opportunity.js';
import { bestOfEvents } from './group-best.js';
import { orderOf } from './sort.js';
import { type Limits, meets } from './thresholds.js';

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
  const { kind, limits, sort, nowMs, offset, limit } = question;
  let matching: Opportunity[] = [];
  for (const opportunity of question.opportunities)
    if (opportunity.kind === kind && meets(opportunity, opportunity.edge, limits) && question.matches(opportunity))
      matching.push(opportunity);
  if (question.bestOfEvent) matching = bestOfEvents(matching, orderOf(kind, undefined, nowMs));
  matching.sort(orderOf(kind, sort, nowMs));
  return { page: matching.slice(offset, offset + limit), matching };
}
