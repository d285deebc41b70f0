// A question about opportunities that no universe retains: another method for the fair price, or thresholds below the
// detection limits. Evaluated once, over the current prices.

import { compareText } from '../base/model/compare.js';
import { DEVIG_METHODS, type DevigMethod } from '../base/model/devig-method.js';
import { LIMITS } from '../base/model/limits.js';
import type { BetKind, DetectionLimits } from '../base/model/opportunity.js';
import type { EventState } from '../base/model/state.js';
import type { Opportunity } from '../log/delta/opportunity.js';
import type { Candidate, CandidateSink } from './candidate.js';
import { DETECTION_LIMITS } from './detection-limits.js';
import type { MarketIndex } from './market-index.js';
import type { Market } from './market-line.js';
import type { Records } from './records.js';
import { CONSENSUS, ENGINES_OWN, type ReferencePolicy } from './reference-policy.js';
import type { WatchedUniverse } from './watched-universe.js';

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
  /** Include what rests on a distribution that nobody measured; included by default. */
  includeAssumed?: boolean;
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

/** Beyond the answers that are returned; then the worst are dropped. */
const ROOM = 2_000;

export class Collector implements CandidateSink {
  readonly #records: Records;
  readonly #suspicious: boolean;
  readonly #assumed: boolean;
  readonly #open: (record: Uint8Array) => Opportunity;
  /** By id: an event that is removed and comes back during the evaluation is met twice. */
  #answers = new Map<string, Opportunity>();
  /** Once there are enough: those beyond this edge are not among the best. */
  #worst: number | undefined;

  /** @param open an answer from its record, which is valid only during the call */
  constructor(
    records: Records,
    { includeSuspicious = true, includeAssumed = true }: EvaluationQuestion,
    open: (record: Uint8Array) => Opportunity,
  ) {
    this.#records = records;
    this.#suspicious = includeSuspicious;
    this.#assumed = includeAssumed;
    this.#open = open;
  }

  found(universe: WatchedUniverse, candidate: Candidate): void {
    if ((candidate.suspicious && !this.#suspicious) || (candidate.assumed && !this.#assumed)) return;
    const { kind, edge } = candidate;
    if (this.#worst !== undefined && (kind === 'low_hold' ? edge > this.#worst : edge < this.#worst)) return;
    const id = this.#records.idOf(candidate);
    const place = this.#records.write(candidate, universe, id);
    this.#answers.set(id, this.#open(this.#records.writer.bytes.subarray(place)));
    this.#records.clear();
    if (this.#answers.size >= ANSWERS_MAX + ROOM) this.best();
  }

  /** The best of the results, best first. */
  best(): Opportunity[] {
    const answers = [...this.#answers.values()].sort(bestFirst);
    if (answers.length > ANSWERS_MAX) {
      answers.length = ANSWERS_MAX;
      this.#worst = answers.at(-1)!.edge;
      // In this order, so that the next sort finds most of them sorted.
      this.#answers = new Map(answers.map((one) => [one.id, one]));
    }
    return answers;
  }
}

/** The best of several shards' answers to one question, best first. */
export function bestOf(answers: readonly (readonly Opportunity[])[]): readonly Opportunity[] {
  if (answers.length === 1) return answers[0]!;
  return answers.flat().sort(bestFirst).slice(0, ANSWERS_MAX);
}

function bestFirst(a: Opportunity, b: Opportunity): number {
  return (a.kind === 'low_hold' ? a.edge - b.edge : b.edge - a.edge) || compareText(a.id, b.id);
}

/** Whether an event is among those that it is narrowed to. */
function concerns(question: Narrowing, event: EventState): boolean {
  return (
    (question.sports?.includes(event.sport) ?? true) &&
    (question.leagues?.includes(event.league) ?? true) &&
    (question.events?.includes(event.id) ?? true)
  );
}

export function* marketsOf(index: MarketIndex, question: Narrowing): Generator<Market, undefined> {
  for (const [event, markets] of index.events) if (concerns(question, event)) yield* markets.values();
}
