// The engine of a cluster's node: while it does not write the log itself, it forwards messages to the node that does, and
// has that one watch the universes in use here.

import type { Caller } from '../../accounts/caller.js';
import type { UniverseSpec } from '../../base/model/opportunity.js';
import { Engine } from '../../engine/engine.js';
import type { EngineOptions } from '../../engine/engine-options.js';
import type { ClusterState, IngestAnswer, IngestOptions } from '../../engine/engine-view.js';
import type { ControlAnswer, ControlRequest } from '../../log/control/control-queue.js';
import type { LogSource } from '../port/source.js';
import { RequestedUniverses } from './requested-universes.js';
import { Waiter } from './waiter.js';

export interface ClusterPart {
  readonly leads: boolean;
  readonly state: Omit<ClusterState, 'position'>;
  /** Has the writer run a command. */
  forwardControl(request: ControlRequest): Promise<ControlAnswer>;
  /** To the writer. Rejects with ApiError `unavailable` if that is this node, or there is none. */
  readonly request: LogSource['request'];
  /** Sends messages to the writer; settles when this engine's table shows them. */
  forward(messages: readonly unknown[], options?: IngestOptions): Promise<IngestAnswer>;
}

export class ClusterEngine extends Engine {
  readonly #part: ClusterPart;
  readonly #conditions = new Waiter();
  readonly #universes: RequestedUniverses;

  constructor(options: EngineOptions, part: ClusterPart) {
    super({ ...options, standby: true });
    this.#part = part;
    this.#universes = new RequestedUniverses({
      request: (kind, body) => part.request(kind, body),
      permanent: this.permanent,
      conditions: this.#conditions,
      hasReached: (position) => this.reachedFor('enterprise') >= position,
      asks: () => !part.leads,
    });
  }

  override start(): void {
    super.start();
    this.#universes.start();
  }

  /** Another node writes the log, or this one begins or ends to. */
  writerChanged(): void {
    this.#universes.connected();
  }

  override reached(position: number): void {
    super.reached(position);
    this.#conditions.changed();
  }

  override async ensureUniverse(spec: UniverseSpec, caller?: Caller): Promise<void> {
    for (;;) {
      const { leads } = this.#part;
      try {
        return await (leads ? super.ensureUniverse(spec) : this.#universes.ensure(spec, caller));
      } catch (error) {
        if (leads === this.#part.leads) throw error;
      }
    }
  }

  override isWatched(key: string): boolean {
    return this.#part.leads ? super.isWatched(key) : this.#universes.isWatched(key);
  }

  override dropUniverse(key: string): void {
    this.#universes.drop(key);
    super.dropUniverse(key);
  }

  override async close(): Promise<void> {
    this.#universes.close();
    this.#conditions.close();
    await super.close();
  }

  override ingest(raw: readonly unknown[], options?: IngestOptions): Promise<IngestAnswer> {
    return this.#part.leads ? super.ingest(raw, options) : this.#part.forward(raw, options);
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
