// A term: from taking the lease until the engine is deposed or gives it up. It writes its beginning into the log, and what
// its batches change.

import type { LogEntry } from '../../log/control/control-queue.js';
import type { Journal } from '../../writer/pool/replication.js';
import { FRAME_KIND } from './frame.js';
import { LogPublisher } from './log-publisher.js';
import type { ClusterNats } from './nats.js';

export interface TermOptions {
  nats: ClusterNats;
  term: number;
  /** Sequence of the last known message. */
  last: number;
  onTrouble(error: unknown): void;
  onDeposed(): void;
  /** As in Journal. */
  onLost(error: unknown): void;
}

const NOTHING = new Uint8Array(0);

export class Term implements Journal {
  readonly number: number;
  readonly #publisher: LogPublisher;
  readonly #nats: ClusterNats;
  readonly #onLost: TermOptions['onLost'];

  constructor({ nats, term, last, onTrouble, onDeposed, onLost }: TermOptions) {
    this.number = term;
    this.#nats = nats;
    this.#onLost = onLost;
    this.#publisher = new LogPublisher({ nats, term, last, onTrouble, onDeposed });
  }

  /** Settles with the sequence of the message that begins it: everything of earlier terms is before it. */
  begin(): Promise<number> {
    const begins = { kind: FRAME_KIND.term, shard: 0, position: 0, body: NOTHING };
    return this.#publisher.publish(this.#nats.names.frames, begins);
  }

  async append({ shard, position, message }: LogEntry): Promise<void> {
    const body = message ?? NOTHING;
    await this.#publisher.publish(this.#nats.names.frames, { kind: FRAME_KIND.entry, shard, position, body });
  }

  lost(error: unknown): void {
    this.#onLost(error);
  }

  /** Everything waiting is rejected. */
  end(): void {
    this.#publisher.close();
  }
}
