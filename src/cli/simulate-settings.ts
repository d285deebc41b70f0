// The settings of `simulate`.
import { SETTINGS, type Setting } from '../config/config.js';

/** What a simulated server has in common with `serve`: what its prices, edges, bets and results depend on. */
const NAMES = [
  'catalogueDir',
  'commissions',
  'currencies',
  'rates',
  'match',
  'betDelays',
  'paperMax',
  'historyDays',
  'historyBytesMax',
  'resultSources',
] satisfies Setting['name'][];
export const SIMULATE_SETTINGS = (SETTINGS as readonly Setting[]).filter(({ name }) =>
  (NAMES as readonly string[]).includes(name),
);
