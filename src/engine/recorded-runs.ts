// Plays a recording ahead of what is shown: while one stretch of it is shown, batch by batch and each at its time, the
// shards work on the next. The clock is exact to every reader; only the shards' stores are ahead.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { diagnosticChannels } from '../base/diagnostics/diagnostic-channels.js';
import { monotonicMs } from '../base/model/clock.js';
import { ApiError } from '../base/model/errors.js';
import { LIMITS } from '../base/model/limits.js';
import type { NormalMessage } from '../base/model/normal-message.js';
import { type NormaliseContext, normaliseAll } from '../intake/ingest/normalise.js';
import type { UnmatchedNotes } from '../intake/ingest/unknown-names.js';
import type { AppliedRun, LogBatch } from '../writer/pool/protocol.js';
import { positionBeyond, type RecordedTimes, type RunStep } from '../writer/pool/recorded-run.js';
import { cutByShard, type PositionSequencer, weightOf } from '../writer/pool/shard-queues.js';
import type { ShardThread } from '../writer/pool/shard-thread.js';

export interface RecordedRunsOptions {
  threads: readonly ShardThread[];
  positions: PositionSequencer;
  context: NormaliseContext;
  notes: UnmatchedNotes;
  /** As of the ShardQueues. */
  deliver(batch: LogBatch): void;
  reached(position: number): void;
  missed(shard: number, upTo: number): LogBatch[];
  onThreadLost(shard: number, error: unknown): void;
  /** Source of the messages on diagnostics channels. */
  source: object;
}

/** What a run needs of the recording's player. */
export interface RunPlayer {
  times: RecordedTimes;
  /** The clock is to stand at a batch's time (Unix ms), once all that is due before has been done. */
  reach(atMs: number): Promise<void> | void;
  /** A batch is shown; settles when the next one may be. */
  shown(): Promise<void>;
}

interface Gathered {
  atMs: number;
  messages: NormalMessage[];
  raw: readonly unknown[];
}

interface Run {
  instants: readonly Gathered[];
  /** Its positions, as long as they are outstanding. */
  reserved: number;
  answers: AppliedRun[];
  /** monotonicMs. */
  sentMs: number;
  returnedMs: number;
}

/** A stretch is sent when it has so many quotes, or instants. */
const RUN_QUOTES = LIMITS.runQuotes.max;
const RUN_INSTANTS = LIMITS.runInstants.max;
/** Requests wait for no more than this while a stretch is shown. */
const TURN_MS = 4;
const RETRIES_AFTER_CRASH = 1;

export class RecordedRuns {
  readonly #options: RecordedRunsOptions;
  readonly #player: RunPlayer;
  #gathered: Gathered[] = [];
  #quotes = 0;
  /** Settles with the answers to the last run. */
  #answered: Promise<unknown> = Promise.resolve();
  /** Settles when the last run is shown, and the one before it. */
  #shown: Promise<void> = Promise.resolve();
  #shownBefore: Promise<void> = Promise.resolve();

  constructor(options: RecordedRunsOptions, player: RunPlayer) {
    this.#options = options;
    this.#player = player;
  }

  /** Takes the messages of an instant; settles when there is room for more. Rejects as ingest. */
  async add(atMs: number, raw: readonly unknown[]): Promise<void> {
    const { context, notes, source } = this.#options;
    // An event may be one that is not shown yet.
    if (raw.some((message) => this.#refersBack(message))) await this.shown();
    const startedMs = monotonicMs();
    const { messages, rejected, unknown } = normaliseAll(
      raw,
      { ...context, account: null, clock: { now: () => atMs } },
      false,
    );
    const { ingestRead } = diagnosticChannels;
    if (ingestRead.hasSubscribers)
      ingestRead.publish({ source, messages: raw.length, ms: monotonicMs() - startedMs, unknown: unknown.counts });
    if (rejected.length > 0) notes.refused(raw, rejected);
    this.#gathered.push({ atMs, messages, raw });
    for (const message of messages) this.#quotes += weightOf(message);
    if (this.#quotes >= RUN_QUOTES || this.#gathered.length >= RUN_INSTANTS) await this.#send();
  }

  /** Settles when everything taken is shown. Rejects as ingest. */
  async shown(): Promise<void> {
    await this.#send();
    await this.#shown;
  }

  #refersBack(message: unknown): boolean {
    const { leagueOfEvent } = this.#options.context;
    const { events = [] } = (message ?? {}) as { events?: unknown };
    return (
      Array.isArray(events) &&
      events.some((event) => {
        const id = (event as { event_id?: unknown } | null)?.event_id;
        return typeof id === 'string' && leagueOfEvent(id) === undefined;
      })
    );
  }

  async #send(): Promise<void> {
    // Times and positions follow those of the run before.
    await Promise.all([this.#answered, this.#shownBefore]);
    const instants = this.#gathered;
    if (instants.length === 0) return;
    this.#gathered = [];
    this.#quotes = 0;
    const answered = this.#begin(instants);
    const shown = this.#show(answered, this.#shown);
    // Whoever waits for them is told.
    answered.catch(() => undefined);
    shown.catch(() => undefined);
    this.#answered = answered;
    this.#shownBefore = this.#shown;
    this.#shown = shown;
  }

  async #begin(instants: readonly Gathered[]): Promise<Run> {
    const { threads, positions } = this.#options;
    const { times } = this.#player;
    const untilMs = Math.max(times.lastMs, instants.at(-1)!.atMs);
    const { last } = positions;
    const reserved = positions.reserve(Math.max(last, positionBeyond(times, untilMs, instants.length)));
    const parts = this.#cut(instants);
    const sentMs = monotonicMs();
    const settled = await Promise.allSettled(
      threads.map((thread, shard) => this.#answer(thread, parts[shard]!, untilMs, last, reserved)),
    );
    const failed = settled.find((each) => each.status === 'rejected');
    if (failed !== undefined) {
      positions.finish(reserved, () => this.#showCommitted(reserved));
      throw failed.reason;
    }
    const answers = settled.map((each) => (each as PromiseFulfilledResult<AppliedRun>).value);
    for (const answer of answers) times.reached(answer);
    const used = positions.giveBack(reserved, Math.max(...answers.map(({ position }) => position)));
    return { instants, reserved: used, answers, sentMs, returnedMs: monotonicMs() };
  }

  /** Of a run that failed in one of the shards: what follows is read on top of what the others have. */
  #showCommitted(reserved: number): void {
    const { threads, missed, deliver, reached } = this.#options;
    const batches = threads.flatMap(({ shard }) => missed(shard, reserved));
    for (const batch of batches.sort((a, b) => a.position - b.position)) deliver(batch);
    reached(reserved);
  }

  #cut(instants: readonly Gathered[]): { atMs: number; messages: NormalMessage[] }[][] {
    const parts = this.#options.threads.map(() =>
      instants.map(({ atMs }) => ({ atMs, messages: [] as NormalMessage[] })),
    );
    for (const [i, { messages }] of instants.entries())
      for (const message of messages)
        for (const [shard, part] of cutByShard(message, parts.length)) parts[shard]![i]!.messages.push(part);
    return parts;
  }

  async #answer(
    thread: ShardThread,
    instants: readonly { atMs: number; messages: NormalMessage[] }[],
    untilMs: number,
    position: number,
    reserved: number,
  ): Promise<AppliedRun> {
    const { threads, missed, onThreadLost } = this.#options;
    const { lastMs, lastDeadlineMs } = this.#player.times;
    for (let tries = 0; ; tries++) {
      const { shard, nextDeadlineMs } = thread;
      try {
        const times = { lastMs, lastDeadlineMs, nextDeadlineMs, position };
        const answer = await thread.play({ ...times, instants, untilMs, shards: threads.length });
        if (answer.failure === null) return answer;
        answer.release();
        throw new ApiError('storage_full', `nothing was taken: ${answer.failure}`, { retryAfter: 5 });
      } catch (error) {
        if (error instanceof ApiError) throw error;
        onThreadLost(shard, error);
        if (tries >= RETRIES_AFTER_CRASH) throw error;
        const batches = missed(shard, reserved);
        if (batches.length > 0) return committed(batches, untilMs, nextDeadlineMs);
      }
    }
  }

  async #show(answered: Promise<Run>, before: Promise<void>): Promise<void> {
    const { positions, deliver, reached, notes } = this.#options;
    const run = await answered;
    const { instants, reserved, answers } = run;
    await before;
    // What began before it is released first.
    while (!positions.isNext(reserved)) await nextTurn();
    let turnMs = monotonicMs();
    for (const { step, delta } of stepsOf(answers)) {
      await this.#player.reach(step.atMs);
      if (delta !== null) deliver({ position: step.position, delta });
      reached(step.position);
      const rejected = step.receipts.flatMap((receipt) => receipt.rejected);
      for (const { joined = [] } of step.receipts) notes.joined(joined);
      if (rejected.length > 0) notes.refused(instants[step.instant]!.raw, rejected);
      // The streams are sent it at its time.
      await this.#player.shown();
      if (monotonicMs() - turnMs < TURN_MS) continue;
      await nextTurn();
      turnMs = monotonicMs();
    }
    this.#publish(run);
    for (const answer of answers) answer.release();
    positions.finish(reserved, () => {});
  }

  #publish({ answers, sentMs, returnedMs }: Run): void {
    if (!diagnosticChannels.shardBatch.hasSubscribers) return;
    const { source } = this.#options;
    for (const [shard, { steps, deltas }] of answers.entries()) {
      const receipts = steps.flatMap((step) => step.receipts);
      const quotes = receipts.reduce((total, { accepted }) => total + accepted, 0);
      const times = { startedMs: sentMs, sentMs, returnedMs, endedMs: monotonicMs(), queuedMs: [], times: undefined };
      const counts = { messages: receipts.length, quotes, changed: deltas.length > 0, boundedMarkets: 0 };
      diagnosticChannels.shardBatch.publish({ source, shard, ...counts, ...times });
    }
  }
}

/** Those of all shards, in the order of their positions. */
function stepsOf(answers: readonly AppliedRun[]): { step: RunStep; delta: Uint8Array | null }[] {
  const all = answers.flatMap(({ steps, deltas }) => {
    let from = 0;
    return steps.map((step) => {
      const delta = step.bytes === 0 ? null : deltas.subarray(from, from + step.bytes);
      from += step.bytes;
      return { step, delta };
    });
  });
  return answers.length === 1 ? all : all.sort((a, b) => a.step.position - b.step.position);
}

/** The answer of a thread that died after its commit. */
function committed(batches: readonly LogBatch[], untilMs: number, nextDeadlineMs: number): AppliedRun {
  const { position } = batches.at(-1)!;
  return {
    lastMs: Math.max(untilMs, position / 1000),
    lastDeadlineMs: Number.NEGATIVE_INFINITY,
    position,
    steps: batches.map((batch) => ({
      atMs: batch.position / 1000,
      position: batch.position,
      bytes: batch.delta.length,
      instant: -1,
      receipts: [],
    })),
    deltas: Buffer.concat(batches.map(({ delta }) => delta)),
    universes: 0,
    nextDeadlineMs,
    failure: null,
    release: () => undefined,
  };
}
