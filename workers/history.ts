// The thread of history: follows the shards' logs between questions, and writes what it has read every five seconds.
import { parentPort, workerData } from 'node:worker_threads';
import { monotonicMs } from '../src/base/model/clock.js';
import type { ResultRecord } from '../src/base/model/result.js';
import { endWhereGivenUp, isGivenUp } from '../src/base/model/storage-error.js';
import { Catalogue } from '../src/rules/catalogue/catalogue.js';
import { MarketTypes } from '../src/rules/markets/market-types.js';
import { answerBets, answerClv, answerPredicted, answerPredictions, type Judges } from '../src/store/clv/answers.js';
import { closedEvent } from '../src/store/clv/closing-day.js';
import { Grader } from '../src/store/clv/grader.js';
import { Predictions } from '../src/store/clv/prediction.js';
import type { HistoryKind, HistoryQuestions } from '../src/store/clv/queries.js';
import { Settler } from '../src/store/clv/settler.js';
import { EventLogFile } from '../src/store/event-log-store.js';
import { readEventStates } from '../src/store/event-states.js';
import { readResult } from '../src/store/extras-store.js';
import {
  answerGames,
  answerHistory,
  closingLines,
  linesAnswer,
  openingFields,
  openingLines,
} from '../src/store/history/answers.js';
import { EventLog } from '../src/store/history/event-log.js';
import { recordedRows, rowsDescribed } from '../src/store/history/recorded-row.js';
import { Recorder } from '../src/store/history/recorder.js';
import { retain } from '../src/store/history/retention.js';
import { HistoryLog } from '../src/store/history-log.js';
import { HistoryFile } from '../src/store/history-store.js';
import { openShardEnv, readMeta } from '../src/store/shard-env.js';
import { RecordedPositions } from '../src/store/shared-memory.js';
import { WriteBehind } from '../src/store/write-behind.js';
import {
  type HistoryNote,
  type HistoryTask,
  type HistoryThreadData,
  type Serve,
  serveTasks,
} from '../src/writer/pool/protocol.js';

const READ_EVERY_MS = 100;
/** Most events change within seconds: to write more often costs more each second. */
const WRITE_EVERY_MS = 5_000;
/** Of reading, at once: questions wait meanwhile. */
const PIECE_MS = 2;
/** An answer that would have to wait longer for the log to be read tells what is known. */
const CATCH_UP_MS = 2_000;
const COMPLAIN_EVERY_MS = 60_000;
const RETAIN_EVERY_MS = 60_000;
/** Of the bytes that history may take. */
const EVENT_LOG_SHARE = 0.5;

// Piscina hands its own option through as the first element where it adds data of its own.
const data = (Array.isArray(workerData) ? workerData.at(-1) : workerData) as HistoryThreadData;
const envs = Array.from({ length: data.shards }, (_, shard) => openShardEnv(data.dataDir, shard, data.durability));
/** One for both files: what history has written is not read again, so the log of events is committed before it. */
const commits = new WriteBehind();
const file = new HistoryFile(data.dataDir, false, commits);
const recorder = new Recorder(file);
const eventLogFile = new EventLogFile(data.dataDir, commits);
const events = new EventLog(eventLogFile, data.epoch, data.shards);
const log = new HistoryLog({
  envs,
  recorder,
  epoch: data.epoch,
  createdPosition: data.createdPosition,
  alsoTake: (delta) => events.take(delta),
  alsoFlush: () => events.flush(),
  isWriting: () => commits.isWriting,
  onGap: (shard, fromUs, toUs) => {
    restateEvents(shard);
    note({
      level: 'warn',
      fields: { shard, fromUs, toUs },
      message: 'what history could not read of the log is a gap',
    });
  },
  onReadError: (shard, position, error) => {
    // They hold events by numbers that may be given anew.
    judges = undefined;
    complain(error, { shard, position }, 'history could not take in what was committed; it reads it again');
  },
});
const recorded = new RecordedPositions(data.recorded);
for (const [shard, position] of recorder.cursors.entries()) if (events.cursor(shard) < position) restateEvents(shard);
log.begin();
showRecorded();

const types = new MarketTypes(data.catalogue.marketTypes);
const exchanges = new Set(data.catalogue.books.filter((book) => book.isExchange).map(({ id }) => id));
const isExchange = (book: string): boolean => exchanges.has(book);

/** Read last by the present task: bets of one game are graded one after the other. */
let lastResult: { eventId: string; record: ResultRecord | undefined } | undefined;

/** Made when it is first needed: most servers are asked for prices alone. */
let judges: (Judges & { catalogue: Catalogue }) | undefined;

function judge(): Judges & { catalogue: Catalogue } {
  if (judges === undefined) {
    const catalogue = new Catalogue(data.catalogue);
    judges = {
      catalogue,
      predictions: new Predictions(recorder, file),
      grader: new Grader(recorder, catalogue),
      settler: new Settler(recorder, catalogue, { resultOf }, data.resultSources),
    };
  }
  return judges;
}

let writtenMs = monotonicMs();
/** Once everything is read: a server that never runs for a minute forgets, too. */
let retainedMs = monotonicMs() - RETAIN_EVERY_MS;
let complainedMs = Number.NEGATIVE_INFINITY;
let closed = false;
/** Everything that was committed before the present task has been read. */
let upToDate = false;
let timer: NodeJS.Timeout | undefined;
schedule(0);

function resultOf(eventId: string): ResultRecord | undefined {
  if (lastResult?.eventId !== eventId) lastResult = { eventId, record: readResultOf(eventId) };
  return lastResult.record;
}

function readResultOf(eventId: string): ResultRecord | undefined {
  for (const env of envs) {
    const record = readResult(env, eventId);
    if (record !== undefined && record.revision > 0) return record;
  }
  // The shards keep results for a while, history as long as the game.
  return recorder.resultOf(eventId);
}

/** The log of each event begins anew with the shard's table as it is. */
function restateEvents(shard: number): void {
  const env = envs[shard]!;
  env.root.resetReadTxn();
  events.restate(shard, readMeta(env).position, (add) => readEventStates(env, add));
}

function note(message: HistoryNote): void {
  parentPort?.postMessage(message);
}

function schedule(afterMs: number): void {
  timer = setTimeout(turn, afterMs);
}

/** A piece of what is to be done; the next follows at once where there is more. */
function turn(): void {
  if (closed) return;
  let all = true;
  trying(() => {
    if (monotonicMs() - writtenMs < WRITE_EVERY_MS) all = log.read(PIECE_MS);
    else {
      all = commits.isWriting || (events.pack(PIECE_MS) && recorder.pack(PIECE_MS));
      if (all) writeBehind();
    }
  });
  schedule(all || commits.isWriting ? READ_EVERY_MS : 0);
}

function trying(run: () => void): void {
  try {
    run();
  } catch (error) {
    // Only a process that opens the stores anew can write again.
    if (isGivenUp(error)) throw error;
    complain(error, {}, 'history could not be written; it will be tried again');
  }
}

/** Questions are answered while it is written. What failed is tried again before more is written. */
function writeBehind(): void {
  writtenMs = monotonicMs();
  try {
    if (!commits.isWriting) flush(true);
  } finally {
    void commits.ended().then(written, (error: unknown) =>
      trying(() => {
        throw error;
      }),
    );
  }
}

function written(): void {
  if (closed) return;
  showRecorded();
  // After a write, as it writes itself: what is not prepared is written at once, for which questions would wait.
  if (monotonicMs() - retainedMs >= RETAIN_EVERY_MS) trying(retainNow);
}

function write(): void {
  flush(false);
  showRecorded();
}

function flush(behind: boolean): void {
  events.flush(behind);
  recorder.flush(behind);
}

/** What is written need not stay in the logs. */
function showRecorded(): void {
  for (const [shard, position] of (file.state()?.cursors ?? []).entries()) recorded.set(shard, position);
}

/** Time is that of the newest change: a directory in which nothing happens keeps what it has. */
function retainNow(): void {
  retainedMs = monotonicMs();
  const limits = { days: data.days, bytesMax: data.bytesMax };
  const nowUs = Math.max(0, ...recorder.cursors);
  events.retain(data.days, data.bytesMax * EVENT_LOG_SHARE, nowUs);
  if (retain(recorder, file, limits, nowUs) > 0) write();
}

/** A full disk is no reason to end; that nothing is kept is said, now and then. */
function complain(error: unknown, of: object, message: string): void {
  const nowMs = monotonicMs();
  if (nowMs - complainedMs < COMPLAIN_EVERY_MS) return;
  complainedMs = nowMs;
  note({ level: 'error', fields: { ...of, error: (error as Error).message }, message });
}

/** Judges that see every result: the log may end with what this thread's view of the stores does not show yet. */
function judgeNow(): ReturnType<typeof judge> {
  for (const env of envs) env.root.resetReadTxn();
  return judge();
}

const ANSWERS: { [Kind in HistoryKind]: (question: HistoryQuestions[Kind][0]) => HistoryQuestions[Kind][1] } = {
  history: (question) =>
    question.everyGame
      ? answerGames(recorder, question, types, upToDate ? Number.POSITIVE_INFINITY : Math.min(...recorder.cursors))
      : (answerHistory(recorder, question, types) ?? null),
  lines: ({ kind, event: id, books, nowUs }) => {
    const event = recorder.find(id);
    if (event === undefined) return null;
    return linesAnswer(
      event,
      kind === 'opening' ? openingLines(event) : closingLines(recorder, event, nowUs, isExchange),
      books,
    );
  },
  day: (question) => events.starting(question),
  closed: (question) =>
    closedEvent(recorder, question, {
      types,
      isExchange,
      commissionOf: (book) => judge().catalogue.commissionOf(book),
    }),
  openings: (rows) =>
    rows.flatMap((id) => {
      const row = recorder.findByRow(id)?.byId.get(id);
      return row === undefined ? [] : [[id, openingFields(row.opening)] as const];
    }),
  rows: (rows) => recordedRows(recorder, rows),
  past: (question) => events.at(question),
  clv: (question) => answerClv(judgeNow(), question),
  predicted: (question) => answerPredicted(judge().predictions, question, types),
  predictions: (question) => answerPredictions(judgeNow(), question),
  settle: ({ bets, nowMs }) => {
    const { settler } = judgeNow();
    return bets.map((bet) => settler.settleBet(bet, nowMs));
  },
  grade: (question) => answerBets(judge().grader, question),
  described: (bets) => rowsDescribed(recorder, judge().catalogue, bets),
};

export default function serve(served: Serve): Promise<void> {
  return serveTasks(served, run);
}

async function run(task: HistoryTask): Promise<unknown> {
  // Every answer shows what was committed before it was asked for.
  upToDate = log.read(CATCH_UP_MS);
  if (!upToDate && commits.isWriting) {
    await commits.ended().catch(endWhereGivenUp);
    upToDate = log.read(CATCH_UP_MS);
  }
  lastResult = undefined;
  if (task.kind === 'predict') return judge().predictions.add(task.predictions);
  if (task.kind !== 'close') return ANSWERS[task.kind](task.question as never);
  closed = true;
  clearTimeout(timer);
  await commits.ended();
  log.read();
  write();
  log.close();
  await eventLogFile.close();
  await file.close();
  for (const env of envs) await env.root.close();
  return null;
}
