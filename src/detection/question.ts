// A question about opportunities that no universe retains: another method for the fair price, or thresholds below the
// detection limits. Evaluated once, over the current prices.

import { monotonicMs } from '../base/model/clock.js';
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

// The evaluation of one caller's question: in slices, so that batches are applied between them. Each market is evaluated
// in one piece, over the prices as of the last batch before it.

/** What an evaluation reads of the detector, until that is reset. */
export interface EvaluationPass {
  /** Those that the question is about. */
  readonly markets: Iterator<Market>;
  readonly collector: Collector;
  readonly ended: boolean;
  evaluate(market: Market): void;
}

export class Evaluation {
  /** Prices evaluated so far. */
  prices = 0;
  readonly #begin: () => EvaluationPass | undefined;
  #pass: EvaluationPass | undefined;
  #found: Opportunity[] | undefined;
  #taken = 0;

  /** @param begin undefined if the question has no answers */
  constructor(begin: () => EvaluationPass | undefined) {
    this.#begin = begin;
    this.#pass = begin();
    if (this.#pass === undefined) this.#found = [];
  }

  /** Evaluates markets for about that long, at least one; true once all have been. */
  run(forMs: number): boolean {
    // After a failed batch nothing of what was read before is valid.
    if (this.#pass?.ended) this.#pass = this.#begin();
    const pass = this.#pass;
    if (this.#found !== undefined || pass === undefined) return true;
    const untilMs = monotonicMs() + forMs;
    do {
      const next = pass.markets.next();
      if (next.done) {
        this.#found = pass.collector.best();
        this.#pass = undefined;
        return true;
      }
      for (const { count, sides } of next.value.marketLines) this.prices += count * sides;
      pass.evaluate(next.value);
    } while (monotonicMs() < untilMs);
    return false;
  }

  /** The next of its answers, best first, once run() returned true; none if all have been taken. */
  take(count: number): Opportunity[] {
    const part = this.#found!.slice(this.#taken, this.#taken + count);
    this.#taken += part.length;
    return part;
  }

  /** Answers not taken yet. */
  get left(): number {
    return (this.#found?.length ?? 0) - this.#taken;
  }
}

/** One slice of an evaluation. */
export interface EvaluationAnswer {
  /** Evaluated so far. */
  prices: number;
  /** The next answers, best first; null while there are markets to evaluate. */
  found: Opportunity[] | null;
  done: boolean;
}

/** A batch waits at most about this long for a slice. */
const SLICE_MS = LIMITS.evaluationSlice.max;
/** Encoding and reading that many takes about as long as a slice. */
const PIECE = LIMITS.evaluationPiece.max;

/** Evaluations under way, which go on by a slice whenever they are told to. */
export class RunningEvaluations {
  readonly #begin: (question: EvaluationQuestion) => Evaluation;
  readonly #running = new Map<number, Evaluation>();

  constructor(begin: (question: EvaluationQuestion) => Evaluation) {
    this.#begin = begin;
  }

  /** @param question with its first slice. Throws if the evaluation is unknown: it was begun by a thread that died since. */
  step(id: number, question: EvaluationQuestion | null): EvaluationAnswer {
    let evaluation = this.#running.get(id);
    if (question !== null) {
      evaluation = this.#begin(question);
      this.#running.set(id, evaluation);
    }
    if (evaluation === undefined) throw new Error(`evaluation ${id} is not under way`);
    if (!evaluation.run(SLICE_MS)) return { prices: evaluation.prices, found: null, done: false };
    const found = evaluation.take(PIECE);
    const done = evaluation.left === 0;
    if (done) this.#running.delete(id);
    return { prices: evaluation.prices, found, done };
  }

  abandon(id: number): void {
    this.#running.delete(id);
  }
}
