// How long, and how much, history is retained.
import { bytes, integer, list, MIB } from './parsers.js';
import type { Setting } from './setting.js';

export const HISTORY_SETTINGS = [
  {
    name: 'historyDays',
    flag: 'history',
    env: 'HISTORY_DAYS',
    default: '7',
    unit: 'days',
    description: 'how long price changes, opening and closing prices are kept; 0 keeps none',
    parse: integer(0, 3_650),
  },
  {
    name: 'historyBytesMax',
    flag: 'history-bytes',
    env: 'HISTORY_BYTES',
    default: '4GiB',
    unit: 'bytes',
    description: 'maximum size of the history; the oldest part is dropped first',
    parse: bytes(16 * MIB, 1024 * 1024 * MIB),
  },
  {
    name: 'resultSources',
    flag: 'result-sources',
    env: 'RESULT_SOURCES',
    default: '',
    description:
      'sources of results, separated by commas, the most trusted first; of all others the latest result counts; default: none',
    repeatable: true,
    parse: list(/^/, 'names separated by commas'),
  },
] as const satisfies readonly Setting[];
