// `overround replay FILE --url URL --key K`: posts a recording to a running server, in order, one request at a time; and
// `overround results FILE`, which posts what became of games.

import cliProgress from 'cli-progress';
import { DAY_MS, formatMs } from '../base/model/time.js';
import type { FeedLog } from '../intake/feeds/feed.js';
import { CUT_SHORT } from '../intake/feeds/files/sources.js';
import { type BadLine, noRecording, readRecording } from '../intake/feeds/replay/recording.js';
import { pacer, TimeShift, type Timestamps } from '../intake/feeds/replay/replay-feed.js';
import { noResults, readResultFile } from '../intake/feeds/replay/result-file.js';
import type { LeagueLookup } from '../intake/feeds/the-odds-api/payload.js';
import { wait as timerWait, wait } from '../intake/feeds/wait.js';
import { IngestClient, type IngestClientOptions, ingestBatch, type SentTotals, sentNothing } from './ingest-client.js';
import { CommandError } from './keys.js';
import { recordingSize } from './recording-file.js';

export interface ReplayToServerOptions
  extends Pick<IngestClientOptions, 'url' | 'key' | 'clock' | 'log'>,
    Partial<Pick<IngestClientOptions, 'signal' | 'wait'>> {
  file: string;
  /** Recorded seconds per second; 0 (the default) for as fast as the server accepts them. */
  speed?: number;
  /**
   * `shift` moves recorded times to now, `recorded` takes them as they are, however long ago. By default as they are,
   * unless they are older than what a server keeps.
   */
  timestamps?: Timestamps;
  leagues: LeagueLookup;
  /** Called after every answered request. */
  onProgress?: (totals: ReplayTotals) => void;
  /** Where a progress bar is drawn if it is a terminal (standard error); else a line every 5 s goes to the log. */
  terminal?: NodeJS.WriteStream | undefined;
}

export interface ReplayTotals extends SentTotals {
  polls: number;
  /** Lines of the file that are neither a message nor a poll. */
  badLines: number;
  /** Parts of polls that were omitted. */
  skipped: number;
  bytesRead: number;
  fileBytes: number;
}

const PROGRESS_LINE_MS = 5_000;
/** As long as a server keeps history, by default. */
const KEPT_DAYS = 7;

/**
 * Posts the recording. Resolves with the totals, also if the signal ended it early. Rejects with an Error with a
 * one-line message if the file cannot be read or ends early, the key or address is refused, or the server is unreachable through
 * every retry.
 */
export async function replayToServer(options: ReplayToServerOptions): Promise<ReplayTotals> {
  const { file, url, key, speed = 0, clock, log } = options;
  const { signal = new AbortController().signal, wait = timerWait } = options;
  if (!(speed >= 0 && Number.isFinite(speed))) throw new Error('speed is not a number of at least 0');
  const size = recordingSize(file);
  const totals: ReplayTotals = {
    ...{ polls: 0, ...sentNothing() },
    ...{ badLines: 0, skipped: 0, bytesRead: 0, fileBytes: size },
  };
  const client = new IngestClient({ url, key, clock, log, signal, wait, random: () => 0.5 });
  const shift = options.timestamps === 'shift' ? new TimeShift() : undefined;
  const paced = pacer(clock, speed);
  const progress = showProgress(options, totals);
  const batch = ingestBatch(client, totals, log, () => {
    progress.update();
    options.onProgress?.(totals);
  });
  let firstBad: BadLine | undefined;
  const cut: string[] = [];
  const recording = readRecording(file, {
    leagues: options.leagues,
    onBadLine: (bad) => {
      totals.badLines++;
      firstBad ??= bad;
    },
    onCutShort: (name) => void cut.push(name),
    onSkipped: (_line, skipped) => {
      totals.skipped += skipped.length;
    },
    onRead: (bytes) => {
      totals.bytesRead = bytes;
    },
  });
  try {
    for await (const poll of recording) {
      if (totals.polls === 0 && options.timestamps === undefined) warnOfPast(file, poll.atMs, clock.now(), log);
      const delayMs = paced(poll.atMs);
      if (delayMs > 0) await batch.send();
      if (signal.aborted || !(await wait(delayMs, signal))) break;
      totals.polls++;
      const messages = shift === undefined ? poll.messages : shift.shift(poll, clock.now());
      for (const message of messages) await batch.add(message);
    }
    if (!signal.aborted) await batch.send();
  } finally {
    progress.end();
  }
  if (totals.polls === 0 && !signal.aborted) throw new CommandError(noRecording(file, totals.badLines, firstBad));
  if (firstBad !== undefined) log.warn({ ...firstBad }, 'a line of the recording cannot be read');
  const { fileBytes: _size, ...shown } = totals;
  log.info({ ...shown, stopped: signal.aborted }, signal.aborted ? 'replay stopped' : 'replay done');
  if (totals.accepted === 0 && totals.rejected > 0)
    throw new CommandError(`the server refused all of ${file}: the first warning says why`);
  if (cut[0] !== undefined) throw new CommandError(`${cut[0]} ${CUT_SHORT}. ${totals.sent} messages of it were sent`);
  return totals;
}

/** A server takes what is pushed as of now: prices of long ago become the history of today. */
function warnOfPast(file: string, atMs: number, nowMs: number, log: FeedLog): void {
  if (atMs >= nowMs - KEPT_DAYS * DAY_MS) return;
  const hint = '--timestamps shift moves its times to now, `overround serve --replay` serves it on its own clock';
  log.warn({ file, begins: formatMs(atMs), hint }, 'the server keeps a recording of long ago as what happened now');
}

interface Progress {
  update(): void;
  end(): void;
}

function showProgress({ terminal, clock, log }: ReplayToServerOptions, totals: ReplayTotals): Progress {
  if (terminal?.isTTY === true) {
    const format = '{bar} {percentage}% | {sent} messages, {changed} changed, {rejected} rejected';
    const bar = new cliProgress.SingleBar({ format, stream: terminal, hideCursor: true, etaBuffer: 50 });
    bar.start(totals.fileBytes, 0, { ...totals });
    const update = (): void => bar.update(totals.bytesRead, { ...totals });
    return {
      update,
      end: () => {
        update();
        bar.stop();
      },
    };
  }
  let loggedMs = clock.now();
  return {
    update: () => {
      if (clock.now() - loggedMs < PROGRESS_LINE_MS) return;
      loggedMs = clock.now();
      const percent = totals.fileBytes === 0 ? 100 : Math.floor((100 * totals.bytesRead) / totals.fileBytes);
      log.info({ percent, sent: totals.sent, changed: totals.changed, rejected: totals.rejected }, 'replaying');
    },
    end: () => undefined,
  };
}

type ResultsToServer = Omit<IngestClientOptions, 'wait' | 'random'> & { file: string };

/** Rejects with CommandError if the file cannot be read, has no result or ends early, or nothing of it is accepted, or if the server cannot be reached. */
export async function resultsToServer({ file, ...options }: ResultsToServer): Promise<void> {
  const { log, signal } = options;
  recordingSize(file);
  const client = new IngestClient({ ...options, wait, random: Math.random });
  const totals = { ...sentNothing(), badLines: 0 };
  const batch = ingestBatch(client, totals, log);
  let firstBad: BadLine | undefined;
  const bad = (line: number, reason: string): void => {
    totals.badLines++;
    firstBad ??= { line, reason };
  };
  const cut: string[] = [];
  for await (const { message } of readResultFile(file, bad, (name) => void cut.push(name))) {
    if (signal.aborted) break;
    await batch.add(message);
  }
  await batch.send();
  if (totals.sent === 0 && !signal.aborted) throw new CommandError(noResults(file, firstBad));
  if (firstBad !== undefined) log.warn({ ...firstBad }, 'a line of the file cannot be read');
  log.info(totals, 'results sent');
  if (totals.accepted === 0 && !signal.aborted)
    throw new CommandError(`the server accepted nothing of ${file}: its reasons are above`);
  if (cut[0] !== undefined) throw new CommandError(`${cut[0]} ${CUT_SHORT}. ${totals.sent} messages of it were sent`);
}
