// The engine of a cluster's node: while it does not write the log itself, it forwards messages to the node that does.

import { Engine, type EngineOptions } from '../engine/engine.js';
import type { ClusterState, IngestAnswer } from '../engine/engine-view.js';

export interface ClusterPart {
  readonly leads: boolean;
  readonly state: Omit<ClusterState, 'position'>;
  /** Sends messages to the writer; settles when this engine's table shows them. */
  forward(messages: readonly unknown[]): Promise<IngestAnswer>;
}

export class ClusterEngine extends Engine {
  readonly #part: ClusterPart;

  constructor(options: EngineOptions, part: ClusterPart) {
    super({ ...options, standby: true });
    this.#part = part;
  }

  override ingest(raw: readonly unknown[], sinceMs?: number): Promise<IngestAnswer> {
    return this.#part.leads ? super.ingest(raw, sinceMs) : this.#part.forward(raw);
  }

  /** A position sent by another node may be ahead of this table. */
  override get alone(): boolean {
    return false;
  }

  override get cluster(): ClusterState {
    return { ...this.#part.state, position: this.table.position };
  }
}
