// `overround results FILE --url URL --key K`: posts what became of games to a running server.

import type { Clock } from '../base/model/clock.js';
import type { FeedLog } from '../intake/feeds/feed.js';
import { CUT_SHORT } from '../intake/feeds/files/sources.js';
import { readResultFile } from '../intake/feeds/replay/result-file.js';
import { wait } from '../intake/feeds/wait.js';
import { IngestBatch, IngestClient, sentNothing } from './ingest-client.js';
import { CommandError } from './keys.js';
import { recordingSize } from './recording-file.js';

export interface ResultsToServer {
  file: string;
  url: string;
  /** A key with the `ingest` scope. */
  key: string;
  clock: Clock;
  log: FeedLog;
  signal: AbortSignal;
}

/** Rejects with CommandError if the file cannot be read, has no result or ends early, or nothing of it is accepted, or if the server cannot be reached. */
export async function resultsToServer({ file, ...options }: ResultsToServer): Promise<void> {
  const { log, signal } = options;
  recordingSize(file);
  const client = new IngestClient({ ...options, wait, random: Math.random });
  const totals = { ...sentNothing(), badLines: 0 };
  const batch = new IngestBatch(client, totals, log);
  let firstBad: { line: number; reason: string } | undefined;
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
  if (totals.sent === 0 && !signal.aborted) {
    const why = firstBad === undefined ? 'none is in it' : `line ${firstBad.line}: ${firstBad.reason}`;
    throw new CommandError(`${file} has no results (${why})`);
  }
  if (firstBad !== undefined) log.warn({ ...firstBad }, 'a line of the file cannot be read');
  log.info(totals, 'results sent');
  if (totals.accepted === 0 && !signal.aborted)
    throw new CommandError(`the server accepted nothing of ${file}: its reasons are above`);
  if (cut[0] !== undefined) throw new CommandError(`${cut[0]} ${CUT_SHORT}. ${totals.sent} messages of it were sent`);
}
