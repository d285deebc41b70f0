// What is done when a batch failed with its thread: the operator is told, unless he was already.
import { ApiError } from '../base/model/errors.js';
import type { EngineLog } from '../base/model/log.js';
import { endWhereGivenUp } from '../base/model/storage-error.js';

export function threadLost(log: EngineLog): (shard: number, error: unknown) => void {
  return (shard, error) => {
    // What is said of a thread that could not be started is said once, not of every batch.
    if (error instanceof ApiError) return;
    log.error({ shard, err: error }, 'a batch failed with its thread, and is tried again once');
    endWhereGivenUp(error);
  };
}
