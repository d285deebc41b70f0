// The writer's maintenance of the log: takes a snapshot at intervals, and drops what no reader needs: what is past the
// retention, but never what comes after the newest snapshot or after one that is being loaded.
import { monotonicMs } from '../../base/model/clock.js';
import type { EngineLog } from '../../base/model/log.js';
import { LOG_VERSION } from './frame.js';
import type { ClusterNats } from './nats.js';
import type { LogPlace } from './replica.js';
import { inTime } from './retries.js';
import { type SnapshotHead, type Snapshots, snapshotName } from './snapshots.js';

export interface LogKeeperOptions {
  nats: ClusterNats;
  snapshots: Snapshots;
  node: string;
  /** The earliest position a snapshot begun now is of. */
  place(): LogPlace;
  head(): Pick<SnapshotHead, 'position' | 'epoch' | 'shards'>;
  /** The whole store in pieces. */
  dump(): Generator<Uint8Array>;
  retentionMs: number;
  bytesMax: number;
  log: EngineLog;
}

const POLL_MS = 2_000;
/** With this many messages after the newest snapshot another is due soon; with fewer, late. */
const WORTH_IT = { messages: 10_000, soonMs: 15_000, lateMs: 300_000 } as const;
/** A snapshot that takes longer is abandoned, and another one begun: a server died during it. */
const TAKE_MS = 120_000;
const ASK_MS = 10_000;

export class LogKeeper {
  readonly #options: LogKeeperOptions;
  readonly #timer: NodeJS.Timeout;
  #working: Promise<void> | undefined;
  /** The log's length over time (monotonicMs). */
  #lengths: { atMs: number; sequence: number }[] = [];
  #snapshot: SnapshotHead | null | undefined;
  #snapshotMs = 0;
  #closed = false;
  /** Ends the current dump, even if someone waits for it. */
  #stopDump: (() => void) | undefined;

  constructor(options: LogKeeperOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), POLL_MS);
    this.#look();
  }

  /** No store is read any more when it returns; unanswered requests to the servers are not waited for. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#stopDump?.();
  }

  #look(): void {
    this.#working ??= this.#work()
      .catch((error: unknown) => {
        if (this.#closed) return;
        this.#options.log.warn({ err: error }, 'the log could not be looked after; it is tried again');
      })
      .finally(() => {
        this.#working = undefined;
      });
  }

  async #work(): Promise<void> {
    const { snapshots } = this.#options;
    if (this.#snapshot === undefined) {
      this.#snapshot = await snapshots.newest();
      this.#snapshotMs = monotonicMs();
    }
    if (this.#closed) return;
    if (this.#isDue()) await this.#take();
    if (!this.#closed && this.#snapshot !== null) await this.#trim(this.#snapshot.sequence);
  }

  #isDue(): boolean {
    if (this.#snapshot === null || this.#snapshot === undefined) return true;
    // What an earlier release wrote after it cannot be followed: a node that starts anew would find no way.
    if (this.#snapshot.logVersion !== LOG_VERSION) return true;
    const since = this.#options.place().sequence - this.#snapshot.sequence;
    const ageMs = monotonicMs() - this.#snapshotMs;
    const dueMs = since > WORTH_IT.messages ? WORTH_IT.soonMs : WORTH_IT.lateMs;
    return since > 0 && ageMs > Math.min(dueMs, this.#options.retentionMs / 4);
  }

  async #take(): Promise<void> {
    const { snapshots, node, place, head, dump, log } = this.#options;
    const startedMs = monotonicMs();
    const { sequence, mark } = place();
    const taken: SnapshotHead = {
      name: snapshotName(node, sequence),
      sequence,
      mark,
      logVersion: LOG_VERSION,
      ...head(),
    };
    const pieces = dump();
    this.#stopDump = () => pieces.return(undefined);
    const deadline = new AbortController();
    try {
      await inTime(snapshots.put(taken, this.#whileOpen(pieces), deadline.signal), TAKE_MS);
    } finally {
      deadline.abort();
      this.#stopDump();
      this.#stopDump = undefined;
    }
    this.#snapshot = taken;
    this.#snapshotMs = monotonicMs();
    log.info({ sequence, ms: Math.round(this.#snapshotMs - startedMs) }, 'took a snapshot of the log');
  }

  *#whileOpen(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
    yield* pieces;
    // An incomplete store is no snapshot.
    if (this.#closed) throw new Error('another node writes the log');
  }

  async #trim(snapshotSequence: number): Promise<void> {
    const { nats, snapshots, retentionMs, bytesMax } = this.#options;
    const { state } = await nats.streams.streams.info(nats.names.stream);
    const nowMs = monotonicMs();
    this.#lengths.push({ atMs: nowMs, sequence: state.last_seq });
    let keepFrom = state.first_seq;
    while (this.#lengths.length > 1 && nowMs - this.#lengths[0]!.atMs > retentionMs)
      keepFrom = Math.max(keepFrom, this.#lengths.shift()!.sequence + 1);
    // By bytes: as if all messages were of equal size.
    if (state.bytes > bytesMax)
      keepFrom = Math.max(keepFrom, Math.floor(state.last_seq - state.messages * (bytesMax / state.bytes)) + 1);
    const reserved = await inTime(snapshots.reserved(), ASK_MS);
    keepFrom = Math.min(keepFrom, snapshotSequence + 1, (reserved ?? snapshotSequence) + 1);
    if (keepFrom > state.first_seq) await nats.streams.streams.purge(nats.names.stream, { seq: keepFrom });
  }
}
