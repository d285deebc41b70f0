// What this stage needs of detection: watched universes, and one-off questions with another method for the fair price.

import type { Caller } from '../accounts/caller.js';
import type { EvaluationQuestion } from '../detect/question.js';
import type { Evaluated } from '../engine/evaluations.js';
import type { UniverseSpec } from '../model/opportunity.js';

export interface UniverseSource {
  /** Settles when every shard's active opportunities of the universe have been delivered. */
  ensureUniverse(spec: UniverseSpec, caller: Caller | undefined): Promise<void>;
  dropUniverse(key: string): void;
  evaluate(question: EvaluationQuestion, caller: Caller): Promise<Evaluated>;
}
