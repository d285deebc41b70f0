// A shard's store that keeps nothing: its deltas are all that is wanted.
import { encodeDelta } from '../../../src/log/delta/delta.js';
import type { ShardStore } from '../../../src/writer/shard/shard.js';

export const memoryStore: ShardStore = {
  load: () => undefined,
  prepare: ({ delta }) => ({ bytes: encodeDelta(delta), commit: () => undefined }),
};
