// Serving a recording on its own clock.
import { LIMITS } from '../base/model/limits.js';
import { instant, text, yesNo } from './parsers.js';
import type { Setting } from './setting.js';

export const REPLAY_SETTINGS = [
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
] as const satisfies readonly Setting[];

function speed(value: string): number {
  const number = value === 'max' ? Number.POSITIVE_INFINITY : Number(value);
  if (!(number > 0) || (value !== 'max' && number > LIMITS.replaySpeed.max))
    throw new Error(`max, or a number above 0 and at most ${LIMITS.replaySpeed.max}`);
  return number;
}
