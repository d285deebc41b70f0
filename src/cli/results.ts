// `overround results FILE --url URL --key K`: posts what became of games to a running server.
import type { FeedLog } from '../feeds/feed.js';
import { readResultFile } from '../feeds/replay/result-file.js';
import { wait } from '../feeds/wait.js';
import type { Clock } from '../model/clock.js';
import { LIMITS } from '../model/limits.js';
import { IngestClient } from './ingest-client.js';
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

const BODY_BYTES = 512 * 1024;
const LINES_MAX = LIMITS.ingestParts.max / 20;

/** Rejects with CommandError if the file cannot be read or has no result, or if the server cannot be reached. */
export async function resultsToServer({ file, ...options }: ResultsToServer): Promise<void> {
  const { log, signal } = options;
  recordingSize(file);
  const client = new IngestClient({ ...options, wait, random: Math.random });
  const totals = { sent: 0, accepted: 0, rejected: 0, badLines: 0 };
  let lines: string[] = [];
  let bytes = 0;
  const send = async (): Promise<void> => {
    const posted = lines.length === 0 ? undefined : await client.post(lines);
    if (posted === undefined) return;
    totals.sent += lines.length;
    if (posted.kind === 'refused') {
      totals.rejected += lines.length;
      log.warn({ status: posted.status, reason: posted.message }, 'results refused');
    } else {
      totals.accepted += posted.accepted;
      totals.rejected += posted.rejected;
      if (posted.rejected > 0) log.warn({ first: posted.firstRejected }, 'results rejected');
    }
    lines = [];
    bytes = 0;
  };
  let firstBad: { line: number; reason: string } | undefined;
  const bad = (line: number, reason: string): void => {
    totals.badLines++;
    firstBad ??= { line, reason };
  };
  for await (const { message } of readResultFile(file, bad)) {
    if (signal.aborted) break;
    const line = JSON.stringify(message);
    lines.push(line);
    bytes += Buffer.byteLength(line) + 1;
    if (bytes >= BODY_BYTES || lines.length >= LINES_MAX) await send();
  }
  await send();
  if (totals.sent === 0 && !signal.aborted) {
    const why = firstBad === undefined ? 'it is empty' : `line ${firstBad.line}: ${firstBad.reason}`;
    throw new CommandError(`${file} has no results (${why})`);
  }
  if (firstBad !== undefined) log.warn({ ...firstBad }, 'a line of the file cannot be read');
  log.info(totals, 'results sent');
}
