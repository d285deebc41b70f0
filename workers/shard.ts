// A shard's thread: opens its store, hands batches to the pure shard, answers with MessagePack.
import { workerData } from 'node:worker_threads';
import type { ShardTimes } from '../src/base/diagnostics/diagnostic-channels.js';
import { monotonicMs } from '../src/base/model/clock.js';
import type { BatchReceipt } from '../src/base/model/normal-message.js';
import { StorageFull } from '../src/base/model/storage-error.js';
import { encodeOwn, encodePairInto } from '../src/base/wire/codec.js';
import { Moves } from '../src/detection/moves/moves.js';
import { RunningEvaluations } from '../src/detection/question.js';
import { Catalogue } from '../src/rules/catalogue/catalogue.js';
import { openShardEnv } from '../src/store/shard-env.js';
import { CommitGuard, RecordedPositions } from '../src/store/shared-memory.js';
import {
  decodeBatch,
  type RunAnswer,
  type RunTask,
  type Serve,
  type ShardAnswer,
  type ShardTask,
  type ShardThreadData,
  serveTasks,
  type UniverseTask,
} from '../src/writer/pool/protocol.js';
import { decodeRun, playRun, type RunResult } from '../src/writer/pool/recorded-run.js';
import { ShardWriter } from '../src/writer/pool/shard-writer.js';
import { Shard } from '../src/writer/shard/shard.js';

// Piscina hands its own option through as the first element where it adds data of its own.
const data = (Array.isArray(workerData) ? workerData.at(-1) : workerData) as ShardThreadData;
const catalogue = new Catalogue(data.catalogue);
const guard = new CommitGuard(data.guard);
const env = guard.run(() => openShardEnv(data.dataDir, data.shard, data.durability));
const store = new ShardWriter(env, catalogue, data.retention, guard);
const recorded = data.retention.recorded && new RecordedPositions(data.retention.recorded);
let shard: Shard;
const evaluations = new RunningEvaluations((question) => shard.evaluation(question));

type ApplyTask = Extract<ShardTask, { kind: 'apply' }>;

const NOTHING = new Uint8Array(0);

/** Version of the universes watched beyond those of the start, and since when each is. */
let universes = 0;
let watched = new Map<string, number>();

function watch({ version, specs }: UniverseTask): void {
  const wanted = new Map(specs.map(({ spec, since }) => [spec.key, since]));
  for (const [key, since] of watched) if (wanted.get(key) !== since) shard.dropUniverse(key);
  for (const { spec, since } of specs) if (watched.get(spec.key) !== since) shard.registerUniverse(spec);
  watched = wanted;
  universes = version;
}

export default function serve(served: Serve): Promise<void> {
  // Not before: a server listens once its threads have begun, while they read their stores.
  shard = new Shard(data.shard, catalogue, store, undefined, new Moves(), { idSecret: data.idSecret });
  return serveTasks(served, run);
}

async function run(task: ShardTask): Promise<unknown> {
  if (task.kind === 'close') {
    await store.flushed();
    await store.close();
    return null;
  }
  if (task.kind === 'evaluate') return encodeOwn(evaluations.step(task.id, task.question));
  if (task.kind === 'abandon') {
    evaluations.abandon(task.id);
    return null;
  }
  if (task.kind === 'commit') return committed(task.position);
  if (task.kind === 'undo') {
    shard.undoHeld();
    return null;
  }
  if (task.universes !== null) watch(task.universes);
  store.readTo = task.readTo;
  if (recorded !== undefined) store.recordedTo = recorded.of(data.shard);
  if (task.kind === 'run') return runOf(task);
  return task.kind === 'fold' ? folded(task) : applied(task);
}

async function committed(position: number): Promise<number | null> {
  if (!shard.commitHeld(position)) return null;
  if (data.durability === 'flush') await store.flushed();
  return monotonicMs();
}

async function folded({ delta, memory }: Extract<ShardTask, { kind: 'fold' }>): Promise<Uint8Array> {
  let failure: string | null = null;
  try {
    shard.fold(delta);
    if (data.durability === 'flush') await store.flushed();
  } catch (error) {
    if (!(error instanceof StorageFull)) throw error;
    failure = error.message;
  }
  return encodePairInto(memory, null, answerOf(failure));
}

function answerOf(failure: string | null, receipts: BatchReceipt[] = [], times?: ShardTimes): ShardAnswer {
  const { boundedMarkets, joining, nextDeadlineMs } = shard;
  const answer: ShardAnswer = { receipts, universes, boundedMarkets, joining, nextDeadlineMs, failure };
  if (times !== undefined) answer.times = times;
  return answer;
}

async function applied({ batch, position, hold, memory }: ApplyTask): Promise<Uint8Array> {
  let answer: ShardAnswer;
  let encoded: Uint8Array | null = null;
  try {
    const times: ShardTimes = { begun: monotonicMs(), applied: 0, detected: 0, committed: 0 };
    shard.onStage = (stage) => {
      times[stage] = monotonicMs();
    };
    const { messages, nowMs, newMax } = decodeBatch(batch);
    const { delta, receipts } = shard.apply(messages, position, nowMs ?? position / 1000, { newMax, hold });
    if (data.durability === 'flush' && !hold) await store.flushed();
    answer = answerOf(null, receipts, times);
    encoded = delta;
  } catch (error) {
    if (!(error instanceof StorageFull)) throw error;
    answer = answerOf(error.message);
  }
  return encodePairInto(memory, encoded, answer);
}

/** All of it in one transaction; where that has no room, in many, which make some. */
async function runOf({ input, memory }: RunTask): Promise<Uint8Array> {
  const run = decodeRun(input);
  let result: RunResult;
  let failure: string | null = null;
  try {
    try {
      result = store.together(() => playRun(shard, data.shard, run));
    } catch (error) {
      shard.reload();
      if (!(error instanceof StorageFull)) throw error;
      result = playRun(shard, data.shard, run);
    }
    if (data.durability === 'flush') await store.flushed();
  } catch (error) {
    if (!(error instanceof StorageFull)) throw error;
    failure = error.message;
    const { lastMs, lastDeadlineMs, position } = run;
    result = { lastMs, lastDeadlineMs, position, steps: [], deltas: NOTHING };
  }
  const { deltas, ...rest } = result;
  const answer: RunAnswer = { ...rest, universes, nextDeadlineMs: shard.nextDeadlineMs, failure };
  return encodePairInto(memory, deltas, answer);
}
