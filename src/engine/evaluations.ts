// Callers' questions in the shards: each costs as much as thousands of batches. Those of all fronts wait in the engine's
// one queue.
import { AccountQueue } from '../accounts/account-queue.js';
import { LIMITS } from '../base/model/limits.js';
import { bestOf, type EvaluationQuestion } from '../detection/question.js';
import type { Opportunity } from '../log/delta/opportunity.js';
import type { ShardThread } from '../writer/pool/shard-thread.js';

/** The answers to a question, best first. Each is exact as of a position from `from` to `to`; equal: all of one state. */
export interface Evaluated {
  opportunities: readonly Opportunity[];
  from: number;
  to: number;
  /** Prices evaluated for them. */
  prices: number;
}

export function evaluationQueue(): AccountQueue {
  return new AccountQueue({
    running: LIMITS.evaluations.max,
    ofAccount: LIMITS.evaluationsOfAccount.max,
    waiting: LIMITS.evaluationsWaiting.max,
    waitingOfAccount: LIMITS.evaluationsWaitingOfAccount.max,
    timeMs: LIMITS.evaluationTime.max,
  });
}

/** Evaluates a question in every shard; `idleIn` settles when nothing waits or runs in a shard. */
export async function evaluateIn(
  threads: readonly ShardThread[],
  idleIn: (shard: number) => Promise<void>,
  question: EvaluationQuestion,
  end: AbortController,
): Promise<Pick<Evaluated, 'opportunities' | 'prices'>> {
  const shards = threads.map((thread) =>
    thread
      .evaluate(question, () => idleIn(thread.shard), end.signal)
      .catch((error: unknown) => {
        // The others have nothing to go on for.
        end.abort(error);
        return undefined;
      }),
  );
  const found = (await Promise.all(shards)).filter((each) => each !== undefined);
  end.signal.throwIfAborted();
  const prices = found.reduce((sum, each) => sum + each.prices, 0);
  return { opportunities: bestOf(found.map((each) => each.opportunities)), prices };
}
