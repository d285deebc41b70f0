// On the shard's thread: evaluations under way, which go on by a slice whenever they are told to.

import { LIMITS } from '../../base/model/limits.js';
import type { Evaluation } from '../../detection/evaluation.js';
import type { EvaluationQuestion } from '../../detection/question.js';
import type { EvaluationAnswer, EvaluationTask } from './protocol.js';

/** A batch waits at most about this long for a slice. */
const SLICE_MS = LIMITS.evaluationSlice.max;
/** Encoding and reading that many takes about as long as a slice. */
const PIECE = LIMITS.evaluationPiece.max;

export class RunningEvaluations {
  readonly #begin: (question: EvaluationQuestion) => Evaluation;
  readonly #running = new Map<number, Evaluation>();

  constructor(begin: (question: EvaluationQuestion) => Evaluation) {
    this.#begin = begin;
  }

  /** Throws if the evaluation is unknown: it was begun by a thread that died since. */
  step({ id, question }: EvaluationTask): EvaluationAnswer {
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
