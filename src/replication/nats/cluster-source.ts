// The cluster's log as a front follows it, and the front's requests to the writer.

import { monotonicMs } from '../../base/model/clock.js';
import type { EngineLog } from '../../base/model/log.js';
import { endWhereGivenUp } from '../../base/model/storage-error.js';
import { nodeName } from '../../engine/engine-options.js';
import { CONTROL_SHARD } from '../../log/control/control-queue.js';
import type { Heartbeats } from '../port/heartbeats.js';
import type { LogHandlers, LogSource } from '../port/source.js';
import type { RequestKind, Requests } from '../requests/requests.js';
import { FRAME_KIND, type Frame } from './frame.js';
import type { FrontStore } from './front-store.js';
import { Lease } from './lease.js';
import { LogFollower } from './log-follower.js';
import { type ClusterNats, natsHeartbeats } from './nats.js';
import { WriterRequests } from './requests.js';
import type { SnapshotHead } from './snapshots.js';

export interface ClusterSourceOptions {
  nats: ClusterNats;
  /** The snapshot that the store was loaded from. */
  snapshot: SnapshotHead;
  store: FrontStore;
  log: EngineLog;
}

const BEAT_MS = 250;

export class ClusterSource implements LogSource {
  readonly node = nodeName();
  readonly heartbeats: Heartbeats;
  /** Changes of the writer that this node has seen. */
  leaseChanges = 0;
  readonly #options: ClusterSourceOptions;
  readonly #lease: Lease;
  readonly #follower: LogFollower;
  readonly #requests: WriterRequests;
  #handlers: LogHandlers | undefined;
  #beatMs = 0;
  #position = 0;
  #following: Promise<void> | undefined;

  constructor(options: ClusterSourceOptions) {
    this.#options = options;
    const { nats, snapshot, log } = options;
    this.#position = snapshot.position;
    this.#requests = new WriterRequests(nats);
    this.heartbeats = natsHeartbeats(nats, this.node, 'front');
    this.#follower = new LogFollower({
      nats,
      after: snapshot.sequence,
      mark: snapshot.mark,
      hasRoom: () => true,
      onMessage: (frame) => this.#take(frame),
      onTooOld: () => this.#handlers?.tooOld('the log no longer has what this front needs'),
      onTrouble: (error) => log.warn({ err: error }, 'the log cannot be read for now'),
    });
    this.#lease = new Lease({
      state: nats.state,
      node: this.node,
      mayHold: () => false,
      onHeld: () => undefined,
      onLost: () => undefined,
      onHolder: (holder) => this.#holder(holder),
      onTrouble: (error) => log.warn({ err: error }, 'the lease cannot be looked at for now'),
      onUnanswered: () => nats.reconnect(),
    });
  }

  follow(handlers: LogHandlers): void {
    this.#handlers = handlers;
    this.#lease.start();
  }

  /** Settles when everything in the log was delivered. */
  async caughtUp(): Promise<void> {
    await this.#following;
    await this.#follower.catchUp();
  }

  request<Kind extends RequestKind>(kind: Kind, body: Requests[Kind]['body']): Promise<Requests[Kind]['answer']> {
    return this.#requests.ask(kind, body);
  }

  async close(): Promise<void> {
    this.#follower.close();
    await this.#lease.close();
    this.heartbeats.close();
    await this.#options.nats.close();
  }

  #holder(holder: string | null): void {
    this.leaseChanges++;
    this.#requests.writer = holder;
    if (holder === null) {
      this.#handlers?.lost();
      return;
    }
    this.#handlers?.opened({
      epoch: this.#options.snapshot.epoch,
      writer: holder,
      head: this.#position,
      contiguous: true,
    });
    // The table is loaded during the first call; what comes after the snapshot may arrive now.
    this.#following ??= this.#follower.start();
  }

  #take({ kind, shard, position, body }: Frame): void {
    if (kind !== FRAME_KIND.entry) return;
    this.#position = position;
    try {
      if (body.length > 0) this.#store(shard, position, body);
    } catch (error) {
      this.#cannotStore(error);
      return;
    }
    if (body.length > 0 && shard !== CONTROL_SHARD) this.#handlers?.message(body);
    const nowMs = monotonicMs();
    if (nowMs - this.#beatMs < BEAT_MS) return;
    this.#beatMs = nowMs;
    this.#handlers?.beat({ position, writerMs: position / 1000, fronts: this.heartbeats.fronts });
  }

  #store(shard: number, position: number, body: Uint8Array): void {
    const { store } = this.#options;
    if (shard === CONTROL_SHARD) store.writeControl(position, body);
    else store.write(shard, position, body);
  }

  /** What comes after it would be shown without it: this front begins anew, from a snapshot. */
  #cannotStore(error: unknown): void {
    this.#follower.close();
    this.#options.log.error({ err: error }, 'what the log says cannot be stored');
    endWhereGivenUp(error);
    this.#handlers?.tooOld('what the log says cannot be stored');
  }
}
