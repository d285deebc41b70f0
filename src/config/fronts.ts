// How many processes of one machine share the work.
import { LIMITS } from '../base/model/limits.js';
import { integer } from './parsers.js';
import type { Setting } from './setting.js';

/** The shared counters have one column per front. */
const FRONTS_MAX = LIMITS.fronts.max;

export const FRONTS_SETTINGS = [
  {
    name: 'fronts',
    flag: 'fronts',
    env: 'FRONTS',
    default: '0',
    description:
      'number of front processes that share the port and serve the odds of one engine process (Linux only); 0: one process does both',
    parse: integer(0, FRONTS_MAX),
  },
] as const satisfies readonly Setting[];
