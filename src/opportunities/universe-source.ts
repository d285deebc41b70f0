// What this stage needs of detection: universes to be watched, and one-off questions with another way to the fair price.

import type { Opportunity } from '../delta/opportunity.js';
import type { EvaluationQuestion } from '../detect/question.js';
import type { UniverseSpec } from '../model/opportunity.js';

/** What a question looks at; all where not given. */
export interface UniverseSource {
  /** Settles when every shard's news of what is alive in the universe has been delivered. */
  ensureUniverse(spec: UniverseSpec): Promise<void>;
  dropUniverse(key: string): void;
  evaluate(question: EvaluationQuestion): Promise<Opportunity[]>;
}
