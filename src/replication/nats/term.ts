// A term: from taking the lease until the engine is deposed or gives it up. It writes its beginning into the log,
// completes what the previous writer began, and accepts messages.

import type { Outcome } from '../../log/control/control-queue.js';
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
}

export class Term implements Journal {
  readonly number: number;
  readonly #publisher: LogPublisher;
  readonly #nats: ClusterNats;

  constructor({ nats, term, last, onTrouble, onDeposed }: TermOptions) {
    this.number = term;
    this.#nats = nats;
    this.#publisher = new LogPublisher({ nats, term, last, onTrouble, onDeposed });
  }

  /** Settles with the sequence of the message that begins it: everything of earlier terms is before it. */
  begin(): Promise<number> {
    const nothing = new Uint8Array(0);
    return this.#publisher.publish(this.#nats.names.input, {
      kind: FRAME_KIND.term,
      shard: 0,
      position: 0,
      body: nothing,
    });
  }

  async input(shard: number, position: number, batch: Uint8Array | null): Promise<void> {
    const body = batch ?? new Uint8Array(0);
    await this.#publisher.publish(this.#nats.names.input, { kind: FRAME_KIND.input, shard, position, body });
  }

  async outcome({ shard, position, message, refused }: Outcome): Promise<void> {
    const kind = refused ? FRAME_KIND.refused : FRAME_KIND.outcome;
    const body = message ?? new Uint8Array(0);
    await this.#publisher.publish(this.#nats.names.outcome, { kind, shard, position, body });
  }

  /** Everything waiting is rejected. */
  end(): void {
    this.#publisher.close();
  }
}
