// Replaces a shard's thread: the test decides when it answers, and what.
import type { NormalMessage } from '../../../src/base/model/normal-message.js';
import type { AppliedBatch, LogBatch } from '../../../src/writer/pool/protocol.js';
import { decodeBatch } from '../../../src/writer/pool/protocol.js';

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
  /** Positions that were committed, and that were undone, in order. */
  readonly committed: number[] = [];
  readonly undone: number[] = [];
  /** Deltas that were folded. */
  readonly folded: Uint8Array[] = [];
  /** What commit() does next, if not what it should. */
  onCommit: (() => number | null) | undefined;
  #held: number | undefined;

  constructor(shard: number) {
    this.shard = shard;
  }

  apply(batch: Uint8Array | null, position: number, hold = false): Promise<AppliedBatch> {
    const messages = [...decodeBatch(batch).messages];
    return new Promise((resolve, reject) => {
      const no = this.calls.length + 1;
      const answer = (fields?: Partial<AppliedBatch>): void => {
        if (hold) this.#held = position;
        else this.committed.push(position);
        resolve({
          batch: batchOf(this.shard, no),
          receipts: messages.map((message) => receipt(message.events.length)),
          universes: 0,
          nextDeadlineMs: Number.POSITIVE_INFINITY,
          boundedMarkets: 0,
          joining: false,
          failure: null,
          release: () => {
            this.released++;
          },
          ...fields,
        });
      };
      this.calls.push({ messages, position, answer, die: () => reject(new Error('thread gone')) });
    });
  }

  async commit(position: number): Promise<number | null> {
    if (this.onCommit !== undefined) return this.onCommit();
    if (this.#held !== position) return null;
    this.#held = undefined;
    this.committed.push(position);
    return 0;
  }

  async undo(): Promise<void> {
    if (this.#held !== undefined) this.undone.push(this.#held);
    this.#held = undefined;
  }

  async fold(delta: Uint8Array): Promise<{ failure: string | null; release(): void }> {
    this.folded.push(Uint8Array.from(delta));
    return { failure: null, release: () => undefined };
  }
}

function receipt(accepted: number) {
  return { accepted, changed: accepted, removed: 0, stale: 0, rejected: [] };
}

export function batchOf(shard: number, no: number): LogBatch {
  const bytes = Uint8Array.of(shard, no);
  return { position: no, delta: bytes };
}
