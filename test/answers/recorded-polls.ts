// The recorded polls of MLB games, raw and as messages. The data is private and lies beside the project, if present.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readRecording } from '../../src/intake/feeds/replay/recording.js';
import type { IngestMessage } from '../../src/intake/ingest/message.js';
import { catalogue } from '../writer/shard/rig.js';

const POLLS = join(process.cwd(), '..', 'shared', 'data', 'mlb_us_polls', 'polls.ndjson.gz');
export const skip = existsSync(POLLS) ? false : 'no recorded data beside the project';

export interface RawOutcome {
  name: string;
  price: number | string;
  point?: number;
}

export interface RawEvent {
  id: string;
  commence_time: string;
  home_team: string;
  away_team: string;
  bookmakers: {
    key: string;
    last_update: string;
    markets: { key: string; last_update: string; outcomes: RawOutcome[] }[];
  }[];
}

export interface RecordedPoll {
  atMs: number;
  raw: RawEvent[];
  messages: readonly IngestMessage[];
}

export async function recordedPolls(): Promise<RecordedPoll[]> {
  const lines = gunzipSync(readFileSync(POLLS)).toString('utf8').trim().split('\n');
  const polls: RecordedPoll[] = [];
  const recording = readRecording(POLLS, { leagues: catalogue });
  for await (const { atMs, messages } of recording) {
    const { payload } = JSON.parse(lines[polls.length]!) as { payload: { odds: RawEvent[] } };
    polls.push({ atMs, raw: payload.odds, messages });
  }
  return polls;
}

/** Decimal odds of a recorded American price, by the textbook. */
export function decimalOf(price: number | string): number {
  const number = Number(String(price).replace('−', '-'));
  return number > 0 ? 1 + number / 100 : 1 + 100 / -number;
}
