// Replaces a shard's thread: the test decides when it answers, and what.
import type { NormalMessage } from '../../../src/base/model/normal-message.js';
import { decodeBatch } from '../../../src/writer/pool/batch-input.js';
import type { AppliedBatch, LogBatch } from '../../../src/writer/pool/protocol.js';

interface Call {
  messages: NormalMessage[];
  position: number;
  answer(fields?: Partial<AppliedBatch>): void;
  die(): void;
}

export class FakeThread {
  readonly calls: Call[] = [];
  readonly shard: number;
  /** Answers whose memory was returned. */
  released = 0;
  /** Positions that were committed, in order. */
  readonly committed: number[] = [];

  constructor(shard: number) {
    this.shard = shard;
  }

  apply(
    batch: Uint8Array | null,
    position: number,
    refused: Promise<unknown> = Promise.resolve(null),
  ): Promise<AppliedBatch> {
    const messages = [...decodeBatch(batch).messages];
    return new Promise((resolve, reject) => {
      const no = this.calls.length + 1;
      const answer = async (fields?: Partial<AppliedBatch>): Promise<void> => {
        const taken = (await refused) === null;
        if (taken) this.committed.push(position);
        resolve({
          batch: taken ? batchOf(this.shard, no) : null,
          receipts: taken ? messages.map((message) => receipt(message.events.length)) : [],
          universes: 0,
          nextDeadlineMs: Number.POSITIVE_INFINITY,
          boundedMarkets: 0,
          joining: false,
          failure: taken ? null : 'refused',
          release: () => {
            this.released++;
          },
          ...fields,
        });
      };
      this.calls.push({
        messages,
        position,
        answer: (fields) => void answer(fields),
        die: () => reject(new Error('thread gone')),
      });
    });
  }
}

function receipt(accepted: number) {
  return { accepted, changed: accepted, removed: 0, stale: 0, rejected: [] };
}

export function batchOf(shard: number, no: number): LogBatch {
  const bytes = Uint8Array.of(shard, no);
  return { position: no, delta: bytes };
}
