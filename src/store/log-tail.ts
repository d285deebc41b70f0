// The tail of a shard's log: what it has after its slabs, read once for all of them.

import { decodeDelta } from '../log/delta/codec.js';
import { LaterNumbers } from './later-numbers.js';
import { LaterOpportunities } from './opportunity-store.js';
import { readMeta, type ShardEnv } from './shard-env.js';
import { readLog } from './shard-reader.js';

export interface LogTail {
  numbers: LaterNumbers;
  opportunities: LaterOpportunities;
}

/**
 * As of the last commit, in one turn of the event loop with the reading of the slabs: both see the same view of the store.
 * @param touched called with each position at which an event's opportunities changed, perhaps several times
 */
export function readLogTail(
  env: ShardEnv,
  touched: (eventNo: number, position: number) => void = () => undefined,
): LogTail {
  const after = { numbers: new LaterNumbers(), opportunities: new LaterOpportunities(env) };
  for (const { position, bytes } of readLog(env, readMeta(env).slabsTo)) {
    // The memory is LMDB's, and a record is a view of it.
    const delta = decodeDelta(Uint8Array.from(bytes));
    after.numbers.take(delta);
    after.opportunities.take(delta.opportunities, (eventNo) => touched(eventNo, position));
  }
  return after;
}
