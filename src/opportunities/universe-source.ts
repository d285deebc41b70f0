// What this stage needs of detection: watched universes, and one-off questions with another method for the fair price.

import type { Opportunity } from '../delta/opportunity.js';
import type { EvaluationQuestion } from '../detect/question.js';
import type { UniverseSpec } from '../model/opportunity.js';

export interface UniverseSource {
  /** Settles when every shard's active opportunities of the universe have been delivered. */
  ensureUniverse(spec: UniverseSpec): Promise<void>;
  dropUniverse(key: string): void;
  evaluate(question: EvaluationQuestion): Promise<Opportunity[]>;
}
