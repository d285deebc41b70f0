// A question about opportunities that no universe retains: another method for the fair price, or thresholds below the
// detection limits. Evaluated once, over the current prices.

import type { Opportunity } from '../delta/opportunity.js';
import { compareText } from '../model/compare.js';
import { DEVIG_METHODS, type DevigMethod } from '../model/devig-method.js';
import { LIMITS } from '../model/limits.js';
import type { BetKind, DetectionLimits } from '../model/opportunity.js';
import type { Candidate, CandidateSink } from './candidate.js';
import { DETECTION_LIMITS } from './detection-limits.js';
import type { Items } from './items/item-source.js';
import { CONSENSUS, ENGINES_OWN, type ReferencePolicy } from './reference.js';
import type { Universe } from './universe.js';

/** What to evaluate; all by default. */
export interface Narrowing {
  sports?: readonly string[];
  leagues?: readonly string[];
  events?: readonly string[];
}

/** The parts for which no universe has the answer. */
export interface EvaluationQuestion extends Narrowing {
  kind: BetKind;
  /** Books whose prices are evaluated or combined; null means every book. */
  books: readonly string[] | null;
  /** EV only, as are the next two: the devig method; `power` by default. */
  method?: DevigMethod;
  /**
   * The book whose devigged prices are the fair ones, or `consensus`; null means the sharp book, else the consensus.
   */
  devigBook?: string | null;
  /** Percent; may be negative. */
  minEv?: number;
  /** Middles: percent; may be negative. */
  minExpectedValue?: number;
  /** Middles: points. */
  minSize?: number;
  /** Low holds: percent. */
  maxHold?: number;
  /** Include arbitrages above the credible profit; included by default. */
  includeSuspicious?: boolean;
}

/** Maximum number of results, the best by edge (low holds: the lowest). */
const ANSWERS_MAX = LIMITS.queriedOpportunities.max;

/** The reference a question asks for. `bookNo` returns a book's number, below 0 if it has no prices. */
export function policyOf(question: EvaluationQuestion, bookNo: (name: string) => number): ReferencePolicy | undefined {
  const method = question.method ?? 'power';
  if (!DEVIG_METHODS.includes(method)) return undefined;
  const wanted = question.devigBook ?? null;
  if (wanted === null) return { method, book: ENGINES_OWN };
  if (wanted === 'consensus') return { method, book: CONSENSUS };
  const book = bookNo(wanted);
  return book < 0 ? undefined : { method, book };
}

export function limitsOf(question: EvaluationQuestion): DetectionLimits {
  return {
    minEv: question.minEv ?? DETECTION_LIMITS.minEv,
    minMiddleEv: question.minExpectedValue ?? DETECTION_LIMITS.minMiddleEv,
    minMiddleSize: question.minSize ?? DETECTION_LIMITS.minMiddleSize,
    maxHold: question.maxHold ?? DETECTION_LIMITS.maxHold,
  };
}

export class Collector implements CandidateSink {
  readonly answers: Opportunity[] = [];
  readonly #items: Items;
  readonly #suspicious: boolean;
  readonly #detectedUs: (id: string) => number;

  constructor(items: Items, suspicious: boolean, detectedUs: (id: string) => number) {
    this.#items = items;
    this.#suspicious = suspicious;
    this.#detectedUs = detectedUs;
  }

  found(universe: Universe, candidate: Candidate): void {
    if (candidate.suspicious && !this.#suspicious) return;
    const id = this.#items.idOf(candidate);
    const detectedUs = this.#detectedUs(id);
    this.answers.push(this.#items.build(candidate, universe, id, detectedUs, detectedUs));
    if (this.answers.length >= 2 * ANSWERS_MAX) this.best();
  }

  /** The best of the results, best first. */
  best(): Opportunity[] {
    this.answers.sort((a, b) => (a.kind === 'low_hold' ? a.edge - b.edge : b.edge - a.edge) || compareText(a.id, b.id));
    if (this.answers.length > ANSWERS_MAX) this.answers.length = ANSWERS_MAX;
    return this.answers;
  }
}
