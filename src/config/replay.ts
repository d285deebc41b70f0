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
      'file to serve on its own clock, in place of feeds: a recording of `overround record`, polls of The Odds API, or exported history (NDJSON); without --data in a temporary data directory',
    parse: text('a file'),
  },
  {
    name: 'replaySpeed',
    flag: 'speed',
    env: 'REPLAY_SPEED',
    default: '1',
    description: 'with --replay: recorded seconds per second, or max',
    parse: speed,
  },
  {
    name: 'replayFrom',
    flag: 'from',
    env: 'REPLAY_FROM',
    description: 'with --replay: a day or an RFC 3339 time; everything before it is played before the server listens',
    parse: instant,
  },
  {
    name: 'replayResults',
    flag: 'results',
    env: 'REPLAY_RESULTS',
    description: 'with --replay: file with the results of its games, as for `overround results`',
    parse: text('a file'),
  },
  {
    name: 'lockstep',
    flag: 'lockstep',
    bare: 'yes',
    env: 'LOCKSTEP',
    default: 'no',
    description: 'with --replay, yes: time moves only by steps (POST /api/v1/replay), and two runs are the same',
    parse: yesNo,
  },
];

function speed(value: string): number {
  const number = value === 'max' ? Number.POSITIVE_INFINITY : Number(value);
  if (!(number > 0) || (value !== 'max' && number > LIMITS.replaySpeed.max))
    throw new Error(`max, or a number above 0 and at most ${LIMITS.replaySpeed.max}`);
  return number;
}
