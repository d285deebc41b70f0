// An engine among others that share a log: follows it until it holds the lease, writes it while it does.

import { monotonicMs } from '../../base/model/clock.js';
import { noWriter } from '../../base/model/errors.js';
import type { EngineLog } from '../../base/model/log.js';
import { endWhereGivenUp, isGivenUp } from '../../base/model/storage-error.js';
import { Engine } from '../../engine/engine.js';
import { type EngineOptions, type NodeFacts, nodeName } from '../../engine/engine-options.js';
import type { Shards } from '../../engine/shards.js';
import { restateOnce } from '../../log/control/command.js';
import { dumpDirectory } from '../../store/dump.js';
import { type Node, RemoteRequests } from '../follower/remote-requests.js';
import type { Heartbeats } from '../port/heartbeats.js';
import type { Terms } from '../port/source.js';
import { type AnyRequest, answerBytes, type RequestKind, type Requests } from '../requests/requests.js';
import { LOG_VERSION } from './frame.js';
import { type ClusterIdentity, invalidatePlace, keepPlace } from './identity.js';
import { Lease } from './lease.js';
import { LogFollower } from './log-follower.js';
import { LogPublisher } from './log-publisher.js';
import { type ClusterNats, natsHeartbeats } from './nats.js';
import { type LogPlace, Replica } from './replica.js';
import { answerRequests, WriterRequests } from './requests.js';
import { answered, inTime, pause } from './retries.js';
import { type SnapshotHead, type Snapshots, snapshotName } from './snapshots.js';

export interface EngineNodeOptions {
  nats: ClusterNats;
  snapshots: Snapshots;
  identity: ClusterIdentity;
  /** The data directory has everything up to here. */
  from: LogPlace;
  role: 'engine' | 'all';
  engine: Omit<EngineOptions, 'standby' | 'node' | 'remote'>;
  /** The retention of the log while this node writes, in time and bytes. */
  retentionMs: number;
  logBytesMax: number;
  log: EngineLog;
  /** This node's store or position in the log is unusable: it must start again. */
  onEnd(reason: string): void;
}

const KEEP_PLACE_MS = 1_000;
/** Maximum time for queued work at the end. */
const DRAIN_MS = 3_000;

export class EngineNode implements Node {
  readonly engine: Engine;
  readonly node = nodeName();
  readonly nats: ClusterNats;
  readonly heartbeats: Heartbeats;
  /** Not a source of requests: while it writes, it answers those of others itself. */
  readonly source = null;
  /** Changes of the writer that this node has seen. */
  leaseChanges = 0;
  readonly #options: EngineNodeOptions;
  #remote!: RemoteRequests;
  readonly #shards: Shards;
  readonly #replica: Replica;
  readonly #follower: LogFollower;
  readonly #lease: Lease;
  readonly #writer: WriterRequests;
  #answer: ((request: AnyRequest) => Promise<Uint8Array>) | undefined;
  /** Of a term that began, or begins. */
  #publisher: LogPublisher | undefined;
  #keeper: LogKeeper | undefined;
  #requests: { stop(): void } | undefined;
  #keeping: NodeJS.Timeout | undefined;
  #caughtUp = false;
  /** Its store equals the log, as far as it was read. */
  #fit = true;
  #leading = false;
  /** Beginnings and ends of terms, one after the other. */
  #turn: Promise<void> = Promise.resolve();
  #closed = false;
  #terms: Terms | undefined;

  constructor(options: EngineNodeOptions) {
    this.#options = options;
    const { nats, from, log, role } = options;
    this.nats = nats;
    this.heartbeats = natsHeartbeats(nats, this.node, role);
    this.engine = new Engine({
      ...options.engine,
      standby: true,
      node: this,
      remote: (catalogue) => {
        this.#remote = new RemoteRequests(this, catalogue);
        return this.#remote;
      },
    });
    this.#shards = this.engine.shards!;
    this.#replica = new Replica({
      engine: this.engine,
      from,
      onDiverged: (error) => this.#diverged(error),
    });
    this.#follower = new LogFollower({
      nats,
      after: from.sequence,
      mark: from.mark,
      hasRoom: () => this.#replica.hasRoom,
      onMessage: (frame, sequence) => this.#replica.take(frame, { sequence, mark: this.#follower.at.mark }),
      onTooOld: () => this.#unfit('the log no longer has what this node needs'),
      onTrouble: (error) => log.warn({ err: error }, 'the log cannot be read for now'),
    });
    this.#lease = new Lease({
      state: nats.state,
      node: this.node,
      mayHold: () => this.#caughtUp && this.#fit && !this.#closed && !this.#leading && this.#replica.hasRoom,
      onHeld: (term) => void this.#inTurn(() => this.#begin(term)),
      onLost: () => {
        // Waiting for the log is over.
        this.#publisher?.close();
        void this.#inTurn(() => this.#end());
      },
      onHolder: (holder) => {
        this.leaseChanges++;
        this.#writer.writer = holder;
        this.#remote.connected();
      },
      onTrouble: (error) => log.warn({ err: error }, 'the lease cannot be looked at for now'),
      onUnanswered: () => nats.reconnect(),
    });
    this.#writer = new WriterRequests(nats);
  }

  get leads(): boolean {
    return this.#leading;
  }

  get role(): NodeFacts['role'] {
    return this.#options.role;
  }

  get writer(): string | null {
    return this.#lease.holder;
  }

  get lagMs(): number {
    return this.#leading ? 0 : Math.max(0, Math.round(this.engine.clock.now() - this.#replica.position / 1000));
  }

  get fronts(): number {
    return this.heartbeats.fronts;
  }

  /** The handler of other nodes' requests to the writer. */
  answerWith(answer: (request: AnyRequest) => Promise<Uint8Array>): void {
    this.#answer = answer;
  }

  duringTerms(terms: Terms): void {
    this.#terms = terms;
  }

  /** Follows the log; settles when everything that was in it is shown. Then this node may become the writer. */
  async start(): Promise<void> {
    await this.#follower.start();
    await answered(() => this.#follower.catchUp());
    await this.#replica.settled();
    this.engine.reached(this.engine.table.position);
    this.engine.table.sortChanges();
    this.#caughtUp = true;
    this.#lease.start();
    this.#keeping = setInterval(() => this.#keepPlace(), KEEP_PLACE_MS);
  }

  /** Asks the writer. Rejects with ApiError `unavailable` if that is this node. */
  async request<Kind extends RequestKind>(kind: Kind, body: Requests[Kind]['body']): Promise<Requests[Kind]['answer']> {
    if (this.#lease.holder === this.node) throw noWriter();
    return await this.#writer.ask(kind, body);
  }

  /** Gives up writing, and stops following; the engine is closed by its owner. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#keeping);
    if (!this.#leading) {
      // What would begin a term does not wait for the log, nor to be written into it.
      this.#follower.close();
      this.#publisher?.close();
    }
    await this.#inTurn(() => this.#end());
    await this.#lease.close();
    this.#follower.close();
    await this.#replica.close();
    this.heartbeats.close();
    this.#keepPlace();
    await this.#options.nats.close();
  }

  #diverged(error: Error): void {
    // It is as of its last commit, which this process cannot go on from.
    if (isGivenUp(error)) {
      endWhereGivenUp(error);
      return;
    }
    this.#options.log.error({ err: error }, 'this store is not what the log says: it is filled anew');
    this.#unfit(error.message);
  }

  /** A writer with such a store would write what never was. */
  #unfit(reason: string): void {
    if (!this.#fit) return;
    const { identity, log } = this.#options;
    this.#fit = false;
    try {
      invalidatePlace(this.engine.directory.path, identity.epoch);
    } catch (error) {
      log.error(
        { err: error },
        'that this store must be filled again could not be recorded: it is detected again at the next batch',
      );
    }
    this.#lease.giveUp();
    this.#options.onEnd(reason);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(work).catch((error: unknown) => {
      this.#options.log.error({ err: error }, 'a change of writer failed');
      this.#lease.giveUp();
    });
    return this.#turn;
  }

  async #begin(leaseTerm: number): Promise<void> {
    const { nats, log } = this.#options;
    if (!this.#mayLead(undefined)) return;
    await this.#follower.catchUp();
    if (!this.#mayLead(undefined)) return;
    const { sequence, mark } = this.#follower.at;
    const publisher = new LogPublisher({
      nats,
      term: Math.max(leaseTerm, mark.term + 1),
      last: sequence,
      onTrouble: (error) => log.warn({ err: error }, 'the log cannot be written for now'),
      onDeposed: () => this.#lease.giveUp(),
      onLost: (error) => this.#diverged(error as Error),
    });
    this.#publisher = publisher;
    const begun = await publisher.begin();
    while (this.#follower.at.sequence < begun && this.#mayLead(publisher)) await this.#follower.catchUp();
    if (!this.#mayLead(publisher)) return;
    await this.#replica.settled();
    this.#replica.lead(publisher.term);
    if (!this.#mayLead(publisher)) return;
    this.#shards.lead(Math.max(this.#replica.position, this.engine.table.position), publisher);
    this.#leading = true;
    this.#remote.connected();
    const { connection, names, payloadMax } = nats;
    this.#requests = answerRequests({
      connection,
      subject: `${names.node}.${this.node}`,
      payloadMax,
      answer: (body) => answerBytes(body, this.#answer!),
      onTrouble: (error) => log.warn({ err: error }, 'a request of another node was not answered'),
    });
    this.#keeper = this.#newKeeper();
    log.info({ term: publisher.term, node: this.node }, 'this node writes the log');
    this.engine.control.soon(restateOnce, null);
    this.#terms?.begin();
  }

  /** @param publisher of the term that this node began, if it did */
  #mayLead(publisher: LogPublisher | undefined): boolean {
    return this.#publisher === publisher && this.#lease.holds && this.#fit && !this.#closed;
  }

  async #end(): Promise<void> {
    const publisher = this.#publisher;
    if (publisher === undefined) return;
    this.#publisher = undefined;
    const led = this.#leading;
    this.#leading = false;
    this.#remote.connected();
    this.#requests?.stop();
    const ended = led ? this.#terms?.end() : undefined;
    // Queued work is finished if the log still accepts it; a deposed writer's is refused at once.
    if (this.#lease.holds) await Promise.race([Promise.all([this.#shards.stepDown(), ended]), pause(DRAIN_MS)]);
    publisher.close();
    await this.#shards.stepDown();
    this.#replica.stepDown();
    this.#keeper?.close();
    this.#keeper = undefined;
    if (led) this.#options.log.info({ term: publisher.term, node: this.node }, 'this node no longer writes the log');
  }

  #newKeeper(): LogKeeper {
    const { nats, snapshots, retentionMs, logBytesMax, log, identity } = this.#options;
    const { epoch, shards } = identity;
    return new LogKeeper({
      nats,
      snapshots,
      node: this.node,
      place: () => this.#replica.place,
      head: () => ({ position: this.engine.table.position, epoch, shards }),
      dump: () => dumpDirectory(this.engine.directory, this.engine.delayedStore),
      retentionMs,
      bytesMax: logBytesMax,
      log,
    });
  }

  /** An older position is equally good: what comes after it is read again. */
  #keepPlace(): void {
    if (!this.#fit) return;
    const { identity, log } = this.#options;
    try {
      keepPlace(this.engine.directory.path, identity.epoch, this.#replica.place);
    } catch (error) {
      log.warn({ err: error }, 'its place in the log could not be kept for now');
    }
  }
}

// The writer's maintenance of the log: takes a snapshot at intervals, and drops what no reader needs: what is past the
// retention, but never what comes after the newest snapshot or after one that is being loaded.

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
