// The engine of a cluster's node: while it does not write the log itself, it forwards messages to the node that does.

import { Engine } from '../../engine/engine.js';
import type { EngineOptions } from '../../engine/engine-options.js';
import type { ClusterState, IngestAnswer, IngestOptions } from '../../engine/engine-view.js';
import type { ControlAnswer, ControlRequest } from '../control/control-queue.js';

export interface ClusterPart {
  readonly leads: boolean;
  readonly state: Omit<ClusterState, 'position'>;
  /** Has the writer run a command. */
  forwardControl(request: ControlRequest): Promise<ControlAnswer>;
  /** Sends messages to the writer; settles when this engine's table shows them. */
  forward(messages: readonly unknown[], strict?: boolean): Promise<IngestAnswer>;
}

export class ClusterEngine extends Engine {
  readonly #part: ClusterPart;

  constructor(options: EngineOptions, part: ClusterPart) {
    super({ ...options, standby: true });
    this.#part = part;
  }

  override ingest(raw: readonly unknown[], options?: IngestOptions): Promise<IngestAnswer> {
    return this.#part.leads ? super.ingest(raw, options) : this.#part.forward(raw, options?.strict);
  }

  protected override forwardControl(request: ControlRequest): Promise<ControlAnswer> {
    return this.#part.forwardControl(request);
  }

  /** A position sent by another node may be ahead of this table. */
  override get alone(): boolean {
    return false;
  }

  override get cluster(): ClusterState {
    return { ...this.#part.state, position: this.table.position };
  }
}
