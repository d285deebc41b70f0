// What the front and a shard's thread say to each other.
import type { IngestReceipt } from '../ingest/normal.js';
import type { Retention } from '../store/shard-writer.js';

export interface ShardThreadData {
  shard: number;
  dataDir: string;
  catalogueDir: string | null;
  durability: 'commit' | 'flush';
  retention: Retention;
}

export type ShardTask =
  /** `batch`: NormalMessage[] as MessagePack, or null for a tick of the clock. */
  { kind: 'apply'; batch: Uint8Array | null; position: number } | { kind: 'close' };

export interface ShardAnswer {
  /** Encoded Delta, already in the log, or null where nothing changed. */
  delta: Uint8Array | null;
  receipts: IngestReceipt[];
  /** Set where the store had no room: nothing of the batch was taken. */
  failure: string | null;
}
