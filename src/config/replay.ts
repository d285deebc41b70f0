// Serving a recording on its own clock.
import { LIMITS } from '../base/model/limits.js';
import { instant, text, yesNo } from './parsers.js';
import type { Setting } from './setting.js';

export interface ReplayConfig {
  /** The recording; undefined if the server serves the present. */
  replay: string | undefined;
  /** Recorded seconds per second; Infinity for as fast as possible. */
  replaySpeed: number;
  /** Unix ms; what was before is played before the server listens. */
  replayFrom: number | undefined;
  /** A file with what became of the games. */
  replayResults: string | undefined;
  lockstep: boolean;
  /** Time stands until it is resumed; no setting. */
  replayPaused?: boolean;
}

export const REPLAY_SETTINGS: readonly Setting<ReplayConfig>[] = [
  {
    name: 'replay',
    flag: 'replay',
    env: 'REPLAY',
    description:
      'serve this recording on its own clock, in place of feeds: what `record` wrote, polls of The Odds API, or an export of history (NDJSON); in a data directory of its own that is removed at the end, unless --data is given',
    parse: text('a file'),
  },
  {
    name: 'replaySpeed',
    flag: 'speed',
    env: 'REPLAY_SPEED',
    default: '1',
    description: 'of a recording: recorded seconds per second, or max',
    parse: speed,
  },
  {
    name: 'replayFrom',
    flag: 'from',
    env: 'REPLAY_FROM',
    description: 'of a recording: everything before this time is played before the server listens',
    parse: instant,
  },
  {
    name: 'replayResults',
    flag: 'results',
    env: 'REPLAY_RESULTS',
    description: 'of a recording: a file with what became of its games, as for `overround results`',
    parse: text('a file'),
  },
  {
    name: 'lockstep',
    flag: 'lockstep',
    bare: 'yes',
    env: 'LOCKSTEP',
    default: 'no',
    description: 'of a recording, yes: its time stands but for steps (POST /api/v1/replay), and two runs are the same',
    parse: yesNo,
  },
];

function speed(value: string): number {
  const number = value === 'max' ? Number.POSITIVE_INFINITY : Number(value);
  if (!(number > 0) || (value !== 'max' && number > LIMITS.replaySpeed.max))
    throw new Error(`max, or a number above 0 and at most ${LIMITS.replaySpeed.max}`);
  return number;
}
