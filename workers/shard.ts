// A shard's thread: opens its store, hands batches to the pure shard, answers with MessagePack.
import { workerData } from 'node:worker_threads';
import { move } from 'piscina';
import { loadCatalogue } from '../src/catalogue/load.js';
import type { NormalMessage } from '../src/ingest/normal.js';
import type { ShardAnswer, ShardTask, ShardThreadData } from '../src/pool/protocol.js';
import { Shard } from '../src/shard/shard.js';
import { openShardEnv } from '../src/store/shard-env.js';
import { ShardWriter } from '../src/store/shard-writer.js';
import { StorageFull } from '../src/store/storage-error.js';
import { decode, encode } from '../src/wire/codec.js';

// Piscina hands its own option through as the first element where it adds data of its own.
const data = (Array.isArray(workerData) ? workerData.at(-1) : workerData) as ShardThreadData;
const catalogue = loadCatalogue(data.catalogueDir ?? undefined);
const store = new ShardWriter(openShardEnv(data.dataDir, data.shard), catalogue, data.retention);
const shard = new Shard(data.shard, catalogue, store);

export default async function run(task: ShardTask): Promise<unknown> {
  if (task.kind === 'close') {
    await store.flushed();
    await store.close();
    return null;
  }
  let answer: ShardAnswer;
  try {
    const messages = task.batch === null ? [] : (decode(task.batch) as NormalMessage[]);
    const { delta, receipts } = shard.apply(messages, task.position);
    if (data.durability === 'flush') await store.flushed();
    answer = { delta, receipts, failure: null };
  } catch (error) {
    if (!(error instanceof StorageFull)) throw error;
    answer = { delta: null, receipts: [], failure: error.message };
  }
  // msgpackr's buffer is a window of a pool: only an array of our own may be moved to the other thread.
  return move(new Uint8Array(encode(answer)));
}
