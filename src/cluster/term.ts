// A term: from an engine's taking the lease until it is deposed or gives it up. It writes its beginning into the log, ends
// what the writer before began, and takes in.
import type { Journal, Outcome } from '../pool/replication.js';
import { FRAME_KIND } from './frame.js';
import { LogPublisher } from './log-publisher.js';
import type { ClusterNats } from './nats.js';

export interface TermOptions {
  nats: ClusterNats;
  term: number;
  /** Sequence of the last message that is known. */
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

  /** Settles with the sequence of the word that it begins: what stands before it is all there is of earlier terms. */
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

  /** What waits is rejected. */
  end(): void {
    this.#publisher.close();
  }
}
