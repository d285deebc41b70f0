// Reads all values below a key of the cluster's state at once, by a consumer: one request for many messages.
import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { LIMITS } from '../model/limits.js';
import { inTime } from './attempts.js';
import type { ClusterNats } from './nats.js';

/** A value as the bucket has it; `bytes` are valid until the next batch is requested. */
export interface BucketEntry {
  key: string;
  bytes: Uint8Array;
  revision: number;
}

const ANSWER_MS = 5_000;
/** A batch that does not arrive within this time is given up. */
const SILENCE_MS = 2_000;
/** The servers forget a consumer that is not used for this long. */
const FORGET_MS = 30_000;
const FIRST_BATCH = 16;

/**
 * The values whose keys begin with `prefix`, in the order in which they were stored, in batches of a few megabytes
 * (unless single values are that large). The replica that answers may lag behind, and a value that is replaced
 * meanwhile may come twice or not at all. Rejects if the servers do not answer.
 */
export async function* readBucket(nats: ClusterNats, prefix: string): AsyncGenerator<BucketEntry[]> {
  const stream = `KV_${nats.names.state}`;
  const subject = `$KV.${nats.names.state}.`;
  const made = await inTime(
    nats.streams.consumers.add(stream, {
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.All,
      filter_subject: `${subject}${prefix}>`,
      inactive_threshold: nanos(FORGET_MS),
      mem_storage: true,
      num_replicas: 1,
    }),
    ANSWER_MS,
  );
  const consumer = nats.log.consumers.getConsumerFromInfo(made);
  try {
    let left = made.num_pending;
    let count: number = FIRST_BATCH;
    while (left > 0) {
      const wanted = Math.min(left, count);
      const batch: BucketEntry[] = [];
      let bytes = 0;
      let received = 0;
      for await (const message of await consumer.fetch({ max_messages: wanted, expires: SILENCE_MS })) {
        received++;
        bytes += message.data.length;
        // What was stored since then counts as pending, what was removed does not.
        left = Math.min(left - 1, message.info.pending);
        if (message.headers?.get('KV-Operation')) continue;
        const key = message.subject.slice(subject.length);
        batch.push({ key, bytes: message.data, revision: message.info.streamSequence });
      }
      yield batch;
      if (received < wanted && left > 0) throw new Error('the NATS servers did not deliver all entries');
      const fitting = Math.floor((LIMITS.bucketBatchBytes.max * received) / Math.max(1, bytes));
      count = Math.max(1, Math.min(LIMITS.bucketBatch.max, 2 * count, fitting));
    }
  } finally {
    // One that is not deleted is forgotten by the servers.
    consumer.delete().catch(() => undefined);
  }
}
