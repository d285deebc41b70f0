// Maps the settings to an engine's options.

import { DAY_MS } from '../base/model/time.js';
import type { Config } from '../config/config.js';
import { moneyOf } from '../config/settings.js';
import { RecordedPositions } from '../store/recorded-positions.js';
import type { EngineOptions } from './engine-options.js';

const RESULTS_DAYS_LEAST = 2;

type Given = Pick<EngineOptions, 'clock' | 'log' | 'workers' | 'delaySeconds' | 'simulated'>;

export function engineOptions(config: Config, given: Given): EngineOptions {
  return {
    ...given,
    dataDir: config.dataDir,
    catalogueDir: config.catalogueDir,
    money: moneyOf(config),
    durability: config.durability,
    retention: {
      logSeconds: config.logRetentionS,
      logBytesMax: config.logBytesMax,
      fileBytesMax: config.mapBytesMax,
      // As long as history, and never less than until the last corrections of a game.
      resultsMs: Math.max(config.historyDays, RESULTS_DAYS_LEAST) * DAY_MS,
      resultSources: config.resultSources,
      ...(config.historyDays > 0 ? { recorded: RecordedPositions.memory() } : {}),
    },
    queueQuotesMax: config.ingestQueueMax,
  };
}
