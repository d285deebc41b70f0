// What this stage needs of detection: watched universes, and one-off questions with another method for the fair price.

import type { Caller } from '../accounts/caller.js';
import type { EvaluationQuestion } from '../detect/question.js';
import type { Evaluated } from '../engine/evaluations.js';
import type { UniverseSpec } from '../model/opportunity.js';
import type { OpportunityTable } from '../table/opportunity-table.js';

export interface DetectionPort {
  readonly opportunities: OpportunityTable;
  /** Whether the table has the universe's active opportunities now. */
  isWatched(key: string): boolean;
  /** Settles when it is so. */
  ensureUniverse(spec: UniverseSpec, caller: Caller | undefined): Promise<void>;
  dropUniverse(key: string): void;
  evaluate(question: EvaluationQuestion, caller: Caller): Promise<Evaluated>;
}
