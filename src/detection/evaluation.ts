// The evaluation of one caller's question: in slices, so that batches are applied between them. Each market is evaluated
// in one piece, over the prices as of the last batch before it.

import { monotonicMs } from '../base/model/clock.js';
import type { Opportunity } from '../log/delta/opportunity.js';
import type { Market } from './market-line.js';
import type { Collector } from './question.js';

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
